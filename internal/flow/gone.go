package flow

import (
	"strings"

	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/risk"
)

// Unsaved takes the word back that git can restore a file, where the same command
// deletes the repository that would do it, now or later.
func (t *Trace) Unsaved() {
	var roots []string
	for i := range t.Effects {
		e := &t.Effects[i]
		if e.Verb != risk.FSDelete || e.Host != "" {
			continue
		}
		root, rest, inside := strings.Cut(e.Target+"/", "/.git/")
		if inside && (rest == "" || rest == "HEAD/" || strings.HasPrefix(rest, "objects/")) {
			roots = append(roots, root)
		}
	}
	for i := range t.Effects {
		e := &t.Effects[i]
		if e.Reversible != risk.Restorable || e.Remedy != risk.RemedyGit {
			continue
		}
		for _, root := range roots {
			// A linked work tree lies elsewhere, and has its commits from there.
			if workspace.Inside(e.Target, root) || e.Verb == risk.FSDelete && e.Recursive {
				e.Reversible, e.Remedy = risk.Lost, risk.Remedy{}
			}
		}
	}
}
