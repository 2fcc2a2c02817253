package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/undo"
	"github.com/spf13/cobra"
)

type undoOptions struct {
	dryRun, force, json bool
}

func newUndo(s Streams) *cobra.Command {
	o := &undoOptions{}
	c := &cobra.Command{
		Use:   "undo [flags] [ID [PATH...]]",
		Short: "Put back what a command that heed ran has destroyed",
		Long: `undo puts back what heed run kept before it ran a command: deleted and overwritten
files, their modes, owners and times, and in git the files of the work tree, the index
and the refs. Without an ID it is the youngest entry; with a PATH only what is there and
below. It says what it did, a line a file, and the entry is gone then.

Where a file is not as the command left it, nothing is put back: exit code 6 says so.
With --force what is there now is kept as another entry, and overwritten.

Entries are kept for 7 days, on Linux only (docs/undo.md). What a command made besides
stays. Settings of agents and start-up files only a person can put back.

Exit codes: 0 done; 2 wrong arguments, or there is no such entry; 6 something changed
since, or the command still runs.`,
		Example: `  heed undo list
  heed undo
  heed undo --dry-run 7SBQ2LXKZQ4D
  heed undo 7SBQ2LXKZQ4D src/main.go`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return undoIDs(s), cobra.ShellCompDirectiveNoFileComp
		},
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return runUndo(c.Context(), s, o, args) },
	}
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would be put back, and change nothing")
	c.Flags().BoolVar(&o.force, "force", false, "overwrite what changed since, and keep that as another entry")
	c.Flags().BoolVar(&o.json, "json", false, "print what was done as JSON")
	asJSON := false
	list := &cobra.Command{
		Use:     "list [--json]",
		Short:   "List what is kept, the youngest first",
		Long:    `list prints each entry with its ID, its age, what it holds and the command before which it was kept.`,
		Example: "  heed undo list\n  heed undo list --json",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return runUndoList(s, asJSON) },
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print each entry as a line of JSON")
	show := &cobra.Command{
		Use:     "show ID",
		Short:   "Show what an entry holds",
		Long:    `show prints an entry with each file that it holds, its mode and size, and what became of it.`,
		Example: "  heed undo show 7SBQ2LXKZQ4D",
		Args:    cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return undoIDs(s), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error { return runUndoShow(c.Context(), s, asJSON, args[0]) },
	}
	show.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	c.AddCommand(list, show)
	return c
}

// undoIDs are the IDs that a shell can offer.
func undoIDs(s Streams) []string {
	store, err := undo.Open(envOf(s))
	if err != nil {
		return nil
	}
	defer func() { _ = store.Close() }() // a directory: nothing is buffered
	entries, _, err := store.List()
	if err != nil {
		return nil
	}
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.ID+"\t"+explain.Visible(e.Command))
	}
	return ids
}

// An undoLine is an entry as heed undo prints it as JSON.
type undoLine struct {
	ID      string      `json:"id"`
	Made    time.Time   `json:"made"`
	Expires time.Time   `json:"expires"`
	Dir     string      `json:"dir"`
	Command string      `json:"command"`
	Names   int         `json:"names"`
	Bytes   int64       `json:"bytes"`
	Open    []string    `json:"not_undone,omitempty"`
	Steps   []undo.Step `json:"steps,omitempty"`
	Instead string      `json:"instead,omitempty"` // the entry that what was overwritten is kept as
	DryRun  bool        `json:"dry_run,omitempty"`
}

func lineOf(e *undo.Entry) *undoLine {
	return &undoLine{ID: e.ID, Made: e.Made.UTC(), Expires: e.Expires.UTC(), Dir: e.Dir, Command: e.Command, Names: len(e.Items), Bytes: e.Bytes, Open: e.Open}
}

func writeUndoLine(s Streams, l *undoLine) error {
	text, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("writing an entry: %w", err)
	}
	return write(s.Out, string(text)+"\n")
}

func runUndo(ctx context.Context, s Streams, o *undoOptions, args []string) error {
	id, paths, err := undoArgs(s, args)
	if err != nil {
		return err
	}
	store, err := undo.Open(envOf(s))
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }() // a directory: nothing is buffered
	e, err := store.Find(id)
	if err != nil {
		return err
	}
	var u *undo.Undone
	if o.dryRun {
		u, err = store.Check(ctx, e.ID, paths)
	} else {
		if e.Guarded {
			if err := s.person(); err != nil {
				return fmt.Errorf("it holds start-up files, or settings of agents or heed: %w", err)
			}
		}
		u, err = store.Restore(ctx, e.ID, paths, o.force)
	}
	if err != nil {
		return undoRefused(s, e, err)
	}
	if o.json {
		l := lineOf(u.Entry)
		l.Steps, l.DryRun = u.Steps, o.dryRun
		if u.Instead != nil {
			l.Instead = u.Instead.ID
		}
		return writeUndoLine(s, l)
	}
	return write(s.Out, undoneText(u, o.dryRun))
}

