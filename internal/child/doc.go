// Package child runs a text in bash as a process of its own, and keeps what it prints.
//
// In go the text, a directory, an environment and limits; out come the exit code and the
// beginning of both streams. The text is given to bash without start-up files, the
// environment loses what bash would execute by itself ([Quiet]), and when the time is
// over everything that the text started is killed. It judges and records nothing: whoever
// calls it has done that.
package child
