package madeup

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// A Word is a part of a statement. What is quoted is never a keyword, and a quoted
// word at the end is the contents of a file.
type Word struct {
	Text   string
	Quoted bool
}

// A Statement says one thing about a machine.
type Statement struct {
	Words []Word
	// Name and Value are of env and config statements, which have nothing else
	// after the keyword.
	Name, Value string
	// Block, if set, is the contents of the file that the statement is about.
	Block *string
	// Line is where the statement stands in a text; 0 if it stands in none.
	Line int
	git  int // index of the last git statement before this one, or -1
}

// Say is the statement of these words.
func Say(words ...string) Statement {
	var s Statement
	for _, w := range words {
		s.Words = append(s.Words, Word{Text: w})
	}
	return s
}

// About is the statement of these words about a path, whatever its name looks like.
func About(path string, words ...string) Statement {
	s := Say(words...)
	s.Words = append([]Word{{Text: path, Quoted: true}}, s.Words...)
	return s
}

// Set is an env or a config statement.
func Set(keyword, name, value string) Statement {
	s := Say(keyword)
	s.Name, s.Value = name, value
	return s
}

// Holding is the same statement about a file with these contents.
func (s Statement) Holding(text string) Statement {
	s.Block = &text
	return s
}

// String writes a statement in the language of package fakeworld, on one line.
func (s Statement) String() string {
	if len(s.Words) == 0 {
		return ""
	}
	var b strings.Builder
	for i, w := range s.Words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if w.Quoted || !plain(w.Text) {
			b.WriteString(strconv.Quote(w.Text))
		} else {
			b.WriteString(w.Text)
		}
	}
	switch {
	case s.keyword() == "config":
		fmt.Fprintf(&b, " %s = %s", s.Name, strconv.Quote(s.Value))
	case s.Name != "":
		fmt.Fprintf(&b, " %s=%s", s.Name, strconv.Quote(s.Value))
	case s.Block != nil:
		b.WriteByte(' ')
		b.WriteString(strconv.Quote(*s.Block))
	}
	return b.String()
}

// plain reports whether a word is read as itself without quotes.
func plain(word string) bool {
	for i := range len(word) {
		c := word[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && strings.IndexByte("_./~@%+:,->", c) < 0 {
			return false
		}
	}
	return word != ""
}

// MaxText bounds the text of a world's description, in bytes.
const MaxText = 1 << 20

// Make makes the world that statements describe, the directory a command runs in
// and its environment.
func Make(all []Statement) (w *world.World, dir string, env map[string]string, err error) {
	m := newMaker()
	if err := m.make(append([]Statement(nil), all...)); err != nil {
		return nil, "", nil, err
	}
	return m.world(), m.dir, m.env, nil
}

// errNoWords says that a statement is none.
var errNoWords = errors.New("a statement has no words")

// A LineError is an error with the number of the line it is about.
type LineError struct {
	Line int
	Err  error
}

// Error implements error.
func (e *LineError) Error() string {
	if e.Line == 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("line %d: %v", e.Line, e.Err)
}

// Unwrap returns what is wrong.
func (e *LineError) Unwrap() error { return e.Err }

func atLine(line int, err error) error { return &LineError{line, err} }
