package fakeworld

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/world/madeup"
)

// A reader fills a statement in.
type reader struct{ madeup.Statement }

// scan splits a text into statements.
func scan(text string) ([]madeup.Statement, error) {
	if len(text) > madeup.MaxText {
		return nil, fmt.Errorf("larger than %d bytes", madeup.MaxText)
	}
	var all []madeup.Statement
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		s := reader{madeup.Statement{Line: i + 1}}
		line := strings.TrimSuffix(lines[i], "\r")
		if err := s.scanLine(line); err != nil {
			return nil, atLine(s.Line, err)
		}
		if len(s.Words) == 0 {
			continue
		}
		if last := len(s.Words) - 1; s.Words[last] == (madeup.Word{Text: "<<"}) {
			block, n := scanBlock(lines[i+1:], indentOf(line))
			s.Words, s.Block = s.Words[:last], &block
			i += n
			if n == 0 || last == 0 {
				return nil, atLine(s.Line, errors.New(`"<<" wants a statement before it and an indented block below`))
			}
		}
		all = append(all, s.Statement)
	}
	return all, nil
}

func atLine(line int, err error) error { return &madeup.LineError{Line: line, Err: err} }

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
func (s *reader) scanLine(line string) error {
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" || line[0] == '#' {
			return nil
		}
		w, rest, err := scanWord(line)
		if err != nil {
			return err
		}
		s.Words = append(s.Words, w)
		line = rest
		if len(s.Words) == 1 && !w.Quoted && (w.Text == "env" || w.Text == "config") {
			return s.scanAssign(rest)
		}
	}
}

func scanWord(line string) (madeup.Word, string, error) {
	if line[0] == '"' || line[0] == '`' {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return madeup.Word{}, "", fmt.Errorf("quotes are not closed, or not as in Go: %.40s", line)
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return madeup.Word{}, "", fmt.Errorf("unquote %.40s: %w", line, err)
		}
		rest := line[len(quoted):]
		if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			return madeup.Word{}, "", fmt.Errorf("wants a blank after %.40s", quoted)
		}
		return madeup.Word{Text: text, Quoted: true}, rest, nil
	}
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		end = len(line)
	}
	return madeup.Word{Text: line[:end]}, line[end:], nil
}

// scanAssign reads NAME=VALUE, blanks around "=" allowed. The value is the rest
// of the line up to a comment, or a Go-quoted string.
func (s *reader) scanAssign(rest string) error {
	name, value, ok := strings.Cut(rest, "=")
	s.Name = strings.Trim(name, " \t")
	if !ok || s.Name == "" || strings.ContainsAny(s.Name, " \t#\"\x00") {
		return fmt.Errorf("%s wants NAME=VALUE", s.Words[0].Text)
	}
	value = strings.TrimLeft(value, " \t")
	if value != "" && (value[0] == '"' || value[0] == '`') {
		w, rest, err := scanWord(value)
		if err != nil {
			return err
		}
		if rest = strings.TrimLeft(rest, " \t"); rest != "" && rest[0] != '#' {
			return fmt.Errorf("more after the value of %s: %.40s", s.Name, rest)
		}
		s.Value = w.Text
		return nil
	}
	for i := 0; i < len(value); i++ {
		if value[i] == '#' && (i == 0 || value[i-1] == ' ' || value[i-1] == '\t') {
			value = value[:i]
			break
		}
	}
	s.Value = strings.TrimRight(value, " \t")
	if strings.IndexByte(s.Value, 0) >= 0 {
		return fmt.Errorf("the value of %s has a NUL byte", s.Name)
	}
	return nil
}
