package main

import (
	"cmp"
	"math"
	"slices"

	"github.com/heedsh/heed/internal/detect/intent"
	"github.com/heedsh/heed/risk"
)

// seed makes every run alike.
const seed = 20260214

// folds is how many parts the groups are divided into.
const folds = 5

// A set is everything that training looks at.
type set struct {
	rows     []row
	sights   []sight
	bits     int
	features [][]uint32
	fold     []int
	guards   bool // train on guard rows too
	trust    []float32
	dense    *dense
}

func newSet(rows []row, sights []sight, bits int, guards bool) *set {
	d := &set{rows: rows, sights: sights, bits: bits, guards: guards, fold: divide(rows)}
	var s intent.Scratch
	for i := range sights {
		d.features = append(d.features, slices.Clone(intent.Features(&sights[i].In, bits, &s)))
	}
	for i := range rows {
		d.trust = append(d.trust, trust(&rows[i], &sights[i]))
	}
	d.dense = newDense(d)
	return d
}

// trust is how much a row counts in training. A source's label is one for all
// its rows: where heed finds a loss in a row that is called benign because it
// stands in a manual, or nothing at all in one that is called harm because it
// stands in an attacker's playbook, the label says little. Rows count in full
// when a model is measured.
func trust(r *row, s *sight) float32 {
	harm := r.label == intent.Destructive || r.label == intent.Exfiltration || r.label == intent.Persistence
	switch {
	case r.own:
		return 1
	case r.label == intent.Benign && s.Tier == risk.Review:
		return 0.1
	case harm && s.Tier == risk.Safe:
		return 0.1
	}
	return 1
}

// divide gives each row a fold so that groups stay whole and each intent is
// spread as evenly as groups allow: the groups that hold most of the rare
// intents are dealt first, each to the fold that has least of what it brings.
func divide(rows []row) []int {
	totals := [intent.Count]float64{}
	groups := map[string]*[intent.Count]float64{}
	for i := range rows {
		g := groups[rows[i].Group]
		if g == nil {
			g = new([intent.Count]float64)
			groups[rows[i].Group] = g
		}
		g[rows[i].label]++
		totals[rows[i].label]++
	}
	names := make([]string, 0, len(groups))
	for name := range groups {
		names = append(names, name)
	}
	share := func(name string) (s float64) {
		for c, n := range groups[name] {
			s += n / max(totals[c], 1)
		}
		return s
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(share(b), share(a)), cmp.Compare(a, b))
	})
	var has [folds][intent.Count]float64
	to := map[string]int{}
	for _, name := range names {
		best, least := 0, math.Inf(1)
		for k := range folds {
			load := 0.0
			for c, n := range groups[name] {
				after := (has[k][c] + n) / max(totals[c], 1)
				load += after*after - (has[k][c]/max(totals[c], 1))*(has[k][c]/max(totals[c], 1))
			}
			if load < least-1e-12 {
				best, least = k, load
			}
		}
		for c, n := range groups[name] {
			has[best][c] += n
		}
		to[name] = best
	}
	out := make([]int, len(rows))
	for i := range rows {
		out[i] = to[rows[i].Group]
	}
	return out
}

// without returns the rows to train on when the given folds are held out.
func (d *set) without(held ...int) []int {
	var out []int
	for i := range d.rows {
		if !slices.Contains(held, d.fold[i]) && (d.guards || !d.rows[i].guard()) {
			out = append(out, i)
		}
	}
	return out
}

// in returns the rows of a fold; guard rows only if all is set.
func (d *set) in(fold int, all bool) []int {
	var out []int
	for i := range d.rows {
		if d.fold[i] == fold && (all || d.guards || !d.rows[i].guard()) {
			out = append(out, i)
		}
	}
	return out
}

// classWeights make rare intents count: the square root of how much rarer they
// are than BENIGN.
func classWeights(d *set, train []int) (w [intent.Count]float32) {
	var n [intent.Count]float64
	for _, i := range train {
		n[d.rows[i].label]++
	}
	for c := range w {
		w[c] = float32(math.Sqrt(max(n[0], 1) / max(n[c], 1)))
	}
	return w
}

func softmax(z [intent.Count]float64) (p [intent.Count]float64) {
	top, sum := slices.Max(z[:]), 0.0
	for c := range z {
		p[c] = math.Exp(z[c] - top)
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
	return p
}

func weightedLoss(d *set, rows []int, weights [intent.Count]float32, logits func(int) [intent.Count]float64) float64 {
	sum, total := 0.0, 0.0
	for _, i := range rows {
		c := d.rows[i].label
		p := softmax(logits(i))
		sum -= float64(weights[c]) * math.Log(max(p[c], 1e-9))
		total += float64(weights[c])
	}
	return sum / max(total, 1)
}
