package gate

import (
	"encoding/json"
	"errors"
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

// Store is where the facts of refused commands wait for a person.
func (g *Gate) Store() (*approval.Store, error) { return approval.Open(g.Getenv) }

// Keep keeps what was refused for an approval. secret says that the command
// itself holds one.
func (g *Gate) Keep(f *approval.Facts, secret bool) error {
	if secret {
		return errors.New("the command holds what looks like a secret, which heed does not write to disk")
	}
	store, err := g.Store()
	if err != nil {
		return err
	}
	return store.Keep(f)
}

// wordLength is how much of a digest a person types.
const wordLength = 4

// Confirm shows a command at a terminal and waits for the word, which is the
// beginning of its digest. input says what the command will find on standard
// input, where that is not what it was given.
func (g *Gate) Confirm(t *Terminal, r *Refusal, digest, input string) bool {
	word := digest[:wordLength]
	text := r.head()
	if input != "" {
		text += "  input:   " + input + "\n"
	}
	text += fmt.Sprintf("  digest:  %s\nTo run it, type %s and Enter; anything else leaves it: ", approval.Show(digest), word)
	answer, err := t.ask(text)
	return err == nil && answer == word
}
