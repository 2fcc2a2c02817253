package gitstate

import (
	"bytes"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

const (
	// maxStored bounds the objects of a repository that are all looked at.
	maxStored = 20_000
	maxLogs   = 2_000
)

// Logged lists the commits that logs of refs name.
func (r *repo) Logged(limit int) (ids []string, complete bool) {
	if r.reftable {
		return nil, false
	}
	w := logWalk{r: r, seen: map[string]bool{}, limit: limit, complete: true}
	w.dir(join(r.commonDir, "logs"), 0)
	if r.gitDir != r.commonDir {
		w.dir(join(r.gitDir, "logs"), 0)
	}
	return w.ids, w.complete && !r.linked()
}

// linked reports whether there may be other work trees, which have logs and an
// index of their own (gitrepository-layout(5), "worktrees").
func (r *repo) linked() bool {
	entries, err := r.g.fs.ReadDir(join(r.commonDir, "worktrees"), 1)
	return r.gitDir != r.commonDir || err == nil && len(entries) > 0
}

type logWalk struct {
	r        *repo
	ids      []string
	seen     map[string]bool
	files    int
	limit    int
	complete bool
}

func (w *logWalk) dir(dir string, depth int) {
	if info, err := w.r.g.stat(dir); depth == 0 && err == nil && info.Kind == world.Missing {
		return // no logs are kept
	}
	entries, err := w.r.g.fs.ReadDir(dir, maxLogs)
	if w.complete = w.complete && err == nil && depth <= maxRefDepth; !w.complete {
		return
	}
	for _, e := range entries {
		name := join(dir, e.Name)
		if e.Kind == world.Dir {
			w.dir(name, depth+1)
			continue
		}
		log, _, err := load(w.r.g, kindReflog, name, maxReflog, parseReflog)
		if w.files++; err != nil || w.files > maxLogs {
			w.complete = false
			return
		}
		for _, l := range log {
			w.add(l.from)
			w.add(l.to)
		}
	}
}

func (w *logWalk) add(id string) {
	if strings.Trim(id, "0") == "" || w.seen[id] { // before it was made
		return
	}
	if len(w.ids) >= w.limit {
		w.complete = false
		return
	}
	w.seen[id] = true
	w.ids = append(w.ids, id)
}

// Unkept counts the objects that no ref, no log of one, and nothing that is staged
// keeps. Operations in progress keep more; that is not counted on.
func (r *repo) Unkept(limit int) (n int, complete bool) {
	logged, ok := r.Logged(maxStored)
	refs, err := r.Refs("refs/", maxStored)
	x, _, unread := r.index()
	if !ok || err != nil || unread != nil || len(refs) == maxStored {
		return 0, false
	}
	w := keepWalk{db: r.objects(), kept: map[oid]bool{}}
	all, ok := w.db.stored()
	if !ok {
		return 0, false
	}
	head, _ := r.head()
	w.push(head)
	for _, ref := range refs {
		w.pushHex(ref.ID)
	}
	for _, id := range logged {
		w.pushHex(id)
	}
	for i := range x.entries {
		if e := &x.entries[i]; !e.isGitlink() {
			w.kept[e.id] = true
		}
	}
	if !w.run() {
		return 0, false
	}
	for _, id := range all {
		if !w.kept[id] {
			if n++; n > limit {
				return limit, false
			}
		}
	}
	return n, true
}

// stored lists the objects of the repository itself; ok is false if there are too
// many, or they cannot all be told.
func (db *objectDB) stored() (all []oid, ok bool) {
	entries, err := db.g.fs.ReadDir(db.own, 1000)
	if err != nil || len(db.dirs()) > 1 { // what is borrowed from others is looked at nowhere
		return nil, false
	}
	for _, d := range entries {
		if d.Kind != world.Dir || len(d.Name) != 2 {
			continue
		}
		files, err := db.g.fs.ReadDir(join(db.own, d.Name), maxStored)
		if err != nil || len(all)+len(files) > maxStored {
			return nil, false
		}
		for _, f := range files {
			if id, ok := db.algo.parse(d.Name + f.Name); ok {
				all = append(all, id)
			}
		}
	}
	db.loadPacks(false)
	for _, p := range db.packs {
		if int64(len(all))+p.idx.count > maxStored {
			return nil, false
		}
		for i := range p.idx.count {
			id, err := p.idx.id(i)
			if err != nil {
				return nil, false
			}
			all = append(all, oid(id))
		}
	}
	return all, true
}

// A keepWalk finds what is kept.
type keepWalk struct {
	db    *objectDB
	kept  map[oid]bool
	queue []oid
}

func (w *keepWalk) push(id oid) {
	if id != "" && !w.kept[id] {
		w.kept[id] = true
		w.queue = append(w.queue, id)
	}
}

func (w *keepWalk) pushHex(text string) {
	if id, ok := w.db.algo.parse(text); ok {
		w.push(id)
	}
}

// run follows all that is queued, and reports whether everything could be read.
func (w *keepWalk) run() bool {
	for len(w.queue) > 0 {
		id := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		typ, data, err := w.db.read(id)
		if err != nil || len(w.kept) > 10*maxStored {
			return false
		}
		switch typ {
		case typeCommit:
			c, err := parseCommit(data, w.db.algo)
			if err != nil {
				return false
			}
			w.push(c.tree)
			for _, p := range c.parents {
				w.push(p)
			}
		case typeTree:
			for e, rest, ok := nextEntry(data, w.db.algo); ok; e, rest, ok = nextEntry(rest, w.db.algo) {
				switch e.mode & modeType {
				case modeDir:
					w.push(e.id)
				case modeGitlink:
				default:
					w.kept[e.id] = true
				}
			}
		case typeTag:
			line, _, _ := bytes.Cut(data, []byte("\n"))
			w.pushHex(strings.TrimPrefix(string(line), "object "))
		}
	}
	return true
}
