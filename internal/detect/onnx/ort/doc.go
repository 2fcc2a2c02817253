// Package ort runs models with ONNX Runtime instead of heed's own engine.
//
// It is empty unless heed is built with -tags onnxruntime and cgo. Then
// Engine satisfies onnx.Engine: in comes the path of the shared library
// (libonnxruntime.so, onnxruntime.dll, libonnxruntime.dylib) and a model, out
// come the numbers of its output. ONNX Runtime is native code: it counts no
// work, its results differ in the last bits between machines, and a hostile
// model meets its parser and not heed's. docs/models.md says when it is worth
// that.
package ort
