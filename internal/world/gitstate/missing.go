package gitstate

import (
	"container/heap"
	"errors"
	"math"

	"github.com/heedsh/heed/internal/world"
)

const (
	// maxVisited bounds the commits that one count reads.
	maxVisited = 200_000
	// slop is how many commits are looked at after the count seems done, for
	// histories whose dates are not in order. git takes 5 (revision.c).
	slop           = 64
	maxShallowFile = 4 << 20
)

// Missing counts what git rev-list --count from... --not by... would. Where
// commits have wrong dates it may count some that are reachable, never fewer
// than there are.
func (r *repo) Missing(from, by []string, limit int) (n int, complete bool) {
	w := reach{db: r.objects(), nodes: make(map[oid]*node), oldest: math.MaxInt64, complete: true}
	var err error
	if w.shallow, err = r.shallow(); err != nil {
		return 0, false
	}
	limit = max(limit, 0)
	w.budget = min(10_000+20*limit, maxVisited)
	w.seed(r, by, false)
	w.seed(r, from, true)
	w.run()
	if w.count > limit {
		return limit, false
	}
	return w.count, w.complete
}

// shallow returns the commits whose parents are not here (gitrepository-layout(5)).
func (r *repo) shallow() (map[string]bool, error) {
	lines, _, err := load(r.g, kindShallow, join(r.commonDir, "shallow"), maxShallowFile, parseLines)
	if errors.Is(err, world.ErrNotExist) {
		return nil, nil
	}
	set := make(map[string]bool, len(lines))
	for _, l := range lines {
		set[l] = true
	}
	return set, err
}

// A node is a commit that has been come upon.
type node struct {
	id      oid
	date    int64
	parents []oid
	wanted  bool // not known to be reachable from "by"
	counted bool
	queued  bool
}

// reach paints the history from both ends, newest commits first.
type reach struct {
	db       *objectDB
	nodes    map[oid]*node
	queue    nodeHeap
	shallow  map[string]bool
	wanted   int   // wanted nodes in the queue
	count    int   // wanted nodes that have been counted
	oldest   int64 // the date of the oldest that was counted
	budget   int
	complete bool
}

func (w *reach) seed(r *repo, revs []string, wanted bool) {
	for _, rev := range revs {
		id, ok := r.algo.parse(rev)
		if _, err := w.db.commit(id); !ok || err != nil { // no commit by its whole name
			id, ok = r.algo.parse(r.Ref(rev))
		}
		if !ok {
			w.complete = false
			continue
		}
		w.visit(id, wanted)
	}
}

// visit queues a commit, or paints it if it has been seen.
func (w *reach) visit(id oid, wanted bool) {
	if n, ok := w.nodes[id]; ok {
		if !wanted {
			w.unwant(n)
		}
		return
	}
	if len(w.nodes) >= w.budget {
		w.complete = false
		return
	}
	c, err := w.db.commit(id)
	if err != nil {
		w.complete = false
		return
	}
	n := &node{id: id, date: c.date, parents: c.parents, wanted: wanted, queued: true}
	if w.shallow[id.hex()] {
		n.parents, w.complete = nil, false
	}
	w.nodes[id] = n
	if wanted {
		w.wanted++
	}
	heap.Push(&w.queue, n)
}

// unwant marks a commit and everything known to be reachable from it.
func (w *reach) unwant(n *node) {
	for stack := []*node{n}; len(stack) > 0; {
		n, stack = stack[len(stack)-1], stack[:len(stack)-1]
		if !n.wanted {
			continue
		}
		n.wanted = false
		if n.queued {
			w.wanted--
		}
		if n.counted {
			w.count--
		}
		for _, p := range n.parents {
			if m, ok := w.nodes[p]; ok && m.wanted {
				stack = append(stack, m)
			}
		}
	}
}

func (w *reach) run() {
	for left := slop; len(w.queue) > 0 && left > 0; {
		n := heap.Pop(&w.queue).(*node)
		n.queued = false
		if n.wanted {
			w.wanted--
			n.counted = true
			w.count++
			w.oldest = min(w.oldest, n.date)
		}
		for _, p := range n.parents {
			w.visit(p, n.wanted)
		}
		switch {
		case w.wanted > 0:
			left = slop
		case w.count == 0:
			return
		case n.date < w.oldest:
			left--
		}
	}
}

// nodeHeap has the newest commit on top; ties go by id, so that every run counts
// in the same order.
type nodeHeap []*node

func (h nodeHeap) Len() int { return len(h) }
func (h nodeHeap) Less(i, j int) bool {
	if h[i].date != h[j].date {
		return h[i].date > h[j].date
	}
	return h[i].id < h[j].id
}
func (h nodeHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *nodeHeap) Push(x any)   { *h = append(*h, x.(*node)) }
func (h *nodeHeap) Pop() any {
	old := *h
	n := old[len(old)-1]
	*h = old[:len(old)-1]
	return n
}
