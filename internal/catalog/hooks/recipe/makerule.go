package recipe

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// rule reads a line `targets: prerequisites ; recipe`, a static pattern rule
// or a target-specific variable.
func (p *makeParser) rule(line string, colon int) {
	p.rules = nil
	left, rest := line[:colon], strings.TrimPrefix(line[colon+1:], ":")
	targets, known := p.expand(left, nil, 0).Known()
	if !known {
		p.partial = true
	}
	if op, at := assignment(rest); at >= 0 && (strings.IndexByte(rest, ';') < 0 || at < strings.IndexByte(rest, ';')) {
		p.targetVariable(strings.Fields(targets), strings.TrimSpace(rest[:at-len(op)+1]), op, strings.TrimSpace(rest[at+1:]))
		return
	}
	rest, inline, hasInline := cutTop(rest, ';')
	stem := ""
	if a, b, ok := cutTop(rest, ':'); ok {
		stem, rest = strings.TrimSpace(a), b
	}
	rest, order, _ := cutTop(rest, '|')
	needs, after := p.words(rest), p.words(order)
	for target := range strings.FieldsSeq(targets) {
		r := p.newRule(target, needs, stem)
		r.order = append(r.order, after...)
		if hasInline {
			r.recipe = append(r.recipe, strings.TrimSpace(inline))
		}
		p.rules = append(p.rules, r)
	}
	if p.rules == nil {
		p.rules = []*makeRule{{}}
	}
}

// newRule finds or makes the rule of a target.
func (p *makeParser) newRule(target string, needs []string, static string) *makeRule {
	if p.steps += len(needs); p.steps > makeSteps {
		p.partial = true
		needs = nil
	}
	if target == ".ONESHELL" {
		p.oneShell = true
	}
	if strings.Contains(target, "%") {
		r := &makeRule{target: target, needs: needs}
		p.patterns = append(p.patterns, r)
		return r
	}
	if static != "" {
		stem, _ := stemOf(static, target)
		filled := make([]string, len(needs))
		for i, n := range needs {
			filled[i] = strings.Replace(n, "%", stem, 1)
		}
		needs = filled
	}
	r := p.makefile.rules[target]
	if r == nil {
		r = &makeRule{target: target}
		p.makefile.rules[target] = r
		if p.first == "" && (!strings.HasPrefix(target, ".") || strings.Contains(target, "/")) {
			p.first = target
		}
	}
	r.needs = append(r.needs, needs...)
	r.maybe = r.maybe || p.unsure()
	return r
}

func (p *makeParser) targetVariable(targets []string, name, op, text string) {
	for _, word := range []string{"export ", "override ", "private "} {
		name = strings.TrimPrefix(name, word)
	}
	for _, t := range targets {
		r := p.newRule(t, nil, "")
		if r.vars == nil {
			r.vars = map[string]*makeVar{}
		}
		if op == "+=" && r.vars[name] == nil && p.vars[name] != nil {
			r.vars[name] = p.vars[name]
		}
		p.assign(r.vars, name, op, text)
	}
}

// words expands a list of prerequisites; those that are not known are left out.
func (p *makeParser) words(text string) []string {
	var out []string
	for _, v := range p.expand(text, nil, 0).Split(" ") {
		word, known := v.Known()
		if !known {
			p.partial = true
			continue
		}
		for w := range strings.FieldsSeq(word) {
			if w != ".WAIT" {
				out = append(out, w)
			}
		}
	}
	return out
}

// stemOf returns what % stands for when pattern matches target.
func stemOf(pattern, target string) (string, bool) {
	before, after, ok := strings.Cut(pattern, "%")
	if !ok || len(target) < len(before)+len(after)+1 || !strings.HasPrefix(target, before) || !strings.HasSuffix(target, after) {
		return "", false
	}
	return target[len(before) : len(target)-len(after)], true
}

// A makeStep is one recipe line, expanded.
type makeStep struct{ text value.Value }

// makePlan walks from goals to what they need.
type makePlan struct {
	*makefile
	seen  map[string]bool
	steps []makeStep
	scope []map[string]*makeVar
}

// plan returns the recipe lines of goals and of all that they need, in order.
// It reports false if a goal has no rule.
func (mk *makefile) plan(goals []string) ([]makeStep, bool) {
	p := &makePlan{makefile: mk, seen: map[string]bool{}}
	found := true
	for _, g := range goals {
		found = p.visit(g, 0) && found
	}
	return p.steps, found
}

