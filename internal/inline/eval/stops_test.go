package eval_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/inline/eval"
)

// What a program surely comes to before it has changed anything.
func TestStops(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ code, want string }{
		{"import csv\nprint(open('a.csv').read())", "csv a.csv"},
		{"open('out/a', 'w').write('x')", "made:out/a"},
		{"from pathlib import Path\nprint(Path('n').read_text())", "pathlib n"},
		{"try:\n    open('a')\nexcept OSError:\n    pass", ""},
		{"import os\nif os.path.exists('a'):\n    open('a')", "os"},
		{"def f():\n    open('a')\n", ""},
		{"for n in range(3):\n    open('a')\n", ""},
		{"import os\nos.remove('b')\nopen('a')", "os"},
		{"import sys\nsys.exit(0)\nopen('a')", ""},
		{"from . import sibling", ""},
	} {
		var got []string
		for _, s := range eval.Scan("python", test.code, inline.Host{}).Stops {
			name := s.Module
			if name == "" {
				name = s.File.String()
			}
			if s.Made {
				name = "made:" + name
			}
			got = append(got, name)
		}
		if all := strings.Join(got, " "); all != test.want {
			t.Errorf("%q needs %q, want %q", test.code, all, test.want)
		}
	}
}
