package drive

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/scan"
	"github.com/heedsh/heed/internal/service"
)

// Staged finds the files that are staged: those that paths name, and those in
// directories that paths name; without a path all that the next commit holds. What
// is read of them later is what is staged, not what lies in the work tree. dir is
// the current directory. With a kind named files are read as that.
func Staged(in *service.Staged, dir string, paths []string, kind scan.Kind) ([]File, error) {
	named := []string{in.Top}
	if len(paths) > 0 {
		named = nil
	}
	for _, p := range paths {
		full, err := service.Absolute(dir, p)
		if err != nil {
			return nil, err
		}
		named = append(named, full)
	}
	files, err := in.Files(scan.MaxSize, func(path string) bool {
		path = filepath.FromSlash(path)
		return slices.ContainsFunc(named, func(base string) bool { return path == base || below(base, path) })
	})
	if err != nil {
		return nil, err
	}
	c := collector{base: dir, kind: kind, seen: map[string]bool{}}
	for i := range files {
		c.staged(&files[i], slices.Contains(named, filepath.FromSlash(files[i].Path)))
	}
	for i, p := range paths {
		if c.seen[named[i]] {
			continue
		}
		if info, err := os.Lstat(named[i]); err != nil || !info.IsDir() || named[i] != in.Top && !inside(in.Top, named[i]) {
			return nil, fmt.Errorf("%s is not staged in %s", p, in.Top)
		}
	}
	return c.files, nil
}

// staged takes a file that is staged.
func (c *collector) staged(s *service.StagedFile, named bool) {
	path := filepath.FromSlash(s.Path)
	f := File{path: path, name: c.shown(path), walked: !named, problem: s.Problem, given: &s.Text, size: int64(len(s.Text)), was: s.Was}
	if s.Large {
		f.size = scan.MaxSize + 1
	}
	if named {
		f.kind = c.kind
	}
	if f.kind == "" {
		f.kind, _ = scan.KindOf(s.Path, "")
		f.interpreted = f.kind == ""
	}
	c.add(f)
}

// inside reports whether a path is below a directory.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

// below reports whether walking a directory would find a file at a path that may hold
// commands.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return false
	}
	names := strings.Split(rel, string(filepath.Separator))
	if slices.ContainsFunc(names[:len(names)-1], others) {
		return false
	}
	slash := filepath.ToSlash(path)
	_, ok := scan.KindOf(slash, "")
	return ok || scan.Interpreted(slash)
}
