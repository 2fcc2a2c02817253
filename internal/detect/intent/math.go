package intent

import "math"

// The functions here are written in plain Go with each product rounded by a
// conversion: package math has assembly for some machines, and a compiler may
// fuse x*y + z, so that a recorded score would not come out alike elsewhere.
// Source: the Go specification, "Floating-point operators".

const ln2 = 0.693147180559945309417232121458176568

// exp returns e to the power of x, to about 1e-7, for x up to 0; what is below
// -40 gives 0.
func exp(x float64) float64 {
	switch {
	case !(x > -40): // also what is not a number
		return 0
	case x >= 0:
		return 1
	}
	k := math.Floor(float64(x / ln2))
	r := x - float64(k*ln2) // in [0, ln 2)
	sum := 1.0
	for i := 12; i >= 1; i-- { // the Taylor series in Horner's form
		sum = 1 + float64(float64(r/float64(i))*sum)
	}
	return math.Ldexp(sum, int(k))
}

// log2 returns the binary logarithm of x > 0 to about 1e-7.
func log2(x float64) float64 {
	frac, e := math.Frexp(x) // in [1/2, 1)
	if frac < math.Sqrt2/2 {
		frac, e = 2*frac, e-1
	}
	// ln(frac) = 2 artanh(t)
	t := (frac - 1) / (frac + 1)
	t2 := float64(t * t)
	sum := 0.0
	for _, odd := range &byOdd {
		sum = odd + float64(t2*sum)
	}
	return float64(e) + float64(float64(2*t)*sum)/ln2
}

// byOdd are the coefficients of the series of artanh, the last one first. They are not
// divided out each time: one score asks for dozens of logarithms.
var byOdd = [...]float64{1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1}

// softmax turns logits into probabilities.
func softmax(logits *[Count]float64) (p [Count]float32) {
	top := logits[0]
	for _, z := range logits[1:] {
		top = max(top, z)
	}
	var e [Count]float64
	sum := 0.0
	for i, z := range logits {
		e[i] = exp(z - top)
		sum += e[i]
	}
	for i := range e {
		p[i] = float32(e[i] / sum)
	}
	return p
}
