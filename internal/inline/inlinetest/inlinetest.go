// Package inlinetest writes results of reading programs for tests.
//
// In goes an [inline.Result], out comes a line. No program may link it.
package inlinetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/risk"
)

// Render writes a result on one line. "?" marks what was not inspected.
func Render(r inline.Result) string {
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
