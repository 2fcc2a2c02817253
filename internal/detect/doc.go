// Package detect is the view that detectors have of a request: the programs
// that would start, with resolved words, and what they would do. The packages
// below it are the detectors.
//
// What comes in is what the engine found; what goes out is plain data. Words
// that mean nothing to the machine, patterns and texts, are masked, so that
// text about danger is not danger. A detector may not touch the machine, and
// it can only raise what the decision table says.
package detect
