package shell

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// OddPath returns the first directory of a value of PATH, and whether it is in a place
// that is not there now: whoever makes it decides what known names run.
func (s *State) OddPath(v value.Value) (first string, odd bool) {
	text, known := v.Known()
	first, _, _ = strings.Cut(text, ":")
	if !known && first == text { // the first directory is not known to its end
		first, _, _ = strings.Cut(v.Prefix(), ":")
		known = first != v.Prefix()
	}
	if !known || !path.IsAbs(first) || s.Context.Host != "" || s.Context.Container != "" {
		return first, false
	}
	top, _, _ := strings.Cut(path.Clean(first)[1:], "/")
	info, err := s.FS.Lstat("/" + top)
	return first, top != "" && (err != nil || info.Kind == world.Missing)
}

// maxPathDirs is how many directories of PATH are looked into for a program.
const maxPathDirs = 64

// Lacks reports whether surely no directory of PATH has a program of this name now.
func (s *State) Lacks(name string) bool {
	v := s.Vars.Get("PATH")
	if v == nil || name == "" || strings.Contains(name, "/") || !s.Here() {
		return false
	}
	text, known := v.Value.Known()
	if !known || strings.Count(text, ":") >= maxPathDirs {
		return false
	}
	for d := range strings.SplitSeq(text, ":") {
		if !path.IsAbs(d) {
			return false
		}
		if info, err := world.Stat(s.FS, path.Join(d, name)); err != nil || info.Kind != world.Missing {
			return false
		}
	}
	return true
}
