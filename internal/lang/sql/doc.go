// Package sql reads SQL: a lexer for the dialects that database clients speak,
// and a reader of statements.
//
// In goes text and the dialect it is written in; out come its statements with
// their positions: what kind each is, which objects it names, whether a WHERE
// narrows it, what its common table expressions, blocks and executed strings
// hold, and which files, programs and functions it names. What a client keeps
// to itself (psql's backslash commands, sqlite3's dot commands) is found by a
// function of the caller's and handed back unread. Parts of the text that are
// not known are marked by the caller; a token with such a mark is opaque.
//
// The package knows syntax only: not what a statement is worth, nor what the
// functions do that it calls. It imports the standard library alone, never
// fails, and reads hostile text in linear time.
package sql
