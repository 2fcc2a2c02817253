package sqleffect

import (
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// mark stands where a text is not known, with the number of its hole.
const mark = "heed_hole"

// A Text is SQL with marks where it is not known.
type Text struct {
	text  string
	holes []value.Value
	taint value.Taint
}

// TextOf marks what is not known of a value.
func TextOf(v value.Value) Text {
	t := Text{taint: v.Taint()}
	t.text = v.Fill(func(h *value.Hole) string {
		t.holes = append(t.holes, value.Of(*h))
		return mark + strconv.Itoa(len(t.holes)-1) + "_"
	})
	return t
}

// String returns the text with its marks.
func (t Text) String() string { return t.text }

// Value returns a piece of the text with its holes instead of their marks.
func (t Text) Value(piece string) value.Value {
	if len(t.holes) == 0 {
		return value.Lit(piece).With(t.taint)
	}
	var b value.Builder
	for {
		before, after, found := strings.Cut(piece, mark)
		b.WriteString(before)
		if !found {
			break
		}
		number, rest, closed := strings.Cut(after, "_")
		n, err := strconv.Atoi(number)
		if !closed || err != nil || n < 0 || n >= len(t.holes) {
			b.WriteString(mark)
			piece = after
			continue
		}
		b.Add(t.holes[n])
		piece = rest
	}
	return b.Value().With(t.taint)
}
