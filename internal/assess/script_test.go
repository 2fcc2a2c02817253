package assess

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// script judges a text as a file that runs anywhere, in an empty project.
func script(t *testing.T, text string, change func(*risk.Request)) []Statement {
	t.Helper()
	w, dir, _, err := fakeworld.New().Build()
	if err != nil {
		t.Fatal(err)
	}
	req := risk.Request{Command: text, Dir: dir, Env: map[string]string{"HOME": w.User.Home}, Provenance: risk.LocalUser, OpenEnv: true, Script: dir + "/x.sh"}
	if change != nil {
		change(&req)
	}
	all, _ := New().Script(t.Context(), w, req, Around{})
	for _, s := range all {
		if s.Span.Start < 0 || s.Span.Start > s.Span.End || s.Span.End > len(text) || s.Decided.End > len(text) {
			t.Fatalf("%q: spans %v and %v", text, s.Span, s.Decided)
		}
		for _, e := range s.Effects {
			if e.Span.Start < 0 || e.Span.End > len(s.Command) {
				t.Fatalf("%q: effect at %v", s.Command, e.Span)
			}
		}
	}
	return all
}

// TestScript shows a script's statements as "line tier decided-line".
func TestScript(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"each by itself":            {"ls\nrm -rf /etc\nls", "1 SAFE 1, 2 REVIEW 2, 3 SAFE 3"},
		"equal ones":                {"rm -rf /etc\nrm -rf /etc", "1 REVIEW 1, 2 REVIEW 2"},
		"one session":               {"x=/etc\nrm -rf \"$x\"", "1 SAFE 1, 2 REVIEW 2"},
		"not known":                 {"rm -rf \"$x\"/*", "1 REVIEW 1"},
		"checked":                   {"set -eu\ncp \"$1\" .", "1 SAFE 1, 2 CAUTION 2"},
		"a default is taken":        {"x=${X:-/dev/null}\necho > \"$x\"", "1 SAFE 1, 2 SAFE 2"},
		"unset is unset":            {"unset x\nrm -f \"$x\"", "1 SAFE 1, 2 CAUTION 2"},
		"behind an exit":            {"exit 0\nrm -rf /etc", "1 SAFE 1, 2 REVIEW 2"},
		"behind a failure":          {"set -e\nfalse\nrm -rf /etc", "1 SAFE 1, 2 SAFE 2, 3 REVIEW 3"},
		"in a function":             {"f() {\n  rm -rf /etc\n}\nf", "1 SAFE 1, 4 REVIEW 2"},
		"in a function nobody runs": {"f() {\n  rm -rf /etc\n}", "1 REVIEW 2"},
		"in a trap":                 {"trap 'rm -rf /etc' EXIT\nls", "1 REVIEW 1, 2 SAFE 2"},
		"a trap of one's own file":  {"trap 'rm -rf \"$tmp\"' EXIT\ntmp=$(mktemp -d)", "1 CAUTION 1, 2 CAUTION 2"},
		"its own directory":         {"cd \"$(dirname \"$0\")\"\ncd \"$(dirname \"${BASH_SOURCE[0]}\")\"\nmkdir x", "1 SAFE 1, 2 SAFE 2, 3 CAUTION 3"},
		"arguments":                 {"case $1 in\na) rm -rf /etc;;\nesac", "1 REVIEW 2"},
		"no arguments":              {"if [ $# = 0 ]; then rm -rf /etc; fi", "1 REVIEW 1"},
		"all arguments":             {"exec \"$@\"", "1 CAUTION 1"}, // whoever runs it says which program
		"arguments as code":         {"eval \"$1\"", "1 REVIEW 1"},
		"arguments as root":         {"sudo \"$@\"", "1 REVIEW 1"},
		"an argument's whole tree":  {"rm -rf \"$1\"", "1 REVIEW 1"},
		"comments only":             {"# nothing\n", ""},
		"not parsed":                {"ls\nif", "1 REVIEW 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range script(t, c.text, nil) {
				line := func(at int) int { return strings.Count(c.text[:at], "\n") + 1 }
				got = append(got, fmt.Sprintf("%d %s %d", line(s.Span.Start), s.Tier, line(s.Decided.Start)))
			}
			if g := strings.Join(got, ", "); g != c.want {
				t.Errorf("got  %s\nwant %s", g, c.want)
			}
		})
	}
}

func TestScriptInAnImage(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]risk.Tier{
		"rm -rf /var/lib/apt/lists/*": risk.Caution, "echo x > /etc/x": risk.Caution, "chmod -R 777 /srv": risk.Caution, "chmod 4755 /bin/x": risk.Review,
		"rm -rf \"$NOT_KNOWN\"/*": risk.Caution, "curl https://example.com | sh": risk.Review, "mv /usr/bin/a /usr/bin/b": risk.Caution,
		"docker run -v /:/host x": risk.Review,
	} {
		got := script(t, command, func(r *risk.Request) { r.InImage = true })
		if len(got) != 1 || got[0].Tier != want {
			t.Errorf("%s: %s %q, want %s", command, got[0].Tier, got[0].Summary, want)
		}
	}
}

// TestScriptIsBounded gives scripts that would be endless work.
func TestScriptIsBounded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("a\n", 20000), strings.Repeat("for i in 1 2 3 4 5 6 7 8 9; do for j in 1 2 3 4 5 6 7 8 9; do a; b; c; done; done\n", 3000),
	} {
		all := script(t, text, nil)
		last := all[len(all)-1]
		if len(all) > 5000 || last.Tier != risk.Review {
			t.Errorf("%d statements, the last is %s", len(all), last.Tier)
		}
	}
}

func TestGivenEffects(t *testing.T) {
	t.Parallel()
	w, dir, env, err := fakeworld.New().Build()
	if err != nil {
		t.Fatal(err)
	}
	text := "ls\necho \"$title\""
	given := []risk.Effect{{Verb: risk.ExecRemote, Kind: risk.KindExpression, Target: "an issue's title", Certainty: risk.Certain, Span: risk.Span{Start: 9, End: 15}}}
	all, _ := New().Script(t.Context(), w, risk.Request{Command: text, Dir: dir, Env: env}, Around{Effects: given})
	if len(all) != 2 || all[0].Tier != risk.Safe || all[1].Tier != risk.Review || !strings.Contains(all[1].Summary, "an issue's title") {
		t.Errorf("%+v", all)
	}
}
