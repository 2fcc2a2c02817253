// Package flow holds what follows from what a command does: where the target
// of an effect really is, what could bring it back, and what flows from one
// deed into the next: secrets that travel, streams that never end, code that
// was fetched and is run, searches for credentials, changes to heed itself.
//
// In go deeds, one a program that is run: the state of the shell, the words,
// what the catalog says of them, the streams. Out come effects in a [Trace].
// The package knows no program by its name: what is unusual about one its spec
// says ([catalog.Trait]). It evaluates nothing and looks at the machine through
// internal/world only.
package flow
