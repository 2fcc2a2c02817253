package posix

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// testExpr evaluates [[ … ]].
func (e *evaluator) testExpr(st *shell.State, x syntax.TestExpr) shell.Status {
	if e.spent() {
		return shell.Perhaps
	}
	switch x := x.(type) {
	case *syntax.Word:
		return notEmpty(e.testOperand(st, x))
	case *syntax.ParenTest:
		return e.testExpr(st, x.X)
	case *syntax.UnaryTest:
		if x.Op == syntax.TsNot {
			return e.testExpr(st, x.X).Not()
		}
		w, ok := x.X.(*syntax.Word)
		if !ok {
			return shell.Perhaps
		}
		return e.testUnary(st, x.Op.String(), e.testOperand(st, w))
	case *syntax.BinaryTest:
		return e.testBinary(st, x)
	}
	return shell.Perhaps
}

func (e *evaluator) testBinary(st *shell.State, x *syntax.BinaryTest) shell.Status {
	switch x.Op {
	case syntax.AndTest, syntax.OrTest:
		a := e.testExpr(st, x.X)
		if a == shell.OK && x.Op == syntax.OrTest || a == shell.Failed && x.Op == syntax.AndTest {
			return a
		}
		b := e.testExpr(st, x.Y)
		if a == shell.Perhaps {
			if x.Op == syntax.AndTest && b == shell.Failed || x.Op == syntax.OrTest && b == shell.OK {
				return b
			}
			return shell.Perhaps
		}
		return b
	}
	left, ok := x.X.(*syntax.Word)
	right, ok2 := x.Y.(*syntax.Word)
	if !ok || !ok2 {
		return shell.Perhaps
	}
	a := e.testOperand(st, left)
	switch x.Op {
	case syntax.TsMatch, syntax.TsMatchShort:
		return matchValue(e.patternOf(st, right), a, st)
	case syntax.TsNoMatch:
		return matchValue(e.patternOf(st, right), a, st).Not()
	case syntax.TsReMatch:
		e.join(st, right)
		matched(st, a.Taint()&secret)
		return shell.Perhaps
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		return compareNumbers(x.Op.String(), e.arithText(st, a), e.arithText(st, e.join(st, right)))
	}
	e.testOperand(st, right)
	return shell.Perhaps
}

// present is a value without the positional parameters that the function which runs now
// was not given: they are nothing, whoever calls the file.
func present(st *shell.State, v value.Value) value.Value {
	if st.Frame == nil || !v.HasCause(risk.CauseUnset) {
		return v
	}
	var b value.Builder
	b.Taint(v.Taint())
	for _, p := range v.Parts() {
		switch _, err := strconv.Atoi(holeName(p)); {
		case p.Hole == nil:
			b.WriteString(p.Lit)
		case p.Hole.Cause != risk.CauseUnset || err != nil:
			b.Add(value.Of(*p.Hole))
		}
	}
	return b.Value().FromPattern(v.Pattern())
}

// holeName is the name of what is not known in a part.
func holeName(p value.Part) string {
	if p.Hole == nil {
		return ""
	}
	return p.Hole.Name
}

// testOperand evaluates a word of [[ … ]] as one string. zsh looks for the names that
// one with (#q…) matches, and with that runs what it says (zshmisc(1),
// "Conditional Expressions").
func (e *evaluator) testOperand(st *shell.State, w *syntax.Word) value.Value {
	explicit := st.Shell == "zsh" && slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		l, is := p.(*syntax.Lit)
		return is && strings.Contains(l.Value, "(#q")
	})
	if !explicit {
		return present(st, e.join(st, w))
	}
	var names []value.Value
	for _, x := range e.fields(st, []*syntax.Word{w}) {
		names = append(names, x.Value)
	}
	return expanded{list: names, isList: true}.joined(" ")
}

// matched makes unknown what =~ leaves behind: the text that its parts matched
// (bash(1), BASH_REMATCH; zshparam(1), MATCH and match).
func matched(st *shell.State, taint value.Taint) {
	const most = 10
	set := func(name string) {
		v := shell.Var{Array: true, Changed: true, Value: value.Unknown(risk.CauseOther, name).With(taint)}
		for range most {
			v.List = append(v.List, v.Value)
		}
		st.Vars.Set(name, v)
	}
	switch st.Shell {
	case "bash":
		set("BASH_REMATCH")
	case "zsh":
		set("match")
		st.Vars.Assign("MATCH", value.Unknown(risk.CauseOther, "MATCH").With(taint))
	}
}

func notEmpty(v value.Value) shell.Status {
	switch {
	case v.Empty():
		return shell.Failed
	case v.Taint().Has(value.Absent):
		return shell.Perhaps
	case v.Len() > 0:
		return shell.OK
	}
	for _, h := range v.Holes() {
		if printed := h.Cause == risk.CauseOutput || h.Cause == risk.CauseMatch && h.Shape == value.Below && len(h.Among) == 0; h.Shape != value.AnyText && !printed { // who fails, or finds nothing, prints nothing
			return shell.OK
		}
	}
	return shell.Perhaps
}

