// Package risk is heed's vocabulary: the plain data that every other package
// speaks in.
//
// In go nothing but values; out come values with an order, a JSON form and a
// name. The package computes nothing about commands, reads nothing and imports
// nothing of heed. Its types are the published record (docs/output.schema.json):
// adding a field is compatible, renaming or removing one is not.
package risk
