// Command heed reads a terminal command before it runs and says what it would
// really do here.
package main

import (
	"os"

	"github.com/heedsh/heed/internal/argv"
	"github.com/heedsh/heed/internal/cli"
)

func main() {
	// An agent waits for hook before every command: it is answered before the
	// framework of the other verbs is touched.
	if args, ok := cli.IsHook(os.Args[1:], os.Getenv); ok {
		os.Exit(cli.Hook(args, cli.System()))
	}
	words, erase := argv.Take()
	s := cli.System()
	s.Erase = erase
	os.Exit(cli.Main(words[1:], s))
}
