// Package site reads what a hook is given: the words of a match, options that a
// program parses by itself, addresses, modes, files of the world, the holes in
// a text.
//
// In goes a match and its site, out come values. It knows no program's meaning
// and stands below every family of hooks; it may add to a result only what it
// was asked to show or to write.
package site
