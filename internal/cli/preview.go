package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/heedsh/heed/internal/wrap/shellargs"
	"github.com/spf13/cobra"
)

type previewOptions struct {
	requestFlags
	text    string
	secrets []string
	limits  preview.Limits
}

func newPreview(s Streams) *cobra.Command {
	o := &previewOptions{limits: preview.DefaultLimits()}
	c := &cobra.Command{
		Use:   "preview [flags] (-- COMMAND... | -c TEXT)",
		Short: "Run a command over copies, and show what it would change",
		Example: `  heed preview -- make clean
  heed preview -c 'rm -r build && mkdir build'`,
		RunE: func(c *cobra.Command, args []string) error {
			return runPreview(c.Context(), s, o, args, c.Flags().Changed("command"))
		},
	}
	o.register(c)
	c.Flags().StringVarP(&o.text, "command", "c", "", "give `TEXT` to a shell")
	return c
}

func runPreview(ctx context.Context, s Streams, o *previewOptions, args []string, text bool) error {
	session := &wrap.Session{Name: "heed preview", Env: s.Env, Dir: s.Dir, Out: s.Out, Err: s.Err}
	var job *approval.Job
	var err error
	command := o.text
	if text {
		job, err = o.shellJob(session, args)
	} else if len(args) == 0 {
		err = errors.New("no command: write heed preview -- COMMAND, or heed preview -c 'TEXT' (heed preview --help)")
	} else {
		job, err = session.Program(args)
		command = shellargs.Join(args)
	}
	if err != nil {
		return err
	}
	req, err := o.request(s, command)
	if err != nil {
		return err
	}
	a, _ := ServiceFor(s, &req).Look().Assess(ctx, req) // an answer that is a failure says so
	home := req.Env["HOME"]
	if !filepath.IsAbs(home) {
		home = ""
	}
	w := &preview.Where{Workspaces: req.Workspaces, Home: home, Temp: req.Env["TMPDIR"], Secrets: o.secrets}
	if len(w.Workspaces) == 0 {
		w.Workspaces = []string{wrap.Worktree(req.Dir)}
	}
	plan, err := preview.NewPlan(w)
	if err != nil {
		return err
	}
	for _, n := range plan.Notes {
		fmt.Fprintf(s.Err, "heed: note: %s\n", explain.Visible(n))
	}
	if err := writeText(s, a.Assessment, false); err != nil {
		return err
	}
	v, err := preview.Run(&preview.Command{Program: job.Program, Argv: job.Argv, Env: s.Env, Dir: req.Dir, Stdin: nil}, plan, &o.limits)
	if err != nil {
		return err
	}
	defer v.Close() //nolint:errcheck // it is gone with this process
	for _, c := range v.Changes {
		fmt.Fprintf(s.Out, "%+v\n", c)
	}
	fmt.Fprintf(os.Stdout, "%+v\n", v.Result)
	return nil
}

func (o *previewOptions) shellJob(session *wrap.Session, args []string) (*approval.Job, error) {
	real, err := session.FindShell("bash", "")
	if err != nil {
		return nil, err
	}
	words := []string{"-c"}
	if strings.HasPrefix(o.text, "-") || strings.HasPrefix(o.text, "+") {
		words = append(words, "--") // or the shell would take it for options
	}
	return session.ShellLine("bash", real, real, append(append(words, o.text), args...))
}
