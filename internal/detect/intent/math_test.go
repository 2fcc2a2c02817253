package intent

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestMathAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-39, 0).Draw(t, "x")
		if got, want := exp(x), math.Exp(x); math.Abs(got-want) > 1e-6*want {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
		y := rapid.Float64Range(1e-9, 1e9).Draw(t, "y")
		if got, want := log2(y), math.Log2(y); math.Abs(got-want) > 1e-6 {
			t.Fatalf("log2(%v) = %v, want %v", y, got, want)
		}
	})
	for x, want := range map[float64]float64{-1000: 0, math.Inf(-1): 0, 0: 1, 5: 1} {
		if got := exp(x); got != want {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	if got := exp(math.NaN()); got != 0 {
		t.Errorf("exp(NaN) = %v, want 0", got)
	}
}
