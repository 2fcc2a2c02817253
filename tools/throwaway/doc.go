// Package throwaway makes small worlds that commands are assessed in, and runs
// commands where nothing of what they do stays.
//
// A [World] is a home, in it a project with files that are committed, changed,
// ignored and untracked, secrets, and a remote repository: in go a directory and
// the text of a setup, which bash runs in the project; out come the directory,
// the environment and the home that a request needs.
//
// A [Layer] runs the command of a request for real, above this machine's files
// and with a host of its own to talk to: out comes what it changed, printed and
// sent. It is for tests and measuring programs (tools/witness, tools/canary), and
// may never run a command anywhere else.
package throwaway
