package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/mcp"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/ownfile"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

// longestRun is how long an agent may let a command run over MCP.
const longestRun = time.Hour

type mcpOptions struct {
	dir, agent, http, tokenFile string
	workspaces, origins         []string
	timeout                     time.Duration
	anywhere                    bool
}

func newMCP(s Streams) *cobra.Command {
	o := &mcpOptions{}
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
		RunE: func(c *cobra.Command, _ []string) error { return runMCP(c.Context(), s, o) },
	}
	flags := c.Flags()
	flags.StringVar(&o.dir, "dir", "", "`DIR` commands run in (default: the current one)")
	flags.StringArrayVar(&o.workspaces, "workspace", nil, "`DIR` the session may work in; repeatable (default: the git work tree)")
	flags.StringVar(&o.agent, "agent", "mcp", "`NAME` under which whoever asks is shown and recorded")
	flags.DurationVar(&o.timeout, "timeout", 2*time.Minute, "`TIME` after which a command is killed, if the call does not say")
	flags.StringVar(&o.http, "http", "", "listen on `ADDRESS`, host:port, instead of the standard streams")
	flags.StringVar(&o.tokenFile, "token-file", "", "`FILE` with the token, which only you can read")
	flags.StringArrayVar(&o.origins, "origin", nil, "`ORIGIN` of a page whose messages are taken; repeatable (default: none)")
	flags.BoolVar(&o.anywhere, "anywhere", false, "let --http listen on an address that others can reach")
	return c
}

func runMCP(ctx context.Context, s Streams, o *mcpOptions) error {
	server, err := o.server(s)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if o.http == "" {
		if o.tokenFile != "" || len(o.origins) > 0 || o.anywhere {
			return errors.New("--token-file, --origin and --anywhere are for --http")
		}
		return server.Serve(ctx, s.In, s.Out)
	}
	token, err := readToken(o.tokenFile)
	if err != nil {
		return err
	}
	h, err := server.Handler(token, o.origins)
	if err != nil {
		return fmt.Errorf("--token-file: %w", err)
	}
	l, err := mcp.Listen(ctx, o.http, o.anywhere)
	if err != nil {
		return fmt.Errorf("--http %s: %w", explain.Visible(o.http), err)
	}
	fmt.Fprintf(s.Err, "heed: listening on http://%s%s\n", l.Addr(), mcp.Path)
	return mcp.ServeHTTP(ctx, l, h)
}

// server is the server that the flags describe.
func (o *mcpOptions) server(s Streams) (*mcp.Server, error) {
	dir, err := service.Absolute(s.Dir, o.dir)
	if err != nil {
		return nil, fmt.Errorf("--dir: %w", err)
	}
	if i, err := os.Stat(dir); err != nil || !i.IsDir() {
		return nil, fmt.Errorf("--dir %s: it is no directory", explain.Visible(dir))
	}
	if o.timeout <= 0 || o.timeout > longestRun {
		return nil, fmt.Errorf("--timeout %s: want more than 0 and at most %s", o.timeout, longestRun)
	}
	roots, err := workspaces(s.Dir, o.workspaces)
	if err != nil {
		return nil, err
	}
	return &mcp.Server{
		Version: service.Version,
		Guard:   func(req *risk.Request) *guard.Guard { return own.Guard(serviceFor(s, req), s.Env) },
		Explain: func(ctx context.Context, req risk.Request) string {
			text, _ := explanation(ctx, Streams{}, serviceFor(s, &req), req, 0)
			return text
		},
		Say: func(out *guard.Outcome) (bool, string) {
			a := agent.AnswerTo(&out.Answer.Assessment, &out.Decision, noteOf(out), false)
			if out.Decision.Action == policy.Leave {
				// There are no rules of the agent's own here that it could be left to.
				shown := fmt.Sprintf("[%s] %s", out.Answer.Tier, out.Answer.Summary)
				if out.Answer.Level == risk.A && out.Answer.Tier != risk.Review {
					return true, shown
				}
				return false, shown + "\nNot run: policy leaves this to you, and heed mcp has nobody to ask. Use your own shell."
			}
			return a.Decision == policy.Allow, a.Reason
		},
		Shell: func() (string, error) { return (&wrap.Session{Env: s.Env}).FindShell("bash", "") },
		Env:   s.Env, Dir: dir, Workspaces: roots, Agent: o.agent,
		Limit: agent.HookLimit * time.Second, Timeout: o.timeout, Longest: longestRun,
	}, nil
}

// maxToken is how long a file with a token may be, in bytes.
const maxToken = 4096

// readToken reads the token: from a file of this account's own that nobody else can
// read.
func readToken(name string) (string, error) {
	if name == "" {
		return "", errors.New("--http needs --token-file: (umask 077; head -c 32 /dev/urandom | base64 > FILE) makes one")
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	defer func() { _ = root.Close() }() // it was only read
	f, info, err := ownfile.Open(root, filepath.Base(name), os.O_RDONLY)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	_ = f.Close() // it is read below, by the same name in the same directory
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("--token-file %s: others can read it (chmod 600)", explain.Visible(name))
	}
	text, err := ownfile.Read(root, filepath.Base(name), maxToken)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	return string(bytes.TrimSpace(text)), nil
}
