package catalog

import (
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// Ordinal takes a name in a condition or a phrase apart that may mean one word of
// several: "word:2" is the second of the argument "word". n is 0 for a name that means
// all of them.
func Ordinal(name string) (arg string, n int) {
	if isVerb(name) {
		return name, 0
	}
	arg, digits, ok := strings.Cut(name, ":")
	if !ok {
		return name, 0
	}
	if n, err := strconv.Atoi(digits); err == nil && n > 0 {
		return arg, n
	}
	return name, 0
}

// MayHave reports whether an argument was given, or so many words of it (operand:2), or
// may have been: what is not known may be several.
func (m *Match) MayHave(name string) bool {
	arg, n := Ordinal(name)
	if n == 0 {
		return m.Has(name)
	}
	words := 0
	for i := range m.Args {
		if b := &m.Args[i]; b.Arg.Name == arg {
			if words++; !b.Value.IsKnown() {
				return true
			}
		}
	}
	return words >= n
}

// nth returns the nth of some words, counted from 1; all of them for 0.
func nth(words []value.Value, n int) []value.Value {
	switch {
	case n == 0:
		return words
	case n > len(words):
		return nil
	}
	return words[n-1 : n]
}
