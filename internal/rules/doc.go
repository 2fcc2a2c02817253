// Package rules is what people who write rules need: their files are read, held
// to the examples that stand beside each rule, and made into what is assessed
// with.
//
// In go files of pattern rules and Sigma rules; out come the rules, what is
// wrong with them by file and line, and a [Cache] of compiled Sigma rules. It
// reads through the fs.FS that it is given, asks no clock, and judges examples
// in a made-up world, so that the same files always give the same answer.
//
// Rule files are hostile input: their number, size and depth are bounded
// (limits.go), and links are not followed.
package rules
