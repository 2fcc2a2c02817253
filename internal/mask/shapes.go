package mask

import (
	"regexp"
	"strings"

	"github.com/heedsh/heed/internal/once"
)

// A shape is a way in which secrets are written. The first group is kept.
type shape struct {
	kind string
	// guards are texts of which one stands in whatever the pattern matches: a
	// text without them is not searched, and the pattern not compiled.
	guards  []string
	pattern *once.Value[*regexp.Regexp]
}

// shapes recognise secrets wherever they stand. Sources: RFC 3986 (userinfo),
// RFC 7468 (private keys), RFC 7519 (tokens in three parts), and the issuers'
// documentation of their prefixes (GitHub, GitLab, Slack, AWS, Google, npm,
// Stripe, OpenAI, Anthropic).
func shapes() []shape {
	return []shape{
		{"key", []string{"PRIVATE KEY-----"}, &keys},
		{"password", []string{"://"}, &userinfo},
		{"token", []string{"eyJ"}, &threeParts},
		{"token", []string{"gh", "glpat-", "xox", "AKIA", "ASIA", "AIza", "npm_", "k_live_", "k_test_", "sk-"}, &issued},
	}
}

var (
	keys     = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp { return regexp.MustCompile(`(-----BEGIN [A-Z ]*PRIVATE KEY-----)[^-]*`) }}
	userinfo = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
		return regexp.MustCompile(`(\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@"'<>]*:)[^\s/@"'<>]+@`)
	}}
	threeParts = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
		return regexp.MustCompile(`()\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`)
	}}
	issued = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
		return regexp.MustCompile(`()\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|A[KS]IA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,}|npm_[A-Za-z0-9]{30,}|[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_-]{20,})`)
	}}
)

// Placeholder stands for a secret of a kind.
func Placeholder(kind string) string { return "<secret:" + kind + ">" }

// Text replaces what looks like a secret by its own shape.
func Text(text string) string {
	if len(text) < len("a://:b@") {
		return text
	}
	for _, s := range shapes() {
		if !containsAny(text, s.guards) {
			continue
		}
		end := ""
		if s.kind == "password" {
			end = "@"
		}
		text = s.pattern.Get().ReplaceAllString(text, "${1}"+Placeholder(s.kind)+end)
	}
	return text
}

func containsAny(text string, guards []string) bool {
	for _, g := range guards {
		if strings.Contains(text, g) {
			return true
		}
	}
	return false
}
