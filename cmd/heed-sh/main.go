// Command heed-sh stands in the place of a shell: it reads what bash, sh, zsh or
// mksh would be asked to run, says what that would do, and then becomes that
// shell, asks or refuses (docs/run.md).
package main

import (
	"os"

	"github.com/heedsh/heed/internal/argv"
	"github.com/heedsh/heed/internal/cli"
)

func main() {
	words, erase := argv.Take()
	s := cli.System()
	s.Erase = erase
	os.Exit(cli.Shell(words, s))
}
