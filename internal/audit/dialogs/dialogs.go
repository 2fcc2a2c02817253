package dialogs

import (
	"cmp"
	"slices"

	"github.com/heedsh/heed/internal/audit"
)

const (
	// patience is how long after a question the command may still end, in milliseconds:
	// calls run side by side, and some take long.
	patience = 10 * 60 * 1000
	// maxOpen is how many questions may be without an answer.
	maxOpen = 50_000
)

// Dialogs completes rows. The zero value has seen none.
type Dialogs struct {
	open  map[call]audit.Row
	last  map[string]audit.Stamp // by session: its last row
	tells map[string]bool        // agents that tell how commands end
}

type call struct{ session, request string }

// Add takes a row in, and hands it on, with the answer that it shows.
func (d *Dialogs) Add(r *audit.Row, next func(*audit.Row)) {
	next(r)
	if r.Session == "" {
		return
	}
	if d.open == nil {
		d.open, d.last, d.tells = map[call]audit.Row{}, map[string]audit.Stamp{}, map[string]bool{}
	}
	d.last[r.Session] = max(d.last[r.Session], r.Time)
	if r.Request == "" {
		return
	}
	k := call{r.Session, r.Request}
	switch r.Kind {
	case audit.Asked:
		if len(d.open) < maxOpen {
			x := r.As(audit.Asked)
			d.open[k] = x
		}
	case audit.Approved, audit.Denied:
		delete(d.open, k) // somebody wrote down what was answered
	case audit.Finished:
		d.tells[r.Agent] = true
		q, asked := d.open[k]
		if !asked {
			return
		}
		delete(d.open, k)
		yes := answer(&q, audit.Approved, r)
		if r.Outcome != nil {
			yes.WaitedMS = max(int64(r.Time-q.Time)-r.Outcome.MS, 0)
		}
		next(&yes)
	}
}

// End hands on what the questions show that are left: rows of no, in the order of the
// questions.
func (d *Dialogs) End(next func(*audit.Row)) {
	var left []audit.Row
	for k, q := range d.open {
		if d.tells[q.Agent] && d.last[k.session] >= q.Time+patience {
			left = append(left, q)
		}
	}
	slices.SortFunc(left, func(a, b audit.Row) int { return cmp.Compare(a.Seq, b.Seq) })
	for i := range left {
		no := answer(&left[i], audit.Denied, &left[i])
		next(&no)
	}
	clear(d.open)
}

// answer is the row of an answer to a question, as of another row.
func answer(q *audit.Row, kind audit.Kind, as *audit.Row) audit.Row {
	r := q.As(kind)
	r.By, r.Decision, r.Time, r.Seq = "click", "", as.Time, as.Seq
	return r
}
