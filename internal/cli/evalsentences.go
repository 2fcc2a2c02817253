package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/heedsh/heed/internal/eval"
	"github.com/heedsh/heed/risk"
)

// runSentences prints what can be counted of the sentences of every row of some
// files: a line a file, or a third of one.
func runSentences(ctx context.Context, s Streams, o *evalOptions, files []string) error {
	assess, err := inWorld(ctx, o)
	if err != nil {
		return err
	}
	if err := eval.WriteToldHead(s.Out); err != nil {
		return err
	}
	for _, name := range append([]string{o.sentences}, files...) {
		if err := tellFile(s.Out, name, assess); err != nil {
			return err
		}
	}
	return nil
}

func tellFile(out io.Writer, name string, assess func(*eval.Case) risk.Assessment) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("opening sentences: %w", err)
	}
	defer f.Close()
	rows, err := eval.ReadSentences(f, name)
	if err != nil {
		return err
	}
	var all eval.Told
	thirds := map[int]*eval.Told{}
	for i := range rows {
		r := &rows[i]
		a := assess(&r.Case)
		beside := append(append([]string{}, a.Consequences.Direct...), a.Consequences.Indirect...)
		all.Tell(r, a.Summary, beside...)
		if r.Third == nil {
			continue
		}
		if thirds[*r.Third] == nil {
			thirds[*r.Third] = &eval.Told{}
		}
		thirds[*r.Third].Tell(r, a.Summary, beside...)
	}
	for i := range 3 {
		if t := thirds[i]; t != nil {
			if err := t.WriteRow(out, fmt.Sprintf("third %d", i)); err != nil {
				return err
			}
		}
	}
	return all.WriteRow(out, filepath.Base(name))
}
