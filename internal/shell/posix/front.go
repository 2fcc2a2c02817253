package posix

import (
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/risk"
)

// Front returns the front that evaluates bash, sh, mksh and zsh.
func Front() shell.Front { return front{} }

// front implements [shell.Front].
type front struct{}

func dialects() []string { return []string{"bash", "sh", "mksh", "zsh"} }

func (front) Dialects() []shell.Dialect {
	var all []shell.Dialect
	for _, name := range dialects() {
		all = append(all, shell.Dialect{Name: name, Programs: shellname.Programs(name)})
	}
	return all
}

func (front) Parse(text, dialect string) error {
	_, err := Parse(text, dialect)
	return err
}

func (front) Eval(m shell.Machine, st *shell.State, text string, at *risk.Span, out *shell.Sink) error {
	return Eval(m, st, text, at, out)
}

func (front) EvalEach(m shell.Machine, st *shell.State, text string, begin func(risk.Span)) error {
	return EvalEach(m, st, text, begin)
}

func (front) Steps(text, dialect string) []shell.Step { return Steps(text, dialect) }
