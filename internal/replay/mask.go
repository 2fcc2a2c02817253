package replay

import (
	"maps"
	"regexp"
	"strings"

	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world/record"
	"github.com/heedsh/heed/risk"
)

// A masking says where texts that look like secrets are replaced. What a
// variable holds whose name is that of a credential is replaced always: the
// engine does not look at it.
type masking struct{ env, world bool }

// maskings lists them, the strictest first.
func maskings() []masking { return []masking{{true, true}, {true, false}, {false, true}, {}} }

func (m masking) request(req risk.Request) risk.Request {
	env := maps.Clone(req.Env)
	for name, text := range env {
		switch {
		case text != "" && value.CredentialName(name):
			env[name] = placeholder("environment", text)
		case m.env:
			env[name] = mask(text)
		}
	}
	req.Env = env
	return req
}

func (m masking) log(l *record.Log) *record.Log {
	if m.world {
		return l.Rewrite(mask)
	}
	return l
}

// keeps names the places where a masking leaves what looks like a secret.
func (m masking) keeps(req risk.Request, l *record.Log) []string {
	var kept []string
	if mask(req.Command) != req.Command {
		kept = append(kept, "the command")
	}
	if !m.env {
		for _, text := range req.Env {
			if mask(text) != text {
				kept = append(kept, "the environment")
				break
			}
		}
	}
	if !m.world {
		found := false
		l.Rewrite(func(s string) string {
			found = found || mask(s) != s
			return s
		})
		if found {
			kept = append(kept, "what was read of the machine")
		}
	}
	return kept
}

// maxString is the longest variable that a session can have (package assess).
const maxString = 128 << 10

// placeholder stands for a secret of this kind. That it is not empty counts,
// and that it is longer than any variable can be; nothing else does.
func placeholder(kind, secret string) string {
	text := "<secret:" + kind + ">"
	if len(secret) > maxString/2 {
		text += strings.Repeat("-", max(0, len(secret)-len(text)))
	}
	return text
}

// A shape is a way in which secrets are written. The first group is kept.
type shape struct {
	kind    string
	pattern *regexp.Regexp
}

// shapes recognise secrets wherever they stand. Sources: RFC 3986 (userinfo),
// RFC 7468 (private keys), RFC 7519 (tokens in three parts), and the issuers'
// documentation of their prefixes (GitHub, GitLab, Slack, AWS, Google, npm,
// Stripe, OpenAI, Anthropic).
var shapes = once.Value[[]shape]{Make: func() []shape {
	return []shape{
		{"key", regexp.MustCompile(`(-----BEGIN [A-Z ]*PRIVATE KEY-----)[^-]*`)},
		{"password", regexp.MustCompile(`(\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@"'<>]*:)[^\s/@"'<>]+@`)},
		{"token", regexp.MustCompile(`()\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`)},
		{"token", regexp.MustCompile(`()\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|A[KS]IA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,}|npm_[A-Za-z0-9]{30,}|[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_-]{20,})`)},
	}
}}

// mask replaces secrets by placeholders of their kind.
func mask(text string) string {
	if len(text) < len("a://:b@") {
		return text
	}
	for _, s := range shapes.Get() {
		text = s.pattern.ReplaceAllStringFunc(text, func(found string) string {
			kept := s.pattern.FindStringSubmatch(found)[1]
			end := ""
			if s.kind == "password" {
				end = "@"
			}
			return kept + "<secret:" + s.kind + ">" + end
		})
	}
	return text
}
