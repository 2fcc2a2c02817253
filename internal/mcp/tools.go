package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/child"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/wrap/shellargs"
	"github.com/heedsh/heed/risk"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// said is a result that is a text.
func said(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// check answers with the assessment, as heed check --json prints it.
func (c *calls) check(ctx context.Context, call *sdk.CallToolRequest, in command) (*sdk.CallToolResult, any, error) {
	req, _, err := c.request(call.Session, &in)
	if err != nil {
		return nil, nil, err
	}
	a, err := service.Within(ctx, c.Limit, func(ctx context.Context) (risk.Assessment, error) {
		a, _ := c.Guard(&req).Service.Assess(ctx, req) // an answer that is a failure says so
		return a.Assessment, nil
	})
	if err != nil {
		a = service.Failed(req, err).Assessment
	}
	text := fmt.Sprintf("[%s] %s", a.Tier, a.Summary)
	for _, s := range a.Safer {
		text += fmt.Sprintf("\nSafer: %s  (%s)", explain.Visible(s.Command), s.Why)
	}
	return said(text), &a, nil
}

// explain answers with what heed explain prints.
func (c *calls) explain(ctx context.Context, call *sdk.CallToolRequest, in command) (*sdk.CallToolResult, any, error) {
	req, _, err := c.request(call.Session, &in)
	if err != nil {
		return nil, nil, err
	}
	text, err := service.Within(ctx, c.Limit, func(ctx context.Context) (string, error) { return c.Explain(ctx, req), nil })
	if err != nil {
		return nil, nil, fmt.Errorf("heed could not judge it: %w", err)
	}
	return said(text), nil, nil
}

// toRun is what run takes.
type toRun struct {
	Command string `json:"command" jsonschema:"the text that is given to bash"`
	Dir     string `json:"dir,omitempty" jsonschema:"the directory it runs in; relative to that of the server, which is the default"`
	Seconds int    `json:"timeout_seconds,omitempty" jsonschema:"how long it may run before it is killed"`
}

// A ran is what run answers.
type ran struct {
	Ran       bool   `json:"ran"`
	Heed      string `json:"heed"`              // badge, sentence, and why it did not run
	Request   string `json:"request,omitempty"` // the digest for heed approve
	ExitCode  int    `json:"exit_code"`         // -1 if it did not run
	Stdout    string `json:"stdout"`
	Stderr    string `json:"stderr"`
	Truncated bool   `json:"truncated"`
	TimedOut  bool   `json:"timed_out"`
}

// maxOutput is how many bytes of each stream an agent is given.
const maxOutput = 256 << 10

// run lets a command run that the guard lets run, and no other.
func (c *calls) run(ctx context.Context, call *sdk.CallToolRequest, in toRun) (*sdk.CallToolResult, ran, error) {
	r := ran{ExitCode: -1}
	req, env, err := c.request(call.Session, &command{Command: in.Command, Dir: in.Dir})
	if err != nil {
		return nil, r, err
	}
	limit := c.Timeout
	if in.Seconds < 0 || in.Seconds > int(c.Longest/time.Second) {
		return nil, r, fmt.Errorf("timeout_seconds: want 1 to %d", int(c.Longest/time.Second))
	} else if in.Seconds > 0 {
		limit = time.Duration(in.Seconds) * time.Second
	}
	shell, err := c.Shell()
	if err != nil {
		return nil, r, fmt.Errorf("looking for a shell: %w", err)
	}
	// Before it is judged: a yes that is used up must not be lost for want of a place.
	free, err := c.place()
	if err != nil {
		return nil, r, err
	}
	defer free()
	g := c.Guard(&req)
	// Nobody answers a dialog of heed's here, so a click is a request too.
	g.KeepClicks = true
	o, err := c.decide(ctx, g, req)
	if err != nil {
		return nil, r, fmt.Errorf("the command is not run, because heed could not judge it: %w", err)
	}
	runs, text := c.Say(o)
	r.Heed = text
	if o.Request != nil {
		r.Request = approval.Show(o.Request.Digest)
	}
	if runs && o.Decision.Confined {
		runs, text = false, "It is not run: the policy wants it confined, which heed mcp cannot do. Run it in a terminal: heed run -c "+shellargs.Quote(req.Command)
		r.Heed = text
	}
	if !runs {
		result := said(text)
		result.IsError = true
		return result, r, nil
	}
	if err := g.Records.Append(ctx, o.Row.As(audit.Started)); err != nil {
		return nil, r, err
	}
	end, err := (&child.Child{Shell: shell, Text: req.Command, Dir: req.Dir, Env: env, Timeout: limit, Most: maxOutput}).Run(ctx)
	r.Ran, r.ExitCode, r.Truncated, r.TimedOut = end.Started, end.Code, end.Truncated, end.TimedOut
	r.Stdout, r.Stderr = whole(end.Stdout), whole(end.Stderr)
	if end.Started {
		row := o.Row.As(audit.Finished)
		row.Outcome = &audit.Outcome{Code: end.Code, MS: end.Took.Milliseconds()}
		if lost := g.Records.Append(context.WithoutCancel(ctx), row); lost != nil {
			r.Heed += "\nIt ran, and its end could not be recorded: " + explain.Visible(lost.Error())
		}
	}
	if err != nil {
		r.Heed += "\n" + explain.Visible(err.Error())
	}
	return nil, r, nil
}

// decide is what is done about a command. What heed cannot judge in time is as unread
// as for a hook: a person can let it run.
func (c *calls) decide(ctx context.Context, g *guard.Guard, req risk.Request) (*guard.Outcome, error) {
	o, err := service.Within(ctx, c.Limit, func(ctx context.Context) (*guard.Outcome, error) { return g.Call(ctx, req, policy.Agent) })
	var late *service.TooLate
	var fault *service.Failure
	if err == nil || ctx.Err() != nil || !errors.As(err, &late) && !errors.As(err, &fault) {
		return o, err
	}
	return service.Within(ctx, max(c.Limit, time.Second), func(ctx context.Context) (*guard.Outcome, error) {
		return g.Unjudged(ctx, req, err.Error(), policy.Agent)
	})
}

// whole is output as JSON can carry it: what is no text becomes the sign for that.
func whole(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "�")
}

// A waiting is a request that waits for a person, as agents see it: what a yes takes is
// for people.
type waiting struct {
	Request string    `json:"request"`
	Made    time.Time `json:"made"`
	Agent   string    `json:"agent,omitempty"`
	Tier    string    `json:"tier,omitempty"`
	Summary string    `json:"summary,omitempty"`
	Command string    `json:"command"`
	Dir     string    `json:"dir,omitempty"`
}

type allWaiting struct {
	Requests []waiting `json:"requests"`
}

// pending lists what waits.
func (c *calls) pending(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, allWaiting, error) {
	out := allWaiting{Requests: []waiting{}}
	g := c.Guard(&risk.Request{Dir: c.Dir, Env: child.Pairs(c.Env)})
	if g.StoreErr != nil {
		return nil, out, g.StoreErr
	}
	list, _, err := g.Store.List()
	if err != nil {
		return nil, out, err
	}
	for _, r := range list {
		if r.State != approval.Pending {
			continue
		}
		w := waiting{Request: approval.Show(r.Digest), Made: time.UnixMilli(r.Made).UTC(), Command: explain.Visible(r.Facts.Command)}
		if s := r.Shown; s != nil {
			w.Agent, w.Tier, w.Summary, w.Command, w.Dir = s.Agent, s.Tier.String(), s.Explanation, s.Command, s.Dir
		}
		out.Requests = append(out.Requests, w)
	}
	return nil, out, nil
}
