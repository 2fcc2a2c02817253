package sed

// MaxText is how much of a script is read.
const MaxText = 64 << 10

// Mark stands in the text for a part that is not known. A script of sed on a
// command line cannot hold it: no argument of a process can.
const Mark = '\x00'

// A Span is a part of the text: from the byte Pos to the byte before End.
type Span struct{ Pos, End int }

// An AddressKind is the form of an address.
type AddressKind uint8

// The forms of addresses (GNU sed 4.9 manual, chapter 4).
const (
	None     AddressKind = iota
	Line                 // N
	Step                 // N~M
	Last                 // $
	Regex                // /Regex/ or \cRegexc
	Plus                 // +N, as the second
	Multiple             // ~N, as the second
	Unknown              // a part that is not known is in it
)

// An Address is one address of a command.
type Address struct {
	Kind            AddressKind
	N, M            int
	Regex           Span
	Delimiter       byte
	Fold, Multiline bool // I, M
}

// A Command is one command of a script, from the first byte of its addresses to
// the last of its operands. Which of the fields it has its name tells.
type Command struct {
	Span
	First, Second Address
	Not           bool // !
	// Name is the letter; Mark for a part of the script that is not known and may
	// be anything.
	Name byte
	// Text is the label of : b t T, the version of v, the file of r R w W, and
	// what stands behind a c e i: see [Text].
	Text Span
	// Number is the exit status of q Q and the length of l L, -1 if none is given.
	Number int
	// Match is the index of the command that closes a { or opens a }, or -1.
	Match int
	// Sub is what s substitutes.
	Sub *Substitution
	// From and To are the sides of y.
	From, To  Span
	Delimiter byte // of y
}

// A Substitution is what stands behind s (GNU sed 4.9 manual, section 3.3).
type Substitution struct {
	Delimiter               byte
	Regex, Replacement      Span
	Global, Print, Evaluate bool // g, p, e
	Fold, Multiline, Writes bool // I, M, w
	Number                  int  // the match that is replaced, 0 if none is named
	File                    Span // of w
}

// A Script is what was read.
type Script struct {
	Source   string
	Commands []Command
	// Err is the first part that GNU sed would refuse, nil if there is none.
	Err *Error
	// Odd is set where versions read the text in different ways.
	Odd bool
	// Cut is set when not all of the text was read: it is too long.
	Cut bool
}

// An Error is a part of a script that is not sed.
type Error struct {
	Pos    int
	Reason string
}

func (e *Error) Error() string { return e.Reason }

// In returns a part of the text.
func (s *Script) In(p Span) string { return s.Source[p.Pos:p.End] }
