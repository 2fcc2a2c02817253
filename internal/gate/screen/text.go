package screen

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/risk"
)

// A style is how a piece of a line is drawn. None is told by its colour alone: what
// has no colours reads the same words.
type style uint8

const (
	plain style = iota
	strong
	faint
	marked // of a command: what decided
	badgeSafe
	badgeCaution
	badgeReview
)

// A piece is text of one style.
type piece struct {
	text string
	style
}

// A line is one row of the screen.
type line []piece

// text is a line without its styles.
func (l line) text() string {
	var b strings.Builder
	for _, p := range l {
		b.WriteString(p.text)
	}
	return b.String()
}

// draw is a line as it goes to the terminal.
func (l line) draw() string {
	var b strings.Builder
	for _, p := range l {
		if p.style == plain || p.text == "" {
			b.WriteString(p.text)
			continue
		}
		b.WriteString(p.look().Render(p.text))
	}
	return b.String()
}

// look is what lipgloss makes of a style.
func (s style) look() lipgloss.Style {
	is := lipgloss.NewStyle()
	switch s {
	case strong:
		return is.Bold(true)
	case faint:
		return is.Faint(true)
	case marked:
		return is.Bold(true).Underline(true)
	case badgeSafe:
		return is.Bold(true).Reverse(true).Foreground(lipgloss.Green)
	case badgeCaution:
		return is.Bold(true).Reverse(true).Foreground(lipgloss.Yellow)
	case badgeReview:
		return is.Bold(true).Reverse(true).Foreground(lipgloss.Red)
	}
	return is
}

// badge is a tier's word.
func badge(t risk.Tier) piece {
	is := badgeReview
	switch t {
	case risk.Safe:
		is = badgeSafe
	case risk.Caution:
		is = badgeCaution
	}
	return piece{"[" + t.String() + "]", is}
}

// A cluster is what a terminal draws in one place: a character and the marks on it.
type cluster struct {
	text  string
	width int
	start int // in the text that it is of
}

// maxMarks is how many marks one character may carry: more of them are drawn over the
// lines above and below.
const maxMarks = 2

// clusters takes a text apart. What could move the cursor, or has no look of its own, is
// spelled out: consent does so, and nothing here relies on it.
func clusters(s string) []cluster {
	out := make([]cluster, 0, len(s))
	marks := 0
	for i, n := 0, 0; i < len(s); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(s[i:])
		if 0x20 <= r && r < 0x7f {
			out, marks = append(out, cluster{s[i : i+n], 1, i}), 0
			continue
		}
		text := explain.Visible(s[i : i+n])
		width := ansi.StringWidthWc(text)
		onto := text == s[i:i+n] && (unicode.Is(unicode.M, r) || width == 0)
		switch {
		case onto && len(out) > 0 && marks < maxMarks:
			last := &out[len(out)-1]
			last.text, marks = last.text+text, marks+1
			last.width = ansi.StringWidthWc(last.text)
			continue
		case onto || modifies(r):
			text = fmt.Sprintf(`\u%04x`, r)
			width = len(text)
		}
		out, marks = append(out, cluster{text, width, i}), 0
	}
	return out
}

// modifies reports whether terminals disagree about the room that a character takes:
// the colours of skin, which some draw onto the character before.
func modifies(r rune) bool { return 0x1f3fb <= r && r <= 0x1f3ff }

// widthOf is the room that clusters take.
func widthOf(all []cluster) (n int) {
	for _, c := range all {
		n += c.width
	}
	return n
}

func join(all []cluster) string {
	var b strings.Builder
	for _, c := range all {
		b.WriteString(c.text)
	}
	return b.String()
}

// width is the room that a text takes.
func width(s string) int { return widthOf(clusters(s)) }

// cut shortens a text to a width.
func cut(s string, w int) string {
	if w < 1 {
		return ""
	}
	all := clusters(s)
	fits, wide := 0, 0 // with room for the sign that something is left out
	for _, c := range all {
		wide += c.width
		if wide+1 <= w {
			fits++
		}
		if wide > w {
			return join(all[:fits]) + "…"
		}
	}
	return join(all)
}

// pad fills a text up with spaces, or shortens it.
func pad(s string, w int) string {
	s = cut(s, w)
	return s + strings.Repeat(" ", max(0, w-width(s)))
}

// fold breaks a text for people into lines, at spaces where there are any.
func fold(s string, w int) []string {
	var out []string
	for _, row := range rows(clusters(s), w, func(row []cluster) int {
		for i := len(row) - 1; i > len(row)/3; i-- {
			if row[i].text == " " {
				return i + 1
			}
		}
		return len(row)
	}) {
		out = append(out, strings.TrimRight(join(row), " "))
	}
	return out
}

// rows breaks clusters into rows that are no wider than w. at says where a row that is
// full is broken.
func rows(all []cluster, w int, at func(row []cluster) int) [][]cluster {
	w = max(w, 8)
	var out [][]cluster
	for len(all) > 0 {
		n, wide := 0, 0
		for n < len(all) && wide+all[n].width <= w {
			wide += all[n].width
			n++
		}
		if n == 0 {
			n = 1 // wider than the whole line: the terminal's own bounds cut it
		}
		if n < len(all) {
			n = at(all[:n])
		}
		out, all = append(out, all[:n]), all[n:]
	}
	return out
}

// newline is how a line end of a command is shown.
const newline = `\n`

// commandLines shows a command in full: nothing is left out, no space is dropped, and
// what decided is marked, by its look and with carets below. A script is broken after
// its line ends.
func commandLines(command string, spans []risk.Span, w int) (out []line, deciding int) {
	deciding = -1
	all := clusters(command)
	var paragraphs [][]cluster
	if widthOf(all) > w {
		from := 0
		for i := 1; i < len(all); i++ {
			if all[i-1].text+all[i].text == newline && i+1 < len(all) {
				paragraphs, from = append(paragraphs, all[from:i+1]), i+1
			}
		}
		paragraphs = append(paragraphs, all[from:])
	} else {
		paragraphs = [][]cluster{all}
	}
	for _, paragraph := range paragraphs {
		for _, row := range rows(paragraph, w, func(row []cluster) int { return len(row) }) {
			shown, carets := mark(row, spans)
			if carets != "" && deciding < 0 {
				deciding = len(out)
			}
			out = append(out, shown)
			if carets != "" {
				out = append(out, line{{carets, strong}})
			}
		}
	}
	return out, deciding
}

// mark draws a row, with carets for the line below it where something is marked.
func mark(row []cluster, spans []risk.Span) (out line, carets string) {
	var below strings.Builder
	for _, c := range row {
		is := plain
		for _, s := range spans {
			if s.Start <= c.start && c.start < s.End {
				is = marked
			}
		}
		sign := " "
		if is == marked {
			sign = "^"
		}
		below.WriteString(strings.Repeat(sign, c.width))
		if n := len(out); n > 0 && out[n-1].style == is {
			out[n-1].text += c.text
		} else {
			out = append(out, piece{c.text, is})
		}
	}
	return out, strings.TrimRight(below.String(), " ")
}
