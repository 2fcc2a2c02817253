package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/heedsh/heed/internal/caller"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/undo/preimage"
	"github.com/spf13/cobra"
)

// Streams are what a verb reads from and writes to.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Env      []string // NAME=VALUE
	Dir      string   // the current directory; "" if it is gone
	Colour   bool     // Out is a terminal that wants colour
	InTTY    bool     // In is a terminal
	ErrTTY   bool     // Err is a terminal

	// Erase takes this process's own words out of the sight of others (package argv); nil
	// if they stay.
	Erase func()

	// refuse is replaced by tests, which anybody may run.
	refuse func(env []string) error
}

// person fails where an agent runs this process, or nobody is at its terminal.
func (s Streams) person() error {
	if s.refuse != nil {
		return s.refuse(s.Env)
	}
	return caller.Refuse(s.Env)
}

// System returns the process's own streams. Colour is off when NO_COLOR is set
// and not empty (https://no-color.org) or the terminal is dumb.
func System() Streams {
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	return Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Environ(), Dir: dir,
		Colour: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(os.Stdout),
		InTTY:  isTerminal(os.Stdin),
		ErrTTY: isTerminal(os.Stderr),
	}
}

// isTerminal reports whether f is a character device that is not the null
// device: near enough to isatty(3) for a program that only chooses manners.
func isTerminal(f *os.File) bool {
	i, err := f.Stat()
	if err != nil || i.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(i, null)
}

// Main runs heed and returns its exit code.
func Main(args []string, s Streams) int {
	// A preview starts heed once more, in namespaces.
	if preview.IsInside(args) {
		return preview.Inside()
	}
	// What keeps something for undo starts heed once more, to wait for the command's end.
	if preimage.IsWatch(args) {
		return preimage.Watch(args)
	}
	err := run(args, s)
	if !quiet(err) {
		fmt.Fprintln(s.Err, "heed: "+err.Error())
	}
	return exitCode(err)
}

// run runs a verb. Those that somebody waits for, check without a flag and the helper of
// a shell, are run without making all the others: with the framework they would take a
// tenth longer.
func run(args []string, s Streams) error {
	ctx := context.Background()
	deepen(nil)
	if words, ok := plainCheck(args); ok {
		return runCheck(ctx, s, newCheckOptions(), words, false)
	}
	if isShellHelper(args) {
		c := newShellHelper(s)
		c.SilenceErrors, c.SilenceUsage = true, true
		c.SetArgs(args[1:])
		return c.ExecuteContext(ctx)
	}
	root := newRoot(s)
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}

func newRoot(s Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "heed",
		Short: "Reads a terminal command before it runs and says what it would really do here",
		Long: `heed reads a terminal command before it runs and works out what it would really
do here: [SAFE], [CAUTION] or [REVIEW], with one sentence that names the real
targets and the real loss. Nothing is run to find out.

Exit codes: 0 done; 2 wrong arguments, input or file; with --fail-on, 3 for CAUTION
and 4 for REVIEW; 5 when eval --baseline finds a class that got worse;
6 when doctor, or log verify, finds a problem; 7 when replay gives another answer than was
recorded; 8 when preview did not apply.`,
		Example: `  heed check 'cd build; rm -rf *'
  heed check --json -- 'git push --force origin release'
  heed explain 'echo cm0gLXJmIC8K | base64 -d | sh'`,
		Version:      version(),
		SilenceUsage: true, SilenceErrors: true,
		Args: knownVerb,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SuggestionsMinimumDistance = 2
	root.Flags().SetInterspersed(false)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w: see `%s --help`; put -- before a command that begins with a dash", err, c.CommandPath())
	})
	root.AddCommand(newCheck(s), newExplain(s), newScan(s), newRun(s), newPreview(s), newHook(s), newMCP(s), newACP(s), newInstall(s), newDoctor(s), newCatalog(s), newRules(s), newPolicy(s), newProfile(s), newReplay(s), newPending(s), newApprove(s), newDeny(s), newUndo(s), newWatch(s), newPIN(s), newDaemon(s), newLog(s), newStats(s), newCalibrate(s), newSuggest(s), newEval(s), newSchema(s), newMan(s), newInit(s), newShellHelper(s))
	return root
}

// knownVerb refuses words that are no verb. The likely slip is to leave the
// verb out, so the way on is in the message.
func knownVerb(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	word := explain.Cut(explain.Visible(args[0]), 40)
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		return fmt.Errorf("there is no verb %q: did you mean %s?", word, strings.Join(near, " or "))
	}
	return fmt.Errorf("there is no verb %q: to assess a command, write heed check 'COMMAND' (heed --help lists the verbs)", word)
}

func version() string {
	v := service.Version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, kv := range info.Settings {
			if kv.Key == "vcs.revision" {
				v += " (" + kv.Value[:min(12, len(kv.Value))] + ")"
			}
		}
	}
	return v
}
