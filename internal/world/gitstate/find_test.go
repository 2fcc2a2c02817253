//go:build linux

package gitstate

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/heedsh/heed/internal/world"
)

func TestFind(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	top := filepath.Dir(l.dir)
	l.sh(history + `
mkdir -p "$TOP/loop" "$TOP/bad" "$TOP/linked" "$TOP/empty/.git" "$TOP/repo/deep/gone" "$TOP/tree" "$TOP/other"
ln -s .git "$TOP/loop/.git"; echo "gitdir: /nowhere" >"$TOP/bad/.git"; ln -s "$TOP/repo/.git" "$TOP/linked/.git"
git init -q --separate-git-dir "$TOP/apart.git" "$TOP/apart"
git init -q --bare "$TOP/bare.git"
git init -q "$TOP/other"; git -C "$TOP/other" config core.worktree "$TOP/tree"`)
	in := func(name string) string { return filepath.Join(top, name) }
	for _, c := range []struct {
		name, dir    string
		env          map[string]string
		root, gitDir string
	}{
		{"top", "repo", nil, "repo", "repo/.git"},
		{"below", "repo/src/deep", nil, "repo", "repo/.git"},
		{"not there", "repo/no/such", nil, "repo", "repo/.git"},
		{"in .git", "repo/.git/hooks", nil, "repo", "repo/.git"},
		{"outside", "home", nil, "", ""},
		{"loop", "loop", nil, "", ""},
		{"an empty .git", "empty", nil, "", ""},
		{"link to a .git", "linked", nil, "linked", "repo/.git"},
		{"separate", "apart", nil, "apart", "apart.git"},
		{"bare", "bare.git/refs", nil, "", "bare.git"},
		{"core.worktree", "other", nil, "tree", "other/.git"},
		{"GIT_DIR", "home", map[string]string{"GIT_DIR": in("repo/.git")}, "home", "repo/.git"},
		{"GIT_DIR, relative", "repo", map[string]string{"GIT_DIR": "../apart/.git"}, "repo", "apart.git"},
		{"GIT_WORK_TREE", "home", map[string]string{"GIT_DIR": in("repo/.git"), "GIT_WORK_TREE": in("tree")}, "tree", "repo/.git"},
		{"ceiling", "repo/src/deep", map[string]string{"GIT_CEILING_DIRECTORIES": ":" + in("repo")}, "", ""},
	} {
		r, err := New(&rangeFS{}, Options{Home: l.home, Env: c.env}).Find(in(c.dir))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if r == nil {
			if c.gitDir != "" {
				t.Errorf("%s: not found", c.name)
			}
			continue
		}
		root := ""
		if c.root != "" {
			root = in(c.root)
		}
		if r.Root() != root || r.GitDir() != in(c.gitDir) {
			t.Errorf("%s: root %q, git dir %q", c.name, r.Root(), r.GitDir())
		}
	}
	g := New(&rangeFS{}, l.options())
	for _, dir := range []string{in("bad"), in("bad/sub"), "relative"} {
		if r, err := g.Find(dir); err == nil {
			t.Errorf("Find(%s) = %v, want an error", dir, r)
		}
	}
	if _, err := New(&rangeFS{}, Options{Env: map[string]string{"GIT_DIR": in("home")}}).Find(in("repo")); !errors.Is(err, errNotGit) {
		t.Errorf("GIT_DIR that is none: %v", err)
	}
}

func TestHooks(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(history + `mkdir -p .git/hooks; cd .git/hooks; rm -f *; touch pre-commit commit-msg.sample post-merge; chmod +x pre-commit commit-msg.sample
ln -s pre-commit pre-push; ln -s nowhere post-commit; mkdir update`)
	r := l.open(&rangeFS{})
	if d := gocmp.Diff([]string{"pre-commit", "pre-push"}, r.Hooks()); d != "" {
		t.Error(d)
	}
	l.sh(`mkdir "$HOME/h" tools; touch "$HOME/h/a" tools/b; chmod +x "$HOME/h/a" tools/b; git config core.hooksPath '~/h'`)
	if d := gocmp.Diff([]string{"a"}, r.Hooks()); d != "" {
		t.Error(d)
	}
	l.sh(`git config core.hooksPath tools`)
	if d := gocmp.Diff([]string{"b"}, r.Hooks()); d != "" {
		t.Error(d)
	}
	l.sh(`git config core.hooksPath /dev/null`)
	if h := r.Hooks(); len(h) > 0 {
		t.Errorf("hooks in /dev/null: %q", h)
	}
}

