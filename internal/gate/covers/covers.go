package covers

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/child"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/rulefile"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// The bounds of looking at the log before a question: a person waits for it.
const (
	days  = 7
	most  = 200 // commands, the newest
	rows  = 5_000
	shown = 3
)

// Within is how long it takes at most.
const Within = 100 * time.Millisecond

// A Look looks at the log of an account.
type Look struct {
	Service *service.Service
	Records *guard.Records
	Env     []string // NAME=VALUE, of who is asked
	// Within is how long it may take; 0 means [Within].
	Within time.Duration

	// assess is replaced by tests of the limit.
	assess func(context.Context, risk.Request) (risk.Assessment, error)
}

// A past is a command of the log.
type past struct {
	command, dir, shell, agent string
	provenance                 risk.Provenance
}

// Parse reads the lines of rules, as a consent has them ([consent.Consent.Narrow]).
func Parse(lines []string) []policy.Rule {
	if len(lines) == 0 {
		return nil
	}
	f, err := rulefile.Parse("what is asked about", []byte("rules:\n"+strings.Join(lines, "\n")+"\n"), policy.User)
	if err != nil {
		return nil
	}
	return f.Rules
}

// Of says what else of the log rules would have let run, beside the command but; nil where
// there is no log.
func (l *Look) Of(rules []policy.Rule, but string) *gate.Covers {
	if l.Records.Err != nil || l.Records.Log == nil || len(rules) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(l.Within, Within))
	defer cancel()
	var t tally
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if recover() != nil {
				t.more() // what could not be looked at is told as such
			}
		}()
		l.look(ctx, rules, but, &t)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		t.more() // it goes on until it sees that nobody waits
	}
	return t.told()
}

// look judges the commands of the log.
func (l *Look) look(ctx context.Context, rules []policy.Rule, but string, t *tally) {
	before := own.PolicyRules(own.ManagedPolicy, own.UserPolicy(l.Env), nil)
	with := *before
	with.Rules = slices.Clone(before.Rules)
	for _, r := range rules {
		r.Layer = policy.User
		with.Rules = append(with.Rules, r)
	}
	env := child.Pairs(l.Env)
	assess := l.assess
	if assess == nil {
		assess = func(ctx context.Context, req risk.Request) (risk.Assessment, error) {
			a, err := l.Service.Assess(ctx, req)
			return a.Assessment, err
		}
	}
	all, left, err := l.past(ctx, rules)
	if left || err != nil {
		t.more()
	}
	for _, p := range all {
		if p.command == but {
			continue
		}
		if ctx.Err() != nil {
			t.more()
			return
		}
		a, err := assess(ctx, risk.Request{Command: p.command, Dir: p.dir, Shell: p.shell, Agent: p.agent, Provenance: p.provenance, Env: env})
		if ctx.Err() != nil {
			t.more()
			return
		}
		if err != nil {
			continue // what cannot be assessed is let run by no rule
		}
		at := policy.Session{Front: policy.Agent, Home: env["HOME"], Agent: p.agent, Provenance: p.provenance, Today: own.Today()}
		if with.Decide(&a, at).Action == policy.Allow && before.Decide(&a, at).Action != policy.Allow {
			t.add(covered{p.command, a.Tier, a.Score})
		}
	}
}

// past are the commands of the log's last days in which a program of the rules stands, each
// once, the newest first. left says that there are more.
func (l *Look) past(ctx context.Context, rules []policy.Rule) (all []past, left bool, err error) {
	var programs []string
	for i := range rules {
		programs = append(programs, rules[i].Match.Program...)
	}
	slices.Sort(programs)
	for _, program := range slices.Compact(programs) {
		filter := audit.Filter{Program: program, Kinds: []audit.Kind{audit.Assessed}, Since: time.Now().AddDate(0, 0, -days), Last: rows}
		n := 0
		for r, err := range l.Records.Log.Rows(ctx, filter) {
			if err != nil {
				return all, true, err
			}
			n++
			if r.Masked || slices.Contains(r.Cut, "command") || slices.Contains(r.Cut, "dir") {
				continue // it is not there as it was
			}
			p := past{r.Command, r.Dir, r.Shell, r.Agent, risk.Provenance(r.Provenance)}
			// The last time counts.
			all = append(slices.DeleteFunc(all, func(o past) bool { return o == p }), p)
		}
		left = left || n == rows
	}
	slices.Reverse(all)
	if len(all) > most {
		return all[:most], true, nil
	}
	return all, left, nil
}

// A tally is what was found so far.
type tally struct {
	mu    sync.Mutex
	found []covered
	left  bool
}

// A covered is a command that the rules would have let run.
type covered struct {
	command string
	tier    risk.Tier
	score   int
}

func (t *tally) add(c covered) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.found = append(t.found, c)
}

// more says that not everything was looked at.
func (t *tally) more() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left = true
}

// told is what a person is told of it.
func (t *tally) told() *gate.Covers {
	t.mu.Lock()
	defer t.mu.Unlock()
	found := slices.Clone(t.found)
	slices.SortStableFunc(found, func(x, y covered) int {
		return cmp.Or(cmp.Compare(y.tier, x.tier), cmp.Compare(y.score, x.score))
	})
	c := &gate.Covers{Days: days, All: len(found), Left: t.left}
	for _, f := range found[:min(len(found), shown)] {
		c.Some = append(c.Some, explain.Cut(f.command, 200))
	}
	return c
}
