// Package intent guesses what a command is for: ordinary work, reconnaissance,
// destruction, exfiltration or persistence.
//
// In goes the text of a command with its data words masked, the resolved words
// of each invocation and hashed tokens of the effects that heed found; out come
// five calibrated probabilities. The model is a hashed linear classifier with
// boosted trees on top, read from the bytes embedded in the program; rules stand
// in for a model that is missing or broken. The package also finds text that tries to
// instruct a language model, which is no matter of training.
//
// A score is a pure function of its input and of the model's bytes: it reads
// nothing, remembers nothing, allocates nothing once its scratch space is warm,
// and costs time linear in the input, of which it looks at a bounded part.
// Arithmetic is rounded alike on every machine. What a result may do to a tier
// is the caller's business; docs/intent-model.md says what it is good for.
package intent
