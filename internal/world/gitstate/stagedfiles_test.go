//go:build linux

package gitstate

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// stagedOf are all files that are staged in a repository.
func stagedOf(l *lab) ([]StagedFile, error) {
	return StagedFiles(l.open(&rangeFS{}), 1<<20, func(string) bool { return true })
}

func names(files []StagedFile) (out []string) {
	for _, f := range files {
		out = append(out, f.Path)
	}
	return out
}

// stagedNames are the paths at which git says that a regular file is added or
// changed, or not merged.
func (l *lab) stagedNames() (out []string) {
	// :100644 100644 aaaa bbbb M, and the path behind a NUL
	fields := strings.Split(strings.TrimSuffix(l.must("diff-index", "--cached", "--raw", "-z", "--no-renames", l.headOrEmpty()), "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		mode, status := strings.Fields(fields[i])[1], strings.Fields(fields[i])[4]
		if strings.HasPrefix(mode, "100") || status == "U" {
			out = append(out, fields[i+1])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (l *lab) headOrEmpty() string {
	if id, ok := l.git("rev-parse", "-q", "--verify", "HEAD"); ok {
		return id
	}
	return l.must("hash-object", "-t", "tree", "/dev/null")
}

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
	got, err := stagedOf(l)
	want := []StagedFile{{Path: "d/e/changed", Text: []byte("two\n"), Was: []byte("one\n")}, {Path: "d/new.sh", Text: []byte("new\n")}}
	if diff := gocmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}

// Before the first commit all that is staged is new.
func TestStagedFilesUnborn(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(`git init -q .; echo one > a; git add a`)
	got, err := stagedOf(l)
	if diff := gocmp.Diff([]StagedFile{{Path: "a", Text: []byte("one\n")}}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
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
	got, err := stagedOf(l)
	if diff := gocmp.Diff([]StagedFile{{Path: "a", Problem: "its merge is not done"}}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
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
			got, err := stagedOf(l)
			if err != nil {
				if !errors.Is(err, errReftable) {
					t.Errorf("%v", err)
				}
				return
			}
			if want := l.stagedNames(); !slices.Equal(want, names(got)) {
				t.Errorf("%q, git %q", names(got), want)
			}
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

// Of a large content the beginning is enough, however large it is; only what is
// wanted is read.
func TestStagedFilesLarge(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(`git init -q .; git config core.bigFileThreshold 40m
head -c 100 /dev/zero >was; head -c 2000000 /dev/zero >shrunk; git add .; git commit -qm one
head -c 2000000 /dev/zero >was; head -c 100 /dev/zero >shrunk
head -c 18000000 /dev/urandom >loose; head -c 30000000 /dev/zero >deflates; head -c 41000000 /dev/zero >packed
echo x >unwanted; git add .`)
	got, err := StagedFiles(l.open(&rangeFS{}), 1<<20, func(p string) bool { return p != "unwanted" })
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range got {
		if large := f.Path != "shrunk"; f.Large != large || large && len(f.Text) != headSize || !large && len(f.Text) != 100 || f.Was != nil || f.Problem != "" {
			t.Errorf("%s: large %v, %d bytes of text, %d before, %q", f.Path, f.Large, len(f.Text), len(f.Was), f.Problem)
		}
	}
	if want := []string{"deflates", "loose", "packed", "shrunk", "was"}; !slices.Equal(want, names(got)) {
		t.Errorf("%q", names(got))
	}
}

// What cannot be read is told, and never taken for nothing staged.
func TestStagedFilesUnreadable(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ script, err, problem string }{
		"content":    {"rm -f .git/objects/$(git rev-parse :d/a | sed 's,..,&/,')", "", "its staged content cannot be read"},
		"before":     {"rm -f .git/objects/$(git rev-parse HEAD:d/a | sed 's,..,&/,')", "", "its content in HEAD cannot be read"},
		"directory":  {"rm -f .git/objects/$(git rev-parse HEAD:d | sed 's,..,&/,')", `reading the directory "d/" of HEAD`, ""},
		"commit":     {"rm -f .git/objects/$(git rev-parse HEAD | sed 's,..,&/,')", "reading the commit of HEAD", ""},
		"index":      {"echo x >.git/index", "reading the index", ""},
		"everything": {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.sh(`git init -q .; mkdir d; echo one >d/a; git add .; git commit -qm one; echo two >d/a; git add .; ` + tt.script)
			got, err := stagedOf(l)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("%v, want %s", err, tt.err)
				}
				return
			}
			if err != nil || len(got) != 1 || got[0].Problem != tt.problem {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// Behind a sparse directory of the index is what would be committed, too.
func TestStagedFilesSparse(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(`git init -q .; mkdir in out; echo 1 >in/a; echo 1 >out/a; git add .; git commit -qm one
echo 2 >out/a; git commit -qam two
git sparse-checkout init --cone --sparse-index; git sparse-checkout set in; git reset -q --soft HEAD~1`)
	if _, err := os.Stat(filepath.Join(l.dir, "out")); err == nil {
		t.Fatal("it is checked out")
	}
	got, err := stagedOf(l)
	if diff := gocmp.Diff([]StagedFile{{Path: "out/a", Text: []byte("2\n"), Was: []byte("1\n")}}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}
