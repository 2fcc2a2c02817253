package tally

import (
	"cmp"
	"slices"

	"github.com/heedsh/heed/internal/audit"
)

// A Report is what was counted. Lists are never nil, and maps have every tier.
type Report struct {
	Rows     int         `json:"rows"`
	From     audit.Stamp `json:"from"`
	To       audit.Stamp `json:"to"`
	Sessions int         `json:"sessions"`
	// Commands counts assessments; the others are about these.
	Commands int `json:"commands"`
	// Asked per 100 commands.
	Questions float64 `json:"questions_per_100"`
	Tiers     []Tier  `json:"tiers"`
	Outcomes  Ended   `json:"outcomes"`
	Drifted   int     `json:"drifted"`
	Agents    []Count `json:"agents"`
	Programs  []Count `json:"programs"` // of assessed commands, with how many of them were REVIEW
	ASI       []Count `json:"asi"`
	Rules     []Count `json:"rules"` // that decided
}

// A Tier is what became of the commands of one tier.
type Tier struct {
	Tier     string `json:"tier"`
	Commands int    `json:"commands"`
	Allowed  int    `json:"allowed"` // by a rule or the tier itself
	Refused  int    `json:"refused"`
	Asked    int    `json:"asked"`
	Approved int    `json:"approved"` // by whoever was asked
	Denied   int    `json:"denied"`
	// MedianWaitMS is how long answers took; -1 if none says.
	MedianWaitMS int64 `json:"median_wait_ms"`
}

// Ended counts how commands ended.
type Ended struct {
	Finished int `json:"finished"`
	Failed   int `json:"failed"` // with another exit code than 0
}

// A Count is how often something occurs.
type Count struct {
	Name   string `json:"name"`
	Count  int    `json:"count"`
	Review int    `json:"review,omitempty"`
}

// A Tally counts rows. The zero value has counted none.
type Tally struct {
	report Report
	tiers  map[string]*Tier
	waits  map[string][]int64
	// waiting counts, by tier, what an agent was refused until a person answers.
	waiting  map[string]int
	sessions map[string]bool
	agents   counts
	programs counts
	asi      counts
	rules    counts
}

type counts map[string]*Count

func (c *counts) add(name string, review bool) {
	if name == "" {
		return
	}
	if *c == nil {
		*c = counts{}
	}
	if (*c)[name] == nil {
		(*c)[name] = &Count{Name: name}
	}
	(*c)[name].Count++
	if review {
		(*c)[name].Review++
	}
}

// sorted lists counts, the greatest first.
func (c counts) sorted() []Count {
	out := make([]Count, 0, len(c))
	for _, x := range c {
		out = append(out, *x)
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
	return out
}

// Add counts a row.
func (t *Tally) Add(r *audit.Row) {
	if t.tiers == nil {
		t.tiers, t.waits, t.waiting, t.sessions = map[string]*Tier{}, map[string][]int64{}, map[string]int{}, map[string]bool{}
		for _, name := range []string{"SAFE", "CAUTION", "REVIEW"} {
			t.tiers[name] = &Tier{Tier: name}
		}
		t.report.From, t.report.To = r.Time, r.Time
	}
	t.report.Rows++
	t.report.From, t.report.To = min(t.report.From, r.Time), max(t.report.To, r.Time)
	if r.Session != "" {
		t.sessions[r.Session] = true
	}
	tier := t.tiers[r.Tier]
	if tier == nil {
		tier = &Tier{} // counted, and shown nowhere
	}
	t.count(r, tier)
}

func (t *Tally) count(r *audit.Row, tier *Tier) {
	switch r.Kind {
	case audit.Assessed:
		t.report.Commands++
		tier.Commands++
		t.agents.add(r.Agent, r.Tier == "REVIEW")
		for _, p := range r.Programs {
			t.programs.add(p, r.Tier == "REVIEW")
		}
		for _, a := range r.ASI {
			t.asi.add(a, r.Tier == "REVIEW")
		}
	case audit.Decided:
		t.rules.add(r.Rule, r.Tier == "REVIEW")
		switch r.Decision {
		case "allow":
			tier.Allowed++
		case "deny":
			tier.Refused++
		}
	case audit.Asked:
		if r.Decision == "deny" {
			t.waiting[r.Tier]++
		}
		t.report.Questions++
		tier.Asked++
	case audit.Approved, audit.Denied:
		if r.Kind == audit.Approved {
			tier.Approved++
		} else {
			tier.Denied++
		}
		if r.WaitedMS > 0 {
			t.waits[r.Tier] = append(t.waits[r.Tier], r.WaitedMS)
		}
	case audit.Drifted:
		t.report.Drifted++
	case audit.Finished:
		t.report.Outcomes.Finished++
		if r.Outcome != nil && r.Outcome.Code != 0 {
			t.report.Outcomes.Failed++
		}
	}
}

// Report is what was counted so far.
func (t *Tally) Report() Report {
	out := t.report
	out.Sessions = len(t.sessions)
	if out.Commands > 0 {
		out.Questions = 100 * t.report.Questions / float64(out.Commands)
	} else {
		out.Questions = 0
	}
	out.Tiers = []Tier{}
	for _, name := range []string{"SAFE", "CAUTION", "REVIEW"} {
		x := Tier{Tier: name}
		if t.tiers != nil {
			x = *t.tiers[name]
		}
		x.MedianWaitMS = median(t.waits[name])
		out.Tiers = append(out.Tiers, x)
	}
	out.Agents, out.Programs, out.ASI, out.Rules = t.agents.sorted(), t.programs.sorted(), t.asi.sorted(), t.rules.sorted()
	return out
}

func median(all []int64) int64 {
	if len(all) == 0 {
		return -1
	}
	all = slices.Clone(all)
	slices.Sort(all)
	return all[len(all)/2]
}
