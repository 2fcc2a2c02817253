// Package xattr reads the extended attributes of files (xattr(7)).
//
// In goes a path; out come the attributes of what is there, and not of what a link leads
// to. It is for Linux only, and changes nothing.
package xattr
