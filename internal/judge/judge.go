package judge

import (
	"fmt"
	"slices"
	"sync"

	"github.com/heedsh/heed/risk"
)

// maxNamed is how many named files that are nowhere else may be deleted one by
// one before they count as many (DESIGN section 7).
const maxNamed = 5

// A Judgement is the outcome of the table.
type Judgement struct {
	Band    risk.Band
	Score   int
	Bands   []risk.Band // of each effect, in their order
	Reasons []string    // most important first
	ATTACK  []string
	ASI     []string
}

// Shape is what the score inside a band takes from the command's form.
type Shape struct{ Invocations, Unknowns, Depth int }

var rows = sync.OnceValue(func() map[risk.Verb][]row {
	by := map[risk.Verb][]row{}
	for _, r := range table() {
		for _, v := range r.verbs {
			by[v] = append(by[v], r)
		}
	}
	return by
})

// Judge applies the table to effects, which it completes with the tier and the
// row that decided it.
func Judge(effects []risk.Effect, p risk.Provenance, s Shape) Judgement {
	j := Judgement{Bands: make([]risk.Band, len(effects))}
	manyNamed(effects)
	for i := range effects {
		e := &effects[i]
		band, why := decide(e)
		raised := provenance(p, e.Verb, band)
		if raised > band {
			why += ", and it was asked for by " + string(p)
		}
		e.Tier, e.Row = raised.Tier(), why
		j.Bands[i] = raised
		j.Band = max(j.Band, raised)
	}
	j.reasons(effects, p)
	j.Score = score(j.Band, effects, j.Bands, s)
	return j
}

// decide finds the first row of the table that fits.
func decide(e *risk.Effect) (risk.Band, string) {
	for _, r := range rows()[e.Verb] {
		if (len(r.scopes) == 0 || slices.Contains(r.scopes, e.Scope)) && r.test.hold(e) {
			return floor(e, r.band), r.why
		}
	}
	return stop, "heed has no rule for it"
}

// floor keeps what is done with other rights, or to another machine, from
// being judged as if it were done here by oneself.
func floor(e *risk.Effect, b risk.Band) risk.Band {
	if e.Privileged && b < capB {
		return capB
	}
	return b
}

// manyNamed marks named files as many when they are more than a few.
func manyNamed(effects []risk.Effect) {
	lost := func(e *risk.Effect) bool {
		return e.Verb == risk.FSDelete && e.Scope == risk.InWorkspace && !e.Recursive && !e.Many && !kept.hold(e) && !fresh.hold(e)
	}
	n := 0
	for i := range effects {
		if lost(&effects[i]) {
			n++
		}
	}
	if n <= maxNamed {
		return
	}
	for i := range effects {
		if lost(&effects[i]) {
			effects[i].Many = true
		}
	}
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

func (j *Judgement) reasons(effects []risk.Effect, p risk.Provenance) {
	order := make([]int, len(effects))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(j.Bands[b]) - int(j.Bands[a]) })
	for _, i := range order {
		if j.Bands[i] == safe {
			break
		}
		e := &effects[i]
		reason := fmt.Sprintf("%s %s: %s", e.Verb, j.Bands[i], e.Row)
		if len(j.Reasons) < 12 && !slices.Contains(j.Reasons, reason) {
			j.Reasons = append(j.Reasons, reason)
		}
		if j.Bands[i] >= capB {
			a, asi := techniques(e)
			j.ATTACK = union(j.ATTACK, a)
			j.ASI = union(j.ASI, asi)
		}
	}
	switch p {
	case risk.ToolOutput, risk.ModelSuggestion, risk.UnknownOrigin:
		j.Reasons = append(j.Reasons, "asked for by "+string(p))
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

// score places the assessment inside its band: complexity, sensitivity and
// technique, as the CommandRisk seed sums them, scaled to the band's width.
func score(b risk.Band, effects []risk.Effect, bands []risk.Band, s Shape) int {
	low, high := b.Scores()
	complexity := min(5*max(0, s.Invocations-1)+10*s.Depth+10*s.Unknowns, 40)
	sensitivity, technique := 0, 0
	for i := range effects {
		e := &effects[i]
		if bands[i] == b && b > safe {
			technique += 15
		}
		switch e.Scope {
		case risk.IsSecret, risk.IsStartup, risk.IsAgentConfig, risk.IsDevice, risk.InSystem, risk.IsAccounts:
			sensitivity = max(sensitivity, 30)
		case risk.InHome, risk.InOtherHome, risk.InOtherRepo, risk.IsRemote:
			sensitivity = max(sensitivity, 15)
		}
		if e.Root || e.Privileged {
			sensitivity = 40
		}
	}
	sum := complexity + sensitivity + min(technique, 40)
	return low + (high-low)*min(sum, 100)/100
}
