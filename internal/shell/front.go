package shell

import (
	"errors"
	"fmt"
	"strings"

	"github.com/heedsh/heed/risk"
)

// A Dialect is one language that a front evaluates.
type Dialect struct {
	Name     string   // by which requests, specs and snapshots call it
	Programs []string // the shells that read it, by their names
}

// A Front evaluates the text of one family of shells. It holds nothing that
// changes, and is safe for concurrent use; what it knows of one session is in the
// session's [State].
type Front interface {
	// Dialects lists the languages that the front evaluates.
	Dialects() []Dialect
	// Parse says why a text is no code in a dialect, or nil if it is.
	Parse(text, dialect string) error
	// Eval evaluates a text in st, which it changes, and returns the error that
	// kept it from being read at all. The machine has then been told nothing.
	// What the text prints goes to out, or to the screen if that is nil.
	//
	// at, if not nil, is the span that stands for all of the text: that of the
	// command which gave it, when the text is not the request's own.
	Eval(m Machine, st *State, text string, at *risk.Span, out *Sink) error
	// EvalEach evaluates a text as Eval does, one statement of its top level
	// after the other, and calls begin with a statement's span before what it does
	// is told to the machine. Where a span comes twice, more is told about it.
	//
	// The text is read as a file that runs elsewhere and at another time: what
	// stands behind the end of the shell is evaluated too, as reached perhaps.
	EvalEach(m Machine, st *State, text string, begin func(risk.Span)) error
	// Steps lists the steps of a text; see [Fronts.Steps].
	Steps(text, dialect string) []Step
	// ReadOwn reads back what an [Own] of this front has written.
	ReadOwn(data []byte) (Own, error)
}

// ErrTooComplex says that text is nested deeper than anybody writes by hand.
var ErrTooComplex = errors.New("too complex to inspect")

// ErrDialect says that no front evaluates a dialect.
var ErrDialect = errors.New("unknown shell dialect")

// A SyntaxError says where a text is no code of its dialect, and why.
type SyntaxError struct {
	Offset int // in bytes; it may lie behind the end of the text
	Err    error
	// Unfinished says that more text could make it code: a shell that reads lines would
	// wait for the next one.
	Unfinished bool
}

func (e *SyntaxError) Error() string { return e.Err.Error() }

// Unwrap returns the reason without the place.
func (e *SyntaxError) Unwrap() error { return e.Err }

// ErrorAt returns where in a text its error is, where that is known.
func ErrorAt(err error) (offset int, ok bool) {
	var problem *SyntaxError
	if !errors.As(err, &problem) {
		return 0, false
	}
	return problem.Offset, true
}

// Unfinished reports whether a shell that reads lines would wait for more of them: the
// text is no code yet, or ends in a backslash, and nothing before its last statement is
// whole, so that nothing of it would run.
func (f *Fronts) Unfinished(text, dialect string) bool {
	if !f.opens(text, dialect) {
		return false
	}
	for i := range len(text) {
		// A line that is whole by itself runs before the next one is read.
		if text[i] == '\n' && strings.TrimSpace(text[:i]) != "" && !f.opens(text[:i], dialect) {
			return false
		}
	}
	return true
}

// opens reports whether a text needs more behind it.
func (f *Fronts) opens(text, dialect string) bool {
	if n := len(text) - len(strings.TrimRight(text, `\`)); n%2 == 1 {
		return true
	}
	err := f.Parse(text, dialect)
	if err == nil {
		// A here-document that is open takes any line.
		return strings.Contains(text, "<<") && f.Parse(text+"\n)\n", dialect) == nil
	}
	var problem *SyntaxError
	return errors.As(err, &problem) && problem.Unfinished
}

// Fronts are the fronts that a program is composed with, by the names of shells.
// They never change and are safe for concurrent use.
type Fronts struct {
	dialects []string
	byName   map[string]registered
}

// registered is a name's front, and the dialect that it stands for there.
type registered struct {
	front   Front
	dialect string
}

// NewFronts registers fronts. Where two want the same name, the earlier has it;
// the first dialect of the first front is that of a request which names none.
func NewFronts(fronts ...Front) *Fronts {
	f := &Fronts{byName: map[string]registered{}}
	add := func(name string, r registered) bool {
		_, taken := f.byName[name]
		if !taken {
			f.byName[name] = r
		}
		return !taken
	}
	for _, front := range fronts {
		for _, d := range front.Dialects() {
			if add(d.Name, registered{front, d.Name}) {
				f.dialects = append(f.dialects, d.Name)
			}
			for _, program := range d.Programs {
				add(program, registered{front, d.Name})
			}
		}
	}
	return f
}

// Dialects lists the languages that can be evaluated, in the order in which they
// were registered. The caller must not change the list.
func (f *Fronts) Dialects() []string { return f.dialects }

// Default is the dialect of a request that names none; "" without any front.
func (f *Fronts) Default() string {
	if len(f.dialects) == 0 {
		return ""
	}
	return f.dialects[0]
}

// Dialect returns the dialect in which a shell of this name reads its input; of
// no name, the default.
func (f *Fronts) Dialect(shell string) (string, bool) {
	if shell == "" {
		return f.Default(), len(f.dialects) > 0
	}
	r, ok := f.byName[shell]
	return r.dialect, ok
}

// Parse says why a text is no code in a dialect, or nil if it is.
func (f *Fronts) Parse(text, dialect string) error {
	front, err := f.front(dialect)
	if err != nil {
		return err
	}
	return front.Parse(text, dialect)
}

// Eval evaluates a text in the dialect of st; see [Front].
func (f *Fronts) Eval(m Machine, st *State, text string, at *risk.Span, out *Sink) error {
	front, err := f.front(st.Shell)
	if err != nil {
		return err
	}
	return front.Eval(m, st, text, at, out)
}

// EvalEach evaluates a text statement by statement in the dialect of st; see
// [Front].
func (f *Fronts) EvalEach(m Machine, st *State, text string, begin func(risk.Span)) error {
	front, err := f.front(st.Shell)
	if err != nil {
		return err
	}
	return front.EvalEach(m, st, text, begin)
}

// front returns the front that evaluates a dialect.
func (f *Fronts) front(dialect string) (Front, error) {
	r, ok := f.byName[dialect]
	if !ok || r.dialect != dialect {
		return nil, fmt.Errorf("%w %q: want one of %s", ErrDialect, dialect, strings.Join(f.dialects, ", "))
	}
	return r.front, nil
}
