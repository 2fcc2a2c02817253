package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/explain"
	"github.com/spf13/cobra"
)

// maxAnchors is the longest file of heads that is read.
const maxAnchors = 256 << 20

type verifyOptions struct {
	anchors []string
	json    bool
}

func newLogVerify(s Streams) *cobra.Command {
	o := &verifyOptions{}
	c := &cobra.Command{
		Use:   "verify [flags]",
		Short: "Hold the log against its hashes, and against a head that was kept elsewhere",
		Long: `verify reads every row and holds it against its hash, its number and the row before
it. Rows that are missing at the end, and a log that was written anew as a whole, show
only against an anchor: a head that heed log head printed earlier and that was kept
where the log's writers cannot reach it. --anchor takes one, or with @FILE all heads
that stand in a file: notes, a journal, an export.

The exit code is 0 if the log is whole, and 6 if anything is wrong with it.`,
		Example: `  heed log verify --anchor 4711:5f0c9e...
  journalctl -t heed-head -o cat > heads && heed log verify --anchor @heads`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runLogVerify(c.Context(), s, o) },
	}
	c.Flags().StringArrayVar(&o.anchors, "anchor", nil, "a `HEAD` that the log must have, or @FILE; repeatable")
	c.Flags().BoolVar(&o.json, "json", false, "print the report as JSON")
	return c
}

// anchorsOf reads what was given as anchors.
func anchorsOf(given []string) ([]audit.Anchor, error) {
	var all []audit.Anchor
	for _, text := range given {
		name, isFile := strings.CutPrefix(text, "@")
		if !isFile {
			h, err := audit.ParseHead(text)
			if err != nil {
				return nil, fmt.Errorf("--anchor: %w", err)
			}
			all = append(all, audit.Anchor{Name: "the head that was given", Head: h})
			continue
		}
		file, err := readUpTo(name, maxAnchors)
		if err != nil {
			return nil, fmt.Errorf("--anchor: %w", err)
		}
		heads := audit.FindHeads(file)
		if len(heads) == 0 {
			return nil, fmt.Errorf("--anchor: %s: no head stands in it: want lines NUMBER:HASH as heed log head prints them, or an export", explain.Visible(name))
		}
		for _, h := range heads {
			all = append(all, audit.Anchor{Name: explain.Visible(name), Head: h})
		}
	}
	return all, nil
}

func runLogVerify(ctx context.Context, s Streams, o *verifyOptions) error {
	anchors, err := anchorsOf(o.anchors)
	if err != nil {
		return err
	}
	l, err := localLog(s)
	if err != nil {
		return err
	}
	line := newProgressLine(s)
	r, err := l.Verify(ctx, anchors, func(done, total int64) { line.tell("verifying", int(done>>10), int(total>>10)) })
	line.clear()
	if err != nil {
		return err
	}
	if o.json {
		err = writeVerified(s, &r)
	} else {
		err = write(s.Out, verifiedText(&r, len(anchors)))
	}
	if err != nil || r.Whole() {
		return err
	}
	return &exitError{ExitProblem, fmt.Sprintf("the log is not whole: %d problems (docs/audit.md says what to do)", len(r.Problems)+r.Unlisted)}
}

