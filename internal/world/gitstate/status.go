package gitstate

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

const (
	// maxSomeNames is how many paths a Status names.
	maxSomeNames = 2_000
	// maxUntrackedBytes bounds the untracked files whose size is asked for.
	maxUntrackedBytes = 10_000
	// maxHashFiles and maxHashBytes bound the files that one Status hashes.
	maxHashFiles = 5_000
	maxHashBytes = 64 << 20
	maxWalkDepth = maxPath / 2
)

// Status walks the work tree once, side by side with the index. Staged does not
// depend on the budget, and Tracked only where sparse files are there after all. Bytes is the size of tracked and untracked files
// (of the first 10,000 untracked ones). A nested repository counts as one untracked
// (or ignored) entry and is not entered. Below dir, directories that the file
// system refuses to list make the answer incomplete.
func (r *repo) Status(dir string, budget int) world.Status {
	return r.Part(dir, budget, world.WantAll)
}

// Part is Status without the work for what is not wanted: tracked files are not
// looked at for untracked ones, and directories not listed for modified ones.
func (r *repo) Part(dir string, budget int, want world.Want) world.Status {
	var st world.Status
	if r.root == "" || !path.IsAbs(dir) {
		st.Complete = true
		return st
	}
	dir = path.Clean(dir)
	if !within(dir, r.root) || r.isOwn(dir) {
		st.Complete = true
		return st
	}
	x, written, err := r.index()
	if err != nil {
		return st
	}
	w := &walker{
		r: r, x: x, set: &r.config().set, out: &st, want: want &^ world.WantFirst, step: lookStep, budget: max(budget, 0), complete: true,
		stats: newStatPool(r, &r.config().set, written),
	}
	if want&world.WantFirst != 0 {
		w.step, w.firsts = 1, firstSteps
	}
	rel := r.relative(dir)
	if rel != "" {
		rel += "/"
	}
	lo, hi := x.below(rel)
	st.Tracked = countTracked(x.entries[lo:hi])
	entries := x.entries[lo:hi]
	if want == world.WantHidden {
		if entries = flagged(entries); len(entries) == 0 {
			st.Complete = true
			return st
		}
		w.want = world.WantModified
	}
	if w.want != world.WantModified { // of tracked files alone nothing is ignored
		w.ig = r.ignores(w.set)
	}
	if want != world.WantStaged {
		w.start(dir, rel, entries)
		w.stop()
		w.stats.close()
		w.finish()
	}
	st.Complete = w.complete && (w.ig == nil || !w.ig.spent())
	if want&(world.WantModified|world.WantStaged) != 0 {
		staged := r.staged(x)
		st.Staged = staged.below(rel)
		st.Complete = st.Complete && staged.missing == nil
	}
	return st
}

// flagged are the entries whose changes git was told not to look for.
func flagged(entries []entry) []entry {
	var out []entry
	for i := range entries {
		if entries[i].flags&(assumeValid|skipWorktree) != 0 {
			out = append(out, entries[i])
		}
	}
	return out
}

// countTracked counts paths, those that need not be checked out excepted.
func countTracked(entries []entry) int {
	n := 0
	for i := range entries {
		e := &entries[i]
		if e.flags&skipWorktree == 0 && !e.isSparse() && (i == 0 || entries[i-1].path != e.path) {
			n++
		}
	}
	return n
}

// A walker is one walk of a work tree.
type walker struct {
	r        *repo
	x        *index
	set      *settings
	want     world.Want
	ig       *ignores
	out      *world.Status
	budget   int
	complete bool
	stats    *statPool
	deferred []ignoredDir // ignored directories without tracked files
	modified []string     // known without looking at the file
	asked    int          // untracked files whose size has been asked for
	visited  int          // directory entries
	looked   int          // tracked files looked at since one that changed was asked for
	step     int          // how many until it is asked for again
	firsts   int          // how often it is asked for so before lookStep
	lists    chan *listing
	listed   map[string]*listing
}

// An ignoredDir is to be counted when everything else has been.
type ignoredDir struct {
	abs  string
	info world.Info
}

