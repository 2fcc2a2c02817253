//go:build linux

package main

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git names contents so
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/heedsh/heed/internal/witness"
)

// A state is what a world holds: the contents of its files, by path, and the
// commits that its repositories can still reach.
type state struct {
	files   map[string]string // regular files: the id that git gives such contents
	dirs    map[string]bool
	links   map[string]bool
	repos   []string        // git directories
	refs    string          // every ref of them, with what it leads to
	commits map[string]bool // that a ref, HEAD or a log of one leads to
	objects map[string]bool // that they have
}

// look takes the state of the directory dir of a world that lies below root.
func look(root, dir string) (*state, error) {
	s := &state{files: map[string]string{}, dirs: map[string]bool{}, links: map[string]bool{}, commits: map[string]bool{}, objects: map[string]bool{}}
	err := filepath.WalkDir(root+dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what went away meanwhile, or cannot be entered, is not there
		}
		name := strings.TrimPrefix(file, root)
		switch {
		case d.IsDir() && (d.Name() == ".git" || strings.HasSuffix(d.Name(), ".git") && exists(file+"/HEAD")):
			s.repos = append(s.repos, name)
			s.modules(root, name)
			return fs.SkipDir
		case d.IsDir():
			s.dirs[name] = true
		case d.Type()&fs.ModeSymlink != 0:
			s.links[name] = true
		case d.Type().IsRegular() && d.Name() != ".git": // as a linked work tree has it
			b, err := os.ReadFile(file)
			if err != nil {
				return nil //nolint:nilerr // as above
			}
			s.files[name] = blob(b)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking at %s: %w", dir, err)
	}
	for _, repo := range s.repos {
		s.reach(root, repo)
	}
	return s, nil
}

// reach notes what a repository can reach.
func (s *state) reach(root, repo string) {
	s.refs += git(root+repo, "show-ref", "--head")
	for id := range strings.FieldsSeq(git(root+repo, "rev-list", "--all", "--reflog", "HEAD")) {
		s.commits[id] = true
	}
	for id := range strings.FieldsSeq(git(root+repo, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)", "--unordered")) {
		s.objects[id] = true
	}
	for id := range strings.FieldsSeq(git(root+repo, "rev-list", "--all", "--reflog")) { // without HEAD, where it is not born
		s.commits[id] = true
	}
	for id := range strings.FieldsSeq(git(root+repo, "log", "-g", "--format=%H %P", "refs/stash")) {
		if git(root+repo, "branch", "-a", "--contains", id) == "" { // what is stashed are contents, not commits
			delete(s.commits, id)
		}
	}
}

// elsewhere adds the files that a command made outside the directory dir.
func (s *state) elsewhere(root, dir string, changes []witness.Change) {
	for _, c := range changes {
		if strings.HasPrefix(c.Path, dir+"/") {
			continue
		}
		_ = filepath.WalkDir(root+c.Path, func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == ".git" {
				name := strings.TrimPrefix(file, root)
				s.repos = append(s.repos, name)
				s.reach(root, name)
				return fs.SkipDir
			}
			if err == nil && d.Type().IsRegular() {
				if b, err := os.ReadFile(file); err == nil {
					s.files[strings.TrimPrefix(file, root)] = blob(b)
				}
			}
			return nil
		})
	}
}

// modules adds the repositories of submodules that a repository holds.
func (s *state) modules(root, repo string) {
	found, err := filepath.Glob(root + repo + "/modules/*/HEAD")
	if err != nil {
		return
	}
	for _, head := range found {
		s.repos = append(s.repos, strings.TrimPrefix(filepath.Dir(head), root))
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// blob is the name that git gives to contents (gitformat-pack(5); SHA-1).
func blob(b []byte) string {
	h := sha1.New() //nolint:gosec // as above
	fmt.Fprintf(h, "blob %d\x00", len(b))
	h.Write(b)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// git is what git prints of a repository, without anybody's settings, wherever its
// work tree is now.
func git(dir string, args ...string) string {
	c := exec.Command("git", append([]string{"--git-dir=" + dir, "--work-tree=" + dir, "-c", "safe.directory=*"}, args...)...)
	c.Env = gitEnv()
	out, _ := c.Output()
	return string(out)
}

// gitEnv is git's environment where it looks at a repository in which a command
// may have written settings: none is obeyed that starts a program.
func gitEnv() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME=/nonexistent", "GIT_PAGER=cat",
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_OPTIONAL_LOCKS=0", "GIT_CONFIG_COUNT=2",
		"GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0=false", "GIT_CONFIG_KEY_1=log.showSignature", "GIT_CONFIG_VALUE_1=false",
	}
}

// unpackers print what compressed files hold, which programs put in the place of
// others, by the ending of their names.
var unpackers = map[string][]string{
	".gz": {"gzip", "-dc"}, ".xz": {"xz", "-dc"}, ".bz2": {"bzip2", "-dc"}, ".zst": {"zstd", "-dc"}, ".lzma": {"xz", "-dc"},
	".lz4": {"lz4", "-dc"}, ".lz": {"lzip", "-dc"}, ".lzo": {"lzop", "-dc"}, ".br": {"brotli", "-dc"}, ".Z": {"gzip", "-dc"},
}

// unpack adds the names of the contents of compressed files that were not there
// before.
func (s *state) unpack(root string, before *state, have map[string]bool) {
	for name, id := range s.files {
		by := unpackers[filepath.Ext(name)]
		if by == nil || before.files[name] == id {
			continue
		}
		c := exec.Command(by[0], append(by[1:], root+name)...)
		if out, err := c.Output(); err == nil {
			have[blob(out)] = true
		}
	}
}

// kept reports whether contents are still in a file or an object of a state.
func (s *state) kept(root string, ids []string) map[string]bool {
	have := map[string]bool{blob(nil): true} // there is nothing in it
	for _, id := range s.files {
		have[id] = true
	}
	for _, repo := range s.repos {
		_ = filepath.WalkDir(root+repo+"/lfs/objects", func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				if b, err := os.ReadFile(file); err == nil {
					have[blob(b)] = true
				}
			}
			return nil
		})
		c := exec.Command("git", "--git-dir="+root+repo, "--work-tree="+root+repo, "-c", "safe.directory=*", "cat-file", "--batch-check=%(objectname)")
		c.Env = gitEnv()
		c.Stdin = strings.NewReader(strings.Join(ids, "\n"))
		out, _ := c.Output()
		for line := range bytes.Lines(out) {
			if id, missing, _ := strings.Cut(strings.TrimSpace(string(line)), " "); missing == "" {
				have[id] = true
			}
		}
	}
	return have
}
