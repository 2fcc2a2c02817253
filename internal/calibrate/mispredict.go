package calibrate

import (
	"cmp"
	"slices"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/confine"
)

// maxMispredicted is how many pairs of a program and a deed are told apart; what comes
// behind them is counted without a name.
const maxMispredicted = 10_000

// A Misprediction is what the kernel refused one program, in confined commands, though
// no assessment had predicted it: heed says too little of the program, or it does what
// it should not.
type Misprediction struct {
	Program string `json:"program"` // who tried it, as the kernel calls it
	Verb    string `json:"verb"`    // what was tried
	Count   int    `json:"count"`
	// The last one: when, the command with its secrets taken out, and what was to be
	// changed or reached, if that is known.
	Last    audit.Stamp `json:"last"`
	Command string      `json:"command"`
	Target  string      `json:"target,omitempty"`
}

// A Mispredictions lists what was refused against predictions.
type Mispredictions struct {
	All int `json:"all"`
	// Unread counts those of which the row does not say in heed's words what was tried, and those
	// of programs beyond the number that is told apart.
	Unread int `json:"unread"`
	// Programs are those that occur most.
	Programs []Misprediction `json:"programs"`
	// More is how many pairs of a program and a verb are left out.
	More int `json:"more"`
}

// tried is a program and what it tried.
type tried struct{ program, verb string }

// mispredicted takes in what the kernel refused. What is refused while a preview or a
// lesson observes is no prediction's fault.
func (c *Calibration) mispredicted(r *audit.Row) {
	if confine.Observing(r.Reason) {
		return
	}
	c.refused++
	x, ok := confine.ReadUnexpected(r.Reason)
	k := tried{x.Program, string(x.Deed)}
	m := c.surprises[k]
	if !ok || m == nil && len(c.surprises) >= maxMispredicted {
		c.unread++
		return
	}
	if m == nil {
		m = &Misprediction{Program: k.program, Verb: k.verb}
		if c.surprises == nil {
			c.surprises = map[tried]*Misprediction{}
		}
		c.surprises[k] = m
	}
	m.Count++
	if r.Time >= m.Last {
		m.Last, m.Command, m.Target = r.Time, r.Command, x.Path
	}
}

// mispredictions lists them, those that occur most first.
func (c *Calibration) mispredictions() Mispredictions {
	out := Mispredictions{All: c.refused, Unread: c.unread, Programs: make([]Misprediction, 0, len(c.surprises))}
	for _, m := range c.surprises {
		out.Programs = append(out.Programs, *m)
	}
	slices.SortFunc(out.Programs, func(a, b Misprediction) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Program, b.Program), cmp.Compare(a.Verb, b.Verb))
	})
	n := min(len(out.Programs), maxShown)
	out.Programs, out.More = out.Programs[:n], len(out.Programs)-n
	return out
}
