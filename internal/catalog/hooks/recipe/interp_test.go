package recipe

import (
	"testing"

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
	c := catalog.FromPrograms([]*catalog.Program{p}, Hook)
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
