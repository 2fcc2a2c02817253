package pure

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/lang/awk"
)

// An awkNote is what is known of a node before the program runs.
type awkNote struct {
	num  float64  // of a number
	text string   // of a string
	cell *awkCell // of a variable or an element
	re   *pattern // of a regular expression
}

// An awkRule is one pattern with its action.
type awkRule struct {
	from, to, body *awk.Node // nil where there is none
	inRange        bool
}

// An awkCheck walks a program before it runs. It notes the variables, constants
// and patterns of the run, and refuses what implementations read or do in
// different ways.
type awkCheck struct {
	*awkRun
	loops  int  // around a statement
	inRule bool // next is allowed
	bare   bool // among the operands of print without parentheses
	odd    bool // not a program of the common core
}

// check prepares a program.
func (r *awkRun) check(p *awk.Program) error {
	if p.Err != nil || p.Odd || p.Cut {
		return errUnknown
	}
	r.notes, r.cells = make([]awkNote, p.Nodes), map[string]*awkCell{}
	c := &awkCheck{awkRun: r}
	for _, n := range p.Items {
		switch {
		case n.Kind == awk.Rule:
			c.inRule = true
			c.expression(n.Kids[0])
			c.expression(n.Kids[1])
			c.statement(n.Kids[2])
			c.inRule = false
			r.rules = append(r.rules, &awkRule{from: n.Kids[0], to: n.Kids[1], body: n.Kids[2]})
		case n.Kind == awk.Begin && n.Text == "BEGIN":
			c.statement(n.Kids[0])
			r.begin = append(r.begin, n.Kids[0])
		case n.Kind == awk.End && n.Text == "END":
			c.statement(n.Kids[0])
			r.end = append(r.end, n.Kids[0])
		default:
			return errUnknown
		}
	}
	if c.odd {
		return errUnknown
	}
	return nil
}

// refuse refuses the program if something is so.
func (c *awkCheck) refuse(is bool) { c.odd = c.odd || is }

func (c *awkCheck) statement(n *awk.Node) {
	if n == nil || c.odd {
		return
	}
	switch n.Kind {
	case awk.Block:
		for _, k := range n.Kids {
			c.statement(k)
		}
	case awk.Simple: // {3.14} is an error to some
		e := n.Kids[0]
		c.expression(e)
		c.refuse(!c.odd && !awkChanges(e) && e.Kind != awk.Element)
	case awk.Print, awk.Printf:
		c.print(n)
	case awk.If:
		c.expression(n.Kids[0])
		c.statement(n.Kids[1])
		c.statement(n.Kids[2])
	case awk.While:
		c.expression(n.Kids[0])
		c.body(n.Kids[1])
	case awk.Do:
		c.body(n.Kids[0])
		c.expression(n.Kids[1])
	case awk.For: // print and the like there are a syntax error to some
		c.refuse(n.Kids[0] != nil && n.Kids[0].Kind != awk.Simple || n.Kids[2] != nil && n.Kids[2].Kind != awk.Simple)
		c.statement(n.Kids[0])
		c.expression(n.Kids[1])
		c.statement(n.Kids[2])
		c.body(n.Kids[3])
	case awk.ForIn:
		c.expression(n.Kids[0])
		c.array(n.Kids[1])
		c.body(n.Kids[2])
	case awk.Next:
		c.refuse(!c.inRule)
	case awk.Break, awk.Continue:
		c.refuse(c.loops == 0)
	case awk.Exit:
		c.all(n.Kids)
	case awk.Delete:
		if n.Kids[0].Kind == awk.Element {
			c.expression(n.Kids[0])
		} else {
			c.array(n.Kids[0])
		}
	default:
		c.odd = true
	}
}

func (c *awkCheck) body(n *awk.Node) {
	c.loops++
	c.statement(n)
	c.loops--
}

// print checks a print statement. Redirections are unknown.
func (c *awkCheck) print(n *awk.Node) {
	operands := n.Operands()
	c.refuse(n.Op != "" || n.Kind == awk.Printf && len(operands) == 0)
	if c.odd {
		return
	}
	c.bare = len(n.Kids) > 0 && n.Kids[0] == operands[0]
	for _, k := range operands {
		c.expression(k)
	}
	c.bare = false
}

// all checks expressions in brackets.
func (c *awkCheck) all(list []*awk.Node) {
	saved := c.bare
	c.bare = false
	for _, n := range list {
		c.expression(n)
	}
	c.bare = saved
}

func (c *awkCheck) note(n *awk.Node) *awkNote { return &c.notes[n.ID] }

