package rulefile

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/heedsh/heed/internal/policy"
)

// Text writes a rule as an entry of a file's list of rules, without indentation.
func Text(r *policy.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- id: %s\n  action: %s\n", scalar(r.ID), r.Action)
	fmt.Fprintf(&b, "  match: %s\n", mapping(&r.Match))
	if r.Except != nil {
		fmt.Fprintf(&b, "  except: %s\n", mapping(r.Except))
	}
	if r.Confine {
		b.WriteString("  confine: true\n")
	}
	for _, f := range []struct{ key, text string }{{"reason", r.Reason}, {"owner", r.Owner}, {"until", r.Until}} {
		if f.text != "" {
			fmt.Fprintf(&b, "  %s: %s\n", f.key, scalar(f.text))
		}
	}
	if len(r.Examples.Match)+len(r.Examples.Not) > 0 {
		b.WriteString("  examples:\n")
		for _, f := range []struct {
			key  string
			list []string
		}{{"match", r.Examples.Match}, {"not", r.Examples.Not}} {
			if len(f.list) > 0 {
				fmt.Fprintf(&b, "    %s: %s\n", f.key, sequence(f.list))
			}
		}
	}
	return b.String()
}

func mapping(m *policy.Match) string {
	var parts []string
	for _, f := range keys(m) {
		switch len(f.words) {
		case 0:
		case 1:
			parts = append(parts, f.key+": "+scalar(f.words[0]))
		default:
			parts = append(parts, f.key+": "+sequence(f.words))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func sequence(words []string) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = scalar(w)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// scalar writes a text as YAML that reads as this text: a plain word, or as JSON,
// which YAML is a superset of (YAML 1.2.2, section 1.3).
func scalar(text string) string {
	if regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9/._-]*$`).MatchString(text) && !regexp.MustCompile(`^(?i:null|true|false|yes|no|on|off|y|n)$`).MatchString(text) {
		return text
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return `""` // no text fails
	}
	return string(quoted)
}
