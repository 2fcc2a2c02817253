package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/service"
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
	flags := c.Flags()
	flags.StringVar(&f.shell, "shell", service.DefaultDialect(), "`SHELL` the command is written for: "+list(service.Dialects()))
	flags.StringVar(&f.dir, "dir", "", "`DIR` the command would run in (default: the current one)")
	flags.StringArrayVar(&f.workspaces, "workspace", nil, "`DIR` the session may work in; repeatable (default: the git work tree)")
	flags.StringArrayVar(&f.env, "env", nil, "`NAME=VALUE` to set for the command; repeatable")
	flags.BoolVar(&f.cleanEnv, "clean-env", false, "take only HOME, PATH, USER and LANG from the environment, and --env")
	flags.StringVar(&f.provenance, "provenance", "", "`WHO` asked for it: "+list(risk.Provenances()))
	offer(c, "shell", service.Dialects())
	offer(c, "provenance", risk.Provenances())
	// A flag after the command's first word is the command's, or a mistake:
	// command refuses it.
	flags.SetInterspersed(false)
}

// offer completes a flag with a fixed list of words.
func offer[S ~string](c *cobra.Command, flag string, words []S) {
	plain := make([]string, len(words))
	for i, w := range words {
		plain[i] = string(w)
	}
	// The only error is a flag that does not exist, which a test would show.
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(plain, cobra.ShellCompDirectiveNoFileComp))
}

func list[S ~string](words []S) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(w))
	}
	return b.String()
}

// request builds the request for a command.
func (f *requestFlags) request(s Streams, command string) (risk.Request, error) {
	if err := service.CheckShell(f.shell); err != nil {
		return risk.Request{}, fmt.Errorf("--shell %w", err)
	}
	if err := service.CheckProvenance(f.provenance); err != nil {
		return risk.Request{}, fmt.Errorf("--provenance %w", err)
	}
	env, err := f.environment(s.Env)
	if err != nil {
		return risk.Request{}, err
	}
	dir, err := service.Absolute(s.Dir, f.dir)
	if err != nil {
		return risk.Request{}, fmt.Errorf("--dir: %w", err)
	}
	req := risk.Request{Command: command, Shell: f.shell, Dir: dir, Env: env, Provenance: risk.Provenance(f.provenance)}
	req.Workspaces, err = Workspaces(s.Dir, f.workspaces)
	return req, err
}

// Workspaces resolves the directories of --workspace.
func Workspaces(dir string, names []string) (roots []string, err error) {
	for _, w := range names {
		root, err := service.Absolute(dir, w)
		if err != nil || w == "" {
			return nil, fmt.Errorf("--workspace %q: name a directory", w)
		}
		roots = append(roots, root)
	}
	return roots, nil
}

// environment is the environment that the command would have: later settings
// of a name win.
func (f *requestFlags) environment(base []string) (map[string]string, error) {
	env := make(map[string]string, len(base)+len(f.env))
	for _, kv := range base {
		name, val, ok := strings.Cut(kv, "=")
		if ok && (!f.cleanEnv || slices.Contains([]string{"HOME", "PATH", "USER", "LANG"}, name)) {
			env[name] = val
		}
	}
	more, err := environment(f.env)
	if err != nil {
		return nil, err
	}
	maps.Copy(env, more)
	return env, nil
}

// environment reads NAME=VALUE pairs; later ones win.
func environment(pairs []string) (map[string]string, error) {
	env := make(map[string]string, len(pairs))
	for _, p := range pairs {
		name, val, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--env %q: write NAME=VALUE", p)
		}
		env[name] = val
	}
	return env, nil
}

// maxInput is how much of standard input is read as one command. The engine
// refuses to inspect far less, so what is cut off cannot change the answer.
const maxInput = 16 << 20

// command joins the words of the command line, or reads standard input if
// there are none. dashed says that they came after "--". Without it, a word
// with a dash after the first would be ambiguous: `check 'rm x' --json` and
// `check rm -f x` look alike, and either guess would judge another command
// than was meant.
func command(s Streams, words []string, dashed bool) (string, error) {
	if len(words) > 0 && !dashed {
		for _, w := range words[1:] {
			if strings.HasPrefix(w, "-") {
				return "", fmt.Errorf("is %q heed's or the command's? put heed's flags first and then the command in quotes, or after --", explain.Cut(explain.Visible(w), 40))
			}
		}
	}
	if len(words) > 0 {
		return strings.Join(words, " "), nil
	}
	if s.InTTY {
		return "", errors.New("no command: give it as an argument or on standard input (heed check --help)")
	}
	b, err := io.ReadAll(io.LimitReader(s.In, maxInput))
	if err != nil {
		return "", fmt.Errorf("reading the command from standard input: %w", err)
	}
	if len(b) == 0 {
		return "", errors.New("no command: standard input is empty")
	}
	return strings.TrimSuffix(string(b), "\n"), nil
}

// dashed reports whether "--" stood before the words of the command.
func dashed(c *cobra.Command) bool { return c.ArgsLenAtDash() == 0 }

// noteDir says so when the directory is not there: the command is then judged
// by its text alone.
func noteDir(s Streams, with *service.Service, req *risk.Request) {
	if req.Dir == "" {
		fmt.Fprintln(s.Err, "heed: note: the current directory is gone; where the command would run is not known")
		return
	}
	if with.NoDir(req) {
		fmt.Fprintf(s.Err, "heed: note: %s is not a directory here; paths are judged as they are written\n", explain.Visible(req.Dir))
	}
}
