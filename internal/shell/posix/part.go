package posix

import (
	"slices"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/splice"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// spliced is text in which nothing is expanded, with the parts in it that were
// put into the shell's text before the shell read it.
func (e *evaluator) spliced(st *shell.State, v value.Value) value.Value {
	text, known := v.Known()
	if !known || len(st.Parts) == 0 {
		return v
	}
	x := splice.Value(text, st.Parts)
	if x.IsKnown() {
		return x.With(v.Taint())
	}
	return e.part(st, x).With(v.Taint())
}

// part is the value of a part of the text: where it is what a command printed
// to the program that made the text, that command is evaluated.
func (e *evaluator) part(st *shell.State, v value.Value) value.Value {
	if v.IsKnown() {
		return v
	}
	var b value.Builder
	b.Taint(v.Taint())
	for _, p := range v.Parts() {
		switch {
		case p.Hole == nil:
			b.WriteString(p.Lit)
		case p.Hole.Shell == nil:
			b.Add(value.Of(*p.Hole))
		default:
			b.Add(e.printed(st, p.Hole))
		}
	}
	return b.Value()
}

// printed is what the command of a hole prints, or the hole where that is not
// known.
func (e *evaluator) printed(st *shell.State, h *value.Hole) value.Value {
	if st.Depth >= maxDepth {
		e.m.Unknown(st, st.Statement, risk.RoleBudget, "nested too deep")
		return value.Of(*h)
	}
	var command splice.Builder
	command.Put(*h.Shell)
	from := len(st.Parts)
	text := "$(" + splice.Rebase(command.String(), len(command.Parts()), from) + "\n)"
	sub := st.Clone()
	sub.Parts = append(sub.Parts[:from:from], command.Parts()...)
	at := st.Statement
	if e.at != nil {
		at = *e.at
	}
	w, grammar, err := document(text, st.Shell)
	if err != nil {
		return value.Of(*h)
	}
	inner := &evaluator{m: e.m, parts: sub.Parts, at: &at, text: text, grammar: grammar}
	sub.Depth++
	v := inner.document(sub, w, false)
	st.FS.Follow(sub.FS)
	if h.OrGiven != "" && oneWord(v) {
		v = value.Unknown(risk.CauseGiven, h.OrGiven).With(v.Taint())
	}
	return v.WrittenAs(h.Written)
}

// oneWord reports whether a value is one plain word that is not known, or a number: what
// whoever runs the file gives in its place may be more.
func oneWord(v value.Value) bool {
	hs := v.Holes()
	return len(hs) > 0 && !slices.ContainsFunc(hs, func(h *value.Hole) bool { return h.Shape != value.Word && h.Shape != value.Number })
}
