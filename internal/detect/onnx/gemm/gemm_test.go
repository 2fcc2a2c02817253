package gemm

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// numbers makes n numbers of mixed size from a seed.
func numbers(seed uint64, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		seed = seed*6364136223846793005 + 1442695040888963407
		out[i] = float32(int64(seed)>>40) / (1 << 20)
	}
	return out
}

func transpose(a []float32, rows, cols int) []float32 {
	out := make([]float32, len(a))
	for r := range rows {
		for c := range cols {
			out[c*rows+r] = a[r*cols+c]
		}
	}
	return out
}

// naive is the definition, in the order that the package promises.
func naive(c, a, b []float32, m, k, n int) {
	for r := range m {
		for j := range n {
			for i := range k {
				c[r*n+j] += float32(a[r*k+i] * b[i*n+j])
			}
		}
	}
}

func same(a, b []float32) error {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return fmt.Errorf("element %d is %g, want %g", i, a[i], b[i])
		}
	}
	return nil
}

func TestMultiplyIsTheDefinitionToTheBit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m, n := rapid.IntRange(1, 40).Draw(t, "m"), rapid.IntRange(1, 150).Draw(t, "n")
		k := rapid.SampledFrom([]int{1, 2, 7, 64, 255, 256, 257, 600}).Draw(t, "k")
		seed := rapid.Uint64().Draw(t, "seed")
		a, b, c := numbers(seed, m*k), numbers(seed+1, k*n), numbers(seed+2, m*n)
		want := append([]float32(nil), c...)
		naive(want, a, b, m, k, n)
		got := append([]float32(nil), c...)
		Multiply(got, a, Dense{b, n, 1}, m, k, n)
		if err := same(got, want); err != nil {
			t.Fatal(err)
		}
		Multiply(c, a, Dense{transpose(b, k, n), 1, k}, m, k, n)
		if err := same(c, want); err != nil {
			t.Fatalf("transposed: %v", err)
		}
	})
}

// TestKernels holds the fast kernel to the portable one.
func TestKernels(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{1, 3, 256} {
		a, b := numbers(1, depth*tileRows), numbers(2, depth*tileCols)
		fast := numbers(3, tileRows*20)
		portable := append([]float32(nil), fast...)
		kernel(depth, a, b, fast, 20)
		kernelGo(depth, a, b, portable, 20)
		if err := same(fast, portable); err != nil {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
}

// TestPackBytes holds the fast copy to the portable one.
func TestPackBytes(t *testing.T) {
	t.Parallel()
	const rows, stride = 5, 101
	src := make([]byte, (rows-1)*stride+4*tileCols)
	for i := range src {
		src[i] = byte(i * 7)
	}
	fast, portable := make([]float32, rows*tileCols), make([]float32, rows*tileCols)
	PackBytes(fast, src, rows, stride)
	packGo(portable, src, rows, stride)
	if err := same(fast, portable); err != nil {
		t.Error(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("bytes beyond the end were read")
		}
	}()
	PackBytes(fast, src[:len(src)-1], rows, stride)
}

func BenchmarkMultiply(b *testing.B) {
	for _, s := range [][3]int{{32, 768, 768}, {64, 768, 3072}, {64, 3072, 768}, {128, 768, 768}} {
		m, k, n := s[0], s[1], s[2]
		b.Run(fmt.Sprintf("%dx%dx%d", m, k, n), func(b *testing.B) {
			x, y, c := numbers(1, m*k), numbers(2, k*n), make([]float32, m*n)
			b.ReportAllocs()
			for b.Loop() {
				Multiply(c, x, Dense{y, n, 1}, m, k, n)
			}
			b.ReportMetric(2*float64(m*k*n)*float64(b.N)/1e9/b.Elapsed().Seconds(), "GFLOPS")
		})
	}
}

func BenchmarkKernelGo(b *testing.B) {
	x, y, c := numbers(1, 256*tileRows), numbers(2, 256*tileCols), make([]float32, tileRows*tileCols)
	b.ReportAllocs()
	for b.Loop() {
		kernelGo(256, x, y, c, tileCols)
	}
	b.ReportMetric(2*256*tileRows*tileCols*float64(b.N)/1e9/b.Elapsed().Seconds(), "GFLOPS")
}
