package buildfile

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// maxChoices is how many values a value that is one of several is followed
// through.
const maxChoices = 16

// words splits a value at blanks. A word that holds a hole may be several.
func words(v value.Value) []value.Value {
	if text, known := v.Known(); known {
		fields := strings.Fields(text)
		out := make([]value.Value, len(fields))
		for i, f := range fields {
			out[i] = value.Lit(f).With(v.Taint())
		}
		return out
	}
	var out []value.Value
	var b value.Builder
	started := false
	end := func() {
		if started {
			out = append(out, b.Value().With(v.Taint()))
		}
		started = false
	}
	for _, p := range v.Parts() {
		if p.Hole != nil {
			b.Add(value.Of(*p.Hole))
			started = true
			continue
		}
		for text := p.Lit; text != ""; {
			n := strings.IndexAny(text, " \t\n\r\v\f")
			switch {
			case n < 0:
				b.WriteString(text)
				started, text = true, ""
			case n == 0:
				end()
				text = text[1:]
			default:
				b.WriteString(text[:n])
				started, text = true, text[n:]
			}
		}
	}
	end()
	return out
}

// join joins words with blanks between them.
func join(all []value.Value) value.Value {
	switch len(all) {
	case 0:
		return value.Value{}
	case 1:
		return all[0]
	}
	var b value.Builder
	for i, v := range all {
		if i > 0 {
			b.WriteString(" ")
		}
		b.Add(v)
	}
	return b.Value()
}

// each applies a function of text to what a value can be: to all of it where
// that is known or one of a few, and else word by word, where a word with a
// part that is not known stays what otherwise makes of it.
func each(v value.Value, f func(string) string, otherwise func(value.Value) value.Value) value.Value {
	if _, ok := v.Candidates(maxChoices); ok {
		return v.Map(f, value.AnyText)
	}
	var out []value.Value
	for _, w := range words(v) {
		text, known := w.Known()
		if !known {
			out = append(out, otherwise(w))
		} else if s := f(text); s != "" {
			out = append(out, value.Lit(s).With(w.Taint()))
		}
	}
	return join(out)
}

// patsubst replaces the words that a pattern with % matches, or that are the
// pattern.
func patsubst(s, from, to string) string {
	all := strings.Fields(s)
	for i, w := range all {
		if stem, ok := stemOf(from, w); ok {
			all[i] = strings.Replace(to, "%", stem, 1)
		} else if from == w {
			all[i] = to
		}
	}
	return strings.Join(all, " ")
}

// stemOf returns what % stands for when pattern matches target.
func stemOf(pattern, target string) (string, bool) {
	before, after, ok := strings.Cut(pattern, "%")
	if !ok || len(target) < len(before)+len(after)+1 || !strings.HasPrefix(target, before) || !strings.HasSuffix(target, after) {
		return "", false
	}
	return target[len(before) : len(target)-len(after)], true
}

// matches reports whether one of patterns matches a word.
func matches(patterns, word string) bool {
	for p := range strings.FieldsSeq(patterns) {
		if _, ok := stemOf(p, word); ok || p == word {
			return true
		}
	}
	return false
}

// stripped is text with one blank between its words.
func stripped(s string) string { return strings.Join(strings.Fields(s), " ") }

// sorted is text with its words in order, each once.
func sorted(s string) string {
	all := strings.Fields(s)
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// wordwise applies a function to every word of a text.
func wordwise(f func(string) string) func(string) string {
	return func(s string) string {
		var out []string
		for w := range strings.FieldsSeq(s) {
			if w = f(w); w != "" {
				out = append(out, w)
			}
		}
		return strings.Join(out, " ")
	}
}
