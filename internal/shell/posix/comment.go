package posix

import (
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"mvdan.cc/sh/v3/syntax"
)

// Line ends that the parser takes for continued lines, and no shell does. What
// is behind them is a command of its own. They are rewritten byte for byte, so
// that all places stay.

// maxComments bounds how often a text is parsed again for its comments.
const maxComments = 8

// endedLines takes away the backslashes before a carriage return and newline:
// the shells read them as a quoted carriage return and the end of the line. In
// quotes and documents it is data that loses a byte.
func endedLines(text string) string {
	const end = "\\\r\n"
	if !strings.Contains(text, end) {
		return text
	}
	b := []byte(text)
	for i := 0; i+len(end) <= len(b); i++ {
		switch {
		case string(b[i:i+len(end)]) == end:
			b[i] = ' '
		case b[i] == '\\':
			i++
		}
	}
	return string(b)
}

// endedComments takes away the backslashes at the ends of comments: a comment
// ends with its line (POSIX.1-2024 Shell 2.3, rule 9; 2.2.1).
func endedComments(text string, parse func(string) (*syntax.File, error)) (string, error) {
	for range maxComments {
		if !strings.Contains(text, "#") || !strings.Contains(text, "\\\n") {
			return text, nil
		}
		file, err := parse(text)
		if err != nil { // perhaps for that reason
			return guessedComments(text, parse), nil
		}
		b := []byte(text)
		continued := false
		comments(file, func(start, end int, c *syntax.Comment) {
			if strings.HasSuffix(c.Text, "\\\n") && end > start {
				continued, b[end-1] = true, ' '
			}
		}, text)
		if !continued {
			return text, nil
		}
		text = string(b)
	}
	return text, shell.ErrTooComplex
}

// guessedComments does the same where every line that could have such a comment
// has one, and the text cannot be read otherwise.
func guessedComments(text string, parse func(string) (*syntax.File, error)) string {
	b := []byte(text)
	changed := map[int]bool{}
	start := 0
	for i := range b {
		if b[i] != '\n' {
			continue
		}
		if line := text[start:i]; strings.Contains(line, "#") && strings.HasSuffix(line, `\`) {
			b[i-1], changed[i-1] = ' ', true
		}
		start = i + 1
	}
	if len(changed) == 0 {
		return text
	}
	file, err := parse(string(b))
	if err != nil {
		return text
	}
	comments(file, func(start, end int, _ *syntax.Comment) { delete(changed, end-1) }, string(b))
	if len(changed) > 0 {
		return text
	}
	return string(b)
}

// comments calls f for every comment of a text with where it starts and where
// its line ends.
func comments(file *syntax.File, f func(start, end int, c *syntax.Comment), text string) {
	syntax.Walk(file, func(n syntax.Node) bool {
		c, ok := n.(*syntax.Comment)
		if !ok {
			return true
		}
		start := int(c.Hash.Offset())
		if start >= len(text) {
			return true
		}
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		f(start, end, c)
		return true
	})
}
