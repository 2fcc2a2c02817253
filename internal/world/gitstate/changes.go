package gitstate

import (
	"maps"
	"slices"
	"strings"
)

// maxChangedTrees bounds the trees read for one comparison of two revisions.
const maxChangedTrees = 5_000

// Changes lists the paths at which the trees of two revisions differ, sorted, at
// most limit. complete is false when there may be more, or when a revision or an
// object could not be read. The revision "" is one without files, A...B the merge
// base of two.
func (r *repo) Changes(from, to string, limit int) (paths []string, complete bool) {
	d := &revDiff{db: r.objects(), limit: limit, budget: maxChangedTrees, complete: true}
	a, ok := d.tree(r, from)
	b, also := d.tree(r, to)
	if !ok || !also {
		return nil, false
	}
	d.dirs(a, b, "", 0)
	slices.Sort(d.paths)
	return slices.Compact(d.paths), d.complete
}

// A revDiff walks two trees side by side; what is the same is not read.
type revDiff struct {
	db       *objectDB
	paths    []string
	limit    int
	budget   int
	complete bool
}

func (d *revDiff) tree(r *repo, rev string) (oid, bool) {
	if rev == "" {
		return "", true
	}
	q := revQuery{r: r, db: d.db}
	var id oid
	if a, b, both := strings.Cut(rev, "..."); both {
		id = d.base(q.peel(q.resolve(a, 0)), q.peel(q.resolve(b, 0)))
	} else {
		id = q.peel(q.resolve(rev, 0))
	}
	if id == "" {
		return "", false
	}
	c, err := d.db.commit(id)
	if err != nil {
		return "", false
	}
	return c.tree, true
}

// maxBase bounds the commits read in search of a merge base.
const maxBase = 5_000

// Marks of commits that are come upon in search of a merge base.
const (
	left  = 1 << iota // the first revision has it
	right             // the second one has it
	stale             // a descendant of it is a base already
)

// base is the best commit that both have, as git-merge-base(1) finds it: the
// history of both is painted, newest first, until all that is left is older than
// a base. "" if none was found; of several, one.
func (d *revDiff) base(a, b oid) oid {
	marks := map[oid]int{}
	var queue []*commitAt
	push := func(id oid, mark int) bool {
		if marks[id]&mark == mark {
			return true
		}
		marks[id] |= mark // taken up again: dates may be the same, or wrong
		c, err := d.db.commit(id)
		if err == nil {
			queue = append(queue, &commitAt{id, c})
		}
		return err == nil
	}
	if a == "" || b == "" || !push(a, left) || !push(b, right) {
		return ""
	}
	var found []oid
	for range maxBase {
		// Of several bases one may be older than another: then to the end.
		if len(queue) == 0 || len(found) < 2 && !slices.ContainsFunc(queue, func(c *commitAt) bool { return marks[c.id]&stale == 0 }) {
			break
		}
		newest := 0
		for i, c := range queue {
			if c.commit.date > queue[newest].commit.date {
				newest = i
			}
		}
		at := queue[newest]
		queue = slices.Delete(queue, newest, newest+1)
		mark := marks[at.id]
		if mark&(left|right) == left|right {
			if mark&stale == 0 && !slices.Contains(found, at.id) {
				found = append(found, at.id)
			}
			mark |= stale
		}
		for _, p := range at.commit.parents {
			if !push(p, mark) {
				return ""
			}
		}
	}
	for _, id := range found {
		if marks[id]&stale == 0 {
			return id
		}
	}
	return ""
}

// A commitAt is a commit that waits to be looked at.
type commitAt struct {
	id     oid
	commit *commit
}

// list reads a tree into a map from a name, with a slash if it is a directory.
func (d *revDiff) list(id oid) map[string]treeEntry {
	if id == "" {
		return nil
	}
	if d.budget--; d.budget < 0 {
		d.complete = false
		return nil
	}
	data, err := d.db.tree(id)
	if err != nil {
		d.complete = false
		return nil
	}
	all := map[string]treeEntry{}
	for t, rest, ok := nextEntry(data, d.db.algo); ok; t, rest, ok = nextEntry(rest, d.db.algo) {
		all[treeKey(t)] = t
	}
	return all
}

func (d *revDiff) dirs(a, b oid, prefix string, depth int) {
	if a == b || !d.complete {
		return
	}
	if depth > maxTreeDepth || len(prefix) > maxPath {
		d.complete = false
		return
	}
	was, is := d.list(a), d.list(b)
	names := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(is))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if old, now := was[name], is[name]; old != now {
			d.entry(name, old.id, now.id, prefix, depth)
		}
	}
}

func (d *revDiff) entry(name string, a, b oid, prefix string, depth int) {
	switch {
	case strings.HasSuffix(name, "/"):
		d.dirs(a, b, prefix+name, depth+1)
	case len(d.paths) >= d.limit:
		d.complete = false
	default:
		d.paths = append(d.paths, prefix+name)
	}
}
