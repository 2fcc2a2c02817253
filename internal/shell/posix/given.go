package posix

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/splice"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// givenWords is code of a file that is scanned in which nothing is not known but words
// that whoever runs the file gives: `trap "rm -f $1" 0`. They may hold more than a word,
// so that it is told as code all the same. A command that such a word begins is not known
// at all, but for a variable of the environment with words of the text behind it ($CC -c
// a.c): that names a program, and which one any name is PATH says in the same environment.
// The name of a variable that is made of one is a variable that is not known.
func givenWords(st *shell.State, text value.Value) (string, bool) {
	var b splice.Builder
	parts := text.Parts()
	if len(parts) == 0 || text.Taint().Has(value.Network) || (parts[0].Hole != nil || strings.TrimSpace(parts[0].Lit) == "") && !namesProgram(parts) {
		return "", false
	}
	named := false // the last hole is a part of a variable's name
	for i, p := range parts {
		if p.Hole != nil {
			if p.Hole.Cause != risk.CauseGiven && !wordlike(p.Hole) {
				return "", false
			}
			b.Data(value.Of(*p.Hole).With(text.Taint()))
			continue
		}
		lit := p.Lit
		if named {
			lit = strings.TrimLeftFunc(lit, isNameRune)
		}
		if i+1 < len(parts) {
			rest := strings.TrimRightFunc(lit, isNameRune)
			if named = strings.HasSuffix(rest, "$") && !strings.HasSuffix(rest, `\$`); named {
				lit = strings.TrimSuffix(rest, "$")
			}
			if strings.HasSuffix(lit, `\`) || strings.HasSuffix(rest, "${") || !named && !isBlank(p.Lit) && opensCommand(lit) && !namesProgram(parts[i+1:]) {
				return "", false
			}
		}
		b.Text(lit)
	}
	from := len(st.Parts)
	st.Parts = append(slices.Clip(st.Parts), b.Parts()...)
	return splice.Rebase(b.String(), len(b.Parts()), from), true
}

// wordlike reports whether whatever stands for a hole is one word to a shell, or none.
func wordlike(h *value.Hole) bool {
	if len(h.OneOf) > 0 {
		return !slices.ContainsFunc(h.OneOf, func(s string) bool {
			return strings.ContainsFunc(s, func(r rune) bool { return !isNameRune(r) && !strings.ContainsRune("./-,:+=@%", r) })
		})
	}
	return h.Shape == value.Number
}

// namesProgram reports whether what stands next in a text is a variable of the
// environment, with a word behind it that the text itself has.
func namesProgram(parts []value.Part) bool {
	for len(parts) > 0 && parts[0].Hole == nil && strings.TrimSpace(parts[0].Lit) == "" {
		parts = parts[1:]
	}
	if len(parts) == 0 || parts[0].Hole == nil || !environment(parts[0].Hole) {
		return false
	}
	for _, p := range parts[1:] {
		if p.Hole == nil && !isBlank(p.Lit) {
			first, _ := utf8.DecodeRuneInString(strings.TrimLeft(p.Lit, " \t"))
			return isNameRune(first) || strings.ContainsRune("-./:+%@\"'", first)
		}
	}
	return false
}

// environment reports whether a hole is a variable that the environment gives, and no
// argument.
func environment(h *value.Hole) bool {
	return h.Cause == risk.CauseGiven && h.Written == "" && isName(h.Name) && h.Name != "OPTARG"
}

// isBlank reports whether a text is nothing but the blanks between two words: the
// first part of code is a word, and so what stands behind such a text begins no command.
func isBlank(text string) bool { return strings.Trim(text, " \t") == "" }

// opensCommand reports whether what stands next in a text is a command.
func opensCommand(text string) bool {
	text = strings.TrimRight(text, " \t")
	if text == "" || strings.HasSuffix(text, "\n") {
		return true
	}
	for _, end := range []string{";", "&", "|", "(", "{", "!", "`", "then", "do", "else", "exec", "eval", "if", "while", "until", "elif"} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

// maxTexts bounds the texts that code which is one of a few is evaluated as.
const maxTexts = 6

// alternatives are the texts that code can be of which parts are one of a few strings,
// each with those in place; none where they are too many or what nobody here wrote.
// Other holes stay as they are, and so do words behind the first.
func alternatives(text value.Value) []value.Value {
	if text.Taint().Has(value.Network) {
		return nil
	}
	all := []value.Value{{}}
	for i, p := range text.Parts() {
		choices := []value.Value{value.Lit(p.Lit)}
		if p.Hole != nil {
			choices = []value.Value{value.Of(*p.Hole)}
		}
		if p.Hole != nil && len(p.Hole.OneOf) > 0 && (i == 0 || !wordlike(p.Hole)) {
			choices = nil
			for _, s := range p.Hole.OneOf {
				choices = append(choices, value.Lit(s))
			}
		}
		if len(all)*len(choices) > maxTexts {
			return nil
		}
		var next []value.Value
		for _, begin := range all {
			for _, c := range choices {
				next = append(next, value.Concat(begin, c).With(text.Taint()))
			}
		}
		all = next
	}
	return all
}

// eachText evaluates code that is one of a few texts: each on its own, from one state,
// and what they leave is joined.
func (e *evaluator) eachText(st *shell.State, texts []value.Value, dialect string, io ioctx, at risk.Span) {
	reached, maybe := st.Reached, st.Maybe
	var after *shell.State
	for _, text := range texts {
		branch := st.Clone()
		branch.Under(risk.Condition{})
		e.nested(branch, text, dialect, io, at)
		if after == nil {
			after = branch
		} else {
			after.Join(branch)
		}
	}
	*st = *after
	st.Reached, st.Maybe = reached, maybe
}
