package cli

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// files has a tool judged that writes files, as the command that writes them. Ordinary
// files are the agent's business, which its person sees in the agent's own dialog: heed
// looks at what is obeyed later, at keys, accounts, devices and the system, and at what
// says what agents may do.
func (j *judged) files(ctx context.Context) (*guard.Outcome, error) {
	a, err := j.assess(ctx, j.call.Look)
	if err == nil {
		matters := func(e risk.Effect) bool { return obeyed(&e) || onPath(&e, j.req.Env["PATH"]) }
		if !slices.ContainsFunc(a.Effects, matters) {
			return nil, nil
		}
		if slices.ContainsFunc(a.Effects, func(e risk.Effect) bool { return e.Scope == risk.IsSecret }) {
			j.req.Command = j.call.Sealed // what is written there is written nowhere else
		}
	}
	return j.guard.Call(ctx, j.req, policy.Agent)
}

// shows has a tool judged that shows files, where a secret is among them that is there.
// Agents look whether there is a .env in every project: where none is, nothing is shown.
func (j *judged) shows(ctx context.Context) (*guard.Outcome, error) {
	a, err := j.assess(ctx, j.call.Shown)
	if err == nil && !slices.ContainsFunc(a.Effects, func(e risk.Effect) bool { return shownSecret(&e) }) {
		return nil, nil
	}
	j.req.Command = j.call.Shown
	return j.guard.Call(ctx, j.req, policy.Agent)
}

// assess is what heed says of a command that does what a tool does.
func (j *judged) assess(ctx context.Context, command string) (service.Answer, error) {
	look := j.req
	look.Command = command
	return j.guard.Service.Assess(ctx, look)
}

// obeyed reports whether an effect of a tool that writes files is on something that is
// obeyed later, that others depend on, or that gives rights.
func obeyed(e *risk.Effect) bool {
	switch e.Verb {
	case risk.AgentConfig, risk.PersistAdd, risk.PrivGain, risk.DefenseEvade, risk.DiskWrite:
		return true
	case risk.FSDelete:
		if e.Tier == risk.Review {
			return true
		}
	case risk.FSWrite, risk.FSCreate, risk.FSMove, risk.FSAttr:
		if e.Tier == risk.Safe {
			return false
		}
	default:
		return false
	}
	switch e.Scope {
	case risk.IsAgentConfig, risk.IsStartup, risk.IsSecret, risk.IsAccounts, risk.IsDevice, risk.InSystem, risk.InOtherHome:
		return true
	}
	return false
}

// onPath reports whether an effect puts a file where programs are looked for, outside the
// project.
func onPath(e *risk.Effect, dirs string) bool {
	if e.Verb != risk.FSWrite && e.Verb != risk.FSCreate || e.Scope == risk.InWorkspace {
		return false
	}
	return slices.ContainsFunc(filepath.SplitList(dirs), func(dir string) bool {
		return path.IsAbs(dir) && path.Clean(dir) == path.Dir(e.Target)
	})
}

// shownSecret reports whether an effect shows a secret that is there, or of which that
// is not known.
func shownSecret(e *risk.Effect) bool {
	if e.Verb != risk.SecretRead || e.Tier != risk.Review {
		return false
	}
	if e.Unresolved != "" || e.Pattern != "" || !path.IsAbs(e.Target) {
		return true
	}
	_, err := os.Lstat(e.Target)
	return !os.IsNotExist(err)
}
