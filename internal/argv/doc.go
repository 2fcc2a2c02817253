// Package argv takes the argument vector of this process out of the sight of others.
//
// heed is started with the words of the command that it is to judge. Where it stays beside
// that command, they stand among the processes twice: `pgrep -f WORD`, run confined, would
// find heed too, which it does not where heed becomes the command. What comes in is the
// process's own vector, what goes out a copy of it and a function that erases the original.
// It knows nothing of commands and imports nothing of heed.
package argv
