package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/internal/confine/learn"
	"github.com/heedsh/heed/internal/confine/profile"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/spf13/cobra"
)

type learnOptions struct{ agreed, forget bool }

func newProfileLearn(s Streams) *cobra.Command {
	o := &learnOptions{}
	c := &cobra.Command{
		Use:   "learn NAME [flags] [-- COMMAND...]",
		Short: "Write a profile from what three runs of a command needed",
		Long: `learn runs COMMAND once, judged and asked about as heed run does, and keeps what it
needed: what it changed, whom it reached. After three runs it proposes a profile that
grants what at least two of them needed, shows it as a difference to the profile NAME so
far, says line by line what it leaves out and why, and asks. Without COMMAND it proposes
again.

While it is observed, COMMAND may write in the workspace, the home and temp and reach the
network; secrets, start-up files, hooks, settings of agents and of heed stay closed, and
are never learned. Nor are signals, or a network in which one host was reached by one run
only. It is for a person, not for an agent (docs/confine.md).

Exit codes: with COMMAND its own, 126 refused, 127 not found; without, 0 if the profile
says all that is granted, 2 if it could not be written.`,
		Example: `  heed profile learn mine -- make test
  heed profile learn mine
  heed profile learn mine --yes
  heed profile learn mine --forget`,
		Args: func(c *cobra.Command, args []string) error {
			if n := c.ArgsLenAtDash(); len(args) == 0 || n > 1 || n == 0 || n < 0 && len(args) > 1 {
				return errors.New("name the profile, and the command behind --: heed profile learn NAME -- COMMAND")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runProfileLearn(s, o, args[0], args[1:]) },
	}
	c.Flags().BoolVar(&o.agreed, "yes", false, "write what is proposed without asking")
	c.Flags().BoolVar(&o.forget, "forget", false, "forget the runs that were observed")
	c.MarkFlagsMutuallyExclusive("yes", "forget")
	return c
}

// A learning is a profile that is being learned.
type learning struct {
	s    Streams
	o    *learnOptions
	name string
	was  []byte // the person's own file, nil if there is none
	base *profile.Profile
	runs *own.Learned // nil if none was observed
}

func runProfileLearn(s Streams, o *learnOptions, name string, argv []string) error {
	if err := s.person(); err != nil {
		return err
	}
	if o.forget {
		if len(argv) > 0 {
			return errors.New("--forget takes no command")
		}
		if err := own.KeepLearned(s.Env, name, nil); err != nil {
			return err
		}
		return write(s.Out, "the observed runs for "+name+" are forgotten\n")
	}
	l, err := startLearning(s, o, name, argv)
	if err != nil {
		return err
	}
	if len(argv) == 0 {
		return l.propose(s.Out)
	}
	return l.run(argv)
}

// startLearning reads what there is of a profile and its runs.
func startLearning(s Streams, o *learnOptions, name string, argv []string) (*learning, error) {
	l := &learning{s: s, o: o, name: name}
	var err error
	if l.runs, err = own.ReadLearned(s.Env, name); err != nil {
		return nil, err
	}
	text, file, err := own.ProfileText(s.Env, name)
	switch {
	case err == nil:
		if l.base, err = profile.Parse(name+".yaml", text); err != nil {
			return nil, err
		}
		if file != "" {
			l.was = text
		}
		return l, nil
	case !errors.Is(err, profile.ErrNone):
		return nil, err
	}
	program := ""
	switch {
	case len(argv) > 0:
		program = argv[0]
	case l.runs != nil:
		program = l.runs.Program
	}
	l.base, err = learn.Begin(program)
	return l, err
}

// run observes one run, and proposes after the last one.
func (l *learning) run(argv []string) error {
	of := own.CommandDigest(argv, l.s.Dir)
	switch {
	case l.runs == nil:
		l.runs = &own.Learned{Of: of, Program: argv[0], Dir: l.s.Dir}
	case l.runs.Of != of:
		return fmt.Errorf("the runs observed for %s are of another command, or in another directory (%s in %s): heed profile learn %s --forget begins anew", l.name, shown(l.runs.Program), shown(l.runs.Dir), l.name)
	case len(l.runs.Runs) >= learn.Runs:
		return fmt.Errorf("%d runs are observed: heed profile learn %s proposes a profile from them, --forget begins anew", learn.Runs, l.name)
	}
	session := &wrap.Session{Name: "heed profile learn", Env: l.s.Env, Dir: l.s.Dir, Out: l.s.Out, Err: l.s.Err, Erase: l.s.Erase, Guard: own.Guard(newService(l.s), l.s.Env)}
	session.Confined = l.observe()
	job, err := session.Program(argv)
	if err != nil {
		return &exitError{code: session.Failed(err)}
	}
	return &exitError{code: session.Run(job)}
}

// observe is how a run is confined and observed.
func (l *learning) observe() *wrap.Confined {
	var r *learn.Recorder
	return &wrap.Confined{
		Profile: func(w grant.Where) (grant.Grant, error) {
			g, err := l.base.Grant(w)
			if err != nil {
				return g, err
			}
			w = resolved(w)
			r = learn.NewRecorder(w)
			return learn.Grant(g, w)
		},
		Observer: &confine.Observer{Saw: func(f confine.Refusal) { r.Saw(f) }, Keeps: func(p string) bool { return r.Keeps(p) }},
		Refused:  func(f confine.Refusal) { r.Refuse(f) },
		Ended: func(end confine.End) {
			if err := l.ended(end, r.Run()); err != nil {
				fmt.Fprintln(l.s.Err, "heed profile learn:", explain.Visible(err.Error()))
			}
		},
	}
}

// resolved is where the directories are that links lead to.
func resolved(w grant.Where) grant.Where {
	follow := func(p string) string {
		if r, err := filepath.EvalSymlinks(p); err == nil {
			return r
		}
		return p
	}
	w.Home = follow(w.Home)
	w.Workspaces = slices.Clone(w.Workspaces)
	for i, p := range w.Workspaces {
		w.Workspaces[i] = follow(p)
	}
	return w
}

func isDir(p string) bool {
	i, err := os.Lstat(p)
	return err == nil && i.IsDir()
}

// ended keeps a run, and proposes a profile after the last one.
func (l *learning) ended(end confine.End, r learn.Run) error {
	if end.Signal != 0 {
		return fmt.Errorf("the run was ended by signal %d, and does not count", end.Signal)
	}
	l.runs.Runs = append(l.runs.Runs, r)
	if err := own.KeepLearned(l.s.Env, l.name, l.runs); err != nil {
		return err
	}
	n := len(l.runs.Runs)
	if err := write(l.s.Err, fmt.Sprintf("heed profile learn: run %d of %d is observed (exit code %d)\n", n, learn.Runs, end.Code)); err != nil || n < learn.Runs {
		return err
	}
	return l.propose(l.s.Err)
}

// propose shows what was learned and what was not, and writes it if the person agrees.
func (l *learning) propose(out io.Writer) error {
	if l.runs == nil || len(l.runs.Runs) < learn.Runs {
		n := 0
		if l.runs != nil {
			n = len(l.runs.Runs)
		}
		return fmt.Errorf("%d of %d runs are observed: heed profile learn %s -- COMMAND observes one more", n, learn.Runs, l.name)
	}
	session := &wrap.Session{Env: l.s.Env, Dir: l.runs.Dir}
	next, left, err := learn.Propose(l.base, l.runs.Runs, resolved(session.Where()), isDir)
	if err != nil {
		return err
	}
	text, err := next.YAML()
	if err != nil {
		return fmt.Errorf("proposing a profile: %w", err)
	}
	same := bytes.Equal(text, l.was)
	var b strings.Builder
	if !same {
		fmt.Fprintf(&b, "the profile %s:\n%s", l.name, changes(l.was, text))
	}
	for _, x := range left {
		fmt.Fprintf(&b, "not granted: %s: %s\n", explain.Visible(x.What), explain.Visible(x.Why))
	}
	if err := write(out, b.String()); err != nil {
		return err
	}
	if !same {
		yes := l.o.agreed
		if !yes {
			if !gate.IsTerminal(0) || !gate.IsTerminal(1) {
				return fmt.Errorf("nothing was written, because nobody can be asked here: heed profile learn %s asks at a terminal, --yes does without", l.name)
			}
			if yes, err = agree(l.s); err != nil || !yes {
				return err
			}
		}
		file, err := own.KeepProfile(l.s.Env, l.name, l.was, next)
		if err != nil {
			return err
		}
		if err := write(out, "wrote "+explain.Visible(file)+"; heed run --profile "+l.name+" uses it\n"); err != nil {
			return err
		}
	} else if err := write(out, "the profile "+l.name+" says all that may be learned from these runs\n"); err != nil {
		return err
	}
	return own.KeepLearned(l.s.Env, l.name, nil)
}
