package cli

import (
	"bufio"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/heedsh/heed/internal/audit/export"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/service"
	"github.com/spf13/cobra"
)

func newLogExport(s Streams) *cobra.Command {
	var f filterFlags
	format := ""
	c := &cobra.Command{
		Use:   "export --format FORMAT [flags]",
		Short: "Write the log for other programs: JSON lines, OCSF or OTLP",
		Long: `export writes rows to standard output, one JSON object a line: jsonl are the rows as
the log has them, byte for byte; ocsf are events of OCSF 1.9 (process activity, and
detection findings for what was asked or refused); otlp are OpenTelemetry log records
in the JSON that collectors read. Each keeps the numbers and hashes of the rows, so
that the log can be held against an export: heed log verify --anchor @FILE.`,
		Example: `  heed log export --format ocsf --since 24h > heed.ocsf.jsonl
  heed log export --format otlp | curl -H 'content-type: application/json' --data-binary @- http://localhost:4318/v1/logs`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !slices.Contains(export.Formats(), export.Format(format)) {
				return fmt.Errorf("--format %q: want %s", shown(format), list(export.Formats()))
			}
			filter, err := f.filter(time.Now())
			if err != nil {
				return err
			}
			l, err := auditLog(s)
			if err != nil {
				return err
			}
			env, _ := environment(s.Env) // heed's own environment holds no pair without a name
			from := export.Source{Version: service.Version, Host: hostName(), System: runtime.GOOS, User: env["USER"]}
			damaged := 0
			out := bufio.NewWriterSize(s.Out, 64<<10)
			_, err = export.Write(out, export.Format(format), from, l.Rows(c.Context(), filter), func(err error) {
				damaged++
				fmt.Fprintln(s.Err, "heed: "+explain.Visible(err.Error()))
			})
			if err = errors.Join(err, out.Flush()); err == nil && damaged > 0 {
				err = &exitError{ExitProblem, fmt.Sprintf("%d rows are not what was written, and are left out (heed log verify)", damaged)}
			}
			return err
		},
	}
	f.register(c)
	c.Flags().StringVar(&format, "format", "", "`FORMAT` to write: "+list(export.Formats()))
	offer(c, "format", export.Formats())
	return c
}
