package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/heedsh/heed/internal/child"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/risk"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage is the longest message that is read, in bytes; the longest payload of a
// hook is as long.
const maxMessage = 8 << 20

// A Server answers agents of one account.
type Server struct {
	Version string
	// Guard stands before the commands of a request's session.
	Guard func(*risk.Request) *guard.Guard
	// Explain says how an answer came about.
	Explain func(context.Context, risk.Request) string
	// Say says whether an outcome lets a command run, and what its agent is told.
	Say func(*guard.Outcome) (runs bool, text string)
	// Shell finds the bash that commands are given to.
	Shell func() (string, error)
	// Env is the environment of commands, whole; Dir, absolute, is where they run if a
	// call does not say.
	Env []string
	Dir string
	// Workspaces are the roots that commands may work in. None: the git work tree around
	// where a command runs, if that is Dir or below it, else Dir.
	Workspaces []string
	// Agent names who asks: whoever configures the server says so, and no client does.
	Agent string
	// Limit is how long judging may take, Timeout how long a command may run if the call
	// does not say, and Longest if it does.
	Limit, Timeout, Longest time.Duration
	// Runs is how many commands may run at a time, over all sessions.
	Runs int64

	running atomic.Int64
}

// place takes one of the places for commands that run; free gives it back. With an error
// all are taken.
func (s *Server) place() (free func(), err error) {
	if s.running.Add(1) > s.Runs {
		s.running.Add(-1)
		return nil, fmt.Errorf("not run: all %d places for commands that run at a time (heed mcp --runs) are taken; call again when one of them has ended", s.Runs)
	}
	return func() { s.running.Add(-1) }, nil
}

// instructions are what an agent's model is told.
const instructions = `heed says what a terminal command would really do here before it runs. check gives the badge ([SAFE], [CAUTION] or [REVIEW]) and the sentence, explain shows how that came about, run runs a command if policy allows it, pending lists what waits for a person. What a person has to agree to is not run: ask your person to run the heed approve line that you are given, in a terminal of their own, then call run again with exactly the same command.`

// server makes a server of the protocol for one session, or for those of HTTP, which
// tells its sessions apart.
func (s *Server) server() *sdk.Server {
	alone := rand.Text() // over two streams a session has no name of its own
	p := sdk.NewServer(&sdk.Implementation{Name: "heed", Version: s.Version}, &sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}})
	c := &calls{Server: s, alone: alone}
	yes, no := true, false
	reads := &sdk.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &no, OpenWorldHint: &no}
	sdk.AddTool(p, &sdk.Tool{Name: "check", Description: "Say what a shell command would do here, without running it: badge, sentence, consequences, safer commands.", Annotations: reads}, c.check)
	sdk.AddTool(p, &sdk.Tool{Name: "explain", Description: "Show how heed's answer about a shell command came about: programs, effects, what is unknown, the row that decided.", Annotations: reads}, c.explain)
	sdk.AddTool(p, &sdk.Tool{Name: "run", Description: "Run a shell command with bash if policy allows it; otherwise say why not and how a person can agree. Nothing is on its standard input.", Annotations: &sdk.ToolAnnotations{DestructiveHint: &yes}}, c.run)
	sdk.AddTool(p, &sdk.Tool{Name: "pending", Description: "List the commands that wait for a person. Only a person can answer them.", Annotations: reads}, c.pending)
	p.AddResource(&sdk.Resource{URI: logURI, Name: "log", Description: fmt.Sprintf("The last %d rows of heed's log, a JSON object a line; secrets are taken out.", lastRows), MIMEType: "application/x-ndjson"}, c.log)
	p.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: logURI + "/{id}", Name: "row", Description: "One row of heed's log, whole, by its id or number.", MIMEType: "application/json"}, c.row)
	return p
}

// Serve answers over two streams until the input ends or ctx does.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	err := s.server().Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: nopCloser{out}, MaxLineLength: maxMessage})
	if err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
		return fmt.Errorf("answering over the standard streams: %w", err)
	}
	return nil
}

type nopCloser struct{ io.Writer }

// Close closes nothing: the stream is the caller's.
func (nopCloser) Close() error { return nil }

// calls are the tools of one server of the protocol.
type calls struct {
	*Server
	alone string
}

// A command is what every tool takes that is about one.
type command struct {
	Command string `json:"command" jsonschema:"the text that is given to bash"`
	Dir     string `json:"dir,omitempty" jsonschema:"the directory it runs in; relative to that of the server, which is the default"`
}

// request makes the request of a call.
func (c *calls) request(from *sdk.ServerSession, of *command) (risk.Request, []string, error) {
	env := child.Quiet(c.Env)
	req := risk.Request{
		Command: of.Command, Shell: "bash", Dir: c.Dir, Env: child.Pairs(env), Workspaces: c.Workspaces,
		Provenance: risk.ModelSuggestion, Agent: c.Agent, Session: c.alone, ID: rand.Text(),
	}
	if id := from.ID(); id != "" {
		req.Session = id
	}
	switch {
	case strings.TrimSpace(of.Command) == "":
		return req, nil, errors.New("command is empty")
	case strings.ContainsRune(of.Command+of.Dir, 0):
		return req, nil, errors.New("a command holds no byte zero")
	case filepath.IsAbs(of.Dir):
		req.Dir = filepath.Clean(of.Dir)
	case of.Dir != "":
		req.Dir = filepath.Join(c.Dir, of.Dir)
	}
	if len(req.Workspaces) == 0 && req.Dir != c.Dir && !strings.HasPrefix(req.Dir, strings.TrimSuffix(c.Dir, "/")+"/") {
		// A call cannot make a project of any directory by going there.
		req.Workspaces = []string{c.Dir}
	}
	return req, env, nil
}
