// Package graph reads an ONNX model and runs it, as far as exported BERT and
// RoBERTa classifiers need it.
//
// In come the bytes of a model file, of files that hold its weights, and
// integer inputs. Out come float32 numbers. Weights are read where they lie in
// those bytes; nothing is copied but what a step computes.
//
// A model is hostile input. Reading it takes time linear in its bytes without
// its weights, with bounds on nodes, names and dimensions. Running it counts
// work and memory, and ends with an error when either is spent: there is no
// clock. Nodes must come in an order in which each uses only what exists, so a
// graph has no cycles, and there are no loops and no branches. The same model
// and input give the same bits on every machine: see package gemm, and math.go
// for the functions.
//
// Sources: onnx.proto3 and docs/Operators.md of ONNX 1.17,
// docs/ContribOperators.md of ONNX Runtime for the domain com.microsoft.
package graph
