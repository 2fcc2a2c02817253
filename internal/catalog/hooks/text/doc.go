// Package text says what the programs do that search, filter and edit text by a
// program of their own: awk, sed, ed, vim, jq, pagers.
//
// In go a match and the site of the invocation; out comes the result. Languages
// are parsed in internal/lang; this package says what their commands do.
package text
