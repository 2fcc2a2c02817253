package value

import (
	"errors"
	"slices"

	"github.com/heedsh/heed/internal/wire"
)

// The words of sources and shapes in what is kept of values. They stay when the
// numbers change.
var (
	taintWords = [...]string{"secret", "network", "outside", "decoded", "untrusted", "input", "private", "credential", "endless", "found", "picked", "absent"}
	shapeWords = [...]string{AnyText: "text", AnyPath: "path", Below: "below", Word: "word", Number: "number", Setup: "setup"}
	listWords  = [...]string{NoListing: "", OfEnvironment: "environment", OfProcesses: "processes", OfRefs: "refs", OfService: "service", OfPlainFiles: "plain files"}
)

// Words lists the sources by their words.
func (t Taint) Words() []string {
	var words []string
	for i, word := range taintWords {
		if t.Has(1 << i) {
			words = append(words, word)
		}
	}
	return words
}

// Write writes v so that [Read] reads it back.
func (v Value) Write(w *wire.Writer) {
	w.Count(len(v.parts))
	if v.parts == nil {
		w.String(v.lit)
	}
	for i := range v.parts {
		p := &v.parts[i]
		w.Bool(p.Hole != nil)
		if p.Hole == nil {
			w.String(p.Lit)
		} else {
			p.Hole.write(w)
		}
	}
	w.Strings(v.taint.Words())
	w.String(v.pattern)
}

func (h *Hole) write(w *wire.Writer) {
	w.String(h.Cause.String())
	w.String(h.Name)
	w.String(shapeWords[h.Shape])
	w.String(h.Base)
	w.String(h.Last)
	w.Bool(h.Self)
	w.Strings(h.OneOf)
	w.Strings(h.Among)
	w.Bool(h.None)
	w.Bool(h.Edited)
	w.String(listWords[h.Lists.Of])
	w.String(h.Lists.Named)
	w.String(h.Written)
	w.Bool(h.Shell != nil)
	if h.Shell != nil {
		h.Shell.Write(w)
		w.String(h.OrGiven)
	}
}

var errParts = errors.New("the parts of a value are not as they are put together")

// Read reads what [Value.Write] wrote. What is wrong is noted in r, and gives the
// empty value.
func Read(r *wire.Reader) Value { return read(r, maxNested) }

// maxNested is how deep the commands that holes stand for are read into each
// other; nothing that is written goes deeper than calls in calls of a makefile.
const maxNested = 64

var errNested = errors.New("the commands of a value are too deep in each other")

func read(r *wire.Reader, deep int) Value {
	var v Value
	n := r.Count()
	if n == 0 {
		v.lit = r.String()
	}
	holes := 0
	for i := range n {
		var p Part
		if r.Bool() {
			p.Hole = readHole(r, deep)
			holes++
		} else if p.Lit = r.String(); p.Lit == "" || i > 0 && v.parts[i-1].Hole == nil {
			r.Fail(errParts)
		}
		if r.Err() != nil {
			return Value{}
		}
		v.parts = append(v.parts, p)
	}
	if n > 0 && holes == 0 {
		r.Fail(errParts)
	}
	for _, word := range r.Words(taintWords[:]) {
		v.taint |= 1 << slices.Index(taintWords[:], word)
	}
	v.pattern = r.String()
	if r.Err() != nil {
		return Value{}
	}
	return v
}

func readHole(r *wire.Reader, deep int) *Hole {
	var h Hole
	if err := h.Cause.UnmarshalText([]byte(r.String())); err != nil {
		r.Fail(err)
	}
	h.Name = r.String()
	h.Shape = Shape(r.Word(shapeWords[:]))
	h.Base, h.Last, h.Self = r.String(), r.String(), r.Bool()
	h.OneOf = r.Strings()
	h.Among = r.Strings()
	h.None, h.Edited = r.Bool(), r.Bool()
	h.Lists = Listing{Of: Listed(r.Word(listWords[:])), Named: r.String()}
	if h.Written = r.String(); r.Bool() {
		if deep == 0 {
			r.Fail(errNested)
			return &h
		}
		command := read(r, deep-1)
		h.Shell, h.OrGiven = &command, r.String()
	}
	return &h
}
