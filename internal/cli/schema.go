package cli

import (
	"github.com/heedsh/heed/docs"
	"github.com/spf13/cobra"
)

func newSchema(s Streams) *cobra.Command {
	all := map[string]string{"assessment": docs.OutputSchema, "consent": docs.ConsentSchema, "preview": docs.PreviewSchema, "undo": docs.UndoSchema, "pending": docs.PendingSchema}
	return &cobra.Command{
		Use:   "schema [assessment|consent|pending|preview|undo]",
		Short: "Print the JSON Schema of what heed prints",
		Long: `schema prints the JSON Schema (2020-12) of an assessment, which check --json prints
and every line that check --batch writes; or of a consent, which a person is shown
before a command is let run and which pending --json prints under "shown"; or of the
lines of pending --json; or of what preview --json prints; or of an entry that undo --json, undo list --json and undo show
--json print.`,
		Example:   "  heed schema > heed-assessment.schema.json\n  heed schema consent",
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"assessment", "consent", "pending", "preview", "undo"},
		RunE: func(_ *cobra.Command, args []string) error {
			return write(s.Out, all[append(args, "assessment")[0]])
		},
	}
}