// expression checks an expression. How operators group that implementations
// rank differently is unknown.
func (c *awkCheck) expression(n *awk.Node) {
	if n == nil || c.odd {
		return
	}
	switch n.Kind {
	case awk.Number, awk.String, awk.Regex:
		c.constants(n)
	case awk.Var:
		c.variable(n, false)
	case awk.Element:
		c.variable(n, true)
		c.refuse(n.Op != "" || len(n.Kids) == 0)
		c.all(n.Kids)
	case awk.Field:
		c.field(n)
	case awk.Group:
		c.refuse(len(n.Kids) != 1)
		c.all(n.Kids)
	case awk.Assign:
		c.refuse(n.Op == "**=" || n.Kids[0].Kind == awk.Hole)
		c.kids(n)
	case awk.Cond:
		c.kids(n)
	case awk.Or, awk.And:
		c.refuse(n.Kids[1].Kind == awk.Assign)
		c.kids(n)
	case awk.In:
		c.in(n)
	case awk.Match, awk.Compare:
		c.compare(n)
	case awk.Concat:
		c.concat(n)
	case awk.Binary:
		c.refuse(n.Op == "**" || awkOfRegexp(n))
		c.kids(n)
	case awk.Unary: // a plus binds more weakly than it should in one implementation
		c.refuse(n.Op == "+" || n.Op == "-" && awkOfRegexp(n))
		c.kids(n)
	case awk.Pre, awk.Post:
		c.kids(n)
	case awk.Call:
		c.call(n)
	default:
		c.odd = true
	}
}

func (c *awkCheck) kids(n *awk.Node) {
	for _, k := range n.Kids {
		c.expression(k)
	}
}

// constants notes the value of a constant, if every implementation has the same.
func (c *awkCheck) constants(n *awk.Node) {
	c.refuse(strings.IndexByte(n.Text, awk.Mark) >= 0 || n.Op != "")
	switch n.Kind {
	case awk.Number: // what looks octal or hexadecimal is so to some
		length, ok := decimalPrefix(n.Text)
		v, err := strconv.ParseFloat(strings.TrimSuffix(n.Text, "."), 64)
		c.refuse(!ok || length != len(n.Text) || err != nil || len(n.Text) > 1 && n.Text[0] == '0' && isDigit(n.Text[1]))
		c.note(n).num = v
	case awk.String:
		text, alike := awk.Unquote(n.Text)
		c.refuse(!alike)
		c.note(n).text = text
	default:
		re, err := c.j.compileRE(n.Text, reDialect{extended: true, awk: true})
		c.refuse(err != nil)
		c.note(n).re = re
	}
}

// variable notes the variable that a node names. One that is a scalar and an
// array is an error in most implementations even if it is never reached.
func (c *awkCheck) variable(n *awk.Node, array bool) {
	c.refuse(!awk.IsName(n.Text) || awk.Builtin(n.Text) || awkExtension(n.Text))
	cell := c.cellOf(n)
	cell.asArray, cell.asScalar = cell.asArray || array, cell.asScalar || !array
	c.refuse(cell.asArray && cell.asScalar)
}

func (c *awkCheck) array(n *awk.Node) {
	c.refuse(n.Kind != awk.Var)
	c.variable(n, true)
}

func (c *awkCheck) cellOf(n *awk.Node) *awkCell {
	cell := c.cells[n.Text]
	if cell == nil {
		cell = &awkCell{name: n.Text}
		c.cells[n.Text] = cell
	}
	c.note(n).cell = cell
	return cell
}

func (c *awkCheck) field(n *awk.Node) {
	sub := n.Kids[0]
	c.refuse(sub.Kind == awk.Unary)
	c.kids(n)
	if sub.Kind == awk.Number {
		v := c.note(sub).num
		c.refuse(v != math.Trunc(v))
	}
}

func (c *awkCheck) in(n *awk.Node) {
	last := len(n.Kids) - 1
	c.array(n.Kids[last])
	if last > 1 {
		c.all(n.Kids[:last])
		return
	}
	left := n.Kids[0]
	c.refuse(left.Kind == awk.Unary && left.Op == "!" || left.Kind == awk.Regex || left.Kind != awk.In && awkWeak(left))
	c.expression(left)
}

// compare checks ~ and comparisons. Without parentheses > after print writes a
// file, and other comparisons are a syntax error for one implementation.
func (c *awkCheck) compare(n *awk.Node) {
	left, right := n.Kids[0], n.Kids[1]
	c.refuse(left.Kind == awk.Unary && left.Op == "!" || awkWeak(left) || awkWeak(right))
	if n.Kind == awk.Compare {
		c.refuse(c.bare || awkOfRegexp(n))
	} else {
		c.pattern(right)
	}
	c.kids(n)
}

