package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

type exampleOptions struct {
	specs string
	json  bool
	each  time.Duration
}

func newCatalogVerify(s Streams) *cobra.Command {
	o := &exampleOptions{}
	c := &cobra.Command{
		Use:   "verify [flags] PROGRAM",
		Short: "Run the examples of a spec, and hold what they did against what was said",
		Long: `verify is for who writes a spec: it runs the command lines of a program's spec (its
cases and examples) in a small world of its own, each in a preview (heed preview), with no
network and nothing of what they do kept. Files that an example works on and that are not
there are made before. What it wrote, deleted, connected to and started is held against
what heed says of the line (done and not said), and what heed says for certain against what
was seen (said and not done). A table counts both, a verb a line; the misses follow.

Without --specs your own specs (~/.config/heed/specs) are looked through for the program.

Exit codes: 0 everything held; 6 there are misses; 126 nothing could be run here;
2 wrong arguments, no such spec, or one that is not right.`,
		Example: `  heed catalog verify frobnicate
  heed catalog verify --specs frobnicate.yaml frobnicate
  heed catalog verify --specs internal/catalog/specs --json rm`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one program (heed catalog verify --help)")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return runCatalogVerify(c.Context(), s, o, args[0]) },
	}
	c.Flags().StringVar(&o.specs, "specs", "", "take the program's spec from this `PATH`, a file or a directory of them")
	c.Flags().BoolVar(&o.json, "json", false, "print a JSON object an example: run, said, done, not_run")
	c.Flags().DurationVar(&o.each, "timeout", 3*time.Second, "end each example after this `TIME`")
	return c
}

func runCatalogVerify(ctx context.Context, s Streams, o *exampleOptions, program string) error {
	if o.each <= 0 {
		return fmt.Errorf("--timeout %s: want a time above 0", o.each)
	}
	spec, err := o.spec(s, program)
	if err != nil {
		return err
	}
	dir, remove, err := witness.Dir()
	if err != nil {
		return err
	}
	defer remove()
	with := own.Options(s.Env)
	if o.specs != "" { // these, and nothing else of this person's
		with.Specs = []string{filepath.Join(dir, "specs")}
		if err := writeSpec(with.Specs[0], spec.text); err != nil {
			return err
		}
	}
	at := filepath.Join(dir, "world")
	if err := os.Mkdir(at, 0o700); err != nil {
		return fmt.Errorf("making room for a world: %w", err)
	}
	w, err := witness.New(ctx, at)
	if err != nil {
		return err
	}
	with.Home, with.User = w.Home, w.Env["USER"]
	judge := service.New(with)
	v := &witness.Verifier{World: w, Longest: o.each, Search: envOf(s)("PATH"), Assess: func(ctx context.Context, req risk.Request) risk.Assessment {
		a, _ := judge.Assess(ctx, req) // an answer that is a failure says so
		return a.Assessment
	}}
	var all []witness.Example
	for _, line := range spec.lines {
		x, err := v.Try(ctx, line)
		if errors.Is(err, preview.ErrNotHere) {
			return &exitError{code: wrap.ExitRefused, msg: "nothing was run: " + explain.Visible(err.Error())}
		}
		if err != nil {
			return err
		}
		all = append(all, x)
	}
	return o.report(s, &verified{program: program, world: w, all: all})
}

// A verifying is a spec whose examples are run.
type verifying struct {
	text  string   // of all files that speak of the program
	lines []string // its cases and examples, each once
}

// spec finds the description of a program.
func (o *exampleOptions) spec(s Streams, program string) (*verifying, error) {
	files, err := o.files(s)
	if err != nil {
		return nil, err
	}
	type read struct{ name, text string }
	var texts []read
	first := ""
	for _, name := range files {
		text, err := readUpTo(name, maxSpec)
		if err != nil {
			return nil, fmt.Errorf("reading a spec: %w", err)
		}
		texts = append(texts, read{name, string(text)})
		if names := heads(string(text), "program:", program); len(names) > 0 {
			first = cmp.Or(first, names[0])
		}
	}
	if first == "" {
		where := "your own specs do not describe %s; --specs names a file or a directory that does (heed's own are internal/catalog/specs of its source)"
		if o.specs != "" {
			where = "nothing there describes %s"
		}
		return nil, fmt.Errorf(where, shown(program))
	}
	v := &verifying{}
	name := ""
	for _, t := range texts {
		if len(heads(t.text, "program:", first)) > 0 || len(heads(t.text, "part:", first)) > 0 {
			if v.text != "" {
				v.text += "\n---\n"
			}
			name, v.text = cmp.Or(name, t.name), v.text+t.text
		}
	}
	specs, err := compile.File(name, []byte(v.text))
	if err != nil {
		return nil, errors.New(explained(err.Error()))
	}
	for _, spec := range specs {
		if !slices.Contains(spec.Program.Names, program) {
			continue
		}
		for _, c := range spec.Cases {
			v.lines = append(v.lines, c.Run)
		}
		for _, x := range spec.Examples {
			v.lines = append(v.lines, x.Run)
		}
	}
	seen := map[string]bool{}
	v.lines = slices.DeleteFunc(v.lines, func(line string) bool { was := seen[line]; seen[line] = true; return was })
	if len(v.lines) == 0 {
		return nil, fmt.Errorf("the spec of %s has no cases and no examples", shown(program))
	}
	return v, nil
}

// files are the spec files that are looked through.
func (o *exampleOptions) files(s Streams) (files []string, err error) {
	dirs := own.SpecDirs(s.Env)
	if o.specs != "" {
		path, err := service.Absolute(s.Dir, o.specs)
		if err != nil {
			return nil, fmt.Errorf("--specs: %w", err)
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("--specs: %w", err)
		}
		if !info.IsDir() {
			return []string{path}, nil
		}
		dirs = []string{path}
	}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("listing specs: %w", err)
		}
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); (ext == ".yaml" || ext == ".yml") && !strings.HasPrefix(e.Name(), ".") {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
	}
	return files, nil
}

// heads are the names in the first line of a text that begins with a key and has a name.
func heads(text, key, name string) []string {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, key); ok && slices.Contains(strings.Fields(rest), name) {
			return strings.Fields(rest)
		}
	}
	return nil
}

func writeSpec(dir, text string) error {
	err := os.Mkdir(dir, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "spec.yaml"), []byte(text), 0o600)
	}
	if err != nil {
		return fmt.Errorf("putting the spec in force: %w", err)
	}
	return nil
}
