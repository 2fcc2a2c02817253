// Package approval binds a person's yes to one command in one world, once.
//
// In go a command, the record of its assessment (package replay) and its
// answer; out come Facts, their digest, and in words what differs between two of
// them. A Store keeps the facts of refused commands in files that only their
// owner can read, hands each out by the beginning of its digest and gives it away
// once.
//
// Files that are read are hostile input: whoever could write them can propose a
// command, and no more, because facts are always made anew before anything runs.
// The store touches its own directory and follows no link there. Nothing here
// runs a program, reads a variable or knows what the approver says.
package approval
