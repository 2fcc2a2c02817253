// Package scan takes the commands out of files: shell scripts, makefiles,
// package.json, CI workflows, Dockerfiles, justfiles and Markdown.
//
// In go a file's name and text; out come commands with the shell, directory
// and variables that the file gives them, and for every byte of a command the
// byte of the file that it stands for. What came of judging them goes in
// again, and out come lines, SARIF and baselines. Everything is plain data:
// the package reads nothing, runs nothing and judges nothing.
//
// # What a command is
//
// One line of a recipe, one script of package.json, one RUN, is one command.
// Text that is a script (a shell script, a run: block, a code block) stays one
// command with Steps set: package service evaluates it in one session, so that a
// `cd` or an assignment holds for what follows, and judges each statement of
// its top level by what that statement does. Evaluating the whole text once and
// dividing its effects by their spans would be simpler, but the engine records
// an effect only once, so that the second of two equal statements would look
// harmless; and evaluating each statement alone would forget the session. What
// a function does is reported where it is called, with the line inside the
// function that decided; a function that nothing calls is judged where it is
// declared.
//
// # What is not known
//
// Variables that the file does not set are not known, and neither are
// arguments: the file may run anywhere. A default that the file itself gives
// (${X:-build}, ARG X=build, X ?= build) is taken. Text that another program
// puts into a command before a shell sees it, such as ${{ matrix.os }} or
// $(shell …), becomes a variable or a substitution of the shell in the quoting
// that it stands in.
//
// A part that cannot be read as what it should be is a [Problem], which is
// reported as not inspected and never left out.
package scan
