package main

import (
	"math"
	"math/rand/v2"

	"github.com/heedsh/heed/internal/detect/intent"
)

// others is how many intents there are beside BENIGN, whose logit stays 0: a
// multinomial logistic regression needs no weights for one of its classes.
const others = intent.Count - 1

// A view says which blocks of features a linear model sees, and how much.
type view [intent.Blocks]float32

// Hyperparameters of the linear model, chosen by inner cross-validation on the
// loss, never by the outer folds.
const (
	linearRate   = 0.08
	linearDecay  = 2e-4
	linearEpochs = 25
	patience     = 2
	mastered     = 0.004 // what is predicted this well teaches nothing
)

// A linear is a multinomial logistic regression over hashed features.
type linear struct {
	view  view
	bits  int
	bias  [others]float32
	w     []float32 // bucket*others + class-1
	sums  []float32 // squared gradients, for Adagrad
	biasG [others]float32
}

func newLinear(v view, bits int) *linear {
	n := others << bits
	return &linear{view: v, bits: bits, w: make([]float32, n), sums: make([]float32, n)}
}

// norms are the values of an example's features, one a block.
func (m *linear) norms(features []uint32) (v view) {
	var n [intent.Blocks]int
	for _, f := range features {
		n[f>>24]++
	}
	for b := range v {
		v[b] = m.view[b] * intent.Norm(b, n[b])
	}
	return v
}

func (m *linear) logits(features []uint32) (z [intent.Count]float64) {
	v := m.norms(features)
	for c, b := range m.bias {
		z[c+1] = float64(b)
	}
	for _, f := range features {
		x := v[f>>24]
		if x == 0 {
			continue
		}
		w := m.w[int(f&0xffffff)*others:]
		for c := range others {
			z[c+1] += float64(w[c] * x)
		}
	}
	return z
}

// learn takes one step of Adagrad for an example with a weight.
func (m *linear) learn(features []uint32, label intent.Intent, weight float32) {
	p := softmax(m.logits(features))
	if 1-p[label] < mastered {
		return
	}
	var g [others]float32
	for c := range others {
		g[c] = float32(p[c+1]) * weight
		if int(label) == c+1 {
			g[c] -= weight
		}
		m.biasG[c] += g[c] * g[c]
		m.bias[c] -= linearRate * g[c] / float32(math.Sqrt(float64(m.biasG[c])+1e-6))
	}
	v := m.norms(features)
	for _, f := range features {
		x := v[f>>24]
		if x == 0 {
			continue
		}
		at := int(f&0xffffff) * others
		w, s := m.w[at:at+others], m.sums[at:at+others]
		for c := range others {
			d := g[c]*x + linearDecay*w[c]
			s[c] += d * d
			w[c] -= linearRate * d / float32(math.Sqrt(float64(s[c])+1e-6))
		}
	}
}

// fitLinear trains until the loss on val has not fallen for some epochs, or for
// so many epochs if rounds is not 0. It returns the best model and its epoch.
func fitLinear(d *set, v view, train, val []int, rounds int) (*linear, int) {
	m := newLinear(v, d.bits)
	weights := classWeights(d, train)
	order := append([]int(nil), train...)
	random := rand.New(rand.NewPCG(seed, 1))
	best, bestLoss, at := []float32(nil), math.Inf(1), 0
	var bestBias [others]float32
	last := linearEpochs
	if rounds > 0 {
		last = rounds
	}
	for epoch := 1; epoch <= last; epoch++ {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			m.learn(d.features[i], d.rows[i].label, weights[d.rows[i].label]*d.trust[i])
		}
		if rounds > 0 {
			continue
		}
		if loss := weightedLoss(d, val, weights, func(i int) [intent.Count]float64 { return m.logits(d.features[i]) }); loss < bestLoss {
			best, bestBias, bestLoss, at = append(best[:0], m.w...), m.bias, loss, epoch
		} else if epoch-at >= patience {
			break
		}
	}
	if rounds > 0 {
		return m, rounds
	}
	m.w, m.bias = best, bestBias
	return m, at
}
