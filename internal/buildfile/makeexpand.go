package buildfile

import (
	"strings"

	makefile "github.com/heedsh/heed/internal/lang/make"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// expand replaces the references in a text.
func (m *Make) expand(t makefile.Text, src *source, sc *scope, depth int) value.Value {
	if len(t.Parts) == 1 {
		return m.part(t.Parts[0], src, sc, depth)
	}
	var b value.Builder
	for _, p := range t.Parts {
		b.Add(m.part(p, src, sc, depth))
	}
	return b.Value()
}

// pieces is expand with the places of what stands in the text.
func (m *Make) pieces(t makefile.Text, src *source, sc *scope) []Piece {
	var out []Piece
	for _, p := range t.Parts {
		at, _ := p.Span()
		piece := Piece{Value: m.part(p, src, sc, 0), At: src.place(at)}
		if l, ok := p.(*makefile.Literal); ok {
			piece.Copied = src.main && strings.HasPrefix(src.text[at:], l.Text)
		}
		if !piece.Value.Empty() {
			out = append(out, piece)
		}
	}
	return out
}

// spent counts work and reports whether there is too much of it.
func (m *Make) spent(steps, bytes int) bool {
	m.steps += steps
	m.bytes += bytes
	return m.steps > maxSteps || m.bytes > maxBytes
}

// anew begins another evaluation: what one recipe uses up is not missing in the
// next, as long as all of them together are not too much.
func (m *Make) anew() {
	if m.used += m.steps + m.bytes; m.used < maxUsed {
		m.steps, m.bytes = 0, 0
	}
}

// part evaluates a part of a text. What cannot be told becomes a hole that is
// written like the reference.
func (m *Make) part(p makefile.Part, src *source, sc *scope, depth int) value.Value {
	if l, ok := p.(*makefile.Literal); ok {
		m.bytes += len(l.Text)
		return value.Lit(l.Text)
	}
	at, end := p.Span()
	text := src.text[at:min(end, len(src.text))]
	if m.spent(1, 0) || depth > maxDepth {
		m.partial = true
		return tooBig(text)
	}
	var v value.Value
	switch p := p.(type) {
	case *makefile.Variable:
		v = m.reference(p, src, sc, text, depth+1)
	case *makefile.Call:
		v = named(m.call(p, src, sc, text, depth+1), text)
	default:
		m.partial = true
		return unknown("reference", text)
	}
	m.bytes += v.Size()
	return v
}

// reference evaluates $(NAME) and $(NAME:FROM=TO).
func (m *Make) reference(p *makefile.Variable, src *source, sc *scope, text string, depth int) value.Value {
	name, known := m.expand(p.Name, src, sc, depth).Known()
	if !known {
		return unknown("variable", text)
	}
	v := m.lookup(name, text, sc, depth)
	if !p.Changed {
		return v
	}
	from, ok := m.expand(p.From, src, sc, depth).Known()
	to, ok2 := m.expand(p.To, src, sc, depth).Known()
	if !ok || !ok2 {
		return unknown(name, text)
	}
	if !strings.Contains(from, "%") {
		from, to = "%"+from, "%"+to
	}
	return named(each(v, func(s string) string { return patsubst(s, from, to) }, rewritten), text)
}

// shell is what a command prints that make runs while it reads or expands.
func (m *Make) shell(command value.Value, written string) value.Value {
	text, known := command.Known()
	text = strings.TrimSpace(text)
	if known {
		system := map[string]string{"linux": "Linux", "darwin": "Darwin"}[m.site.OS]
		bare, _, _ := strings.Cut(text, " 2>")
		switch {
		case (bare == "uname" || bare == "uname -s") && system != "":
			return value.Lit(system)
		case text == "pwd" && m.site.Dir != "":
			return value.Lit(m.site.Dir)
		case text == "":
			return value.Value{}
		}
	}
	switch key := command.String(); {
	case m.met[key]:
	case len(m.printers) < maxCommands:
		m.met[key] = true
		m.printers = append(m.printers, command)
	default:
		m.partial = true
	}
	return printed(command, written)
}

// Printers are the commands that were run for what they print.
func (m *Make) Printers() []value.Value { return m.printers }

// A call is a command that the main text runs for what it prints, where it
// stands.
type call struct {
	text makefile.Text
	src  *source
	name string
	sc   *scope
}

// noteCall notes a text as a command.
func (r *reading) noteCall(t makefile.Text, name string) {
	if r.src.main && len(r.calls) < maxSteps {
		r.calls = append(r.calls, call{t, r.src, name, nil})
	}
}

// noteCalls notes the commands of $(shell …) in a text.
func (r *reading) noteCalls(t makefile.Text, name string) {
	shellCalls(t, func(t makefile.Text) { r.noteCall(t, name) })
}

// shellCalls calls do for the text of every $(shell …) in a text.
func shellCalls(t makefile.Text, do func(makefile.Text)) {
	for _, p := range t.Parts {
		switch p := p.(type) {
		case *makefile.Call:
			if p.Name == "shell" {
				do(p.Args[0])
			}
			for _, a := range p.Args {
				shellCalls(a, do)
			}
		case *makefile.Variable:
			for _, t := range []makefile.Text{p.Name, p.From, p.To} {
				shellCalls(t, do)
			}
		}
	}
}

// Shell is the program that reads recipes, by the words with which it is
// called; none where it is not known ("Choosing the Shell").
func (m *Make) Shell() []string {
	text, known := m.lookup("SHELL", "$(SHELL)", nil, 0).Known()
	if !known {
		return nil
	}
	return strings.Fields(text)
}

// Exported are the variables that recipes find in their environment beside
// those that make was given ("Communicating Variables to a Sub-make").
func (m *Make) Exported() []Variable {
	var out []Variable
	names := m.exports
	if m.every {
		names = sortedKeys(m.vars)
	}
	for _, name := range names {
		if x := m.vars[name]; x != nil && !x.strong && isName(name) && len(out) < maxExports {
			out = append(out, Variable{name, named(m.valueOf(x, nil, 0), "$("+name+")")})
		}
	}
	return out
}

// isName reports whether a shell can have a variable of this name.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// branch is the value of a choice of which neither side is known to be taken. What both
// begin with is there either way: a quote that is closed behind the choice.
func branch(a, b value.Value) value.Value {
	v := value.Join(a, b, maxChoices)
	if v.IsKnown() {
		return v
	}
	if begin, x, y := value.Begin(a, b); strings.ContainsAny(begin.String(), "'\"") {
		return value.Concat(begin, branch(x, y))
	}
	if h := v.Holes()[0]; h.Cause == risk.CauseOther && h.Name == "" {
		return value.Unknown(risk.CauseUnknown, "choice").With(v.Taint())
	}
	return v
}
