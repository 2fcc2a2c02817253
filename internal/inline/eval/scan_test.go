package eval

import (
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/inline/inlinetest"
	"github.com/heedsh/heed/internal/inline/syntax"
	"github.com/heedsh/heed/risk"
)

// A scanCase is a program and everything that is said about it, in the
// notation of render.
type scanCase struct{ text, want string }

func runCases(t *testing.T, lang string, cases []scanCase) {
	t.Helper()
	t.Parallel()
	for _, c := range cases {
		t.Run(c.text[:min(len(c.text), 60)], func(t *testing.T) {
			t.Parallel()
			if got := inlinetest.Render(Scan(lang, c.text, inline.Host{})); got != c.want {
				t.Errorf("%s: %s\n got %q\nwant %q", lang, c.text, got, c.want)
			}
		})
	}
}

func TestUnknownLanguage(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"", "cobol", "sh"} {
		if r := Scan(lang, "x", inline.Host{}); r.Pure || r.Inspected || inline.Reads(lang) {
			t.Errorf("Scan(%q) = %+v", lang, r)
		}
	}
	if r := Scan("python", strings.Repeat("1\n", syntax.MaxText), inline.Host{}); r.Pure || r.Inspected {
		t.Errorf("a text that is too long: %+v", r)
	}
}

// fuzzLanguage checks on any text that nothing panics and that what is called
// pure does nothing but read, as a filter, what its arguments name: it may have
// named them itself.
func fuzzLanguage(f *testing.F, lang string, cases []scanCase) {
	for _, c := range cases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		r := Scan(lang, text, inline.Host{})
		reads := !slices.ContainsFunc(r.Effects, func(e catalog.Effect) bool { return e.Verb != risk.FSRead })
		if r.Pure && (!r.Inspected || !reads || len(r.Runs) > 0) {
			t.Errorf("%q: pure, but %s", text, inlinetest.Render(r))
		}
		if r.Complete && !r.Inspected {
			t.Errorf("%q: complete, but %s", text, inlinetest.Render(r))
		}
		if again := Scan(lang, text, inline.Host{}); inlinetest.Render(again) != inlinetest.Render(r) {
			t.Errorf("%q: once %s, once %s", text, inlinetest.Render(r), inlinetest.Render(again))
		}
	})
}

// Texts as long as are read, of one piece repeated: every scan ends.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"a;", "("} {
		text := strings.Repeat(unit, syntax.MaxText/len(unit))
		for _, lang := range []string{"python", "perl", "ruby", "php", "node", "lua", "tcl", "r", "applescript"} {
			if r := Scan(lang, text, inline.Host{}); r.Pure && unit == "(" && lang != "tcl" && lang != "applescript" {
				t.Errorf("%s: %q repeated is pure", lang, unit)
			}
		}
	}
}
