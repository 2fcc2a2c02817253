// Command heed-mcp is the server of the Model Context Protocol that `heed mcp` becomes
// (docs/mcp.md).
package main

import (
	"context"
	"os"

	"github.com/heedsh/heed/internal/cli"
	"github.com/heedsh/heed/internal/cli/mcpserver"
)

func main() {
	s := cli.System()
	os.Exit(cli.RunMCP(os.Args[1:], s, func(ctx context.Context, o *cli.MCPOptions) error {
		return mcpserver.Serve(ctx, s, o)
	}))
}
