package pure

// Go's leftmost-longest search agrees with POSIX on the whole match, but
// inside it prefers what a backtracking search finds first, where POSIX gives
// each part, from the left, the longest text it can have. The functions here
// recognise patterns for which the two are the same, so that \1 is certain.

// A reach is what is known about the lengths a node can match at one place.
type reach struct {
	fixed   int  // the only length in any text, or -1
	unique  bool // at one place at most one length
	longest bool // a backtracking search tries longer lengths first
	orEmpty bool // that holds of non-empty matches; an empty one is tried in no set order
}

func fixedReach(n int) reach { return reach{fixed: n, unique: true, longest: true} }

// before settles whether an optional empty match is certain by what follows:
// it is if the next character can only belong to one of the two.
func (r reach) before(n, after *reNode) (reach, bool) {
	if !r.orEmpty {
		return r, true
	}
	r.orEmpty = false
	return r, !after.nullable() && n.first().and(after.first()).empty()
}

// tail is what follows the i-th part of a sequence.
func tail(subs []*reNode, i int) *reNode { return &reNode{op: reCat, subs: subs[i+1:]} }

// exactGroups reports whether Go's submatches are POSIX's.
func (n *reNode) exactGroups() bool {
	switch n.op {
	case reAlt:
		for _, s := range n.subs {
			if !s.exactGroups() {
				return false
			}
		}
		return true
	case reCat:
		for i, s := range n.subs {
			r, ok := s.reach()
			if ok {
				r, ok = r.before(s, tail(n.subs, i))
			}
			if !ok || !r.longest {
				return false
			}
		}
		return true
	}
	r, ok := n.reach()
	return ok && r.longest && !r.orEmpty
}

// reach computes the lengths of a node; ok is false if a group in it may be
// captured differently.
func (n *reNode) reach() (r reach, ok bool) {
	switch n.op {
	case reChars, reRune:
		return fixedReach(1), true
	case reCat:
		return catReach(n.subs)
	case reAlt:
		return n.altReach()
	case reRepeat:
		return n.repeatReach()
	case reGroup:
		r, ok = n.subs[0].reach()
		return r, ok && r.longest
	}
	return fixedReach(0), true
}

func catReach(subs []*reNode) (reach, bool) {
	if len(subs) == 0 {
		return fixedReach(0), true
	}
	p, ok1 := subs[0].reach()
	rest, ok2 := catReach(subs[1:])
	after := tail(subs, 0)
	if ok1 {
		p, ok1 = p.before(subs[0], after)
	}
	if !ok1 || !ok2 {
		return reach{fixed: -1}, false
	}
	if p.fixed >= 0 {
		if rest.fixed >= 0 {
			return fixedReach(p.fixed + rest.fixed), true
		}
		return rest, true
	}
	r := reach{fixed: -1}
	switch run := subs[0]; {
	case run.op == reRepeat && run.subs[0].leaf() && run.subs[0].leafSet().and(after.first()).empty() && len(subs) > 1:
		// What follows cannot begin with a character of the run.
		r.unique = rest.unique && !after.nullable()
		r.longest = rest.longest
	case p.unique:
		r.unique, r.longest = rest.unique, rest.longest
	case p.longest && rest.fixed >= 0:
		r.longest = true
	}
	return r, true
}

func (n *reNode) altReach() (reach, bool) {
	fixed, same, disjoint := -1, true, true
	r := reach{fixed: -1, unique: true, longest: true}
	var seen reSet
	for i, s := range n.subs {
		b, ok := s.reach()
		if !ok || b.orEmpty {
			return reach{fixed: -1}, false
		}
		if i == 0 {
			fixed = b.fixed
		}
		same = same && b.fixed >= 0 && b.fixed == fixed
		if b.fixed == 0 {
			r.orEmpty = true // an anchor
			continue
		}
		first := s.first()
		disjoint = disjoint && !s.nullable() && first.and(seen).empty()
		seen = seen.or(first)
		r.unique, r.longest = r.unique && b.unique, r.longest && b.longest
	}
	switch {
	case same:
		return fixedReach(fixed), true
	case disjoint:
		return r, true
	}
	return reach{fixed: -1}, true
}

func (n *reNode) repeatReach() (reach, bool) {
	sub := n.subs[0]
	s, ok := sub.reach()
	captures := sub.any(func(m *reNode) bool { return m.op == reGroup })
	if captures && n.max != 1 && sub.any(func(m *reNode) bool { return m.op == reAlt || m.op == reRepeat && m.min == 0 }) {
		ok = false // a group may keep what an earlier turn captured
	}
	switch {
	case !ok, s.orEmpty:
		return reach{fixed: -1}, false
	case s.fixed >= 0 && n.min == n.max:
		return fixedReach(s.fixed * n.min), true
	case s.unique && !sub.nullable():
		return reach{fixed: -1, longest: true}, true
	}
	return reach{fixed: -1}, !captures
}
