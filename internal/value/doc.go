// Package value represents strings that are only partly known.
//
// In go literals, holes and the operations a shell performs on strings; out
// come values whose known parts are exact and whose holes remember where they
// come from and what shape they must have. The package knows nothing of
// shells, files or programs and imports nothing of heed.
package value
