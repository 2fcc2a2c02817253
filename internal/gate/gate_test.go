package gate

import (
	"bytes"
	"strings"
	"testing"

	"github.com/heedsh/heed/risk"
)

func TestRefuse(t *testing.T) {
	t.Parallel()
	full := Refusal{
		Tier: risk.Review, Summary: "Deletes it.", Command: "rm it", Dir: "/d", Reason: "so it is", Digest: strings.Repeat("ab", 32),
		Approve: "heed run --approve abab-abab-abab", Safer: []risk.Safer{{Command: "mv it \x1b[2J", Why: "keeps it"}},
	}
	for name, c := range map[string]struct {
		r    Refusal
		json bool
		want string
	}{
		"all": {full, false, "[REVIEW] Deletes it.\n  command: rm it\n  in:      /d\n  safer:   mv it \\x1b[2J  (keeps it)\n  digest:  abab-abab-abab\n" +
			"heed run: not run: so it is\n  a person can run exactly this, here, once, at a terminal: heed run --approve abab-abab-abab\n"},
		"a reason": {Refusal{Reason: "no"}, false, "heed run: not run: no\n"},
		"nothing":  {Refusal{}, false, "heed run: not run\n"},
		"JSON":     {Refusal{Tier: risk.Review, Reason: "no", Denied: true}, true, `{"tier":"REVIEW","denied":true,"reason":"no","exit":126}` + "\n"},
	} {
		var b bytes.Buffer
		g := Gate{Name: "heed run", Err: &b, JSON: c.json}
		if code := g.Refuse(&c.r); code != Refused || b.String() != c.want {
			t.Errorf("%s: code %d\n%s\nwant\n%s", name, code, &b, c.want)
		}
	}
}

// TestNobodyIsAskedInAnAgentsSession: a variable that an agent sets is enough.
func TestNobodyIsAskedInAnAgentsSession(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "AGENT"} {
		g := Gate{Getenv: func(n string) string { return map[string]string{name: "1"}[n] }}
		if _, err := g.Terminal(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
