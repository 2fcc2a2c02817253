package sigma

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// compiler makes trees of parsed rules.
type compiler struct {
	placeholders map[string][]string
	leaves       int
}

// detection compiles a rule's conditions, linked with OR.
func (c *compiler) detection(d *detection) (*node, error) {
	var kids []*node
	for _, x := range d.conditions {
		n, err := c.cond(d, x)
		if err != nil {
			return nil, err
		}
		kids = append(kids, n)
	}
	return join(opOr, kids), nil
}

// join makes an and or an or of nodes, flattened and cheapest first.
func join(op nodeOp, kids []*node) *node {
	if len(kids) == 1 {
		return kids[0]
	}
	var flat []*node
	for _, k := range kids {
		if k.op == op {
			flat = append(flat, k.kids...)
		} else {
			flat = append(flat, k)
		}
	}
	slices.SortStableFunc(flat, func(a, b *node) int { return a.cost() - b.cost() })
	return &node{op: op, kids: flat}
}

func (c *compiler) cond(d *detection, x *cond) (*node, error) {
	switch x.kind {
	case condName:
		return c.expr(d.find(x.name).expr)
	case condOf:
		return c.quantified(d, x)
	}
	var kids []*node
	for _, k := range x.kids {
		n, err := c.cond(d, k)
		if err != nil {
			return nil, err
		}
		kids = append(kids, n)
	}
	switch x.kind {
	case condNot:
		return &node{op: opNot, kids: kids}, nil
	case condAnd:
		return join(opAnd, kids), nil
	}
	return join(opOr, kids), nil
}

// quantified compiles "N of pattern".
func (c *compiler) quantified(d *detection, x *cond) (*node, error) {
	var kids []*node
	for _, s := range d.named(x.pattern) {
		n, err := c.expr(s.expr)
		if err != nil {
			return nil, err
		}
		kids = append(kids, n)
	}
	switch x.atLeast {
	case 0, len(kids):
		return join(opAnd, kids), nil
	case 1:
		return join(opOr, kids), nil
	}
	return &node{op: opAtLeast, count: x.atLeast, kids: kids}, nil
}

func (c *compiler) expr(x *expr) (*node, error) {
	if x.kind == exprItem {
		n, err := compileItem(x, c.placeholders)
		if err != nil {
			return nil, at(err, x.line)
		}
		// A search that a condition names often is compiled as often.
		if c.leaves += n.leafCount(); c.leaves > maxLeaves {
			return nil, &lineError{x.line, fmt.Sprintf("the rule has more than %d comparisons", maxLeaves)}
		}
		return n, nil
	}
	var kids []*node
	for _, k := range x.kids {
		n, err := c.expr(k)
		if err != nil {
			return nil, err
		}
		kids = append(kids, n)
	}
	if x.kind == exprAll {
		return join(opAnd, kids), nil
	}
	return join(opOr, kids), nil
}

func (n *node) leafCount() int {
	if n.op == opLeaf {
		return 1 + len(n.leaf.texts)
	}
	sum := 0
	for _, k := range n.kids {
		sum += k.leafCount()
	}
	return sum
}

// compileItem compiles a field, its modifiers and values. It does not fail for
// an item that passed checkModifiers, placeholders apart.
func compileItem(x *expr, placeholders map[string][]string) (*node, error) {
	all := x.has("all") && !x.has("neq")
	var kids []*node
	var merged []pattern
	for _, v := range x.values {
		texts := []string{v.text}
		if x.has("expand") {
			var err error
			if texts, err = expandPlaceholders(v.text, placeholders); err != nil {
				return nil, err
			}
		}
		var variants []*node
		var patterns []pattern
		for _, text := range texts {
			v.text = text
			n, p, err := compileValue(x, v)
			if err != nil {
				return nil, err
			}
			if n != nil {
				variants = append(variants, n)
			}
			patterns = append(patterns, p...)
		}
		if !all {
			kids, merged = append(kids, variants...), append(merged, patterns...)
		} else {
			kids = append(kids, join(opOr, append(variants, x.textLeaves(patterns)...)))
		}
		if len(merged)+len(kids) > maxExpanded {
			return nil, fmt.Errorf("more than %d values", maxExpanded)
		}
	}
	kids = append(kids, x.textLeaves(merged)...)
	if all {
		return join(opAnd, kids), nil
	}
	n := join(opOr, kids)
	if x.has("neq") {
		there := &node{leaf: &leaf{test: testExists, name: x.field}}
		n = join(opAnd, []*node{there, {op: opNot, kids: []*node{n}}})
	}
	return n, nil
}

