// Package audit keeps what was assessed, decided, asked, answered and run: an
// append-only log in which each row holds the hash of the one before.
//
// In go rows, whose secrets were taken out (package mask); each is on the disk
// when Append returns its receipt, and nobody can lose it then: not a signal, a
// full disk or another writer. Out come rows in the order in which they were
// written, a report of whether the log is whole, and its head, one line that
// whoever keeps it elsewhere can hold the log against later.
//
// A log is a directory of segments: text files of JSON lines, in canonical form
// (RFC 8785), named by the number of their first row. Beside them lie a lock,
// which writers take in turn, and the head, which tells a writer where the log
// ended. The names of the segments are the only index there is. docs/audit.md
// describes the files, docs/decisions/audit-store.md why they are no database.
//
// A log that is locked, full, read-only, of another owner, damaged or too short is
// never written to and never mended in passing: Append returns a [*Fault], and
// whoever asked must take that for a reason to ask a person. The files are hostile
// input. An account that may write them can also write them anew, hashes and all:
// only a head that was kept elsewhere tells.
//
// The package reads and writes its own directory alone. It decides nothing, starts
// nothing and sends nothing, and reads no variable and no settings: who calls it
// says where the log lies and whether root's settings switched it off.
package audit
