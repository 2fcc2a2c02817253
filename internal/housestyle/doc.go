// Package housestyle says what is wrong with the way a sentence is written.
//
// In go phrases of specs and of kinds, and whole sentences; out come the faults by
// docs/style.md: a category in the place of an act, jargon of heed's own, another
// tense, a warning that fits everything. It knows no command and judges nothing.
package housestyle
