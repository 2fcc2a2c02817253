// Package db says what the clients of databases do with the statements that they
// are given.
//
// In go a match and the site of the invocation; out comes the result. What a
// statement means is said once, in catalog/sqleffect.
package db
