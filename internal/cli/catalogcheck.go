package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/heedsh/heed/internal/specs"
	"github.com/spf13/cobra"
)

func newCatalogCheck(s Streams) *cobra.Command {
	theirs := false
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "Compile specs and run their cases",
		Long: `check compiles spec files and runs the cases in them, which are command lines and
everything that they do. Errors name file and line. docs/catalog.md describes the
language.`,
		Example: "  heed catalog check ~/.config/heed/specs/*.yaml\n  heed catalog check --workspace .heed/specs/deploy.yaml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name at least one spec file (heed catalog check --help)")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runCatalogCheck(s, args, !theirs) },
	}
	c.Flags().BoolVar(&theirs, "workspace", false, "hold them to what a workspace's specs may say")
	return c
}

func runCatalogCheck(s Streams, files []string, own bool) error {
	bad := 0
	for _, name := range files {
		text, err := readUpTo(name, maxSpec)
		if err != nil {
			return fmt.Errorf("reading a spec: %w", err)
		}
		r, err := specs.Check(name, text, own)
		if err != nil {
			bad++
			fmt.Fprintln(s.Err, explained(err.Error()))
			continue
		}
		line := fmt.Sprintf("%s: %s: all cases pass (%d)\n", name, strings.Join(r.Programs, ", "), r.Cases)
		if len(r.Replaced) > 0 && own {
			line += fmt.Sprintf("%s: instead of heed's own description of %s\n", name, strings.Join(r.Replaced, ", "))
		}
		if err := write(s.Out, explained(line)); err != nil {
			return err
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d spec files are not right: put right what is named above (docs/catalog.md describes the language)", bad, len(files))
	}
	return nil
}

// maxSpec is the longest spec file that is read, in bytes.
const maxSpec = 1 << 20

// readUpTo reads a file of at most limit bytes.
func readUpTo(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s is longer than %d bytes", name, limit)
	}
	return text, err
}
