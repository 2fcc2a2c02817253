package sigma

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"
)

// corType is what a correlation counts.
type corType uint8

const (
	corEventCount corType = iota
	corValueCount
	corValueSum
	corValueAvg
	corValueMin
	corValueMax
	corValueMedian
	corValuePercentile
	corTemporal
	corTemporalOrdered
	corEnd
)

// corTypeOf reads a type. The specification 2.1 has all but median, minimum and
// maximum, which its reference implementation and its schema add.
func corTypeOf(name string) (corType, bool) {
	names := [...]string{
		"event_count", "value_count", "value_sum", "value_avg", "value_min", "value_max", "value_median", "value_percentile",
		"temporal", "temporal_ordered",
	}
	switch name {
	case "temporal_extended":
		name = "temporal"
	case "temporal_ordered_extended":
		name = "temporal_ordered"
	}
	i := slices.Index(names[:], name)
	return corType(max(i, 0)), i >= 0
}

// correlation is a parsed correlation section.
type correlation struct {
	Type       corType
	Rules      []string // ids or names
	GroupBy    []string
	Timespan   int64 // nanoseconds
	Bounds     []bound
	Fields     []string // of value_*: the field, or fields taken together
	Percentile float64  // of value_percentile; negative if not given
	Expr       string   // of temporal types: a condition over rules, if not empty
	Aliases    []alias
	Generate   bool
}

// bound is one criterion of a condition.
type bound struct {
	Cmp compare
	Num float64
}

// alias is a name in group-by that stands for another field with each rule.
type alias struct {
	Name   string
	Rules  []string // ids or names, and at the same index the field
	Fields []string
}

// correlation reads a correlation section.
func (p *parser) correlation(n *yaml.Node) (*correlation, error) {
	entries, err := p.pairs(n, "correlation")
	if err != nil {
		return nil, err
	}
	c := &correlation{Percentile: -1}
	typed := false
	for _, e := range entries {
		switch e.key {
		case "type":
			var name string
			if name, err = p.text(e.value, "type"); err == nil {
				if c.Type, typed = corTypeOf(name); !typed {
					err = fmt.Errorf("unknown correlation type %q", shorten(name))
				}
			}
		case "rules":
			c.Rules, err = p.texts(e.value, "rules")
		case "group-by":
			c.GroupBy, err = p.texts(e.value, "group-by")
		case "timespan":
			var text string
			if text, err = p.text(e.value, "timespan"); err == nil {
				c.Timespan, err = parseTimespan(text)
			}
		case "generate":
			c.Generate = e.value.Tag == "!!bool" && (e.value.Value[0] == 't' || e.value.Value[0] == 'T')
		case "condition":
			err = p.bounds(c, e.value)
		case "aliases":
			c.Aliases, err = p.aliases(e.value)
		}
		if err != nil {
			return nil, at(err, e.line)
		}
	}
	if !typed {
		return nil, p.errorf(n, "correlation has no type")
	}
	return c, at2(c.check(), n.Line)
}

// at2 is at for an error that may be nil.
func at2(err error, line int) error {
	if err == nil {
		return nil
	}
	return at(err, line)
}

// check refuses a correlation whose parts do not fit.
func (c *correlation) check() error {
	temporal := c.Type >= corTemporal
	if c.Expr != "" {
		x, err := parseCondition(c.Expr)
		if err != nil {
			return fmt.Errorf("condition: %w", err)
		}
		var names []string
		if names, err = ruleNames(x, nil); err != nil {
			return err
		}
		if len(c.Rules) == 0 {
			c.Rules = names
		}
		for _, name := range names {
			if !slices.Contains(c.Rules, name) {
				return fmt.Errorf("the condition names %s, which is not among the rules", shorten(name))
			}
		}
	}
	switch {
	case len(c.Rules) == 0 || len(c.Rules) > maxRefs:
		return fmt.Errorf("correlation refers to no rule, or to more than %d", maxRefs)
	case len(c.GroupBy) > maxGroupBy || len(c.Fields) > maxGroupBy:
		return fmt.Errorf("more than %d fields", maxGroupBy)
	case c.Timespan == 0:
		return fmt.Errorf("correlation has no timespan")
	case !temporal && c.Expr != "":
		return fmt.Errorf("a condition over rules belongs to temporal correlations")
	case !temporal && len(c.Bounds) == 0:
		return fmt.Errorf("correlation has no condition")
	case !temporal && c.Type != corEventCount && len(c.Fields) == 0:
		return fmt.Errorf("the condition has no field")
	case len(c.Fields) > 1 && c.Type != corValueCount:
		return fmt.Errorf("only value_count takes several fields")
	case c.Percentile > 100:
		return fmt.Errorf("the percentile is above 100")
	}
	for _, b := range c.Bounds {
		counted := c.Type == corEventCount || c.Type == corValueCount
		if counted && b.Num >= maxOccurrences && b.Cmp != cmpLess && b.Cmp != cmpLessEqual && b.Cmp != cmpNotEqual {
			return fmt.Errorf("a count of %v is more than the %d events that are kept", b.Num, maxOccurrences)
		}
	}
	return nil
}

