package posix

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// widen makes every variable unknown whose value a turn of a loop takes from
// the turn before, when the body is walked once for all its turns.
func (e *evaluator) widen(st *shell.State, body []*syntax.Stmt) {
	used := map[string]bool{} // so far, in the order of the text
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if n != nil && e.spent() {
				return false
			}
			switch x := n.(type) {
			case *syntax.ParamExp:
				if x.Param != nil {
					used[x.Param.Value] = true
				}
			case *syntax.Assign:
				if x.Name == nil {
					break
				}
				switch name := x.Name.Value; {
				case numeric(x.Value) && (used[name] || mentions(x.Value, name)):
					e.forgetNumber(st, name)
				case x.Append || used[name] || mentions(x.Value, name):
					if v, ok := e.gathered(st, body, name); ok {
						st.Vars.Assign(name, v)
					} else {
						e.forget(st, name)
					}
				}
			case *syntax.UnaryArithm:
				if w, ok := x.X.(*syntax.Word); ok && (x.Op == syntax.Inc || x.Op == syntax.Dec) {
					e.forgetNumber(st, w.Lit())
				}
			case *syntax.BinaryArithm:
				if w, ok := x.X.(*syntax.Word); ok && strings.HasSuffix(x.Op.String(), "=") && x.Op != syntax.Eql && x.Op != syntax.Neq && x.Op != syntax.Leq && x.Op != syntax.Geq {
					e.forgetNumber(st, w.Lit())
				}
			}
			return true
		})
	}
}

// numeric reports whether a word is an arithmetic expansion.
func numeric(w *syntax.Word) bool {
	if w == nil || len(w.Parts) != 1 {
		return false
	}
	_, ok := w.Parts[0].(*syntax.ArithmExp)
	return ok
}

func mentions(w *syntax.Word, name string) bool {
	found := false
	if w != nil {
		syntax.Walk(w, func(n syntax.Node) bool {
			switch x := n.(type) {
			case *syntax.ParamExp:
				found = found || x.Param != nil && x.Param.Value == name
			case *syntax.ArithmExp: // where a name alone is its variable
				syntax.Walk(x.X, func(n syntax.Node) bool {
					if o, ok := n.(*syntax.Word); ok && o.Lit() == name {
						found = true
					}
					return !found
				})
			}
			return !found
		})
	}
	return found
}

func (e *evaluator) forget(st *shell.State, name string) {
	var taint value.Taint
	if old := st.Vars.Get(name); old != nil {
		taint = old.Value.Taint()
		if old.Array {
			return
		}
	}
	st.Vars.Assign(name, value.Unknown(risk.CauseLoop, name).With(taint))
}

func (e *evaluator) forgetNumber(st *shell.State, name string) {
	if name != "" {
		st.Vars.Assign(name, value.Of(value.Hole{Cause: risk.CauseLoop, Name: name, Shape: value.Number}))
	}
}

// listers are programs whose output is worked out in process if that can be done
// at all, for conditions that count or name files.
var listers = []string{"ls", "find", "fd", "wc", "head", "tail", "grep", "sort", "cut", "tr", "cat", "stat", "echo", "printf", "basename", "dirname", "expr", "pwd"}

// foreseeable reports whether a condition does nothing but ask for variables,
// files, lists of these and lines of input: it may be evaluated for every turn.
func foreseeable(cond []*syntax.Stmt) bool {
	return foresees(cond, false)
}

// foresees is foreseeable of a condition, or of the list that it asks for.
func foresees(cond []*syntax.Stmt, list bool) bool {
	programs := []string{"read", "[", "test", ":", "true", "false", "let"}
	if list {
		programs = listers
	}
	only := len(cond) > 0
	for _, s := range cond {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch x := n.(type) {
			case *syntax.Stmt:
				only = only && !x.Background && !x.Coprocess
			case *syntax.CallExpr:
				only = only && (len(x.Args) == 0 || slices.Contains(programs, x.Args[0].Lit()))
			case *syntax.BinaryCmd:
				only = only && (x.Op == syntax.AndStmt || x.Op == syntax.OrStmt || x.Op == syntax.Pipe && list)
			case *syntax.CmdSubst:
				only = only && foresees(x.Stmts, true)
				return false
			case *syntax.ProcSubst, *syntax.ForClause, *syntax.WhileClause, *syntax.IfClause, *syntax.CaseClause, *syntax.FuncDecl, *syntax.Subshell, *syntax.CoprocClause, *syntax.DeclClause:
				only = false
			}
			return only
		})
	}
	return only
}

// waiting are the commands that wait, or leave a loop.
var waiting = []string{"wait", "sleep", "read", "break", "exit", "return", "usleep", "inotifywait", "select", "exec", "timeout", "gtimeout", "fg", "tail", "flock", "entr", "kill"}

