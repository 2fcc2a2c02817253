// Package onnxtest makes models for tests: a RoBERTa classifier with random
// weights and a tokenizer, as the files that an export leaves, and the same
// network computed without a graph.
//
// In comes a shape. Out come files; nothing is written. Weights come from a
// seeded generator, so the same shape always gives the same bytes.
package onnxtest
