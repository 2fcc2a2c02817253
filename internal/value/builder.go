package value

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// A Builder assembles a value from pieces. The zero Builder is ready.
type Builder struct {
	buf   strings.Builder
	parts []Part
	taint Taint
	n     int // known bytes
	full  bool
}

// maxKnown is how many known bytes a value holds; one that would be longer is
// not known. It is as much as the longest command that is inspected.
const maxKnown = 4 << 20

// fits counts n more bytes and reports whether there is room for them.
func (b *Builder) fits(n int) bool {
	b.n += n
	b.full = b.full || b.n > maxKnown
	return !b.full
}

// WriteString appends known text.
func (b *Builder) WriteString(s string) {
	if b.fits(len(s)) {
		b.buf.WriteString(s)
	}
}

// WriteByte appends one known byte.
func (b *Builder) WriteByte(c byte) error {
	if b.fits(1) {
		b.buf.WriteByte(c)
	}
	return nil
}

// Add appends a value.
func (b *Builder) Add(v Value) {
	b.taint |= v.taint
	if v.parts == nil {
		b.WriteString(v.lit)
		return
	}
	for _, p := range v.parts {
		if p.Hole == nil {
			b.WriteString(p.Lit)
			continue
		}
		if b.fits(holeBytes) {
			b.flush()
			b.parts = append(b.parts, p)
		}
	}
}

// holeBytes is about what a hole takes, so that holes are bounded too.
const holeBytes = 64

// Taint adds sources to the result.
func (b *Builder) Taint(t Taint) { b.taint |= t }

// Len returns the number of known bytes since the last hole.
func (b *Builder) Len() int { return b.buf.Len() }

func (b *Builder) flush() {
	if b.buf.Len() > 0 {
		b.parts = append(b.parts, Part{Lit: b.buf.String()})
		b.buf.Reset()
	}
}

// Value returns what was built and leaves the builder empty.
func (b *Builder) Value() Value {
	defer func() { *b = Builder{} }()
	if b.full {
		return Unknown(risk.CauseOther, "").With(b.taint)
	}
	if b.parts == nil {
		return Value{lit: b.buf.String(), taint: b.taint}
	}
	b.flush()
	return Value{parts: b.parts, taint: b.taint}
}