// ruleNames lists the rules that a condition names.
func ruleNames(x *cond, out []string) ([]string, error) {
	if x.kind == condOf {
		return nil, fmt.Errorf("\"of\" has no place in a condition over rules")
	}
	if x.kind == condName && !slices.Contains(out, x.name) {
		out = append(out, x.name)
	}
	for _, k := range x.kids {
		var err error
		if out, err = ruleNames(k, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// bounds reads a condition: a map of criteria, or an expression over rules.
func (p *parser) bounds(c *correlation, n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		var err error
		if c.Expr, err = p.text(n, "condition"); err == nil && c.Expr == "" {
			err = p.errorf(n, "the condition is empty")
		}
		return err
	}
	entries, err := p.pairs(n, "condition")
	if err != nil {
		return err
	}
	orders := map[string]compare{
		"eq": cmpEqual, "lt": cmpLess, "lte": cmpLessEqual, "gt": cmpGreater, "gte": cmpGreaterEqual, "neq": cmpNotEqual,
	}
	for _, e := range entries {
		if e.key == "field" {
			if c.Fields, err = p.texts(e.value, "field"); err != nil {
				return err
			}
			continue
		}
		order, ok := orders[e.key]
		if !ok && e.key != "percentile" {
			return &lineError{e.line, fmt.Sprintf("unknown criterion %q", shorten(e.key))}
		}
		text, err := p.text(e.value, e.key)
		if err != nil {
			return err
		}
		num, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(num) || math.IsInf(num, 0) {
			return &lineError{e.line, fmt.Sprintf("%q is not a number", shorten(text))}
		}
		if ok {
			c.Bounds = append(c.Bounds, bound{order, num})
		} else if c.Percentile = num; num < 0 {
			return &lineError{e.line, "the percentile is negative"}
		}
	}
	return nil
}

func (p *parser) aliases(n *yaml.Node) ([]alias, error) {
	entries, err := p.pairs(n, "aliases")
	if err != nil {
		return nil, err
	}
	var out []alias
	for _, e := range entries {
		rules, err := p.pairs(e.value, "an alias")
		if err != nil {
			return nil, err
		}
		a := alias{Name: e.key}
		for _, r := range rules {
			field, err := p.text(r.value, "a field")
			if err != nil {
				return nil, err
			}
			a.Rules, a.Fields = append(a.Rules, r.key), append(a.Fields, field)
		}
		out = append(out, a)
	}
	return out, nil
}

// parseTimespan reads a number with a unit. The specification has s, m, h and d;
// w, M and y (the mean month and year of the calendar) are pySigma's.
func parseTimespan(text string) (int64, error) {
	if text == "" {
		return 0, fmt.Errorf("the timespan is empty")
	}
	unit := int64(0)
	switch text[len(text)-1] {
	case 's':
		unit = 1
	case 'm':
		unit = 60
	case 'h':
		unit = 3600
	case 'd':
		unit = 86400
	case 'w':
		unit = 7 * 86400
	case 'M':
		unit = 2629746
	case 'y':
		unit = 31556952
	}
	n, err := strconv.ParseUint(text[:len(text)-1], 10, 32)
	const century = 100 * 31556952
	if err != nil || unit == 0 || n == 0 || int64(n) > century/unit {
		return 0, fmt.Errorf("timespan %q is not a number followed by s, m, h or d", shorten(text))
	}
	return int64(n) * unit * 1_000_000_000, nil
}
