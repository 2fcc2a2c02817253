// Package throwaway runs commands where nothing of what they do stays.
//
// A [Layer] runs the command of a request for real, above this machine's files
// and with a host of its own to talk to: out comes what it changed, printed and
// sent. It is for tests and measuring programs (tools/witness, tools/canary), and
// may never run a command anywhere else. The worlds in which they are judged and
// run are made by package witness.
package throwaway
