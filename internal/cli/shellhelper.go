package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/caller"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/internal/prompt"
	"github.com/heedsh/heed/internal/self"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/spf13/cobra"
)

func newInit(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init SHELL",
		Short: "Print the set-up of a shell that shows the badge before Enter runs a line",
		Long: `init prints what a shell of yours needs to ask heed about each line before Enter runs
it: ` + list(prompt.Shells()) + `. What is SAFE runs and nothing is seen of it; CAUTION is shown below
the line, which runs; REVIEW waits for a second key, which is not Enter. A space and
a backslash before a line hide its badge, but never that of REVIEW. In nu the badge
is shown, and nothing waits.

Put the line of the example into the shell's own start-up file, at its end.

bash-env is the file for BASH_ENV: a second net behind the hook of an agent, which
stops REVIEW where the agent runs a command although heed's hook did not answer.`,
		Example: `  eval "$(heed init zsh)"        # in ~/.zshrc
  eval "$(heed init bash)"       # in ~/.bashrc
  heed init fish | source        # in ~/.config/fish/config.fish
  heed init nu | save -f heed.nu # and in config.nu: source heed.nu
  heed init bash-env > ~/.config/heed/net.bash
  BASH_ENV=~/.config/heed/net.bash codex`,
		Args:      oneShell,
		ValidArgs: set(),
		RunE: func(_ *cobra.Command, args []string) error {
			heed, err := self.Path(s.value("PATH"))
			if err != nil {
				return err
			}
			if args[0] == bashEnv {
				sh := filepath.Join(filepath.Dir(heed), "heed-sh")
				if err := self.Executable(sh); err != nil {
					return fmt.Errorf("heed-sh has to lie beside heed: %w", err)
				}
				return write(s.Out, wrap.Net(sh))
			}
			text, err := prompt.Script(args[0], heed)
			if err != nil {
				return err
			}
			return write(s.Out, text)
		},
	}
}

func oneShell(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name the shell: %s %s", c.CommandPath(), strings.Join(set(), " | "))
	}
	if !slices.Contains(set(), args[0]) {
		return fmt.Errorf("%q: want one of %s", explain.Cut(explain.Visible(args[0]), 40), list(set()))
	}
	return nil
}

// bashEnv is the set-up of every bash that an agent starts.
const bashEnv = "bash-env"

// set are the words that heed init takes.
func set() []string { return append(prompt.Shells(), bashEnv) }

type helperOptions struct {
	shell, dir string
	pid        int
	once       bool
}

func newShellHelper(s Streams) *cobra.Command {
	o := &helperOptions{}
	c := &cobra.Command{
		Use:   "shell-helper --shell SHELL (--once | --dir DIR --for PID)",
		Short: "Answer a shell about the line that is being typed",
		Long: `shell-helper is started by what heed init prints. It reads what a shell asks, and
answers what is done with the line and which badge is shown (docs/shells.md): one
request on standard input with --once, or those that come through the FIFOs in DIR,
until the shell that is process PID ends.`,
		Example: "  heed init zsh   # prints what starts it",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return runShellHelper(c.Context(), s, o) },
	}
	f := c.Flags()
	f.StringVar(&o.shell, "shell", "", "the `SHELL` that asks: "+list(prompt.Shells()))
	f.StringVar(&o.dir, "dir", "", "serve in this `DIR`, which nobody else may write")
	f.IntVar(&o.pid, "for", 0, "the shell's process `PID`")
	f.BoolVar(&o.once, "once", false, "answer one request on standard input")
	offer(c, "shell", prompt.Shells())
	c.MarkFlagsMutuallyExclusive("dir", "once")
	c.MarkFlagsOneRequired("dir", "once")
	return c
}

// isShellHelper reports whether heed was started as shells start it.
func isShellHelper(args []string) bool {
	return len(args) > 2 && args[0] == "shell-helper" && args[1] == "--shell"
}

func runShellHelper(ctx context.Context, s Streams, o *helperOptions) error {
	if _, err := prompt.Script(o.shell, "heed"); err != nil {
		return fmt.Errorf("--shell %q: want one of %s", o.shell, list(prompt.Shells()))
	}
	h := &prompt.Helper{Shell: o.shell, Env: s.Env, Guard: own.Guard(newService(s), s.Env), Who: s.who(o.pid), Previews: preview.Possible() == nil}
	deepen(nil)
	if o.once {
		return h.Once(ctx, s.In, s.Out)
	}
	if o.pid <= 1 {
		return errors.New("--dir needs --for PID, the process of the shell")
	}
	rules := stamp(own.CacheName(s.Env))
	return h.Serve(ctx, o.dir, o.pid, func() {
		// Policy and specs are looked at for each line, Sigma rules when they are another file.
		if now := stamp(own.CacheName(s.Env)); now != rules {
			rules, h.Guard.Service = now, service.New(own.Options(s.Env))
		}
	})
}

// stamp tells a file from one that takes its place.
func stamp(name string) string {
	i, err := os.Stat(name)
	if err != nil {
		return ""
	}
	return fmt.Sprint(i.Size(), i.ModTime().UnixNano())
}

// who finds out who is at the shell that asks.
func (s Streams) who(pid int) func() caller.Finding {
	return func() caller.Finding {
		if s.refuse != nil { // a test, which anybody may run
			return caller.Variables(envOf(s))
		}
		if own := caller.Look(envOf(s)); pid <= 0 || own.Agent != "" {
			return own
		}
		return caller.Of(pid, envOf(s))
	}
}
