// Package drive reads files and judges the commands in them.
//
// In go the names of files and directories and a service; out come results with
// their places (package scan), in the order of the files. Files are read, bounded
// and behind no link that was found by walking, and nothing is run, written or
// printed. What cannot be read is a result, never left out.
package drive
