package site

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

// OwnEnv returns a variable that the command itself set for the
// invocation; what the session had before is not this command's doing.
func OwnEnv(s *catalog.Site, name string) (value.Value, bool) {
	if s.Env == nil {
		return value.Value{}, false
	}
	v, set, changed := s.Env(name)
	return v, set && changed && !v.Empty()
}

// MayExpand reports whether shell expansion of v could do more than return it.
func MayExpand(v value.Value) bool {
	text, known := v.Known()
	return !known || strings.ContainsAny(text, "$`")
}

// SameWord reports whether a value is known, and is this word.
func SameWord(v value.Value, word string) bool {
	text, known := v.Known()
	return known && text == word
}

// SomeWord reports whether one of the values is known, and is this word.
func SomeWord(vs []value.Value, word string) bool {
	for _, v := range vs {
		if SameWord(v, word) {
			return true
		}
	}
	return false
}

// LastElement returns what follows the last slash.
func LastElement(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }

// OperandsAfter returns the words of a small command line that are neither
// options nor the values of the options in withValue, a list of names
// separated by spaces.
func OperandsAfter(args []value.Value, withValue string) []value.Value {
	var out []value.Value
	for i := 0; i < len(args); i++ {
		text := args[i].Prefix()
		switch {
		case text == "--" && args[i].IsKnown():
			return append(out, args[i+1:]...)
		case len(text) < 2 || text[0] != '-':
			out = append(out, args[i])
		case args[i].IsKnown() && strings.Contains(" "+withValue+" ", " "+text+" "):
			i++
		}
	}
	return out
}

// OptionValue returns the value of an option in its short and long spelling,
// attached or not.
func OptionValue(args []value.Value, short, long string) (value.Value, bool) {
	for i, a := range args {
		text := a.Prefix()
		switch {
		case text == "--" && a.IsKnown():
			return value.Value{}, false
		case a.IsKnown() && (text == short || text == long):
			if i+1 < len(args) {
				return args[i+1], true
			}
		case strings.HasPrefix(text, long+"="):
			return a.Cut(len(long) + 1), true
		case len(short) == 2 && len(text) > 2 && strings.HasPrefix(text, short):
			return a.Cut(2), true
		}
	}
	return value.Value{}, false
}

// OptionGiven reports whether an option without a value is given.
func OptionGiven(args []value.Value, short, long string) bool {
	for _, a := range args {
		if SameWord(a, "--") {
			return false
		}
		if SameWord(a, short) || SameWord(a, long) {
			return true
		}
	}
	return false
}

// StdinCode is what an interpreter runs that is given no code: standard input,
// or what a person types.
func StdinCode(s *catalog.Site, lang string) catalog.Run {
	if s.HasStdin {
		return catalog.Run{Kind: catalog.RunCode, Lang: lang, Stdin: true}
	}
	return catalog.Run{Kind: catalog.RunShellInteractive, Lang: lang}
}

// KnownValue is the value of an option that is known.
func KnownValue(m *catalog.Match, name string) (string, bool) {
	v, ok := m.Value(name)
	if !ok {
		return "", false
	}
	text, known := v.Known()
	return text, known && text != ""
}
