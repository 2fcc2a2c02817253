package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/confine/profile"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/undo/preimage"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/heedsh/heed/internal/wrap/shellargs"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

type runOptions struct {
	shell, real, dir, provenance, agent string
	workspaces                          []string
	text, approve                       string
	step                                int
	dryRun, warn, json, confined        bool
	profile                             string
	grants                              []string
}

func newRun(s Streams) *cobra.Command {
	o := &runOptions{}
	c := &cobra.Command{
		Use:   "run [flags] (-- COMMAND... | -c TEXT [NAME ARGS...] | --approve DIGEST)",
		Short: "Run a command if it may run: assess it, then execute, ask or refuse",
		Long: `run assesses a command and then becomes it: exit code, streams, signals and
terminal are the command's own. ALLOW and WARN are executed. BLOCK is refused with
exit code 126, or asked about where standard input and standard error are a
terminal. What is refused prints a digest: heed run --approve DIGEST, typed at a
terminal, runs exactly that command in exactly that world, once.

With --confined the kernel keeps the command to what its assessment says it does, with
--profile to what a profile lets it do; what it refuses is told and kept. heed stays then
until the command ends. Where the kernel cannot do that, nothing is run (docs/confine.md).

COMMAND is a program and its words; no shell reads them. With -c, TEXT is given to
a shell, with $0 and the parameters behind it. heed-sh does the same for tools
that want the name of a shell.

Exit codes: 126 refused, 127 not found, 2 wrong arguments; with --dry-run 0, 3 for
WARN and 126 for BLOCK; otherwise the command's own.`,
		Example: `  heed run -- rm -rf build
  heed run -c 'make clean && make'
  heed run --dry-run -- git push --force
  heed run --confined -- npm view left-pad
  heed run --profile build -- make test
  heed run --approve 3f9a-81c2-77de
  heed run --approve 3f9a-81c2-77de --step 2`,
		RunE: func(c *cobra.Command, args []string) error { return runRun(s, o, args, c.Flags().Changed("command")) },
	}
	flags := c.Flags()
	flags.SetInterspersed(false)
	flags.StringVarP(&o.text, "command", "c", "", "give `TEXT` to a shell")
	flags.StringVar(&o.shell, "shell", "bash", "`SHELL` for -c: "+list(shellargs.Dialects()))
	flags.StringVar(&o.real, "real", "", "absolute `PATH` of that shell (default: looked for on PATH)")
	flags.StringVar(&o.dir, "dir", "", "`DIR` to run in (default: the current one)")
	flags.StringArrayVar(&o.workspaces, "workspace", nil, "`DIR` the session may work in; repeatable (default: the git work tree)")
	flags.StringVar(&o.provenance, "provenance", "", "`WHO` asked for it: "+list(risk.Provenances()))
	flags.StringVar(&o.agent, "agent", "", "`NAME` of the agent that asked for it")
	flags.BoolVar(&o.dryRun, "dry-run", false, "say what would be done, and execute nothing")
	flags.BoolVar(&o.warn, "warn", false, "print the line of a warning even if standard error is no terminal")
	flags.BoolVar(&o.json, "json", false, "print a refusal as JSON")
	flags.BoolVar(&o.confined, "confined", false, "let the kernel keep the command to what its assessment says")
	flags.StringVar(&o.profile, "profile", "", "let the kernel keep the command to the profile `NAME` (heed profile list)")
	flags.StringArrayVar(&o.grants, "grant", nil, "let a confined command do `WHAT` besides: write=PATH, secret=PATH, net=HOST:PORT, net=any, sockets, signals; repeatable")
	flags.StringVar(&o.approve, "approve", "", "run what was refused with this `DIGEST`, at a terminal, once")
	flags.IntVar(&o.step, "step", 0, "with --approve, run only the first `N` steps of the line (heed pending DIGEST shows them)")
	offer(c, "shell", shellargs.Dialects())
	offer(c, "provenance", risk.Provenances())
	offer(c, "profile", profile.Names())
	c.MarkFlagsMutuallyExclusive("command", "approve")
	c.MarkFlagsMutuallyExclusive("confined", "profile")
	return c
}

