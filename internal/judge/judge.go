package judge

import (
	"fmt"
	"slices"

	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/detect/heuristic"
	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/risk"
)

// maxNamed is how many named files that are nowhere else may be deleted one by
// one before they count as many (DESIGN section 7).
const maxNamed = 5

// A Judgement is the outcome of the table and of the detectors.
type Judgement struct {
	Band    risk.Band
	Score   int
	Rows    []Row     // of each effect, in their order
	Effects risk.Band // the highest of them
	// Finding is the index of the finding that raised the band above that of
	// the effects, -1 if none did.
	Finding   int
	Opinion   bool // the opinion raised it above effects and findings
	Heuristic risk.Layer
	Reasons   []string // most important first
	ATTACK    []string
	ASI       []string
}

// A Row is what the table says of one effect.
type Row struct {
	Band risk.Band
	Why  string // the row that decided
	Many bool   // it counts as one of many
}

// Apply writes the rows into the effects that they are of, for the record.
func (j *Judgement) Apply(effects []risk.Effect) {
	for i := range effects {
		e, r := &effects[i], &j.Rows[i]
		e.Tier, e.Level, e.Row, e.Many = r.Band.Tier(), r.Band.Level(), r.Why, e.Many || r.Many
	}
}

// Bands are the bands of the rows.
func (j *Judgement) Bands() []risk.Band {
	bands := make([]risk.Band, len(j.Rows))
	for i := range j.Rows {
		bands[i] = j.Rows[i].Band
	}
	return bands
}

// An Opinion is what a layer that may only raise makes of a request.
type Opinion struct {
	Band        risk.Band
	Reason      string
	ATTACK, ASI []string
}

var rows = once.Value[map[risk.Verb][]row]{Make: func() map[risk.Verb][]row {
	by := map[risk.Verb][]row{}
	for _, r := range table() {
		for _, v := range r.verbs {
			by[v] = append(by[v], r)
		}
	}
	return by
}}

// Judge looks the effects of a request up in the table; then findings and the
// opinion raise what that comes to, by DESIGN section 8. It changes nothing of
// what it is given.
func Judge(ctx *detect.Context, p risk.Provenance, findings []risk.Finding, o Opinion) Judgement {
	effects := ctx.Effects
	j := Judgement{Rows: make([]Row, len(effects)), Finding: -1}
	many := manyNamed(effects)
	for i := range effects {
		e := &effects[i]
		if many[i] && !e.Many {
			all := *e
			all.Many = true
			e = &all
		}
		band, why := decide(e)
		if band == capA && e.By.Undone { // no approval is spared: A runs unasked, too
			band, why = safe, "the shell stops before it"
		}
		if band == stop && unmet(e) {
			band, why = capB, "the line asks first for a file that is not there"
		}
		raised := provenance(p, e.Verb, band)
		if raised > band {
			why += ", and it was asked for by " + string(p)
		}
		j.Rows[i] = Row{Band: raised, Why: why, Many: many[i]}
		j.Effects = max(j.Effects, raised)
	}
	j.Band = j.Effects
	j.reasons(effects)
	j.findings(findings)
	j.opinion(o)
	switch p {
	case risk.ToolOutput, risk.ModelSuggestion, risk.UnknownOrigin:
		j.Reasons = append(j.Reasons, "asked for by "+string(p))
	}
	j.Heuristic = heuristic.Score(ctx, j.Bands(), findings)
	j.Score = within(j.Band, j.Heuristic.Score)
	return j
}

// within places a score of 0 to 100 inside a band.
func within(b risk.Band, score int) int {
	low, high := b.Scores()
	return low + (high-low)*min(max(score, 0), 100)/100
}

// Raises returns the band that a finding asks for at least: low and medium
// only annotate.
func Raises(s risk.Severity) risk.Band {
	switch s {
	case risk.Critical:
		return stop
	case risk.High:
		return capB
	}
	return safe
}

// maxReasons is how many reasons of each kind are told.
const maxReasons = 12

