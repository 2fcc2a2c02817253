package pattern

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/risk"
	"pgregory.net/rapid"
)

func TestGlob(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"a", "a", true},
		{"a", "ab", false},
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "a/b", true},
		{"a*", "a", true},
		{"a*", "ba", false},
		{"*a", "ba", true},
		{"*a", "ab", false},
		{"a*b", "ab", true},
		{"a*b", "axxb", true},
		{"a*b", "axxc", false},
		{"*prod*", "db-prod-1", true},
		{"*prod*", "db-test-1", false},
		{"a*a", "a", false},
		{"a**a", "aa", true},
		{"*ab*ab", "abab", true},
		{"*ab*ab", "ab", false},
		{"a?c", "abc", false},
		{"[a]", "a", false},
	} {
		if got := glob(c.pattern, c.text); got != c.want {
			t.Errorf("glob(%q, %q) = %v, want %v", c.pattern, c.text, got, c.want)
		}
	}
}

// TestGlobFindsWhatItWasMadeFrom replaces parts of a text by stars.
func TestGlobFindsWhatItWasMadeFrom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.StringMatching(`[ab/]{0,3}`), 1, 6).Draw(t, "parts")
		var pattern, text strings.Builder
		for _, p := range parts {
			text.WriteString(p)
			if rapid.Bool().Draw(t, "starred") {
				p = "*"
			}
			pattern.WriteString(p)
		}
		if !glob(pattern.String(), text.String()) {
			t.Fatalf("glob(%q, %q) is false", &pattern, &text)
		}
	})
}

// context is what heed sees of `sudo pg_restore -d prod dump`, beside `echo
// drop`, whose word is data.
func context() *detect.Context {
	return &detect.Context{
		Command: "sudo pg_restore -d prod dump; echo drop",
		Processes: []detect.Process{
			{Program: "sudo", Path: "/usr/bin/sudo", Argv: []string{"sudo", "pg_restore", "-d", "prod", "dump"}, Parent: -1, Span: risk.Span{End: 28}},
			{Program: "pg_restore", Path: "/opt/pg/bin/pg_restore-17", Argv: []string{"pg_restore", "-d", "prod", "dump"}, Flags: []string{"database", "force"}, Parent: 0, Span: risk.Span{End: 28}},
			{Program: "echo", Path: "echo", Argv: []string{"echo", detect.Mask}, Data: []string{"drop"}, Parent: -1, Span: risk.Span{Start: 30, End: 39}},
		},
		Effects: []risk.Effect{
			{Verb: risk.DBDestroy, Target: "prod", Scope: risk.IsRemote, Program: "pg_restore", Kind: risk.KindRestore, Recursive: true, Privileged: true, Span: risk.Span{End: 28}, By: risk.Maker{Process: 1}},
			{Verb: risk.FSWrite, Target: "/etc/x", Scope: risk.InImage, Program: "echo", Span: risk.Span{Start: 30, End: 39}, By: risk.Maker{Process: 2}},
		},
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	effect := func(e Effect) Match { return Match{Effect: &e} }
	for name, c := range map[string]struct {
		match Match
		want  string // the evidence; empty if it does not match
	}{
		"a program by the catalog's name":         {Match{Program: []string{"x", "pg_restore"}}, "pg_restore -d prod dump"},
		"a program by its file":                   {Match{Program: []string{"pg_restore-17"}}, "pg_restore -d prod dump"},
		"another program":                         {Match{Program: []string{"pg_dump"}}, ""},
		"all flags":                               {Match{Flags: []string{"force", "database"}}, "pg_restore -d prod dump"},
		"a flag that is missing":                  {Match{Flags: []string{"force", "clean"}}, ""},
		"words in any order":                      {Match{Program: []string{"pg_restore"}, Words: []string{"du*", "pr*d"}}, "pg_restore -d prod dump"},
		"a word that is missing":                  {Match{Program: []string{"pg_restore"}, Words: []string{"test"}}, ""},
		"the program's name is no word":           {Match{Program: []string{"pg_restore"}, Words: []string{"pg_*"}}, ""},
		"data is no word":                         {Match{Words: []string{"*drop*"}}, ""},
		"an effect":                               {effect(Effect{Verb: []risk.Verb{risk.DBDestroy}, Scope: []risk.Scope{risk.IsRemote}, Target: []string{"p*"}, Many: true, Privileged: true}), "db.destroy prod"},
		"an effect of another scope":              {effect(Effect{Verb: []risk.Verb{risk.DBDestroy}, Scope: []risk.Scope{risk.InHome}}), ""},
		"an effect without a detail":              {effect(Effect{Verb: []risk.Verb{risk.DBDestroy}, Without: []risk.Kind{risk.KindRestore}}), ""},
		"an effect on a root":                     {effect(Effect{Verb: []risk.Verb{risk.DBDestroy}, Root: true}), ""},
		"an image is not this machine":            {effect(Effect{Verb: []risk.Verb{risk.FSWrite}}), ""},
		"an image, if it is asked for":            {effect(Effect{Verb: []risk.Verb{risk.FSWrite}, Scope: []risk.Scope{risk.InImage}}), "fs.write /etc/x"},
		"a program's effect":                      {Match{Program: []string{"pg_restore"}, Effect: &Effect{Verb: []risk.Verb{risk.DBDestroy}}}, "db.destroy prod"},
		"another program's effect":                {Match{Program: []string{"echo"}, Effect: &Effect{Verb: []risk.Verb{risk.DBDestroy}}}, ""},
		"nothing at all holds for nothing":        {Match{}, ""},
		"evidence shows where there was a text …": {Match{Program: []string{"echo"}}, "echo …"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule := Rule{ID: "a.b", Title: "T", Severity: risk.High, ATTACK: []string{"T1485"}, ASI: []string{"ASI02"}, Match: []Match{{Program: []string{"never"}}, c.match}}
			found := Find(context(), []Rule{rule})
			got := ""
			if len(found) > 0 {
				got = found[0].Evidence
				found[0].Evidence, found[0].Span = "", risk.Span{}
				want := []risk.Finding{{ID: "a.b", Layer: Layer, Title: "T", Severity: risk.High, ATTACK: []string{"T1485"}, ASI: []string{"ASI02"}}}
				if d := cmp.Diff(want, found); d != "" {
					t.Error(d)
				}
			}
			if got != c.want {
				t.Errorf("evidence %q, want %q", got, c.want)
			}
		})
	}
}

