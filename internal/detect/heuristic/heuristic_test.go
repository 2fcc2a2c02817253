package heuristic_test

import (
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/detect/heuristic"
	"github.com/heedsh/heed/risk"
	"pgregory.net/rapid"
)

func TestScore(t *testing.T) {
	t.Parallel()
	del := risk.Effect{Verb: risk.FSDelete, Scope: risk.InSystem, Root: true, Tier: risk.Review}
	for name, test := range map[string]struct {
		ctx      detect.Context
		findings []risk.Finding
		score    int
		verdict  risk.Verdict
	}{
		"nothing":                   {},
		"a read":                    {ctx: detect.Context{Effects: []risk.Effect{{Verb: risk.FSRead, Scope: risk.InWorkspace}}}},
		"the root deleted":          {ctx: detect.Context{Effects: []risk.Effect{del}}, score: 20 + 20 + 45, verdict: risk.Block},
		"twice is no more":          {ctx: detect.Context{Effects: []risk.Effect{del, del}}, score: 20 + 20 + 45, verdict: risk.Block},
		"a download":                {ctx: detect.Context{Effects: []risk.Effect{{Verb: risk.NetFetch, Scope: risk.IsRemote, Tier: risk.Caution}}}, score: 10 + 10},
		"a finding counts":          {findings: []risk.Finding{{Severity: risk.Critical, ATTACK: []string{"T1485"}}}, score: 45},
		"a sub-technique":           {findings: []risk.Finding{{Severity: risk.Critical, ATTACK: []string{"T1485.001"}}}, score: 45},
		"a technique not listed":    {findings: []risk.Finding{{Severity: risk.Critical, ATTACK: []string{"T1213"}}}, score: 20},
		"a low finding hardly does": {findings: []risk.Finding{{Severity: risk.Low, ATTACK: []string{"T1485"}}}, score: 4},
		"programs in programs": {ctx: detect.Context{Processes: []detect.Process{
			{Argv: []string{"sudo"}, Parent: -1}, {Argv: []string{"env"}, Parent: 0}, {Argv: []string{"sh"}, Parent: 1},
		}}, score: 2*2 + 2*3},
	} {
		got := heuristic.Score(&test.ctx, bands(test.ctx.Effects), test.findings)
		if got.Score != test.score || got.Verdict != test.verdict {
			t.Errorf("%s: %d %v, want %d %v (%v)", name, got.Score, got.Verdict, test.score, test.verdict, got.Parts)
		}
	}
}

// bands are those that the effects' tiers stand for.
func bands(effects []risk.Effect) []risk.Band {
	of := [...]risk.Band{risk.Safe: risk.BandSafe, risk.Caution: risk.BandCautionB, risk.Review: risk.BandReview}
	out := make([]risk.Band, len(effects))
	for i := range effects {
		out[i] = of[effects[i].Tier]
	}
	return out
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	for score, want := range map[int]risk.Verdict{0: risk.Allow, 49: risk.Allow, 50: risk.Warn, 69: risk.Warn, 70: risk.Block, 100: risk.Block} {
		if got := heuristic.Verdict(score); got != want {
			t.Errorf("Verdict(%d) = %v, want %v", score, got, want)
		}
	}
}

// TestPartsAreTheScore: what is listed is what counts, and more never scores
// less.
func TestPartsAreTheScore(t *testing.T) {
	t.Parallel()
	effect := rapid.Custom(func(t *rapid.T) risk.Effect {
		return risk.Effect{
			Verb: rapid.SampledFrom(risk.Verbs()).Draw(t, "verb"), Scope: rapid.SampledFrom(risk.Scopes()).Draw(t, "scope"),
			Tier: risk.Tier(rapid.IntRange(0, 2).Draw(t, "tier")), Root: rapid.Bool().Draw(t, "root"), Privileged: rapid.Bool().Draw(t, "privileged"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		effects := rapid.SliceOfN(effect, 0, 6).Draw(t, "effects")
		more := append(slices.Clone(effects), effect.Draw(t, "one more"))
		a, b := heuristic.Score(&detect.Context{Effects: effects}, bands(effects), nil), heuristic.Score(&detect.Context{Effects: more}, bands(more), nil)
		if b.Score < a.Score {
			t.Fatalf("one more effect lowers %d to %d", a.Score, b.Score)
		}
		sums := map[string]int{}
		for _, p := range b.Parts {
			sums[p.Kind] += p.Points
		}
		total := min(sums["complexity"], 25) + min(sums["sensitivity"], 40) + min(sums["technique"], 60)
		if b.Score != min(total, 100) {
			t.Fatalf("score %d, parts come to %v", b.Score, sums)
		}
	})
}