func compareNumbers(op string, a, b value.Value) shell.Status {
	x, ok := a.Known()
	y, ok2 := b.Known()
	if !ok || !ok2 {
		return shell.Perhaps
	}
	m, err := strconv.ParseInt(x, 10, 64) // as test(1) reads them
	n, err2 := strconv.ParseInt(y, 10, 64)
	if err != nil || err2 != nil {
		return shell.Perhaps
	}
	symbol := map[string]string{"-eq": "==", "-ne": "!=", "-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">="}[op]
	r, _ := calculate(symbol, m, n)
	if r != 0 {
		return shell.OK
	}
	return shell.Failed
}

// testUnary evaluates a unary primary of test(1) or [[ ]].
func (e *evaluator) testUnary(st *shell.State, op string, v value.Value) shell.Status {
	switch op {
	case "-z":
		return notEmpty(v).Not()
	case "-n":
		return notEmpty(v)
	}
	text, known := v.Known()
	if !known {
		if op == "-v" || op == "-R" {
			e.place(st, v, st.Statement)
		}
		return shell.Perhaps
	}
	switch op {
	case "-t":
		if st.Shell == "zsh" {
			e.arithText(st, v)
		}
	case "-v", "-R":
		p, ok := e.place(st, v, st.Statement)
		if ok && !p.element && st.Vars.Get(text) != nil && op == "-v" {
			return shell.OK
		}
		return shell.Perhaps
	case "-e", "-a", "-f", "-d", "-L", "-h", "-b", "-c", "-s", "-x", "-r", "-w":
		return testFile(st, op, text)
	}
	return shell.Perhaps
}

// testFile answers from the world; where a file is missing now the answer may
// be another one when the command runs only if the directory is missing too.
func testFile(st *shell.State, op, name string) shell.Status {
	if name == "" {
		return shell.Failed
	}
	if !path.IsAbs(name) {
		dir, known := st.Dir.Known()
		if !known {
			return shell.Perhaps
		}
		name = strings.TrimSuffix(dir, "/") + "/" + name
	}
	var info world.Info
	var err error
	if op == "-L" || op == "-h" {
		resolved, _ := world.Resolve(st.FS, name, false)
		info, err = st.FS.Lstat(resolved)
	} else {
		info, err = world.Stat(st.FS, name)
	}
	if err != nil {
		return shell.Perhaps
	}
	if info.Kind == world.Missing {
		return shell.Perhaps
	}
	yes := map[string]bool{
		"-e": true, "-a": true,
		"-f": info.Kind == world.Regular,
		"-d": info.Kind == world.Dir,
		"-L": info.Kind == world.Symlink, "-h": info.Kind == world.Symlink,
		"-b": info.Kind == world.BlockDevice,
		"-c": info.Kind == world.CharDevice,
	}
	if want, ok := yes[op]; ok {
		if want {
			return shell.OK
		}
		return shell.Failed
	}
	return shell.Perhaps
}

// testCommand evaluates the arguments of test(1), without a closing bracket.
func (e *evaluator) testCommand(st *shell.State, args []value.Value) shell.Status {
	for i, v := range args {
		if p := present(st, v); len(p.Parts()) != len(v.Parts()) {
			args = slices.Clone(args)
			args[i] = p
		}
	}
	text := func(i int) string { s, _ := args[i].Known(); return s }
	switch {
	case len(args) == 0:
		return shell.Failed
	case len(args) == 1:
		return notEmpty(args[0])
	case text(0) == "!":
		return e.testCommand(st, args[1:]).Not()
	case len(args) == 2:
		return e.testUnary(st, text(0), args[1])
	case len(args) == 3:
		return e.testThree(st, args[0], text(1), args[2])
	}
	for i := len(args) - 2; i > 0; i-- {
		if op := text(i); op == "-a" || op == "-o" {
			a, b := e.testCommand(st, args[:i]), e.testCommand(st, args[i+1:])
			if a == b {
				return a
			}
			return shell.Perhaps
		}
	}
	for i := range len(args) - 1 { // which they are is a matter of the version: what they evaluate may be
		if op := text(i); op == "-v" || op == "-R" {
			e.testUnary(st, op, args[i+1])
		}
	}
	return shell.Perhaps
}

func (e *evaluator) testThree(st *shell.State, a value.Value, op string, b value.Value) shell.Status {
	switch op {
	case "=", "==", "!=":
		x, known := a.Known()
		y, known2 := b.Known()
		if !known || !known2 || (a.Taint() | b.Taint()).Has(value.Absent) {
			return shell.Perhaps
		}
		if (x == y) == (op != "!=") {
			return shell.OK
		}
		return shell.Failed
	case "-eq", "-ne", "-lt", "-le", "-gt", "-ge":
		if st.Shell == "mksh" { // whose numbers are expressions (mksh(1), test)
			a, b = e.arithText(st, a), e.arithText(st, b)
		}
		return compareNumbers(op, a, b)
	}
	if strings.HasPrefix(op, "-") {
		return shell.Perhaps
	}
	return shell.Perhaps
}
