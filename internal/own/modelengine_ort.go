//go:build onnxruntime && cgo

package own

import (
	"strings"

	"github.com/heedsh/heed/internal/detect/onnx"
	"github.com/heedsh/heed/internal/detect/onnx/ort"
)

// modelEngine runs models that were plugged in: ONNX Runtime, where
// HEED_ONNXRUNTIME names its shared library, and heed's own runner elsewhere.
// env is heed's own environment, never that of a request.
func modelEngine(env []string) onnx.Engine {
	for _, kv := range env {
		if library, ok := strings.CutPrefix(kv, "HEED_ONNXRUNTIME="); ok && library != "" {
			return ort.Engine{Library: library}
		}
	}
	return nil
}
