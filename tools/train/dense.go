package main

import (
	"cmp"
	"slices"

	"github.com/heedsh/heed/internal/detect/intent"
)

// bins is how many steps a feature of the trees has.
const bins = 32

// tokenColumns is how many effect tokens the trees see.
const tokenColumns = 160

// A dense is a table of numbers for the trees, column by column: the
// structural features, the commonest effect tokens, and whatever is stacked.
type dense struct {
	cuts [][]float32 // of each column, in order
	bin  [][]uint8   // column, row
	// tokens are what the columns after the structural ones are, ascending.
	tokens []intent.Token
}

func newDense(d *set) *dense {
	tokens := commonTokens(d)
	t := &dense{tokens: tokens}
	columns := make([][]float32, len(intent.Shape{})+len(tokens))
	for c := range columns {
		columns[c] = make([]float32, len(d.rows))
	}
	for i := range d.rows {
		in := &d.sights[i].In
		for c, v := range intent.ShapeOf(in) {
			columns[c][i] = v
		}
		for n, k := range tokens {
			if slices.Contains(in.Tokens, k) {
				columns[len(intent.Shape{})+n][i] = 1
			}
		}
	}
	for _, c := range columns {
		t.add(c)
	}
	return t
}

// add cuts a column into steps that hold about as many rows each.
func (t *dense) add(column []float32) {
	sorted := slices.Clone(column)
	slices.Sort(sorted)
	var cuts []float32
	for k := 1; k < bins; k++ {
		v := sorted[k*len(sorted)/bins]
		if v > sorted[0] && (len(cuts) == 0 || v > cuts[len(cuts)-1]) {
			cuts = append(cuts, v)
		}
	}
	if top := sorted[len(sorted)-1]; top > sorted[0] && (len(cuts) == 0 || cuts[len(cuts)-1] < top) {
		cuts = append(cuts, top)
	}
	bin := make([]uint8, len(column))
	for i, v := range column {
		n, ok := slices.BinarySearch(cuts, v)
		if ok {
			n++
		}
		bin[i] = uint8(n)
	}
	t.cuts, t.bin = append(t.cuts, cuts), append(t.bin, bin)
}

// with returns the table with further columns.
func (t *dense) with(columns ...[]float32) *dense {
	u := &dense{cuts: slices.Clone(t.cuts), bin: slices.Clone(t.bin), tokens: t.tokens}
	for _, c := range columns {
		u.add(c)
	}
	return u
}

func commonTokens(d *set) []intent.Token {
	counts := map[intent.Token]int{}
	for i := range d.sights {
		for _, t := range d.sights[i].In.Tokens {
			counts[t]++
		}
	}
	tokens := make([]intent.Token, 0, len(counts))
	for t, n := range counts {
		if n >= 10 {
			tokens = append(tokens, t)
		}
	}
	slices.SortFunc(tokens, func(a, b intent.Token) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	tokens = tokens[:min(len(tokens), tokenColumns)]
	slices.Sort(tokens)
	return tokens
}
