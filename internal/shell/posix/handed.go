package posix

import (
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/shell"
	"mvdan.cc/sh/v3/syntax"
)

// handedOver is what a shell runs of a text before it hands over to another program, in
// whose language the rest is: `exec wish "$0" -- "$@"`. Shells read a text as they run it,
// so that the rest is never parsed; nil where nothing surely ends the shell before the
// place that is not its language.
func handedOver(pool *sync.Pool, text string) *syntax.File {
	if !strings.Contains(text, "exec ") && !strings.Contains(text, "exit") {
		return nil
	}
	p, ok := pool.Get().(*syntax.Parser)
	if !ok {
		return nil
	}
	defer pool.Put(p)
	file := &syntax.File{}
	for s, err := range p.StmtsSeq(&guardedReader{text: text}) {
		if err != nil {
			return nil
		}
		file.Stmts = append(file.Stmts, s)
		if handsOver(s) {
			return file
		}
		if renames(s) {
			return nil
		}
	}
	return nil
}

// handsOver reports whether a statement surely puts another program in the shell's place,
// or ends it: where exec fails, a script ends as well (POSIX.1-2024 XCU exec).
func handsOver(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || s.Background || s.Coprocess || s.Disown || len(c.Args) == 0 {
		return false
	}
	switch c.Args[0].Lit() {
	case "exit":
		return true
	case "exec":
		return len(c.Args) > 1 && !strings.HasPrefix(c.Args[1].Lit(), "-")
	}
	return false
}

// renames reports whether what a statement does may give exit or exec another meaning, or
// have a shell go on where exec fails (bash(1), "execfail"): a function of that name, an
// alias, an option, code that is run.
func renames(s *syntax.Stmt) bool {
	some := false
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			some = true
		case *syntax.CallExpr:
			if len(n.Args) == 0 {
				break
			}
			switch n.Args[0].Lit() {
			case "", "alias", "shopt", "set", "setopt", "emulate", "eval", "source", ".", "enable", "disable", "builtin", "command", "hash", "autoload", "zmodload":
				some = true
			}
		}
		return !some
	})
	return some
}

// redefined reports whether a word may be a function or an alias, be it of the
// environment (bash(1), "FUNCTIONS").
func redefined(st *shell.State, name string) bool {
	_, alias := st.Aliases[name]
	return alias || st.Funcs[name] != nil || st.Vars.Get("BASH_FUNC_"+name+"%%") != nil
}
