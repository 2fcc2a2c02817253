package witness

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// A Tally counts by verb what examples said and did.
type Tally map[risk.Verb]*Count

// A Count is what was said and done of one verb.
type Count struct {
	Said, Seen   int // for certain, where the example ended well; of these, what happened
	Done, Unsaid int // what happened; of this, of what nothing was said
}

// Unseen is how much was said for certain and did not happen.
func (c *Count) Unseen() int { return c.Said - c.Seen }

// Add counts one example.
func (t Tally) Add(x *Example) {
	of := func(verb risk.Verb) *Count {
		if t[verb] == nil {
			t[verb] = &Count{}
		}
		return t[verb]
	}
	for _, d := range x.Done {
		c := of(d.Verb)
		c.Done++
		if !d.Told {
			c.Unsaid++
		}
	}
	if !x.Held() {
		return
	}
	for _, s := range x.Said {
		c := of(s.Verb)
		c.Said++
		if s.Seen {
			c.Seen++
		}
	}
}

// Sum is what all verbs are together.
func (t Tally) Sum() (sum Count) {
	for _, c := range t {
		sum.Said, sum.Seen, sum.Done, sum.Unsaid = sum.Said+c.Said, sum.Seen+c.Seen, sum.Done+c.Done, sum.Unsaid+c.Unsaid
	}
	return sum
}

// String is a table, a line for each verb; "" where nothing was counted.
func (t Tally) String() string {
	if len(t) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-12s %6s %6s %9s %6s %9s\n", "", "said", "seen", "not seen", "done", "not said")
	for _, verb := range slices.Sorted(maps.Keys(t)) {
		c := t[verb]
		fmt.Fprintf(&b, "%-12s %6d %6d %9d %6d %9d\n", verb, c.Said, c.Seen, c.Unseen(), c.Done, c.Unsaid)
	}
	return b.String()
}
