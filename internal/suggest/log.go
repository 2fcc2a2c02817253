package suggest

import (
	"slices"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/risk"
)

// maxCommands is how many different commands of a log are kept, the newest.
const maxCommands = 10_000

// A Command is one command of the log, however often it was handed over.
type Command struct {
	Request risk.Request // without an environment: the log has none
	Tier    string       // as it was judged last
	Runs    int          // how often it was assessed
	Asked   int          // how often somebody was asked
	Yes, No []string     // the days on which people approved and rejected it, once each
	Clicks  int          // how often people approved it
	// Unfit is set where the row does not hold the command as it was: a secret was
	// taken out, or its middle.
	Unfit bool
	last  uint64
}

// A Log is the commands of rows. The zero value holds none and counts days in UTC.
type Log struct {
	// Zone is where the days are those of.
	Zone *time.Location
	all  map[key]*Command
}

type key struct{ command, dir, shell, provenance, agent string }

// Add takes a row in.
func (l *Log) Add(r *audit.Row) {
	switch r.Kind {
	case audit.Assessed, audit.Asked, audit.Approved, audit.Denied:
	default:
		return
	}
	if r.Command == "" {
		return
	}
	c := l.command(r)
	c.Tier, c.last = r.Tier, r.Seq
	c.Unfit = c.Unfit || r.Masked || slices.Contains(r.Cut, "command") || slices.Contains(r.Cut, "dir")
	day := l.day(r.Time)
	switch {
	case r.Kind == audit.Assessed:
		c.Runs++
	case r.Kind == audit.Asked:
		c.Asked++
	case r.Kind == audit.Denied:
		// Also what a rule rejected: nothing that was ever rejected becomes allowed.
		c.No = once(c.No, day)
	case r.By == "person" || r.By == "click" || r.By == "pin":
		c.Yes = once(c.Yes, day)
		c.Clicks++
	}
}

func (l *Log) command(r *audit.Row) *Command {
	k := key{r.Command, r.Dir, r.Shell, r.Provenance, r.Agent}
	if l.all == nil {
		l.all = map[key]*Command{}
	}
	if l.all[k] == nil {
		l.all[k] = &Command{Request: risk.Request{Command: r.Command, Dir: r.Dir, Shell: r.Shell, Provenance: risk.Provenance(r.Provenance), Agent: r.Agent}}
	}
	return l.all[k]
}

func (l *Log) day(at audit.Stamp) string {
	zone := l.Zone
	if zone == nil {
		zone = time.UTC
	}
	return at.Time().In(zone).Format(time.DateOnly)
}

func once(days []string, day string) []string {
	if slices.Contains(days, day) {
		return days
	}
	return append(days, day)
}

// Commands lists the commands in the order in which they came last. Rejected ones are
// all there; of the others only so many, the newest.
func (l *Log) Commands() []*Command {
	out := make([]*Command, 0, len(l.all))
	for _, c := range l.all {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b *Command) int { return int(a.last) - int(b.last) })
	drop := len(out) - maxCommands
	return slices.DeleteFunc(out, func(c *Command) bool {
		drop--
		return drop >= 0 && len(c.No) == 0
	})
}
