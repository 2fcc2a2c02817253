package preimage

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/heedsh/heed/internal/undo"
)

// maxNames is how many names a pattern is followed to.
const maxNames = undo.DefaultFiles

// expand lists what a pattern of a shell names from a directory on, as targets like that:
// too many rather than too few. Names that begin with a dot, which only some shells find, are
// copied, and what a ** stands for is the whole tree. What is written or changed through a
// link is where that leads.
func expand(dir undo.Target, pattern string) (all []undo.Target, known bool) {
	parts := strings.Split(strings.Trim(pattern, "/"), "/")
	now := []undo.Target{dir}
	for i, part := range parts {
		var next []undo.Target
		for _, at := range now {
			switch {
			case strings.Contains(part, "**"):
				at.Written, at.Alone = at.Written || !at.Attr, false
				all = append(all, at)
			case !strings.ContainsAny(part, `*?[(\`):
				at.Path = filepath.Join(at.Path, part)
				next = append(next, at)
			default:
				next = append(next, matching(at, part, i < len(parts)-1)...)
			}
			if len(all)+len(next) > maxNames {
				return nil, false
			}
		}
		now = next
	}
	all = append(all, now...)
	if dir.Written || dir.Attr {
		for _, t := range now {
			if real, err := filepath.EvalSymlinks(t.Path); err == nil && real != t.Path {
				t.Path = real
				all = append(all, t)
			}
		}
	}
	return all, true
}

// matching lists the names in a directory that a part of a pattern may mean.
func matching(at undo.Target, part string, dirs bool) (all []undo.Target) {
	if strings.Contains(part, "[:") || strings.Contains(part, "(") {
		part = "*" // classes and lists of patterns are not looked into
	}
	part = strings.ReplaceAll(part, "[!", "[^") // as filepath.Match has it
	entries, err := os.ReadDir(at.Path)
	if err != nil {
		return nil // the shell finds nothing there either
	}
	for _, d := range entries {
		if ok, err := filepath.Match(part, d.Name()); err == nil && !ok || dirs && d.Type().IsRegular() {
			continue
		}
		found := at
		found.Path = filepath.Join(at.Path, d.Name())
		if d.Name()[0] == '.' && part[0] != '.' {
			found.Written = found.Written || !found.Attr
		}
		all = append(all, found)
	}
	return all
}
