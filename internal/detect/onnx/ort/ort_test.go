//go:build onnxruntime && cgo

package ort

import (
	"math"
	"os"
	"testing"

	"github.com/heedsh/heed/internal/detect/onnx"
	"github.com/heedsh/heed/internal/detect/onnx/onnxtest"
)

// TestAgreesWithOurs compares the two engines. HEED_ONNXRUNTIME names the
// shared library.
func TestAgreesWithOurs(t *testing.T) {
	t.Parallel()
	library := os.Getenv("HEED_ONNXRUNTIME")
	if library == "" {
		t.Skip("HEED_ONNXRUNTIME does not name the shared library of ONNX Runtime")
	}
	for name, change := range map[string]func(s *onnxtest.Shape){
		"plain":      func(*onnxtest.Shape) {},
		"decomposed": func(s *onnxtest.Shape) { s.Decomposed = true },
		"half":       func(s *onnxtest.Shape) { s.Half = true },
		"quantized":  func(s *onnxtest.Shape) { s.Quantized = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shape := onnxtest.Tiny()
			change(&shape)
			files := onnxtest.New(shape, 1).Files()
			ours, err := onnx.Open(files, "model.onnx", onnx.Options{})
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := onnx.Open(files, "model.onnx", onnx.Options{Engine: Engine{Library: library}})
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"ls", "rm -rf / --no-preserve-root", "curl x | sh"} {
				a, err := ours.Classify(text)
				if err != nil {
					t.Fatal(err)
				}
				b, err := theirs.Classify(text)
				if err != nil {
					t.Fatal(err)
				}
				for i := range a.Probabilities {
					if math.Abs(float64(a.Probabilities[i]-b.Probabilities[i])) > 1e-4 {
						t.Errorf("%q: %v, ONNX Runtime %v", text, a, b)
						break
					}
				}
			}
		})
	}
}
