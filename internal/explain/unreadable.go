package explain

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// withReason says of what cannot be parsed what the parser says of it, and that nothing runs
// where that is sure: what is opened in the first line and never closed takes in all that
// stands behind it, and a shell runs no line that it has not read to its end.
func (in *Input) withReason(text string, e *risk.Effect) string {
	if e.Kind != risk.KindUnparsable || in.Refused == "" {
		return text
	}
	reason, line := in.Refused, ""
	if _, rest, ok := strings.Cut(reason, "parsing as "); ok { // in which language
		_, reason, _ = strings.Cut(rest, ": ")
	}
	if where, rest, ok := strings.Cut(reason, ": "); ok && strings.Trim(where, "0123456789:") == "" {
		line, _, _ = strings.Cut(where, ":")
		reason = rest
	}
	reason = strings.NewReplacer("`foo(`", "`(`", "`foo()`", "`()`", " foo [in words]`", " NAME [in WORDS]`", " foo`", " NAME`").Replace(reason)
	open := unclosed(reason)
	switch {
	case open != "" && line == "1" && len(in.Acts) == 0:
		return "Runs nothing: " + open + " is never closed, so " + orElse(Visible(e.Target), "the shell") + " stops with a syntax error or waits for more"
	case open != "":
		reason = open + " is never closed"
	}
	if len(in.Acts) == 0 && line == "1" && (strings.Contains(reason, "must be") || strings.Contains(reason, "can only")) { // no shell runs a line that it cannot read
		text = "Most likely runs nothing: " + orElse(Visible(e.Target), "the shell") + " takes it for a syntax error"
	}
	if more := ": " + Visible(reason); length(text+more) < maxSentence {
		return text + tail + more
	}
	return text
}

// unclosed is what a text ends within, by what the parser says; "" where it is no such fault.
func unclosed(reason string) string {
	if quote, ok := strings.CutPrefix(reason, "reached EOF without closing quote "); ok {
		switch strings.Trim(quote, "`\"") {
		case "'":
			return "a single quote"
		case "":
			if quote == "`\"`" {
				return "a double quote"
			}
			return "a backquote"
		case "$'", "$":
			return "a quote $'"
		}
		return "a quote"
	}
	if what, ok := strings.CutPrefix(reason, "reached EOF without matching "); ok {
		what, _, _ = strings.Cut(what, " with ")
		return Visible(what)
	}
	return ""
}
