// Command heed reads a terminal command before it runs and says what it would
// really do here.
package main

import (
	"os"

	"github.com/heedsh/heed/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.System()))
}
