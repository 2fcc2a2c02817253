package posix

import (
	"slices"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// unmet is why a test in [[ ]] does not hold as things are, where that may change before
// the line runs, and its status is therefore not known; else nil.
func (e *evaluator) unmet(st *shell.State, x syntax.TestExpr) *risk.Ending {
	switch x := x.(type) {
	case *syntax.ParenTest:
		return e.unmet(st, x.X)
	case *syntax.UnaryTest:
		if w, ok := x.X.(*syntax.Word); ok && inert(w) {
			return e.unmetFile(st, x.Op.String(), e.join(st, w))
		}
	case *syntax.BinaryTest:
		if x.Op == syntax.AndTest {
			if end := e.unmet(st, x.X); end != nil {
				return end
			}
			return e.unmet(st, x.Y)
		}
	}
	return nil
}

// inert reports whether a word is expanded without anything being run or set, so that
// it may be expanded once more.
func inert(w *syntax.Word) bool {
	ok := true
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ArithmExp:
			ok = false
		case *syntax.ParamExp:
			ok = ok && n.Short
		}
		return ok
	})
	return ok
}

// unmetArgs is the same of the arguments of test(1).
func (e *evaluator) unmetArgs(st *shell.State, args []value.Value) *risk.Ending {
	if slices.ContainsFunc(args, func(v value.Value) bool { word, _ := v.Known(); return word == "-o" }) {
		return nil
	}
	start := 0
	for i := range len(args) + 1 {
		if i < len(args) {
			if word, _ := args[i].Known(); word != "-a" || i == start {
				continue
			}
		}
		if i-start == 2 {
			op, _ := args[start].Known()
			if end := e.unmetFile(st, op, args[start+1]); end != nil {
				return end
			}
		}
		start = i + 1
	}
	return nil
}

// unmetFile is why a test of one file does not hold now: the file is not there, and
// nothing before it in the line can have made it, or it is empty.
func (e *evaluator) unmetFile(st *shell.State, op string, file value.Value) *risk.Ending {
	switch op {
	case "-e", "-a", "-f", "-d", "-s", "-x", "-r", "-w", "-L", "-h", "-p", "-S", "-b", "-c":
	default:
		return nil
	}
	name, gone := e.absent(st, file)
	if name == "" || st.Behind || !e.m.Settled() {
		return nil
	}
	if gone {
		return &risk.Ending{How: risk.EndIdle, Missing: []string{name}, Asked: true}
	}
	if op != "-s" && op != "-x" {
		return nil
	}
	written, _ := file.Known()
	info, err := world.Stat(st.FS, name)
	switch {
	case st.FS.Touched(name):
	case err != nil || info.Kind != world.Regular:
	case op == "-s" && info.Size == 0:
		return &risk.Ending{How: risk.EndIdle, Because: written + " is empty", Asked: true}
	case op == "-x" && info.Mode.Perm()&0o111 == 0:
		return &risk.Ending{How: risk.EndIdle, Because: written + " cannot be run", Asked: true}
	}
	return nil
}
