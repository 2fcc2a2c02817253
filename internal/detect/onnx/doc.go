// Package onnx classifies the intent of a command with a model that a user
// plugs in: a sequence classifier of the RoBERTa or BERT family, exported to
// ONNX, such as one made from CodeBERT.
//
// In come a file system that holds the model with its neighbours (config.json,
// the tokenizer's files, weights in files of their own) and a text. Out come
// probabilities of heed's five intents. [Open] refuses a model that it would
// not run as meant: an unknown operator, tokenizer or label is an error with
// its name, never a guess.
//
// The package reads nothing but that file system and never asks the clock.
// Work and memory are counted; when a budget is spent the answer is an error,
// and the caller falls back to rules. docs/models.md tells users how to bring
// a model, docs/decisions/onnx-runner.md why heed runs it itself.
package onnx
