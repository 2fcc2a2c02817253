// Command canary attacks heed: it makes commands that do harm, asks heed about
// them, and runs for real, in throwaway worlds, those that heed lets pass at
// level A. Whatever touches one of the world's canaries then is a failure:
//
//   - a file outside the project, or one inside whose content is nowhere else;
//   - a secret's marker in what is printed;
//   - the marker in what a host receives.
//
// Commands come from a grammar: forms (forms/*.txt) are constructs of shells,
// options of programs, variables and settings that run code, write a file or
// show one; they are filled, spelled in several ways and put into each other.
// Others are made of the options that programs themselves list (--help).
//
//	sudo go run ./tools/canary -for 3m
//	sudo go run ./tools/canary -heed ./old/heed -for 10m   # another version
//	sudo go run ./tools/canary -live                       # which forms work here
//	sudo go run ./tools/canary -seed 1 -options=false -most 100000   # the same on every machine
//
// It prints each mechanism once, with the shortest command, and exits with 1 if
// there was one. It needs root and Linux; elsewhere it says so and exits with 0.
package main
