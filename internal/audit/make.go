package audit

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"

	"github.com/heedsh/heed/internal/mask"
	"github.com/heedsh/heed/risk"
)

// maxMasked is how much of a command is searched for secrets: no more is kept.
const maxMasked = 4 * maxCommand

// AssessedRow is the row of an assessment: what a request was judged to be, with
// the secrets of its command taken out of every field. whole keeps the assessment
// in the row, which is several times as long then.
func AssessedRow(req *risk.Request, a *risk.Assessment, whole bool) (Row, error) {
	if len(req.Command) > maxMasked {
		short := *req
		short.Command = shorten(req.Command, maxMasked)
		req, whole = &short, false
	}
	secrets := mask.For(req.Command, req.Env)
	r := Row{
		Kind: Assessed, Agent: req.Agent, Session: req.Session, Request: req.ID, Provenance: string(req.Provenance), Dir: secrets.Text(req.Dir), Shell: a.Shell,
		Command: secrets.Text(req.Command), Masked: secrets.Masks(req.Command), Summary: secrets.Text(a.Summary),
		Tier: a.Tier.String(), Level: a.Level.String(), Score: a.Score, ASI: slices.Clone(a.ASI), ATTACK: slices.Clone(a.ATTACK),
		Catalog: a.Inputs.Catalog,
	}
	for i := range a.Invocations {
		argv := a.Invocations[i].Argv
		if len(argv) == 0 {
			continue
		}
		if name := secrets.Text(path.Base(argv[0])); !slices.Contains(r.Programs, name) {
			r.Programs = append(r.Programs, name)
		}
	}
	r.Decisive = decisive(a, secrets.Text)
	text, err := json.Marshal(a)
	if err != nil {
		return r, fmt.Errorf("recording an assessment: %w", err)
	}
	clean, err := cleanJSON(text, secrets.Text)
	if err != nil {
		return r, fmt.Errorf("recording an assessment: %w", err)
	}
	r.Digest = "sha256:" + sum(clean)
	if whole {
		r.Whole = clean
	}
	return r, nil
}

// decisive are the programs whose effects have the tier of the whole; none where
// nothing raised it, or something else did, as a finding or what could not be read.
func decisive(a *risk.Assessment, clean func(string) string) (names []string) {
	if a.Tier == risk.Safe {
		return nil
	}
	for i := range a.Effects {
		e := &a.Effects[i]
		if e.Tier != a.Tier || e.Program == "" {
			continue
		}
		if name := clean(path.Base(e.Program)); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// As is a row of another kind about the same request.
func (r Row) As(k Kind) Row {
	r.Kind, r.Whole = k, nil
	return r
}
