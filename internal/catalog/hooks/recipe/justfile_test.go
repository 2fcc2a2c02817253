package recipe

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/buildfile"
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

// runsOf is what a justfile's recipes run for the words of a command line.
func runsOf(text string, words ...string) (runs []string, understood bool) {
	j := buildfile.NewJust(buildSite(&catalog.Site{Dir: "/p/sub", Env: func(name string) (value.Value, bool, bool) {
		return value.Lit("/home/u"), name == "HOME", name == "HOME"
	}}, "/p/sub"), "/p/justfile")
	var vs []value.Value
	for _, w := range words {
		vs = append(vs, value.Lit(w))
	}
	vs = j.Override(vs)
	j.Read(text)
	understood = j.Goals(vs) && !j.Partial()
	for _, r := range justRuns(j) {
		runs = append(runs, r.Lang+": "+r.Shown())
	}
	return runs, understood
}

func TestJustfile(t *testing.T) {
	t.Parallel()
	const file = `
set shell := ["bash", "-euc"]
out := "dist"
tmp := out / "tmp"
both := out + '-' + tmp
home := env("HOME")
other := env("NOT_SET", "else")
alias c := clean

# The first one.
default: build (clean "cache") && done

build:
    echo {{out}} {{ tmp }} \
      {{both}}
    @-echo quiet
    # only a comment
clean dir=out *more:
    rm -rf {{dir}} {{more}}
done:
    echo {{{{x}} {{home}} {{other}} {{quote("a b")}} {{uppercase(out)}} {{join("a", "b")}}
py:
    #!/usr/bin/env python3
    print("{{out}}")
what +args='x':
    echo {{args}}
`
	for _, tt := range []struct {
		words []string
		want  []string
		ok    bool
	}{
		{nil, []string{"bash: echo dist dist/tmp dist-dist/tmp", "bash: echo quiet", "bash: rm -rf cache ", "bash: echo {{x}} /home/u else 'a b' DIST a/b"}, true},
		{[]string{"clean"}, []string{"bash: rm -rf dist "}, true},
		{[]string{"c", "a", "b", "c"}, []string{"bash: rm -rf a b c"}, true},
		{[]string{"out=/", "clean"}, []string{"bash: rm -rf / "}, true},
		{[]string{"py"}, []string{"python: #!/usr/bin/env python3\nprint(\"dist\")"}, true},
		{[]string{"what"}, []string{"bash: echo x"}, true},
		{[]string{"build", "what", "1", "2"}, []string{"bash: echo dist dist/tmp dist-dist/tmp", "bash: echo quiet", "bash: echo 1 2"}, true},
		{[]string{"nothing"}, nil, false},
	} {
		got, ok := runsOf(file, tt.words...)
		if d := cmp.Diff(tt.want, got); d != "" || ok != tt.ok {
			t.Errorf("just %q: understood %v (-want +got)\n%s", tt.words, ok, d)
		}
	}
}

// What is not understood is said not to be.
func TestJustfileNotUnderstood(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text, word string
	}{
		{"a recipe of another file", "import 'more.just'\na:\n  echo a\n", "b"},
		{"a parameter that is missing", "a x:\n  echo {{x}}\n", "a"},
		{"a dependency that is missing", "a: b\n  echo a\n", "a"},
		{"a recipe that needs itself for ever", "a x='': (a x + 'x')\n  echo a\n", "a"},
	} {
		if _, ok := runsOf(tt.text, tt.word); ok {
			t.Errorf("%s: it is taken for understood", tt.name)
		}
	}
	runs, _ := runsOf("v := `rm -rf /x`\na:\n  echo {{v}}\n", "a")
	if !slices.Contains(runs, "sh: rm -rf /x") {
		t.Errorf("a command in backticks is not run: %q", runs)
	}
}
