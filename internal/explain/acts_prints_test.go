package explain

import (
	"strings"
	"testing"
)

func TestPrintsText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                              "Prints nothing",
		"\n":                            "Prints an empty line",
		"up\n":                          "Prints “up”",
		"a\nb\nc\n":                     "Prints “a”, “b” and “c”",
		"\na\n\nb\n":                    "Prints “a” and “b”",
		"a\nb\nc\nd\n":                  "Prints “a” and 3 more lines",
		strings.Repeat("x ", 30) + "\n": "Prints “" + Cut(strings.TrimSpace(strings.Repeat("x ", 30)), maxText) + "”",
	} {
		if got := printsText(text); got != want {
			t.Errorf("printsText(%q): got %q, want %q", text, got, want)
		}
	}
}

func TestTextsOf(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	for name, test := range map[string]struct {
		acts []Act
		want string
	}{
		"one after the other":   {[]Act{{Prints: text("a\n")}, {Prints: text("b\n")}}, "Prints “a” and “b”"},
		"what a pipe brings":    {[]Act{{Piped: true}, {Fed: true, Prints: text("a\n")}}, "Prints “a”"},
		"one that is not known": {[]Act{{Prints: text("a\n")}, {}}, ""},
		"on a condition":        {[]Act{{Prints: text("")}, {Prints: text("b\n"), Conditional: true}}, ""},
		"to a file":             {[]Act{{Piped: true}, {Prints: text("b\n")}}, ""},
		"started by another":    {[]Act{{Passes: true}, {Prints: text("b\n")}}, "Prints “b”"},
		"elsewhere":             {[]Act{{Prints: text("b\n"), Host: "db"}}, ""},
	} {
		if got := textsOf(test.acts); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

func TestFitting(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("y", 60)
	parts, by := fitting([]string{"lists " + long, "sorts it", "shows 3 lines of it", "counts " + long}, []string{"a", "b", "c", "d"}, []bool{false, true, true, false})
	if len(parts) != 2 || by[1] != "d" {
		t.Errorf("got %q of %q", parts, by)
	}
	if parts, _ = fitting([]string{"lists x", "sorts it"}, []string{"a", "b"}, []bool{false, true}); len(parts) != 2 {
		t.Errorf("what has room was left out: %q", parts)
	}
}
