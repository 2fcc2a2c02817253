// Package git says what git, its forges and other version control do: refspecs,
// configuration, hooks, remotes, what a checkout would overwrite.
//
// In go a match and the site of the invocation; out comes the result, changed.
// It reads a repository through the site's world only.
package git