// undoArgs are the entry and the paths that are meant.
func undoArgs(s Streams, args []string) (id string, paths []string, err error) {
	if len(args) == 0 {
		return "", nil, nil
	}
	for _, name := range args[1:] {
		path, err := service.Absolute(s.Dir, name)
		if err != nil {
			return "", nil, err
		}
		// What was kept has no link on its way.
		if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(dir, filepath.Base(path))
		}
		paths = append(paths, path)
	}
	return strings.ToUpper(args[0]), paths, nil
}

// undoRefused is the error of an entry that is not put back.
func undoRefused(s Streams, e *undo.Entry, err error) error {
	var c *undo.Conflict
	switch {
	case errors.As(err, &c):
		var b strings.Builder
		for _, p := range c.Paths {
			fmt.Fprintf(&b, "changed since: %s\n", explain.Visible(p))
		}
		fmt.Fprint(s.Err, b.String())
		return &exitError{ExitProblem, fmt.Sprintf("nothing was put back of %s: --force overwrites what changed since, and keeps it as another entry", e.ID)}
	case errors.Is(err, undo.ErrRuns):
		return &exitError{ExitProblem, fmt.Sprintf("nothing was put back of %s: its command still runs; --force does not wait for it", e.ID)}
	}
	return err
}

// undoneText says what was put back, a line a name.
func undoneText(u *undo.Undone, dry bool) string {
	back := map[undo.Deed]string{undo.Makes: "put back", undo.Replaces: "put back", undo.Dresses: "mode, owner and times put back", undo.Moved: "overwritten", undo.Gone: "gone since"}
	if dry {
		back = map[undo.Deed]string{undo.Makes: "would put back", undo.Replaces: "would put back", undo.Dresses: "would put mode, owner and times back", undo.Moved: "changed since", undo.Gone: "gone since"}
	}
	var b strings.Builder
	for i := range u.Steps {
		if st := &u.Steps[i]; st.Deed != undo.Nothing {
			fmt.Fprintf(&b, "%s: %s\n", back[st.Deed], explain.Visible(st.Path))
		}
	}
	if b.Len() == 0 {
		fmt.Fprintf(&b, "nothing to put back: all that %s holds is there as it was\n", u.Entry.ID)
	}
	for _, what := range u.Entry.Open {
		fmt.Fprintf(&b, "not undone: %s\n", explain.Visible(what))
	}
	if u.Instead != nil {
		fmt.Fprintf(&b, "what was overwritten is kept: heed undo %s\n", u.Instead.ID)
	}
	return b.String()
}

func runUndoList(s Streams, asJSON bool) error {
	store, err := undo.Open(envOf(s))
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }() // a directory: nothing is buffered
	entries, damaged, err := store.List()
	if err != nil {
		return err
	}
	for _, d := range damaged {
		fmt.Fprintf(s.Err, "heed: note: %s takes %s and cannot be read: %s\n", d.ID, bytesText(d.Bytes), explain.Visible(d.Err.Error()))
	}
	var b strings.Builder
	for _, e := range entries {
		if asJSON {
			if err := writeUndoLine(s, lineOf(e)); err != nil {
				return err
			}
			continue
		}
		b.WriteString(undoText(e, time.Now()))
	}
	if len(entries) == 0 && !asJSON {
		b.WriteString("Nothing is kept.\n")
	}
	return write(s.Out, b.String())
}

// undoText is an entry in a list.
func undoText(e *undo.Entry, now time.Time) string {
	return fmt.Sprintf("%s  %s ago, %s, %s, until %s\n  command: %s\n  in:      %s\n", e.ID, max(0, now.Sub(e.Made)).Round(time.Second), plural(len(e.Items), "name"), bytesText(e.Bytes), e.Expires.Local().Format("2 Jan 15:04"), explain.Visible(e.Command), explain.Visible(e.Dir))
}

// bytesText is a number of bytes as people read it.
func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return plural(int(n), "byte")
}

func runUndoShow(ctx context.Context, s Streams, asJSON bool, id string) error {
	store, err := undo.Open(envOf(s))
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }() // a directory: nothing is buffered
	u, err := store.Check(ctx, strings.ToUpper(id), nil)
	if err != nil {
		return err
	}
	if asJSON {
		l := lineOf(u.Entry)
		l.Steps = u.Steps
		return writeUndoLine(s, l)
	}
	var b strings.Builder
	b.WriteString(undoText(u.Entry, time.Now()))
	for _, what := range u.Entry.Open {
		fmt.Fprintf(&b, "  not undone: %s\n", explain.Visible(what))
	}
	words := map[undo.Deed]string{undo.Nothing: "as it was", undo.Makes: "gone", undo.Replaces: "overwritten", undo.Dresses: "other mode, owner or times", undo.Moved: "changed since", undo.Gone: "gone since"}
	for i := range u.Steps {
		it := &u.Entry.Items[i]
		fmt.Fprintf(&b, "  %04o %10d  %-4s %s (%s)\n", it.Mode, it.Size, it.Type, explain.Visible(it.Path), words[u.Steps[i].Deed])
	}
	return write(s.Out, b.String())
}
