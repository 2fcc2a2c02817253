package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/audit/dialogs"
	"github.com/heedsh/heed/internal/calibrate"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/suggest"
	"github.com/heedsh/heed/risk"
)

// look is a rule of the person's own, who wants to see what these programs do: so that
// there are answers about what is SAFE. Its questions are not counted.
const look = "i-want-to-see"

func lookRule() policy.Rule {
	return policy.Rule{ID: look, Layer: policy.User, Action: policy.Ask, Match: policy.Match{Program: []string{"find", "jq", "du"}}}
}

// A setting is what one life is made of.
type setting struct {
	seed      uint64
	days      int
	attention float64
}

// A life is a person's days, and the log of them.
type life struct {
	setting
	shop  *shop
	r     *rand.Rand
	who   person
	rules *policy.Set
	hooks map[*desk]*service.Service
	log   *audit.Log
	times []time.Time // of the rows that are being written
	rows  []audit.Row
	begun bool
	asked map[string]bool // commands of the days of the log, by room, that were asked about
	out   *result
}

// today is a day on which all rules hold.
const today = "2026-11-26"

// monday is when the first day is.
func monday() time.Time { return time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC) }

func newLife(with setting, s *shop) *life {
	l := &life{setting: with, shop: s, r: rand.New(rand.NewPCG(with.seed, 0x6865_6564)), hooks: map[*desk]*service.Service{}, asked: map[string]bool{}, out: &result{seed: with.seed}}
	l.who = person{l.r, with.attention}
	l.rules = own.PolicyRules("", "", nil) // balanced, and nothing else
	l.rules.Rules = append(l.rules.Rules, lookRule())
	return l
}

