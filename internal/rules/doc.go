// Package rules is what people who write rules need: their files are read, and
// held to the examples that stand beside each rule.
//
// In go files of pattern rules and Sigma rules; out come the rules, what is
// wrong with them by file and line, and the detectors to assess with. It reads
// through the fs.FS that it is given, and judges examples in a made-up world.
package rules
