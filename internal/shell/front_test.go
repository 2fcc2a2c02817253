package shell_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
)

// echo is a front that says who was asked for what.
type echo struct {
	name     string
	dialects []shell.Dialect
	asked    *[]string
}

func (e echo) Dialects() []shell.Dialect { return e.dialects }

func (e echo) Parse(_, dialect string) error {
	*e.asked = append(*e.asked, e.name+" parses "+dialect)
	return nil
}

func (e echo) Eval(_ shell.Machine, st *shell.State, _ string, _ *risk.Span, _ *shell.Sink) error {
	*e.asked = append(*e.asked, e.name+" evaluates "+st.Shell)
	return nil
}

func (e echo) EvalEach(_ shell.Machine, st *shell.State, _ string, _ func(risk.Span)) error {
	*e.asked = append(*e.asked, e.name+" evaluates each "+st.Shell)
	return nil
}

func (e echo) Steps(_, dialect string) []shell.Step {
	*e.asked = append(*e.asked, e.name+" divides "+dialect)
	return nil
}

func (echo) ReadOwn([]byte) (shell.Own, error) { return nil, nil }

func TestFronts(t *testing.T) {
	t.Parallel()
	var asked []string
	one := echo{"one", []shell.Dialect{{Name: "x", Programs: []string{"x", "xsh"}}, {Name: "y"}}, &asked}
	two := echo{"two", []shell.Dialect{{Name: "z", Programs: []string{"zed", "xsh"}}, {Name: "y", Programs: []string{"why"}}}, &asked}
	f := shell.NewFronts(one, two)
	if got := f.Dialects(); !slices.Equal(got, []string{"x", "y", "z"}) || f.Default() != "x" {
		t.Errorf("the dialects are %q, the default is %q", got, f.Default())
	}
	for name, want := range map[string]string{"": "x", "x": "x", "xsh": "x", "y": "y", "z": "z", "zed": "z", "why": "y", "zsh": ""} {
		if got, ok := f.Dialect(name); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v", name, got, ok)
		}
	}
	for _, d := range []string{"x", "y", "z"} {
		st := &shell.State{Shell: d}
		if err := errors.Join(f.Parse("", d), f.Eval(nil, st, "", nil, nil), f.EvalEach(nil, st, "", nil)); err != nil {
			t.Error(err)
		}
	}
	want := []string{"one parses x", "one evaluates x", "one evaluates each x", "one parses y", "one evaluates y", "one evaluates each y", "two parses z", "two evaluates z", "two evaluates each z"}
	if !slices.Equal(asked, want) {
		t.Errorf("%q", asked)
	}
	for _, d := range []string{"", "xsh", "zsh"} { // a dialect, not a shell's name
		st := &shell.State{Shell: d}
		for _, err := range []error{f.Parse("", d), f.Eval(nil, st, "", nil, nil), f.EvalEach(nil, st, "", nil)} {
			if !errors.Is(err, shell.ErrDialect) {
				t.Errorf("%q: %v", d, err)
			}
		}
	}
}

func TestNoFronts(t *testing.T) {
	t.Parallel()
	f := shell.NewFronts()
	if _, ok := f.Dialect(""); ok || f.Default() != "" || f.Parse("", "sh") == nil {
		t.Error("something is evaluated by nobody")
	}
}

func TestErrorAt(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("parsing: %w", &shell.SyntaxError{Offset: 3, Err: shell.ErrTooComplex})
	if at, ok := shell.ErrorAt(err); at != 3 || !ok || !errors.Is(err, shell.ErrTooComplex) || err.Error() != "parsing: "+shell.ErrTooComplex.Error() {
		t.Errorf("%d, %v: %v", at, ok, err)
	}
	if _, ok := shell.ErrorAt(shell.ErrTooComplex); ok {
		t.Error("an error without a place has one")
	}
}
