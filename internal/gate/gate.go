package gate

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/heedsh/heed/internal/caller"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/risk"
)

// Refused is the exit code of a command that was not executed: POSIX.1-2024 sh,
// "EXIT STATUS".
const Refused = 126

// A Gate refuses commands and asks about them, for one process.
type Gate struct {
	Name   string // how the process is called in messages: heed run, heed-sh
	Err    io.Writer
	JSON   bool                // prints a refusal as JSON
	Getenv func(string) string // of the session
	// Who finds out who runs this process; nil means [caller.Look].
	Who func(getenv func(string) string) caller.Finding
}

// person fails where a coding agent runs this process, or nobody is at its
// terminal. An editor's terminal is a person's as well: it is asked at.
func (g *Gate) person() error {
	who := g.Who
	if who == nil {
		who = caller.Look
	}
	if f := who(g.Getenv); !f.Shared {
		return f.Refuse()
	}
	return nil
}

// A Refusal is what is printed of a command that was not executed.
type Refusal struct {
	Tier    risk.Tier    `json:"tier"`
	Summary string       `json:"summary,omitempty"`
	Command string       `json:"command,omitempty"` // visible
	Dir     string       `json:"dir,omitempty"`     // visible
	Denied  bool         `json:"denied"`
	Reason  string       `json:"reason,omitempty"`
	Digest  string       `json:"digest,omitempty"`
	Approve string       `json:"approve,omitempty"`
	Safer   []risk.Safer `json:"safer,omitempty"`
	Exit    int          `json:"exit"`
}

// Refuse prints a refusal and returns its exit code.
func (g *Gate) Refuse(r *Refusal) int {
	r.Exit = Refused
	if g.JSON {
		text, err := json.Marshal(r)
		if err == nil {
			fmt.Fprintf(g.Err, "%s\n", text)
			return Refused
		}
	}
	io.WriteString(g.Err, r.text(g.Name)) //nolint:errcheck // the exit code says the same
	return Refused
}

// head says what a refusal or a question is about.
func (r *Refusal) head() string {
	var b strings.Builder
	if r.Summary != "" {
		fmt.Fprintf(&b, "[%s] %s\n", r.Tier, r.Summary)
	}
	if r.Command != "" {
		fmt.Fprintf(&b, "  command: %s\n  in:      %s\n", r.Command, r.Dir)
	}
	for _, alt := range r.Safer {
		fmt.Fprintf(&b, "  safer:   %s  (%s)\n", explain.Visible(alt.Command), alt.Why)
	}
	return b.String()
}

func (r *Refusal) text(name string) string {
	var b strings.Builder
	b.WriteString(r.head())
	if r.Digest != "" {
		fmt.Fprintf(&b, "  digest:  %s\n", approval.Show(r.Digest))
	}
	fmt.Fprintf(&b, "%s: not run", name)
	if r.Reason != "" {
		fmt.Fprintf(&b, ": %s", r.Reason)
	}
	b.WriteString("\n")
	if r.Approve != "" {
		fmt.Fprintf(&b, "  a person can run exactly this, here, once, at a terminal: %s\n", r.Approve)
	}
	return b.String()
}
