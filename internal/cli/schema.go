package cli

import (
	"github.com/heedsh/heed/docs"
	"github.com/spf13/cobra"
)

func newSchema(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of an assessment",
		Long:    "schema prints the JSON Schema (2020-12) of what check --json prints and of every line that\ncheck --batch writes.",
		Example: "  heed schema > heed-assessment.schema.json",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return write(s.Out, docs.OutputSchema) },
	}
}
