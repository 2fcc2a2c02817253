// Package just reads justfiles into syntax trees: the language of just 1.36
// (The Just Programmer's Manual, and GRAMMAR.md beside its source).
//
// In goes the text of a justfile, out comes a [File]: its settings, aliases,
// assignments, imports, modules and recipes as [Item]s in the order of the
// file, with attributes, parameters, dependencies, the lines of recipes with
// their interpolations, and expressions as [Expr]s. All of them say where they
// stand, in bytes from the beginning of the text.
//
// The package says what is written, not what it comes to: it evaluates
// nothing, and reads no other file. Reading never fails: what just would
// refuse is an [Unknown] item or a [Bad] expression. It imports the standard
// library only, and its work is linear in the text.
package just