// pattern refuses a regular expression in parentheses: it is a value to some.
func (c *awkCheck) pattern(n *awk.Node) {
	c.refuse(n.Kind == awk.Group && n.Inner().Kind == awk.Regex)
}

func (c *awkCheck) concat(n *awk.Node) {
	left, right := n.Kids[0], n.Kids[1]
	c.refuse(awkOfRegexp(n))
	c.refuse(awkEndsInUnary(left))                                             // -x " " is -(x " ") in one implementation
	c.refuse(awkBeginsInUnary(right))                                          // x !y
	c.refuse(right.Kind == awk.Binary && (right.Op == "+" || right.Op == "-")) // "a" b + c is grouped either way
	c.kids(n)
}

// call checks a call of a built-in function.
func (c *awkCheck) call(n *awk.Node) {
	low, high, re := awkArguments(n.Text)
	count := len(n.Kids)
	c.refuse(n.Op == "@" || n.Op != "bare" && (count < low || count > high))
	switch {
	case c.odd:
		return
	case n.Text == "length" && count == 1 && n.Kids[0].Kind == awk.Var: // a scalar or an array
		c.refuse(awk.Builtin(n.Kids[0].Text) || awkExtension(n.Kids[0].Text))
		c.cellOf(n.Kids[0])
		return
	case n.Text == "split":
		c.array(n.Kids[1])
		c.all(n.Kids[:1])
		c.all(n.Kids[2:])
	default:
		c.all(n.Kids)
	}
	if (n.Text == "sub" || n.Text == "gsub") && count == 3 {
		c.refuse(!n.Kids[2].Lvalue())
	}
	if re < count {
		c.pattern(n.Kids[re])
	}
}

// awkArguments is how many arguments a function takes and which of them is a
// regular expression. Functions that are not known take none.
func awkArguments(name string) (low, high, re int) {
	switch name {
	case "length":
		return 0, 1, 9
	case "substr":
		return 2, 3, 9
	case "index":
		return 2, 2, 9
	case "split":
		return 2, 3, 2
	case "sub", "gsub":
		return 2, 3, 0
	case "match":
		return 2, 2, 1
	case "sprintf":
		return 1, 100, 9
	case "tolower", "toupper", "int":
		return 1, 1, 9
	}
	return 1, 0, 9
}

// awkWeak reports whether an operator binds no more than a comparison does.
func awkWeak(n *awk.Node) bool {
	switch n.Kind {
	case awk.Assign, awk.Cond, awk.Or, awk.And, awk.In, awk.Match, awk.Compare:
		return true
	}
	return false
}

// awkEndsInUnary reports whether the last operand is negated and not a number.
func awkEndsInUnary(n *awk.Node) bool {
	switch n.Kind {
	case awk.Unary:
		return n.Kids[0].Kind != awk.Number
	case awk.Binary, awk.Concat:
		return awkEndsInUnary(n.Kids[1])
	}
	return false
}

// awkBeginsInUnary reports whether the first operand is negated.
func awkBeginsInUnary(n *awk.Node) bool {
	for n.Kind == awk.Binary {
		n = n.Kids[0]
	}
	return n.Kind == awk.Unary
}

// awkOfRegexp reports whether an operand is a bare /re/, which is not a value to
// every implementation.
func awkOfRegexp(n *awk.Node) bool {
	return slices.ContainsFunc(n.Kids, func(k *awk.Node) bool { return k.Kind == awk.Regex })
}

// awkSpecial reports whether a name is a special variable that we know.
func awkSpecial(name string) bool {
	switch name {
	case "NR", "NF", "FNR", "FS", "OFS", "ORS", "RS", "SUBSEP", "RSTART", "RLENGTH", "ENVIRON":
		return true
	}
	return false
}

// awkExtension reports whether a name is a special variable that we do not know
// in some awk, or a word of gawk's that is a name to others. A function of an
// extension is one too: it is a variable to some.
func awkExtension(name string) bool {
	switch name {
	case "ARGC", "ARGIND", "ARGV", "BINMODE", "CONVFMT", "ERRNO", "FIELDWIDTHS", "FILENAME", "FPAT", "FUNCTAB",
		"IGNORECASE", "LINT", "OFMT", "PREC", "PROCINFO", "ROUNDMODE", "RT", "SYMTAB", "TEXTDOMAIN", "WHINY_USERS",
		"include", "load", "namespace":
		return true
	}
	return false
}
