package sigma

import (
	"math/bits"
	"strings"
)

// A guard is a set of literals of which every event that matches a rule has at
// least one, in lower case. Literals of four bytes and more are looked up by a
// 4-gram, those of two or three by a pair of bytes; single bytes are no guard.
const (
	longGram  = 4
	shortGram = 2
)

// maxGuard bounds the literals of one rule in the index. A rule that needs more
// is evaluated on every event.
const maxGuard = 4000

// literal is a text in a field: where it must stand, the test says.
type literal struct {
	field int32
	test  test
	text  string
}

// popularity counts for each literal how many rules contain it. What many rules
// look for (powershell.exe) is what many events have, so guards avoid it.
type popularity map[literal]int

func (p popularity) count(n *node) {
	seen := map[literal]bool{}
	n.eachLeaf(func(l *leaf) {
		for _, g := range l.guard() {
			if !seen[g] {
				seen[g] = true
				p[g]++
			}
		}
	})
}

func (n *node) eachLeaf(do func(*leaf)) {
	if n.op == opLeaf {
		do(n.leaf)
	}
	for _, k := range n.kids {
		k.eachLeaf(do)
	}
}

// guard returns the best guard of a tree, or nil if it has none: of an and the
// best among its operands, of an or all of its operands together.
func (p popularity) guard(n *node) []literal {
	switch n.op {
	case opLeaf:
		return n.leaf.guard()
	case opAnd:
		var best []literal
		bestScore := 0
		for _, k := range n.kids {
			if g := p.guard(k); g != nil {
				if s := p.score(g); best == nil || s > bestScore {
					best, bestScore = g, s
				}
			}
		}
		return best
	case opOr, opAtLeast:
		var all []literal
		for _, k := range n.kids {
			g := p.guard(k)
			if g == nil || len(all)+len(g) > maxGuard {
				return nil
			}
			all = append(all, g...)
		}
		return all
	}
	return nil // a negation asks for nothing to be there
}

// score is high for guards that few events have: long literals, few of them,
// in few rules. A literal that must stand at an end or be the whole value is
// rarer than one anywhere.
func (p popularity) score(g []literal) int {
	worst := 1 << 30
	for _, l := range g {
		s := 4*min(len(l.text), 16) - 10*bits.Len(uint(p[l]))
		if l.test != testContains {
			s += 2
		}
		worst = min(worst, s)
	}
	return worst - 2*bits.Len(uint(len(g)))
}

// guard returns the literals of one comparison.
func (l *leaf) guard() []literal {
	var out []literal
	add := func(t test, text string) bool {
		if l.cased {
			text = strings.ToLower(text)
		}
		out = append(out, literal{l.field, t, text})
		return len(text) >= shortGram
	}
	switch l.test {
	case testEqual, testPrefix, testSuffix, testContains:
		for _, t := range l.texts {
			if !add(l.test, t) {
				return nil
			}
		}
	case testGlob:
		if !add(testContains, l.glob.longest()) {
			return nil
		}
	case testRegexp:
		for _, t := range requiredLiterals(l.expr) {
			if !add(testContains, t) {
				return nil
			}
		}
	}
	return out
}

// longest returns the longest text of a glob.
func (g *glob) longest() string {
	best := ""
	for _, c := range g.chunks {
		if c.anchor >= 0 && len(c.elems[c.anchor].text) > len(best) {
			best = c.elems[c.anchor].text
		}
	}
	return best
}