func (p *makePlan) visit(target string, depth int) bool {
	r, stem := p.find(target)
	if r == nil {
		return false
	}
	if p.seen[target] {
		return true
	}
	p.seen[target] = true
	if depth > makeTargetDeep || len(p.seen) > 10*makeRecipes {
		p.partial = true
		return true
	}
	if r.vars != nil {
		p.scope = append(p.scope, r.vars)
		defer func() { p.scope = p.scope[:len(p.scope)-1] }()
	}
	needs := r.needs
	if p.makefile.steps += len(needs); p.makefile.steps > makeSteps {
		p.partial = true
		return true
	}
	if stem != "" {
		needs = make([]string, len(r.needs))
		for i, n := range r.needs {
			needs[i] = strings.Replace(n, "%", stem, 1)
		}
	}
	for _, n := range needs {
		p.visit(n, depth+1)
	}
	for _, n := range r.order {
		p.visit(n, depth+1)
	}
	p.recipe(r, target, stem, needs)
	return true
}

// find returns the rule for a target, and the stem if it is a pattern rule.
func (p *makePlan) find(target string) (*makeRule, string) {
	r := p.rules[target]
	if r != nil && len(r.recipe) > 0 {
		return r, ""
	}
	if p.makefile.steps += len(p.patterns); p.makefile.steps > makeSteps {
		p.partial = true
		return r, ""
	}
	for _, q := range p.patterns {
		if stem, ok := stemOf(q.target, target); ok && len(q.recipe) > 0 {
			if r == nil {
				return q, stem
			}
			both := *q
			both.vars = r.vars
			both.needs = append(append([]string{}, q.needs...), r.needs...)
			return &both, stem
		}
	}
	return r, ""
}

func (p *makePlan) recipe(r *makeRule, target, stem string, needs []string) {
	local := map[string]value.Value{
		"@": value.Lit(target), "*": value.Lit(stem), "^": value.Lit(strings.Join(needs, " ")), "+": value.Lit(strings.Join(needs, " ")),
		"@D": value.Lit(path.Dir(target)), "@F": value.Lit(path.Base(target)), "?": value.Lit(strings.Join(needs, " ")), "<": {}, "|": {},
	}
	if len(needs) > 0 {
		local["<"], local["<D"], local["<F"] = value.Lit(needs[0]), value.Lit(path.Dir(needs[0])), value.Lit(path.Base(needs[0]))
	}
	for i := len(p.scope) - 1; i >= 0; i-- {
		for name, v := range p.scope[i] {
			if _, set := local[name]; !set {
				local[name] = p.valueOf(v, local, 0)
			}
		}
	}
	var all value.Builder
	for _, line := range r.recipe {
		expanded := p.expand(line, local, 0)
		if text := expanded.Prefix(); p.loud || !strings.Contains(text[:len(text)-len(strings.TrimLeft(text, "@-+ \t"))], "@") {
			p.prints(expanded)
		}
		for _, text := range recipeLines(expanded) {
			if len(p.steps) >= makeRecipes {
				p.partial = true
				return
			}
			if !p.oneShell {
				p.steps = append(p.steps, makeStep{text})
				continue
			}
			all.Add(text)
			all.WriteString("\n")
		}
	}
	if p.oneShell {
		if text := all.Value(); !text.Empty() {
			p.steps = append(p.steps, makeStep{text})
		}
	}
}

// recipeLines splits expanded text where a canned recipe had several lines,
// and takes off what make itself reads: @, - and +.
func recipeLines(v value.Value) []value.Value {
	var out []value.Value
	pieces := []value.Value{v}
	if text, known := v.Known(); known && strings.Contains(text, "\n") {
		pieces = nil
		for line := range strings.SplitSeq(text, "\n") {
			if n := len(pieces); n > 0 {
				if before, _ := pieces[n-1].Known(); oddBackslash(before) {
					pieces[n-1] = value.Lit(before + "\n" + line)
					continue
				}
			}
			pieces = append(pieces, value.Lit(line))
		}
	}
	for _, piece := range pieces {
		text := piece.Prefix()
		piece = piece.Cut(len(text) - len(strings.TrimLeft(text, "@-+ \t")))
		if text, known := piece.Known(); known && strings.TrimSpace(text) == "" {
			continue
		}
		out = append(out, piece)
	}
	return out
}
