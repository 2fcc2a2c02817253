package wrap

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// The bounds of looking at the log before a question: a person waits for it.
const (
	coveredDays  = 7
	coveredMost  = 200 // commands, the newest
	coveredRows  = 5_000
	coveredFor   = time.Second
	coveredShown = 3
)

// A past is a command of the log.
type past struct {
	command, dir, shell, agent string
	provenance                 risk.Provenance
}

// covers says what else of the log rules would have let run without a question: it judges
// the commands of their programs anew, by the rules in force with and without these. nil
// where there is no log.
func (s *Session) covers(rules []policy.Rule, but string) *gate.Covers {
	if s.Guard.Records.Err != nil || s.Guard.Records.Log == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), coveredFor)
	defer cancel()
	c := &gate.Covers{Days: coveredDays}
	before := own.PolicyRules(own.ManagedPolicy, own.UserPolicy(s.Env), nil)
	with := *before
	with.Rules = slices.Clone(before.Rules)
	for _, r := range rules {
		r.Layer = policy.User
		with.Rules = append(with.Rules, r)
	}
	env := s.env()
	type covered struct {
		command string
		tier    risk.Tier
		score   int
	}
	var found []covered
	all, left, err := s.past(ctx, rules)
	c.Left = left || err != nil
	for _, p := range all {
		if p.command == but {
			continue
		}
		a, err := s.Guard.Service.Assess(ctx, risk.Request{Command: p.command, Dir: p.dir, Shell: p.shell, Agent: p.agent, Provenance: p.provenance, Env: env})
		if ctx.Err() != nil {
			c.Left = true
			break
		}
		if err != nil {
			continue // what cannot be assessed is let run by no rule
		}
		at := policy.Session{Front: policy.Agent, Home: env["HOME"], Agent: p.agent, Provenance: p.provenance, Today: own.Today()}
		if with.Decide(&a.Assessment, at).Action == policy.Allow && before.Decide(&a.Assessment, at).Action != policy.Allow {
			found = append(found, covered{p.command, a.Tier, a.Score})
		}
	}
	slices.SortStableFunc(found, func(x, y covered) int { return cmp.Or(cmp.Compare(y.tier, x.tier), cmp.Compare(y.score, x.score)) })
	c.All = len(found)
	for _, f := range found[:min(len(found), coveredShown)] {
		c.Some = append(c.Some, explain.Cut(f.command, 200))
	}
	return c
}

// past are the commands of the log's last days in which a program of the rules stands, each
// once, the newest first. left says that there are more.
func (s *Session) past(ctx context.Context, rules []policy.Rule) (all []past, left bool, err error) {
	var programs []string
	for i := range rules {
		programs = append(programs, rules[i].Match.Program...)
	}
	slices.Sort(programs)
	for _, program := range slices.Compact(programs) {
		filter := audit.Filter{Program: program, Kinds: []audit.Kind{audit.Assessed}, Since: time.Now().AddDate(0, 0, -coveredDays), Last: coveredRows}
		rows := 0
		for r, err := range s.Guard.Records.Log.Rows(ctx, filter) {
			if err != nil {
				return all, true, err
			}
			rows++
			if r.Masked || slices.Contains(r.Cut, "command") || slices.Contains(r.Cut, "dir") {
				continue // it is not there as it was
			}
			p := past{r.Command, r.Dir, r.Shell, r.Agent, risk.Provenance(r.Provenance)}
			// The last time counts.
			all = append(slices.DeleteFunc(all, func(o past) bool { return o == p }), p)
		}
		left = left || rows == coveredRows
	}
	slices.Reverse(all)
	if len(all) > coveredMost {
		return all[:coveredMost], true, nil
	}
	return all, left, nil
}
