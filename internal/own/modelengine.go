//go:build !(onnxruntime && cgo)

package own

import "github.com/heedsh/heed/internal/detect/onnx"

// modelEngine runs models that were plugged in: heed's own runner.
func modelEngine([]string) onnx.Engine { return nil }
