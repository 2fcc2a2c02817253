//go:build linux

package gitstate

import (
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/heedsh/heed/internal/world"
)

// Where revisions differ, and which paths are other repositories, is as git says.
func TestChangesAsGit(t *testing.T) {
	t.Parallel()
	for _, sc := range scenarios {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.sh(sc.script)
			r := l.open(&rangeFS{})
			var links []string
			for _, line := range strings.Split(l.must("ls-files", "-s"), "\n") {
				if meta, name, ok := strings.Cut(line, "\t"); ok && strings.HasPrefix(meta, "160000") && !slices.Contains(links, name) {
					links = append(links, name)
				}
			}
			if diff := gocmp.Diff(links, r.Links(100)); diff != "" && len(links)+len(r.Links(100)) > 0 {
				t.Errorf("Links (-git +heed)\n%s", diff)
			}
			for _, pair := range [][2]string{{"HEAD~1", "HEAD"}, {"HEAD", "HEAD~2"}, {"HEAD", "side"}, {"v0", "HEAD"}, {"HEAD...side", "side"}, {"side...HEAD", "HEAD"}} {
				changes(t, l, r, pair[0], pair[1])
			}
		})
	}
}

func changes(t *testing.T, l *lab, r world.Repo, from, to string) {
	t.Helper()
	base := from
	if a, b, both := strings.Cut(from, "..."); both {
		base, _ = l.git("merge-base", a, b)
	}
	out, ok := l.git("diff-tree", "-r", "--no-renames", "--name-only", base, to)
	got, complete := r.Changes(from, to, 10_000)
	if !ok || base == "" {
		if len(got) > 0 || complete {
			t.Errorf("Changes(%s, %s) = %v, %v; git knows none", from, to, got, complete)
		}
		return
	}
	var want []string
	if out != "" {
		want = strings.Split(out, "\n")
	}
	slices.Sort(want)
	if diff := gocmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 || !complete {
		t.Errorf("Changes(%s, %s), complete %v (-git +heed)\n%s", from, to, complete, diff)
	}
	if few, all := r.Changes(from, to, 1); len(want) > 1 && (all || len(few) != 1) {
		t.Errorf("Changes(%s, %s, 1) = %v, %v", from, to, few, all)
	}
}

// Own tells the repository's settings from its user's.
func TestOwn(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(`git init -q .; git config --global core.pager less; git config --global core.editor vi; git config core.editor ./ed
printf '[gpg]\n\tprogram = ./g\n' >more.cfg; git config include.path ../more.cfg; printf '[diff]\n\texternal = x\n' >~/inc; git config --global include.path ~/inc`)
	r := l.open(&rangeFS{})
	for key, want := range map[string]bool{"core.pager": false, "core.editor": true, "CORE.Editor": true, "gpg.program": true, "diff.external": false, "no.such": false} {
		if got := r.Own(key); got != want {
			t.Errorf("Own(%s) = %v", key, got)
		}
	}
}
