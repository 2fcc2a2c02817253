// Package vouchjs says whether a JavaScript program does nothing else than compute,
// print, and read or write the files that it names.
//
// In goes a program's text; out come a verdict and the files. It follows no
// values: it lists what is harmless, and vouches for nothing that it does not
// know. See docs/decisions/vouched-javascript.md.
package vouchjs
