package buildfile

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/value"
)

// recipes is what every recipe of a justfile comes to where nothing is known of
// the machine.
func recipes(text string) string {
	j := NewJust(Site{}, "")
	j.Read(text)
	var got []string
	for _, job := range j.Recipes() {
		v := job.Value()
		got = append(got, job.Recipe+": "+v.String())
	}
	return strings.Join(got, "\n")
}

func TestJustRecipes(t *testing.T) {
	t.Parallel()
	const text = `
out := "dist"
both := out / other()
a dir="tmp" *more:
    rm -rf {{out}} {{dir}} {{more}}
    echo {{both}} {{env("HOME")}} {{env("X", "y")}}
b target:
    #!/bin/sh
    rm {{target}}
`
	want := strings.Join([]string{
		`a: rm -rf dist tmp {{more}}`,
		`a: echo dist/{{other()}} {{env("HOME")}} y`,
		"b: #!/bin/sh\nrm {{target}}",
	}, "\n")
	if got := recipes(text); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestJustDirectory: where recipes run is said by the file, by attributes and on
// the command line.
func TestJustDirectory(t *testing.T) {
	t.Parallel()
	const text = "a:\n  x\n[no-cd]\nb:\n  x\n[working-directory: '/etc']\nc:\n  x\n"
	for _, tt := range []struct {
		set, in string
		want    []string
	}{
		{"", "", []string{"/p", "/p/sub", "/etc"}},
		{"set working-directory := 'w'\n", "", []string{"/p/w", "/p/sub", "/etc"}},
		{"set working-directory := 'w'\n", "/q", []string{"/q", "/p/sub", "/etc"}},
	} {
		j := NewJust(Site{Dir: "/p/sub"}, "/p/justfile")
		if tt.in != "" {
			j.In(tt.in)
		}
		j.Read(tt.set + text)
		for i, job := range j.Recipes() {
			if job.Dir != tt.want[i] {
				t.Errorf("%q, in %q: %s runs in %s, want %s", tt.set, tt.in, job.Recipe, job.Dir, tt.want[i])
			}
		}
	}
}

func FuzzJust(f *testing.F) {
	for _, seed := range []string{
		"a: b\n  rm {{x}}\nb:\n", "x := `id` + 'a' / \"b\"\n[private]\n@a *p='q': && (b 'c')\n\techo {{p}}", "set shell := ['sh', '-c']\nalias z := a\na:\n #!/bin/sh\n x",
		"a:\n  {{", "export x := env('A', 'b')\nset export", "a x=(y + (z)):\n\\", "x := '''\n", "a: a", "a x='': (a x + 'x')\n  echo a\n",
	} {
		f.Add(seed, "a")
	}
	f.Fuzz(func(t *testing.T, text, word string) {
		if len(text) > 4096 {
			return
		}
		j := NewJust(Site{}, "/p/justfile")
		j.Read(text)
		j.Goals([]value.Value{value.Lit(word)})
		j.Backticks()
		if n := len(j.Recipes()) + len(j.Jobs()); n > 20*maxCommands {
			t.Errorf("%d commands", n)
		}
	})
}
