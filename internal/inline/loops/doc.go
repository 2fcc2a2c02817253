// Package loops finds loops that nothing ends and that make more of something at
// every turn.
//
// In go tokens or trees of a program; out comes what it uses up. A loop that may
// end is not reported.
package loops
