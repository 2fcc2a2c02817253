// Package hooks says in Go what a catalog spec cannot: sublanguages, refspecs,
// operands whose meaning depends on one another.
//
// In go a match and the site of the invocation; a hook adds to, or changes,
// the result. One file a program or family. A hook reads the machine only
// through the site's world, and must be true of the program for every
// spelling, not for the spellings that were seen somewhere.
package hooks
