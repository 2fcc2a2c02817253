package hooks

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// command returns a program that takes any words, for hooks that read them by
// themselves.
func command(name, hook string) *catalog.Program {
	return &catalog.Program{Names: []string{name}, Command: catalog.Command{
		Name: name, Hook: hook, Syntax: catalog.PosixOrder,
		Options: []catalog.Option{
			{Names: []string{"-c"}, Sets: []string{"command"}},
			{Names: []string{"-s"}, Sets: []string{"stdin-script"}},
			{Names: []string{"-i"}, Sets: []string{"interactive"}},
			{Names: []string{"-p"}, Sets: []string{"loop"}},
			{Names: []string{"-e"}, Value: &catalog.Arg{Name: "code"}},
		},
		Operands: []catalog.Operand{{Arg: catalog.Arg{Name: "word"}, Many: true}},
	}}
}

func describe(p *catalog.Program, stdin bool, env map[string]value.Value, words ...value.Value) *catalog.Result {
	c := catalog.FromPrograms([]*catalog.Program{p}, All())
	return c.Describe(p, words, &catalog.Site{Name: p.Names[0], HasStdin: stdin, Env: func(n string) (value.Value, bool, bool) {
		v, ok := env[n]
		return v, ok, ok
	}})
}

func lits(words ...string) []value.Value {
	var vs []value.Value
	for _, w := range words {
		vs = append(vs, value.Lit(w))
	}
	return vs
}

func TestStandardInputIsRun(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, hook string
		words      []string
		kind       catalog.RunKind
		lang       string
		args       int
	}{
		{"bash", "shell", nil, catalog.RunScript, "bash", 0},
		{"bash", "shell", []string{"-i"}, catalog.RunScript, "bash", 0},
		{"sh", "shell", []string{"-s", "a", "b"}, catalog.RunScript, "sh", 2},
		{"pwsh", "powershell", []string{"-Command", "-"}, catalog.RunScript, "pwsh", 0},
		{"perl", "line-language", []string{"-"}, catalog.RunCode, "perl", 0},
		{"python", "python", nil, catalog.RunCode, "python", 0},
		{"python", "python", []string{"-", "x"}, catalog.RunCode, "python", 1},
	} {
		r := describe(command(test.name, test.hook), true, nil, lits(test.words...)...)
		if len(r.Runs) != 1 {
			t.Errorf("%s %q: %d runs, want 1", test.name, test.words, len(r.Runs))
			continue
		}
		got := r.Runs[0]
		if got.Kind != test.kind || got.Lang != test.lang || !got.Stdin || len(got.Args) != test.args || !r.ReadsStdin {
			t.Errorf("%s %q: got %+v, reads stdin %v", test.name, test.words, got, r.ReadsStdin)
		}
	}
}

func TestUnknownWordsDoNotPanic(t *testing.T) {
	t.Parallel()
	hole := value.Unknown(risk.CauseUnset, "X")
	mixed := value.Concat(value.Lit("-c"), hole)
	tail := value.Concat(hole, value.Lit("; rm x"))
	for name, hook := range interpHooks() {
		for _, words := range [][]value.Value{
			nil,
			{hole},
			{mixed},
			{tail},
			{hole, mixed, tail},
			lits("-e"), lits("-c"), lits("", ""), lits("-"), lits("--"),
			{value.Lit("send-keys"), hole},
			{value.Lit("run-shell"), tail},
			{value.Lit("if"), tail, tail},
			lits("-m", "zipfile"), lits("-enc", "%%%"), lits("send-keys", "-t"), lits("set-hook", "a", "{ {"),
		} {
			for _, stdin := range []bool{false, true} {
				p := command("bash", name)
				r := &catalog.Result{}
				s := &catalog.Site{Args: words, Name: "bash", HasStdin: stdin}
				hook(p.Match(words), s, r)
			}
		}
	}
}

func TestStartupVariables(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		value value.Value
		kind  catalog.RunKind
	}{
		{value.Lit("/tmp/e.sh"), catalog.RunScript},
		{value.Lit("$(id)"), catalog.RunShell},
		{value.Unknown(risk.CauseUnset, "F"), catalog.RunScript},
	} {
		r := describe(command("bash", "shell"), false, map[string]value.Value{"BASH_ENV": test.value}, lits("-c", "true")...)
		if len(r.Runs) != 2 || r.Runs[1].Kind != test.kind {
			t.Errorf("BASH_ENV=%s: got %+v", test.value, r.Runs)
		}
	}
}

func TestQuotedWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		`run-shell "a b" ; ls`: {"run-shell", "a b", ";", "ls"},
		`if x { new {a b} }`:   {"if", "x", " new {a b} "},
		`a'b c'd \e ''`:        {"ab cd", "e", ""},
		`unclosed "quote`:      {"unclosed", "quote"},
		"":                     nil,
		"  \t\n":               nil,
		`}}} {{{`:              {"}}}", "{{"},
		`trailing\`:            {`trailing\`},
	} {
		if diff := cmp.Diff(want, quotedWords(in)); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
}

func TestGetopt(t *testing.T) {
	t.Parallel()
	o := getopt(lits("-dsname", "-t", "x", "-P", "--", "-cmd"), "ds:t:P")
	if v, _ := o.value('s'); !o.has('d') || v.String() != "name" {
		t.Errorf("got %+v", o)
	}
	if v, _ := o.value('t'); v.String() != "x" || len(o.rest) != 1 {
		t.Errorf("got %+v", o)
	}
}

func FuzzTmux(f *testing.F) {
	f.Add("new -d x", "a;b")
	f.Add("set-hook -g x { run-shell {", "#(")
	f.Fuzz(func(t *testing.T, text, extra string) {
		s := &catalog.Site{}
		r := &catalog.Result{}
		tmuxText(s, r, value.Lit(text+" "+extra), 0)
		screenCommand(r, lits(quotedWords(text)...), 0)
		m := command("gdb", "gdb").Match(nil)
		debuggerCommand(m, r, value.Lit(text))
	})
}
