package cli

import (
	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/self"
	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/heedsh/heed/internal/wrap/shellargs"
	"github.com/heedsh/heed/risk"
)

// rewritten is the command that an agent is to run in the place of its own, so that heed
// runs that one confined; "" where it runs as it is. A person has to want it for this
// agent, the line has to be SAFE and to mean the same in a shell of its own, and the
// machine to confine: where one of these fails, the line runs as without it.
func (j *judged) rewritten(o *guard.Outcome) string {
	a := &o.Answer.Assessment
	switch {
	case !o.Decision.Rewrite || o.Approved || o.Request != nil || a.Tier != risk.Safe || a.Error != "":
		return ""
	case !j.adapter.CanRewrite(&j.call) || !wrap.Alone(j.req.Command, j.req.Shell, j.req.Env):
		return ""
	// What the agent's shell has by a function or an alias only is not there.
	case witness.Missing(a, j.req.Env["PATH"]) != "" || confine.Possible(&grant.Grant{}) != nil:
		return ""
	}
	heed, err := self.Path(j.req.Env["PATH"])
	if err != nil {
		return ""
	}
	words := []string{heed, "run", "--confined", "--agent", j.call.Agent, "--provenance", string(risk.ModelSuggestion)}
	if j.req.Shell != "bash" {
		words = append(words, "--shell", j.req.Shell)
	}
	return shellargs.Join(append(words, "-c", j.req.Command))
}
