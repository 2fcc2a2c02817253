package suggest

import (
	"cmp"
	"slices"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/rulefile"
	"github.com/heedsh/heed/risk"
)

// Least is how many different targets and days a rule has to rest on.
const Least = 3

// maxListed is how many commands are listed of each kind.
const maxListed = 10

// A Seen is a command of the log as it is judged now.
type Seen struct {
	*Command
	Assessment *risk.Assessment
}

// An Attack is a command that no rule may speak of.
type Attack struct {
	ID         string
	Request    risk.Request
	Assessment *risk.Assessment
}

// An Input is what rules are looked for in.
type Input struct {
	Rules   *policy.Set // in force
	At      policy.Session
	Log     []Seen
	Attacks []Attack
}

// A Suggestion is a rule with its evidence.
type Suggestion struct {
	ID   string      `json:"id"` // also that of the rule
	Rule policy.Rule `json:"-"`
	// Text is the rule as a file of rules has it.
	Text string `json:"rule"`

	// What it rests on: how many different targets and days, targets and days were
	// approved, by how many answers.
	Pairs   int    `json:"pairs"`
	Targets int    `json:"targets"`
	Days    int    `json:"days"`
	Answers int    `json:"answers"`
	Last    string `json:"last"` // the last of the days
	// Approved are commands among these.
	Approved []string `json:"approved"`
	// Spared is how many questions of the log it would have spared, of how many.
	Spared    int `json:"spared"`
	Questions int `json:"questions"`
	// Also are commands of the log that it would have let run beside those that people
	// approved, and AlsoAll how many there are.
	Also    []string `json:"also"`
	AlsoAll int      `json:"also_all"`
	// Attacks is how many attacks it was held against. It speaks of none.
	Attacks int `json:"attacks"`
}

// Find proposes rules, those that spare most first.
func Find(in *Input) []Suggestion {
	f := newFinder(in)
	var out []Suggestion
	for _, g := range groups(in) {
		for _, c := range g.candidates() {
			if s, ok := f.suggestion(c); ok && !slices.ContainsFunc(out, func(o Suggestion) bool { return o.ID == s.ID }) {
				out = append(out, s)
			}
		}
	}
	slices.SortFunc(out, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(b.Spared, a.Spared), cmp.Compare(b.Pairs, a.Pairs), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// A finder holds candidates against what they must not speak of.
type finder struct {
	in *Input
	// attacks and log are the indexes of attacks and of commands of the log by the
	// programs that they start.
	attacks, log map[string][]int
	questions    int
	allowed      []bool // of the log: it runs unasked by the rules in force
}

func newFinder(in *Input) *finder {
	f := &finder{in: in, attacks: map[string][]int{}, log: map[string][]int{}, allowed: make([]bool, len(in.Log))}
	for i := range in.Attacks {
		index(f.attacks, in.Attacks[i].Assessment, i)
	}
	for i := range in.Log {
		x := &in.Log[i]
		index(f.log, x.Assessment, i)
		f.questions += x.Asked
		f.allowed[i] = in.Rules.Decide(x.Assessment, f.session(&x.Request)).Action == policy.Allow
	}
	return f
}

// index puts a number under each program that a command starts.
func index(by map[string][]int, a *risk.Assessment, i int) {
	for _, d := range policy.Deeds(a) {
		if all := by[d.Program]; len(all) == 0 || all[len(all)-1] != i {
			by[d.Program] = append(all, i)
		}
	}
}

// suggestion makes a suggestion of a candidate, if it may be one.
func (f *finder) suggestion(c *candidate) (Suggestion, bool) {
	r := c.rule()
	alone := &policy.Set{Rules: []policy.Rule{r}}
	for _, i := range f.attacks[c.program] {
		if a := &f.in.Attacks[i]; speaks(alone, r.ID, a.Assessment, f.session(&a.Request)) {
			return Suggestion{}, false
		}
	}
	with := *f.in.Rules
	with.Rules = append(slices.Clone(with.Rules), r)
	s := Suggestion{ID: r.ID, Rule: r, Text: text(&r), Pairs: c.pairs, Targets: c.targets, Days: c.days, Answers: c.answers, Last: c.last, Questions: f.questions, Attacks: len(f.in.Attacks), Approved: []string{}, Also: []string{}}
	for _, i := range f.log[c.program] {
		x := &f.in.Log[i]
		at := f.session(&x.Request)
		if len(x.No) > 0 && speaks(alone, r.ID, x.Assessment, at) {
			return Suggestion{}, false
		}
		if f.allowed[i] || with.Decide(x.Assessment, at).Action != policy.Allow {
			continue
		}
		s.Spared += x.Asked
		if len(x.Yes) > 0 {
			s.Approved = append(s.Approved, x.Request.Command)
			continue
		}
		s.AlsoAll++
		s.Also = append(s.Also, x.Request.Command)
	}
	// The newest say most.
	s.Approved, s.Also = newest(s.Approved), newest(s.Also)
	s.Rule.Examples.Match = s.Approved[:min(len(s.Approved), 5)]
	return s, s.Spared > 0
}

func newest(all []string) []string {
	slices.Reverse(all)
	return all[:min(len(all), maxListed)]
}

// speaks reports whether a rule, alone, decides about any part of a command.
func speaks(alone *policy.Set, id string, a *risk.Assessment, at policy.Session) bool {
	return slices.ContainsFunc(alone.Decide(a, at).Parts, func(p policy.Part) bool { return p.Rule == id })
}

// session is that of a request of the log.
func (f *finder) session(req *risk.Request) policy.Session {
	at := f.in.At
	at.Agent, at.Provenance = req.Agent, req.Provenance
	return at
}

// text is a rule as a file has it.
func text(r *policy.Rule) string { return rulefile.Text(r) }
