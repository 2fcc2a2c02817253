// Package shellname knows programs that are shells by their names.
//
// In goes the name of a program; out comes whether it is a shell, and which
// language it reads. That is the one list of such names. Whether a language can be
// evaluated is another question, which the fronts answer (shell.Fronts): this
// table also names shells that no front evaluates. Nothing here looks at a file,
// and nothing is said of how a shell is started or what it does.
package shellname
