package main

import (
	"math"
	"math/rand/v2"

	"github.com/heedsh/heed/internal/detect/intent"
)

// Shape and hyperparameters of the convolutional net.
const (
	convBytes   = 256 // of the command's beginning
	convWidth   = 5
	convFilters = 64
	convRate    = 0.02
	convEpochs  = 8
)

// A conv is a net over bytes: filters of a width, each at its best place in
// the command, and a linear layer on what they found. With one vector a byte
// and place the product of embedding and filter is a table, so that a filter
// costs additions only.
type conv struct {
	table  []float32 // place, byte, filter
	out    []float32 // filter, intent but BENIGN
	bias   [convFilters]float32
	top    [others]float32
	sums   [3][]float32 // squared gradients of table, out, and bias with top
	random *rand.Rand
}

func newConv() *conv {
	m := &conv{
		table: make([]float32, convWidth*256*convFilters), out: make([]float32, convFilters*others),
		random: rand.New(rand.NewPCG(seed, 4)),
	}
	for i := range m.table {
		m.table[i] = float32(m.random.NormFloat64()) * 0.1
	}
	for i := range m.out {
		m.out[i] = float32(m.random.NormFloat64()) * 0.1
	}
	m.sums = [3][]float32{make([]float32, len(m.table)), make([]float32, len(m.out)), make([]float32, convFilters+others)}
	return m
}

// A convState is what a forward pass leaves for the backward pass.
type convState struct {
	text  []byte
	place [convFilters]int
	value [convFilters]float32
}

func (m *conv) forward(text string, s *convState) (z [intent.Count]float64) {
	s.text = append(s.text[:0], text[:min(len(text), convBytes)]...)
	for len(s.text) < convWidth {
		s.text = append(s.text, ' ')
	}
	for f := range s.value {
		s.value[f] = -1e9
	}
	var sum [convFilters]float32
	for t := 0; t+convWidth <= len(s.text); t++ {
		sum = m.bias
		for k := range convWidth {
			row := m.table[(k*256+int(s.text[t+k]))*convFilters:][:convFilters]
			for f, v := range row {
				sum[f] += v
			}
		}
		for f, v := range sum {
			if v > s.value[f] {
				s.value[f], s.place[f] = v, t
			}
		}
	}
	for c, b := range m.top {
		z[c+1] = float64(b)
	}
	for f, v := range s.value {
		if v > 0 {
			for c := range others {
				z[c+1] += float64(v * m.out[f*others+c])
			}
		}
	}
	return z
}

// learn takes one step of Adagrad. One filter in five is left out at random,
// so that none relies on another.
func (m *conv) learn(text string, label intent.Intent, weight float32, s *convState) {
	z := m.forward(text, s)
	p := softmax(z)
	var g [others]float32
	for c := range g {
		g[c] = weight * float32(p[c+1])
		if int(label) == c+1 {
			g[c] -= weight
		}
		adagrad(&m.top[c], &m.sums[2][convFilters+c], g[c])
	}
	for f, v := range s.value {
		if v <= 0 || m.random.IntN(5) == 0 {
			continue
		}
		back := float32(0)
		for c := range g {
			back += g[c] * m.out[f*others+c]
			adagrad(&m.out[f*others+c], &m.sums[1][f*others+c], g[c]*v)
		}
		adagrad(&m.bias[f], &m.sums[2][f], back)
		for k := range convWidth {
			at := (k*256+int(s.text[s.place[f]+k]))*convFilters + f
			adagrad(&m.table[at], &m.sums[0][at], back)
		}
	}
}

func adagrad(w, sum *float32, g float32) {
	*sum += g * g
	*w -= convRate * g / float32(math.Sqrt(float64(*sum)+1e-6))
}

// fitConv trains on the commands' text alone.
func fitConv(d *set, train, val []int, rounds int) (predictor, int) {
	m, s := newConv(), &convState{}
	weights := classWeights(d, train)
	order := append([]int(nil), train...)
	predict := func(i int) [intent.Count]float64 { return m.forward(d.sights[i].In.Text, s) }
	best, bestLoss, at := conv{}, math.Inf(1), 0
	last := convEpochs
	if rounds > 0 {
		last = rounds
	}
	for epoch := 1; epoch <= last; epoch++ {
		m.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			r := &d.rows[i]
			m.learn(d.sights[i].In.Text, r.label, weights[r.label]*d.trust[i], s)
		}
		if rounds > 0 {
			continue
		}
		if loss := weightedLoss(d, val, weights, predict); loss < bestLoss {
			best, bestLoss, at = *m, loss, epoch
			best.table, best.out = append([]float32(nil), m.table...), append([]float32(nil), m.out...)
		} else if epoch-at >= patience {
			break
		}
	}
	if rounds > 0 {
		return predict, rounds
	}
	*m = best
	return predict, at
}
