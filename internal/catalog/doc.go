// Package catalog knows what programs do with their arguments.
//
// In go an argument vector of partly known words and, for the programs that
// need it, a read-only world; out come effects, nested commands and flows with
// targets as the program sees them: relative, unresolved. Where a target
// really is, whether it can be brought back and how bad that is, is not
// decided here.
//
// The knowledge is data: one YAML file per program under specs/, compiled by
// `go generate` into one embedded blob that is decoded a program at a time.
// The language of those files is described in docs/catalog.md; what it cannot
// say is said in Go by a [Hook] (package hooks). The package reads nothing but
// that blob and imports neither os nor net.
package catalog

//go:generate go run ./internal/generate
