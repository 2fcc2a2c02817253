// Package session holds what one session of an agent has behind it, as far as that
// changes what its next command means: files that came from the network or hold a
// secret, secrets and untrusted text that were read, variables and a directory that
// its shell may still have.
//
// In go assessments and what the commands left (internal/shell); out come what has
// to be added to the next request, and findings about its assessment. It is data and
// rules: it asks no clock (the caller says how late it is), reads nothing and writes
// nothing; package store keeps it.
//
// It only ever raises. What is not known for sure counts as what it may be; an entry
// goes only by its age, and what an agent reports takes nothing away.
package session
