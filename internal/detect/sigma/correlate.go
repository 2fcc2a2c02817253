package sigma

import (
	"fmt"
	"slices"
)

// compiledCorrelation is a correlation whose references are resolved.
type compiledCorrelation struct {
	correlation
	rule int32   // its own index in the set
	refs []int32 // the indices of its rules, in their order
	expr *cond
	// groupBy has for every ref the fields that group-by stands for.
	groupBy [][]string
}

// correlate resolves the references of correlation rules. Those that refer to
// what is not there, or to themselves by a circle, are taken out of the rules.
func (s *Set) correlate(rules []*Rule, trees []*node) ([]*Rule, []*node, []Problem) {
	byName := map[string]int{}
	for i, r := range rules {
		for _, name := range []string{r.ID, r.Name} {
			if _, taken := byName[name]; !taken && name != "" {
				byName[name] = i
			}
		}
	}
	// A correlation is usable once all that it refers to is; what never gets
	// usable refers to something missing, or is part of a circle.
	usable := make([]bool, len(rules))
	var order []int
	for i := range rules {
		usable[i] = trees[i] != nil
	}
	for again := true; again; {
		again = false
		for i, r := range rules {
			if !usable[i] && !slices.ContainsFunc(r.correlation.Rules, func(name string) bool {
				j, ok := byName[name]
				return !ok || !usable[j]
			}) {
				usable[i], again = true, true
				order = append(order, i)
			}
		}
	}
	return s.keepUsable(rules, trees, byName, usable, order)
}

// keepUsable drops the rules that are not usable and compiles the correlations
// in order, with the indices that remain.
func (s *Set) keepUsable(rules []*Rule, trees []*node, byName map[string]int, usable []bool, order []int) ([]*Rule, []*node, []Problem) {
	var problems []Problem
	moved := make([]int32, len(rules))
	var keptRules []*Rule
	var keptTrees []*node
	for i, r := range rules {
		if usable[i] {
			moved[i] = int32(len(keptRules))
			keptRules, keptTrees = append(keptRules, r), append(keptTrees, trees[i])
			continue
		}
		err := fmt.Errorf("the correlation refers to itself, or to one that is refused")
		for _, name := range r.correlation.Rules {
			if _, ok := byName[name]; !ok {
				err = fmt.Errorf("there is no rule %s for the correlation", shorten(name))
			}
		}
		problems = append(problems, problemOf(err, &r.Meta))
	}
	for _, i := range order {
		c := &compiledCorrelation{correlation: *rules[i].correlation, rule: moved[i]}
		ids := make([][]string, 0, len(c.Rules))
		for _, name := range c.Rules {
			j := byName[name]
			c.refs = append(c.refs, moved[j])
			ids = append(ids, []string{name, rules[j].ID, rules[j].Name})
		}
		c.complete(ids)
		s.cors = append(s.cors, c)
	}
	return keptRules, keptTrees, problems
}

// complete derives what is not stored in a cache as such: ids are the names by
// which each ref may be called.
func (c *compiledCorrelation) complete(ids [][]string) {
	if c.Expr != "" {
		c.expr, _ = parseCondition(c.Expr) // checked when it was parsed
	}
	c.groupBy = make([][]string, len(c.refs))
	for i := range c.refs {
		for _, name := range c.GroupBy {
			field := name
			for _, a := range c.Aliases {
				if a.Name != name {
					continue
				}
				for k, rule := range a.Rules {
					if rule != "" && slices.Contains(ids[i], rule) {
						field = a.Fields[k]
					}
				}
			}
			c.groupBy[i] = append(c.groupBy[i], field)
		}
	}
}
