package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

func newLogPrune(s Streams) *cobra.Command {
	keep, dry := "", false
	c := &cobra.Command{
		Use:   "prune --keep TIME",
		Short: "Remove old rows, and keep the rest verifiable",
		Long: `prune removes the oldest segments of the log of which every row is older than --keep.
Before they go, a row is written that names the last of them by its hash, so that
heed log verify still vouches for what is left. Whole segments go, never the last one:
some rows that are older stay.`,
		Example: "  heed log prune --keep 90d --dry-run\n  heed log prune --keep 90d",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if keep == "" {
				return errors.New("say how long rows are kept: --keep 90d")
			}
			d, err := span(keep)
			if err != nil {
				return fmt.Errorf("--keep %w", err)
			}
			l, err := localLog(s)
			if err != nil {
				return err
			}
			r, err := l.Prune(c.Context(), time.Now().Add(-d), dry)
			if err != nil {
				return err
			}
			if r.Rows == 0 {
				return write(s.Out, "Nothing to remove: no whole segment is that old.\n")
			}
			verb, damaged := "Removed", ""
			if dry {
				verb = "Would remove"
			}
			if r.Damaged > 0 {
				damaged = fmt.Sprintf("%d places in them were not what was written; the checkpoint says so.\n", r.Damaged)
			}
			text := fmt.Sprintf("%s %d rows (%d to %d, %s to %s) in %d segments, %.1f MB.\n%s", verb, r.Rows, r.First, r.Last, r.From, r.To, r.Segments, float64(r.Bytes)/1e6, damaged)
			if !dry {
				text += fmt.Sprintf("Row %d vouches for them. Head: %s\n", r.Checkpoint.Seq, r.Checkpoint.Head())
			}
			return write(s.Out, text)
		},
	}
	c.Flags().StringVar(&keep, "keep", "", "keep rows for this `TIME`: 90d, 12w")
	c.Flags().BoolVar(&dry, "dry-run", false, "only say what would be removed")
	return c
}
