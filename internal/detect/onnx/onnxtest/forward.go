package onnxtest

import (
	"encoding/binary"
	"math"
)

// Forward computes the logits of a sequence without padding, straight from the
// definition of the network, in float64.
func (m *Model) Forward(ids []int64) []float64 {
	x := make([][]float64, len(ids))
	for i, id := range ids {
		x[i] = make([]float64, m.Hidden)
		for j := range x[i] {
			x[i][j] = float64(m.words.at(int(id), j)) + float64(m.types.at(0, j)) + float64(m.positions.at(i+2, j))
		}
		m.embedNorm.apply(x[i])
	}
	for k := range m.layers {
		m.forwardLayer(&m.layers[k], x)
	}
	h := m.dense.apply(x[:1])[0]
	for j := range h {
		h[j] = math.Tanh(h[j])
	}
	return m.out.apply([][]float64{h})[0]
}

func (m *Model) forwardLayer(l *layer, x [][]float64) {
	q, k, v := m.apply(&l.q, x), m.apply(&l.k, x), m.apply(&l.v, x)
	size := m.Hidden / m.Heads
	seen := make([][]float64, len(x))
	for i := range x {
		seen[i] = make([]float64, m.Hidden)
		for h := range m.Heads {
			attend(seen[i], q[i], k, v, h*size, size)
		}
	}
	for i, y := range m.apply(&l.o, seen) {
		for j := range y {
			x[i][j] += y[j]
		}
		l.attention.apply(x[i])
	}
	up := m.apply(&l.up, x)
	for i := range up {
		for j, u := range up[i] {
			up[i][j] = u / 2 * (1 + math.Erf(u/math.Sqrt2))
		}
	}
	for i, y := range m.apply(&l.down, up) {
		for j := range y {
			x[i][j] += y[j]
		}
		l.output.apply(x[i])
	}
}

// attend adds up the values of one head, weighted by the softmax of scores.
func attend(out, q []float64, k, v [][]float64, from, size int) {
	scores := make([]float64, len(k))
	sum := 0.0
	for i := range k {
		for j := from; j < from+size; j++ {
			scores[i] += q[j] * k[i][j]
		}
		scores[i] = math.Exp(scores[i] / math.Sqrt(float64(size)))
		sum += scores[i]
	}
	for i := range v {
		for j := from; j < from+size; j++ {
			out[j] += scores[i] / sum * v[i][j]
		}
	}
}

func (m *matrix) at(r, c int) float32 { return m.data[r*m.cols+c] }

// apply multiplies by the weights as the shape stores them.
func (m *Model) apply(l *linear, x [][]float64) [][]float64 {
	switch {
	case m.Half:
		rounded := &matrix{l.w.rows, l.w.cols, make([]float32, len(l.w.data))}
		for i, v := range l.w.data {
			rounded.data[i] = fromHalf(toHalf(v))
		}
		l = &linear{rounded, l.bias}
	case m.Quantized:
		q, scales := quantize(l.w)
		rounded := &matrix{l.w.rows, l.w.cols, make([]float32, len(l.w.data))}
		for i := range rounded.data {
			rounded.data[i] = float32(int8(q[i])) * scales[i%l.w.cols]
		}
		x = quantizeInput(x)
		l = &linear{rounded, l.bias}
	}
	return l.apply(x)
}

// quantizeInput rounds all numbers to 256 steps between the least and largest.
func quantizeInput(x [][]float64) [][]float64 {
	low, high := 0.0, 0.0
	for _, row := range x {
		for _, v := range row {
			low, high = min(low, v), max(high, v)
		}
	}
	scale := (high - low) / 255
	zero := math.RoundToEven(-low / scale)
	out := make([][]float64, len(x))
	for i, row := range x {
		out[i] = make([]float64, len(row))
		for j, v := range row {
			out[i][j] = scale * (min(max(math.RoundToEven(v/scale)+zero, 0), 255) - zero)
		}
	}
	return out
}

func (l *linear) apply(x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for i := range x {
		out[i] = make([]float64, l.w.cols)
		for c := range out[i] {
			sum := float64(l.bias[c])
			for r, v := range x[i] {
				sum += v * float64(l.w.at(r, c))
			}
			out[i][c] = sum
		}
	}
	return out
}

func (n *norm) apply(x []float64) {
	mean, variance := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	for i, v := range x {
		x[i] = (v-mean)/math.Sqrt(variance+epsilon)*float64(n.gamma[i]) + float64(n.beta[i])
	}
}

// toHalf rounds to binary16; numbers too small for it become zero.
func toHalf(v float32) uint16 {
	bits := math.Float32bits(v)
	sign := uint16(bits >> 16 & 0x8000)
	exp := int(bits>>23&255) - 127 + 15
	if exp <= 0 {
		return sign
	}
	frac := bits&(1<<23-1) + 1<<12 // rounds
	if frac >= 1<<23 {
		exp, frac = exp+1, 0
	}
	return sign | uint16(exp)<<10 | uint16(frac>>13)
}

func fromHalf(h uint16) float32 {
	if h&0x7fff == 0 {
		return 0
	}
	v := math.Ldexp(1+float64(h&1023)/1024, int(h>>10&31)-15)
	if h&0x8000 != 0 {
		v = -v
	}
	return float32(v)
}

func halfBytes(v []float32) []byte {
	var out []byte
	for _, x := range v {
		out = binary.LittleEndian.AppendUint16(out, toHalf(x))
	}
	return out
}