func TestNet(t *testing.T) {
	t.Parallel()
	find := func(command string, e risk.Effect) []string {
		e.Span = risk.Span{End: len(command)}
		var found []string
		for _, f := range Net(&detect.Context{Command: command, Effects: []risk.Effect{e}}) {
			if f.ID != "heed.net" || f.Severity != risk.High || len(f.ATTACK) != 1 || len(f.ASI) != 1 {
				t.Errorf("%+v", f)
			}
			found = append(found, f.Evidence)
		}
		return found
	}
	code := risk.Effect{Verb: risk.ExecUnknown, Kind: risk.KindCode}
	for command, want := range map[string][]string{
		`x = "rm   -rf\t/"`:                   nil,
		"system('rm\t -rf  /')":               {"rm -rf /"},
		`os.system("r\m -RF '/'")`:            {"rm -rf /"},
		"curl x |bash; history -c":            {"|bash", "history -c"},
		"print('nothing here')":               nil,
		"cat ~/.ssh/id_rsa ~/.ssh/id_ed25519": {".ssh/id_"},
	} {
		if got := find(command, code); !cmp.Equal(got, want) {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
	if got := find("rm -rf /", risk.Effect{Verb: risk.Blind}); len(got) != 1 {
		t.Errorf("a command that cannot be parsed: %q", got)
	}
	if got := find("rm -rf /", risk.Effect{Verb: risk.FSDelete}); got != nil {
		t.Errorf("what heed did read: %q", got)
	}
	if got := Net(&detect.Context{Command: "rm -rf /", Effects: []risk.Effect{{Verb: risk.Blind, Span: risk.Span{Start: 2, End: 99}}}}); got != nil {
		t.Errorf("a span beyond the command: %v", got)
	}
}

func TestBuiltin(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range Builtin() {
		own := r
		own.ID = "acme" + strings.TrimPrefix(r.ID, "heed")
		own.ATTACK = append([]string(nil), r.ATTACK...)
		if _, err := own.check(); err != nil {
			t.Errorf("%s: %v", r.ID, err)
		}
		if !cmp.Equal(own.ATTACK, r.ATTACK) {
			t.Errorf("%s: techniques %v are %v now", r.ID, r.ATTACK, own.ATTACK)
		}
		if seen[r.ID] || !strings.HasPrefix(r.ID, "heed.") || r.Description == "" {
			t.Errorf("%s: its id is taken or not heed's, or it has no description", r.ID)
		}
		seen[r.ID] = true
	}
}

func BenchmarkFind(b *testing.B) {
	ctx := context()
	rules := Builtin()
	b.ReportAllocs()
	for b.Loop() {
		Find(ctx, rules)
	}
}
