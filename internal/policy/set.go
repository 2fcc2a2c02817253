package policy

import (
	"cmp"
	"slices"

	"github.com/heedsh/heed/risk"
)

// A Preset is what is done about commands that no rule speaks of.
type Preset struct {
	Name string
	// At is the action for each band of the scale, at each front.
	At [risk.BandReview + 1][fronts]Action
}

// A Set is all rules in force. The zero value is heed's own.
type Set struct {
	Preset *Preset // nil: heed's own
	Rules  []Rule
	// Broken says what of the files of rules could not be read: file, line, and what
	// to do. Nothing is allowed unasked while it is not empty.
	Broken []string
	// Asks is set where root's settings switch every automatic yes off.
	Asks bool
	// Confine are the bands of which the kernel keeps what heed itself runs to what the
	// assessment says.
	Confine [risk.BandReview + 1]bool
	// ConfineAgents are the agents whose SAFE lines are rewritten so that heed runs them,
	// confined.
	ConfineAgents []string
	// Dialog lets a click in an agent's own dialog do where the decisive word would
	// have to be typed.
	Dialog bool
}

// A Part is what is done about one program of a command.
type Part struct {
	Process int // the index of the invocation; -1 for the shell itself
	Action  Action
	Rule    string // what decided
	Layer   Layer
	Reason  string
	Confine bool // the rule that allows it wants it confined
}

// part decides about one program.
func (s *Set) part(d *deed, where *Session) Part {
	best := Part{Process: d.process, Action: Leave}
	found := false
	for i := range s.Rules {
		r := &s.Rules[i]
		if !r.holds(where.Today) || !r.applies(d, where) {
			continue
		}
		p := Part{Process: d.process, Action: r.Action, Rule: r.ID, Layer: r.Layer, Reason: r.Reason, Confine: r.Confine && r.Action == Allow}
		if !found || overrules(&p, &best) {
			best, found = p, true
		}
	}
	if found {
		return best
	}
	band := d.band()
	return Part{Process: d.process, Action: s.at(band, where.Front), Rule: bandRule(band)}
}

// applies reports whether a rule speaks of a deed. One that allows has to cover it.
func (r *Rule) applies(d *deed, s *Session) bool {
	if r.Except != nil && r.Except.speaks(d, s) {
		return false
	}
	if r.Action == Allow {
		return r.Layer != Workspace && r.Match.covers(d, s)
	}
	return r.Match.speaks(d, s)
}

// overrules reports whether what one rule says counts before what another says: a
// denial before everything, then what a managed rule or a workspace asks, then the
// layer that is nearer to the session, then the stricter.
func overrules(a, b *Part) bool {
	return cmp.Or(cmp.Compare(weight(a), weight(b)), cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.Action, b.Action)) > 0
}

func weight(p *Part) int {
	switch {
	case p.Action == Deny:
		return 2
	case p.Action == Ask && (p.Layer == Managed || p.Layer == Workspace):
		return 1
	}
	return 0
}

// at is what the preset says of a band.
func (s *Set) at(band risk.Band, f Front) Action {
	if s.Preset != nil {
		return s.Preset.At[band][f]
	}
	return bands()[band].at[f]
}

// deeds takes an assessment apart into what each program does.
func deeds(a *risk.Assessment) []*deed {
	var all []*deed
	at := map[int]*deed{}
	for i := range a.Invocations {
		d := &deed{process: i, inv: &a.Invocations[i]}
		at[i] = d
		all = append(all, d)
	}
	for i := range a.Effects {
		e := &a.Effects[i]
		process := e.By.Process
		if process >= len(a.Invocations) || process < 0 {
			process = -1
		}
		d := at[process]
		if d == nil {
			d = &deed{process: process}
			at[process] = d
			all = append(all, d)
		}
		d.effects = append(d.effects, e)
	}
	return all
}

// strictest is the part that decides for all.
func strictest(parts []Part) Part {
	return slices.MaxFunc(parts, func(a, b Part) int { return cmp.Compare(strictness(a.Action), strictness(b.Action)) })
}

// strictness orders actions: what is left to others is less than a question and
// more than a yes.
func strictness(a Action) int {
	switch a {
	case Allow:
		return 0
	case Leave:
		return 1
	case Ask:
		return 2
	}
	return 3
}
