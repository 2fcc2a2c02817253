package dockerfile

import (
	"slices"
	"strings"
)

// MaxText is how much of a file is read.
const MaxText = 1 << 20

// A Span is a part of the file: from the byte Pos to the byte before End.
type Span struct{ Pos, End int }

// A Piece is text that stands in the file as it is, from the byte Pos on.
type Piece struct {
	Text string
	Pos  int
}

// End is the byte behind the piece.
func (p Piece) End() int { return p.Pos + len(p.Text) }

// A Text is what stands in one or more lines: the pieces one behind the other.
type Text []Piece

func (t Text) String() string {
	if len(t) == 1 {
		return t[0].Text
	}
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.Text)
	}
	return b.String()
}

// A Directive is a parser directive: # name=value before all else (Dockerfile
// reference, "Parser directives").
type Directive struct {
	Span
	Name  string // syntax, escape or check
	Value string
}

// A Flag is an option of an instruction: --name=value, without its quotes.
type Flag struct {
	Span
	Name, Value string
	Set         bool // there is a value
}

// A HereDoc is a here-document of RUN, COPY or ADD (Dockerfile reference,
// "Here-Documents").
type HereDoc struct {
	Span          // of the word that asks for it
	Word   string // as it is written: 3<<-"EOF"
	Name   string // the line that ends it
	Chomp  bool   // <<-: leading tabs do not count
	Expand bool   // the name is not quoted
	// Lines are the lines without their ends, and without leading tabs if Chomp is
	// set.
	Lines []Piece
}

// A Pair is a name with its value: of ENV, ARG and LABEL.
type Pair struct {
	Span
	Name  string // as it is written
	Value Word
	Set   bool // there is a value
	// Bad says that the value is not one: a quote or a brace is not closed, or it
	// asks for a substitution that there is not.
	Bad bool
}

// A From is what FROM says.
type From struct {
	Image Word
	Bad   bool   // the image is no word
	Name  string // of the stage, "" if it has none
}

// An Instruction is one instruction, from its first byte to the last of its
// here-documents. Which of the fields it has its name tells.
type Instruction struct {
	Span
	Name  string // in capitals
	Stage int    // counted from 0, -1 before the first FROM
	Flags []Flag
	Args  Text // what stands behind the options
	// List is the exec form, a list of words in JSON, if IsList is set: of RUN, CMD,
	// ENTRYPOINT, SHELL, COPY, ADD and VOLUME.
	List   []string
	IsList bool
	Docs   []HereDoc
	Pairs  []Pair // of ENV, ARG and LABEL
	From   *From
	// Value is the argument of WORKDIR, USER and STOPSIGNAL.
	Value    Word
	BadValue bool // as [Pair].Bad
	// Inner is the instruction behind ONBUILD, and the CMD of HEALTHCHECK.
	Inner *Instruction
}

// Flag returns the last value of an option.
func (in *Instruction) Flag(name string) (value string, set bool) {
	for _, f := range slices.Backward(in.Flags) {
		if f.Name == name {
			return f.Value, true
		}
	}
	return "", false
}

// Script returns the here-document that is all that a RUN has: its lines are the
// command (Dockerfile reference, "Example: Running a multi-line script"); nil if
// it has another command.
func (in *Instruction) Script() *HereDoc {
	if in.Name != "RUN" || len(in.Docs) != 1 || len(in.Args) == 0 || in.Args.String() != in.Docs[0].Word {
		return nil
	}
	return &in.Docs[0]
}

// A File is what was read.
type File struct {
	Source       string
	Escape       byte // \ or `
	Directives   []Directive
	Instructions []*Instruction
	// Err is the first part that a builder would refuse, nil if there is none.
	Err *Error
	// Cut is set when not all of the text was read: it is too long.
	Cut bool
}

// An Error is a part of a file that no builder takes.
type Error struct {
	Pos    int
	Reason string
}

func (e *Error) Error() string { return e.Reason }