// compileValue compiles one value: to a node, or to patterns that can be put
// together with those of other values.
func compileValue(x *expr, v scalar) (*node, []pattern, error) {
	l := &leaf{name: x.field, cased: x.has("cased")}
	var err error
	switch {
	case v.kind == scalarNull:
		l.test = testNull
	case x.has("exists"):
		l.test = testNull
		if strings.EqualFold(v.text, "true") || strings.EqualFold(v.text, "yes") || strings.EqualFold(v.text, "on") {
			l.test = testExists
		}
	case x.has("re"):
		l.test, l.expr = testRegexp, regexpText(x, v.text)
		l.re, err = regexp.Compile(l.expr)
	case x.has("cidr"):
		l.test = testCIDR
		l.net, err = parseNet(v.text)
	case x.has("fieldref"):
		l.test, l.ref, l.place = testRef, v.text, placeOf(x)
	case comparison(x, l):
		l.num, err = strconv.ParseFloat(v.text, 64)
	default:
		p, err := compilePatterns(x, v.text)
		return nil, p, err
	}
	if err != nil {
		err = fmt.Errorf("value %q: %w", shorten(v.text), err)
	}
	return &node{leaf: l}, nil, err
}

// regexpText puts the flags i, m and s in front of a regular expression.
func regexpText(x *expr, text string) string {
	flags := ""
	for _, f := range []string{"i", "m", "s"} {
		if x.has(f) {
			flags += f
		}
	}
	if flags != "" {
		return "(?" + flags + ")" + text
	}
	return text
}

// parseNet reads a network; an address alone is a network of one.
func parseNet(text string) (netip.Prefix, error) {
	if !strings.Contains(text, "/") {
		a, err := netip.ParseAddr(text)
		if err != nil {
			return netip.Prefix{}, err
		}
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	n, err := netip.ParsePrefix(text)
	return n.Masked(), err
}

// placeOf says where a text must stand.
func placeOf(x *expr) test {
	switch {
	case x.has("contains"):
		return testContains
	case x.has("startswith"):
		return testPrefix
	case x.has("endswith"):
		return testSuffix
	}
	return testEqual
}

// comparison fills in the order and the part of a timestamp that the modifiers
// name, and reports whether they do.
func comparison(x *expr, l *leaf) bool {
	found := false
	for _, m := range x.modifiers {
		if part, ok := timePartOf(m); ok {
			l.test, l.part, found = testTime, part, true
		}
	}
	for i, m := range []string{"lt", "lte", "gt", "gte"} {
		if x.has(m) {
			if !found {
				l.test = testNumber
			}
			l.cmp, found = cmpLess+compare(i), true
		}
	}
	return found
}

// compilePatterns applies the modifiers, in their order, to a value.
func compilePatterns(x *expr, text string) ([]pattern, error) {
	ps := []pattern{parsePattern(text)}
	for _, m := range x.modifiers {
		var next []pattern
		for _, p := range ps {
			more, err := p.apply(m)
			if err != nil {
				return nil, err
			}
			next = append(next, more...)
		}
		ps = next
	}
	if x.field == "" && placeOf(x) == testEqual { // keywords lie anywhere in a value
		for i := range ps {
			ps[i] = ps[i].starred(true, true)
		}
	}
	return ps, nil
}

// textLeaves makes leaves of patterns, one for each kind of comparison.
func (x *expr) textLeaves(ps []pattern) []*node {
	byTest := map[test]*leaf{}
	var nodes []*node
	for _, p := range ps {
		p = slices.Clone(p)
		for i := range p {
			if p[i].text = clean(p[i].text); !x.has("cased") {
				p[i].text = strings.ToLower(p[i].text)
			}
		}
		g := newGlob(p)
		t, text := g.simple()
		l := byTest[t]
		if l == nil || t == testGlob {
			l = &leaf{test: t, name: x.field, cased: x.has("cased")}
			byTest[t] = l
			nodes = append(nodes, &node{leaf: l})
		}
		if t == testGlob {
			l.glob = g
		} else if !slices.Contains(l.texts, text) || len(l.texts) > 500 {
			l.texts = append(l.texts, text)
		}
	}
	return nodes
}

// simple returns a cheaper test that does the same as the glob, or testGlob.
func (g *glob) simple() (test, string) {
	text := ""
	switch {
	case len(g.chunks) > 1 || len(g.chunks) == 1 && (len(g.chunks[0].elems) > 1 || g.chunks[0].anchor < 0):
		return testGlob, ""
	case len(g.chunks) == 1:
		text = g.chunks[0].elems[0].text
	}
	switch {
	case g.start && g.end:
		return testEqual, text
	case g.start:
		return testPrefix, text
	case g.end:
		return testSuffix, text
	}
	return testContains, text
}
