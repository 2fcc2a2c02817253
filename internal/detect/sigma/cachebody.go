package sigma

import (
	"net/netip"
	"regexp"
)

// The bodies of a cache: what a rule says of itself, and its compiled tree. Both
// are decoded when they are first asked for.

func (w *writer) meta(m *Meta) {
	for _, s := range []string{
		m.ID, m.Name, m.Title, m.Description, m.Status, m.Level, m.Author, m.Date, m.Modified, m.License, m.Taxonomy,
		m.Source.Category, m.Source.Product, m.Source.Service, m.File,
	} {
		w.string(s)
	}
	for _, list := range [][]string{m.Tags, m.References, m.FalsePositives, m.Fields, m.Scope} {
		w.strings(list)
	}
	w.int(len(m.Related))
	for _, r := range m.Related {
		w.string(r.ID)
		w.string(r.Type)
	}
	w.bool(m.Correlation)
	w.int(m.Line)
}

func decodeMeta(raw string) (*Meta, error) {
	r := &reader{s: raw}
	m := &Meta{}
	for _, s := range []*string{
		&m.ID, &m.Name, &m.Title, &m.Description, &m.Status, &m.Level, &m.Author, &m.Date, &m.Modified, &m.License, &m.Taxonomy,
		&m.Source.Category, &m.Source.Product, &m.Source.Service, &m.File,
	} {
		*s = r.string()
	}
	for _, list := range []*[]string{&m.Tags, &m.References, &m.FalsePositives, &m.Fields, &m.Scope} {
		*list = r.strings()
	}
	for range r.count() {
		m.Related = append(m.Related, Related{r.string(), r.string()})
	}
	m.Correlation = r.bool()
	m.Line = r.int()
	return m, r.err
}

func (w *writer) node(n *node) {
	w.int(int(n.op))
	if n.op == opLeaf {
		w.leaf(n.leaf)
		return
	}
	w.int(n.count)
	w.int(len(n.kids))
	for _, k := range n.kids {
		w.node(k)
	}
}

func (w *writer) leaf(l *leaf) {
	w.int(int(l.test))
	w.bool(l.cased)
	w.signed(l.field)
	switch l.test {
	case testEqual, testPrefix, testSuffix, testContains:
		w.strings(l.texts)
	case testGlob:
		w.glob(l.glob)
	case testRegexp:
		w.string(l.expr)
	case testCIDR:
		w.string(l.net.String())
	case testNumber, testTime:
		w.int(int(l.cmp))
		w.int(int(l.part))
		w.float(l.num)
	case testRef:
		w.int(int(l.other))
		w.int(int(l.place))
	}
}

func (w *writer) glob(g *glob) {
	w.bool(g.start)
	w.bool(g.end)
	w.int(len(g.chunks))
	for _, c := range g.chunks {
		w.int(len(c.elems))
		for _, e := range c.elems {
			w.int(int(e.kind))
			if e.kind == tokText {
				w.string(e.text)
			}
		}
	}
}

// decodeBody reads a tree for a set with so many fields.
func decodeBody(raw string, fields int) (*node, error) {
	r := &reader{s: raw, left: 4 * maxLeaves}
	n := r.node(fields, 0)
	if r.err != nil {
		return nil, r.err
	}
	return n, nil
}

func (r *reader) node(fields, depth int) *node {
	// A tree is at most as deep as its condition and its searches together.
	if r.left--; r.left < 0 || depth > 4*maxDepth {
		r.fail()
	}
	n := &node{op: nodeOp(r.below(int(opAtLeast) + 1))}
	if n.op == opLeaf {
		n.leaf = r.leaf(fields)
		return n
	}
	n.count = r.int()
	n.kids = make([]*node, r.count())
	for i := range n.kids {
		if n.kids[i] = r.node(fields, depth+1); r.err != nil {
			return n
		}
	}
	if n.op == opNot && len(n.kids) != 1 || len(n.kids) == 0 {
		r.fail()
	}
	return n
}

func (r *reader) leaf(fields int) *leaf {
	l := &leaf{test: test(r.below(int(testEnd))), cased: r.bool(), field: r.signed(fields)}
	switch l.test {
	case testEqual, testPrefix, testSuffix, testContains:
		l.texts = r.strings()
	case testGlob:
		l.glob = r.glob()
	case testRegexp:
		l.expr = r.string()
		re, err := regexp.Compile(l.expr)
		if err != nil {
			r.fail()
		}
		l.re = re
	case testCIDR:
		net, err := netip.ParsePrefix(r.string())
		if err != nil {
			r.fail()
		}
		l.net = net
	case testNumber, testTime:
		l.cmp, l.part, l.num = compare(r.below(int(cmpEnd))), timePart(r.below(int(partEnd))), r.float()
	case testRef:
		l.other, l.place = int32(r.below(fields)), test(r.below(int(testGlob)))
	}
	if l.field == anyField && (l.test >= testCIDR) {
		r.fail()
	}
	return l
}

func (r *reader) glob() *glob {
	g := &glob{start: r.bool(), end: r.bool()}
	for range r.count() {
		elems := make([]tok, r.count())
		for i := range elems {
			elems[i].kind = tokKind(r.below(int(tokDash) + 1))
			switch elems[i].kind {
			case tokText:
				elems[i].text = r.string()
			case tokStar:
				r.fail() // stars lie between chunks
			}
		}
		if len(elems) == 0 {
			r.fail()
			return g
		}
		g.chunks = append(g.chunks, newChunk(elems))
	}
	return g
}
