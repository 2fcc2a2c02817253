// Package specs finds the descriptions of programs that are not heed's own: a
// person's, which extend or replace the embedded ones, and a workspace's, which
// can only tighten.
//
// In go a world and the directories of a person's specs; out comes a [Set]: the
// catalog that holds for this request, a second one that also knows what the
// workspace says, and the problems of specs that cannot be read. Everything is
// read through the world, so that it is part of what a record keeps. A spec that
// is broken is left out and told of; it never keeps a command from being judged.
//
// A workspace is hostile input. Its specs may call no Go code, say no sentence,
// and are bounded in size; links that lead to them are not followed. What they
// say is added to what holds without them, by evaluating the command twice
// (flow.Trace.Join): so a program can look worse because of them and never
// better.
package specs
