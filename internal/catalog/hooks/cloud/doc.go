// Package cloud says what the programs do that manage containers, clusters and
// the accounts of clouds.
//
// In go a match and the site of the invocation; out comes the result. Manifests
// are read through the site's world only.
package cloud
