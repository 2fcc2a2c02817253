package buildfile

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// The bounds of one evaluation: what is larger counts as not understood.
const (
	maxFile     = 256 << 10 // bytes of a file that is read
	maxText     = 64 << 10  // bytes of a variable
	maxSteps    = 100000    // references, and words that functions go through
	maxBytes    = 4 << 20   // that are written while expanding
	maxUsed     = 32 << 20  // steps and bytes of all recipes of a file
	maxDepth    = 40        // of variables in variables
	maxCommands = 200       // that goals come to
	maxGoals    = 2000      // that are visited
	maxNeeds    = 40        // of goals in goals
)

// A Site is where make or just would run, as far as can be seen.
type Site struct {
	FS  world.FS // nil: no file can be looked at
	OS  string   // "linux" or "darwin"; "" is not known
	Dir string   // absolute; "" is not known
	// Env returns a variable of the environment.
	Env func(name string) (v value.Value, set bool)
	// Absent, if set, is the value of a variable that nothing sets, where the
	// file may run anywhere; without it such a variable is empty.
	Absent func(name string) value.Value
}

// env returns a variable of the environment, which keeps its name.
func (s *Site) env(name string) (value.Value, bool) {
	if s.Env == nil {
		return value.Value{}, false
	}
	v, set := s.Env(name)
	if v.IsKnown() {
		return v, set
	}
	return named(v, "$"+name), set
}

// absent is the value of a variable that nothing sets; known is false where
// there may be one all the same.
func (s *Site) absent(name, written string) (v value.Value, known bool) {
	switch {
	case s.Absent != nil:
		return named(s.Absent(name), written), false
	case s.Env == nil:
		return unknown(name, written), false
	}
	return value.Value{}, true
}

// A Piece is a piece of a command.
type Piece struct {
	Value value.Value
	At    int // the byte of the file that it stands at, or that it comes from
	// Copied says that the value is known and stands at that byte as it is.
	Copied bool
}

// A Command is a text that a shell, or another interpreter, would run.
type Command struct {
	Pieces []Piece
	Always bool // make runs it also where it only says what it would run
}

// Value returns the whole text.
func (c *Command) Value() value.Value {
	if len(c.Pieces) == 1 {
		return c.Pieces[0].Value
	}
	var b value.Builder
	for _, p := range c.Pieces {
		b.Add(p.Value)
	}
	return b.Value()
}

// A Variable is a variable that recipes find in their environment.
type Variable struct {
	Name  string
	Value value.Value
}

// A Printer is a command that is run for what it prints.
type Printer struct {
	Command
	Name string // of the variable that gets it, if one does
}

// unknown is a hole for what the file writes somewhere.
func unknown(name, written string) value.Value {
	return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: name, Written: clip(written)})
}

// given is a hole for what whoever runs make sets, or another makefile that includes
// this one.
func given(name, written string) value.Value {
	return value.Of(value.Hole{Cause: risk.CauseGiven, Name: name, Written: clip(written)})
}

// tooMuch names what is not followed because it is too much.
const tooMuch = "too much"

// tooBig is a hole for what is not followed because it is too much.
func tooBig(written string) value.Value {
	return value.Of(value.Hole{Cause: risk.CauseOther, Name: tooMuch, Written: clip(written)})
}

// printed is what a command prints.
func printed(command value.Value, written string) value.Value {
	return value.Of(value.Hole{Cause: risk.CauseOutput, Name: clip(command.String()), Written: clip(written), Shell: &command})
}

// maxWritten is how many bytes of a reference are shown.
const maxWritten = 60

// clip makes text of a file into one short line.
func clip(s string) string {
	if len(s) > 2*maxWritten {
		s = s[:2*maxWritten]
	}
	s = strings.Join(strings.Fields(strings.ReplaceAll(s, "\\\n", " ")), " ")
	if len(s) <= maxWritten {
		return s
	}
	n := maxWritten - len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// named returns a value whose holes are written so, but for those that have a
// writing already.
func named(v value.Value, written string) value.Value {
	if v.IsKnown() {
		return v
	}
	return v.WrittenAs(clip(written))
}

// lines makes commands of pieces: one for each line of values that were put in,
// where a backslash before the newline joins two. Those that stand in the file
// are joined so already.
func lines(all []Piece) []Command {
	out := []Command{{}}
	for _, p := range all {
		last := &out[len(out)-1]
		if p.Copied {
			last.Pieces = append(last.Pieces, p)
			continue
		}
		for i, v := range p.Value.Split("\n") {
			switch n := len(last.Pieces); {
			case i > 0 && n > 0 && oddBackslash(last.Pieces[n-1].Value.Suffix()):
				last.Pieces = append(last.Pieces, Piece{Value: value.Lit("\n"), At: p.At})
			case i > 0:
				out = append(out, Command{})
				last = &out[len(out)-1]
			}
			if !v.Empty() {
				last.Pieces = append(last.Pieces, Piece{Value: v, At: p.At})
			}
		}
	}
	return out
}

func oddBackslash(s string) bool { return (len(s)-len(strings.TrimRight(s, `\`)))%2 == 1 }

// trim takes bytes of a set off the beginning of a command, pieces that can
// hold nothing else included, and returns those that are known.
func (c *Command) trim(set string) (signs string) {
	for len(c.Pieces) > 0 {
		p := &c.Pieces[0]
		if all, ok := p.Value.Candidates(8); ok && !p.Value.IsKnown() &&
			!slices.ContainsFunc(all, func(s string) bool { return strings.Trim(s, set) != "" }) {
			c.Pieces = c.Pieces[1:]
			continue
		}
		text := p.Value.Prefix()
		rest := strings.TrimLeft(text, set)
		signs += text[:len(text)-len(rest)]
		if n := len(text) - len(rest); n > 0 {
			p.Value = p.Value.Cut(n)
			if p.Copied {
				p.At += n
			}
		}
		if !p.Value.Empty() {
			return signs
		}
		c.Pieces = c.Pieces[1:]
	}
	return signs
}

// idle reports whether a command is blank, or a comment.
func (c *Command) idle() bool {
	text, known := c.Value().Known()
	text = strings.TrimSpace(text)
	return known && (text == "" || text[0] == '#' && !strings.Contains(text, "\n"))
}
