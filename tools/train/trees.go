package main

import (
	"math"
	"math/rand/v2"

	"github.com/heedsh/heed/internal/detect/intent"
)

// Hyperparameters of the boosted trees.
const (
	treeDepth   = 5
	treeRate    = 0.12
	treeRounds  = 160
	treeLeaf    = 4.0 // least sum of second derivatives in a leaf
	treeLambda  = 2.0
	treeColumns = 0.35 // share of the columns that a tree may use
	treeSample  = 3    // one in so many ordinary rows teaches a round
)

// A tree is a complete binary tree: node n has the children 2n+1 and 2n+2. A
// row goes right where its step in the column is above the cut.
type tree struct {
	column [1<<treeDepth - 1]int16
	cut    [1<<treeDepth - 1]uint8
	leaf   [1 << treeDepth]float32
}

func (t *tree) at(table *dense, i int) float32 {
	n := 0
	for range treeDepth {
		if table.bin[t.column[n]][i] > t.cut[n] {
			n = 2*n + 2
		} else {
			n = 2*n + 1
		}
	}
	return t.leaf[n-(1<<treeDepth-1)]
}

// A forest is boosted trees, one a round for each intent but BENIGN.
type forest struct {
	table *dense
	trees [][others]tree
}

func (f *forest) logits(i int) (z [intent.Count]float64) {
	for r := range f.trees {
		for c := range f.trees[r] {
			z[c+1] += float64(f.trees[r][c].at(f.table, i))
		}
	}
	return z
}

type gradient struct{ g, h float32 }

// fitForest boosts until the loss on val has not fallen for some rounds, or for
// as many rounds as are given.
func fitForest(d *set, table *dense, train, val []int, rounds int) (*forest, int) {
	f := &forest{table: table}
	weights := classWeights(d, train)
	random := rand.New(rand.NewPCG(seed, 2))
	z := make([][intent.Count]float64, len(d.rows))
	both := append(append([]int(nil), train...), val...)
	best, bestLoss := 0, math.Inf(1)
	last := treeRounds
	if rounds > 0 {
		last = rounds
	}
	for r := 1; r <= last; r++ {
		round := boost(d, table, train, z, weights, random)
		f.trees = append(f.trees, round)
		for _, i := range both {
			for c := range round {
				z[i][c+1] += float64(round[c].at(table, i))
			}
		}
		if rounds > 0 || r%4 != 0 {
			continue
		}
		if loss := weightedLoss(d, val, weights, func(i int) [intent.Count]float64 { return z[i] }); loss < bestLoss {
			best, bestLoss = r, loss
		} else if r-best >= 16 {
			break
		}
	}
	if rounds == 0 {
		f.trees = f.trees[:best]
		return f, best
	}
	return f, rounds
}

// boost grows a round's trees on all rows of the rare intents and on a sample
// of the ordinary ones, which count for those left out.
func boost(d *set, table *dense, train []int, z [][intent.Count]float64, weights [intent.Count]float32, random *rand.Rand) (round [others]tree) {
	var rows []int
	var p [][intent.Count]float64
	for _, i := range train {
		if d.rows[i].label != intent.Benign || random.Float64() < 1.0/treeSample {
			rows = append(rows, i)
			p = append(p, softmax(z[i]))
		}
	}
	grads := make([]gradient, len(rows))
	for c := range round {
		for n, i := range rows {
			w, y := weights[d.rows[i].label]*d.trust[i], 0.0
			switch int(d.rows[i].label) {
			case 0:
				w *= treeSample
			case c + 1:
				y = 1
			}
			q := p[n][c+1]
			grads[n] = gradient{w * float32(q-y), w * float32(q*(1-q))}
		}
		grow(&round[c], table, rows, grads, random)
	}
	return round
}

// grow grows one tree, level by level.
func grow(t *tree, table *dense, train []int, grads []gradient, random *rand.Rand) {
	var columns []int
	for c := range table.bin {
		if len(table.cuts[c]) > 0 && random.Float64() < treeColumns {
			columns = append(columns, c)
		}
	}
	node := make([]int, len(train)) // of each row, in its level
	for level := range treeDepth {
		width := 1 << level
		first := width - 1
		gain := make([]float64, width)
		for k := range width {
			t.cut[first+k] = math.MaxUint8 // everything goes left
		}
		hist := make([][bins + 1]gradient, width)
		for _, c := range columns {
			clear(hist)
			bin := table.bin[c]
			for n, i := range train {
				h := &hist[node[n]][bin[i]]
				h.g += grads[n].g
				h.h += grads[n].h
			}
			for k := range width {
				if s, cut := split(&hist[k]); s > gain[k] {
					gain[k], t.column[first+k], t.cut[first+k] = s, int16(c), cut
				}
			}
		}
		for n, i := range train {
			k := first + node[n]
			node[n] *= 2
			if table.bin[t.column[k]][i] > t.cut[k] {
				node[n]++
			}
		}
	}
	var sums [1 << treeDepth]gradient
	for n := range train {
		sums[node[n]].g += grads[n].g
		sums[node[n]].h += grads[n].h
	}
	for k, s := range sums {
		t.leaf[k] = -treeRate * s.g / (s.h + treeLambda)
	}
}

// split finds the best cut of a node's rows by a column. Source: T. Chen and
// C. Guestrin, "XGBoost: A Scalable Tree Boosting System", 2016, equation 7.
func split(hist *[bins + 1]gradient) (gain float64, cut uint8) {
	var all gradient
	for _, h := range hist {
		all.g += h.g
		all.h += h.h
	}
	value := func(s gradient) float64 { return float64(s.g) * float64(s.g) / (float64(s.h) + treeLambda) }
	var left gradient
	for b := range bins {
		left.g += hist[b].g
		left.h += hist[b].h
		right := gradient{all.g - left.g, all.h - left.h}
		if left.h < treeLeaf || right.h < treeLeaf {
			continue
		}
		if s := value(left) + value(right) - value(all); s > gain {
			gain, cut = s, uint8(b)
		}
	}
	return gain, cut
}
