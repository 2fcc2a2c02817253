package pure

import "slices"

// A reSet is a set of characters: ASCII ones singly, all others together.
type reSet struct {
	ascii [2]uint64
	high  bool // every character above 127
}

func (s *reSet) add(c byte) { s.ascii[c>>6&1] |= 1 << (c & 63) }

func (s reSet) has(c byte) bool { return s.ascii[c>>6&1]>>(c&63)&1 != 0 }

func (s reSet) not() reSet {
	return reSet{[2]uint64{^s.ascii[0], ^s.ascii[1]}, !s.high}
}

func (s reSet) and(t reSet) reSet {
	return reSet{[2]uint64{s.ascii[0] & t.ascii[0], s.ascii[1] & t.ascii[1]}, s.high && t.high}
}

func (s reSet) or(t reSet) reSet {
	return reSet{[2]uint64{s.ascii[0] | t.ascii[0], s.ascii[1] | t.ascii[1]}, s.high || t.high}
}

func (s reSet) empty() bool { return s == reSet{} }

func (s reSet) within(t reSet) bool { return s.and(t) == s }

// folded is s with the other case of every letter added.
func (s reSet) folded() reSet {
	for c := byte('a'); c <= 'z'; c++ {
		if s.has(c) || s.has(toUpper(c)) {
			s.add(c)
			s.add(toUpper(c))
		}
	}
	return s
}

// setOf is the set of the ASCII characters that pass the test.
func setOf(in func(byte) bool) reSet {
	var s reSet
	for c := range 128 {
		if in(byte(c)) {
			s.add(byte(c))
		}
	}
	return s
}

func isWordByte(c byte) bool { return isAlnum(c) || c == '_' }

func wordSet() reSet { return setOf(isWordByte) }

// A reOp is the kind of a node.
type reOp uint8

const (
	reChars     reOp = iota // one character of a set
	reRune                  // one character above 127
	reCat                   // subs one after another
	reAlt                   // one of subs
	reRepeat                // subs[0], min to max times
	reGroup                 // subs[0], captured
	reBegin                 // ^
	reEnd                   // $
	reTextBegin             // \`
	reTextEnd               // \'
	reWordEdge              // \b
	reWordStart             // \<
	reWordEnd               // \>
)

// A reNode is a parsed POSIX regular expression.
type reNode struct {
	op       reOp
	set      reSet
	char     rune
	min, max int // max < 0: no bound
	subs     []*reNode
}

func (n *reNode) assertion() bool { return n.op >= reBegin }

func (n *reNode) leaf() bool { return n.op == reChars || n.op == reRune }

// leafSet is what a leaf may match.
func (n *reNode) leafSet() reSet {
	if n.op == reRune {
		return reSet{high: true}
	}
	return n.set
}

// any reports whether some node of the tree passes the test.
func (n *reNode) any(test func(*reNode) bool) bool {
	return test(n) || slices.ContainsFunc(n.subs, func(s *reNode) bool { return s.any(test) })
}

func (n *reNode) nullable() bool {
	switch n.op {
	case reChars, reRune:
		return false
	case reCat:
		return !slices.ContainsFunc(n.subs, func(s *reNode) bool { return !s.nullable() })
	case reAlt:
		return slices.ContainsFunc(n.subs, (*reNode).nullable)
	case reRepeat:
		return n.min == 0 || n.subs[0].nullable()
	case reGroup:
		return n.subs[0].nullable()
	}
	return true
}

// first is the set of characters that a non-empty match may begin with, and
// last the set that it may end with.
func (n *reNode) first() reSet { return n.edge(false) }
func (n *reNode) last() reSet  { return n.edge(true) }

func (n *reNode) edge(last bool) reSet {
	var s reSet
	switch n.op {
	case reChars, reRune:
		return n.leafSet()
	case reAlt:
		for _, sub := range n.subs {
			s = s.or(sub.edge(last))
		}
	case reRepeat, reGroup:
		return n.subs[0].edge(last)
	case reCat:
		subs := n.subs
		if last {
			subs = slices.Clone(subs)
			slices.Reverse(subs)
		}
		for _, sub := range subs {
			s = s.or(sub.edge(last))
			if !sub.nullable() {
				break
			}
		}
	}
	return s
}

// size is the number of nodes with repetitions written out, up to limit.
func (n *reNode) size(limit int) int {
	total := 1
	for _, s := range n.subs {
		if total += s.size(limit); total > limit {
			return limit + 1
		}
	}
	if n.op == reRepeat {
		total *= max(n.min, n.max, 1)
	}
	return min(total, limit+1)
}

// bounded reports whether no match can be longer than some constant.
func (n *reNode) bounded() bool {
	return !n.any(func(s *reNode) bool { return s.op == reRepeat && s.max < 0 })
}

// pieces is the tree as a flat sequence: groups and sequences are opened,
// everything else stays whole.
func (n *reNode) pieces() []*reNode {
	if n.op != reCat && n.op != reGroup {
		return []*reNode{n}
	}
	var out []*reNode
	for _, s := range n.subs {
		out = append(out, s.pieces()...)
	}
	return out
}

// searchesCheaply reports whether a search that finds a match reads little
// beyond it: only the end of the pattern may be unbounded, and it is a run of
// one set. Then all matches in a text are found in linear time.
func (n *reNode) searchesCheaply() bool {
	p := n.pieces()
	for i, s := range p {
		if s.bounded() {
			continue
		}
		if i != len(p)-1 || s.op != reRepeat || !s.subs[0].leaf() {
			return false
		}
	}
	return true
}

func (n *reNode) hasHigh() bool {
	return n.any(func(s *reNode) bool { return s.leaf() && s.leafSet().high })
}

// countsCharacters reports whether the pattern could match different bytes
// when a character above 127 is taken for several. It could not if such
// characters are only met in runs (.*) with something else between them.
func (n *reNode) countsCharacters() bool {
	open := false // a run that may take such characters was met last
	for _, s := range n.pieces() {
		switch {
		case s.op == reRune:
			open = false // its bytes are one string either way
		case !s.hasHigh():
			open = open && s.nullable()
		case s.op == reRepeat && s.max < 0 && s.min <= 1 && s.subs[0].op == reChars && !open:
			open = true
		default:
			return true
		}
	}
	return false
}

// mayOverlap reports whether a match could begin inside another one. It could
// not if what a match begins with does not occur further on in it.
func (n *reNode) mayOverlap() bool {
	p := n.pieces()
	if len(p) == 0 || !p[0].leaf() {
		return true
	}
	first := p[0].leafSet()
	for _, s := range p[1:] {
		if s.any(func(m *reNode) bool { return m.leaf() && !m.leafSet().and(first).empty() }) {
			return true
		}
	}
	return false
}
