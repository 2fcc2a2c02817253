package witness

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/risk"
)

// A Verifier runs command lines in a world, each in a preview, and holds what they did
// against what is said of them.
type Verifier struct {
	World *World
	// Assess says what a command would do.
	Assess func(context.Context, risk.Request) risk.Assessment
	// Search is where programs are looked for: directories, as PATH has them.
	Search string
	// Longest is how long a command may run.
	Longest time.Duration
}

// An Example is what came of one command line.
type Example struct {
	Run     string    `json:"run"`
	Tier    risk.Tier `json:"tier"`
	Summary string    `json:"summary"`
	// NotRun says why it did not run.
	NotRun string `json:"not_run,omitempty"`
	Exit   int    `json:"exit"`
	// Stopped is whether it reached a limit, and was ended.
	Stopped bool   `json:"stopped,omitempty"`
	Said    []Said `json:"said"`
	Done    []Done `json:"done"`
	// Also are programs that were started by those that were said to run.
	Also []string `json:"also_started"`
}

// Said is what is said to happen for certain, and can be seen.
type Said struct {
	Verb   risk.Verb `json:"verb"`
	Target string    `json:"target"`
	Seen   bool      `json:"seen"`
}

// Done is what happened, or was tried and refused.
type Done struct {
	Verb risk.Verb `json:"verb"` // of an effect that would tell of it
	What string    `json:"what"`
	Told bool      `json:"told"`
}

// VerbExec is the verb of what is said and done of programs that are started.
const VerbExec risk.Verb = "exec"

// Held reports whether what was said for certain is held against what was seen: a command
// that failed, or was ended, need not have come to it.
func (x *Example) Held() bool { return x.NotRun == "" && x.Exit == 0 && !x.Stopped }

// Unsaid are the deeds of which nothing was said.
func (x *Example) Unsaid() []Done {
	return slices.DeleteFunc(slices.Clone(x.Done), func(d Done) bool { return d.Told })
}

// Unseen is what was said for certain and did not happen.
func (x *Example) Unseen() []Said {
	if !x.Held() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(x.Said), func(s Said) bool { return s.Seen })
}

// Limits of what an example may use.
const (
	mostBytes     = 64 << 20
	mostProcesses = 100
)

// Try runs one command line with bash and holds it. An error under [preview.ErrNotHere]
// says that there is no preview on this machine.
func (v *Verifier) Try(ctx context.Context, line string) (Example, error) {
	x := Example{Run: line, Said: []Said{}, Done: []Done{}, Also: []string{}}
	req := risk.Request{Command: line, Shell: "bash", Dir: v.World.Project, Env: map[string]string{}, Workspaces: []string{v.World.Project}}
	maps.Copy(req.Env, v.World.Env)
	req.Env["PATH"] = v.Search
	a := v.Assess(ctx, req)
	if x.NotRun = v.cannot(&a); x.NotRun != "" {
		x.Tier, x.Summary = a.Tier, a.Summary
		return x, ctx.Err()
	}
	made, take, err := v.World.supply(&a)
	if err != nil {
		return x, err
	}
	defer take()
	if made {
		a = v.Assess(ctx, req)
	}
	x.Tier, x.Summary = a.Tier, a.Summary
	r, plan, err := v.run(&req, &a)
	if err != nil {
		return x, err
	}
	x.Exit, x.Stopped = r.Exit, r.Limit != "" || r.Signal != 0
	hold(&x, &a, r, &seenBy{home: v.World.Home, plan: plan, shell: v.bash()})
	return x, ctx.Err()
}

// cannot says why a command cannot run here.
func (v *Verifier) cannot(a *risk.Assessment) string {
	switch missing := Missing(a, v.Search); {
	case a.Error != "":
		return "not assessed: " + a.Error
	case len(a.Invocations) == 0:
		return "no program is run"
	case missing != "":
		return missing + " is not installed here"
	case v.bash() == "":
		return "bash is not installed here"
	}
	for i := range a.Effects {
		e := &a.Effects[i]
		if name := filepath.Base(e.Target); (e.Verb == risk.ExecUnknown || e.Verb == risk.ExecProject) && filepath.IsAbs(e.Target) && e.Target == find(name, v.Search) {
			return e.Target + " is judged as what it holds, not as " + name + ": it lies in a workspace or a temporary directory"
		}
	}
	return ""
}

func (v *Verifier) bash() string {
	if name := find("bash", v.Search); name != "" {
		return name
	}
	return find("bash", "/usr/bin:/bin")
}

// run runs the command of a request in a preview.
func (v *Verifier) run(req *risk.Request, a *risk.Assessment) (*preview.Result, *preview.Plan, error) {
	plan, err := preview.NewPlan(&preview.Where{Workspaces: req.Workspaces, Home: v.World.Home, Targets: preview.Targets(a)})
	if err != nil {
		return nil, nil, fmt.Errorf("covering a world: %w", err)
	}
	c := &preview.Command{Program: v.bash(), Argv: []string{"bash", "-c", req.Command}, Dir: req.Dir}
	for _, name := range slices.Sorted(maps.Keys(req.Env)) {
		c.Env = append(c.Env, name+"="+req.Env[name])
	}
	limits := preview.DefaultLimits()
	limits.Time, limits.Bytes, limits.Processes, limits.Diff = v.Longest, mostBytes, mostProcesses, 0
	p, err := preview.Run(c, plan, &limits)
	if err != nil {
		return nil, nil, fmt.Errorf("running %q: %w", req.Command, err)
	}
	return &p.Result, plan, errors.Join(p.Close())
}

// watched is what of a plan is seen: the trees whose changes are told.
func watched(p *preview.Plan, file string) bool {
	best, shown := "", false
	for _, t := range p.Trees {
		if rel, err := filepath.Rel(t.Path, file); err == nil && filepath.IsLocal(rel) && len(t.Path) > len(best) {
			best, shown = t.Path, !t.Scratch
		}
	}
	return shown
}
