package gitstate

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/heedsh/heed/internal/world"
)

// lookStep is how many tracked files are looked at at most before asking whether that
// is enough: past them, one that was modified answers the question.
const lookStep = 1 << 14

// firstSteps is how many directories are looked at one by one for the first change: beyond
// them, two processors are faster than a look that stops early.
const firstSteps = 16

// visitStep is how many directory entries are visited for untracked files
// before one that was found is enough.
const visitStep = 1 << 15

// tracked looks at the files of the index below one directory, which is there,
// without listing it: what git does not know makes no difference.
func (w *walker) tracked(abs, prefix string, entries []entry, depth int) {
	if depth > maxWalkDepth || w.budget <= 0 {
		w.complete = false
		return
	}
	jobs := newStatJobs(abs, len(entries))
	var dirs []dirGroup
	for len(entries) > 0 {
		n, name := group(entries, prefix)
		e := &entries[0]
		dir, isDir := strings.CutSuffix(name, "/")
		switch {
		case isDir:
			dirs = append(dirs, dirGroup{dir, entries[:n]})
		case e.stage() != 0:
			w.modified = append(w.modified, e.path)
		case e.isGitlink():
			w.submodule(e)
		default:
			jobs.add(name, e)
		}
		entries = entries[n:]
	}
	w.budget -= len(jobs.names) + len(dirs)
	w.looked += len(jobs.names)
	w.stats.ask(jobs)
	if w.enough() {
		w.complete = false
		return
	}
	names := make([]string, len(dirs))
	for i := range dirs {
		names[i] = dirs[i].name
	}
	infos := make([]world.Info, len(dirs))
	failed := w.r.g.lstatIn(abs, names, infos)
	for i := range dirs {
		below, entries := prefix+names[i]+"/", dirs[i].entries
		switch {
		case slices.Contains(failed, i):
			w.complete = false
		case infos[i].Kind != world.Dir:
			w.gone(entries)
		default:
			w.tracked(join(abs, names[i]), below, w.expanded(below, entries), depth+1)
		}
	}
}

// enough reports, every so many files, whether a modified one was found.
func (w *walker) enough() bool {
	if w.looked < w.step {
		return false
	}
	if w.looked = 0; len(w.modified) == w.out.Hidden {
		if w.firsts--; w.firsts <= 0 {
			w.step = lookStep
		}
		set, written := w.stats.set, w.stats.written
		w.stats.close()
		w.found()
		w.stats = newStatPool(w.r, set, written)
	}
	if len(w.modified) > w.out.Hidden {
		w.looked = w.step // and no more
		return true
	}
	return false
}

// submodule compares a submodule with what the index wants.
func (w *walker) submodule(e *entry) {
	abs := w.r.abs(e.path)
	info, err := w.r.g.lstat(abs)
	switch {
	case err != nil:
		w.complete = false
	case info.Kind == world.Missing && e.flags&skipWorktree != 0:
	case info.Kind != world.Dir, w.r.gitlinkModified(e, abs):
		w.modified = append(w.modified, e.path)
	}
}

// expanded replaces a sparse directory that is there after all by its files.
func (w *walker) expanded(rel string, entries []entry) []entry {
	if len(entries) != 1 || !entries[0].isSparse() {
		return entries
	}
	budget := maxStagedTrees
	list, ok := expandTree(w.r.objects(), entries[0].id, rel, &budget)
	w.complete = w.complete && ok
	return list
}

// aheadOf is the size of an index from which directories are listed ahead of
// the walk, and maxAhead how many at most.
const (
	aheadOf  = 1000
	maxAhead = 1 << 10
)

// A listing is a directory that is listed ahead of the walk. Whoever comes
// first does it.
type listing struct {
	abs     string
	info    *world.Info
	limit   int
	taken   atomic.Bool
	done    chan struct{}
	entries []world.Entry
	err     error
}

func (l *listing) run(g *Git) {
	if l.taken.CompareAndSwap(false, true) {
		l.entries, l.err = g.list(l.abs, l.info, l.limit)
		close(l.done)
	}
}

// ahead begins to list subdirectories that the walk will come to.
func (w *walker) ahead(abs string, names []string, infos []world.Info) {
	if len(w.x.entries) < aheadOf || len(names) < 2 {
		return
	}
	if w.lists == nil {
		w.lists = make(chan *listing, maxAhead)
		w.listed = make(map[string]*listing)
		go func(lists chan *listing, g *Git) {
			for l := range lists {
				l.run(g)
			}
		}(w.lists, w.r.g)
	}
	for i := range names {
		l := &listing{abs: join(abs, names[i]), info: &infos[i], limit: w.budget, done: make(chan struct{})}
		select {
		case w.lists <- l:
			w.listed[l.abs] = l
		default: // far enough ahead
			return
		}
	}
}

// read lists a directory, or takes what was listed ahead.
func (w *walker) read(abs string, info *world.Info) ([]world.Entry, error) {
	l := w.listed[abs]
	if l == nil {
		return w.r.g.list(abs, info, w.budget)
	}
	delete(w.listed, abs)
	l.run(w.r.g)
	for waiting := true; waiting; { // and lend a hand
		select {
		case <-l.done:
			waiting = false
		default:
			select {
			case <-l.done:
				waiting = false
			case other := <-w.lists:
				other.run(w.r.g)
			}
		}
	}
	if len(l.entries) > w.budget {
		return l.entries[:w.budget], world.ErrTooLarge
	}
	return l.entries, l.err
}

// stop gives up what was listed ahead and not come to.
func (w *walker) stop() {
	for _, l := range w.listed {
		l.taken.Store(true)
	}
	if w.lists != nil {
		close(w.lists)
	}
}
