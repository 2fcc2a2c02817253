// Package system says what the programs do that manage the machine: files and
// disks, processes, services, accounts, terminals, wrappers of other programs.
//
// In go a match and the site of the invocation; out comes the result.
package system