// start finds out what the directory is, coming from the root, and walks it.
func (w *walker) start(dir, rel string, entries []entry) {
	if m, err := w.r.g.fs.Mount(dir); err == nil && m.Remote {
		w.complete = false
		return
	}
	q := &fileQuery{r: w.r, x: w.x, set: w.set, rel: strings.TrimSuffix(rel, "/"), abs: dir}
	up, ok := q.parents(w.want == world.WantModified)
	if !ok || (rel != "" && len(entries) == 0 && w.r.nested(w.x, q.rel, dir)) {
		return
	}
	at := &ignoreDir{}
	if rel != "" {
		at = &ignoreDir{up: up, rel: rel}
	}
	info, err := w.r.g.lstat(dir)
	if err != nil || info.Kind != world.Dir {
		w.complete = w.complete && err == nil
		w.gone(entries)
		return
	}
	if w.want == world.WantModified {
		w.tracked(dir, rel, w.expanded(rel, entries), 0)
		return
	}
	if rel != "" && len(entries) == 0 && w.ig.ignoredDir(at) {
		w.deferred = append(w.deferred, ignoredDir{dir, info})
	} else {
		w.dir(dir, &info, at, entries, 0)
	}
	if w.want&world.WantIgnored == 0 {
		return
	}
	for _, d := range w.deferred {
		w.ignoredBelow(d.abs, &d.info, 0)
	}
}

// list reads a directory on the budget; whole is false if there may be more in it.
func (w *walker) list(abs string, info *world.Info) (entries []world.Entry, whole bool) {
	if w.budget <= 0 || w.want == world.WantUntracked && w.out.Untracked > 0 && w.visited >= visitStep {
		w.complete = false
		return nil, false
	}
	entries, err := w.read(abs, info)
	w.budget -= len(entries)
	w.visited += len(entries)
	if err != nil {
		w.complete = false
	}
	return entries, err == nil
}

// dir walks one directory. entries are those of the index below it.
func (w *walker) dir(abs string, info *world.Info, at *ignoreDir, entries []entry, depth int) {
	if depth > maxWalkDepth {
		w.complete = false
		return
	}
	names, whole := w.list(abs, info)
	if at.rel != "" && len(entries) == 0 && hasDotGit(names) && w.r.isNested(abs) {
		w.untracked(at.up, strings.TrimSuffix(at.rel, "/"), true)
		return
	}
	if i, ok := find(names, ".gitignore"); ok && names[i].Kind == world.Regular {
		at.list = w.ig.loadIn(abs)
	}
	dirs := dirsOf(names)
	infos := make([]world.Info, len(dirs))
	failed := w.r.g.lstatIn(abs, dirs, infos)
	w.complete = w.complete && len(failed) == 0
	w.ahead(abs, dirs, infos)
	groups, submodules := w.leaves(names, abs, at, entries, whole)
	for len(dirs) > 0 || len(groups) > 0 {
		c := 0
		switch {
		case len(dirs) == 0:
			c = 1
		case len(groups) == 0:
			c = -1
		default:
			c = compareDirs(dirs[0], groups[0].name)
		}
		switch {
		case c > 0:
			if whole {
				w.gone(groups[0].entries)
			}
		case c < 0 && slices.Contains(submodules, dirs[0]):
		case c < 0:
			w.sub(abs, &infos[0], at, dirs[0], nil, depth)
		default:
			w.sub(abs, &infos[0], at, dirs[0], groups[0].entries, depth)
		}
		if c >= 0 {
			groups = groups[1:]
		}
		if c <= 0 {
			dirs, infos = dirs[1:], infos[1:]
		}
	}
}

func find(names []world.Entry, name string) (int, bool) {
	return slices.BinarySearchFunc(names, name, func(e world.Entry, name string) int {
		return strings.Compare(e.Name, name)
	})
}

func hasDotGit(names []world.Entry) bool {
	_, ok := find(names, ".git")
	return ok
}

// dirsOf returns the directories, in the order of the index: as if each name ended
// in a slash.
func dirsOf(names []world.Entry) []string {
	var out []string
	for _, e := range names {
		if e.Kind == world.Dir && e.Name != ".git" {
			out = append(out, e.Name)
		}
	}
	slices.SortFunc(out, compareDirs)
	return out
}

func compareDirs(a, b string) int {
	n := min(len(a), len(b))
	if c := strings.Compare(a[:n], b[:n]); c != 0 {
		return c
	}
	return int(after(a, n)) - int(after(b, n))
}

// after is the byte behind the first n of a directory's name and its slash.
func after(s string, n int) byte {
	switch {
	case n < len(s):
		return s[n]
	case n == len(s):
		return '/'
	}
	return 0
}

// A dirGroup is the part of the index below one subdirectory.
type dirGroup struct {
	name    string
	entries []entry
}

