package sigma

import (
	"net/netip"
	"strconv"
	"strings"
)

// eval evaluates a compiled rule on the matcher's event.
func (n *node) eval(m *Matcher) bool {
	switch n.op {
	case opAnd:
		for _, k := range n.kids {
			if !k.eval(m) {
				return false
			}
		}
		return true
	case opOr:
		for _, k := range n.kids {
			if k.eval(m) {
				return true
			}
		}
		return false
	case opNot:
		return !n.kids[0].eval(m)
	case opAtLeast:
		left := n.count
		for _, k := range n.kids {
			if k.eval(m) {
				if left--; left == 0 {
					return true
				}
			}
		}
		return false
	}
	return n.leaf.eval(m)
}

// eval compares one field, or for a keyword every field, of the event.
func (l *leaf) eval(m *Matcher) bool {
	if l.field == anyField {
		for i := range m.values {
			if l.value(m, &m.values[i]) >= 0 {
				return true
			}
		}
		return false
	}
	at := m.at[l.field]
	switch l.test {
	case testNull:
		return at == 0
	case testExists:
		return at != 0
	}
	return at != 0 && l.value(m, &m.values[at-1]) >= 0
}

// value compares one value. It returns which of the leaf's texts matched (0
// where there are none), or -1.
func (l *leaf) value(m *Matcher, v *value) int {
	text := v.low
	if l.cased {
		text = v.raw
	}
	switch l.test {
	case testEqual, testPrefix, testSuffix, testContains:
		return l.firstText(text)
	case testGlob:
		return hit(l.glob.match(text))
	case testRegexp:
		return hit(l.re.MatchString(v.raw))
	case testCIDR:
		a, err := netip.ParseAddr(v.raw)
		return hit(err == nil && l.net.Contains(a.Unmap().WithZone("")))
	case testNumber:
		f, err := strconv.ParseFloat(v.raw, 64)
		return hit(err == nil && l.cmp.holds(f, l.num))
	case testTime:
		t, ok := parseTimestamp(v.raw)
		if !ok {
			return -1
		}
		n, ok := t.part(l.part)
		return hit(ok && l.cmp.holds(float64(n), l.num))
	case testRef:
		return l.reference(m, text)
	}
	return -1
}

func hit(ok bool) int {
	if ok {
		return 0
	}
	return -1
}

// firstText returns the first text that v has in the right place, or -1.
func (l *leaf) firstText(v string) int {
	switch l.test {
	case testEqual:
		for i, t := range l.texts {
			if v == t {
				return i
			}
		}
	case testPrefix:
		for i, t := range l.texts {
			if strings.HasPrefix(v, t) {
				return i
			}
		}
	case testSuffix:
		for i, t := range l.texts {
			if strings.HasSuffix(v, t) {
				return i
			}
		}
	default:
		for i, t := range l.texts {
			if strings.Contains(v, t) {
				return i
			}
		}
	}
	return -1
}

// reference compares a value with the value of another field.
func (l *leaf) reference(m *Matcher, text string) int {
	at := m.at[l.other]
	if at == 0 {
		return -1
	}
	other := m.values[at-1].low
	if l.cased {
		other = m.values[at-1].raw
	}
	switch l.place {
	case testPrefix:
		return hit(strings.HasPrefix(text, other))
	case testSuffix:
		return hit(strings.HasSuffix(text, other))
	case testContains:
		return hit(strings.Contains(text, other))
	}
	return hit(text == other)
}
