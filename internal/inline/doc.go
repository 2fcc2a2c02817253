// Package inline holds what is said of one-liners and small scripts in other
// languages, and the circumstances in which they run.
//
// Its packages read programs: syntax parses, eval follows what is parsed, loops
// and vouch look at the tree again, lexical reads what nothing parses. In go
// program texts, out come effects and nested commands in the catalog's terms. It
// may not touch the machine.
package inline
