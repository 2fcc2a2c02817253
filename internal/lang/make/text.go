package makefile

import (
	"strings"
	"unicode/utf8"
)

// maxNested is how deep references are followed into each other.
const maxNested = 40

// ParseText reads text that is expanded, such as the value of a variable that
// was given on a command line.
func ParseText(text string) Text {
	l := &line{text: text, segs: []seg{{0, 0}}, end: len(text), recipe: true}
	return l.texts(0, len(text), 0)
}

// texts reads a part of a line. depth is how many references it stands in.
func (l *line) texts(from, to, depth int) Text {
	var t Text
	for i := from; i < to; {
		j := strings.IndexByte(l.text[i:to], '$')
		if j < 0 || i+j+1 == to { // a $ at the end is one
			l.literal(&t, i, to, depth)
			break
		}
		l.literal(&t, i, i+j, depth)
		i += j
		switch c := l.text[i+1]; c {
		case '$':
			l.literal(&t, i+1, i+2, depth)
			i += 2
		case '(', '{':
			end := l.closing(i + 1)
			if end < 0 || end >= to {
				t.Parts = append(t.Parts, &Broken{l.pos(i), l.pos(to)})
				return t
			}
			t.Parts = append(t.Parts, l.reference(i, end, depth+1))
			i = end + 1
		default:
			_, n := utf8.DecodeRuneInString(l.text[i+1 : to])
			name := Text{[]Part{&Literal{l.pos(i + 1), l.text[i+1 : i+1+n]}}}
			t.Parts = append(t.Parts, &Variable{At: l.pos(i), End: l.pos(i + 1 + n), Name: name})
			i += 1 + n
		}
	}
	return t
}

// literal adds what stands for itself: a backslash before a number sign goes,
// and in a reference of a recipe a backslash and newline are a blank.
func (l *line) literal(t *Text, from, to, depth int) {
	quoted := `\#`
	if l.recipe {
		quoted = "\\\n"
	}
	if l.recipe && depth == 0 {
		l.pieces(t, from, to)
		return
	}
	for {
		i := strings.Index(l.text[from:to], quoted)
		if i < 0 {
			l.pieces(t, from, to)
			return
		}
		i += from
		if !l.recipe {
			l.pieces(t, from, i)
			l.pieces(t, i+1, i+2)
			from = i + 2
			continue
		}
		end := i
		for end > from && isBlank(l.text[end-1]) {
			end--
		}
		l.pieces(t, from, end)
		t.Parts = append(t.Parts, &Literal{l.pos(i), " "})
		for from = i + 2; from < to && isBlank(l.text[from]); {
			from++
		}
	}
}

// pieces adds a part of the line, in pieces that stand together in the file.
func (l *line) pieces(t *Text, from, to int) {
	for from < to {
		end := min(to, l.together(from))
		t.Parts = append(t.Parts, &Literal{l.pos(from), l.text[from:end]})
		from = end
	}
}

// reference reads the reference whose $ is at an offset and which is closed at
// another.
func (l *line) reference(at, closed, depth int) Part {
	from, to := at+2, closed
	start, end := l.pos(at), l.pos(closed)+1
	if depth > maxNested {
		return &Broken{start, end}
	}
	n := from
	for n < to && (l.text[n] >= 'a' && l.text[n] <= 'z' || l.text[n] == '-') {
		n++
	}
	name := l.text[from:n]
	if most, ok := arity(name); ok && n < to && l.isSpace(n) {
		for n < to && l.isSpace(n) {
			n++
		}
		return &Call{At: start, End: end, Name: name, Args: l.arguments(n, to, most, depth)}
	}
	if colon := l.find(from, to, ":"); colon < to {
		if equals := l.find(colon+1, to, "="); equals < to {
			return &Variable{
				At: start, End: end, Name: l.texts(from, colon, depth), Changed: true,
				From: l.texts(colon+1, equals, depth), To: l.texts(equals+1, to, depth),
			}
		}
	}
	return &Variable{At: start, End: end, Name: l.texts(from, to, depth)}
}

// isSpace reports whether a byte parts a function's name from its arguments.
func (l *line) isSpace(i int) bool {
	return isBlank(l.text[i]) || l.text[i] == '\n' || l.text[i] == '\\' && i+1 < len(l.text) && l.text[i+1] == '\n'
}

// arguments reads the arguments of a function: the last of them holds all
// commas that are left.
func (l *line) arguments(from, to, most, depth int) []Text {
	var args []Text
	for most == 0 || len(args) < most-1 {
		comma := l.find(from, to, ",")
		if comma == to || len(args) == maxArguments {
			break
		}
		args = append(args, l.texts(from, comma, depth))
		from = comma + 1
	}
	return append(args, l.texts(from, to, depth))
}

// maxArguments is how many arguments are told apart.
const maxArguments = 1000

// arity returns how many arguments a function takes, 0 for any number (GNU
// make 4.4 manual, "Functions for Transforming Text").
func arity(name string) (most int, ok bool) {
	switch name {
	case "strip", "sort", "words", "firstword", "lastword", "dir", "notdir", "suffix", "basename", "wildcard", "realpath", "abspath",
		"error", "warning", "info", "shell", "origin", "flavor", "value", "eval", "guile":
		return 1, true
	case "findstring", "filter", "filter-out", "word", "addsuffix", "addprefix", "join", "file":
		return 2, true
	case "subst", "patsubst", "wordlist", "foreach", "if", "let":
		return 3, true
	case "intcmp":
		return 5, true
	case "or", "and", "call":
		return 0, true
	}
	return 0, false
}

// Function reports whether make has a function of this name.
func Function(name string) bool {
	_, ok := arity(name)
	return ok
}
