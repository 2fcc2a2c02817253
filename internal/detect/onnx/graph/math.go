package graph

import (
	"math"

	"github.com/heedsh/heed/internal/once"
)

// The functions here compute in float64 and are used for float32 results.
// They are built from additions, multiplications and divisions whose order is
// written down, and every product is converted, which keeps a compiler from
// fusing it with an addition: so they give the same bits everywhere, which
// those of package math, partly written in assembly, do not promise.

// Exp is e to the power of x: 2^k times a Taylor polynomial of the rest, which
// is at most ln 2 / 2; the relative error is below 1e-9.
func Exp(x float64) float64 {
	const (
		ln2High = 6.93147180369123816490e-01 // fdlibm, e_exp.c
		ln2Low  = 1.90821492927058770002e-10
	)
	switch {
	case x != x:
		return x
	case x > 709:
		return math.Inf(1)
	case x < -708:
		return 0
	}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := x - float64(k*ln2High) - float64(k*ln2Low)
	p := 1.0 / 40320
	p = float64(p*r) + 1.0/5040
	p = float64(p*r) + 1.0/720
	p = float64(p*r) + 1.0/120
	p = float64(p*r) + 1.0/24
	p = float64(p*r) + 1.0/6
	p = float64(p*r) + 0.5
	p = float64(p*r) + 1
	p = float64(p*r) + 1
	return p * math.Float64frombits(uint64(int64(k)+1023)<<52)
}

// log is the natural logarithm, by the series of the area tangent.
func log(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x) // exact: infinities and NaN
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	s := (m - 1) / (m + 1)
	s2 := float64(s * s)
	sum := 0.0
	for k := 15; k >= 1; k -= 2 {
		sum = float64(sum*s2) + 1/float64(k)
	}
	return float64(2*float64(s*sum)) + float64(float64(e)*math.Ln2)
}

func tanh(x float64) float64 {
	if math.Abs(x) < 1e-3 {
		return x - float64(float64(x*x)*x)/3
	}
	return 1 - 2/(Exp(2*x)+1)
}

func sigmoid(x float64) float64 { return 1 / (1 + Exp(-x)) }

// The error function is read from a table by cubic Hermite interpolation:
// value and slope at each of erfNodes points. The error is below 2e-9,
// and 2e-8 behind the end.
const (
	erfEnd   = 4 // erf is 1 in float32 from 3.92 on
	erfStep  = 1.0 / 64
	erfNodes = erfEnd*64 + 1
)

var erfTable = once.Value[*[erfNodes][2]float64]{Make: func() *[erfNodes][2]float64 {
	var t [erfNodes][2]float64
	for i := range t {
		x := float64(i) * erfStep
		slope := float64(2 / math.SqrtPi * Exp(-x*x))
		// erf x = slope * sum of x^(2n+1) 2^n / (1*3*5*...*(2n+1)).
		// Source: NIST DLMF 7.6.2.
		term, sum := x, 0.0
		for n := 1; n < 100; n++ {
			sum += term
			term = float64(term*float64(2*x*x)) / float64(2*n+1)
		}
		t[i] = [2]float64{float64(slope * sum), float64(slope * erfStep)}
	}
	return &t
}}

func erf(t *[erfNodes][2]float64, x float64) float64 {
	a := math.Abs(x)
	if !(a < erfEnd) {
		return sign(x)
	}
	at := a / erfStep
	k := int(at)
	u := at - float64(k)
	p, q := &t[k], &t[k+1]
	d := q[0] - p[0]
	c2 := float64(3*d) - float64(2*p[1]) - q[1]
	c3 := p[1] + q[1] - float64(2*d)
	v := float64(c3*u) + c2
	v = float64(v*u) + p[1]
	v = float64(v*u) + p[0]
	if x < 0 {
		return -v
	}
	return v
}

// sign is -1, 0 or 1, and NaN of NaN.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

// pow is x to the power of y. Exponents that exporters write are exact.
func pow(x, y float64) float64 {
	switch y {
	case 0:
		return 1
	case 1:
		return x
	case 2:
		return x * x
	case 3:
		return float64(x*x) * x
	case 0.5:
		return math.Sqrt(x)
	case -0.5:
		return 1 / math.Sqrt(x)
	}
	switch {
	case x > 0:
		return Exp(float64(y * log(x)))
	case x == 0:
		return math.Pow(x, y)
	case y == math.Floor(y) && math.Abs(y) < 1<<52:
		v := Exp(float64(y * log(-x)))
		if math.Mod(y, 2) != 0 {
			return -v
		}
		return v
	}
	return math.NaN()
}

// gelu is x times the normal distribution function.
func gelu(t *[erfNodes][2]float64, x float64) float64 {
	return float64(0.5*x) * (1 + erf(t, x*(math.Sqrt2/2)))
}

// geluTanh is the approximation of gelu that GPT-2 and BERT once used. Source:
// Hendrycks and Gimpel, arXiv:1606.08415.
func geluTanh(x float64) float64 {
	inner := x + float64(0.044715*float64(float64(x*x)*x))
	return float64(0.5*x) * (1 + tanh(inner*math.Sqrt2/math.SqrtPi))
}
