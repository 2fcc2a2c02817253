package tell

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/replay"
	"github.com/heedsh/heed/internal/scenario"
	"github.com/heedsh/heed/risk"
)

// Missing is what a scenario does not keep of a record.
type Missing struct {
	Unsaid  []string // what the language cannot say
	Differs []string // lines of the answer that come out differently: "- was", "+ is"
}

// Scenario writes a record as a scenario with this answer, and says what of it
// is missing there.
func Scenario(ctx context.Context, r *replay.Record, answer risk.Assessment) (text string, missing Missing, err error) {
	answers, err := r.World.Answers()
	if err != nil {
		return "", missing, fmt.Errorf("reading the recorded world: %w", err)
	}
	if n := len(answers); n > maxAnswers {
		return "", missing, fmt.Errorf("a record of %d answers is too large for a scenario: record the command in a smaller directory", n)
	}
	want := scenario.Format(&answer)
	first := ""
	for _, whole := range []bool{false, true} { // the whole environment only where it matters
		t := newTeller(r, answers)
		text := t.tell(whole) + caseText(r.Request, want)
		differs, err := disagree(ctx, text, want)
		if err != nil {
			return "", missing, err
		}
		if len(r.Specs) > 0 && answer.Inputs.Catalog != assess.Digest() {
			t.unsaid("specs of one's own, which were in force")
		}
		if first == "" || len(differs) == 0 {
			first, missing = text, Missing{t.notes, differs}
		}
		if len(differs) == 0 {
			break
		}
	}
	return first, missing, nil
}

// maxAnswers is the size of a record that is told as a scenario. A scenario is
// read by people.
const maxAnswers = 10_000

// caseText is the command and the answer in the language of scenarios.
func caseText(req risk.Request, answer []string) string {
	var b strings.Builder
	b.WriteString("\n$ ")
	if req.Shell != "" && req.Shell != "bash" {
		fmt.Fprintf(&b, "{%s} ", req.Shell)
	}
	if req.Provenance != "" {
		fmt.Fprintf(&b, "{from %s} ", req.Provenance)
	}
	for _, w := range req.Workspaces {
		fmt.Fprintf(&b, "{workspace %s} ", w)
	}
	b.WriteString(strings.ReplaceAll(req.Command, "\n", "\n> "))
	b.WriteString("\n")
	for _, l := range answer {
		b.WriteString(l + "\n")
	}
	return b.String()
}

// disagree answers a scenario and returns the lines that differ from want.
func disagree(ctx context.Context, text string, want []string) ([]string, error) {
	f, err := scenario.Parse("the scenario", text)
	if err != nil {
		return nil, fmt.Errorf("writing the record as a scenario: %w", err)
	}
	if len(f.Cases) != 1 {
		return nil, fmt.Errorf("writing the record as a scenario: its command reads as %d", len(f.Cases))
	}
	a, err := f.Cases[0].Assess(assess.New())
	if err != nil {
		return nil, fmt.Errorf("writing the record as a scenario: %w", err)
	}
	got := scenario.Format(&a)
	var out []string
	for _, l := range want {
		if !slices.Contains(got, l) {
			out = append(out, "- "+explain.Visible(l))
		}
	}
	for _, l := range got {
		if !slices.Contains(want, l) {
			out = append(out, "+ "+explain.Visible(l))
		}
	}
	return out, nil
}
