// Package learn works out a profile from what runs of a command needed.
//
// In goes what a [confine.Box] observed of several runs; out come a profile that grants
// what at least two of them needed, and line by line what it does not grant, with the
// reason. Secrets, start-up files, hooks, settings of agents and of heed, signals, and a
// network in which a host was reached by one run only are never granted. What is learned
// is a proposal for a person: nothing is looked at, written or run here. The paths of a
// home and workspaces are those without links, as observed paths are.
package learn
