// Command refusals shows what confinement costs and what it keeps: it runs commands
// for real in throwaway worlds, without a box and in one, and compares.
//
//	go build -o /tmp/heed ./cmd/heed
//	sudo go run ./tools/refusals -heed /tmp/heed -world WORLD.sh FILE.jsonl...
//	sudo go run ./tools/refusals -least -heed /tmp/heed -world WORLD.sh FILE.jsonl...
//
// A line of a file is a command: {"cmd", "shell", "cwd", "setup"}; lines with a cwd are
// left out. WORLD.sh makes a world in the directory it is given, with the project in
// home/user/project.
//
// Without -least, commands of level A that end with 0 without a box are run once more
// with heed run --confined: the exit code and what is printed must be the same. Those
// that print something else when they are run twice without a box say nothing and are
// counted apart. Files that the assessment says are read and that are not there are made.
//
// With -least, every command whose setup works is run without a box and in one with what
// SAFE is granted, whatever heed says about it. A canary trips where anything in the
// homes, temp directories or /etc changes, a secret is printed, or a port of this host
// is connected to.
//
// A command runs in mount, process, network, IPC and host name namespaces of its own,
// with its own /dev, /run, /tmp, /etc and home, everything else read-only. It exits with
// 1 if there was a difference or a canary. It needs root and Linux.
package main
