// Package preview runs a command over copies that are made as it writes, and says what
// it changed, without anything having changed.
//
// In go a command, a [Plan] of the trees that are covered, and limits; out comes a
// [Preview]: files created, changed and deleted, with their differences, how the command
// ended, what it printed, and what it tried and was refused. On Linux the command runs in
// mount, process and network namespaces (and as a plain user in a user namespace), in the
// restrictions of package confine, with an overlay over each tree. What it writes lies in
// memory, in a file system that is gone with it; nothing is copied beforehand, and only
// what it wrote is looked at afterwards.
//
// [Preview.Apply] makes exactly those changes, each file in one step, after a journal of
// them is on the disk; it refuses where the files are not those any more that the command
// saw. It may not judge: what cannot be previewed of a command says [Beyond], from its
// assessment.
package preview
