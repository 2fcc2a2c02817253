package cli

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/heedsh/heed/internal/assess"
	"github.com/spf13/cobra"
)

// Streams are what a verb reads from and writes to.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Env      []string // NAME=VALUE
	Dir      string   // the current directory; "" if it is gone
	// Colour says that Out is a terminal that wants colour; OutTTY and InTTY
	// that it, or In, is a terminal at all.
	Colour, InTTY bool
}

// System returns the process's own streams.
func System() Streams {
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	_, noColour := os.LookupEnv("NO_COLOR")
	return Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Environ(), Dir: dir,
		Colour: isTerminal(os.Stdout) && !noColour && os.Getenv("TERM") != "dumb",
		InTTY:  isTerminal(os.Stdin),
	}
}

func isTerminal(f *os.File) bool {
	i, err := f.Stat()
	return err == nil && i.Mode()&os.ModeCharDevice != 0
}

// Main runs heed and returns its exit code.
func Main(args []string, s Streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	err := root.Execute()
	if err != nil && err.Error() != "" {
		fmt.Fprintln(s.Err, "heed: "+err.Error())
	}
	return exitCode(err)
}

func newRoot(s Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "heed",
		Short: "Reads a terminal command before it runs and says what it would really do here",
		Long: `heed reads a terminal command before it runs and works out what it would really
do here: [SAFE], [CAUTION] or [REVIEW], with one sentence that names the real
targets and the real loss. Nothing is run to find out.

Exit codes: 0 done; 2 wrong arguments or input; with check --fail-on, 3 for
CAUTION and 4 for REVIEW; 5 when eval --baseline finds a class that got worse.`,
		Example: `  heed check 'cd build; rm -rf *'
  heed check --json -- 'git push --force origin main'
  heed explain 'echo cm0gLXJmIC8= | base64 -d | bash'`,
		SilenceUsage: true, SilenceErrors: true,
		Version: version(),
	}
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.AddCommand(newCheck(s), newExplain(s), newEval(s))
	return root
}

func version() string {
	v := assess.Version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, kv := range info.Settings {
			if kv.Key == "vcs.revision" {
				v += " (" + kv.Value[:min(12, len(kv.Value))] + ")"
			}
		}
	}
	return v
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