func TestStateOfPlaces(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(history + mess + `ln -s src linkdir; git init -q nest; echo x >nest/x; mkdir -p only; echo i >only/x.log; rm -r lib`)
	r := l.open(&rangeFS{})
	for name, want := range map[string]world.FileState{
		"":                   world.MaybeModified,
		"src":                world.MaybeModified, // has tracked files
		"new":                world.Untracked,
		"new/dir":            world.Untracked,
		"build":              world.Ignored,
		"build/in/none":      world.Ignored, // not there
		"nothing/at/all":     world.Untracked,
		"nothing/at/all.log": world.Ignored,
		".git":               world.InGitDir,
		".git/config":        world.InGitDir,
		".gitignore":         world.Untracked,
		"linkdir":            world.Untracked,
		"linkdir/g":          world.NotInRepo,
		"nest/x":             world.NotInRepo,
		"../home":            world.NotInRepo,
		"lib/x.txt":          world.MaybeModified, // deleted
		"a.txt":              world.Clean,         // touched only
		"run.sh":             world.MaybeModified, // chmod
		"staged":             world.Staged,
		"a/z":                world.Untracked, // git rm --cached
	} {
		if got := r.State(filepath.Join(l.dir, name)); got != want {
			t.Errorf("State(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestStatusOfParts(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(history + mess)
	r := l.open(&rangeFS{})
	for dir, want := range map[string]world.Status{
		"src":       {Tracked: 2, Modified: 1, Untracked: 1, Complete: true, Bytes: 8, SomeModified: []string{"src/g"}, SomeUntracked: []string{"src/build/b"}},
		"src/deep":  {Tracked: 1, Complete: true, Bytes: 6},
		"new/dir":   {Untracked: 1, Complete: true, Bytes: 2, SomeUntracked: []string{"new/dir/n"}},
		"build":     {Ignored: 1, Complete: true},
		"build/in":  {Ignored: 1, Complete: true},
		"lib":       {Tracked: 1, Modified: 1, Staged: 1, Complete: true, Bytes: 11, SomeModified: []string{"lib/x.txt"}},
		"none":      {Complete: true},
		".git":      {Complete: true},
		"../home":   {Complete: true},
		"src/deep/": {Tracked: 1, Complete: true, Bytes: 6},
	} {
		if d := gocmp.Diff(want, r.Status(filepath.Join(l.dir, dir), 1000)); d != "" {
			t.Errorf("Status(%s) (-want +got):\n%s", dir, d)
		}
	}
}

// TestBudget: with less of it counts are lower, never higher, and said to be so.
func TestBudget(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(history + mess)
	r := l.open(&rangeFS{})
	full := r.Status(l.dir, 10_000)
	if !full.Complete {
		t.Fatal("not complete with a large budget")
	}
	for budget := range 60 {
		st := r.Status(l.dir, budget)
		if st.Tracked != full.Tracked || st.Staged != full.Staged {
			t.Errorf("budget %d: %d tracked, %d staged", budget, st.Tracked, st.Staged)
		}
		less := st.Modified <= full.Modified && st.Untracked <= full.Untracked && st.Ignored <= full.Ignored
		all := st.Modified == full.Modified && st.Untracked == full.Untracked && st.Ignored == full.Ignored
		if !less || (st.Complete && !all) {
			t.Errorf("budget %d: %+v, in full %+v", budget, st, full)
		}
		if d := gocmp.Diff(st, l.open(&diskFS{}).Status(l.dir, budget)); d != "" {
			t.Errorf("budget %d: another answer when asked again:\n%s", budget, d)
		}
	}
	if st := r.Status(l.dir, 0); st.Complete {
		t.Error("complete with nothing looked at")
	}
}

// refusingFS refuses to list a directory, or calls its mount remote.
type refusingFS struct {
	diskFS
	refuse string
	remote bool
}

func (f *refusingFS) ReadDir(name string, limit int) ([]world.Entry, error) {
	if name == f.refuse {
		return nil, world.ErrNotRead
	}
	return f.diskFS.ReadDir(name, limit)
}

func (f *refusingFS) Mount(string) (world.Mount, error) { return world.Mount{Remote: f.remote}, nil }

func TestNotWalked(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(history)
	st := l.open(&refusingFS{refuse: filepath.Join(l.dir, "src")}).Status(l.dir, 1000)
	if st.Complete || st.Modified != 0 {
		t.Errorf("a directory that cannot be listed: %+v", st)
	}
	st = l.open(&refusingFS{remote: true}).Status(l.dir, 1000)
	if st.Complete || st.Tracked == 0 {
		t.Errorf("a remote mount: %+v", st)
	}
}

func TestIgnoreCase(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(history + `git config core.ignoreCase true; echo '*.LOG' >.gitignore`)
	r := l.open(&rangeFS{})
	for name, want := range map[string]world.FileState{"x.log": world.Ignored, "A.TXT": world.MaybeModified, "Src/G": world.MaybeModified} {
		if got := r.State(filepath.Join(l.dir, name)); got != want {
			t.Errorf("State(%q) = %v, want %v", name, got, want)
		}
	}
	// Where names fold, the other spelling reaches the file.
	if err := os.Link(filepath.Join(l.dir, "src/g"), filepath.Join(l.dir, "src/G")); err != nil {
		t.Fatal(err)
	}
	if got := r.State(filepath.Join(l.dir, "src/G")); got != world.Clean {
		t.Errorf("State(src/G) = %v", got)
	}
}
