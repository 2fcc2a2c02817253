package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/heedsh/heed/internal/detect/intent"
)

// alarmRate is the share of ordinary commands that may be taken for harm.
const alarmRate = 0.005

// harms are the intents that an alarm is about.
var harms = [...]intent.Intent{intent.Destructive, intent.Exfiltration, intent.Persistence}

// A guess is a calibrated prediction for a row, by a model that has not seen
// the row's group.
type guess struct {
	row int
	p   [intent.Count]float64
}

func (g *guess) harm() float64 {
	return g.p[intent.Destructive] + g.p[intent.Exfiltration] + g.p[intent.Persistence]
}

func (g *guess) top() intent.Intent {
	best := 0
	for c := range g.p {
		if g.p[c] > g.p[best] {
			best = c
		}
	}
	return intent.Intent(best)
}

// threshold is the least value of the score that no more than the given share
// of the values exceeds.
func threshold(values []float64, rate float64) float64 {
	if len(values) == 0 {
		return 1
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	allowed := int(rate * float64(len(sorted)))
	return sorted[len(sorted)-1-allowed]
}

// figures are what is measured of a candidate over some rows.
type figures struct {
	Threshold float64               // of harm
	Recall    [intent.Count]float64 // share of an intent's rows whose harm is above the threshold
	Single    [intent.Count]float64 // the same with a threshold of each intent's own probability
	Precision [intent.Count]float64 // of the likeliest intent
	Hit       [intent.Count]float64 // recall of the likeliest intent
	ECE       float64
	Confusion [intent.Count][intent.Count]int // label, guess
}

// measure computes the figures of guesses.
func measure(d *set, guesses []guess) (f figures) {
	var benign []float64
	var single [intent.Count][]float64
	for i := range guesses {
		g := &guesses[i]
		if d.rows[g.row].ordinary() {
			benign = append(benign, g.harm())
			for c := range single {
				single[c] = append(single[c], g.p[c])
			}
		}
	}
	f.Threshold = threshold(benign, alarmRate)
	var cuts, total, over, overOwn [intent.Count]float64
	for c := range cuts {
		cuts[c] = threshold(single[c], alarmRate)
	}
	for i := range guesses {
		g := &guesses[i]
		c := d.rows[g.row].label
		total[c]++
		f.Confusion[c][g.top()]++
		if g.harm() > f.Threshold {
			over[c]++
		}
		if g.p[c] > cuts[c] {
			overOwn[c]++
		}
	}
	for c := range total {
		f.Recall[c] = over[c] / max(total[c], 1)
		f.Single[c] = overOwn[c] / max(total[c], 1)
		f.Hit[c] = float64(f.Confusion[c][c]) / max(total[c], 1)
		said := 0
		for label := range f.Confusion {
			said += f.Confusion[label][c]
		}
		f.Precision[c] = float64(f.Confusion[c][c]) / max(float64(said), 1)
	}
	f.ECE, _ = calibrationError(d, guesses)
	return f
}

// A reliability is one bin of a calibration table.
type reliability struct {
	Count                int
	Confidence, Accuracy float64
}

// calibrationError is the expected calibration error over ten bins of the
// likeliest intent's probability. Source: C. Guo et al., "On Calibration of
// Modern Neural Networks", 2017, equation 3.
func calibrationError(d *set, guesses []guess) (ece float64, table [10]reliability) {
	for i := range guesses {
		g := &guesses[i]
		c := g.top()
		b := &table[min(int(g.p[c]*10), 9)]
		b.Count++
		b.Confidence += g.p[c]
		if d.rows[g.row].label == c {
			b.Accuracy++
		}
	}
	for k := range table {
		b := &table[k]
		if b.Count > 0 {
			b.Confidence /= float64(b.Count)
			b.Accuracy /= float64(b.Count)
			ece += float64(b.Count) / float64(len(guesses)) * math.Abs(b.Confidence-b.Accuracy)
		}
	}
	return ece, table
}

// An interval holds 95 % of what resampling gave.
type interval struct{ Low, High float64 }

// bootstrap resamples groups with replacement and measures again: the recall of
// each intent, and the calibration error at the end.
func bootstrap(d *set, guesses []guess, times int) (out [intent.Count + 1]interval) {
	groups := map[string][]guess{}
	var names []string
	for _, g := range guesses {
		name := d.rows[g.row].Group
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], g)
	}
	slices.Sort(names)
	random := rand.New(rand.NewPCG(seed, 3))
	var values [intent.Count + 1][]float64
	for range times {
		var sample []guess
		for range names {
			sample = append(sample, groups[names[random.IntN(len(names))]]...)
		}
		f := measure(d, sample)
		for c := range f.Recall {
			values[c] = append(values[c], f.Recall[c])
		}
		values[intent.Count] = append(values[intent.Count], f.ECE)
	}
	for c := range values {
		slices.Sort(values[c])
		n := len(values[c])
		out[c] = interval{values[c][n*25/1000], values[c][n*975/1000]}
	}
	return out
}
