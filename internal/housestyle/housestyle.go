package housestyle

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// MaxSentence is how long a sentence is at most, in characters (DESIGN section 7).
const MaxSentence = 140

// categories name a kind of thing where an act should stand.
var categories = []string{
	"only reads or prints", "changes the configuration", "changes the machine's configuration", "changes state", "remote state through",
	"runs code of", "shows repository data", "changes local git state",
}

// vague are verbs that say what kind of act it is where one of a clause should stand
// by which a person knows what is done.
var vague = []string{"manages", "works with", "works on", "performs", "handles", "deals with"}

// jargon are heed's own words, which nobody else knows.
var jargon = []string{"<xargs>", "(critical)", "operand", "argv", "overlay", "invocation", " hole", "tier", "not explained"}

// warnings fit every command and say nothing of this one.
var warnings = []string{"be careful", "potentially dangerous", "may be dangerous", "use with caution", "could be harmful", "at your own risk", "please "}

// Phrase returns what is wrong with a phrase: what a spec or a kind says of one act,
// with its slots in braces and its parts in brackets.
func Phrase(text string) (faults []string) {
	plain := strings.TrimSpace(text)
	switch {
	case plain == "":
		return []string{"it is empty"}
	case plain != text:
		faults = append(faults, "it begins or ends with a blank")
	case strings.HasSuffix(plain, "."):
		faults = append(faults, "it ends with a full stop, which the sentence adds")
	}
	return append(faults, words(plain)...)
}

// Sentence returns what is wrong with a whole sentence.
func Sentence(text string) (faults []string) {
	if n := utf8.RuneCountInString(text); n > MaxSentence {
		faults = append(faults, fmt.Sprintf("it has %d characters, more than %d", n, MaxSentence))
	}
	if !strings.HasSuffix(text, ".") {
		faults = append(faults, "it does not end with a full stop")
	}
	if hole := holes().FindString(text); hole != "" {
		faults = append(faults, fmt.Sprintf("%q is how the evaluation writes what it does not know", hole))
	}
	return append(faults, words(text)...)
}

// holes are words that only the evaluation writes.
var holes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<(xargs|parallel|more arguments|standard input|descriptor \d*|a value in \w+|an expression|a loop|one of several|\w+ code|line|mktemp)>`)
})

// words finds what neither should say.
func words(text string) (faults []string) {
	first, _ := utf8.DecodeRuneInString(text)
	if unicode.IsLower(first) {
		faults = append(faults, "it begins with a small letter")
	}
	// Names of the command stand in quotes and slots, and may say anything.
	lower := strings.ToLower(unquoted(text))
	for _, list := range []struct {
		what  string
		words []string
	}{{"names a category and not the act", categories}, {"is heed's own word", jargon}, {"is a warning that fits everything", warnings}} {
		for _, w := range list.words {
			if contains(lower, w) {
				faults = append(faults, fmt.Sprintf("%q %s", strings.TrimSpace(w), list.what))
			}
		}
	}
	for clause := range strings.SplitSeq(lower, "; ") {
		clause = strings.TrimPrefix(clause, "also ")
		for _, w := range vague {
			if begins(clause, w) {
				faults = append(faults, fmt.Sprintf("%q names a category and not the act", w))
			}
		}
	}
	if word, _, _ := strings.Cut(lower, " "); strings.HasSuffix(word, "ing") && word != "bring" && word != "nothing" {
		faults = append(faults, fmt.Sprintf("it begins with %q: say what is done in the present tense (Deletes, Shows)", word))
	}
	return faults
}

// begins reports whether a text begins with words that end there.
func begins(text, words string) bool {
	rest, ok := strings.CutPrefix(text, words)
	next, _ := utf8.DecodeRuneInString(rest)
	return ok && !(unicode.IsLetter(next) || unicode.IsDigit(next))
}

// contains reports whether words stand in a text as words: prettier has no tier.
func contains(text, words string) bool {
	words = strings.TrimSpace(words)
	for at := 0; ; {
		i := strings.Index(text[at:], words)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at+i])
		if !unicode.IsLetter(before) && (begins(text[at+i:], words) || begins(text[at+i:], words+"s")) {
			return true
		}
		at += i + len(words)
	}
}

// unquoted leaves out what stands in quotes, backquotes and slots.
func unquoted(text string) string {
	var b strings.Builder
	closing := rune(0)
	for _, c := range text {
		switch {
		case closing != 0:
			if c == closing {
				closing = 0
			}
		case c == '“':
			closing = '”'
		case c == '`':
			closing = '`'
		case c == '{':
			closing = '}'
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