// verifiedText is the report in words.
func verifiedText(r *audit.Report, given int) string {
	var b strings.Builder
	for _, p := range r.Problems {
		where := ""
		if p.Segment != "" {
			where = fmt.Sprintf("%s, byte %d: ", p.Segment, p.Offset)
		}
		fmt.Fprintf(&b, "  %s%s\n", where, explain.Visible(p.What))
	}
	if r.Unlisted > 0 {
		fmt.Fprintf(&b, "  and %d more\n", r.Unlisted)
	}
	if r.Rows == 0 {
		b.WriteString("The log holds no rows.\n")
		return b.String()
	}
	word := "is whole"
	if !r.Whole() {
		word = "is NOT whole"
	}
	fmt.Fprintf(&b, "The log %s: %d rows (%d to %d) in %d segments, %.1f MB, from %s to %s.\n", word, r.Rows, r.First, r.Last, r.Segments, float64(r.Bytes)/1e6, r.From, r.To)
	if r.Pruned > 0 {
		fmt.Fprintf(&b, "Rows up to %d were pruned; a checkpoint vouches for them.\n", r.Pruned)
	}
	if r.Torn > 0 {
		fmt.Fprintf(&b, "Writers were killed in the middle of a row: %d. Nobody was told that those were kept.\n", r.Torn)
	}
	for _, a := range r.Held {
		fmt.Fprintf(&b, "Held against %s: row %d is the one it names.\n", a.Name, a.Head.Seq)
	}
	if given == 0 {
		b.WriteString("No anchor was given: rows that are missing at the end show only in the head file, which\nwhoever may write the log may write too. Keep heads elsewhere (heed log head).\n")
	}
	fmt.Fprintf(&b, "Head: %s\n", r.Head)
	return b.String()
}

// verifiedJSON is the report for programs.
type verifiedJSON struct {
	Whole    bool            `json:"whole"`
	Rows     int64           `json:"rows"`
	First    uint64          `json:"first"`
	Last     uint64          `json:"last"`
	Segments int             `json:"segments"`
	Bytes    int64           `json:"bytes"`
	From     audit.Stamp     `json:"from"`
	To       audit.Stamp     `json:"to"`
	Head     string          `json:"head"`
	Pruned   uint64          `json:"pruned"`
	Torn     int             `json:"torn"`
	Anchors  []string        `json:"anchors"` // that the log has
	Problems []audit.Problem `json:"problems"`
	Unlisted int             `json:"unlisted"`
}

func writeVerified(s Streams, r *audit.Report) error {
	out := verifiedJSON{
		Whole: r.Whole(), Rows: r.Rows, First: r.First, Last: r.Last, Segments: r.Segments, Bytes: r.Bytes, From: r.From, To: r.To, Head: r.Head.String(),
		Pruned: r.Pruned, Torn: r.Torn, Anchors: []string{}, Problems: append([]audit.Problem{}, r.Problems...), Unlisted: r.Unlisted,
	}
	for _, a := range r.Held {
		out.Anchors = append(out.Anchors, a.Name+" "+a.Head.String())
	}
	text, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return write(s.Out, string(text)+"\n")
}

func newLogHead(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "head",
		Short: "Print the log's head, to keep where the log cannot be reached",
		Long: `head prints the number and the hash of the last row. They vouch for every row before:
a later log can be held against them with heed log verify --anchor. Keep them where
whoever may write the log cannot: on paper, in the journal, on another machine.`,
		Example: "  heed log head | systemd-cat -t heed-head\n  heed log head | ssh vault 'cat >> heed-heads'",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			l, err := auditLog(s)
			if err != nil {
				return err
			}
			h, ok, err := l.Head(c.Context())
			if err == nil && !ok {
				err = errors.New("the log holds no rows yet")
			}
			if err != nil {
				return err
			}
			return write(s.Out, h.String()+"\n")
		},
	}
}

func newLogMend(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "mend",
		Short: "Let a damaged log go on, and say so in it",
		Long: `mend begins a new segment behind a log that is damaged or cut off, so that rows can be
recorded again. It changes and removes nothing: the first row of the segment says what
is wrong, and heed log verify tells of it as long as that row is kept. Look at the
damage first (heed log verify), and keep a copy of the directory.`,
		Example: "  heed log verify\n  heed log mend",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			l, err := localLog(s)
			if err != nil {
				return err
			}
			r, err := l.Mend(c.Context())
			if err != nil {
				return err
			}
			return write(s.Out, fmt.Sprintf("The log goes on with row %d, which says what is wrong before it.\nHead: %s\n", r.Seq, r.Head()))
		},
	}
}

// hostName is this machine's name, or nothing.
func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}
