// Package own finds what a person has added to heed: specs, rules and a model.
//
// In go heed's own environment, which says where such things are, or the names of
// files; out come what a service is made with (package service), opened when it
// is first needed. The environment is never that of a request, which anybody may
// have written. Files are only read, but for the rules that a person imports; what is
// broken or missing is an error that a service tells in every answer, and never left
// out in silence.
package own
