package fakeworld

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxText bounds a world's description.
const maxText = 1 << 20

// A word is a part of a statement.
type word struct {
	text   string
	quoted bool
}

// A stmt is one statement: a line, and the block below it if it ends in "<<".
type stmt struct {
	line  int
	words []word
	// assign statements (env, config) have a name and a value instead of words
	// after the keyword.
	name, value string
	block       *string
	git         int // index of the last git statement before this one, or -1
}

// scan splits a text into statements.
func scan(text string) ([]stmt, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("larger than %d bytes", maxText)
	}
	var all []stmt
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		s := stmt{line: i + 1}
		line := strings.TrimSuffix(lines[i], "\r")
		if err := s.scanLine(line); err != nil {
			return nil, atLine(s.line, err)
		}
		if len(s.words) == 0 {
			continue
		}
		if last := len(s.words) - 1; s.words[last] == (word{text: "<<"}) {
			block, n := scanBlock(lines[i+1:], indentOf(line))
			s.words, s.block = s.words[:last], &block
			i += n
			if n == 0 || last == 0 {
				return nil, atLine(s.line, errors.New(`"<<" wants a statement before it and an indented block below`))
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// A lineError is an error with the number of the line it is about.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }
func (e *lineError) Unwrap() error { return e.err }

func atLine(line int, err error) error { return &lineError{line, err} }

func indentOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// scanBlock takes the lines that are indented deeper than the statement, and
// blank lines between them. The first line's indentation is taken off all.
func scanBlock(lines []string, outer string) (block string, n int) {
	inner := ""
	var b strings.Builder
	blank := 0
	for i, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		if strings.TrimSpace(line) == "" {
			blank++
			continue
		}
		indent := indentOf(line)
		if n == 0 {
			inner = indent
		}
		if len(indent) <= len(outer) || !strings.HasPrefix(indent, outer) {
			break
		}
		for ; blank > 0; blank-- {
			b.WriteByte('\n')
		}
		text, ok := strings.CutPrefix(line, inner)
		if !ok {
			text = line[len(indent):] // less deep than the first, yet deeper than the statement
		}
		b.WriteString(text)
		b.WriteByte('\n')
		n = i + 1
	}
	return b.String(), n
}

// scanLine splits a line into words. A word is quoted as in Go, or it is
// anything up to the next blank. A "#" that begins a word begins a comment.
func (s *stmt) scanLine(line string) error {
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" || line[0] == '#' {
			return nil
		}
		w, rest, err := scanWord(line)
		if err != nil {
			return err
		}
		s.words = append(s.words, w)
		line = rest
		if len(s.words) == 1 && !w.quoted && (w.text == "env" || w.text == "config") {
			return s.scanAssign(rest)
		}
	}
}

func scanWord(line string) (word, string, error) {
	if line[0] == '"' || line[0] == '`' {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return word{}, "", fmt.Errorf("quotes are not closed, or not as in Go: %.40s", line)
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return word{}, "", fmt.Errorf("unquote %.40s: %w", line, err)
		}
		rest := line[len(quoted):]
		if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			return word{}, "", fmt.Errorf("wants a blank after %.40s", quoted)
		}
		return word{text, true}, rest, nil
	}
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		end = len(line)
	}
	return word{text: line[:end]}, line[end:], nil
}

// scanAssign reads NAME=VALUE, blanks around "=" allowed. The value is the rest
// of the line up to a comment, or a Go-quoted string.
func (s *stmt) scanAssign(rest string) error {
	name, value, ok := strings.Cut(rest, "=")
	s.name = strings.Trim(name, " \t")
	if !ok || s.name == "" || strings.ContainsAny(s.name, " \t#\"\x00") {
		return fmt.Errorf("%s wants NAME=VALUE", s.words[0].text)
	}
	value = strings.TrimLeft(value, " \t")
	if value != "" && (value[0] == '"' || value[0] == '`') {
		w, rest, err := scanWord(value)
		if err != nil {
			return err
		}
		if rest = strings.TrimLeft(rest, " \t"); rest != "" && rest[0] != '#' {
			return fmt.Errorf("more after the value of %s: %.40s", s.name, rest)
		}
		s.value = w.text
		return nil
	}
	for i := 0; i < len(value); i++ {
		if value[i] == '#' && (i == 0 || value[i-1] == ' ' || value[i-1] == '\t') {
			value = value[:i]
			break
		}
	}
	s.value = strings.TrimRight(value, " \t")
	if strings.IndexByte(s.value, 0) >= 0 {
		return fmt.Errorf("the value of %s has a NUL byte", s.name)
	}
	return nil
}
