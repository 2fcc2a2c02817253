package makefile

import (
	"slices"
	"strings"
)

// A line is a logical line: what backslashes at the ends of lines join, with
// the place in the file of every byte.
type line struct {
	text string
	segs []seg // in order; the first is at 0
	end  int   // the offset in the file behind it, without the newline
	// recipe is set where a backslash and newline stay in the text, and are a
	// blank in references only ("Splitting Recipe Lines").
	recipe bool
	match  []int32 // of each bracket that is opened, where it is closed; see brackets
}

// A seg says that the bytes from at on stand in the file from byte file on.
type seg struct{ at, file int }

// pos returns where a byte of the line stands in the file.
func (l *line) pos(i int) int {
	n, found := slices.BinarySearchFunc(l.segs, i, func(s seg, i int) int { return s.at - i })
	if !found {
		n--
	}
	return min(l.segs[n].file+i-l.segs[n].at, l.end)
}

// stands says that the bytes from at on stand in the file from another on.
func (l *line) stands(at, file int) {
	n := len(l.segs)
	switch {
	case n > 0 && l.segs[n-1].file-l.segs[n-1].at == file-at:
		return
	case n > 0 && l.segs[n-1].at == at: // of an empty line
		l.segs = l.segs[:n-1]
	}
	l.segs = append(l.segs, seg{at, file})
}

// together returns the end of the bytes that stand together in the file from
// one on.
func (l *line) together(i int) int {
	n, _ := slices.BinarySearchFunc(l.segs, i+1, func(s seg, i int) int { return s.at - i })
	if n == len(l.segs) {
		return len(l.text)
	}
	return l.segs[n].at
}

// A reader goes through the physical lines of a text.
type reader struct {
	text string
	next int
}

// more reports whether there is another line.
func (r *reader) more() bool { return r.next < len(r.text) }

// physical returns the next line, without its end.
func (r *reader) physical() (text string, at int) {
	at = r.next
	end := len(r.text)
	r.next = end
	if n := strings.IndexByte(r.text[at:], '\n'); n >= 0 {
		end, r.next = at+n, at+n+1
	}
	return strings.TrimSuffix(r.text[at:end], "\r"), at
}

// logical returns the line that begins with a physical one: a backslash at the
// end, the newline and the blanks around them are one blank ("Splitting Long
// Lines").
func (r *reader) logical(text string, at int) *line {
	l := &line{text: text, segs: []seg{{0, at}}, end: at + len(text)}
	if !oddBackslash(text) || !r.more() {
		return l
	}
	var b strings.Builder
	for oddBackslash(text) && r.more() {
		kept := strings.TrimRight(text[:len(text)-1], " \t")
		b.WriteString(kept)
		l.segs = append(l.segs, seg{b.Len(), at + len(kept)}) // alone: another byte stands there
		b.WriteByte(' ')
		next, from := r.physical()
		text = strings.TrimLeft(next, " \t")
		at = from + len(next) - len(text)
		l.stands(b.Len(), at)
		l.end = at + len(text)
	}
	b.WriteString(text)
	l.text = b.String()
	return l
}

// command returns the recipe line that begins with a physical one, without the
// prefix that makes it one: the shell gets to see backslash and newline.
func (r *reader) command(text string, at int, prefix byte) *line {
	l := &line{text: text[1:], segs: []seg{{0, at + 1}}, end: at + len(text), recipe: true}
	if !oddBackslash(text) || !r.more() {
		return l
	}
	var b strings.Builder
	b.WriteString(text[1:])
	for oddBackslash(text) && r.more() {
		l.stands(b.Len(), r.next-1) // in front of it can be a return
		b.WriteByte('\n')
		text, at = r.physical()
		l.end = at + len(text)
		if text != "" && text[0] == prefix {
			text, at = text[1:], at+1
		}
		l.stands(b.Len(), at)
		b.WriteString(text)
	}
	l.text = b.String()
	return l
}

// oddBackslash reports whether a line goes on with the next one.
func oddBackslash(s string) bool { return (len(s)-len(strings.TrimRight(s, `\`)))%2 == 1 }

// brackets returns, for the offset of every opening bracket, the offset of the
// one that closes it, or -1: brackets of one kind count only among themselves.
func brackets(s string) []int32 {
	match := make([]int32, len(s))
	var round, curly []int32
	for i := range len(s) {
		match[i] = -1
		switch s[i] {
		case '(':
			round = append(round, int32(i))
		case '{':
			curly = append(curly, int32(i))
		case ')':
			if n := len(round); n > 0 {
				match[round[n-1]] = int32(i)
				round = round[:n-1]
			}
		case '}':
			if n := len(curly); n > 0 {
				match[curly[n-1]] = int32(i)
				curly = curly[:n-1]
			}
		}
	}
	return match
}

// closing returns where the bracket at an offset is closed, or -1.
func (l *line) closing(at int) int {
	if l.match == nil {
		l.match = brackets(l.text)
	}
	return int(l.match[at])
}

// find returns the first byte from on that is one of any and stands outside of
// references and of brackets, or to. A backslash quotes a colon.
func (l *line) find(from, to int, any string) int {
	for i := from; i < to; i++ {
		c := l.text[i]
		switch {
		case strings.IndexByte(any, c) >= 0:
			return i
		case c == '(' || c == '{':
			if end := l.closing(i); end > 0 && end < to {
				i = end
			}
		case i+1 < to && (c == '$' && l.text[i+1] == '$' || c == '\\' && l.text[i+1] == ':'):
			i++
		}
	}
	return to
}

// comment returns where the comment of a line begins, or to. A number sign in
// a reference begins none, and neither does one behind a backslash.
func (l *line) comment(from, to int) int {
	for i := from; i < to; i++ {
		switch c := l.text[i]; {
		case c == '#':
			return i
		case c == '\\' && i+1 < to && l.text[i+1] == '#':
			i++
		case c == '$' && i+1 < to && l.text[i+1] == '$':
			i++
		case c == '$' && i+1 < to && (l.text[i+1] == '(' || l.text[i+1] == '{'):
			if end := l.closing(i + 1); end > 0 && end < to {
				i = end
			}
		}
	}
	return to
}

// trim narrows a part of a line to what is in it without the blanks around.
func (l *line) trim(from, to int) (start, end int) {
	for from < to && isBlank(l.text[from]) {
		from++
	}
	for from < to && isBlank(l.text[to-1]) {
		to--
	}
	return from, to
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\v' || c == '\f' }
