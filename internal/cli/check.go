package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/internal/shell/posix"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

// requestFlags are the options with which check and explain describe a
// request.
type requestFlags struct {
	shell, dir, provenance string
	workspaces, env        []string
	cleanEnv               bool
}

func (f *requestFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.shell, "shell", "bash", "dialect the command is written in: "+strings.Join(posix.Dialects(), ", "))
	c.Flags().StringVar(&f.dir, "dir", "", "directory the command would run in (default: the current one)")
	c.Flags().StringArrayVar(&f.workspaces, "workspace", nil, "directory the session may work in; repeatable (default: the git work tree)")
	c.Flags().StringArrayVar(&f.env, "env", nil, "NAME=VALUE to set for the command; repeatable")
	c.Flags().BoolVar(&f.cleanEnv, "clean-env", false, "take only --env, HOME, PATH, USER and LANG from the environment")
	c.Flags().StringVar(&f.provenance, "provenance", "", "who asked for it: "+provenanceNames())
}

func provenanceNames() string {
	var names []string
	for _, p := range risk.Provenances() {
		names = append(names, string(p))
	}
	return strings.Join(names, ", ")
}

// request builds the request for a command.
func (f *requestFlags) request(s Streams, command string) (risk.Request, error) {
	base := s.Env
	if f.cleanEnv {
		base = slices.DeleteFunc(slices.Clone(base), func(kv string) bool {
			name, _, _ := strings.Cut(kv, "=")
			return !slices.Contains([]string{"HOME", "PATH", "USER", "LANG"}, name)
		})
	}
	env := make(map[string]string, len(base)+len(f.env))
	for _, kv := range base {
		if name, val, ok := strings.Cut(kv, "="); ok {
			env[name] = val
		}
	}
	more, err := environment(f.env)
	if err != nil {
		return risk.Request{}, err
	}
	for k, v := range more {
		env[k] = v
	}
	if _, ok := posix.Dialect(f.shell); !ok {
		return risk.Request{}, fmt.Errorf("--shell %q: want one of %s", f.shell, strings.Join(posix.Dialects(), ", "))
	}
	if f.provenance != "" && !slices.Contains(risk.Provenances(), risk.Provenance(f.provenance)) {
		return risk.Request{}, fmt.Errorf("--provenance %q: want one of %s", f.provenance, provenanceNames())
	}
	dir := f.dir
	if dir == "" {
		dir = s.Dir
	}
	if !filepath.IsAbs(dir) && s.Dir != "" {
		dir = filepath.Join(s.Dir, dir)
	}
	var roots []string
	for _, w := range f.workspaces {
		if !filepath.IsAbs(w) {
			w = filepath.Join(s.Dir, w)
		}
		roots = append(roots, w)
	}
	return risk.Request{Command: command, Shell: f.shell, Dir: dir, Env: env, Workspaces: roots, Provenance: risk.Provenance(f.provenance)}, nil
}

type checkOptions struct {
	requestFlags
	json, batch bool
	failOn      string
}

func newCheck(s Streams) *cobra.Command {
	o := &checkOptions{}
	c := &cobra.Command{
		Use:   "check [flags] [--] [COMMAND]",
		Short: "Say what a command would do: [SAFE], [CAUTION] or [REVIEW] and one sentence",
		Long: `check assesses one command, given as an argument or on standard input, and
prints the badge and the sentence. With --batch it reads requests as JSON, one a
line, and answers each in order; a line that cannot be read is answered as REVIEW
with an error, never dropped.`,
		Example: `  heed check 'rm -rf node_modules'
  heed check --json -- 'git push --force origin main'
  heed check --fail-on review 'make clean' && make clean
  heed check --batch < commands.jsonl > assessments.jsonl`,
		RunE: func(_ *cobra.Command, args []string) error { return runCheck(s, o, args) },
	}
	o.register(c)
	c.Flags().BoolVar(&o.json, "json", false, "print the whole assessment as JSON (docs/output.schema.json)")
	c.Flags().BoolVar(&o.batch, "batch", false, `read {"id","cmd","shell"?,"cwd"?,"env"?,"provenance"?} lines, write an assessment a line`)
	c.Flags().StringVar(&o.failOn, "fail-on", "", "exit with 3 (CAUTION) or 4 (REVIEW) from this tier on: caution or review")
	return c
}

// command joins the arguments, or reads standard input if there are none.
func command(s Streams, args []string) (string, error) {
	if len(args) > 0 {
		return strings.Join(args, " "), nil
	}
	if s.InTTY {
		return "", fmt.Errorf("no command: give it as an argument or on standard input (heed check --help)")
	}
	b, err := io.ReadAll(io.LimitReader(s.In, maxInput))
	if err != nil {
		return "", fmt.Errorf("reading the command: %w", err)
	}
	return strings.TrimSuffix(string(b), "\n"), nil
}

// maxInput is how much of standard input is read as one command; the engine
// answers REVIEW long before.
const maxInput = 16 << 20

func runCheck(s Streams, o *checkOptions, args []string) error {
	if o.failOn != "" && o.failOn != "caution" && o.failOn != "review" {
		return fmt.Errorf("--fail-on %q: want caution or review", o.failOn)
	}
	if o.batch {
		if len(args) > 0 {
			return fmt.Errorf("--batch reads requests from standard input and takes no command")
		}
		return runBatch(s, &o.requestFlags)
	}
	text, err := command(s, args)
	if err != nil {
		return err
	}
	req, err := o.request(s, text)
	if err != nil {
		return err
	}
	start := time.Now()
	a, _ := assess.New().Assess(host.New(req.Env["HOME"], req.Env["USER"], req.Dir).View(&req), req)
	if o.json {
		err = writeJSON(s.Out, a, time.Since(start))
	} else {
		err = writeText(s, a)
	}
	if err != nil {
		return err
	}
	return fail(o.failOn, a.Tier)
}

func fail(on string, t risk.Tier) error {
	switch {
	case on == "":
	case t == risk.Review:
		return &exitError{code: ExitReview}
	case t == risk.Caution && on == "caution":
		return &exitError{code: ExitCaution}
	}
	return nil
}

// printed is an assessment as it is printed: how long it took stands beside
// the record that replays.
type printed struct {
	risk.Assessment
	ElapsedUS int64 `json:"elapsed_us"`
}

func writeJSON(w io.Writer, a risk.Assessment, took time.Duration) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(printed{a, took.Microseconds()}); err != nil {
		return fmt.Errorf("writing the assessment: %w", err)
	}
	return nil
}

var colours = map[risk.Tier]string{risk.Safe: "\x1b[32m", risk.Caution: "\x1b[33m", risk.Review: "\x1b[1;31m"}

func badge(s Streams, t risk.Tier) string {
	word := "[" + t.String() + "]"
	if s.Colour {
		return colours[t] + word + "\x1b[0m"
	}
	return word
}

func writeText(s Streams, a risk.Assessment) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", badge(s, a.Tier), a.Summary)
	for _, alt := range a.Safer {
		fmt.Fprintf(&b, "  safer: %s  (%s)\n", explain.Visible(alt.Command), alt.Why)
	}
	if _, err := io.WriteString(s.Out, b.String()); err != nil {
		return fmt.Errorf("writing the assessment: %w", err)
	}
	return nil
}
