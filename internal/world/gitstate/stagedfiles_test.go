//go:build linux

package gitstate

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// What is staged is what git would commit, not what is in the work tree.
func TestStagedFiles(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(`git init -q .; mkdir -p d/e
echo one > same; echo one > d/e/changed; echo one > gone; echo one > turned; ln -s same link
git add .; git commit -qm one
echo two > d/e/changed; echo new > d/new.sh; ln -s d other; rm turned; ln -s same turned
git add -A; git rm -qf gone
echo three > d/e/changed; echo three > d/new.sh; echo three > same; echo x > untracked
echo x > announced; git add -N announced`)
	got, complete := StagedFiles(l.open(&rangeFS{}))
	want := []StagedFile{{Path: "d/e/changed", Text: []byte("two\n"), Was: []byte("one\n")}, {Path: "d/new.sh", Text: []byte("new\n")}}
	if diff := gocmp.Diff(want, got); diff != "" || !complete {
		t.Errorf("complete %v (-want +got)\n%s", complete, diff)
	}
}

// Before the first commit all that is staged is new.
func TestStagedFilesUnborn(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(`git init -q .; echo one > a; git add a`)
	got, complete := StagedFiles(l.open(&rangeFS{}))
	if diff := gocmp.Diff([]StagedFile{{Path: "a", Text: []byte("one\n")}}, got); diff != "" || !complete {
		t.Errorf("complete %v (-want +got)\n%s", complete, diff)
	}
}

// What is not merged yet has no content that would be committed, and is not left out.
func TestStagedFilesUnmerged(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(`git init -q -b main .; echo one > a; git add a; git commit -qm one
git checkout -qb side; echo side > a; git commit -qam side
git checkout -q main; echo main > a; git commit -qam main
git merge -q side || true`)
	got, complete := StagedFiles(l.open(&rangeFS{}))
	if diff := gocmp.Diff([]StagedFile{{Path: "a", Problem: "its merge is not done"}}, got); diff != "" || !complete {
		t.Errorf("complete %v (-want +got)\n%s", complete, diff)
	}
}

// In every eighth of the scenarios it has the contents that git shows.
func TestStagedFilesAsGit(t *testing.T) {
	t.Parallel()
	for i, sc := range scenarios {
		if i%8 != 0 { // each takes git a second
			continue
		}
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.sh(sc.script)
			got, _ := StagedFiles(l.open(&rangeFS{}))
			for _, f := range got {
				if f.Problem != "" {
					continue
				}
				if text, _ := l.git("show", ":"+f.Path); strings.TrimSpace(text) != strings.TrimSpace(string(f.Text)) {
					t.Errorf("%s: staged %q, git %q", f.Path, f.Text, text)
				}
				if text, ok := l.git("show", "HEAD:"+f.Path); ok && len(f.Was) > 0 && strings.TrimSpace(text) != strings.TrimSpace(string(f.Was)) {
					t.Errorf("%s: HEAD %q, git %q", f.Path, f.Was, text)
				}
			}
		})
	}
}
