package judge_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/heedsh/heed/internal/attack"
	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/judge"
	"github.com/heedsh/heed/risk"
	"pgregory.net/rapid"
)

var scopes = []risk.Scope{
	risk.InWorkspace, risk.InWorkspace, risk.InTemp, risk.InHome, risk.InOtherRepo, risk.InOtherHome, risk.InSystem, risk.IsNull, risk.IsDevice,
	risk.IsSecret, risk.IsAccounts, risk.IsAgentConfig, risk.IsStartup, risk.IsRemote, risk.IsLoopback, risk.ScopeUnknown, "",
}

// effect generates any effect that the table could be asked about.
func effect() *rapid.Generator[risk.Effect] {
	return rapid.Custom(func(t *rapid.T) risk.Effect {
		pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
		flag := func(name string) bool { return rapid.IntRange(0, 3).Draw(t, name) == 0 }
		e := risk.Effect{
			Verb:       rapid.SampledFrom(append(risk.Verbs(), risk.FSDelete, risk.FSWrite, risk.FSDelete, risk.FSWrite, "no.such.verb")).Draw(t, "verb"),
			Scope:      rapid.SampledFrom(scopes).Draw(t, "scope"),
			Kind:       rapid.SampledFrom(append(risk.Kinds(), risk.NoKind, risk.NoKind)).Draw(t, "detail"),
			Target:     pick("target", "/home/u/project/x", "/home/u/project/x", "/etc/hosts", "/usr/local/bin/x", "/", "/opt/x", ""),
			Reversible: risk.Reversible(pick("reversible", string(risk.Restorable), string(risk.Regenerable), string(risk.Partly), string(risk.Lost), string(risk.NothingThere), "")),
			Certainty:  risk.Certainty(pick("certainty", string(risk.Certain), string(risk.Possible))),
			Program:    pick("program", "rm", "git", ""),
			Source:     rapid.SampledFrom([]risk.Source{{}, {}, risk.FromNetwork(), risk.From("/home/u/.ssh/id_rsa")}).Draw(t, "source"),
			Host:       pick("host", "", "", "prod"),
			Recursive:  flag("recursive"), Many: flag("many"), Forced: flag("forced"), Root: flag("root"), Privileged: flag("privileged"),
		}
		if e.Reversible == risk.Restorable && rapid.Bool().Draw(t, "made") {
			e.Remedy = risk.RemedyMade
		}
		if flag("unresolved") {
			e.Unresolved, e.Cause = "$X", rapid.SampledFrom(risk.Causes()).Draw(t, "cause")
		}
		return e
	})
}

func effects(least int) *rapid.Generator[[]risk.Effect] { return rapid.SliceOfN(effect(), least, 9) }

// A shape is what a request has beside its effects.
type shape struct {
	processes, unknowns int
	findings            []risk.Finding
	opinion             risk.Band
}

func shapes() *rapid.Generator[shape] {
	return rapid.Custom(func(t *rapid.T) shape {
		n := func(name string) int { return rapid.IntRange(0, 12).Draw(t, name) }
		s := shape{processes: n("processes"), unknowns: n("unknowns"), opinion: risk.Band(rapid.IntRange(0, 3).Draw(t, "opinion"))}
		for range rapid.IntRange(0, 3).Draw(t, "findings") {
			s.findings = append(s.findings, risk.Finding{
				ID: "x", Layer: "pattern", ATTACK: []string{"T1485"}, ASI: []string{"ASI02"},
				Severity: rapid.SampledFrom([]risk.Severity{risk.Low, risk.Medium, risk.High, risk.Critical}).Draw(t, "severity"),
			})
		}
		return s
	})
}

// judged judges a copy, because Judge completes what it is given.
func judged(e []risk.Effect, p risk.Provenance, s shape) judge.Judgement {
	ctx := detect.Context{Effects: slices.Clone(e)}
	for i := range s.processes {
		ctx.Processes = append(ctx.Processes, detect.Process{Argv: []string{"x"}, Parent: i/2 - 1})
	}
	for i := range s.unknowns {
		ctx.Unknowns = append(ctx.Unknowns, risk.Unknown{What: strconv.Itoa(i)})
	}
	o := judge.Opinion{Band: s.opinion, Reason: "a model", ATTACK: []string{"T1059"}, ASI: []string{"ASI01"}}
	return judge.Judge(&ctx, p, s.findings, o)
}

// never fails the test if b is lower than a on any of the scales.
func never(t *rapid.T, what string, a, b judge.Judgement) {
	t.Helper()
	switch {
	case b.Band < a.Band, b.Band.Tier() < a.Band.Tier(), b.Band.Level() < a.Band.Level(), b.Band.Verdict() < a.Band.Verdict():
		t.Fatalf("%s lowers %v to %v", what, a.Band, b.Band)
	case b.Score < a.Score:
		t.Fatalf("%s lowers the score from %d to %d in %v", what, a.Score, b.Score, b.Band)
	}
	for i := range a.Rows {
		if b.Rows[i].Band < a.Rows[i].Band {
			t.Fatalf("%s lowers effect %d from %v to %v", what, i, a.Rows[i].Band, b.Rows[i].Band)
		}
	}
}

