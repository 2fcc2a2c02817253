// Package strictyaml says where in a file of YAML a fault is.
//
// In go errors of package yaml and nodes of documents that people wrote; out come
// errors that begin with the line, as a compiler's do. It reads no files.
package strictyaml
