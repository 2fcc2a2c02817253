package posix

import (
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// argCount is how many positional parameters a function is given that nobody
// in the text calls.
const argCount = 9

// EvalEach evaluates text in st, as [Eval] does, one statement of its top level
// after the other, and calls begin with a statement's span before what it does
// is told to the machine. Where a span comes twice, more is told about it: of
// the exit trap that it sets, or of the function that it declares and that
// nothing in the text calls.
//
// The text is read as a file that runs elsewhere and at another time: what
// stands behind an exit is evaluated too, as reached perhaps.
func EvalEach(m shell.Machine, st *shell.State, text string, begin func(risk.Span)) error {
	src, err := Parse(text, st.Shell)
	if err == nil {
		err = src.fits(st)
	}
	if err != nil {
		return err
	}
	e := &evaluator{m: m, parts: st.Parts, text: src.Text, grammar: src.Grammar, end: len(text)}
	var trapped *syntax.Stmt // what set the exit trap
	for i, s := range src.File.Stmts {
		begin(e.span(s))
		if i == 0 {
			e.fillIn(st, src)
		}
		before := st.Traps["EXIT"].String()
		if !e.spent() {
			e.stmt(st, s, ioctx{})
		}
		if st.Traps["EXIT"].String() != before {
			trapped = s
		}
		if st.Gone {
			st.Gone = false
			st.Under(risk.Condition{})
		}
	}
	if trapped != nil {
		begin(e.span(trapped))
		e.trap(st, "EXIT", ioctx{})
	}
	e.uncalled(st, src.File, begin)
	return nil
}

// uncalled evaluates the functions of a text that nothing in it calls, with
// arguments that are not known.
func (e *evaluator) uncalled(st *shell.State, file *syntax.File, begin func(risk.Span)) {
	called := map[string]bool{}
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok {
			for _, w := range c.Args { // trap, xargs and the like name functions too
				called[w.Lit()] = true
			}
		}
		return true
	})
	for _, s := range file.Stmts {
		decl, ok := s.Cmd.(*syntax.FuncDecl)
		if !ok || decl.Name == nil || called[decl.Name.Value] {
			continue
		}
		begin(e.span(s))
		sub := st.Clone()
		sub.Gone, sub.Frame = false, map[string]*shell.Var{}
		sub.Under(risk.Condition{Kind: risk.IfCalled, Of: decl.Name.Value})
		sub.Params = anyArgs()
		e.stmt(sub, decl.Body, ioctx{})
	}
}

func anyArgs() []value.Value {
	args := make([]value.Value, argCount)
	for i := range args {
		args[i] = value.Unknown(risk.CauseGiven, string(rune('1'+i)))
	}
	return args
}
