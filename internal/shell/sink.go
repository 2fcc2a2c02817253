package shell

import (
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// MaxText is how many bytes a value may hold that the shell itself keeps.
const MaxText = 1 << 20

// A Sink collects what is written to a pipe, a variable or a file.
type Sink struct {
	b    value.Builder
	n    int
	full bool
	Null bool         // leads nowhere
	Net  bool         // leads to a network connection
	Path *value.Value // a file, or nil
	Add  bool         // append to it
	Out  bool         // is the standard output of a statement
	Keep bool         // nothing is truncated: write over what is there
	Span risk.Span    // the redirection
	Old  value.Value  // with Keep, what is there
	Put  value.Value  // with Keep, what was written over it by statements before
	Also *Sink        // gets the same (zsh)
	// Opened is what had been done when it was opened, or its pipeline began.
	Opened *Mark
	// Refused is set where the shell will not write to a file that exists.
	Refused bool
}

// Write appends content.
func (s *Sink) Write(v value.Value) {
	if s.Also != nil {
		s.Also.Write(v)
	}
	if s.full {
		s.b.Taint(v.Taint())
		return
	}
	if s.n += v.Len(); s.n > MaxText {
		s.full = true
		v = value.Unknown(risk.CauseOther, "").With(v.Taint())
	}
	s.b.Add(v)
}

// Value returns what was written and empties the sink.
func (s *Sink) Value() value.Value { return s.b.Value() }
