package sigma

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Hit is a rule that matched.
type Hit struct {
	// Rule is its index in the set; [Set.Meta] tells id, title, level and tags.
	Rule int
	// Silent is set for a rule that a correlation rule refers to without
	// "generate: true": it is not to be reported by itself.
	Silent bool
}

// A Matcher is the memory that matching uses, kept from one event to the next.
// It belongs to one set and one goroutine. The zero value is ready.
type Matcher struct {
	set    *Set
	values []value // of the event
	at     []int32 // by field number: 1 + index in values, 0 for a missing field
	buf    []byte  // lower case of the values that need it
	tried  []uint64
	marked []int32 // rules set in tried
	hits   []Hit
	faults []int
}

// value is a field's value: as it is, made valid UTF-8, and in lower case.
type value struct {
	name     string
	field    int32 // -1 where no rule names the field
	raw, low string
	from, to int // of low in buf, until it is cut out; from is -1 if low is set
}

// Match returns the rules for events of this source that match the event, in
// the order of the set. What it returns is valid until the matcher's next use.
// A nil matcher is allowed and costs allocations.
func (s *Set) Match(m *Matcher, source LogSource, ev Event) []Hit {
	if m == nil {
		m = &Matcher{}
	}
	m.load(s, ev)
	for _, p := range s.parts {
		if !p.source.covers(source) {
			continue
		}
		x, err := s.partition(p)
		if err != nil {
			m.faults = append(m.faults, -1)
			continue
		}
		m.tryAll(x.always)
		m.scan(&x.long)
		m.scan(&x.short)
	}
	slices.SortFunc(m.hits, func(a, b Hit) int { return a.Rule - b.Rule })
	return m.hits
}

// Faults returns the rules that could not be evaluated in the last call of
// [Set.Match], because the cache that they come from is damaged in a way that
// its checksum does not show; -1 stands for all rules of a log source. They count
// as neither matching nor not matching: who asks must say so.
func (m *Matcher) Faults() []int { return m.faults }

// load reads an event into the matcher.
func (m *Matcher) load(s *Set, ev Event) {
	if m.set != s {
		*m = Matcher{set: s, at: make([]int32, len(s.fields)), tried: make([]uint64, (len(s.rules)+63)/64)}
	}
	for _, v := range m.values {
		if v.field >= 0 {
			m.at[v.field] = 0
		}
	}
	for _, r := range m.marked {
		m.tried[r/64] = 0
	}
	m.values, m.marked, m.hits, m.faults, m.buf = m.values[:0], m.marked[:0], m.hits[:0], m.faults[:0], m.buf[:0]
	for _, f := range ev {
		v := value{name: f.Name, field: -1, raw: f.Value, from: -1}
		if id, ok := s.fieldID[f.Name]; ok {
			v.field = id
			if m.at[id] == 0 { // the first of a name counts
				m.at[id] = int32(len(m.values) + 1)
			}
		}
		m.lower(&v)
		m.values = append(m.values, v)
	}
	low := string(m.buf) // one allocation for all values
	for i := range m.values {
		if v := &m.values[i]; v.from >= 0 {
			v.low = low[v.from:v.to]
		}
	}
}

// lower makes the lower case of a value: the value itself where it has no
// capitals, a stretch of buf otherwise.
func (m *Matcher) lower(v *value) {
	ascii, capital := true, false
	for i := range len(v.raw) {
		c := v.raw[i]
		ascii = ascii && c < utf8.RuneSelf
		capital = capital || c >= 'A' && c <= 'Z'
	}
	switch {
	case !ascii:
		v.raw = clean(v.raw)
		v.low = strings.ToLower(v.raw)
	case !capital:
		v.low = v.raw
	default:
		v.from = len(m.buf)
		m.buf = append(m.buf, v.raw...)
		v.to = len(m.buf)
		part := m.buf[v.from:]
		for i, c := range part {
			if c >= 'A' && c <= 'Z' {
				part[i] = c + 'a' - 'A'
			}
		}
	}
}

// scan tries the rules whose guards the event has.
func (m *Matcher) scan(x *index) {
	for _, f := range x.fields {
		if f == anyField {
			for i := range m.values {
				x.scan(m, anyField, m.values[i].low)
			}
		} else if at := m.at[f]; at != 0 {
			x.scan(m, f, m.values[at-1].low)
		}
	}
}

func (m *Matcher) tryAll(rules []int32) {
	for _, r := range rules {
		m.try(r)
	}
}

// try evaluates a rule unless it was evaluated before.
func (m *Matcher) try(r int32) {
	if m.tried[r/64]&(1<<(r%64)) != 0 {
		return
	}
	m.tried[r/64] |= 1 << (r % 64)
	m.marked = append(m.marked, r)
	n, err := m.set.tree(r)
	if err != nil {
		m.faults = append(m.faults, int(r))
		return
	}
	if n.eval(m) {
		m.hits = append(m.hits, Hit{int(r), m.set.rules[r].silenced})
	}
}

// Evidence is why a rule matched: a field, its value, and what the rule looked
// for in it.
type Evidence struct {
	Field, Value string
	// Test names the comparison: equals, startswith, endswith, contains,
	// pattern, re, cidr, compare, time, fieldref, null, exists.
	Test string
	// Pattern is what was found, in lower case unless the rule is cased.
	Pattern string
}

// Evidence returns what made a rule match the event that the matcher saw last:
// the comparisons that held, the first one of those that were linked with OR.
func (s *Set) Evidence(m *Matcher, rule int) []Evidence {
	n, err := s.tree(int32(rule))
	if err != nil || m.set != s {
		return nil
	}
	return n.evidence(m, nil)
}

func (n *node) evidence(m *Matcher, out []Evidence) []Evidence {
	switch n.op {
	case opLeaf:
		return n.leaf.evidence(m, out)
	case opNot:
		return out // that something is missing shows nowhere
	}
	for _, k := range n.kids {
		if k.eval(m) {
			if out = k.evidence(m, out); n.op == opOr {
				return out
			}
		}
	}
	return out
}

func (l *leaf) evidence(m *Matcher, out []Evidence) []Evidence {
	add := func(v *value, name string) []Evidence {
		text := l.expr
		if i := l.value(m, v); i >= 0 && len(l.texts) > 0 {
			text = l.texts[i]
		}
		return append(out, Evidence{Field: name, Value: v.raw, Test: l.test.String(), Pattern: text})
	}
	if l.field != anyField {
		name := m.set.fields[l.field]
		if at := m.at[l.field]; at != 0 {
			return add(&m.values[at-1], name)
		}
		return append(out, Evidence{Field: name, Test: l.test.String()})
	}
	for i := range m.values {
		if v := &m.values[i]; l.value(m, v) >= 0 {
			return add(v, v.name)
		}
	}
	return out
}

// String is the test's name in [Evidence].
func (t test) String() string {
	names := [...]string{
		"equals", "startswith", "endswith", "contains", "pattern", "re", "cidr", "compare", "time", "fieldref", "null", "exists",
	}
	if int(t) < len(names) {
		return names[t]
	}
	return "unknown"
}
