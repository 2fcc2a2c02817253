package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/heedsh/heed/internal/acp"
	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/child"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

func newACP(s Streams) *cobra.Command {
	name := "acp"
	c := &cobra.Command{
		Use:   "acp [flags] -- AGENT [ARGS...]",
		Short: "Stand between an editor and its agent in the Agent Client Protocol",
		Long: `acp starts an agent that speaks the Agent Client Protocol and passes every message
between it and the editor, which starts heed in its place. Commands that the agent
asks permission for, or wants the editor to run, are judged as policy says: what is
harmless is allowed once, what is CAUTION/B is asked about with badge and sentence
in the title, what is REVIEW is refused with the digest for heed approve. heed never
allows anything for always. It ends as the agent does. docs/acp.md`,
		Example: "  heed acp -- gemini --acp\n  heed acp --name claude-code -- claude-code-acp",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the agent: heed acp -- AGENT (heed acp --help)")
			}
			p := &acp.Proxy{
				Judge: func(ctx context.Context, cmd *acp.Command) acp.Verdict { return judgeACP(ctx, s, name, cmd) },
				Note:  func(text string) { fmt.Fprintln(s.Err, "heed: note: "+explain.Visible(text)) },
			}
			code, err := between(c.Context(), s, p, args)
			if err != nil {
				return err
			}
			return &exitError{code: code}
		},
	}
	c.Flags().SetInterspersed(false)
	c.Flags().StringVar(&name, "name", name, "`NAME` under which the agent is shown and recorded")
	return c
}

// judgeACP has a command of the agent's judged. What fails is refused.
func judgeACP(ctx context.Context, s Streams, name string, cmd *acp.Command) acp.Verdict {
	req := risk.Request{
		Command: cmd.Text, Shell: "bash", Dir: cmd.Dir, Env: child.Pairs(s.Env),
		Provenance: risk.ModelSuggestion, Agent: name, Session: cmd.Session,
	}
	if req.Dir == "" {
		req.Dir = s.Dir
	}
	maps.Copy(req.Env, cmd.Env)
	g := own.Guard(ServiceFor(s, &req), s.Env)
	g.Agreed = cmd.Agreed
	limit := agent.HookLimit * time.Second
	o, err := service.Within(ctx, limit, func(ctx context.Context) (*guard.Outcome, error) {
		if cmd.Unread != "" {
			return g.Unjudged(ctx, req, cmd.Unread, policy.Agent)
		}
		return g.Call(ctx, req, policy.Agent)
	})
	if err != nil {
		why := err.Error()
		o, err = service.Within(ctx, limit, func(ctx context.Context) (*guard.Outcome, error) {
			return g.Unjudged(ctx, req, why, policy.Agent)
		})
	}
	if err != nil {
		return acp.Verdict{Action: acp.Deny, Why: "heed: the command is not run, because heed could not judge it: " + explain.Visible(err.Error())}
	}
	a := agent.AnswerTo(&o.Answer.Assessment, &o.Decision, NoteOf(o), true)
	switch a.Decision {
	case policy.Leave:
		return acp.Verdict{Action: acp.Pass}
	case policy.Allow:
		return acp.Verdict{Action: acp.Allow, Why: a.Reason, Agreed: o.Agreed}
	case policy.Ask:
		return acp.Verdict{Action: acp.Ask, Why: a.Reason}
	}
	return acp.Verdict{Action: acp.Deny, Why: a.Reason}
}
