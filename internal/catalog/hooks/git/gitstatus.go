package git

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// listStatus is `git status --porcelain` and `--short` where nothing is staged: a
// line for each file of the work tree that is not as it was committed, and for what
// git does not have, of which a directory stands for all that is in it
// (git-status(1), "Short Format").
func (g *gitCall) listStatus() {
	given, paths, ok := g.exactly("-s", "--short", "--porcelain", "--porcelain=v1", "--porcelain=1", "-z", "-u?", "--untracked-files?", "--no-renames", "--no-column", "--no-ahead-behind")
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { _, is := given[n]; return is })
	}
	short := has("-s", "--short")
	if ok = ok && len(paths) == 0 && (short || has("-z", "--porcelain") || slices.ContainsFunc(g.rest, isPorcelain)); !ok || len(g.repo.Links(1)) > 0 {
		return
	}
	if short && (g.lastConfig("status.branch") != "" || g.lastConfig("status.relativePaths") != "" || g.dir != g.repo.Root()) || g.lastConfig("status.short") != "" || g.lastConfig("status.showStash") != "" {
		return
	}
	s, complete := g.tree()
	if !complete || s.Staged > 0 {
		return
	}
	others, ok := g.others(given, s.SomeUntracked)
	if !ok {
		return
	}
	var lines []string
	for _, n := range s.SomeModified {
		mark := " M "
		if g.gone(path.Join(g.repo.Root(), n)) {
			mark = " D "
		}
		lines = append(lines, mark+g.shown(n, has("-z")))
	}
	for _, n := range others {
		lines = append(lines, "?? "+g.shown(n, has("-z")))
	}
	end := "\n"
	if has("-z") {
		end = "\x00"
	}
	g.tells(lines, end)
}

// isPorcelain reports whether a word asks for the first format for scripts.
func isPorcelain(v value.Value) bool {
	text, _ := v.Known()
	return text == "--porcelain=v1" || text == "--porcelain=1"
}

// shown is a path as git status prints it.
func (g *gitCall) shown(name string, raw bool) string {
	if raw {
		return name
	}
	return g.quoted(name, true)
}

// others are the lines of what git does not have, as far as the call asks for them
// (git-status(1), "--untracked-files").
func (g *gitCall) others(given map[string]string, untracked []string) ([]string, bool) {
	how := g.lastConfig("status.showUntrackedFiles")
	for _, name := range []string{"-u", "--untracked-files"} {
		if v, is := given[name]; is {
			if how = v; v == "" {
				how = "all"
			}
		}
	}
	switch how {
	case "no":
		return nil, true
	case "all":
		return untracked, true
	case "", "normal":
	default:
		return nil, false
	}
	dirs, ok := g.trackedDirs()
	if !ok {
		return nil, false
	}
	var out []string
	for _, n := range untracked {
		if top := topmost(n, dirs); !slices.Contains(out, top) {
			out = append(out, top)
		}
	}
	slices.Sort(out)
	return out, true
}

// trackedDirs are the directories that something committed lies in, from the root.
func (g *gitCall) trackedDirs() (map[string]bool, bool) {
	tracked, complete := g.repo.Changes("", "HEAD", maxTracked)
	if !complete {
		return nil, false
	}
	dirs := map[string]bool{"": true, ".": true}
	for _, n := range tracked {
		for d := path.Dir(n); !dirs[d]; d = path.Dir(d) {
			dirs[d] = true
		}
	}
	return dirs, true
}

// topmost is the first directory on the way to a file that has nothing tracked in
// it, or the file itself.
func topmost(name string, tracked map[string]bool) string {
	for i := range len(name) {
		if name[i] == '/' && !tracked[name[:i]] {
			return name[:i+1]
		}
	}
	return strings.Clone(name)
}
