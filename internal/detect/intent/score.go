package intent

import (
	"encoding/binary"
	"math"
	"slices"
)

// Score guesses the intent of a command. The scratch space may be nil. Nothing
// is allocated once the scratch space has been used for an input as large.
func (m *Model) Score(in *Input, s *Scratch) Result {
	if s == nil {
		s = new(Scratch)
	}
	if m == nil {
		return fallback(in, s)
	}
	Features(in, m.bits, s)
	linear := m.linear(s)
	m.columns(in, s, &linear)
	return m.result(m.boosted(s))
}

// linear is the logits of the linear model beside that of BENIGN, which is 0.
// The weights of each block are summed as integers and scaled once.
func (m *Model) linear(s *Scratch) (z [others]float32) {
	var sums [blocks][others]int32
	for _, f := range s.features {
		w := m.weights[int(f&0xffffff)*others:]
		sum := &sums[f>>24]
		for c := range others {
			sum[c] += int32(int8(w[c]))
		}
	}
	z = m.bias
	for b := range sums {
		norm := float32(m.view[b] * Norm(b, int(s.counts[b])))
		for c := range z {
			z[c] += float32(float32(float32(sums[b][c])*m.scale[c]) * norm)
		}
	}
	return z
}

// columns writes what the trees look at: in which step of each column the
// command is.
func (m *Model) columns(in *Input, s *Scratch, linear *[others]float32) {
	for c, v := range s.shape {
		s.steps[c] = stepOf(m.cuts[c], v)
	}
	tokens := s.steps[shapeCount : int(shapeCount)+len(m.tokens)]
	clear(tokens)
	for _, t := range in.Tokens[:min(len(in.Tokens), maxTokens)] {
		if i, ok := slices.BinarySearch(m.tokens, uint32(t)); ok {
			tokens[i] = 1
		}
	}
	for c, v := range linear {
		at := int(shapeCount) + len(m.tokens) + c
		s.steps[at] = stepOf(m.cuts[at], v)
	}
}

// stepOf is how many cuts are not above v.
func stepOf(cuts []float32, v float32) uint8 {
	n := 0
	for n < len(cuts) && cuts[n] <= v {
		n++
	}
	return uint8(n)
}

// boosted sums the trees' leaves. A round's trees are gone down side by side:
// each step waits for a byte of memory, and so all of them wait at once.
func (m *Model) boosted(s *Scratch) (z [Count]float64) {
	for rest := m.trees; len(rest) >= others*treeSize; rest = rest[others*treeSize:] {
		var trees [others]*[treeSize]byte
		var at [others]int
		for c := range others {
			trees[c] = (*[treeSize]byte)(rest[c*treeSize:])
		}
		for range treeDepth {
			for c := range others {
				node := 2 * at[c] & (1<<treeDepth*2 - 1) // which it never exceeds: bounds need no check
				at[c] = 2*at[c] + 1 + above(s.steps[trees[c][node]], trees[c][node|1])
			}
		}
		for c := range others {
			leaf := 2*treeNodes + 4*((at[c]-treeNodes)&(treeLeaves-1))
			z[c+1] += float64(math.Float32frombits(binary.LittleEndian.Uint32(trees[c][leaf : leaf+4])))
		}
	}
	return z
}

// above is 1 if a step is above a cut, and else 0, without a branch to guess.
func above(step, cut uint8) int { return int((uint32(cut) - uint32(step)) >> 31) }

func (m *Model) result(z [Count]float64) (r Result) {
	for c := range z {
		z[c] = float64(z[c]*float64(m.calScale)) + float64(m.calShift[c])
	}
	r.Probabilities = softmax(&z)
	for c, p := range r.Probabilities {
		if p > r.Probabilities[r.Intent] {
			r.Intent = Intent(c)
		}
	}
	r.Confidence = r.Probabilities[r.Intent]
	r.Harm = harm(&r.Probabilities)
	r.Alarm = r.Harm > m.threshold
	return r
}

func harm(p *[Count]float32) float32 { return p[Destructive] + p[Exfiltration] + p[Persistence] }