// leaves compares the files of a directory with the index, and returns what the
// index has in subdirectories, and the submodules.
func (w *walker) leaves(names []world.Entry, abs string, at *ignoreDir, entries []entry, whole bool) (groups []dirGroup, submodules []string) {
	next := 0
	jobs := newStatJobs(abs, len(names))
	for len(entries) > 0 {
		n, name := group(entries, at.rel)
		if dir, ok := strings.CutSuffix(name, "/"); ok {
			groups = append(groups, dirGroup{dir, entries[:n]})
			entries = entries[n:]
			continue
		}
		e := &entries[0]
		entries = entries[n:]
		for ; next < len(names) && names[next].Name < name; next++ {
			w.leaf(&names[next], at, &jobs)
		}
		here := next < len(names) && names[next].Name == name
		switch {
		case here && e.isGitlink() && names[next].Kind == world.Dir:
			submodules = append(submodules, name)
			if w.want&world.WantModified != 0 && w.r.gitlinkModified(e, w.r.abs(e.path)) {
				w.modified = append(w.modified, e.path)
			}
			next++
		case here && names[next].Kind != world.Dir:
			next++
			if e.stage() != 0 {
				w.modified = append(w.modified, e.path)
				continue
			}
			jobs.add(name, e)
			if e.flags&skipWorktree != 0 {
				w.out.Tracked++ // checked out all the same
			}
		case !here && !whole: // it may be among the names that were not read
		case e.flags&skipWorktree == 0:
			w.modified = append(w.modified, e.path)
		}
	}
	for ; next < len(names); next++ {
		w.leaf(&names[next], at, &jobs)
	}
	if w.want&world.WantModified != 0 {
		w.stats.ask(jobs)
	}
	return groups, submodules
}

// leaf counts a file that is not in the index.
func (w *walker) leaf(e *world.Entry, at *ignoreDir, jobs *statJobs) {
	if (e.Kind != world.Regular && e.Kind != world.Symlink) || e.Name == ".git" {
		return
	}
	if w.untracked(at, at.rel+e.Name, false) && w.asked < maxUntrackedBytes {
		w.asked++
		jobs.add(e.Name, nil)
	}
}

// untracked counts a file (or a nested repository) in directory d that is not in
// the index; true if it is not ignored either.
func (w *walker) untracked(d *ignoreDir, rel string, isDir bool) bool {
	if w.ig.ignored(d, rel, isDir) {
		w.out.Ignored++
		return false
	}
	w.out.Untracked++
	if isDir {
		rel += "/"
	}
	if len(w.out.SomeUntracked) < maxSomeNames {
		w.out.SomeUntracked = append(w.out.SomeUntracked, rel)
	}
	return true
}

// sub walks a subdirectory.
func (w *walker) sub(abs string, info *world.Info, at *ignoreDir, name string, entries []entry, depth int) {
	below := &ignoreDir{up: at, rel: at.rel + name + "/"}
	abs = join(abs, name)
	entries = w.expanded(below.rel, entries)
	shallow := w.want&world.WantShallow != 0
	switch {
	case len(entries) > 0:
	case shallow && w.want&world.WantUntracked != 0:
		return
	case w.ig.ignoredDir(below):
		if !shallow {
			w.deferred = append(w.deferred, ignoredDir{abs, *info})
		}
		return
	}
	w.dir(abs, info, below, entries, depth+1)
}

// gone counts entries whose directory is not there.
func (w *walker) gone(entries []entry) {
	for i := range entries {
		e := &entries[i]
		if e.flags&skipWorktree == 0 && !e.isSparse() && (i == 0 || entries[i-1].path != e.path) {
			w.modified = append(w.modified, e.path)
		}
	}
}

// ignoredBelow counts the files of an ignored directory.
func (w *walker) ignoredBelow(abs string, info *world.Info, depth int) {
	names, _ := w.list(abs, info)
	if depth > maxWalkDepth {
		w.complete = false
		return
	}
	if hasDotGit(names) && w.r.isNested(abs) {
		w.out.Ignored++
		return
	}
	dirs := dirsOf(names)
	infos := make([]world.Info, len(dirs))
	if len(w.r.g.lstatIn(abs, dirs, infos)) > 0 {
		w.complete = false
	}
	for i, name := range dirs {
		w.ignoredBelow(join(abs, name), &infos[i], depth+1)
	}
	for _, e := range names {
		switch {
		case e.Name == ".git":
		case e.Kind == world.Regular || e.Kind == world.Symlink:
			w.out.Ignored++
		}
	}
}

// finish adds what the looks at single files have found.
func (w *walker) finish() {
	w.found()
	w.out.Modified = len(w.modified)
	slices.SortFunc(w.modified, strings.Compare)
	w.out.SomeModified = slices.Clone(w.modified[:min(len(w.modified), maxSomeNames)])
}

// found adds what has been asked of the pool, once it is closed.
func (w *walker) found() {
	found := w.stats.wait()
	w.out.Bytes += found.bytes
	w.complete = w.complete && found.complete
	for _, e := range found.modified {
		w.modified = append(w.modified, e.path)
		if e.flags&(assumeValid|skipWorktree) != 0 {
			w.out.Hidden++
		}
	}
}