func runRun(s Streams, o *runOptions, args []string, text bool) error {
	session, err := o.session(s)
	if err != nil {
		return err
	}
	if o.approve != "" {
		if len(args) > 0 {
			return errors.New("--approve takes no command: it runs the one that was refused")
		}
		return &exitError{code: session.Approve(o.approve, o.step)}
	}
	if o.step != 0 {
		return errors.New("--step is for --approve: heed run --approve DIGEST --step 2")
	}
	if len(args) == 0 && !text {
		return errors.New("no command: write heed run -- COMMAND, or heed run -c 'TEXT' (heed run --help)")
	}
	job, err := o.job(session, args, text)
	if err != nil {
		return &exitError{code: session.Failed(err)}
	}
	return &exitError{code: session.Run(job)}
}

// session is the process as the flags describe it.
func (o *runOptions) session(s Streams) (*wrap.Session, error) {
	if err := service.CheckProvenance(o.provenance); err != nil {
		return nil, fmt.Errorf("--provenance %w", err)
	}
	if !slices.Contains(shellargs.Dialects(), o.shell) {
		return nil, fmt.Errorf("--shell %q: want one of %s", o.shell, list(shellargs.Dialects()))
	}
	session := &wrap.Session{
		Name: "heed run", Env: s.Env, Dir: s.Dir, Out: s.Out, Err: s.Err, Erase: s.Erase, Guard: own.Guard(newService(s), s.Env),
		Provenance: risk.Provenance(o.provenance), Agent: o.agent, Warn: o.warn, JSON: o.json, DryRun: o.dryRun,
	}
	session.Preview = previewFor(s, session)
	if o.profile != "" {
		p, err := own.Profile(s.Env, o.profile)
		if err != nil {
			return nil, fmt.Errorf("--profile: %w", err)
		}
		session.Confined = &wrap.Confined{Profile: p.Grant, More: o.grants}
	} else if o.confined {
		session.Confined = &wrap.Confined{More: o.grants}
	} else if len(o.grants) > 0 {
		return nil, errors.New("--grant is for a confined command: write --confined, or --profile")
	}
	var err error
	if session.Workspaces, err = Workspaces(s.Dir, o.workspaces); err != nil {
		return nil, err
	}
	if o.dir != "" {
		dir, err := service.Absolute(s.Dir, o.dir)
		if err != nil {
			return nil, fmt.Errorf("--dir: %w", err)
		}
		if i, err := os.Stat(dir); err != nil || !i.IsDir() {
			return nil, fmt.Errorf("--dir %s: it is no directory", explain.Visible(dir))
		}
		session.SetDir(dir)
	}
	return session, nil
}

// job is what is to be executed.
func (o *runOptions) job(session *wrap.Session, args []string, text bool) (*approval.Job, error) {
	if !text {
		return session.Program(args)
	}
	real, err := session.FindShell(o.shell, o.real)
	if err != nil {
		return nil, err
	}
	words := []string{"-c"}
	if strings.HasPrefix(o.text, "-") || strings.HasPrefix(o.text, "+") {
		words = append(words, "--") // or the shell would take it for options
	}
	name := o.real
	if name == "" {
		name = o.shell // which it begins its errors with
	}
	return session.ShellLine(o.shell, name, real, append(append(words, o.text), args...))
}

// Shell runs heed-sh, whose arguments are those of a shell, and returns its
// exit code if it does not become that shell. cmd/heed-sh calls it without the
// framework of the verbs.
func Shell(argv []string, s Streams) int {
	if len(argv) > 0 && preimage.IsWatch(argv[1:]) {
		return preimage.Watch(argv[1:])
	}
	session := &wrap.Session{Name: "heed-sh", Env: s.Env, Dir: s.Dir, Out: s.Out, Err: s.Err, Erase: s.Erase, Guard: own.Guard(newService(s), s.Env)}
	session.Preview = previewFor(s, session)
	return session.Shell(argv)
}
