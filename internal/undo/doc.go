// Package undo keeps what a command is about to destroy, and puts it back.
//
// In go the paths that a command deletes or rewrites; out comes an entry of the
// account's store ($XDG_STATE_HOME/heed/undo), or an [*Incomplete] that names what
// could not be kept and why. An entry is complete or it is not there: it gets its
// name in one rename after the disk has all of it. Regular files that are only
// deleted and have no other name are kept by hard link; everything else is cloned
// where the file system can, and else copied.
//
// It may not judge: what is a secret, and what need not be kept, says the caller. It
// overwrites nothing that differs from what it kept unless it is told to. Linux only;
// elsewhere it says that nothing is kept.
package undo
