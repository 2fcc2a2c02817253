package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/own"
	"github.com/spf13/cobra"
)

func newPending(s Streams) *cobra.Command {
	asJSON, all := false, false
	c := &cobra.Command{
		Use:   "pending [DIGEST] [flags]",
		Short: "List the commands that wait for a person, or show one with its steps",
		Long: `pending lists the commands that were not run because a person has to agree: the
youngest first, with the digest that heed approve and heed deny take. With --all also
those that were answered, used or are too old. --json prints each as a line:
docs/pending.schema.json describes it, and docs/consent.schema.json what is shown.

With a DIGEST it shows that request, whatever became of it: each step of its line with a
badge of its own, and behind which of them a person can stop (heed approve DIGEST --step N).`,
		Example: "  heed pending\n  heed pending 3f9a-81c2-77de\n  heed pending --json\n  heed approve 3f9a-81c2-77de --step 2",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return runPendingOne(s, args[0], asJSON)
			}
			return runPending(s, all, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print each request as a line of JSON")
	c.Flags().BoolVar(&all, "all", false, "also those that do not wait any more")
	return c
}

// A pendingLine is a request as heed pending --json prints it.
type pendingLine struct {
	Digest string           `json:"digest"`
	State  approval.State   `json:"state"`
	Made   time.Time        `json:"made"`
	Front  string           `json:"front"`
	Shown  *consent.Consent `json:"shown"`
	Answer *approval.Answer `json:"answer,omitempty"`
	// Covers is what else of the log the rule in Shown would have let run; nil where there
	// is no such rule, or no log.
	Covers *gate.Covers `json:"covers,omitempty"`
	// Account is the number of the account that asked, where root is shown all.
	Account int `json:"account,omitempty"`
}

func runPending(s Streams, all, asJSON bool) error {
	store, err := requests(s)
	if err != nil {
		return err
	}
	list, damaged, err := store.List()
	if err != nil {
		return err
	}
	if damaged > 0 {
		fmt.Fprintf(s.Err, "heed: note: %s in %s cannot be read\n", plural(damaged, "request"), explain.Visible(store.Dir()))
	}
	var b strings.Builder
	look := pendingLook{desk: deskOf(s), until: time.Now().Add(pendingFor)}
	n := 0
	for _, r := range list {
		if !all && r.State != approval.Pending && r.State != approval.Partly {
			continue
		}
		n++
		if asJSON {
			text, err := pendingJSON(r, look.of(r))
			if err != nil {
				return err
			}
			b.Write(text)
			continue
		}
		b.WriteString(pendingText(s, r, time.Now()))
	}
	if n == 0 && !asJSON {
		b.WriteString("Nothing waits for you.\n")
	}
	return write(s.Out, b.String())
}

// pendingJSON is a request as a line of JSON.
func pendingJSON(r *approval.Request, c *gate.Covers) ([]byte, error) {
	line := pendingLine{r.Digest, r.State, time.UnixMilli(r.Made).UTC(), r.Front, r.Shown, nil, c, r.Owner}
	if r.Answer.State != "" {
		line.Answer = &r.Answer
	}
	text, err := json.Marshal(line)
	if err != nil {
		return nil, fmt.Errorf("writing a request: %w", err)
	}
	return append(text, '\n'), nil
}

// pendingFor is how long the log may be looked at for all requests of a list: no question
// waits for it.
const pendingFor = time.Second

// A pendingLook looks at the log for the requests of a list.
type pendingLook struct {
	desk  *desk
	until time.Time
}

// of is what else the rule for a request would have let run. What there is no time for any
// more is told as not looked at.
func (l *pendingLook) of(r *approval.Request) *gate.Covers {
	if r.State != approval.Pending || r.Owner != 0 && r.Owner != os.Geteuid() {
		return nil
	}
	return l.desk.covers(r, max(time.Nanosecond, time.Until(l.until)))
}

// deskOf is a desk that only looks.
func deskOf(s Streams) *desk {
	k := own.Keep(s.Env)
	return &desk{s: s, store: k.Requests, log: guard.Records{Log: k.Log, Err: k.LogErr}}
}

// runPendingOne shows one request.
func runPendingOne(s Streams, digest string, asJSON bool) error {
	store, err := requests(s)
	if err != nil {
		return err
	}
	prefix, err := approval.Clean(digest)
	if err != nil {
		return err
	}
	r, err := store.Find(prefix)
	if err != nil {
		return err
	}
	if asJSON {
		text, err := pendingJSON(r, (&pendingLook{desk: deskOf(s), until: time.Now().Add(pendingFor)}).of(r))
		if err != nil {
			return err
		}
		return write(s.Out, string(text))
	}
	return write(s.Out, pendingText(s, r, time.Now())+stepsText(s, r))
}

// stepsText are the steps of a request's line.
func stepsText(s Streams, r *approval.Request) string {
	if sound(r) != nil || len(r.Shown.Steps) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("  steps:\n")
	for i := range r.Shown.Steps {
		step := &r.Shown.Steps[i]
		fmt.Fprintf(&b, "  %3d. %s %s\n", i+1, badge(s, step.Tier), step.Text())
		for _, does := range step.Does {
			fmt.Fprintf(&b, "         %s\n", does)
		}
		for _, lost := range step.Irreversible {
			fmt.Fprintf(&b, "         lost: %s\n", lost)
		}
		switch {
		case i+1 == len(r.Shown.Steps):
		case step.Together != "":
			fmt.Fprintf(&b, "         not divided here: %s\n", step.Together)
		case r.State == approval.Pending:
			fmt.Fprintf(&b, "         up to here: heed approve %s --step %d\n", approval.Show(r.Digest), i+1)
		case r.State == approval.Partly && r.Answer.Steps == i+1:
			b.WriteString("         agreed to, up to here\n")
		}
	}
	return b.String()
}

// pendingText is a request in a list.
func pendingText(s Streams, r *approval.Request, now time.Time) string {
	var b strings.Builder
	age := max(0, now.Sub(time.UnixMilli(r.Made))).Round(time.Second)
	fmt.Fprintf(&b, "%s  %-8s %s ago", approval.Show(r.Digest), r.State, age)
	if r.Owner != 0 && r.Owner != os.Geteuid() {
		fmt.Fprintf(&b, ", account %d", r.Owner)
	}
	if r.Shown == nil {
		fmt.Fprintf(&b, "\n  %s\n", explain.Visible(r.Facts.Command))
		return b.String()
	}
	fmt.Fprintf(&b, ", %s\n  %s %s\n  command: %s\n  in:      %s\n", r.Shown.Asks, badge(s, r.Shown.Tier), r.Shown.Explanation, r.Shown.Command, r.Shown.Dir)
	if f := r.Shown.Follows; f != nil {
		fmt.Fprintf(&b, "  follows: %s\n", explain.Visible(f.Text()))
	}
	if r.State == approval.Partly {
		fmt.Fprintf(&b, "  agreed:  up to step %d of %d; what follows waits until that runs\n", r.Answer.Steps, len(r.Shown.Steps))
	}
	return b.String()
}

// requests is the store of this account's requests.
func requests(s Streams) (guard.Requests, error) {
	k := own.Keep(s.Env)
	return k.Requests, k.RequestsErr
}

// envOf looks variables of this process up.
func envOf(s Streams) func(string) string { return own.Getenv(s.Env) }
