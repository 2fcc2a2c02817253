package posix

import (
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Commands that went through a decoder, or are spelled by the numbers of their
// letters: somebody who reads the line does not see what it runs (ATT&CK T1027,
// Obfuscated Files or Information).

// spelledByNumber is the text of $'…', and counts as decoded where it has
// letters or digits by their numbers: nobody writes them so but to hide them.
func spelledByNumber(raw string) value.Value {
	text := value.Lit(ansiC(raw))
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++
		if c := raw[i]; c != 'x' && c != 'u' && c != 'U' && (c < '0' || c > '7') {
			continue
		}
		if plain := ansiC(raw[i-1 : min(i+9, len(raw))]); plain != "" && isAlnum(plain[0]) {
			return text.With(value.Decoded)
		}
	}
	return text
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// reveal tells what a text was decoded to that is run now.
func (e *evaluator) reveal(st *shell.State, at risk.Span, text value.Value) {
	if !text.Taint().Has(value.Decoded) {
		return
	}
	if known, ok := text.Known(); ok && strings.TrimSpace(known) != "" {
		e.m.Effect(st, at, shell.Effect{Verb: risk.ExecKnown, Target: value.Lit(strings.TrimSpace(known)), Kind: risk.KindConcealedCommand})
	}
}

// line is a command as it would be typed, but for its quotes.
func line(inv *shell.Invocation) value.Value {
	var b value.Builder
	for i, w := range inv.Argv {
		if i > 0 {
			b.WriteString(" ")
		}
		b.WriteString(w.Value.String())
	}
	return b.Value().With(value.Decoded)
}
