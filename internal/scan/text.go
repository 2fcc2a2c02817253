package scan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/splice"
	"github.com/heedsh/heed/internal/value"
)

// Lines finds lines and columns in a text. It is for one goroutine.
type Lines struct {
	text   string
	starts []int
	// The last answer: a line can be as long as the file, and is not counted
	// from its start each time.
	line, at, column int
}

// NewLines indexes a text.
func NewLines(text string) *Lines {
	l := &Lines{text: text, starts: []int{0}, column: 1}
	for i := range len(text) {
		if text[i] == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// At returns the line and column of a byte, both counted from 1; a column is a
// character.
func (l *Lines) At(offset int) (line, column int) {
	offset = max(0, min(offset, len(l.text)))
	i, found := slices.BinarySearch(l.starts, offset)
	if !found {
		i--
	}
	if i != l.line || offset < l.at {
		l.line, l.at, l.column = i, l.starts[i], 1
	}
	l.column += utf8.RuneCountInString(l.text[l.at:offset])
	l.at = offset
	return i + 1, l.column
}

// start returns where a line, counted from 1, begins.
func (l *Lines) start(line int) int {
	if line < 1 || line > len(l.starts) {
		return len(l.text)
	}
	return l.starts[line-1]
}

// line is a line of a file with where it begins.
type line struct {
	text string // without its end
	at   int
}

// split divides a text into lines.
func split(text string) []line {
	var all []line
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		all = append(all, line{strings.TrimSuffix(text[at:at+end], "\r"), at})
		at += end + 1
	}
	return all
}

// writer writes the text of a command and keeps where it comes from, and in
// which quotes it is.
type writer struct {
	b      splice.Builder
	marks  []Mark
	quotes quotes
}

func (w *writer) len() int       { return w.b.Len() }
func (w *writer) String() string { return w.b.String() }

// copy writes text that stands in the file, from a byte on.
func (w *writer) copy(s string, at int) {
	if s == "" {
		return
	}
	if n := len(w.marks); n == 0 || w.marks[n-1].Fixed || w.marks[n-1].File+w.len()-w.marks[n-1].At != at {
		w.marks = append(w.marks, Mark{At: w.len(), File: at})
	}
	w.write(s)
}

// put writes text in place of what stands in the file at a byte.
func (w *writer) put(s string, at int) {
	if s == "" {
		return
	}
	w.marks = append(w.marks, Mark{At: w.len(), File: at, Fixed: true})
	w.write(s)
}

func (w *writer) write(s string) {
	w.b.Text(s)
	for i := range len(s) {
		w.quotes.next(s[i])
	}
}

// value writes a value in place of what stands in the file at a byte: what is
// not known of it is data of the shell.
func (w *writer) value(v value.Value, at int) {
	w.marks = append(w.marks, Mark{At: w.len(), File: at, Fixed: true})
	w.b.Put(v)
}

// command gives a command the text that was written.
func (w *writer) command(c Command) Command {
	c.Text, c.Marks, c.Parts = w.String(), w.marks, w.b.Parts()
	return c
}

// quoted is a word in single quotes, or as it is where it needs none.
func quoted(word string) string {
	plain := word != ""
	for i := range len(word) {
		c := word[i]
		plain = plain && (c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("-_./:=,+@%", c) >= 0)
	}
	if plain {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// argv writes words as a command line.
func argv(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = quoted(w)
	}
	return strings.Join(out, " ")
}

// foreign makes a script in another language into a command that runs it.
func foreign(language, script string) string {
	end := "HEED_END"
	for strings.Contains(script, end) {
		end += "_"
	}
	if !strings.HasSuffix(script, "\n") {
		script += "\n"
	}
	return language + " <<'" + end + "'\n" + script + end + "\n"
}

// language says which program reads a script in a language, if heed can look
// into such code.
func language(name string) (program string, ok bool) {
	switch {
	case strings.HasPrefix(name, "python"):
		return "python3", true
	case name == "node" || name == "nodejs" || name == "javascript":
		return "node", true
	case name == "perl" || name == "ruby" || name == "php" || name == "lua":
		return name, true
	}
	return "", false
}

// oddBackslash reports whether a line goes on with the next one.
func oddBackslash(s string) bool { return (len(s)-len(strings.TrimRight(s, `\`)))%2 == 1 }
