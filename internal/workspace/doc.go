// Package workspace finds where a target really is and whether it could be
// brought back.
//
// In go a path as a program would see it and the world with the command's own
// changes; out come the path behind all links, its scope, and, on request,
// counts and reversibility. It judges nothing: which of these answers matters
// is package judge's business. Every walk has a budget, and no walk enters a
// mount that is served by another machine or a program.
package workspace
