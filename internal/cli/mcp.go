package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/explain"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// MCPOptions are the flags of heed mcp.
type MCPOptions struct {
	// Dir is where commands run, Agent the name under which whoever asks is recorded,
	// HTTP an address to listen on, "" for the standard streams, and TokenFile what
	// those who come over it must know.
	Dir, Agent, HTTP, TokenFile string
	// Workspaces are where the session may work, Origins the pages whose messages are
	// taken.
	Workspaces, Origins []string
	// Timeout is after how long a command is killed.
	Timeout time.Duration
	// Runs is how many commands may run at a time.
	Runs int64
	// Anywhere lets HTTP be an address that others can reach.
	Anywhere bool
}

// newMCP is the verb as heed has it: it becomes heed-mcp, because what a server of the
// protocol makes before main would be paid by every hook (docs/decisions/mcp-sdk.md).
func newMCP(s Streams) *cobra.Command {
	var c *cobra.Command
	c = newMCPWith(func(context.Context, *MCPOptions) error {
		program, err := beside("heed-mcp")
		if err != nil {
			return err
		}
		return become(program, append([]string{program}, given(c.Flags())...), s.Env)
	})
	return c
}

// RunMCP reads the command line of heed-mcp, has serve do what it says and returns the
// exit code.
func RunMCP(args []string, s Streams, serve func(context.Context, *MCPOptions) error) int {
	c := newMCPWith(serve)
	c.SilenceUsage, c.SilenceErrors = true, true
	c.Use, c.Version = "heed-mcp [flags]", version()
	c.Example = strings.ReplaceAll(c.Example, "heed mcp", "heed-mcp")
	c.SetIn(s.In)
	c.SetOut(s.Out)
	c.SetErr(s.Err)
	c.SetArgs(args)
	err := c.ExecuteContext(context.Background())
	if !quiet(err) {
		fmt.Fprintln(s.Err, "heed-mcp: "+err.Error())
	}
	return exitCode(err)
}

// newMCPWith is the verb, with what it does.
func newMCPWith(serve func(context.Context, *MCPOptions) error) *cobra.Command {
	o := &MCPOptions{}
	c := &cobra.Command{
		Use:   "mcp [flags]",
		Short: "Offer check, explain, run and pending to agents over the Model Context Protocol",
		Long: `mcp is a server of the Model Context Protocol. An agent starts it and speaks to it
over standard input and output; with --http it listens on the loopback and wants
the token of --token-file from everybody. Its tools are check, explain, run and
pending, its resources the log. run passes the same gate as a hook: what policy asks
about is not run, and kept for heed approve. No tool approves, denies or changes
anything. docs/mcp.md shows how agents are told of it.`,
		Example: `  heed mcp
  heed mcp --agent my-agent --workspace ~/project
  heed mcp --http 127.0.0.1:7433 --token-file ~/.config/heed/mcp-token`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return serve(c.Context(), o) },
	}
	flags := c.Flags()
	flags.StringVar(&o.Dir, "dir", "", "`DIR` commands run in (default: the current one)")
	flags.StringArrayVar(&o.Workspaces, "workspace", nil, "`DIR` the session may work in; repeatable (default: the git work tree)")
	flags.StringVar(&o.Agent, "agent", "mcp", "`NAME` under which whoever asks is shown and recorded")
	flags.DurationVar(&o.Timeout, "timeout", 2*time.Minute, "`TIME` after which a command is killed, if the call does not say")
	flags.Int64Var(&o.Runs, "runs", 8, "`N` commands may run at a time, over all sessions")
	flags.StringVar(&o.HTTP, "http", "", "listen on `ADDRESS`, host:port, instead of the standard streams")
	flags.StringVar(&o.TokenFile, "token-file", "", "`FILE` with the token, which only you can read")
	flags.StringArrayVar(&o.Origins, "origin", nil, "`ORIGIN` of a page whose messages are taken; repeatable (default: none)")
	flags.BoolVar(&o.Anywhere, "anywhere", false, "let --http listen on an address that others can reach")
	return c
}

// given are the flags that were given, to be given once more.
func given(flags *pflag.FlagSet) (args []string) {
	flags.Visit(func(f *pflag.Flag) {
		if many, ok := f.Value.(pflag.SliceValue); ok {
			for _, v := range many.GetSlice() {
				args = append(args, "--"+f.Name+"="+v)
			}
			return
		}
		args = append(args, "--"+f.Name+"="+f.Value.String())
	})
	return args
}

// beside finds a program of heed's in the directory of this one. PATH is not asked: it
// may name a directory that others write to.
func beside(name string) (string, error) {
	mine, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("looking for %s: %w", name, err)
	}
	if real, err := filepath.EvalSymlinks(mine); err == nil {
		mine = real
	}
	program := filepath.Join(filepath.Dir(mine), name)
	if i, err := os.Stat(program); err != nil || !i.Mode().IsRegular() {
		return "", fmt.Errorf("there is no %s beside %s: go install github.com/heedsh/heed/cmd/%s@latest puts it there", name, explain.Visible(mine), name)
	}
	return program, nil
}
