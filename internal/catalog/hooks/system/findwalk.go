package system

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/world"
)

// A findWalk walks the tree below a start path as find does, and collects for
// each action of the expression what it is reached with. What a test comes out
// as that cannot be told, may be: the lists hold all that can be meant, and
// nothing else.
type findWalk struct {
	fs    world.FS
	dir   string // that relative paths are counted from
	terms []findTerm
	tests []findTest // by term
	spend func(dir string, entries int) bool

	follow   bool // -L, -follow
	children bool // -depth, -delete: what is below comes first, so that -prune prunes nothing
	device   bool // -xdev
	min, max int

	regextype string // of the tests that follow

	gone  map[string]bool  // what -delete has taken away so far, absolute; whether that is sure
	found map[int][]string // by the number of the action; 0 is the expression as a whole
	seen  map[[2]uint64]bool
	work  int // tests that were made
	quit  bool
	over  bool // not all could be looked at
}

// maxTests bounds how many tests one search makes.
const maxTests = 2000000

// maxFound bounds how many paths one action is told to be reached with, in all.
const maxFound = 50000

// A findEntry is a file that the walk has come to.
type findEntry struct {
	w     *findWalk
	path  string // as find prints it
	full  string // absolute
	depth int
	kind  world.Kind
	info  *world.Info
}

// stat returns what is known of the file: of a link itself, or of what it leads
// to where links are followed.
func (e *findEntry) stat() (world.Info, bool) {
	if e.info == nil {
		i, err := e.w.fs.Lstat(e.full)
		if err == nil && i.Kind == world.Symlink && e.w.follow {
			if to, err := world.Stat(e.w.fs, e.full); err == nil && to.Kind != world.Missing {
				i = to
			}
		}
		if err != nil || i.Kind == world.Missing {
			return i, false
		}
		e.info = &i
	}
	return *e.info, true
}

// A findTest is what a primary comes out as for a file.
type findTest func(e *findEntry) truth

// search walks the tree below a start path; ok is false where not all of it could
// be looked at.
func (f *findRun) search(start string) (found map[int][]string, ok bool) {
	if f.site.World == nil || f.site.World.FS == nil || f.site.Dir == "" && !path.IsAbs(start) || f.unsure {
		return nil, false
	}
	w := &findWalk{
		fs: f.site.World.FS, dir: f.site.Dir, terms: f.terms, spend: f.site.Walk, max: -1,
		follow: f.follow, found: map[int][]string{}, gone: map[string]bool{}, seen: map[[2]uint64]bool{},
	}
	for i := range w.terms {
		t := &w.terms[i]
		t.at = i
		w.tests = append(w.tests, w.test(t))
	}
	if w.over {
		return nil, false
	}
	w.start(start)
	return w.found, !w.over
}

// start visits a start path.
func (w *findWalk) start(name string) {
	e := &findEntry{w: w, path: name, full: name}
	if !path.IsAbs(name) {
		e.full = path.Join(w.dir, name)
	}
	if strings.HasSuffix(name, "/") { // a link with a slash behind it is what it leads to
		if to, ok := world.Resolve(w.fs, path.Clean(e.full), true); ok {
			e.full = to
		}
	}
	i, err := w.fs.Lstat(path.Clean(e.full))
	switch {
	case err != nil:
		w.over = true
		return
	case i.Kind == world.Missing:
		return
	}
	e.full, e.kind = path.Clean(e.full), i.Kind
	if e.full == "/" && w.max < 0 { // the whole machine is past every bound, and /proc changes meanwhile
		w.over = true
		return
	}
	w.visit(e)
}

// visit tests a file, and what is below it.
func (w *findWalk) visit(e *findEntry) {
	if w.over || w.quit {
		return
	}
	if e.kind == world.Symlink && w.follow {
		i, ok := e.stat()
		if !ok {
			w.over = true
			return
		}
		if e.kind = i.Kind; e.kind == world.Dir {
			to, ok := world.Resolve(w.fs, e.full, true)
			if !ok {
				w.over = true
				return
			}
			e.full = to
		}
	}
	enter := e.kind == world.Dir && (w.max < 0 || e.depth < w.max)
	if w.children && enter {
		w.below(e)
	}
	if e.depth >= w.min {
		if pruned := w.apply(e); pruned && !w.children {
			enter = false
		}
	}
	if !w.children && enter {
		w.below(e)
	}
}