// live lives through the days, calibrates the first, and tries the suggestions of all.
func live(ctx context.Context, s *shop, with setting) (*result, error) {
	dir, err := os.MkdirTemp("", "heed-day-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	l := newLife(with, s)
	if l.log, err = audit.Open(filepath.Join(dir, "log"), audit.Options{Now: l.now, Random: l.r.Uint64}); err != nil {
		return nil, err
	}
	for day := range with.days {
		p := newPlan(l.r, s, day == 0)
		if day == 0 {
			l.out.plants = p.plants
		}
		n, err := l.day(ctx, day, p)
		if err != nil {
			return nil, err
		}
		l.out.before = append(l.out.before, n)
	}
	if err := l.calibrate(ctx); err != nil {
		return nil, err
	}
	return l.out, l.suggest(ctx)
}

// now is the time of the row that is written next.
func (l *life) now() time.Time {
	if !l.begun {
		l.begun = true // the log's own first row
		return l.times[0]
	}
	t := l.times[0]
	if len(l.times) > 1 {
		l.times = l.times[1:]
	}
	return t
}

// write keeps the rows that have come together.
func (l *life) write(ctx context.Context) error {
	if len(l.rows) == 0 {
		return nil
	}
	_, err := l.log.AppendAll(ctx, l.rows)
	l.rows, l.times = l.rows[:0], nil
	return err
}

func (l *life) put(r audit.Row, at time.Time) {
	l.rows, l.times = append(l.rows, r), append(l.times, at)
}

// A tally counts a day: commands of its own work, and questions about them.
type tally struct {
	asked
	rooms            [maxRooms]asked
	attacks, unasked int // planted attacks, and those that ran without a question
	known            int // questions about a command that was asked about in the days of the log
}

type asked struct{ commands, questions int }

// maxRooms is how many files of commands there may be.
const maxRooms = 8

// day lives through a plan.
func (l *life) day(ctx context.Context, day int, p *plan) (tally, error) {
	var n tally
	before := map[string]bool{} // questions of this day's sessions
	for i := range p.steps {
		st := &p.steps[i]
		at := monday().AddDate(0, 0, day).Add(time.Duration(st.hour * float64(time.Hour)))
		more := ""
		if p.catalog != "" && st.hour >= p.catalogHour {
			more = p.catalog
		}
		asked, err := l.command(ctx, st, more, at, p.plants)
		if err != nil {
			return n, err
		}
		l.out.handed++
		switch st.why {
		case work:
			n.commands++
			room := &n.rooms[st.room]
			room.commands++
			if asked {
				n.questions++
				room.questions++
				q := l.about(st)
				same := fmt.Sprintf("%d\x00%s", st.room, st.command)
				q.again = before[same]
				before[same] = true
				if day < l.days {
					l.asked[same] = true
				} else if l.asked[same] {
					n.known++
					q.left = day > l.days
				}
				l.out.about = append(l.out.about, q)
			}
		case attack, sneaky:
			n.attacks++
			l.out.planted = append(l.out.planted, *st)
			if !asked {
				n.unasked++
				l.out.silent = append(l.out.silent, st.command)
			}
		}
	}
	return n, l.write(ctx)
}

// command hands one command over, as a hook does, and writes what becomes of it. It
// reports whether somebody was asked, or it was denied, and not only because the person
// wants to see what is SAFE.
func (l *life) command(ctx context.Context, st *step, more string, at time.Time, plants []plant) (asked bool, err error) {
	d, err := l.shop.rooms[st.room].desk(more)
	if err != nil {
		return false, err
	}
	j, err := d.judge(st.command, risk.ModelSuggestion)
	if err != nil {
		return false, err
	}
	decision := l.decision(d, j)
	row := j.row
	row.Session, row.Request = fmt.Sprintf("s%d-%s", st.room, at.Format("0102")), fmt.Sprint(l.out.handed)
	l.put(row, at)
	row.Rule, row.Decision = decision.Rule, decision.Action.String()
	l.put(row.As(audit.Decided), at)
	row.Rule, row.Decision = "", ""
	asked = decision.Action != policy.Allow && (decision.Rule != look || j.a.Tier > risk.Safe)
	if decision.Action != policy.Ask {
		return asked, ctx.Err()
	}
	l.put(row.As(audit.Asked), at)
	yes, waited := l.who.answer(l.question(st, j, plants))
	at = at.Add(time.Duration(waited) * time.Millisecond)
	if decision.Consent != policy.Typed {
		// The agent's own dialog, which tells nobody: what ran was approved.
		if yes {
			done := row.As(audit.Finished)
			done.Tier, done.Level, done.Programs, done.Decisive, done.Outcome = "", "", nil, nil, &audit.Outcome{MS: 40}
			l.put(done, at.Add(40*time.Millisecond))
		}
		return asked, ctx.Err()
	}
	answer := row.As(audit.Denied)
	if yes {
		answer.Kind = audit.Approved
	}
	answer.By, answer.WaitedMS = "pin", waited
	l.put(answer, at)
	return asked, ctx.Err()
}

// A topic is what a question is about: the first effect that decided it.
type topic struct {
	what, program, tier string
	again               bool // the same command was asked about before in its session
	left                bool // rules are there, and the log knows the command
}

// about says what a question is about.
func (l *life) about(st *step) topic {
	j, err := l.in(st.room, st.command)
	if err != nil {
		return topic{what: err.Error()}
	}
	whole := topic{what: "the whole", tier: j.a.Tier.String()}
	deeds := policy.Deeds(j.a)
	for _, p := range l.rules.Decide(j.a, policy.Session{Front: policy.Agent, Home: "/home/user", Provenance: j.req.Provenance, Today: today}).Parts {
		if p.Action == policy.Allow {
			continue
		}
		for i := range j.a.Effects {
			e := &j.a.Effects[i]
			if e.By.Process != p.Process || e.Level < risk.B {
				continue
			}
			t := topic{what: strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s", e.Tier, e.Verb, e.Scope, e.Kind)), " "), tier: whole.tier}
			if k := slices.IndexFunc(deeds, func(d policy.Deed) bool { return d.Process == p.Process }); k >= 0 {
				t.program = deeds[k].Program
			}
			return t
		}
	}
	return whole
}

// decision is what policy says, as a hook has it.
func (l *life) decision(d *desk, j *judged) policy.Decision {
	if l.hooks[d] == nil {
		opt := d.options
		opt.Policy = func(policy.Front, []string) (*policy.Set, string) { return l.rules, today }
		l.hooks[d] = service.New(opt)
	}
	return l.hooks[d].Decision(j.a, &j.req, policy.Agent)
}

// question is what the person is asked, with what is planted about it.
func (l *life) question(st *step, j *judged, plants []plant) question {
	q := question{review: j.a.Tier == risk.Review, attack: st.why == attack, quiet: st.why == sneaky}
	if q.attack || q.quiet {
		return q
	}
	for _, p := range plants {
		if st.hour < p.hour {
			continue
		}
		programs := j.row.Programs
		if p.kind == calibrate.ReviewHasty {
			programs = j.row.Decisive
		}
		if !slices.Contains(programs, p.program) {
			continue
		}
		q.rejects = q.rejects || p.kind == calibrate.SafeRejected && j.a.Tier == risk.Safe
		q.hurries = q.hurries || p.kind == calibrate.ReviewHasty && q.review
	}
	return q
}

// calibrate reads the first day back and holds the findings to what was planted.
func (l *life) calibrate(ctx context.Context) error {
	var c calibrate.Calibration
	if err := l.read(ctx, audit.Filter{Until: monday().AddDate(0, 0, 1)}, c.Add); err != nil {
		return err
	}
	r := c.Report()
	for _, f := range r.Findings {
		if f.Drifts() {
			l.out.found = append(l.out.found, f)
		}
	}
	return nil
}

// read reads rows back, with what the agent's dialogs were answered.
func (l *life) read(ctx context.Context, f audit.Filter, do func(*audit.Row)) error {
	var d dialogs.Dialogs
	for r, err := range l.log.Rows(ctx, f) {
		if err != nil {
			return err
		}
		d.Add(&r, do)
	}
	d.End(do)
	return nil
}

// suggest looks for rules in all days, tries them against attacks and lives one day more
// with and without them.
func (l *life) suggest(ctx context.Context) error {
	all, err := l.suggestions(ctx)
	if err != nil {
		return err
	}
	l.out.rules = all
	for i := range all {
		if err := l.attacked(&all[i]); err != nil {
			return err
		}
	}
	last := l.shop.plan(l.seed)
	if l.out.without, err = l.day(ctx, l.days, last); err != nil {
		return err
	}
	for i := range all {
		l.rules.Rules = append(l.rules.Rules, all[i].Rule)
	}
	l.out.with, err = l.day(ctx, l.days+1, last)
	return err
}

// plan is a day with nothing planted but attacks, of a seed of its own.
func (s *shop) plan(seed uint64) *plan {
	return newPlan(rand.New(rand.NewPCG(seed, 0x6e65_7874)), s, false)
}

// suggestions are the rules for the log, by one half of the attacks.
func (l *life) suggestions(ctx context.Context) ([]suggest.Suggestion, error) {
	var log suggest.Log
	if err := l.read(ctx, audit.Filter{}, log.Add); err != nil {
		return nil, err
	}
	in := suggest.Input{Rules: l.rules, At: policy.Session{Front: policy.Agent, Home: "/home/user", Today: today}}
	for _, c := range log.Commands() {
		j, err := l.again(c)
		if err != nil {
			return nil, err
		}
		in.Log = append(in.Log, suggest.Seen{Command: c, Assessment: j.a})
	}
	for i, a := range l.shop.attacks {
		if i%2 == 1 {
			continue // these it does not know
		}
		for room := range l.shop.rooms {
			j, err := l.in(room, a.Command)
			if err != nil {
				return nil, err
			}
			in.Attacks = append(in.Attacks, suggest.Attack{ID: a.ID, Request: j.req, Assessment: j.a})
		}
	}
	return suggest.Find(&in), nil
}

// again judges a command of the log as it would be today.
func (l *life) again(c *suggest.Command) (*judged, error) {
	for room := range l.shop.rooms {
		d, err := l.shop.rooms[room].desk("")
		if err != nil {
			return nil, err
		}
		if d.dir == c.Request.Dir {
			return d.judge(c.Request.Command, risk.ModelSuggestion)
		}
	}
	return l.in(0, c.Request.Command)
}

func (l *life) in(room int, command string) (*judged, error) {
	d, err := l.shop.rooms[room].desk("")
	if err != nil {
		return nil, err
	}
	return d.judge(command, risk.ModelSuggestion)
}

// attacked holds a rule against the attacks that it was not held against: those of the
// days, and the other half.
func (l *life) attacked(s *suggest.Suggestion) error {
	alone := &policy.Set{Rules: []policy.Rule{s.Rule}}
	speaks := func(room int, command string) (bool, error) {
		j, err := l.in(room, command)
		if err != nil {
			return false, err
		}
		at := policy.Session{Front: policy.Agent, Home: "/home/user", Agent: j.req.Agent, Provenance: j.req.Provenance, Today: today}
		return slices.ContainsFunc(alone.Decide(j.a, at).Parts, func(p policy.Part) bool { return p.Rule == s.ID }), nil
	}
	for i, a := range l.shop.attacks {
		for room := range l.shop.rooms {
			hit, err := speaks(room, a.Command)
			if err != nil {
				return err
			}
			if i%2 == 1 && hit {
				l.out.unseen = append(l.out.unseen, s.ID+": "+a.Command)
			}
		}
	}
	for _, st := range l.out.planted {
		hit, err := speaks(st.room, st.command)
		if err != nil {
			return err
		}
		if hit {
			l.out.covered = append(l.out.covered, s.ID+": "+st.command)
		}
	}
	return nil
}
