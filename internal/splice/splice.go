package splice

import (
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// first is the positional parameter that the first part stands in. No program
// can be given so many arguments: Linux takes 6 MiB of them at most
// (execve(2), "Limits on size of arguments and environment").
const (
	first  = 1 << 30
	digits = len("1073741824")
	lead   = "${1073"
)

// maxParts is how many parts one text can have; the numbers from first on
// begin with the digits of lead for longer than that.
const maxParts = 100000

// Index returns which part the parameter of a name is.
func Index(name string) (i int, ok bool) {
	if len(name) != digits {
		return 0, false
	}
	n, err := strconv.Atoi(name)
	return n - first, err == nil && n >= first && n-first < maxParts
}

// reference is what expands to a part.
func reference(i int) string { return "${" + strconv.Itoa(first+i) + "}" }

// next finds the first reference of a text.
func next(text string) (start, end, i int, ok bool) {
	for from := 0; ; {
		n := strings.Index(text[from:], lead)
		if n < 0 {
			return 0, 0, 0, false
		}
		start = from + n
		end = start + len("${}") + digits
		if end <= len(text) && text[end-1] == '}' {
			if i, ok = Index(text[start+2 : end-1]); ok {
				return start, end, i, true
			}
		}
		from = start + len(lead)
	}
}

// A Builder writes a text. The zero Builder is ready.
type Builder struct {
	text  strings.Builder
	parts []value.Value
}

// Text adds text of a shell.
func (b *Builder) Text(s string) { b.text.WriteString(s) }

// Put adds a value as a program puts it into the text of a shell: what is
// known of it is text, what is not is data.
func (b *Builder) Put(v value.Value) {
	for _, p := range v.Parts() {
		if p.Hole == nil {
			b.Text(p.Lit)
		} else {
			b.Data(value.Of(*p.Hole).With(v.Taint()))
		}
	}
}

// Data adds a value as data, which a shell may split into words.
func (b *Builder) Data(v value.Value) {
	if len(b.parts) == maxParts { // of a text that nobody wrote: it is text then
		b.Text(v.String())
		return
	}
	b.Text(reference(len(b.parts)))
	b.parts = append(b.parts, v)
}

// Len returns how long the text is.
func (b *Builder) Len() int { return b.text.Len() }

// String returns the text.
func (b *Builder) String() string { return b.text.String() }

// Parts returns the parts of the text, in the order of their numbers.
func (b *Builder) Parts() []value.Value { return b.parts }

// Rebase returns a text with the numbers of its n parts counted from another
// on, where so many stand before them.
func Rebase(text string, n, from int) string {
	if n == 0 || from == 0 {
		return text
	}
	return replace(text, n, func(i int) string { return reference(from + i) })
}

// Shown returns a text, or a piece of one, with its parts as their author
// wrote them.
func Shown(text string, parts []value.Value) string {
	return replace(text, len(parts), func(i int) string { return parts[i].String() })
}

// Offset returns the byte of what [Shown] returns that a byte of the text stands
// at; one within a part is its first.
func Offset(text string, parts []value.Value, at int) int {
	moved, from := 0, 0
	for {
		start, end, i, ok := next(text[from:])
		if start, end = from+start, from+end; !ok || start >= at {
			return at + moved
		}
		if from = end; i >= len(parts) {
			continue
		}
		if at < end {
			return start + moved
		}
		moved += len(parts[i].String()) - (end - start)
	}
}

// replace replaces the references to n parts.
func replace(text string, n int, with func(i int) string) string {
	start, end, i, ok := next(text)
	if !ok {
		return text
	}
	var b strings.Builder
	for ; ok; start, end, i, ok = next(text) {
		if i < n {
			b.WriteString(text[:start] + with(i))
		} else {
			b.WriteString(text[:end])
		}
		text = text[end:]
	}
	b.WriteString(text)
	return b.String()
}

// Value returns the value that a text is in which references stand for parts.
func Value(text string, parts []value.Value) value.Value {
	start, end, i, ok := next(text)
	if !ok || len(parts) == 0 {
		return value.Lit(text)
	}
	var b value.Builder
	for ; ok; start, end, i, ok = next(text) {
		b.WriteString(text[:start])
		if i < len(parts) {
			b.Add(parts[i])
		} else {
			b.WriteString(text[start:end])
		}
		text = text[end:]
	}
	b.WriteString(text)
	return b.Value()
}
