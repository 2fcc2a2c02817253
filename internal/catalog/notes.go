package catalog

import (
	"bytes"
	"reflect"
	"slices"
	"sync/atomic"
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
	Below []Phrase // for subcommands that have none of their own
	Terms []Term   // what people call the words of subcommands
	// Within are parameters that name what a thing belongs to, by their stems.
	Within []string
	// Manner is what options make of what this command shows, and those below it.
	Manner []Phrase
}

// Inert says which options and operands of a command were read in the manual
// and do nothing that matters beyond what the grammar says of them.
type Inert struct {
	All    bool     // those that have no meaning in the grammar, and all operands
	Names  []string // or these: options by a spelling, operands by name
	Unsaid []string // options that do matter, in a way that nothing here says
}

// Kept are the notes of a command as they lie in the catalog, decoded when they are
// first asked for.
type Kept struct {
	encoded string
	read    atomic.Pointer[reading]
}

// A reading is what Kept decodes to, its phrases taken apart.
type reading struct {
	notes     Notes
	templates []Template // of what it says; nil where the compiler would refuse one
	below     []Template // of what it says of subcommands
	manner    []Template // of what options make of it
	printed   bool       // whether a phrase depends on who gets what is printed
}

// Notes is what the spec says of the command beside its grammar. Nobody changes what
// is in it.
func (c *Command) Notes() *Notes { return &c.reading().notes }

// nothing is what a command says that says nothing.
var nothing reading

func (c *Command) reading() *reading {
	if c.Kept == nil {
		return &nothing
	}
	if r := c.Kept.read.Load(); r != nil {
		return r
	}
	r := new(reading)
	d := decoder{data: c.Kept.encoded}
	d.value(reflect.ValueOf(&r.notes).Elem())
	r.templates, r.below, r.manner = templates(r.notes.Says), templates(r.notes.Below), templates(r.notes.Manner)
	r.printed = slices.ContainsFunc(r.notes.Says, func(p Phrase) bool { return slices.Contains(p.When.Names(nil), condPrinted) })
	c.Kept.read.CompareAndSwap(nil, r)
	return c.Kept.read.Load()
}

func templates(phrases []Phrase) []Template {
	out := make([]Template, len(phrases))
	for i, p := range phrases {
		if t, err := ParseTemplate(p.Text); err == nil {
			out[i] = t
		}
	}
	return out
}

// Keep replaces the command's notes.
func (c *Command) Keep(n *Notes) {
	var b bytes.Buffer
	v := reflect.ValueOf(n).Elem()
	if v.IsZero() {
		c.Kept = nil
		return
	}
	encode(&b, v)
	c.Kept = &Kept{encoded: b.String()}
}
