// Command heed reads a terminal command before it runs and says what it would
// really do here.
package main

import (
	"os"

	"github.com/heedsh/heed/internal/cli"
)

func main() {
	deepen(make([]byte, 0))
	// An agent waits for hook before every command: it is answered before the
	// framework of the other verbs is touched.
	if args, ok := cli.IsHook(os.Args[1:], os.Getenv("CLAUDE_PROJECT_DIR") != ""); ok {
		os.Exit(cli.Hook(args, cli.System()))
	}
	os.Exit(cli.Main(os.Args[1:], cli.System()))
}

// depth is about how deep the stack gets for an ordinary command, in bytes.
const depth = 48 << 10

// deepen gives the stack the size that it will need while there is nothing on
// it: to grow step by step, copying what is there, costs one answer in twenty
// of its time.
//
//go:noinline
func deepen(b []byte) {
	var room [depth]byte
	copy(room[:], b)
}
