// Package compile turns spec files into the catalog's compiled form and holds
// them to their own cases.
//
// In go YAML bytes; out come catalog.Program values, or errors that name file,
// line and what to do. A spec whose cases fail, that names an unknown role or
// an argument that does not exist, or that has no case at all, is refused.
// The embedded specs are compiled when heed is built; those that a user or a
// workspace adds when they are met (package specs), without their cases, which
// `heed catalog check` holds them to. What comes in may be hostile.
package compile
