package catalog

import (
	"bytes"
	"reflect"
)

// Notes are what a spec says of a command for those who judge what remains and
// who tell of it. Matching does not need them: they stay encoded until somebody
// asks.
type Notes struct {
	Inert Inert
	Hides []Hide
	Needs []Need
	Says  []Phrase
	Binds []string // names that the hook gives words to, or sets as flags
}

// Inert says which options and operands of a command were read in the manual
// and do nothing that matters beyond what the grammar says of them.
type Inert struct {
	All    bool     // those that have no meaning in the grammar, and all operands
	Names  []string // or these: options by a spelling, operands by name
	Unsaid []string // options that do matter, in a way that nothing here says
}

// Notes decodes what the spec says of the command beside its grammar.
func (c *Command) Notes() Notes {
	var n Notes
	if c.Kept != "" {
		d := decoder{data: c.Kept}
		d.value(reflect.ValueOf(&n).Elem())
	}
	return n
}

// Keep replaces the command's notes.
func (c *Command) Keep(n *Notes) {
	var b bytes.Buffer
	v := reflect.ValueOf(n).Elem()
	if v.IsZero() {
		c.Kept = ""
		return
	}
	encode(&b, v)
	c.Kept = b.String()
}
