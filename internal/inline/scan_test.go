package inline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// A scanCase is a program and everything that is said about it, in the
// notation of render.
type scanCase struct{ text, want string }

// render writes a result on one line. "?" marks what was not inspected.
func render(r Result) string {
	var out []string
	for _, e := range r.Effects {
		t := string(e.Verb)
		if s := e.Target.String(); s != "" {
			t += " " + s
		}
		for _, f := range []struct {
			on   bool
			name string
		}{{e.Recursive, "recursive"}, {e.Forced, "forced"}, {e.Many, "many"}, {e.Shown, "shown"}} {
			if f.on {
				t += " " + f.name
			}
		}
		if e.Kind != risk.NoKind {
			t += " (" + e.Kind.String() + ")"
		}
		for _, c := range e.Carries {
			if c.Stdin {
				t += " <- stdin"
			} else {
				t += " <- " + c.Path.String()
			}
		}
		out = append(out, t)
	}
	for _, r := range r.Runs {
		switch r.Kind {
		case catalog.RunShell:
			out = append(out, "shell: "+r.Text.String())
		case catalog.RunCode, catalog.RunScript:
			out = append(out, fmt.Sprintf("%s %d: %s", r.Lang, r.Kind, r.Text.String()))
		default:
			var w []string
			for _, v := range r.Argv {
				w = append(w, v.String())
			}
			out = append(out, "argv: "+strings.Join(w, "|"))
		}
	}
	slices.Sort(out)
	for _, f := range []struct {
		on   bool
		name string
	}{{r.ShowsEnv, "env"}, {r.ReadsStdin, "stdin"}, {r.Pure, "pure"}, {!r.Inspected, "?"}} {
		if f.on {
			out = append(out, f.name)
		}
	}
	return strings.Join(out, "; ")
}

func runCases(t *testing.T, lang string, cases []scanCase) {
	t.Helper()
	t.Parallel()
	for _, c := range cases {
		t.Run(c.text[:min(len(c.text), 60)], func(t *testing.T) {
			t.Parallel()
			if got := render(Scan(lang, c.text, Host{})); got != c.want {
				t.Errorf("%s: %s\n got %q\nwant %q", lang, c.text, got, c.want)
			}
		})
	}
}

func TestUnknownLanguage(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"", "cobol", "sh"} {
		if r := Scan(lang, "x", Host{}); r.Pure || r.Inspected || Reads(lang) {
			t.Errorf("Scan(%q) = %+v", lang, r)
		}
	}
	if r := Scan("python", strings.Repeat("1\n", maxText), Host{}); r.Pure || r.Inspected {
		t.Errorf("a text that is too long: %+v", r)
	}
}

// fuzzLanguage checks on any text that nothing panics and that what is called
// pure does nothing.
func fuzzLanguage(f *testing.F, lang string, cases []scanCase) {
	for _, c := range cases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		r := Scan(lang, text, Host{})
		if r.Pure && (!r.Inspected || len(r.Effects)+len(r.Runs) > 0) {
			t.Errorf("%q: pure, but %s", text, render(r))
		}
		if r.Complete && !r.Inspected {
			t.Errorf("%q: complete, but %s", text, render(r))
		}
		if again := Scan(lang, text, Host{}); render(again) != render(r) {
			t.Errorf("%q: once %s, once %s", text, render(r), render(again))
		}
	})
}

// Texts as long as are read, of one piece repeated: every scan ends.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"a;", "("} {
		text := strings.Repeat(unit, maxText/len(unit))
		for _, lang := range []string{"python", "perl", "ruby", "php", "node", "lua", "tcl", "r", "applescript"} {
			if r := Scan(lang, text, Host{}); r.Pure && unit == "(" && lang != "tcl" && lang != "applescript" {
				t.Errorf("%s: %q repeated is pure", lang, unit)
			}
		}
	}
}
