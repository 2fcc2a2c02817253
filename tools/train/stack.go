package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/heedsh/heed/internal/detect/intent"
)

// full is what the shipped linear model sees.
var full = view{1, 1, 2, 1, 1, 1}

// A stack is the shipped model: a linear model over hashed features, and trees
// over its logits, the structure and the effects.
type stack struct {
	linear *linear
	forest *forest
	cal    calibration
}

// trainStack trains on all folds but the one held (-1: on all). The trees learn
// from logits of linear models that had not seen the row, and the calibration
// from trees that had not.
func trainStack(d *set, held int) *stack {
	s := &stack{}
	columns := make([][]float32, others)
	for c := range columns {
		columns[c] = make([]float32, len(d.rows))
	}
	note := func(i int, z [intent.Count]float64) {
		for c := range columns {
			columns[c][i] = float32(z[c+1])
		}
	}
	parts := parts(d, held)
	rounds := 0
	unseen := make([][intent.Count]float64, len(d.rows))
	for _, k := range parts {
		m, n := fitLinear(d, full, d.without(held, k), d.in(k, false), 0)
		rounds += n
		for _, i := range d.in(k, false) {
			unseen[i] = m.logits(d.features[i])
		}
	}
	all := d.without(held)
	s.linear, _ = fitLinear(d, full, all, nil, mean(rounds, len(parts)))
	s.linear.quantize()
	for i := range d.rows {
		note(i, s.linear.logits(d.features[i]))
	}
	for _, i := range all {
		note(i, unseen[i])
	}
	table := d.dense.with(columns...)
	rounds = 0
	var at []int
	var logits [][intent.Count]float64
	for _, k := range parts {
		f, n := fitForest(d, table, d.without(held, k), d.in(k, false), 0)
		rounds += n
		for _, i := range d.in(k, false) {
			at, logits = append(at, i), append(logits, f.logits(i))
		}
	}
	s.forest, _ = fitForest(d, table, all, nil, mean(rounds, len(parts)))
	s.cal = calibrate(d, at, logits)
	return s
}

// parts are the folds that a training without one of them has.
func parts(d *set, held int) (out []int) {
	for k := range folds {
		if k != held && len(d.in(k, false)) > 0 {
			out = append(out, k)
		}
	}
	return out
}

func mean(sum, n int) int { return max(1, (sum+n/2)/max(n, 1)) }

// quantize rounds the weights to 8 bits and returns them with their scales.
func (m *linear) quantize() (q []int8, scale [others]float32) {
	for i, w := range m.w {
		scale[i%others] = max(scale[i%others], float32(math.Abs(float64(w)))/127)
	}
	q = make([]int8, len(m.w))
	for i, w := range m.w {
		if s := scale[i%others]; s > 0 {
			q[i] = int8(math.Round(float64(w / s)))
			m.w[i] = float32(q[i]) * s
		}
	}
	return q, scale
}

// encode writes a model in the layout that internal/detect/intent/model.go
// describes.
func (s *stack) encode(d *set, threshold float64) []byte {
	le := binary.LittleEndian
	var b []byte
	floats := func(values ...float32) {
		for _, v := range values {
			b = le.AppendUint32(b, math.Float32bits(v))
		}
	}
	table := s.forest.table
	q, scale := s.linear.quantize()
	b = append(b, byte(d.bits), byte(len(table.cuts)))
	b = le.AppendUint16(b, uint16(len(s.forest.trees)))
	b = le.AppendUint16(b, uint16(len(d.dense.tokens)))
	floats(s.linear.view[:]...)
	floats(s.linear.bias[:]...)
	floats(scale[:]...)
	floats(float32(threshold), float32(s.cal.scale))
	for _, v := range s.cal.shift {
		floats(float32(v))
	}
	for _, t := range d.dense.tokens {
		b = le.AppendUint32(b, uint32(t))
	}
	for _, cuts := range table.cuts {
		b = append(b, byte(len(cuts)))
		floats(cuts...)
	}
	for r := range s.forest.trees {
		for c := range s.forest.trees[r] {
			t := &s.forest.trees[r][c]
			for n := range t.cut {
				b = append(b, byte(t.column[n]), t.cut[n])
			}
			floats(t.leaf[:]...)
		}
	}
	for _, w := range q {
		b = append(b, byte(w))
	}
	sum := sha256.Sum256(b)
	return append(append([]byte("heedint\x01"), sum[:]...), b...)
}

// A fold is a model and the guesses of the rows that it has not seen.
type fold struct {
	stack   *stack
	guesses []guess
}

// validateStack trains a model a fold and asks the runtime for the guesses, as
// heed would.
func validateStack(d *set) (out [folds]fold, err error) {
	err = together(folds, func(k int) error {
		s := trainStack(d, k)
		m, err := intent.Load(s.encode(d, 1))
		if err != nil {
			return fmt.Errorf("reading back the model of fold %d: %w", k, err)
		}
		var scratch intent.Scratch
		for _, i := range d.in(k, true) {
			r := m.Score(&d.sights[i].In, &scratch)
			g := guess{row: i}
			for c, p := range r.Probabilities {
				g.p[c] = float64(p)
			}
			out[k].guesses = append(out[k].guesses, g)
		}
		out[k].stack = s
		return nil
	})
	return out, err
}
