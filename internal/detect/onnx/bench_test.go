package onnx

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/detect/onnx/onnxtest"
)

// shapes are benchmarked from files in the temp directory, as a user's are.
func shapes(b *testing.B, do func(b *testing.B, dir string)) {
	for _, s := range []struct {
		name  string
		shape onnxtest.Shape
		large bool
	}{
		{"tiny", onnxtest.Tiny(), false},
		{"MiniLM", onnxtest.MiniLM(), true},
		{"CodeBERT", onnxtest.CodeBERT(), true},
		{"CodeBERT-int8", quantized(onnxtest.CodeBERT()), true},
	} {
		b.Run(s.name, func(b *testing.B) {
			if s.large && testing.Short() {
				b.Skip("a large model: not in short mode")
			}
			dir := b.TempDir()
			if err := os.CopyFS(dir, onnxtest.New(s.shape, 1).Files()); err != nil {
				b.Fatal(err)
			}
			runtime.GC() // of the weights that were made
			do(b, dir)
		})
	}
}

func quantized(s onnxtest.Shape) onnxtest.Shape {
	s.Quantized = true
	return s
}

func BenchmarkOpen(b *testing.B) {
	shapes(b, func(b *testing.B, dir string) {
		b.ReportAllocs()
		for b.Loop() {
			open(b, os.DirFS(dir), Options{})
		}
	})
}

func BenchmarkClassify(b *testing.B) {
	shapes(b, func(b *testing.B, dir string) {
		c := open(b, os.DirFS(dir), Options{})
		for _, tokens := range []int{16, 32, 64, 128} {
			b.Run(fmt.Sprint(tokens), func(b *testing.B) {
				text := strings.Repeat("a", tokens-2)
				b.ReportAllocs()
				for b.Loop() {
					r, err := c.Classify(text)
					if err != nil || r.Tokens != tokens {
						b.Fatal(r, err)
					}
				}
			})
		}
	})
}
