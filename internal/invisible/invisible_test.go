package invisible_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/invisible"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                              "",
		"ls -l\tx\n":                    "",
		"ls\r\nls\r\n":                  "",
		"ls\r":                          "",
		"echo safe\rrm -rf x":           "carriage return",
		"ls \b\b\brm":                   "backspace",
		"ls \x1b[2K":                    "escape",
		"ls a\u200bb":                   "U+200B",
		"ls \u202ex":                    "direction",
		"ls \u2066x\u2069":              "direction",
		"ls a\u200fb":                   "direction",
		"echo שלום\u200f!":              "",
		"echo می\u200cخواهم":            "",
		"echo क्\u200dष":                "",
		"echo a\u200cb":                 "U+200C",
		"echo 👨\u200d👩\u200d👧":          "",
		"echo ❤\ufe0f 1\ufe0f\u20e3 ✌🏽": "",
		"echo a\ufe0f":                  "U+FE0F",
		"echo 😀\ufe0f\ufe01":            "U+FE01",
		"echo 葛\U000e0100":              "",
		"echo x\U000e0100":              "U+E0100",
		"echo \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f": "",
		"echo x\U000e0065":                  "U+E0065",
		"git commit -m 'naïve café — “ok”'": "",
		"echo \u3164":                       "U+3164",
		"soft\u00adhyphen":                  "U+00AD",
		"日本語 текст ไทย 한국어":                 "",
	} {
		got, _ := invisible.Find(text)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%+q: %q, want %q", text, got, want)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("a\u200db")
	f.Add("\r")
	f.Add("\xff")
	f.Fuzz(func(t *testing.T, text string) {
		what, at := invisible.Find(text)
		if what != "" && (at < 0 || at >= len(text)) {
			t.Errorf("%q at %d of %d", what, at, len(text))
		}
		for _, r := range text {
			if utf8.ValidString(text) && what == "" && r >= 0x202a && r <= 0x202e {
				t.Errorf("%+q hides nothing", text)
			}
		}
	})
}
