package posix

import (
	"slices"
	"strings"

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
		if x.Op != syntax.TsNewer && x.Op != syntax.TsOlder {
			return nil // nothing is expanded twice for it
		}
		a, ok := x.X.(*syntax.Word)
		b, ok2 := x.Y.(*syntax.Word)
		if ok && ok2 && inert(a) && inert(b) {
			return e.unmetAge(st, e.join(st, a), x.Op.String(), e.join(st, b))
		}
	}
	return nil
}

// asked is an ending that the line itself asks for, or nil.
func asked(end *risk.Ending) *risk.Ending {
	if end == nil || !end.Asked {
		return nil
	}
	return end
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
		if i-start == 3 {
			op, _ := args[start+1].Known()
			if end := e.unmetAge(st, args[start], op, args[start+2]); end != nil {
				return end
			}
		}
		start = i + 1
	}
	return nil
}

// unmetAge is why a test of which of two files is newer does not hold now, where nothing
// before it in the line can have touched either.
func (e *evaluator) unmetAge(st *shell.State, a value.Value, op string, b value.Value) *risk.Ending {
	var than string
	switch op {
	case "-nt":
		than = " is not newer than "
	case "-ot":
		than = " is not older than "
	default:
		return nil
	}
	if deeds, _ := e.m.Deeds(); deeds > 0 || st.Behind || !e.m.Settled() { // a file that is touched is what it was, and newer
		return nil
	}
	newer, other := a, b
	if op == "-ot" { // a is older than b where b is newer
		newer, other = b, a
	}
	younger, gone := e.absent(st, newer)
	older, _ := e.absent(st, other)
	if younger == "" || older == "" {
		return nil
	}
	if gone { // the newer of the two is not there (bash(1), "CONDITIONAL EXPRESSIONS")
		return &risk.Ending{How: risk.EndIdle, Missing: []string{younger}, Asked: true}
	}
	x, err := world.Stat(st.FS, younger)
	y, errY := world.Stat(st.FS, older)
	if err != nil || errY != nil || x.MTime <= 0 || y.MTime <= 0 || st.FS.Touched(younger) || st.FS.Touched(older) || x.MTime > y.MTime {
		return nil
	}
	first, _ := a.Known()
	second, _ := b.Known()
	return &risk.Ending{How: risk.EndIdle, Because: first + than + second, Asked: true}
}

// ownWord reports whether a word means something to a shell itself.
func ownWord(word string) bool {
	const words = ` if then else elif fi do done case esac while until for in function select time coproc { } ! [[ ]] repeat end nocorrect
 bg bind caller compgen complete compopt dirs disown enable fc fg hash help history jobs kill logout newgrp popd pushd suspend times type ulimit umask wait whence where which print builtin `
	return slices.Contains(strings.Fields(words), word)
}

// unmetProgram is why `command -v` finds nothing now.
func (e *evaluator) unmetProgram(st *shell.State, name value.Value) *risk.Ending {
	text, known := name.Known()
	if !known || st.Behind || !st.Here() || !e.m.Settled() || st.Funcs[text] != nil || builtinNamed(text) != nil || ownWord(text) || !st.Lacks(text) {
		return nil
	}
	if _, alias := st.Aliases[text]; alias {
		return nil
	}
	return &risk.Ending{How: risk.EndIdle, Because: "there is no program " + text, Asked: true}
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
