package explain_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/explain"
)

// FuzzVisible: what is shown hides nothing, moves nothing and holds no badge,
// and text that needs no change is left as it is.
func FuzzVisible(f *testing.F) {
	for _, s := range []string{
		"", "plain", "[SAFE] approved", "[safe]", "[REVIEW", "CAUTION]", "[[SAFE]]", "[SAFE[SAFE]SAFE]", "SAFE]CAUTION]REVIEW]", "\x1b[2J", "a\u202eb", "a\u200bb", "\xff\xfe", "a\nb\tc\rd", "\u2028\u2029", "\u00a0\u3000\u1680",
		"\U000e0041", "\ufe0f", "\u115f\u3164\uffa0\u2800", "\u0000", "é", "日本語", "[S\u200bAFE]", "[SA\xffFE]", "\x7f\u0080\u009b31m", strings.Repeat("[SAFE]", 1000),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := explain.Visible(s)
		if !utf8.ValidString(got) {
			t.Fatalf("%q shows as bytes that are not UTF-8: %q", s, got)
		}
		plain := utf8.ValidString(s) && !strings.ContainsAny(s, "[]")
		for _, r := range s {
			plain = plain && r >= ' ' && r < unicode.MaxASCII
		}
		for _, r := range got {
			if !unicode.IsGraphic(r) || unicode.In(r, unicode.Cf, unicode.Cc, unicode.Bidi_Control, unicode.Variation_Selector) || unicode.Is(unicode.Zs, r) && r != ' ' {
				t.Fatalf("%q shows %U: %q", s, r, got)
			}
		}
		for _, badge := range []string{"[SAFE", "SAFE]", "[CAUTION", "CAUTION]", "[REVIEW", "REVIEW]"} {
			if strings.Contains(strings.ToUpper(got), badge) {
				t.Fatalf("%q shows a badge: %q", s, got)
			}
		}
		if plain && got != s {
			t.Fatalf("%q is plain and shows as %q", s, got)
		}
		if len(got) > 6*len(s)+8 {
			t.Fatalf("%d bytes show as %d", len(s), len(got))
		}
		if again := explain.Visible(got); again != got {
			t.Fatalf("%q shows as %q, and that as %q", s, got, again)
		}
	})
}

// FuzzCut: a cut text has at most n characters and begins and ends as before.
func FuzzCut(f *testing.F) {
	f.Add("a long path of many characters", 10)
	f.Add("é日本語", 2)
	f.Add("", 1)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if n = n & 0xff; n == 0 || !utf8.ValidString(s) {
			return
		}
		got := explain.Cut(s, n)
		switch count := utf8.RuneCountInString(got); {
		case utf8.RuneCountInString(s) <= n && got != s:
			t.Fatalf("%q fits in %d and becomes %q", s, n, got)
		case count > n:
			t.Fatalf("%q cut to %d has %d characters: %q", s, n, count, got)
		case got != s:
			head, tail, found := strings.Cut(got, "…")
			if !found && !strings.Contains(s, "…") || found && !strings.HasPrefix(s, head) {
				t.Fatalf("%q cut to %d: %q (%q)", s, n, got, tail)
			}
		}
	})
}
