package calibrate

import (
	"cmp"
	"slices"
	"time"

	"github.com/heedsh/heed/internal/audit"
)

const (
	hastyMS = 3000
	// maxPrograms is how many programs of a row count: a longer list tells nothing of
	// any of them.
	maxPrograms = 32
	// maxShown is how many programs of a measure a report lists.
	maxShown = 200
)

// A Calibration takes rows in, in their order. The zero value has seen none and
// counts hours in UTC.
type Calibration struct {
	// Zone is where the hours are those of.
	Zone *time.Location

	report    Report
	answers   []answer
	commands  []command
	questions int
	asked     map[string]int // by program
	shapes    map[string]int
	surprises map[tried]*Misprediction
	refused   int // of the kernel, against predictions
	unread    int // of these
}

// An answer is what a person said of one command.
type answer struct {
	at       audit.Stamp
	tier     string
	rejected bool
	waited   int64 // milliseconds; 0 if the row does not say
	programs []string
}

// A command is one that was assessed.
type command struct {
	at       audit.Stamp
	tier     int
	shape    int
	catalog  string
	programs []string
}

// Add takes a row in.
func (c *Calibration) Add(r *audit.Row) {
	if c.report.Rows == 0 {
		c.report.From, c.report.To = r.Time, r.Time
	}
	c.report.Rows++
	c.report.From, c.report.To = min(c.report.From, r.Time), max(c.report.To, r.Time)
	switch r.Kind {
	case audit.Assessed:
		c.assessed(r)
	case audit.Asked:
		if c.asked == nil {
			c.asked = map[string]int{}
		}
		c.questions++
		for _, p := range distinct(r.Programs) {
			c.asked[p]++
		}
	case audit.Mispredicted:
		c.mispredicted(r)
	case audit.Approved, audit.Denied:
		if !byPerson(r.By) {
			return
		}
		programs := r.Decisive
		if len(programs) == 0 {
			programs = r.Programs
		}
		c.answers = append(c.answers, answer{r.Time, r.Tier, r.Kind == audit.Denied, r.WaitedMS, distinct(programs)})
	}
}

func (c *Calibration) assessed(r *audit.Row) {
	c.report.Commands++
	tier := slices.Index(tiers(), r.Tier)
	if tier < 0 {
		return // of a later heed
	}
	if c.shapes == nil {
		c.shapes = map[string]int{}
	}
	name := shape(r.Command)
	id, seen := c.shapes[name]
	if !seen {
		id = len(c.shapes)
		c.shapes[name] = id
	}
	c.commands = append(c.commands, command{r.Time, tier, id, r.Catalog, distinct(r.Programs)})
}

func tiers() []string { return []string{"SAFE", "CAUTION", "REVIEW"} }

// byPerson reports whether somebody answered, and no rule and no clock.
func byPerson(by string) bool { return by == "person" || by == "click" || by == "pin" }

// distinct are the programs of a row, each once.
func distinct(names []string) []string {
	out := make([]string, 0, min(len(names), maxPrograms))
	for _, n := range names[:min(len(names), maxPrograms)] {
		if n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// A trial is one observation of a share: whether something had what is counted.
type trial struct {
	at       audit.Stamp
	hit      bool
	programs []string
}

// trials are the answers about one tier. hasty counts approvals that were too quick
// to have been read, of those that say how long they took; else rejections count.
func (c *Calibration) trials(tier string, hasty bool) (out []trial) {
	for i := range c.answers {
		a := &c.answers[i]
		switch {
		case a.tier != tier:
		case !hasty:
			out = append(out, trial{a.at, a.rejected, a.programs})
		case !a.rejected && a.waited > 0:
			out = append(out, trial{a.at, a.waited < hastyMS, a.programs})
		}
	}
	return out
}

// measure counts trials, over all and by program.
func measure(all []trial) Measure {
	type count struct{ hits, of int }
	by, hits := map[string]*count{}, 0
	for i := range all {
		t := &all[i]
		if t.hit {
			hits++
		}
		for _, p := range t.programs {
			if by[p] == nil {
				by[p] = &count{}
			}
			by[p].of++
			if t.hit {
				by[p].hits++
			}
		}
	}
	m := Measure{All: shareOf(hits, len(all)), Programs: []Program{}}
	for name, n := range by {
		m.Programs = append(m.Programs, Program{name, shareOf(n.hits, n.of)})
	}
	return m.sorted()
}

func (m Measure) sorted() Measure {
	slices.SortFunc(m.Programs, func(a, b Program) int {
		return cmp.Or(cmp.Compare(b.Of, a.Of), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	m.Programs = m.Programs[:min(len(m.Programs), maxShown)]
	return m
}

// alarms is how many of the commands of a program were asked about.
func (c *Calibration) alarms() Measure {
	of := map[string]int{}
	for i := range c.commands {
		for _, p := range c.commands[i].programs {
			of[p]++
		}
	}
	m := Measure{Programs: []Program{}}
	for name, n := range of {
		m.Programs = append(m.Programs, Program{name, shareOf(min(c.asked[name], n), n)})
	}
	m.All = shareOf(min(c.questions, len(c.commands)), len(c.commands))
	return m.sorted()
}

// Report is what the rows say so far.
func (c *Calibration) Report() Report {
	out := c.report
	slices.SortStableFunc(c.answers, func(a, b answer) int { return cmp.Compare(a.at, b.at) }) // some are found out late
	out.Answers, out.Least = len(c.answers), Least
	safe, review, caution := c.trials("SAFE", false), c.trials("REVIEW", true), c.trials("CAUTION", false)
	out.Safe, out.Review, out.Caution, out.Alarms = measure(safe), measure(review), measure(caution), c.alarms()
	out.Pace = c.pace()
	out.Drift = c.drift()
	out.Mispredicted = c.mispredictions()
	out.Findings = []Finding{}
	for i := range out.Drift.Programs {
		if s := &out.Drift.Programs[i]; s.stands {
			out.Findings = append(out.Findings, Finding{Kind: AnswersShifted, Program: s.Name, Since: out.Drift.At, Shift: s})
		}
	}
	out.Findings = append(out.Findings, exceeding(SafeRejected, safe, safeLimit)...)
	out.Findings = append(out.Findings, exceeding(ReviewHasty, review, hastyLimit)...)
	out.Findings = append(out.Findings, spared(&out.Caution)...)
	return out
}
