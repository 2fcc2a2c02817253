package sigma

import (
	"math"
	"slices"
	"sync/atomic"
)

// Options says how rules are compiled.
type Options struct {
	// Placeholders are the values of %name% where a field has the modifier
	// expand. They are patterns: * and ? are wildcards. A rule with a
	// placeholder that has no value is refused.
	Placeholders map[string][]string
}

// A Set is many rules compiled together. It does not change and may be used by
// several goroutines, each with a [Matcher] of its own.
type Set struct {
	fields  []string         // names, by number
	fieldID map[string]int32 // numbers, by name
	rules   []setRule
	parts   []*part
	cors    []*compiledCorrelation // inner ones before those that refer to them
}

// setRule is a rule in a set. Of a cached set its parts are decoded when they
// are first asked for.
type setRule struct {
	meta     atomic.Pointer[Meta]
	body     atomic.Pointer[node] // nil for a correlation
	rawMeta  string
	rawBody  string
	silenced bool // a correlation speaks for it
}

// part is the rules of one log source. Of a cached set its partition is decoded
// when the first event of that source comes.
type part struct {
	source LogSource
	raw    string
	loaded atomic.Pointer[partition]
}

// partition finds the rules of one log source that may match an event.
type partition struct {
	always      []int32 // rules without a guard
	long, short index
}

// partition returns the partition of a part.
func (s *Set) partition(p *part) (*partition, error) {
	if x := p.loaded.Load(); x != nil {
		return x, nil
	}
	x, err := decodePartition(p.raw, len(s.fields), len(s.rules))
	if err != nil {
		return nil, err
	}
	p.loaded.CompareAndSwap(nil, x)
	return p.loaded.Load(), nil
}

// Compile makes a set of rules. The index of a rule in the set is the index in
// what [Set.Rules] returns; rules that are refused are not in it.
func Compile(rules []Rule, opts Options) (*Set, []Problem) {
	s := &Set{fieldID: map[string]int32{}}
	var problems []Problem
	var trees []*node
	kept := make([]*Rule, 0, len(rules))
	for i := range rules {
		r := &rules[i]
		if r.detection == nil {
			if r.correlation != nil {
				kept, trees = append(kept, r), append(trees, nil)
			}
			continue
		}
		c := compiler{placeholders: opts.Placeholders}
		n, err := c.detection(r.detection)
		if err != nil {
			problems = append(problems, problemOf(err, &r.Meta))
			continue
		}
		n.eachLeaf(s.intern)
		kept, trees = append(kept, r), append(trees, n)
	}
	kept, trees, more := s.correlate(kept, trees)
	s.rules = make([]setRule, len(kept))
	for i, r := range kept {
		meta := r.Meta
		s.rules[i].meta.Store(&meta)
		if trees[i] != nil {
			s.rules[i].body.Store(trees[i])
		}
	}
	for _, c := range s.cors {
		if !c.Generate {
			for _, ref := range c.refs {
				s.rules[ref].silenced = true
			}
		}
	}
	s.sort(kept, trees)
	return s, append(problems, more...)
}

// intern gives the fields of a leaf their numbers.
func (s *Set) intern(l *leaf) {
	number := func(name string) int32 {
		id, ok := s.fieldID[name]
		if !ok {
			id = int32(len(s.fields))
			s.fields = append(s.fields, name)
			s.fieldID[name] = id
		}
		return id
	}
	l.field = anyField
	if l.name != "" {
		l.field = number(l.name)
	}
	if l.test == testRef {
		l.other = number(l.ref)
	}
}

// sort puts the rules into the partitions of their log sources and indexes
// their guards.
func (s *Set) sort(rules []*Rule, trees []*node) {
	pop := popularity{}
	for _, n := range trees {
		if n != nil {
			pop.count(n)
		}
	}
	var sources []LogSource
	always := map[LogSource][]int32{}
	guards := map[LogSource]map[int32][]literal{}
	for i, r := range rules {
		if trees[i] == nil {
			continue
		}
		if guards[r.Source] == nil {
			guards[r.Source] = map[int32][]literal{}
			sources = append(sources, r.Source)
		}
		if g := pop.guard(trees[i]); g != nil {
			guards[r.Source][int32(i)] = g
		} else {
			always[r.Source] = append(always[r.Source], int32(i))
		}
	}
	for _, source := range sources {
		p := &part{source: source}
		p.loaded.Store(&partition{
			always: always[source],
			long:   indexOf(guards[source], longGram, math.MaxInt),
			short:  indexOf(guards[source], shortGram, longGram),
		})
		s.parts = append(s.parts, p)
	}
}

// Len returns how many rules the set has.
func (s *Set) Len() int { return len(s.rules) }

// Correlates reports whether the set has correlation rules.
func (s *Set) Correlates() bool { return len(s.cors) > 0 }

// Meta returns what rule i says of itself. Do not change it. For a set from a
// cache whose bytes were made with bad intent it may be empty.
func (s *Set) Meta(i int) *Meta {
	r := &s.rules[i]
	if m := r.meta.Load(); m != nil {
		return m
	}
	m, err := decodeMeta(r.rawMeta)
	if err != nil {
		m = &Meta{}
	}
	r.meta.CompareAndSwap(nil, m)
	return r.meta.Load()
}

// Rules returns what all rules say of themselves.
func (s *Set) Rules() []*Meta {
	out := make([]*Meta, len(s.rules))
	for i := range out {
		out[i] = s.Meta(i)
	}
	return out
}

// Unguarded returns the rules that are evaluated on every event of their log
// source, because no literal is known that their events must contain.
func (s *Set) Unguarded() []int {
	var out []int
	for _, p := range s.parts {
		x, err := s.partition(p)
		if err != nil {
			continue
		}
		for _, r := range x.always {
			out = append(out, int(r))
		}
	}
	slices.Sort(out)
	return out
}

// tree returns the compiled rule, decoding it if need be.
func (s *Set) tree(i int32) (*node, error) {
	r := &s.rules[i]
	if n := r.body.Load(); n != nil {
		return n, nil
	}
	n, err := decodeBody(r.rawBody, len(s.fields))
	if err != nil {
		return nil, err
	}
	r.body.CompareAndSwap(nil, n)
	return r.body.Load(), nil
}