// TestOneScale: tier, level, verdict and score come from one band, which is
// that of the worst effect, and whatever is not SAFE says why.
func TestOneScale(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e, p := effects(0).Draw(t, "effects"), rapid.SampledFrom(risk.Provenances()).Draw(t, "provenance")
		j := judge.Judge(&detect.Context{Effects: e}, p, nil, judge.Opinion{})
		if low, high := j.Band.Scores(); j.Score < low || j.Score > high {
			t.Fatalf("score %d is not in band %v", j.Score, j.Band)
		}
		if len(j.Rows) != len(e) {
			t.Fatalf("%d bands for %d effects", len(j.Rows), len(e))
		}
		worst := risk.BandSafe
		for i := range e {
			worst = max(worst, j.Rows[i].Band)
			if e[i].Tier != 0 || e[i].Row != "" {
				t.Fatalf("effect %d was written to: tier %v, row %q", i, e[i].Tier, e[i].Row)
			}
		}
		j.Apply(e)
		for i := range e {
			if e[i].Tier != j.Rows[i].Band.Tier() || e[i].Row == "" {
				t.Fatalf("effect %d: tier %v, row %q, band %v", i, e[i].Tier, e[i].Row, j.Rows[i].Band)
			}
		}
		if j.Band != worst {
			t.Fatalf("band %v, but the worst effect has %v", j.Band, worst)
		}
		if j.Band > risk.BandSafe && len(j.Reasons) == 0 {
			t.Fatalf("%v without a reason", j.Band)
		}
	})
}

// TestMoreEffects: one more effect never lowers anything.
func TestMoreEffects(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e, s := effects(0).Draw(t, "effects"), shapes().Draw(t, "shape")
		p := rapid.SampledFrom(risk.Provenances()).Draw(t, "provenance")
		more := append(slices.Clone(e), effect().Draw(t, "more"))
		never(t, "one more effect", judged(e, p, s), judged(more, p, s))
	})
}

// TestWorseEffect: a change of one effect for the worse never lowers anything.
func TestWorseEffect(t *testing.T) {
	t.Parallel()
	// A change reports whether it was one for the worse.
	changes := map[string]func(*risk.Effect) bool{
		"privilege":        func(e *risk.Effect) bool { e.Privileged = true; return true },
		"less certainty":   func(e *risk.Effect) bool { e.Certainty = risk.Possible; return true },
		"recursion":        func(e *risk.Effect) bool { e.Recursive = true; return true },
		"many targets":     func(e *risk.Effect) bool { e.Many = true; return true },
		"force":            func(e *risk.Effect) bool { e.Forced = true; return true },
		"a root directory": func(e *risk.Effect) bool { e.Root = true; return true },
		"loss": func(e *risk.Effect) bool {
			was := e.Reversible == risk.Restorable || e.Reversible == risk.Regenerable
			e.Reversible, e.Remedy = risk.Lost, risk.Remedy{}
			return was
		},
		"loss of a part": func(e *risk.Effect) bool {
			was := e.Reversible == risk.Restorable || e.Reversible == risk.Regenerable
			e.Reversible, e.Remedy = risk.Partly, risk.Remedy{}
			return was
		},
		"something there": func(e *risk.Effect) bool {
			was := e.Reversible == risk.NothingThere
			e.Reversible = risk.Lost
			return was
		},
		"the network as the source": func(e *risk.Effect) bool {
			was := e.Source.IsZero()
			e.Source = risk.FromNetwork()
			return was
		},
		"an unknown part": func(e *risk.Effect) bool {
			was := e.Unresolved == ""
			e.Unresolved, e.Cause = "$X", risk.CauseOutput
			return was
		},
		// A variable that is known not to be set says more than one that is not
		// known: the target is then the rest of the path, and the sentence says
		// so. But what is left must not be judged lower than the same path
		// written out.
		"a variable that is not set": func(e *risk.Effect) bool {
			was := e.Unresolved == ""
			e.Unresolved, e.Cause = "$X", risk.CauseUnset
			return was
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				e, s := effects(1).Draw(t, "effects"), shapes().Draw(t, "shape")
				p := rapid.SampledFrom(risk.Provenances()).Draw(t, "provenance")
				worse := slices.Clone(e)
				if change(&worse[rapid.IntRange(0, len(e)-1).Draw(t, "which")]) {
					never(t, name, judged(e, p, s), judged(worse, p, s))
				}
			})
		})
	}
}

// TestProvenance: a local user is trusted most; nobody else gets less.
func TestProvenance(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e, s := effects(0).Draw(t, "effects"), shapes().Draw(t, "shape")
		other := rapid.SampledFrom(append(risk.Provenances(), "", "made up")).Draw(t, "provenance")
		never(t, string(other), judged(e, risk.LocalUser, s), judged(e, other, s))
	})
}

// TestShape: a command of more parts, with more findings or a worse opinion,
// never has a lower score.
func TestShape(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e, s, more := effects(0).Draw(t, "effects"), shapes().Draw(t, "shape"), shapes().Draw(t, "more")
		sum := shape{
			processes: s.processes + more.processes, unknowns: s.unknowns + more.unknowns,
			findings: slices.Concat(s.findings, more.findings), opinion: max(s.opinion, more.opinion),
		}
		never(t, "more parts", judged(e, risk.LocalUser, s), judged(e, risk.LocalUser, sum))
	})
}

// TestBlockIsAttributed: whatever ends in BLOCK names techniques, all of them
// current ones.
func TestBlockIsAttributed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(risk.Provenances()).Draw(t, "provenance")
		j := judged(effects(0).Draw(t, "effects"), p, shapes().Draw(t, "shape"))
		if j.Band == risk.BandReview && (len(j.ATTACK) == 0 || len(j.ASI) == 0) {
			t.Fatalf("BLOCK with techniques %v and %v", j.ATTACK, j.ASI)
		}
		for _, id := range j.ATTACK {
			if now, ok := attack.Current(id); !ok || now != id {
				t.Fatalf("%s is no current technique (%s)", id, now)
			}
		}
		for _, id := range j.ASI {
			if _, ok := attack.ASI(id); !ok {
				t.Fatalf("%s is no id of the OWASP list", id)
			}
		}
	})
}
