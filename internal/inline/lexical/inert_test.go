package lexical

import "testing"

func TestInert(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang, text string
		want       bool
	}{
		{"dc", "2 3 + p", true},
		{"dc", "1 2 !=a", true},
		{"dc", "!touch x", false},
		{"dc", "1 !", false},
		{"dc", "?p", false},
		{"xmllint", "cd /a\n\nxpath //b\nls\n", true},
		{"xmllint", "cd /a\nsave x", false},
		{"xmllint", "xpath //b > x", false},
		{"gawk", "break 1\nrun\nbt\n", true},
		{"gawk", "dump x", false},
		{"ftp", "quit", false},
		{"", "", false},
	} {
		if got := Inert(c.lang, c.text); got != c.want {
			t.Errorf("Inert(%q, %q) = %v, want %v", c.lang, c.text, got, c.want)
		}
	}
}
