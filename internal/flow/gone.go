package flow

import (
	"path"
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
		if path.Base(e.Target) == ".git" {
			roots = append(roots, path.Dir(e.Target))
		} else if at := strings.Index(e.Target+"/", "/.git/"); at > 0 && strings.HasPrefix(e.Target[at:], "/.git/objects") {
			roots = append(roots, e.Target[:at])
		}
	}
	for i := range t.Effects {
		e := &t.Effects[i]
		if e.Reversible != risk.Restorable || e.Remedy != risk.RemedyGit {
			continue
		}
		for _, root := range roots {
			if workspace.Inside(e.Target, root) {
				e.Reversible, e.Remedy = risk.Lost, risk.Remedy{}
			}
		}
	}
}
