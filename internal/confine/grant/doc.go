// Package grant says what a confined command may do, and derives it from an
// assessment.
//
// In goes an assessment, or a profile that somebody wrote; out comes a [Grant], plain
// data that package confine gives to the kernel. It is a pure function: it looks at
// nothing of this machine, so what a sentence promises and what the kernel is asked to
// keep can be held against each other in a table.
package grant
