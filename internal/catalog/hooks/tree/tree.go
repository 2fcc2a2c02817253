// Package tree walks directories as programs do that search them: fd, ripgrep, grep.
//
// In go a file system and what the program leaves out; the caller is shown every
// entry that it may come to. What cannot be told is not left out: the entries are all
// that can be meant.
package tree

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/gitstate"
)

// maxEntries is how many entries of one directory are read.
const maxEntries = 100000

// maxIgnore is how large a file may be that says what to ignore, in bytes.
const maxIgnore = 1 << 20

// maxAbove is how many directories above the start are looked into.
const maxAbove = 40

// A Walk walks below start paths.
type Walk struct {
	FS    world.FS
	Spend func(dir string, entries int) bool // nil: no bound

	Hidden bool     // enters and shows what begins with a dot
	Ignore []string // names of files that say what to ignore, those that win first; .gitignore only counts within a repository
	Above  bool     // those of the directories above the start count too
	Follow bool     // links are what they lead to
	Max    int      // how deep it goes; 0: without a bound

	// Override, if set, is asked before all else; where it decides, nothing else counts.
	Override func(*Entry) (decided, keep bool)

	// Visit is called for each entry below a start; it reports whether to go into a
	// directory.
	Visit func(*Entry) bool
	// Over is set when not all could be looked at.
	Over bool

	seen map[[2]uint64]bool
}

// An Entry is a file that the walk has come to.
type Entry struct {
	Path  string // from the start on
	Full  string // absolute
	Depth int    // 1: in the start itself
	Kind  world.Kind
}

// A level is a directory on the way, with what it says about those below.
type level struct {
	up       *level
	dir      string
	git      bool // a repository begins here
	rules    []*gitstate.Rules
	excludes *gitstate.Rules // .git/info/exclude
}

// From walks below a directory.
func (w *Walk) From(dir string) {
	if w.seen == nil {
		w.seen = map[[2]uint64]bool{}
	}
	full, ok := world.Resolve(w.FS, dir, true)
	if !ok {
		w.Over = true
		return
	}
	var at *level
	if w.Above && len(w.Ignore) > 0 {
		at = w.above(path.Dir(full), maxAbove)
	}
	if w.Over {
		return
	}
	w.below(&Entry{Full: full, Kind: world.Dir}, at)
}

// above reads what the directories from the root down to dir say.
func (w *Walk) above(dir string, left int) *level {
	if left == 0 {
		w.Over = true
		return nil
	}
	var up *level
	if dir != "/" {
		up = w.above(path.Dir(dir), left-1)
	}
	l := &level{up: up, dir: dir}
	for _, name := range append([]string{".git"}, w.Ignore...) {
		i, err := w.FS.Lstat(path.Join(dir, name))
		if err == nil && i.Kind != world.Missing {
			w.says(l, world.Entry{Name: name, Kind: i.Kind})
		}
	}
	return l
}

// says notes what an entry of a directory says about those below it.
func (w *Walk) says(l *level, e world.Entry) {
	if e.Name == ".git" {
		l.git = true
		l.excludes = w.rules(path.Join(l.dir, ".git/info/exclude"))
		return
	}
	for i, name := range w.Ignore {
		if name == e.Name && e.Kind != world.Dir {
			if l.rules == nil {
				l.rules = make([]*gitstate.Rules, len(w.Ignore))
			}
			l.rules[i] = w.rules(path.Join(l.dir, name))
		}
	}
}

// rules are the patterns of a file; none where they cannot be told.
func (w *Walk) rules(name string) *gitstate.Rules {
	data, err := w.FS.ReadFile(name, maxIgnore)
	if err != nil {
		return nil
	}
	r, ok := gitstate.ParseRules(data)
	if !ok {
		return nil
	}
	return r
}

// below visits what is in a directory.
func (w *Walk) below(at *Entry, up *level) {
	if w.Max > 0 && at.Depth >= w.Max || w.Over {
		return
	}
	if m, err := w.FS.Mount(at.Full); err != nil || m.Remote {
		w.Over = true
		return
	}
	entries, err := w.FS.ReadDir(at.Full, maxEntries)
	if err != nil || w.Spend != nil && !w.Spend(at.Full, len(entries)+1) {
		w.Over = true
		return
	}
	l := &level{up: up, dir: at.Full}
	for _, e := range entries {
		if len(w.Ignore) > 0 && strings.HasPrefix(e.Name, ".") {
			w.says(l, e)
		}
	}
	for _, e := range entries {
		next := &Entry{Path: path.Join(at.Path, e.Name), Full: path.Join(at.Full, e.Name), Depth: at.Depth + 1, Kind: e.Kind}
		if w.Follow && e.Kind == world.Symlink && !w.follows(next) {
			continue
		}
		if w.leavesOut(l, next, e.Name) {
			continue
		}
		if w.Visit(next) && next.Kind == world.Dir {
			w.below(next, l)
		}
		if w.Over {
			return
		}
	}
}

// follows makes an entry what the link leads to; it reports false for a directory
// that was walked.
func (w *Walk) follows(e *Entry) bool {
	i, err := world.Stat(w.FS, e.Full)
	if err != nil {
		w.Over = true
		return false
	}
	if i.Kind == world.Missing { // a link that leads nowhere is one
		return true
	}
	if e.Kind = i.Kind; i.Kind != world.Dir {
		return true
	}
	id := [2]uint64{i.Dev, i.Ino}
	if w.seen[id] { // a loop, or the same once more
		return false
	}
	w.seen[id] = true
	to, ok := world.Resolve(w.FS, e.Full, true)
	e.Full, w.Over = to, w.Over || !ok
	return ok
}

// leavesOut reports whether the walk surely passes over an entry.
func (w *Walk) leavesOut(l *level, e *Entry, name string) bool {
	if w.Override != nil {
		if decided, keep := w.Override(e); decided {
			return !keep
		}
	}
	if decided, keep := w.decide(l, e); decided {
		return !keep
	}
	return !w.Hidden && strings.HasPrefix(name, ".")
}

// decide asks the files that say what to ignore: of each name the nearest that has
// something to say, then the next name.
func (w *Walk) decide(l *level, e *Entry) (decided, keep bool) {
	isDir := e.Kind == world.Dir
	full := path.Join(l.dir, path.Base(e.Path))
	for i, name := range w.Ignore {
		if name == ".gitignore" && !l.inRepo() {
			continue
		}
		for at := l; at != nil; at = at.up {
			if len(at.rules) > 0 {
				if decided, keep = at.rules[i].Decide(at.name(full), isDir); decided {
					return decided, keep
				}
			}
			if name == ".gitignore" && at.git {
				break
			}
		}
		if name == ".gitignore" {
			for at := l; at != nil; at = at.up {
				if at.git {
					return at.excludes.Decide(at.name(full), isDir)
				}
			}
		}
	}
	return false, false
}

// name is a path as it is counted from a directory above it.
func (l *level) name(full string) string {
	return strings.TrimPrefix(strings.TrimPrefix(full, l.dir), "/")
}

func (l *level) inRepo() bool {
	for ; l != nil; l = l.up {
		if l.git {
			return true
		}
	}
	return false
}
