// Package vouch says whether a Python program does nothing else than what the
// evaluator found.
//
// In go a tree and the calls that were evaluated; out come a verdict and the
// modules that the program loads. It follows no values: it lists what is harmless
// and vouches for nothing that it does not know.
package vouch
