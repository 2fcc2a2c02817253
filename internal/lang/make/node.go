package makefile

import "strings"

// A File is a makefile as it is written.
type File struct {
	Text string
	Body []Node
	// Deep says that conditionals are nested deeper than is followed: what is
	// in the innermost counts as written outside of them.
	Deep bool
}

// A Node is a line, or several, of a makefile.
type Node interface {
	Pos() int // the offset of its first byte
}

// An Assign sets a variable ("Setting Variables", "Defining Multi-Line
// Variables").
type Assign struct {
	At                        int
	Name                      Text
	Op                        string // = := ::= :::= ?= += !=
	Value                     Text
	Raw                       string // the value as it is written, on one line unless Define
	Define                    bool   // by define and endef
	Export, Override, Private bool
}

// An Include reads other makefiles in place ("Including Other Makefiles").
type Include struct {
	At       int
	Files    Text
	Optional bool // -include, sinclude: they may be missing
}

// An Export hands variables to what recipes run, or takes them from it
// ("Communicating Variables to a Sub-make").
type Export struct {
	At    int
	Names Text // empty: every variable
	Off   bool // unexport
}

// An Undefine makes a variable as if it had never been set.
type Undefine struct {
	At   int
	Name Text
}

// A Directive is one whose arguments mean nothing to recipes: vpath, load and
// -load.
type Directive struct {
	At   int
	Word string
	Rest Text
}

// A Rule is `targets: needs`, without its recipe, whose lines follow it
// ("Rule Syntax").
type Rule struct {
	At      int
	Targets Text
	Double  bool  // ::
	Grouped bool  // &:
	Static  *Text // the target pattern of a static pattern rule
	Needs   Text
	Order   Text // order-only prerequisites, behind |
	// Set is a variable that holds for the targets and what they need, in
	// place of prerequisites ("Target-specific Variable Values").
	Set *Assign
}

// A Recipe is one logical line of a recipe: one command line for the shell
// ("Recipe Syntax"). It belongs to the rule before it.
type Recipe struct {
	At     int
	Prefix string // of @ - and +, as far as they are written
	Text   Text   // behind the prefix; a backslash and newline stay in it
}

// An Expand is text on a line of its own, which is expanded for what that
// does: $(eval …), $(info …).
type Expand struct {
	At   int
	Text Text
}

// An If is a conditional ("Syntax of Conditionals"), with a branch for each
// else.
type If struct {
	At       int
	Branches []Branch
}

// A Branch is a branch of a conditional. Recipe lines in it belong to the rule
// before them, which can stand outside of it.
type Branch struct {
	At   int
	Word string // ifeq ifneq ifdef ifndef; "" for a plain else
	A, B Text   // what is compared; ifdef and ifndef have A only
	Bad  bool   // the condition cannot be read
	Body []Node
}

// Pos implements [Node].
func (n *Assign) Pos() int { return n.At }

// Pos implements [Node].
func (n *Include) Pos() int { return n.At }

// Pos implements [Node].
func (n *Export) Pos() int { return n.At }

// Pos implements [Node].
func (n *Undefine) Pos() int { return n.At }

// Pos implements [Node].
func (n *Directive) Pos() int { return n.At }

// Pos implements [Node].
func (n *Rule) Pos() int { return n.At }

// Pos implements [Node].
func (n *Recipe) Pos() int { return n.At }

// Pos implements [Node].
func (n *Expand) Pos() int { return n.At }

// Pos implements [Node].
func (n *If) Pos() int { return n.At }

// A Text is text with references in it. The zero Text is empty.
type Text struct{ Parts []Part }

// A Part is a [Literal], [Variable], [Call] or [Broken].
type Part interface {
	Span() (at, end int) // the bytes that it is written with
}

// A Literal stands for itself. It is the text at its place, but for the blank
// that a continued line comes to.
type Literal struct {
	At   int
	Text string
}

// A Variable is a reference to a variable: $(NAME), $N, and with a change of
// its words $(NAME:FROM=TO) ("Basics of Variable References", "Substitution
// References").
type Variable struct {
	At, End  int
	Name     Text
	Changed  bool
	From, To Text
}

// A Call is a function: $(NAME ARGUMENT,…) ("Functions for Transforming
// Text").
type Call struct {
	At, End int
	Name    string
	Args    []Text // never none
}

// Broken is a reference that is not closed, or nested deeper than is followed.
type Broken struct{ At, End int }

// Span implements [Part].
func (p *Literal) Span() (at, end int) { return p.At, p.At + len(p.Text) }

// Span implements [Part].
func (p *Variable) Span() (at, end int) { return p.At, p.End }

// Span implements [Part].
func (p *Call) Span() (at, end int) { return p.At, p.End }

// Span implements [Part].
func (p *Broken) Span() (at, end int) { return p.At, p.End }

// Empty reports whether there is nothing in a text.
func (t Text) Empty() bool { return len(t.Parts) == 0 }

// Literal returns a text without references.
func (t Text) Literal() (text string, ok bool) {
	switch len(t.Parts) {
	case 0:
		return "", true
	case 1:
		l, ok := t.Parts[0].(*Literal)
		if !ok {
			return "", false
		}
		return l.Text, true
	}
	var b strings.Builder
	for _, p := range t.Parts {
		l, ok := p.(*Literal)
		if !ok {
			return "", false
		}
		b.WriteString(l.Text)
	}
	return b.String(), true
}

// Trim returns a text without the blanks around it.
func (t Text) Trim() Text {
	parts := t.Parts
	for len(parts) > 0 {
		l, ok := parts[0].(*Literal)
		if !ok {
			break
		}
		rest := strings.TrimLeft(l.Text, " \t")
		if rest != "" {
			parts = append([]Part{&Literal{l.At + len(l.Text) - len(rest), rest}}, parts[1:]...)
			break
		}
		parts = parts[1:]
	}
	for n := len(parts); n > 0; n = len(parts) {
		l, ok := parts[n-1].(*Literal)
		if !ok {
			break
		}
		rest := strings.TrimRight(l.Text, " \t")
		if rest != "" {
			parts = append(parts[:n-1:n-1], &Literal{l.At, rest})
			break
		}
		parts = parts[:n-1]
	}
	return Text{parts}
}
