package eval

import (
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/inline"
)

func TestOnlyPrints(t *testing.T) {
	t.Parallel()
	for code, want := range map[string][]string{
		"import zlibx\nprint(zlibx.version())":                                     {"zlibx"},
		"import a, b\nxs = [x for x in a.all() if 'q' in x.name]\nprint(len(xs))":  {"a", "b"},
		"from a.b import c\nfor x in c.items():\n    if x:\n        print(x.name)": {"a"},
		"import a\na.describe()":                                                   nil, // prints nothing
		"import os\nprint(os.listdir())":                                           nil,
		"import a\nprint(a.x)\na.save('y')":                                        nil,
		"import a\nprint(a.x)\nopen('y')":                                          nil,
		"import a\na.x = 1\nprint(a.x)":                                            nil,
		"import a\nprint(a.__dict__['x']())":                                       nil,
		"import a\nprint(getattr(a, 'x')())":                                       nil,
		"print(1)":                                                                 nil,
	} {
		if got := Scan("python", code, inline.Host{}).Uses; !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", code, got, want)
		}
	}
}

func TestConstantNumbers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		lang, code string
		shown      bool
		want       string
	}{
		{"python", "print(6 * 7, 'x')", false, "42 x\n"},
		{"python", "print((1 + 2) * 3 - 4)", false, "5\n"},
		{"python", "print(1 / 2)", false, ""},
		{"python", "print(10 ** 3)", false, ""},
		{"lua", `print("a", "b")`, false, "a\tb\n"},
		{"node", `console.log("a", 2)`, false, "a 2\n"},
		{"node", `console.log("%s", 2)`, false, ""},
		{"node", "20 + 3", true, "23\n"},
		{"node", `"a" + "b"`, true, "ab\n"},
		{"node", `console.log("a")`, true, ""},
		{"node", "20 + 3", false, ""},
		{"ruby", "puts 2 + 2", false, "4\n"},
	} {
		out := Scan(test.lang, test.code, inline.Host{Prints: test.shown}).Output
		if got, known := out.Known(); got != test.want || !known {
			t.Errorf("%s %q: got %q, want %q", test.lang, test.code, got, test.want)
		}
	}
}
