package main

import (
	"github.com/heedsh/heed/internal/detect/intent"
)

// A calibration is a temperature and a shift of each logit: what training with
// weighted classes and a finite sample did to the probabilities is undone with
// predictions on rows that the model had not seen.
type calibration struct {
	scale float64
	shift [intent.Count]float64
}

func (k *calibration) apply(z [intent.Count]float64) [intent.Count]float64 {
	for c := range z {
		z[c] = z[c]*k.scale + k.shift[c]
	}
	return z
}

// calibrate minimizes the log loss by gradient descent with a momentum. The
// loss is convex, so that the outcome does not depend on the start.
func calibrate(d *set, rows []int, logits [][intent.Count]float64) calibration {
	k := calibration{scale: 1}
	var vScale float64
	var vShift [intent.Count]float64
	for range 500 {
		gScale := 0.0
		var gShift [intent.Count]float64
		for n, i := range rows {
			p := softmax(k.apply(logits[n]))
			p[d.rows[i].label]--
			for c := range p {
				gScale += p[c] * logits[n][c]
				gShift[c] += p[c]
			}
		}
		size := float64(len(rows))
		vScale = 0.9*vScale - 0.02*gScale/size
		k.scale = max(k.scale+vScale, 0.05)
		for c := range gShift {
			vShift[c] = 0.9*vShift[c] - 0.3*gShift[c]/size
			k.shift[c] += vShift[c]
		}
	}
	for c := range k.shift { // BENIGN's stays 0
		if c > 0 {
			k.shift[c] -= k.shift[0]
		}
	}
	k.shift[0] = 0
	return k
}
