package recipe

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

// taskRuns is what a Taskfile's tasks run for the words of a command line.
func taskRuns(text string, words ...string) (runs []string, understood bool) {
	f := parseTaskfile(&catalog.Site{Dir: "/p"}, "/p", text, true)
	if f == nil {
		return nil, false
	}
	var vs []value.Value
	for _, w := range words {
		vs = append(vs, value.Lit(w))
	}
	understood = f.goals(vs)
	for _, r := range f.runs {
		runs = append(runs, r.Dir.String()+": "+r.Shown())
	}
	return runs, understood
}

func TestTaskfile(t *testing.T) {
	t.Parallel()
	const file = `
version: '3'
vars:
  OUT: dist
  TMP: '{{.OUT}}/tmp'
  N: 3
tasks:
  default:
    deps: [gen]
    cmds:
      - echo {{.OUT}} {{ .TMP }} {{.N}}
      - task: clean
        vars: {DIR: '{{.OUT}}'}
  gen: echo gen
  list:
    - one
    - two
  clean:
    dir: sub
    cmds: ['rm -rf {{.DIR}}']
  own:
    vars: {OUT: mine}
    cmd: echo {{.OUT}}
  checked:
    preconditions: [{sh: test -f x}]
    cmds: [{cmd: run it, silent: true}, {defer: rm y}]
  dynamic:
    vars: {HASH: {sh: git rev-parse HEAD}}
    cmds: ['echo {{.HASH}}']
  every:
    cmds: [{for: [a, b], cmd: 'rm {{.ITEM}}'}]
  loop: [{task: loop}]
`
	for _, tt := range []struct {
		words []string
		want  []string
		ok    bool
	}{
		{nil, []string{"/p: echo gen", "/p: echo dist dist/tmp 3", "/p/sub: rm -rf dist"}, true},
		{[]string{"clean", "DIR=/etc"}, []string{"/p/sub: rm -rf /etc"}, true},
		{[]string{"default", "OUT=o"}, []string{"/p: echo gen", "/p: echo o o/tmp 3", "/p/sub: rm -rf o"}, true},
		{[]string{"own", "OUT=o"}, []string{"/p: echo mine"}, true},
		{[]string{"list"}, []string{"/p: one", "/p: two"}, true},
		{[]string{"checked"}, []string{"/p: test -f x", "/p: run it", "/p: rm y"}, true},
		{[]string{"dynamic"}, []string{"/p: git rev-parse HEAD", "/p: echo {{.HASH}}"}, true},
		{[]string{"every"}, nil, false},
		{[]string{"loop"}, nil, true},
		{[]string{"docs:build"}, nil, false},
	} {
		got, ok := taskRuns(file, tt.words...)
		if d := cmp.Diff(tt.want, got); d != "" || ok != tt.ok {
			t.Errorf("task %q: understood %v (-want +got)\n%s", tt.words, ok, d)
		}
	}
}

func FuzzTaskfile(f *testing.F) {
	for _, seed := range []string{
		"vars: {A: '{{.B}}{{.B}}', B: '{{.A}}'}\ntasks: {a: 'rm {{.A}}'}", "tasks:\n  a: {deps: [b], cmds: [{task: a, vars: {X: 1}}]}\n  b: [x, {cmd: 1}]",
		"tasks: [a]", "tasks: {a: {dir: '{{x}}', cmd: y, env: {A: {sh: z}}}}", "tasks: {a: {for: 1}}", "tasks:\n  a: &x [*x]",
	} {
		f.Add(seed, "a")
	}
	f.Fuzz(func(t *testing.T, text, word string) {
		if runs, _ := taskRuns(text, word); len(runs) > 100*maxRecipes {
			t.Errorf("%d runs", len(runs))
		}
	})
}