// findings lets the findings raise the band, and lists their ids for what is
// raised or already as high.
func (j *Judgement) findings(findings []risk.Finding) {
	told := 0
	for i := range findings {
		f := &findings[i]
		band := Raises(f.Severity)
		if band == safe {
			continue
		}
		if told++; told <= maxReasons {
			j.Reasons = append(j.Reasons, fmt.Sprintf("%s %s: %s (%s)", f.Layer, band, f.Title, f.ID))
		}
		if band > j.Band {
			j.Band, j.Finding = band, i
		}
		j.ATTACK = union(j.ATTACK, f.ATTACK)
		j.ASI = union(j.ASI, f.ASI)
	}
}

func (j *Judgement) opinion(o Opinion) {
	if o.Band <= j.Band {
		return
	}
	j.Band, j.Finding, j.Opinion = o.Band, -1, true
	j.Reasons = append(j.Reasons, o.Reason)
	j.ATTACK = union(j.ATTACK, o.ATTACK)
	j.ASI = union(j.ASI, o.ASI)
}

// decide finds the first row of the table that fits.
func decide(e *risk.Effect) (risk.Band, string) {
	for _, r := range rows.Get()[e.Verb] {
		if (len(r.scopes) == 0 || slices.Contains(r.scopes, e.Scope)) && r.test.hold(e) {
			return floor(e, r.band), r.why
		}
	}
	return stop, "heed has no rule for it"
}

// unmet reports whether the line itself asks for something before it does this here, and
// that is not so now. It may be when the line runs, so that it is asked about all the
// same; outside workspace and temp, it is stopped.
func unmet(e *risk.Effect) bool {
	end := e.By.Unreached
	if end == nil || !end.Asked || e.Certainty != risk.Possible {
		return false
	}
	switch e.Verb {
	case risk.FSDelete, risk.FSMove, risk.FSWrite:
		return e.Scope == risk.InWorkspace || e.Scope == risk.InTemp
	case risk.VCSDiscard, risk.VCSRewrite:
		return true
	}
	return false
}

// floor keeps what is done with other rights, or to another machine, from
// being judged as if it were done here by oneself.
func floor(e *risk.Effect, b risk.Band) risk.Band {
	if e.Privileged && b < capB {
		return capB
	}
	return b
}

// manyNamed tells which named files count as many, because they are more than a
// few.
func manyNamed(effects []risk.Effect) []bool {
	many := make([]bool, len(effects))
	n := 0
	for i := range effects {
		e := &effects[i]
		many[i] = e.Verb == risk.FSDelete && e.Scope == risk.InWorkspace && !e.Recursive && !e.Many && !kept.hold(e) && !fresh.hold(e)
		if many[i] {
			n++
		}
	}
	if n <= maxNamed {
		clear(many)
	}
	return many
}

// provenance raises a band where an untrusted origin asks for it.
func provenance(p risk.Provenance, v risk.Verb, b risk.Band) risk.Band {
	switch p {
	case risk.WebRemoteUser:
		if v != risk.FSRead && v != risk.RemoteRead && v != risk.DBRead {
			return b.Raise(1)
		}
	case risk.WebContent, risk.WorkspaceFile:
		switch v {
		case risk.ExecKnown, risk.ExecProject, risk.ExecUnknown, risk.ExecShell, risk.ExecRemote, risk.NetSend, risk.SecretSend, risk.PkgInstall, risk.PersistAdd:
			return b.Raise(1)
		}
	}
	return b
}

func (j *Judgement) reasons(effects []risk.Effect) {
	order := make([]int, len(effects))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(j.Rows[b].Band) - int(j.Rows[a].Band) })
	for _, i := range order {
		if j.Rows[i].Band == safe {
			break
		}
		e := &effects[i]
		reason := fmt.Sprintf("%s %s: %s", e.Verb, j.Rows[i].Band, j.Rows[i].Why)
		if len(j.Reasons) < maxReasons && !slices.Contains(j.Reasons, reason) {
			j.Reasons = append(j.Reasons, reason)
		}
		if j.Rows[i].Band >= capB {
			a, asi := detect.Techniques(e)
			j.ATTACK = union(j.ATTACK, a)
			j.ASI = union(j.ASI, asi)
		}
	}
}

func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}