// apply evaluates the expression for a file, and reports whether the walk surely
// stops there.
func (w *findWalk) apply(e *findEntry) (pruned bool) {
	if w.work += len(w.terms); w.work > maxTests {
		w.over = true
		return false
	}
	whole := evaluate(w.terms, func(t *findTerm, at reach) truth {
		switch {
		case t.runs > 0 && at.may:
			w.add(t.runs, e.path)
			if t.name == "-delete" && (e.kind != world.Dir || w.empty(e.full).yes) {
				w.gone[e.full] = at.must
			}
		case t.name == "-prune" && at.must:
			pruned = true
		case t.name == "-quit" && at.must:
			w.quit = true
		}
		return w.tests[t.at](e)
	})
	if whole.yes {
		w.add(0, e.path)
	}
	return pruned
}

// empty reports whether a directory has nothing in it, once what -delete took away is
// gone.
func (w *findWalk) empty(full string) truth {
	most := 1
	if len(w.gone) > 0 {
		most = maxEntries
	}
	entries, err := w.fs.ReadDir(full, most)
	t := truth{yes: true}
	for _, x := range entries {
		sure, gone := w.gone[strings.TrimSuffix(full, "/")+"/"+x.Name]
		switch {
		case !gone:
			return truth{no: true}
		case !sure:
			t.no = true
		}
	}
	if err != nil {
		return truth{yes: true, no: true}
	}
	return t
}

func (w *findWalk) add(action int, name string) {
	if len(w.found[action]) >= maxFound {
		w.over = true
		return
	}
	w.found[action] = append(w.found[action], name)
}

// below visits what is in a directory.
func (w *findWalk) below(e *findEntry) {
	if w.follow || w.device {
		i, ok := e.stat()
		if !ok {
			w.over = true
			return
		}
		id := [2]uint64{i.Dev, i.Ino}
		if w.seen[id] && w.follow { // a loop, or a part of the tree that was walked
			return
		}
		w.seen[id] = true
	}
	if m, err := w.fs.Mount(e.full); err != nil || m.Remote {
		w.over = true
		return
	}
	entries, err := w.fs.ReadDir(e.full, maxEntries)
	if err != nil || w.spend != nil && !w.spend(e.full, len(entries)+1) {
		w.over = true
		return
	}
	prefix, full := e.path, e.full
	if !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	if full != "/" {
		full += "/"
	}
	for _, x := range entries {
		next := &findEntry{w: w, path: prefix + x.Name, full: full + x.Name, depth: e.depth + 1, kind: x.Kind}
		if w.device && x.Kind == world.Dir {
			i, ok := next.stat()
			here, ok2 := e.stat()
			if ok && ok2 && i.Dev != here.Dev {
				w.apply(next)
				continue
			}
		}
		if w.visit(next); w.over || w.quit {
			return
		}
	}
}

// maxEntries is how many entries of one directory are read.
const maxEntries = 100000

var (
	always findTest = func(*findEntry) truth { return truth{yes: true} }
	never  findTest = func(*findEntry) truth { return truth{no: true} }
	maybe  findTest = func(*findEntry) truth { return truth{yes: true, no: true} }
)

func certainlyIf(b, known bool) truth {
	if !known {
		return truth{yes: true, no: true}
	}
	return certainly(b)
}

// deletions are the paths to delete such that everything on a list goes, where
// what is below a directory comes before it: a directory stands for what is in
// it where all of that is on the list, and is left out where something stays in
// it, as it is not empty then.
func deletions(list []string, s *catalog.Site) (all []string, whole map[string]bool) {
	listed := make(map[string]bool, len(list))
	for _, name := range list {
		listed[name] = true
	}
	whole, stay := map[string]bool{}, map[string]bool{}
	for _, name := range list {
		full := path.Clean(name)
		if !path.IsAbs(full) {
			full = path.Join(s.Dir, full)
		}
		if i, err := s.World.FS.Lstat(full); err != nil || i.Kind != world.Dir {
			continue
		}
		entries, err := s.World.FS.ReadDir(full, maxEntries)
		stay[name] = slices.ContainsFunc(entries, func(e world.Entry) bool {
			below := strings.TrimSuffix(name, "/") + "/" + e.Name
			return !listed[below] || e.Kind == world.Dir && !whole[below]
		})
		whole[name] = err == nil && !stay[name]
	}
	for _, name := range list {
		above := name[:max(0, strings.LastIndexByte(name, '/'))]
		if !stay[name] && !whole[above] && !whole[above+"/"] {
			all = append(all, name)
		}
	}
	return all, whole
}
