package value

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/risk"
)

// Join returns a value that is either v or w.
func Join(v, w Value, limit int) Value {
	t := v.taint | w.taint
	if alike(v, w) {
		return v.With(t)
	}
	a, ok := v.Candidates(limit)
	b, ok2 := w.Candidates(limit)
	if ok && ok2 && len(a)+len(b) <= limit {
		return OneOf(risk.CauseUnknown, joinName(v, w), append(slices.Clone(a), b...)...).With(t)
	}
	if h, ok := printedOrGiven(v, w); ok {
		return Of(h).With(t)
	}
	h := mixed(v, w)
	return Unknown(h.Cause, h.Name).With(t)
}

// mixed says why it is not known what one of two values is: the first reason that they
// have. Only what is given altogether is given: of another text, or of code that one of
// them has, nobody says so.
func mixed(v, w Value) Hole {
	hs := append(v.Holes(), w.Holes()...)
	if len(hs) == 0 {
		return Hole{Cause: risk.CauseOther}
	}
	first := *hs[0]
	if first.Cause != risk.CauseGiven {
		return first
	}
	for _, h := range hs {
		if h.Cause != risk.CauseGiven && h.Cause != risk.CauseUnset && h.Shape == AnyText && len(h.OneOf) == 0 {
			return *h
		}
	}
	if code(v) || code(w) {
		first.Cause = risk.CauseOther
	}
	return first
}

// code reports whether the known text of a value, or one that it can be, ends a command
// of a shell or starts another one.
func code(v Value) bool {
	return slices.ContainsFunc(v.Parts(), func(p Part) bool {
		return strings.ContainsAny(p.Lit, ";&|`\n") || strings.Contains(p.Lit, "$(") ||
			p.Hole != nil && slices.ContainsFunc(p.Hole.OneOf, func(s string) bool { return code(Lit(s)) })
	})
}

// printedOrGiven is the hole that is either what the text of a shell prints or what
// whoever runs the file gives.
func printedOrGiven(v, w Value) (h Hole, ok bool) {
	if len(v.parts) != 1 || len(w.parts) != 1 {
		return h, false
	}
	printed, other := v.parts[0].Hole, w.parts[0].Hole
	if printed.Shell == nil {
		printed, other = other, printed
	}
	if printed.Shell == nil || other.Shell != nil || other.Cause != risk.CauseGiven {
		return h, false
	}
	h = *printed
	h.OrGiven = other.Name
	return h, true
}

// Begin returns what v and w begin with alike, if anything, and what is left of both.
func Begin(v, w Value) (begin, x, y Value) {
	a, b := v.Parts(), w.Parts()
	n, cut := 0, 0
	for n < len(a) && n < len(b) && alike(Value{parts: a[n : n+1]}, Value{parts: b[n : n+1]}) {
		n++
	}
	if n < len(a) && n < len(b) && a[n].Hole == nil && b[n].Hole == nil {
		for p, q := a[n].Lit, b[n].Lit; cut < len(p) && cut < len(q) && p[cut] == q[cut]; {
			cut++
		}
		for cut > 0 && cut < len(a[n].Lit) && !utf8.RuneStart(a[n].Lit[cut]) { // no half of a letter
			cut--
		}
	}
	x, y = rest(a, n, cut), rest(b, n, cut)
	begin = rest(a[:n], 0, 0)
	if cut > 0 {
		begin = Concat(begin, Lit(a[n].Lit[:cut]))
	}
	return begin.With(v.taint & w.taint), x.With(v.taint), y.With(w.taint)
}

// rest is what parts hold from one on, of which some bytes are cut off.
func rest(parts []Part, from, cut int) Value {
	var b Builder
	for i, p := range parts[from:] {
		switch {
		case p.Hole != nil:
			b.Add(Of(*p.Hole))
		case i == 0:
			b.WriteString(p.Lit[cut:])
		default:
			b.WriteString(p.Lit)
		}
	}
	return b.Value()
}

func joinName(vs ...Value) string {
	for _, v := range vs {
		if hs := v.Holes(); len(hs) > 0 {
			return hs[0].Name
		}
	}
	return ""
}
