// Package profile reads what people let a command do when no assessment can say it.
//
// In goes a file of YAML, of heed's own or of a person's; out comes a [grant.Grant] for
// a home and workspaces. Every word of a file is known, or it is refused: a misspelt one
// would hide less than was meant. It reads no files.
package profile
