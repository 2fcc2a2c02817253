// Package bracket reads the classes of characters in bracket expressions.
//
// In goes the text of a regular expression, out come lengths. The languages
// whose own parsers look for the end of an expression share it; it compiles and
// matches nothing.
package bracket
