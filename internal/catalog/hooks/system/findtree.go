package system

// An expression of find as a tree (GNU findutils manual, "Combining Primaries With Operators").

// A findNode is a part of an expression: alternatives, what holds together, or a term.
type findNode struct {
	any  []*findNode
	all  []*findNode
	not  *findNode
	term *findTerm
}

// A findReader makes nodes of terms.
type findReader struct {
	terms    []findTerm
	daystart bool
	bad      bool
}

func (r *findReader) peek() string {
	if len(r.terms) == 0 {
		return ""
	}
	return r.terms[0].name
}

func (r *findReader) either(depth int) *findNode {
	n := &findNode{any: []*findNode{r.both(depth)}}
	for r.peek() == "-o" || r.peek() == "-or" {
		r.terms = r.terms[1:]
		n.any = append(n.any, r.both(depth))
	}
	if r.peek() == "," || depth > maxFindDepth {
		r.bad = true
	}
	if len(n.any) == 1 {
		return n.any[0]
	}
	return n
}

func (r *findReader) both(depth int) *findNode {
	n := &findNode{}
	for {
		switch r.peek() {
		case "", ")", ",", "-o", "-or":
			return n
		}
		if one := r.one(depth); one != nil && one.not == nil && one.term == nil && one.any == nil {
			n.all = append(n.all, one.all...)
		} else if one != nil {
			n.all = append(n.all, one)
		}
		if r.bad {
			return n
		}
	}
}

func (r *findReader) one(depth int) *findNode {
	t := &r.terms[0]
	r.terms = r.terms[1:]
	switch t.name {
	case "!", "-not":
		if len(r.terms) == 0 || depth > maxFindDepth {
			r.bad = true
			return nil
		}
		of := r.one(depth + 1)
		switch {
		case of == nil:
			return nil
		case of.not != nil:
			return of.not
		}
		return &findNode{not: of}
	case "(":
		of := r.either(depth + 1)
		if r.peek() == ")" {
			r.terms = r.terms[1:]
		}
		return of
	case "-daystart":
		r.daystart = true
		return nil
	case "-a", "-and", "-true", "-depth", "-d", "-follow", "-mount", "-xdev", "-x", "-noleaf", "-warn", "-nowarn", "-regextype",
		"-maxdepth", "-mindepth", "-ignore_readdir_race", "-noignore_readdir_race", "-files0-from":
		return nil
	}
	return &findNode{term: t}
}

// parts are what holds together in an alternative.
func (n *findNode) parts() []*findNode {
	if n.term != nil || n.not != nil || n.any != nil {
		return []*findNode{n}
	}
	return n.all
}

// pruned returns an alternative without the -prune that ends it.
func pruned(all []*findNode) (rest []*findNode, ok bool) {
	if n := len(all); n > 0 && all[n-1].term != nil && all[n-1].term.name == "-prune" {
		return all[:n-1], true
	}
	return all, false
}
