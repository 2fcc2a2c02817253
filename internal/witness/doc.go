// Package witness holds what a command did against what was said of it.
//
// In go the effects of an assessment and the files that changed; out comes which of
// the changes no effect covers ([Compare]). What programs keep for themselves while
// they only read is known ([IsRecord]). A [World] is a small home with a project in
// it, made afresh, in which commands are judged and run.
//
// [Verifier] runs the command lines of a spec in such a world, each in a preview
// (package preview), so that nothing of what they do stays, and holds both ways: what
// was done and not said, and what was said for certain and not done. The only process
// that it starts outside of a preview is the script that makes the world, which is
// part of this package.
package witness