// endless reports whether nothing in a loop that never ends by its condition
// waits or leaves, and tells of the jobs that it starts in the background and
// the variables that it lets grow.
func (e *evaluator) endless(st *shell.State, body []*syntax.Stmt) bool {
	waits := false
	var job *syntax.Stmt
	var grows *syntax.Assign
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch x := n.(type) {
			case *syntax.FuncDecl:
				return false
			case *syntax.Stmt:
				if x.Background && job == nil {
					job = x
				}
				return !x.Background // what waits in the background does not
			case *syntax.CallExpr:
				if len(x.Args) > 0 {
					waits = waits || slices.Contains(waiting, x.Args[0].Lit())
				}
			case *syntax.Assign:
				if grows == nil && growing(x) {
					grows = x
				}
			}
			return true
		})
	}
	if waits {
		return false
	}
	if job != nil {
		e.m.Effect(st, e.span(job), shell.Effect{Verb: risk.Exhaust, Kind: risk.KindJobsWithoutEnd})
	}
	if grows != nil {
		e.m.Effect(st, e.span(grows), shell.Effect{Verb: risk.Exhaust, Kind: risk.KindMemoryWithoutEnd})
	}
	return true
}

// growing reports whether an assignment makes a variable longer each time.
func growing(a *syntax.Assign) bool {
	if a.Name == nil {
		return false
	}
	if a.Append {
		if a.Array != nil {
			return len(a.Array.Elems) > 0
		}
		// A number may be added and not put behind.
		return a.Value != nil && (a.Value.Lit() == "" && len(a.Value.Parts) > 0 || strings.Trim(a.Value.Lit(), "0123456789") != "")
	}
	return a.Value != nil && len(a.Value.Parts) > 0 && longer(a.Value.Parts, a.Name.Value)
}

// longer reports whether the parts of a word are a variable as it is and more.
func longer(parts []syntax.WordPart, name string) bool {
	if len(parts) == 1 {
		q, ok := parts[0].(*syntax.DblQuoted)
		return ok && longer(q.Parts, name)
	}
	return slices.ContainsFunc(parts, func(p syntax.WordPart) bool {
		if q, ok := p.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
			p = q.Parts[0]
		}
		x, ok := p.(*syntax.ParamExp)
		return ok && x.Param != nil && x.Param.Value == name && x.Exp == nil && x.Slice == nil && x.Repl == nil && !x.Length
	})
}

// widenCounters makes unknown what a body counts: n=$((n+1)).
func (e *evaluator) widenCounters(st *shell.State, body []*syntax.Stmt) {
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if n != nil && e.spent() {
				return false
			}
			a, ok := n.(*syntax.Assign)
			if !ok || a.Name == nil || a.Value == nil || len(a.Value.Parts) != 1 {
				return true
			}
			if x, ok := a.Value.Parts[0].(*syntax.ArithmExp); ok && !literal(x.X) {
				e.forgetNumber(st, a.Name.Value)
			}
			return true
		})
	}
}

// constant reports whether a condition comes out the same at every turn: it has
// no variables, runs nothing and looks at no file.
func constant(cond []*syntax.Stmt) bool {
	same := true
	for _, s := range cond {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch x := n.(type) {
			case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.UnaryTest, *syntax.Redirect:
				same = false
			case *syntax.CallExpr:
				same = same && len(x.Args) > 0 && slices.Contains([]string{":", "true", "false", "[", "test"}, x.Args[0].Lit()) && len(x.Assigns) == 0
				if same && len(x.Args) > 1 {
					same = len(x.Args[1].Lit()) < 2 || x.Args[1].Lit()[0] != '-'
				}
			case *syntax.ArithmCmd:
				same = same && literal(x.X)
				return false
			case *syntax.LetClause:
				same = false
			}
			return same
		})
	}
	return same && len(cond) > 0
}

// literal reports whether an arithmetic expression is made of numbers alone.
func literal(x syntax.ArithmExpr) bool {
	same := true
	syntax.Walk(x, func(n syntax.Node) bool {
		if w, ok := n.(*syntax.Word); ok {
			same = same && w.Lit() != "" && strings.Trim(w.Lit(), "0123456789") == ""
		}
		return same
	})
	return same
}

// makesOnly reports whether a condition only makes something or goes somewhere:
// it holds until the machine refuses.
func makesOnly(cond []*syntax.Stmt) bool {
	only := len(cond) > 0
	for _, s := range cond {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch x := n.(type) {
			case *syntax.CallExpr:
				only = only && len(x.Args) > 0 && slices.Contains([]string{"mkdir", "cd", "pushd", "touch", "mktemp", "echo", "printf", ":", "true", "cp", "ln"}, x.Args[0].Lit())
			case *syntax.BinaryCmd:
				only = only && (x.Op == syntax.AndStmt || x.Op == syntax.OrStmt)
			case *syntax.CmdSubst:
				return false
			case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause, *syntax.ForClause, *syntax.WhileClause, *syntax.IfClause, *syntax.CaseClause:
				only = false
			}
			return only
		})
	}
	return only
}
