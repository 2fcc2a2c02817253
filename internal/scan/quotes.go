package scan

import "strings"

// quotes follows the quoting of shell text, byte by byte: near enough to tell in
// which quotes a byte stands.
type quotes struct {
	stack   []byte // of modes: the outermost is '(' too
	last    byte
	escaped bool
	word    strings.Builder // of <<, while it is read
	reading bool
	here    []string // delimiters of the here-documents that begin with the next line
	line    strings.Builder
	inHere  bool
}

// The modes: plain commands, "double", 'single' and $'single' quotes, comments.
const (
	plain   = '('
	double  = '"'
	single  = '\''
	ansi    = 'a'
	comment = '#'
)

// maxQuotes bounds the nesting that is followed.
const maxQuotes = 64

func (q *quotes) mode() byte {
	if len(q.stack) == 0 {
		return plain
	}
	return q.stack[len(q.stack)-1]
}

// continues reports whether a backslash and the end of the line mean nothing here.
func (q *quotes) continues() bool {
	return !q.inHere && !q.escaped && (q.mode() == plain || q.mode() == double)
}

func (q *quotes) push(mode byte) {
	if len(q.stack) < maxQuotes {
		q.stack = append(q.stack, mode)
	}
}

func (q *quotes) pop() {
	if len(q.stack) > 0 {
		q.stack = q.stack[:len(q.stack)-1]
	}
}

func (q *quotes) next(c byte) {
	switch {
	case q.inHere:
		q.document(c)
		return
	case q.escaped:
		q.escaped, q.last = false, 'x'
		return
	case q.reading && q.delimiter(c):
		return
	}
	switch q.mode() {
	case single:
		if c == '\'' {
			q.pop()
		}
	case ansi:
		if c == '\'' {
			q.pop()
		}
		q.escaped = c == '\\'
	case comment:
		if c == '\n' {
			q.pop()
			q.newline()
		}
	case double:
		q.inDouble(c)
	default:
		q.inPlain(c)
	}
	q.last = c
}

func (q *quotes) inDouble(c byte) {
	switch {
	case c == '\\':
		q.escaped = true
	case c == '"':
		q.pop()
	case c == '(' && q.last == '$':
		q.push(plain)
	}
}

func (q *quotes) inPlain(c byte) {
	switch c {
	case '\\':
		q.escaped = true
	case '\'':
		q.push(map[bool]byte{true: ansi, false: single}[q.last == '$'])
	case '"':
		q.push(double)
	case '(':
		q.push(plain)
	case ')':
		q.pop()
	case '#':
		if q.last == 0 || strings.IndexByte(" \t\n;(&|", q.last) >= 0 {
			q.push(comment)
		}
	case '<':
		if q.last == '<' {
			q.reading = true
			q.word.Reset()
		}
	case '\n':
		q.newline()
	}
}

// delimiter reads the word behind <<, and reports false for the byte that ends
// it.
func (q *quotes) delimiter(c byte) bool {
	switch {
	case c == '<': // <<< is no here-document
		q.reading = false
	case q.word.Len() == 0 && (c == '-' || c == ' ' || c == '\t'):
	case c == '\'' || c == '"' || c == '\\':
	case strings.IndexByte(" \t\n;&|()", c) >= 0:
		q.reading = false
		if q.word.Len() > 0 {
			q.here = append(q.here, q.word.String())
		}
		return false
	default:
		q.word.WriteByte(c)
	}
	q.last = c
	return true
}

func (q *quotes) newline() { q.inHere = len(q.here) > 0 }

// document reads the lines of a here-document up to its delimiter.
func (q *quotes) document(c byte) {
	if c != '\n' {
		if q.line.Len() < 200 {
			q.line.WriteByte(c)
		}
		return
	}
	if strings.TrimLeft(strings.TrimSuffix(q.line.String(), "\r"), "\t") == q.here[0] {
		q.here = q.here[1:]
		q.newline()
	}
	q.line.Reset()
	q.last = '\n'
}

// waits reports whether what was read is not finished: a shell would show its
// second prompt.
func (q *quotes) waits() bool { return q.inHere || len(q.here) > 0 || len(q.stack) > 0 }
