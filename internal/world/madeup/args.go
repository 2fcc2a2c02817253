package madeup

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// args reads the words of a statement one after the other.
type args struct {
	words []Word
	block *string
}

// after returns the words after the first n.
func (s *Statement) after(n int) *args { return &args{s.Words[n:], s.Block} }

func (a *args) more() bool { return len(a.words) > 0 }

// next returns the next word, or an error that says what is missing.
func (a *args) next(what string) (string, error) {
	if !a.more() {
		return "", fmt.Errorf("wants %s", what)
	}
	w := a.words[0]
	a.words = a.words[1:]
	if strings.IndexByte(w.Text, 0) >= 0 {
		return "", fmt.Errorf("%s has a NUL byte", what)
	}
	return w.Text, nil
}

// take drops the next words if they are these.
func (a *args) take(texts ...string) bool {
	if len(a.words) < len(texts) {
		return false
	}
	for i, text := range texts {
		if a.words[i] != (Word{Text: text}) {
			return false
		}
	}
	a.words = a.words[len(texts):]
	return true
}

// content takes a quoted word or the block, which end a statement.
func (a *args) content() (text string, ok bool) {
	if len(a.words) == 0 && a.block != nil {
		text, a.block = *a.block, nil
		return text, true
	}
	if len(a.words) == 1 && a.words[0].Quoted {
		text, a.words = a.words[0].Text, nil
		return text, true
	}
	return "", false
}

// number returns the next word as a number of at most most.
func (a *args) number(what string, most int) (int, error) {
	text, err := a.next(what)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, fmt.Errorf("%s: want a number up to %d, not %q", what, most, text)
	}
	return n, nil
}

// count returns the next word if it is a number and the word after it one of
// units, and drops both.
func (a *args) count(most int, units ...string) (n int, ok bool, err error) {
	if len(a.words) < 2 || a.words[0].Quoted || a.words[1].Quoted {
		return 0, false, nil
	}
	for _, unit := range units {
		if a.words[1].Text == unit {
			n, err = a.number("count of "+unit, most)
			if err == nil {
				a.words = a.words[1:]
			}
			return n, err == nil, err
		}
	}
	return 0, false, nil
}

// end complains of what is left.
func (a *args) end() error {
	if a.more() {
		return fmt.Errorf("does not understand %q", a.words[0].Text)
	}
	if a.block != nil {
		return errors.New("has no use for a block")
	}
	return nil
}

// maxSize bounds the sizes of files: 1 PB.
const maxSize = 1_000_000_000_000_000

// parseSize reads 12B, 3kB, 312MB, 4GB, 1TB (powers of 1000) and KiB, MiB, GiB.
func parseSize(text string) (size int64, ok bool) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.ParseInt(text[:digits], 10, 64)
	if err != nil {
		return 0, false
	}
	unit := int64(0)
	switch text[digits:] {
	case "B":
		unit = 1
	case "kB", "KB":
		unit = 1_000
	case "MB":
		unit = 1_000_000
	case "GB":
		unit = 1_000_000_000
	case "TB":
		unit = 1_000_000_000_000
	case "KiB":
		unit = 1 << 10
	case "MiB":
		unit = 1 << 20
	case "GiB":
		unit = 1 << 30
	default:
		return 0, false
	}
	if n > maxSize/unit {
		return 0, false
	}
	return n * unit, true
}
