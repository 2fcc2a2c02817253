// Package sed reads scripts of sed: the language of POSIX.1-2024 sed with what
// GNU sed 4.9 adds to it.
//
// In goes the text of a script; out comes a [Script]: its commands in order, with
// their addresses and the places of their regular expressions, texts, labels and
// file names. Reading never fails. What GNU sed would refuse is noted in
// Script.Err, and reading goes on behind it where a command could begin: sed opens
// the files of w while it reads. A part of the text that is not known is the byte
// [Mark]; where it may be a command, it becomes one whose name is Mark.
//
// The package says what is written, not what it does. It imports the standard
// library only, and its work is linear in the text.
package sed
