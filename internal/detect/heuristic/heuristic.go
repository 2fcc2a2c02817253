package heuristic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/risk"
)

// Layer names this layer.
const Layer = "heuristic"

// The most that each of the three sums can add.
const (
	maxComplexity  = 25
	maxSensitivity = 40
	maxTechnique   = 60
)

// Kinds of contributions.
const (
	complexity  = "complexity"
	sensitivity = "sensitivity"
	technique   = "technique"
)

// Score sums up what speaks for danger. Findings count with their techniques.
func Score(ctx *detect.Context, bands []risk.Band, findings []risk.Finding) risk.Layer {
	var s sum
	s.complexity(ctx)
	s.sensitivity(ctx.Effects, bands)
	s.techniques(ctx.Effects, bands, findings)
	total := min(s.of(complexity), maxComplexity) + min(s.of(sensitivity), maxSensitivity) + min(s.of(technique), maxTechnique)
	total = min(total, 100)
	return risk.Layer{Name: Layer, Score: total, Verdict: Verdict(total), Confidence: 0.8, Parts: s.parts}
}

// Verdict is the verdict of a score by itself.
func Verdict(score int) risk.Verdict {
	for _, b := range []risk.Band{risk.BandReview, risk.BandCautionB} {
		if low, _ := b.Scores(); score >= low {
			return b.Verdict()
		}
	}
	return risk.Allow
}

type sum struct{ parts []risk.Part }

func (s *sum) add(kind, what string, points int) {
	if points > 0 {
		s.parts = append(s.parts, risk.Part{Kind: kind, What: what, Points: points})
	}
}

func (s *sum) of(kind string) int {
	n := 0
	for _, p := range s.parts {
		if p.Kind == kind {
			n += p.Points
		}
	}
	return n
}

func (s *sum) complexity(ctx *detect.Context) {
	if n := len(ctx.Processes); n > 1 {
		s.add(complexity, fmt.Sprintf("%d programs", n), min(2*(n-1), 10))
	}
	depth := 0
	for i := range ctx.Processes {
		depth = max(depth, ctx.Depth(i))
	}
	s.add(complexity, "commands inside commands", 3*min(depth, 5))
	if slices.ContainsFunc(ctx.Effects, func(e risk.Effect) bool { return !e.Reached.IsZero() }) {
		s.add(complexity, "depends on how something else ends", 2)
	}
	s.add(complexity, "what is not known", min(5*len(ctx.Unknowns), 15))
}

// scope is how much it matters to touch what lies there, in points: more for
// what the machine and its users rely on, less where only reading happens.
func scope(s risk.Scope) int {
	switch s {
	case risk.IsSecret, risk.IsStartup, risk.IsAgentConfig, risk.IsDevice:
		return 30
	case risk.IsAccounts:
		return 25
	case risk.InSystem:
		return 20
	case risk.InOtherHome:
		return 15
	case risk.InHome, risk.InOtherRepo, risk.IsRemote, risk.ScopeUnknown:
		return 10
	case risk.InWorkspace:
		return 3
	}
	return 0
}

func (s *sum) sensitivity(effects []risk.Effect, bands []risk.Band) {
	points, what := 0, risk.Scope("")
	root, privileged := false, false
	for i := range effects {
		e := &effects[i]
		n := scope(e.Scope)
		if bands[i] == risk.BandSafe {
			n /= 4
		}
		if n > points {
			points, what = n, e.Scope
		}
		root = root || e.Root && bands[i] == risk.BandReview
		privileged = privileged || e.Privileged
	}
	s.add(sensitivity, string(what), points)
	if root {
		s.add(sensitivity, "a root directory", 20)
	}
	if privileged {
		s.add(sensitivity, "other rights", 10)
	}
}

// weights are the points of ATT&CK techniques. A sub-technique that is not
// listed has those of its technique; any other technique has unlisted.
var weights = once.Value[map[string]int]{Make: func() map[string]int {
	return map[string]int{
		"T1485": 45, "T1561": 60, "T1499": 60, "T1490": 45, "T1529": 40, "T1489": 35, "T1565": 30, "T1486": 60, // impact
		"T1059": 35, "T1105": 25, "T1195": 20, "T1053": 45, "T1546": 45, "T1543": 35, "T1098": 45, "T1136": 40, "T1547": 45,
		"T1548": 45, "T1611": 55, "T1222": 35, "T1574": 50, "T1685": 50, "T1686": 50, "T1070": 45, "T1027": 45, "T1006": 15,
		"T1552": 45, "T1003": 55, "T1555": 50, "T1041": 55, "T1048": 35, "T1567": 25, "T1005": 10, "T1095": 25, "T1526": 10, "T1578": 30,
	}
}}

// unlisted are the points of a technique that weights does not list.
const unlisted = 20

func weight(id string) int {
	if n, ok := weights.Get()[id]; ok {
		return n
	}
	parent, _, _ := strings.Cut(id, ".")
	if n, ok := weights.Get()[parent]; ok {
		return n
	}
	return unlisted
}

// share is how much of a technique's weight counts, in percent, where the
// decision table gave its effect this tier: low loss, low weight.
var share = [...]int{risk.Safe: 0, risk.Caution: 40, risk.Review: 100}

// severity is the same for findings.
func severity(s risk.Severity) int {
	switch s {
	case risk.Critical:
		return 100
	case risk.High:
		return 60
	case risk.Medium:
		return 30
	}
	return 10
}

func (s *sum) techniques(effects []risk.Effect, bands []risk.Band, findings []risk.Finding) {
	best := map[string]int{}
	var order []string
	note := func(id string, points int) {
		if points == 0 {
			return
		}
		if _, seen := best[id]; !seen {
			order = append(order, id)
		}
		best[id] = max(best[id], points)
	}
	for i := range effects {
		if bands[i] == risk.BandSafe {
			continue
		}
		ids, _ := detect.Techniques(&effects[i])
		for _, id := range ids {
			note(id, weight(id)*share[bands[i].Tier()]/100)
		}
	}
	for i := range findings {
		for _, id := range findings[i].ATTACK {
			note(id, weight(id)*severity(findings[i].Severity)/100)
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return best[b] - best[a] })
	for i, id := range order {
		points := best[id]
		if i > 0 { // what comes on top of the worst adds a quarter
			points /= 4
		}
		s.add(technique, id, points)
	}
}
