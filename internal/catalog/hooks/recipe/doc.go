// Package recipe says what the programs do that run a project's own recipes and
// code: make, just, npm and the other package managers, compilers, interpreters.
//
// In go a match and the site of the invocation; out comes the result, with the
// code that is to be read further. It names code, and does not read it.
package recipe
