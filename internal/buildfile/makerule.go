package buildfile

import (
	"maps"
	"slices"
	"strings"

	makefile "github.com/heedsh/heed/internal/lang/make"
	"github.com/heedsh/heed/internal/value"
)

// A rule is a target with what it needs and what makes it.
type rule struct {
	target string
	needs  []value.Value
	order  []value.Value // needed, but no part of $^
	bodies []*body
	vars   map[string]*variable
	from   []map[string]*variable // of targets that need it
}

// A body is a recipe as it stands under the targets that share it.
type body struct {
	src     *source
	at      int
	name    string // the targets as they are written
	targets []value.Value
	needs   []value.Value
	order   []value.Value
	static  string
	lines   []*makefile.Recipe
	rule    *rule // of its first target that is known
	dead    bool  // in a branch that is not taken
	always  bool  // it has ::, and runs where it needs nothing
}

// rule reads a rule, a static pattern rule or a variable of targets ("Writing
// Rules").
func (r *reading) rule(n *makefile.Rule) {
	r.cur = nil
	targets := words(r.expand(n.Targets, r.src, nil, 0))
	known := make([]string, 0, len(targets))
	for _, t := range targets {
		if name, ok := t.Known(); ok {
			known = append(known, name)
		} else {
			r.partial = true
		}
	}
	if n.Set != nil {
		if r.dead == 0 {
			r.targetVariable(known, n.Set)
		}
		return
	}
	b := &body{src: r.src, at: r.src.place(n.At), targets: targets, dead: r.dead > 0, always: n.Double}
	if k := len(n.Targets.Parts); k > 0 {
		at, _ := n.Targets.Parts[0].Span()
		_, end := n.Targets.Parts[k-1].Span()
		b.name = clip(r.src.text[at:min(end, len(r.src.text))])
	}
	r.noteCalls(n.Targets, "")
	r.noteCalls(n.Needs, "")
	b.needs, b.order = r.list(n.Needs, r.src), r.list(n.Order, r.src)
	if n.Static != nil {
		b.static = r.known(*n.Static, r.src)
	}
	r.cur = b
	r.all = append(r.all, b)
	if r.dead > 0 {
		return
	}
	for i, name := range known {
		x := r.newRule(name, b)
		if i == 0 {
			b.rule = x
		}
	}
}

// newRule finds or makes the rule of a target, and adds a body to it.
func (m *Make) newRule(target string, b *body) *rule {
	needs := b.needs
	if m.spent(1+len(needs), 0) {
		m.partial = true
		needs = nil
	}
	switch target {
	case ".ONESHELL":
		m.oneShell = true
	case ".SECONDEXPANSION":
		m.second = true
	}
	if strings.Contains(target, "%") {
		x := &rule{target: target, needs: needs, order: b.order, bodies: []*body{b}}
		m.patterns = append(m.patterns, x)
		return x
	}
	if b.static != "" {
		stem, _ := stemOf(b.static, target)
		needs = stemmed(needs, stem)
	}
	x := m.ruleOf(target)
	x.needs, x.order = append(x.needs, needs...), append(x.order, b.order...)
	x.bodies = append(x.bodies, b)
	if m.first == "" && (!strings.HasPrefix(target, ".") || strings.Contains(target, "/")) {
		m.first = target
	}
	return x
}

func (m *Make) ruleOf(target string) *rule {
	x := m.rules[target]
	if x == nil {
		x = &rule{target: target}
		m.rules[target] = x
	}
	return x
}

// stemmed replaces the first % of every word that is known.
func stemmed(needs []value.Value, stem string) []value.Value {
	out := make([]value.Value, len(needs))
	for i, n := range needs {
		out[i] = n
		if text, known := n.Known(); known {
			out[i] = value.Lit(strings.Replace(text, "%", stem, 1))
		}
	}
	return out
}

// targetVariable sets a variable that holds for targets and what they need
// ("Target-specific Variable Values").
func (r *reading) targetVariable(targets []string, n *makefile.Assign) {
	name := r.known(n.Name, r.src)
	r.noteCalls(n.Value, name)
	if n.Export {
		r.export(name)
	}
	for _, t := range targets {
		if r.spent(1, 0) {
			r.partial = true
			return
		}
		x := r.ruleOf(t)
		if x.vars == nil {
			x.vars = map[string]*variable{}
		}
		if global := r.vars[name]; global != nil && x.vars[name] == nil && (n.Op == "+=" || global.strong) {
			x.vars[name] = global
		}
		r.assign(x.vars, name, n)
	}
}

// list expands a list of prerequisites.
func (m *Make) list(t makefile.Text, src *source) []value.Value {
	all := words(m.expand(t, src, nil, 0))
	return slices.DeleteFunc(all, func(v value.Value) bool {
		text, known := v.Known()
		m.partial = m.partial || !known || m.second && strings.Contains(text, "$")
		return text == ".WAIT"
	})
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
