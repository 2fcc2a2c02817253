// Package osworld is the machine heed runs on, seen through package world.
//
// In go paths; out come the kernel's answers. It is the only package of the
// engine that touches the machine, and all it does is look: it opens regular
// files and directories for reading and nothing else, it starts no program and
// no connection, and it never looks inside a file system that may hang (network
// mounts, FUSE, the automounter), because a hook that hangs is an allow in most
// agents. New reads nothing unless it must; the table of mounts is read when the
// first question needs it.
//
// A World is meant for one assessment: mounts and the list of directories known
// to be harmless are remembered for as long as the value lives, all other
// answers are asked anew each time.
package osworld
