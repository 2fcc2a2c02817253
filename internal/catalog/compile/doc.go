// Package compile turns spec files into the catalog's compiled form and holds
// them to their own cases.
//
// In go YAML bytes; out come catalog.Program values, or errors that name file,
// line and what to do. A spec whose cases fail, that names an unknown role or
// an argument that does not exist, or that has no case at all, is refused.
// The package is used by the generator and by tests, never while assessing.
package compile
