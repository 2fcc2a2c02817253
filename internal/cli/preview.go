package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/heedsh/heed/internal/wrap/shellargs"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

type previewOptions struct {
	requestFlags
	text, size          string
	secrets             []string
	json, apply, resume bool
	limits              preview.Limits
}

func newPreview(s Streams) *cobra.Command {
	o := &previewOptions{limits: preview.DefaultLimits()}
	c := &cobra.Command{
		Use:   "preview [flags] (-- COMMAND... | -c TEXT [NAME ARGS...] | --resume)",
		Short: "Run a command on top of the files, and show what it would change",
		Long: `preview runs a command with an overlay over the workspace, the home and what else it is
known to change: what it writes goes elsewhere, and nothing is copied beforehand. Printed
is what it would have created, changed and deleted, with differences, what it printed, how
it ended, and what it was refused: there is no network, and secrets have placeholders.
What a preview cannot show of a command (the network, services, the machine itself) is
said before it runs; a command that does nothing else is not run (docs/preview.md).

At a terminal you are asked then whether to apply it: exactly these changes are made, each
file in one step, and none if somebody else has changed one of these files meanwhile.
Elsewhere that takes --apply, a command that ended well, and a policy that asks nothing
about it. An agent cannot apply. If applying is interrupted, the next one, or --resume,
finishes it or takes it back.

Exit codes: 0 previewed, whatever the command's own code, and applied if that was wanted;
8 not applied; 126 nothing was run; 127 not found; 2 wrong arguments.`,
		Example: `  heed preview -- make clean
  heed preview -c 'sed -i s/a/b/ *.txt && rm -r old'
  heed preview --json --timeout 5s -- npm run build
  heed preview --apply -- go mod tidy
  heed preview --resume`,
		RunE: func(c *cobra.Command, args []string) error {
			return runPreview(c.Context(), s, o, args, c.Flags().Changed("command"))
		},
	}
	o.register(c)
	flags := c.Flags()
	flags.StringVarP(&o.text, "command", "c", "", "give `TEXT` to a shell")
	flags.BoolVar(&o.json, "json", false, "print the result as JSON (heed schema preview prints its schema)")
	flags.BoolVar(&o.apply, "apply", false, "make the changes; at a terminal, after asking")
	flags.BoolVar(&o.resume, "resume", false, "finish, or take back, what an interrupted --apply left")
	flags.StringArrayVar(&o.secrets, "secret", nil, "let the command read the secret in `PATH`; repeatable")
	flags.DurationVar(&o.limits.Time, "timeout", o.limits.Time, "end the command after this `TIME`")
	flags.StringVar(&o.size, "max-size", "1G", "most that it may write, in `BYTES`, or with K, M or G behind")
	flags.IntVar(&o.limits.Processes, "max-processes", o.limits.Processes, "most processes at the same time, a `NUMBER`")
	c.MarkFlagsMutuallyExclusive("resume", "command")
	c.MarkFlagsMutuallyExclusive("resume", "apply")
	return c
}

func runPreview(ctx context.Context, s Streams, o *previewOptions, args []string, text bool) error {
	switch {
	case o.resume && len(args) > 0:
		return errors.New("--resume takes no command: it finishes what is there")
	case o.resume:
		return resumePreview(ctx, s)
	case len(args) == 0 && !text:
		return errors.New("no command: write heed preview -- COMMAND, or heed preview -c 'TEXT' (heed preview --help)")
	}
	if err := o.check(); err != nil {
		return err
	}
	command := o.text
	if !text {
		command = shellargs.Join(args)
	}
	req, err := o.request(s, command)
	if err != nil {
		return err
	}
	job, env, err := o.job(s, &req, args, text)
	if err != nil {
		return notFound(err)
	}
	if preview.Unfinished(envOf(s)) && !o.apply {
		fmt.Fprintln(s.Err, "heed: note: an earlier --apply was ended in the middle: heed preview --resume finishes it or takes it back")
	}
	p := &previewing{s: s, o: o, req: &req}
	p.look = ServiceFor(s, &req).Look()
	p.answer, _ = p.look.Assess(ctx, req) // an answer that is a failure says so
	noteSpecs(s, p.answer.Detail.Specs)
	if err := p.openApply(); err != nil {
		return err
	}
	defer p.close()
	plan, err := p.plan()
	if err != nil {
		return err
	}
	input := s.In
	if s.InTTY {
		input = nil
	}
	v, err := preview.Run(&preview.Command{Program: job.Program, Argv: job.Argv, Env: env, Dir: req.Dir, Stdin: input}, plan, &o.limits)
	if errors.Is(err, preview.ErrNotHere) {
		return &exitError{code: wrap.ExitRefused, msg: "not run: " + explain.Visible(err.Error())}
	}
	if err != nil {
		return notFound(err)
	}
	defer v.Close() //nolint:errcheck // it is gone with this process
	return p.finish(ctx, v)
}

// check reads the limits.
func (o *previewOptions) check() error {
	var err error
	if o.limits.Bytes, err = bytesOf(o.size); err != nil || o.limits.Bytes < 1<<20 {
		return fmt.Errorf("--max-size %q: want at least 1M, as 500M or 2G", o.size)
	}
	if o.limits.Time <= 0 {
		return fmt.Errorf("--timeout %s: want a time above 0", o.limits.Time)
	}
	if o.limits.Processes < 1 {
		return fmt.Errorf("--max-processes %d: want at least 1", o.limits.Processes)
	}
	return nil
}

