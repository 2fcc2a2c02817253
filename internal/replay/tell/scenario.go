package tell

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/replay"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/shell/fronts"
	"github.com/heedsh/heed/internal/world/madeup"
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
	want := Format(&answer)
	first := ""
	for _, whole := range []bool{false, true} { // the whole environment only where it matters
		t := newTeller(r, answers)
		world := t.tell(whole)
		text, err := t.scenario(world, want)
		if err != nil {
			return "", missing, err
		}
		differs, err := disagree(ctx, world, r.Request, want)
		if err != nil {
			return "", missing, err
		}
		if len(r.Specs) > 0 && answer.Inputs.Catalog != service.CatalogDigest() {
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

// scenario writes a world, the command and the answer in the language of
// scenarios.
func (t *teller) scenario(world []madeup.Statement, answer []string) (string, error) {
	var b strings.Builder
	b.WriteString("world recorded by heed check --record\n")
	for i := range world {
		b.WriteString("    " + world[i].String() + "\n")
	}
	if b.Len() > madeup.MaxText {
		return "", fmt.Errorf("the files that were read are too large for a scenario (%d bytes, %d allowed)", b.Len(), madeup.MaxText)
	}
	b.WriteString("\n$ ")
	req := &t.req
	if dialect, _ := fronts.All().Dialect(req.Shell); dialect != fronts.All().Default() {
		fmt.Fprintf(&b, "{%s} ", req.Shell)
	}
	if req.Provenance != "" {
		fmt.Fprintf(&b, "{from %s} ", req.Provenance)
	}
	for _, w := range req.Workspaces {
		fmt.Fprintf(&b, "{workspace %s} ", w)
	}
	if likeOption(req.Command) {
		t.unsaid("a command that begins like an option of a scenario: %s", explain.Cut(explain.Visible(req.Command), 40))
	}
	b.WriteString(strings.ReplaceAll(req.Command, "\n", "\n> "))
	b.WriteString("\n")
	for _, l := range answer {
		b.WriteString(l + "\n")
	}
	return b.String(), nil
}

// likeOption reports whether a command begins with a word in braces, which a
// scenario could take for one of its own (package scenario).
func likeOption(command string) bool {
	word, _, ok := strings.Cut(command, "} ")
	if !ok || !strings.HasPrefix(word, "{") {
		return false
	}
	key, _, _ := strings.Cut(word[1:], " ")
	return slices.Contains(fronts.All().Dialects(), key) || slices.Contains([]string{"from", "workspace", "dir"}, key) || strings.Contains(key, "=")
}

// disagree answers a request in a world that is told, and returns the lines that
// differ from want.
func disagree(ctx context.Context, world []madeup.Statement, req risk.Request, want []string) ([]string, error) {
	w, dir, env, err := madeup.Make(world)
	if err != nil {
		return nil, fmt.Errorf("writing the record as a scenario: %w", err)
	}
	told := risk.Request{Command: req.Command, Shell: req.Shell, Provenance: req.Provenance, Workspaces: req.Workspaces, Dir: dir, Env: env}
	a, _ := service.New(service.Options{World: w}).Assess(ctx, told) // an answer that is a failure says so
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("writing the record as a scenario: %w", err)
	}
	got := Format(&a.Assessment)
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
