// Package gate stands between a command that heed would run and its running: it
// refuses, and it asks a person.
//
// In go what was found out about a command, as text for people, and what an
// approval would be bound to (package approval); out come a refusal on a stream, or
// a question at the terminal of this process and what was answered there. It asks
// nobody where a coding agent started the session, takes no variable for a yes, and
// counts every fault as a no. It assesses, decides and runs nothing.
package gate
