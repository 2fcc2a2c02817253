// Package compile makes one set of a directory of Sigma rules and holds each
// rule to the form that doc.go of package rules asks for, and to its events.
//
// It serves the generator and the tests; the program itself opens what the
// generator wrote.
package compile