// bytesOf reads a size, of at most 1024G.
func bytesOf(text string) (int64, error) {
	digits := strings.TrimRight(text, "KMG")
	shift, ok := map[string]int{"": 0, "K": 10, "M": 20, "G": 30}[strings.TrimPrefix(text, digits)]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !ok || n < 0 || n > 1<<40>>shift {
		return 0, fmt.Errorf("%q is no size", text)
	}
	return n << shift, nil
}

// notFound is the error of a command that is not there, with the exit code of shells.
func notFound(err error) error {
	if wrap.NotFound(err) {
		return &exitError{code: wrap.ExitNotFound, msg: explain.Visible(err.Error())}
	}
	return err
}

// job is what is run, with its environment.
func (o *previewOptions) job(s Streams, req *risk.Request, args []string, text bool) (*approval.Job, []string, error) {
	var env []string
	for name, value := range req.Env {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	session := &wrap.Session{Name: "heed preview", Env: env, Out: s.Out, Err: s.Err}
	session.SetDir(req.Dir)
	if !text {
		job, err := session.Program(args)
		return job, session.Env, err
	}
	real, err := session.FindShell(o.shell, "")
	if err != nil {
		return nil, nil, err
	}
	words := []string{"-c"}
	if strings.HasPrefix(o.text, "-") || strings.HasPrefix(o.text, "+") {
		words = append(words, "--") // or the shell would take it for options
	}
	job, err := session.ShellLine(o.shell, o.shell, real, append(append(words, o.text), args...))
	return job, session.Env, err
}

// A previewing is one command on its way through a preview.
type previewing struct {
	s      Streams
	o      *previewOptions
	req    *risk.Request
	look   *service.Look
	answer service.Answer
	beyond []string
	notes  []string
	applying
}

// plan says what is covered and, before anything runs, what is not.
func (p *previewing) plan() (*preview.Plan, error) {
	a := &p.answer.Assessment
	what, all := preview.Beyond(a)
	for _, text := range what {
		p.beyond = append(p.beyond, explain.Visible(text))
	}
	if all {
		return nil, &exitError{code: wrap.ExitRefused, msg: "not run: " + a.Summary + " Nothing of that can be previewed: " + strings.Join(p.beyond, "; ")}
	}
	w := &preview.Where{Workspaces: p.req.Workspaces, Home: p.req.Env["HOME"], Temp: p.req.Env["TMPDIR"], Targets: preview.Targets(a)}
	if !filepath.IsAbs(w.Home) {
		w.Home = ""
	}
	if len(w.Workspaces) == 0 {
		w.Workspaces = []string{wrap.Worktree(p.req.Dir)}
	}
	for _, name := range p.o.secrets {
		secret, err := service.Absolute(p.s.Dir, name)
		if err != nil {
			return nil, fmt.Errorf("--secret: %w", err)
		}
		w.Secrets = append(w.Secrets, secret)
	}
	plan, err := preview.NewPlan(w)
	if err != nil {
		return nil, &exitError{code: wrap.ExitRefused, msg: "not run: " + explain.Visible(err.Error())}
	}
	for _, text := range plan.Notes {
		p.notes = append(p.notes, explain.Visible(text))
	}
	if p.o.json {
		return plan, nil
	}
	return plan, write(p.s.Out, p.before())
}

// finish prints what came of it, and applies it where that is wanted.
func (p *previewing) finish(ctx context.Context, v *preview.Preview) error {
	if !p.o.json {
		if err := write(p.s.Out, p.after(&v.Result)); err != nil {
			return err
		}
	}
	applied, err := p.applyIfWanted(ctx, v)
	if !p.o.json {
		if err == nil && applied {
			return write(p.s.Out, "applied\n")
		}
		return err
	}
	out := printedPreview{
		Command: p.req.Command, Dir: p.req.Dir, Tier: p.answer.Tier, Summary: p.answer.Summary,
		Beyond: orEmpty(p.beyond), Notes: orEmpty(p.notes), Result: v.Result, Applied: applied, ElapsedMS: v.Took.Milliseconds(),
	}
	out.Refused, out.Secrets, out.Programs = orEmpty(out.Refused), orEmpty(out.Secrets), orEmpty(out.Programs)
	if err != nil {
		out.NotApplied = err.Error()
	}
	text, jerr := json.Marshal(out)
	if jerr != nil {
		return jerr
	}
	return errors.Join(write(p.s.Out, string(text)+"\n"), err)
}

// printedPreview is what --json prints, as docs/preview.schema.json describes it.
type printedPreview struct {
	Command string    `json:"command"`
	Dir     string    `json:"dir"`
	Tier    risk.Tier `json:"tier"`
	Summary string    `json:"summary"`
	Beyond  []string  `json:"not_previewed"`
	Notes   []string  `json:"not_covered"`
	preview.Result
	Applied    bool   `json:"applied"`
	NotApplied string `json:"not_applied,omitempty"`
	ElapsedMS  int64  `json:"elapsed_ms"`
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// resumePreview finishes what an interrupted apply left.
func resumePreview(ctx context.Context, s Streams) error {
	did, err := preview.Resume(ctx, envOf(s))
	for _, text := range did {
		err = errors.Join(err, write(s.Out, text+"\n"))
	}
	if err == nil && len(did) == 0 {
		return write(s.Out, "nothing was left\n")
	}
	return notApplied(err)
}

// notApplied is the error of changes that were not made.
func notApplied(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{code: ExitNotApplied, msg: explain.Visible(err.Error())}
}
