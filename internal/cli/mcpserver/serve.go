package mcpserver

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
	"github.com/heedsh/heed/internal/cli"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/mcp"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/ownfile"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/heedsh/heed/risk"
)

// longestRun is how long an agent may let a command run over MCP.
const longestRun = time.Hour

// Serve offers heed's tools as the flags say, until ctx or the client ends it.
func Serve(ctx context.Context, s cli.Streams, o *cli.MCPOptions) error {
	server, err := newServer(s, o)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if o.HTTP == "" {
		if o.TokenFile != "" || len(o.Origins) > 0 || o.Anywhere {
			return errors.New("--token-file, --origin and --anywhere are for --http")
		}
		return server.Serve(ctx, s.In, s.Out)
	}
	token, err := readToken(o.TokenFile)
	if err != nil {
		return err
	}
	h, err := server.Handler(token, o.Origins)
	if err != nil {
		return fmt.Errorf("--token-file: %w", err)
	}
	l, err := mcp.Listen(ctx, o.HTTP, o.Anywhere)
	if err != nil {
		return fmt.Errorf("--http %s: %w", explain.Visible(o.HTTP), err)
	}
	fmt.Fprintf(s.Err, "heed: listening on http://%s%s\n", l.Addr(), mcp.Path)
	return mcp.ServeHTTP(ctx, l, h)
}

// newServer is the server that the flags describe.
func newServer(s cli.Streams, o *cli.MCPOptions) (*mcp.Server, error) {
	dir, err := service.Absolute(s.Dir, o.Dir)
	if err != nil {
		return nil, fmt.Errorf("--dir: %w", err)
	}
	if i, err := os.Stat(dir); err != nil || !i.IsDir() {
		return nil, fmt.Errorf("--dir %s: it is no directory", explain.Visible(dir))
	}
	if o.Timeout <= 0 || o.Timeout > longestRun {
		return nil, fmt.Errorf("--timeout %s: want more than 0 and at most %s", o.Timeout, longestRun)
	}
	if o.Runs < 1 {
		return nil, fmt.Errorf("--runs %d: want 1 or more", o.Runs)
	}
	roots, err := cli.Workspaces(s.Dir, o.Workspaces)
	if err != nil {
		return nil, err
	}
	return &mcp.Server{
		Version: service.Version,
		Guard:   func(req *risk.Request) *guard.Guard { return own.Guard(cli.ServiceFor(s, req), s.Env) },
		Explain: func(ctx context.Context, req risk.Request) string {
			return cli.Explanation(ctx, cli.ServiceFor(s, &req), req)
		},
		Say: func(out *guard.Outcome) (bool, string) {
			a := agent.AnswerTo(&out.Answer.Assessment, &out.Decision, cli.NoteOf(out), false)
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
		Env:   s.Env, Dir: dir, Workspaces: roots, Agent: o.Agent,
		Limit: agent.HookLimit * time.Second, Timeout: o.Timeout, Longest: longestRun, Runs: o.Runs,
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
