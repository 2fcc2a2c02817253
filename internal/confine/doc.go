// Package confine runs a command within what it was granted, and lets the kernel keep
// it to that.
//
// In go a [grant.Grant] and a command; out come how it ended and what it was refused.
// On Linux three things hold together, because none is enough alone: Landlock decides
// about files, signals and abstract sockets, seccomp about metadata, sockets, tracing,
// mounts and the terminal, and, where something may be written or sockets be used, a
// mount namespace in which everything else is read-only and secrets and daemons'
// sockets are masked. Nothing in it is best effort: where the kernel lacks a part that a
// grant needs, nothing is started, and the error says which.
//
// The command's process puts itself into the box, by a list of system calls that is made
// before it starts; it ends with the thread that started it, which names what was refused
// meanwhile. It decides nothing that the kernel has not decided as well: what it can read of a
// command can change under it.
package confine
