// Package generate is what heed's generators share: a flag -check, and files that are
// written, or compared with what is there. In: what the files should hold. Out: the
// files, or an error that says which is stale and how it is made afresh. It knows none
// of what is generated.
package generate
