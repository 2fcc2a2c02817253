package scan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// A Change says what became of the lines of a text. A line may be taken for altered
// that is not; never the other way round.
type Change struct {
	// from holds, for each line of the new text, the line of the old text, counted
	// from 1, that it is, or 0 where it is new or altered.
	from []int
}

// Diff compares a text with an older one. It takes no longer than sorting the lines.
func Diff(was, now string) *Change {
	a, b := strings.Split(was, "\n"), strings.Split(now, "\n")
	if was == "" {
		a = nil
	}
	c := &Change{from: make([]int, len(b))}
	same := 0 // lines at the start of both
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
		c.from[same-1] = same
	}
	endA, endB := len(a), len(b)
	for endA > same && endB > same && a[endA-1] == b[endB-1] {
		c.from[endB-1] = endA
		endA, endB = endA-1, endB-1
	}
	doneA, doneB := same, same
	for _, at := range anchors(a[same:endA], b[same:endB]) {
		i, j := at.a+same, at.b+same
		if i < doneA || j < doneB {
			continue // it was reached from the one before
		}
		for i > doneA && j > doneB && a[i-1] == b[j-1] {
			i, j = i-1, j-1
		}
		for i < endA && j < endB && a[i] == b[j] {
			i, j = i+1, j+1
			c.from[j-1] = i
		}
		doneA, doneB = i, j
	}
	return c
}

// A pair is a line of the old text and the line of the new one that it became, both
// counted from 0.
type pair struct{ a, b int }

// anchors are the lines that stand once in each of two texts: as many of them as
// can be that are in the same order in both.
func anchors(a, b []string) []pair {
	const twice = -2
	inA := make(map[string]int, len(a))
	for i, line := range a {
		if _, seen := inA[line]; seen {
			i = twice
		}
		inA[line] = i
	}
	inB := make(map[string]int, len(b))
	for j, line := range b {
		if _, seen := inB[line]; seen {
			j = twice
		}
		inB[line] = j
	}
	var once []pair
	for j, line := range b {
		if i, ok := inA[line]; ok && i != twice && inB[line] == j {
			once = append(once, pair{i, j})
		}
	}
	return rising(once)
}

// rising returns a longest part of pairs, which are in the order of b, in which a
// rises too.
func rising(pairs []pair) []pair {
	ends := []int{}                   // of the best run of each length, the pair it ends with
	before := make([]int, len(pairs)) // the one before it in its run, or -1
	for k, p := range pairs {
		at, _ := slices.BinarySearchFunc(ends, p.a, func(end, a int) int { return cmp.Compare(pairs[end].a, a) })
		before[k] = -1
		if at > 0 {
			before[k] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, k)
		} else {
			ends[at] = k
		}
	}
	out := make([]pair, len(ends))
	if len(ends) > 0 {
		for n, k := len(ends)-1, ends[len(ends)-1]; n >= 0; n, k = n-1, before[k] {
			out[n] = pairs[k]
		}
	}
	return out
}

// Divide says which results of a text are of a change: those on lines that it adds
// or alters, those that it made worse wherever they stand, and what was not
// inspected. was returns the results of the older text; it is asked only if that
// matters. left are the others.
func (c *Change) Divide(now []Result, was func() []Result) (changed, left []Result) {
	var before map[Position][]*Result
	for i := range now {
		r := &now[i]
		if r.Rule == NotInspected || c.touches(r) {
			changed = append(changed, *r)
			continue
		}
		if r.Tier > risk.Safe {
			if before == nil {
				before = byPlace(was())
			}
			if !spend(before, Position{Line: c.old(r.Line), Column: r.Column}, r) {
				changed = append(changed, *r)
				continue
			}
		}
		left = append(left, *r)
	}
	return changed, left
}

// touches reports whether a result stands, or was decided, on a line that is new or
// altered, or between two lines of it there was another.
func (c *Change) touches(r *Result) bool {
	if c.old(r.Decided.Line) == 0 {
		return true
	}
	for line := r.Line; line <= max(r.Line, r.EndLine); line++ {
		if c.old(line) == 0 || line > r.Line && c.old(line) != c.old(line-1)+1 {
			return true
		}
	}
	return false
}

// old is the line of the old text that a line of the new one is, or 0.
func (c *Change) old(line int) int {
	if line < 1 || line > len(c.from) {
		return 0
	}
	return c.from[line-1]
}

func byPlace(all []Result) map[Position][]*Result {
	m := make(map[Position][]*Result, len(all))
	for i := range all {
		at := Position{Line: all[i].Line, Column: all[i].Column}
		m[at] = append(m[at], &all[i])
	}
	return m
}

// spend takes a result out of those that stood at a place before, of which one is
// as bad: of a higher tier, or of the same for the same reason. ok is false if there
// is none.
func spend(before map[Position][]*Result, at Position, r *Result) (ok bool) {
	best := -1
	for k, old := range before[at] {
		if old.Tier < r.Tier || old.Tier == r.Tier && old.Rule != r.Rule {
			continue
		}
		if best < 0 || old.Tier < before[at][best].Tier {
			best = k
		}
	}
	if best < 0 {
		return false
	}
	before[at] = slices.Delete(before[at], best, best+1)
	return true
}
