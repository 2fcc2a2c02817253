package screen

import (
	"strings"
	"unicode"

	"github.com/heedsh/heed/internal/explain"
)

// maxTyped is the longest text that is typed, in characters.
const maxTyped = 4096

// An editor is one line that a person types.
type editor struct {
	text []rune
	at   int // where the cursor stands
}

// edit begins with a text.
func edit(text string) editor {
	r := []rune(text)
	return editor{r, len(r)}
}

// insert puts a text at the cursor. Characters that are not drawn are left out.
func (e *editor) insert(text string) {
	for _, r := range text {
		if !unicode.IsGraphic(r) || len(e.text) >= maxTyped {
			continue
		}
		e.text = append(e.text[:e.at], append([]rune{r}, e.text[e.at:]...)...)
		e.at++
	}
}

// press does what a key says, by its name in Bubble Tea.
func (e *editor) press(name, text string) {
	switch name {
	case "left", "ctrl+b":
		e.at = max(0, e.at-1)
	case "right", "ctrl+f":
		e.at = min(len(e.text), e.at+1)
	case "home", "ctrl+a":
		e.at = 0
	case "end", "ctrl+e":
		e.at = len(e.text)
	case "backspace", "ctrl+h":
		if e.at > 0 {
			e.text = append(e.text[:e.at-1], e.text[e.at:]...)
			e.at--
		}
	case "delete", "ctrl+d":
		if e.at < len(e.text) {
			e.text = append(e.text[:e.at], e.text[e.at+1:]...)
		}
	case "ctrl+u":
		e.text, e.at = append([]rune{}, e.text[e.at:]...), 0
	case "ctrl+k":
		e.text = e.text[:e.at]
	case "ctrl+w":
		from := e.at
		for from > 0 && e.text[from-1] == ' ' {
			from--
		}
		for from > 0 && e.text[from-1] != ' ' {
			from--
		}
		e.text, e.at = append(e.text[:from], e.text[e.at:]...), from
	default:
		e.insert(text)
	}
}

// value is what was typed.
func (e *editor) value() string { return strings.TrimSpace(string(e.text)) }

// lines draws the line, folded, at most n rows of it: those around the cursor, which is
// drawn as a bar.
func (e *editor) lines(prompt string, w, n int) []string {
	before := clusters(explain.Visible(string(e.text[:e.at])))
	after := clusters(explain.Visible(string(e.text[e.at:])))
	all := append(before, cluster{"▏", 1, 0})
	at := len(before)
	all = append(all, after...)
	from, out := 0, []string{}
	has := 0
	for i, row := range rows(all, w-len(prompt), func(row []cluster) int { return len(row) }) {
		if from <= at && at < from+len(row) {
			has = i
		}
		from += len(row)
		lead := strings.Repeat(" ", len(prompt))
		if i == 0 {
			lead = prompt
		}
		out = append(out, lead+join(row))
	}
	if len(out) > n {
		first := max(0, min(has-n+1+n/2, len(out)-n))
		out = out[first : first+n]
	}
	return out
}
