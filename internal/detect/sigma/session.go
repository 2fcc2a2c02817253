package sigma

import (
	"container/list"
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"
)

// The bounds of a session's memory.
const (
	maxOccurrences = 1 << 14 // events that are remembered, of all correlations
	maxGroups      = 1 << 12 // groups (values of group-by) that are remembered
	maxKept        = 256     // bytes of a value; of longer ones a digest is kept
)

// A Session evaluates the correlation rules of a set over a sequence of events.
// Its memory is bounded: beyond 16,384 remembered events or 4,096 groups it
// forgets the group that has had no event for longest. It belongs to one
// goroutine.
//
// A correlation is evaluated after each event that one of its rules matches,
// over the events of the same group not older than its timespan. It hits when
// its condition begins to hold, and again if it still holds a timespan later.
// Events without a field that group-by names do not count.
type Session struct {
	set    *Set
	now    int64
	seq    uint64
	groups map[groupKey]*list.Element
	recent *list.List // of *group, the one touched last in front
	total  int        // occurrences in all groups
	hits   []Hit
	fired  []firedCorrelation
}

// groupKey is a correlation and the values of its group-by fields.
type groupKey struct {
	cor    int
	values string
}

// firedCorrelation is a hit that outer correlations take for an event: it has
// the fields of the event, and those of group-by.
type firedCorrelation struct {
	rule   int32
	fields []Field
}

// NewSession begins a session without events.
func (s *Set) NewSession() *Session {
	return &Session{set: s, groups: map[groupKey]*list.Element{}, recent: list.New()}
}

// Add takes the next event: its time in nanoseconds, its fields, and the hits of
// [Set.Match] for it. It returns the correlations that hit; the slice is valid
// until the next call. Events come in the order of time; one that claims to be
// earlier than the last is taken to have happened with it.
func (s *Session) Add(at int64, ev Event, hits []Hit) []Hit {
	if s.seq > 0 && at < s.now {
		at = s.now
	}
	s.now = at
	s.seq++
	s.hits, s.fired = s.hits[:0], s.fired[:0]
	for i, c := range s.set.cors {
		s.correlate(i, c, ev, hits)
	}
	return s.hits
}

// Len returns how many events are remembered, of all correlations.
func (s *Session) Len() int { return s.total }

// correlate evaluates one correlation on the event.
func (s *Session) correlate(cor int, c *compiledCorrelation, ev Event, hits []Hit) {
	var touched []*group
	for i, ref := range c.refs {
		fields, ok := s.matched(ref, hits)
		if !ok {
			continue
		}
		lookup := func(name string) (string, bool) {
			if v, ok := Event(fields).Get(name); ok {
				return v, true
			}
			return ev.Get(name)
		}
		key, ok := groupValues(c.groupBy[i], lookup)
		if !ok {
			continue
		}
		g := s.group(groupKey{cor, key})
		if c.Type < corTemporal && slices.Contains(touched, g) {
			continue // an event counts once, whichever rules match it
		}
		if o, ok := s.occurrence(c, i, lookup); ok {
			s.remember(g, o)
			touched = append(touched, g)
		}
	}
	for i, g := range touched {
		if e := s.groups[g.key]; slices.Contains(touched[:i], g) || e == nil || e.Value.(*group) != g {
			continue // done, or forgotten for the sake of the next one
		}
		s.expire(g, s.now-c.Timespan)
		holds := c.holds(g)
		if holds && (!g.firing || s.now-g.fired > c.Timespan) {
			g.fired = s.now
			s.fire(c, g)
		}
		g.firing = holds
	}
}

// matched reports whether a rule, or an inner correlation, matched this event,
// and with which additional fields.
func (s *Session) matched(rule int32, hits []Hit) ([]Field, bool) {
	for _, h := range hits {
		if h.Rule == int(rule) {
			return nil, true
		}
	}
	for _, f := range s.fired {
		if f.rule == rule {
			return f.fields, true
		}
	}
	return nil, false
}

func (s *Session) fire(c *compiledCorrelation, g *group) {
	for _, h := range s.hits {
		if h.Rule == int(c.rule) {
			return // another group of the same event
		}
	}
	s.hits = append(s.hits, Hit{int(c.rule), s.set.rules[c.rule].silenced})
	f := firedCorrelation{rule: c.rule}
	for i, v := range splitValues(g.key.values) {
		if i < len(c.GroupBy) {
			f.fields = append(f.fields, Field{c.GroupBy[i], v})
		}
	}
	s.fired = append(s.fired, f)
}

// groupValues joins the values of the group-by fields, each behind its length.
func groupValues(fields []string, lookup func(string) (string, bool)) (string, bool) {
	var b strings.Builder
	for _, f := range fields {
		v, ok := lookup(f)
		if !ok {
			return "", false
		}
		v = digest(v)
		b.WriteString(strconv.Itoa(len(v)))
		b.WriteByte(':')
		b.WriteString(v)
	}
	return b.String(), true
}

// splitValues undoes groupValues.
func splitValues(s string) []string {
	var out []string
	for s != "" {
		n, rest, _ := strings.Cut(s, ":")
		size, err := strconv.Atoi(n)
		if err != nil || size > len(rest) {
			return out
		}
		out = append(out, rest[:size])
		s = rest[size:]
	}
	return out
}

// digest keeps short values as they are and long ones as their SHA-256.
func digest(v string) string {
	if len(v) <= maxKept {
		return strings.Clone(v)
	}
	sum := sha256.Sum256([]byte(v))
	return "sha256:" + string(sum[:])
}

// group returns the group of a key, the one that was touched last.
func (s *Session) group(k groupKey) *group {
	if e := s.groups[k]; e != nil {
		s.recent.MoveToFront(e)
		return e.Value.(*group)
	}
	if len(s.groups) >= maxGroups {
		s.forgetOldest()
	}
	g := &group{key: k}
	s.groups[k] = s.recent.PushFront(g)
	return g
}

func (s *Session) forgetOldest() {
	e := s.recent.Back()
	g := s.recent.Remove(e).(*group)
	delete(s.groups, g.key)
	s.total -= len(g.events)
}

// occurrence makes what is remembered of an event for a correlation. An event
// without the field that is counted, or with no number in it, does not count.
func (s *Session) occurrence(c *compiledCorrelation, ref int, lookup func(string) (string, bool)) (occurrence, bool) {
	o := occurrence{at: s.now, seq: s.seq, ref: int32(ref)}
	if c.Type == corEventCount || c.Type >= corTemporal {
		return o, true
	}
	v, ok := groupValues(c.Fields, lookup)
	if !ok {
		return o, false
	}
	if c.counted() {
		o.value = digest(v)
		return o, true
	}
	text, _ := lookup(c.Fields[0])
	var err error
	o.num, err = strconv.ParseFloat(strings.TrimSpace(text), 64)
	return o, err == nil && o.num-o.num == 0 // neither NaN nor infinite
}

// remember adds an occurrence and forgets others if there are too many.
func (s *Session) remember(g *group, o occurrence) {
	g.add(o)
	s.total++
	for s.total > maxOccurrences {
		if oldest := s.recent.Back().Value.(*group); oldest != g {
			s.forgetOldest()
			continue
		}
		g.drop(1)
		s.total--
	}
}

// expire forgets the occurrences of a group before a time.
func (s *Session) expire(g *group, before int64) {
	n := 0
	for n < len(g.events) && g.events[n].at < before {
		n++
	}
	g.drop(n)
	s.total -= n
}
