// Package eval follows a parsed program abstractly: it folds constants, and knows
// from a table for each language what functions do.
//
// In go a language, the text of a program and its host; out comes an
// [inline.Result]. What is not understood is said so, never guessed. It may not
// touch the machine.
package eval
