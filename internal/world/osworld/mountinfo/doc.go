// Package mountinfo reads a table of mounts and says which of them are safe
// to look into.
//
// In go the bytes of /proc/self/mountinfo, or mounts found another way; out
// comes a table that answers which mount holds a path. The package is pure:
// it opens nothing and asks the kernel nothing, so that osworld, fakeworld and
// tests classify file systems alike.
package mountinfo
