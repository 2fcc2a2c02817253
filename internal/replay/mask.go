package replay

import (
	"maps"
	"strings"

	"github.com/heedsh/heed/internal/mask"
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
			env[name] = mask.Text(text)
		}
	}
	req.Env = env
	return req
}

func (m masking) log(l *record.Log) *record.Log {
	if m.world {
		return l.Rewrite(mask.Text)
	}
	return l
}

// keeps names the places where a masking leaves what looks like a secret.
func (m masking) keeps(req risk.Request, l *record.Log) []string {
	var kept []string
	if mask.Text(req.Command) != req.Command {
		kept = append(kept, "the command")
	}
	if !m.env {
		for _, text := range req.Env {
			if mask.Text(text) != text {
				kept = append(kept, "the environment")
				break
			}
		}
	}
	if !m.world {
		found := false
		l.Rewrite(func(s string) string {
			found = found || mask.Text(s) != s
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
	text := mask.Placeholder(kind)
	if len(secret) > maxString/2 {
		text += strings.Repeat("-", max(0, len(secret)-len(text)))
	}
	return text
}
