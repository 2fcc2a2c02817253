package posix

import (
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// session is what this front alone knows of a session.
type session struct {
	options
	streams
}

// options are the shell options that change evaluation.
type options struct {
	errExit, noUnset, noGlob, pipeFail, nullGlob, dotGlob, globStar, expandAliases, noExec bool
	allExport, noClobber, noCaseGlob, noCaseMatch                                          bool
	trace                                                                                  bool // `set -x`, `set -v`
	keyword, physical, cdableVars, lastPipe, execFail, promptSubst                         bool
	wordSplit, globSubst, kshArrays, extendedGlob                                          bool // of zsh
}

// streams are the descriptors that stay open behind a statement.
type streams struct {
	fds    map[string]*target // those that `exec` opened
	turned []turned           // standard outputs that `exec` turned elsewhere
	// outputs are the commands behind >(…), by the path that stands for them.
	outputs map[string]*code
	lost    bool // something was open that is not known any more
}

// sessionOf returns what is known of a session.
func sessionOf(st *shell.State) session {
	if s, ok := st.Own.(*session); ok {
		return *s
	}
	return session{}
}

func optionsOf(st *shell.State) options {
	if s, ok := st.Own.(*session); ok {
		return s.options
	}
	return options{}
}

// setOptions makes what change does to the options hold in st.
func setOptions(st *shell.State, change func(*options)) {
	s := sessionOf(st)
	change(&s.options)
	st.Own = &s
}

// A code is a piece of a text that is run later, perhaps when another text is
// evaluated.
type code struct {
	stmts   []*syntax.Stmt
	text    string // that the statements are in
	grammar string // that it was parsed with
	source  shell.Source
}

// kept returns the code of some statements of the text that is evaluated. whole is
// what has to be parsed to have them again: the declaration of a function, or the
// statements themselves.
func (e *evaluator) kept(whole syntax.Node, stmts ...*syntax.Stmt) *code {
	c := &code{stmts: stmts, text: e.text, grammar: e.grammar, source: shell.Source{Dialect: e.grammar}}
	from, to := int(whole.Pos().Offset()), int(whole.End().Offset())
	if from <= to && to <= len(e.text) {
		c.source.Text, c.source.Span = e.text[from:to], e.span(whole)
	}
	return c
}

// again parses code that was kept, if it is some.
func again(src shell.Source) *code {
	parsed, err := Parse(src.Text, src.Dialect)
	if err != nil {
		return nil
	}
	return &code{stmts: parsed.File.Stmts, text: parsed.Text, grammar: parsed.Grammar, source: src}
}

// body is the code of a function; nil if its source is none that this front reads.
func body(f *shell.Func) *code {
	c, _ := f.Parsed(func(src shell.Source) any {
		c := again(src)
		if c == nil || len(c.stmts) == 0 {
			return (*code)(nil)
		}
		decl, ok := c.stmts[0].Cmd.(*syntax.FuncDecl)
		if !ok {
			return (*code)(nil)
		}
		c.stmts = []*syntax.Stmt{functionBody(decl.Body)}
		return c
	}).(*code)
	return c
}

// within evaluates code that was kept. Where it is of another text than the one
// that is evaluated, all that it does is done at a place of this one.
func (e *evaluator) within(c *code, span risk.Span, evaluate func()) {
	text, grammar, at := e.text, e.grammar, e.at
	if c.text != text || c.grammar != grammar {
		e.text, e.grammar = c.text, c.grammar
		if here := span; at == nil {
			e.at = &here
		}
	}
	evaluate()
	e.text, e.grammar, e.at = text, grammar, at
}
