// Package throwaway makes small worlds that commands are assessed in: a home, in
// it a project with files that are committed, changed, ignored and untracked,
// secrets, a remote repository.
//
// In go a directory and the text of a setup, which bash runs in the project; out
// come the directory, the environment and the home that a request needs. It is
// for tests and measuring programs: nothing of what is assessed is run here.
package throwaway
