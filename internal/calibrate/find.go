package calibrate

import (
	"cmp"
	"slices"

	"github.com/heedsh/heed/internal/audit"
)

// What a finding needs.
const (
	safeLimit  = 0.05    // more rejections of SAFE than this are no slips
	hastyLimit = 1.0 / 3 // of approvals of REVIEW; now and then one is quick because it was expected
	spareLimit = 0.10    // what is rejected more rarely than this need not be asked about
	maxFound   = 20      // findings of one kind
)

// A tail is the end of a series of trials, from which on a share is surely above a
// limit.
type tail struct {
	since     audit.Stamp
	hits, of  int
	certainty float64 // the lower end of its interval
}

// lastStretch finds the tail of a series in which the share is most surely above a
// limit, so that months before do not hide what began yesterday. The trials are those
// of one program, in their order.
func lastStretch(hits []bool, at []audit.Stamp, limit float64) (best tail, found bool) {
	n := 0
	for i := len(hits) - 1; i >= 0; i-- {
		if hits[i] {
			n++
		}
		of := len(hits) - i
		if of < Least || of > Least && !hits[i] {
			continue // a longer one begins with a hit
		}
		if low, _ := Wilson(n, of, sure); low > limit && (!found || low > best.certainty) {
			best, found = tail{at[i], n, of, low}, true
		}
	}
	return best, found
}

// exceeding finds the programs of which a share is above a limit, one after the
// other: what the surest one explains is no evidence against programs that stood in
// the same commands.
func exceeding(kind string, all []trial, limit float64) (found []Finding) {
	left := slices.Clone(all)
	for len(found) < maxFound {
		name, t, ok := surest(left, limit)
		if !ok {
			return found
		}
		share := shareOf(t.hits, t.of)
		found = append(found, Finding{Kind: kind, Program: name, Since: t.since, Share: &share})
		left = slices.DeleteFunc(left, func(t trial) bool { return slices.Contains(t.programs, name) })
	}
	return found
}

// surest is the program whose share is most surely above a limit.
func surest(all []trial, limit float64) (name string, best tail, found bool) {
	type series struct {
		hits []bool
		at   []audit.Stamp
	}
	by := map[string]*series{}
	for i := range all {
		for _, p := range all[i].programs {
			if by[p] == nil {
				by[p] = &series{}
			}
			by[p].hits, by[p].at = append(by[p].hits, all[i].hit), append(by[p].at, all[i].at)
		}
	}
	for p, s := range by {
		t, ok := lastStretch(s.hits, s.at, limit)
		if ok && (!found || cmp.Or(cmp.Compare(t.certainty, best.certainty), cmp.Compare(t.of, best.of), cmp.Compare(name, p)) > 0) {
			name, best, found = p, t, true
		}
	}
	return name, best, found
}

// spared are the programs whose questions nobody ever answered with no.
func spared(m *Measure) (found []Finding) {
	for i := range m.Programs {
		p := &m.Programs[i]
		if p.Known && p.Count == 0 && p.High < spareLimit && len(found) < maxFound {
			found = append(found, Finding{Kind: NeverRejected, Program: p.Name, Share: &p.Share})
		}
	}
	return found
}
