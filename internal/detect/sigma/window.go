package sigma

import "slices"

// group is the events that one correlation remembers for one value of group-by,
// oldest first.
type group struct {
	key    groupKey
	events []occurrence
	counts map[string]int // of the values that are counted
	firing bool           // the condition held after the last event
	fired  int64          // when the correlation last hit
}

// occurrence is one event as a correlation remembers it.
type occurrence struct {
	at    int64
	seq   uint64 // number of the event: occurrences of one event share it
	ref   int32  // which of the correlation's rules matched
	value string // what is counted
	num   float64
}

func (g *group) add(o occurrence) {
	g.events = append(g.events, o)
	if o.value != "" {
		if g.counts == nil {
			g.counts = map[string]int{}
		}
		g.counts[o.value]++
	}
}

// drop forgets the n oldest occurrences.
func (g *group) drop(n int) {
	for _, o := range g.events[:n] {
		if o.value == "" {
			continue
		}
		if g.counts[o.value]--; g.counts[o.value] == 0 {
			delete(g.counts, o.value)
		}
	}
	if g.events = g.events[n:]; len(g.events) == 0 {
		g.events = nil // let go of the array
	}
}

// counted reports whether values are counted, rather than calculated with.
func (c *correlation) counted() bool {
	return c.Type == corValueCount || c.Type == corValuePercentile && c.Percentile < 0
}

// holds evaluates the condition on a group, whose last event is the one that
// just happened.
func (c *compiledCorrelation) holds(g *group) bool {
	if len(g.events) == 0 {
		return false
	}
	if c.Type >= corTemporal {
		return c.temporal(g)
	}
	x := c.measure(g)
	for _, b := range c.Bounds {
		if !b.Cmp.holds(x, b.Num) {
			return false
		}
	}
	return true
}

// measure calculates the number that the condition compares.
func (c *compiledCorrelation) measure(g *group) float64 {
	n := float64(len(g.events))
	switch c.Type {
	case corEventCount:
		return n
	case corValueCount:
		return float64(len(g.counts))
	case corValueSum:
		return g.sum()
	case corValueAvg:
		return g.sum() / n
	case corValueMedian:
		return g.percentile(50)
	case corValueMin:
		return g.percentile(0)
	case corValueMax:
		return g.percentile(100)
	}
	if c.Percentile >= 0 {
		return g.percentile(c.Percentile)
	}
	// The specification's form has no percentile: "a process name that appeared
	// in less than 1 % of all". It compares the share of the newest value.
	return 100 * float64(g.counts[g.events[len(g.events)-1].value]) / n
}

func (g *group) sum() float64 {
	s := 0.0
	for _, o := range g.events {
		s += o.num
	}
	return s
}

// percentile interpolates linearly between the two nearest ranks, so that 50 is
// the usual median.
func (g *group) percentile(p float64) float64 {
	nums := make([]float64, len(g.events))
	for i, o := range g.events {
		nums[i] = o.num
	}
	slices.Sort(nums)
	rank := p / 100 * float64(len(nums)-1)
	low := int(rank)
	if low+1 >= len(nums) {
		return nums[len(nums)-1]
	}
	return nums[low] + (rank-float64(low))*(nums[low+1]-nums[low])
}

// temporal evaluates which rules matched within the timespan, and for the
// ordered type whether they did in the order of the rules.
func (c *compiledCorrelation) temporal(g *group) bool {
	present := make([]bool, len(c.refs))
	distinct := 0
	for _, o := range g.events {
		if !present[o.ref] {
			present[o.ref] = true
			distinct++
		}
	}
	ordered := distinct
	if c.Type == corTemporalOrdered {
		ordered = c.longestChain(g)
	}
	switch {
	case c.expr != nil:
		return ordered == distinct && c.over(c.expr, present)
	case len(c.Bounds) == 0:
		return ordered == len(c.refs)
	}
	for _, b := range c.Bounds {
		if !b.Cmp.holds(float64(ordered), b.Num) {
			return false
		}
	}
	return true
}

// over evaluates an expression over rules.
func (c *compiledCorrelation) over(x *cond, present []bool) bool {
	switch x.kind {
	case condName:
		i := slices.Index(c.Rules, x.name)
		return i >= 0 && present[i]
	case condNot:
		return !c.over(x.kids[0], present)
	}
	for _, k := range x.kids {
		if c.over(k, present) == (x.kind == condOr) {
			return x.kind == condOr
		}
	}
	return x.kind == condAnd
}

// longestChain returns how many different rules matched one after another in
// the order of the rules, each by an event of its own.
func (c *compiledCorrelation) longestChain(g *group) int {
	best := make([]int, len(c.refs)) // longest chain that ends with the rule
	next := make([]int, len(c.refs))
	longest := 0
	for i := 0; i < len(g.events); {
		copy(next, best)
		seq := g.events[i].seq
		for ; i < len(g.events) && g.events[i].seq == seq; i++ {
			ref := g.events[i].ref
			n := 1
			for _, before := range best[:ref] {
				n = max(n, before+1)
			}
			next[ref] = max(next[ref], n)
			longest = max(longest, next[ref])
		}
		best, next = next, best
	}
	return longest
}
