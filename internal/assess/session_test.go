package assess_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

const sequence = `title: Frobs then blobs
id: seq
level: critical
correlation: {type: temporal_ordered, rules: [frob, blob], timespan: 1m}
---
title: Frobs
id: a
name: frob
level: low
logsource: {category: process_creation, product: linux}
detection: {selection: {Image|endswith: /frob}, condition: selection}
---
title: Blobs
id: b
name: blob
level: low
logsource: {category: process_creation, product: linux}
detection: {selection: {Image|endswith: /blob}, condition: selection}
`

// A player judges commands of sessions with the rules of sequence.
type player struct {
	tb       testing.TB
	a        *assess.Assessor
	w        *world.World
	req      risk.Request
	sessions *assess.Sessions
}

func newPlayer(tb testing.TB) *player {
	tb.Helper()
	rules, problems := sigma.Parse([]byte(sequence), "seq.yml")
	set, more := sigma.Compile(rules, sigma.Options{})
	if len(problems)+len(more) > 0 {
		tb.Fatal(problems, more)
	}
	w, dir, env, err := fakeworld.Parse("git\na tracked")
	if err != nil {
		tb.Fatal(err)
	}
	own := assess.NewRuleSet("test", "sigma:test", set, nil)
	a := assess.New().With(assess.Detectors{Sets: func() ([]*assess.RuleSet, error) { return []*assess.RuleSet{own}, nil }})
	return &player{tb, a, w, risk.Request{Dir: dir, Env: env}, assess.NewSessions()}
}

func (p *player) seen(command string) assess.Seen {
	req := p.req
	req.Command = command
	_, d, _ := p.a.Assess(context.Background(), p.w, req)
	return p.a.Look(&d)
}

// run reports whether the sequence is complete.
func (p *player) run(session, command string, at *int64) bool {
	found := p.sessions.Add(session, at, p.seen(command))
	return slices.ContainsFunc(found, func(f risk.Finding) bool { return f.ID == "seq" })
}

func at(seconds int64) *int64 { n := seconds * 1e9; return &n }

func TestSessions(t *testing.T) {
	t.Parallel()
	type step struct {
		session, command string
		at               *int64
		want             bool
	}
	for name, steps := range map[string][]step{
		"in order":             {{"s", "frob", nil, false}, {"s", "ls", nil, false}, {"s", "blob x", nil, true}},
		"the other way":        {{"s", "blob", nil, false}, {"s", "frob", nil, false}},
		"sessions do not mix":  {{"s", "frob", nil, false}, {"t", "blob", nil, false}, {"s", "blob", nil, true}},
		"in one command":       {{"s", "frob && blob", nil, true}},
		"too late":             {{"s", "frob", at(0), false}, {"s", "blob", at(61), false}},
		"just in time":         {{"s", "frob", at(0), false}, {"s", "blob", at(60), true}},
		"a second each":        {{"s", "frob", at(100), false}, {"s", "ls", nil, false}, {"s", "blob", at(162), false}},
		"the clock turns back": {{"s", "frob", at(100), false}, {"s", "blob", at(1), true}},
		"before 1970":          {{"s", "frob", at(-100), false}, {"s", "blob", at(-50), true}},
		"text is no command":   {{"s", "frob", nil, false}, {"s", "echo blob", nil, false}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlayer(t)
			for i, s := range steps {
				if got := p.run(s.session, s.command, s.at); got != s.want {
					t.Errorf("step %d, %s: %v, want %v", i, s.command, got, s.want)
				}
			}
		})
	}
}

// TestAlso raises the answer by the finding, everywhere that it shows.
func TestAlso(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	p.run("s", "frob", nil)
	found := p.sessions.Add("s", nil, p.seen("blob x"))
	req := p.req
	req.Command = "blob x"
	alone, _, _ := p.a.Assess(context.Background(), p.w, req)
	out, _, _ := p.a.Also(context.Background(), p.w, req, found)
	if alone.Tier == risk.Review || out.Tier != risk.Review || out.Score < 70 || out.Verdict != risk.Block || out.Level != risk.BandReview.Level() {
		t.Errorf("alone %s, with its session %s %d %s", alone.Tier, out.Tier, out.Score, out.Verdict)
	}
	i := slices.IndexFunc(out.Findings, func(f risk.Finding) bool { return f.ID == "seq" })
	if i < 0 || out.Findings[i].Span != (risk.Span{End: 6}) || out.Findings[i].Evidence != "blob x" || out.Findings[i].Layer != "sigma" {
		t.Errorf("%+v", out.Findings)
	}
	if again, _, _ := p.a.Assess(context.Background(), p.w, req); again.Tier != alone.Tier {
		t.Error("the finding stays for the next command")
	}
}

// TestSessionsAreBounded forgets the session that was quiet for longest.
func TestSessionsAreBounded(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	frob, blob := p.seen("frob"), p.seen("blob")
	p.sessions.Add("old", nil, frob)
	p.sessions.Add("kept", nil, frob)
	for i := range 998 {
		p.sessions.Add(fmt.Sprint(i), nil, frob)
	}
	p.sessions.Add("kept", nil, assess.Seen{})
	p.sessions.Add("one more", nil, assess.Seen{})
	if found := p.sessions.Add("old", nil, blob); len(found) > 0 {
		t.Error("1,001 sessions are remembered")
	}
	if found := p.sessions.Add("kept", nil, blob); len(found) != 1 {
		t.Errorf("a session in use was forgotten: %v", found)
	}
	last := int64(math.MaxInt64)
	p.sessions.Add("end", &last, frob)
	if found := p.sessions.Add("end", nil, blob); len(found) != 1 {
		t.Errorf("at the end of time: %v", found)
	}
}

func BenchmarkLook(b *testing.B) {
	p := newPlayer(b)
	req := p.req
	req.Command = "ls -l && frob"
	_, d, _ := p.a.Assess(context.Background(), p.w, req)
	b.ReportAllocs()
	for b.Loop() {
		p.a.Look(&d)
	}
}
