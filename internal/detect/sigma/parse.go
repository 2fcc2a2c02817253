package sigma

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Parse reads a file of one or more YAML documents, each a rule or a correlation
// rule. A document that cannot be used is left out and told of as [Refused]; the
// others are returned. The name is the file's in problems and in [Meta.File].
func Parse(data []byte, name string) ([]Rule, []Problem) {
	docs, err := documents(data)
	var problems []Problem
	if err != nil {
		problems = append(problems, Problem{File: name, Severity: Refused, Message: err.Error()})
	}
	var rules []Rule
	for _, d := range docs {
		if d.Kind == yaml.ScalarNode && d.Tag == "!!null" {
			continue // an empty document
		}
		p := parser{tree: tree{left: maxNodes}}
		r, err := p.rule(d)
		r.File, r.Line = name, d.Line
		if err != nil {
			problems = append(problems, problemOf(err, &r.Meta))
			continue
		}
		rules = append(rules, r)
	}
	return rules, problems
}

// problemOf makes a refusal of a parsing error.
func problemOf(err error, m *Meta) Problem {
	return Problem{File: m.File, Line: lineOf(err, m.Line), Rule: m.Label(), Severity: Refused, Message: err.Error()}
}

// parser reads one document.
type parser struct {
	tree
}

// rule reads a whole document. What it knows of the rule when it fails is
// returned too, so that the problem can name it.
func (p *parser) rule(n *yaml.Node) (r Rule, err error) {
	top, err := p.pairs(n, "the document")
	if err != nil {
		return r, err
	}
	var detection, correlation *yaml.Node
	for _, e := range top {
		switch e.key {
		case "detection":
			detection = e.value
		case "correlation":
			correlation = e.value
		case "action":
			err = fmt.Errorf("rule collections (action: %s) are a form of Sigma 1 and not supported", e.value.Value)
		case "filter":
			err = fmt.Errorf("a Sigma filter is no rule, and not supported")
		default:
			err = p.meta(&r.Meta, e)
		}
		if err != nil {
			return r, at(err, e.line)
		}
	}
	switch {
	case detection != nil && correlation != nil:
		return r, at(fmt.Errorf("the rule has both detection and correlation"), correlation.Line)
	case correlation != nil:
		r.Correlation = true
		r.correlation, err = p.correlation(correlation)
	case detection != nil:
		r.detection, err = p.detection(detection)
	default:
		err = fmt.Errorf("the rule has neither detection nor correlation")
	}
	if err == nil && r.detection != nil && r.Source == (LogSource{}) {
		err = fmt.Errorf("the rule has no logsource: category, product or service")
	}
	return r, err
}

// at gives an error a line where it has none.
func at(err error, line int) error {
	return &lineError{lineOf(err, line), err.Error()}
}

// meta reads one top-level key. Keys that the specification does not name are
// custom and skipped.
func (p *parser) meta(m *Meta, e pair) (err error) {
	texts := map[string]*string{
		"id": &m.ID, "name": &m.Name, "title": &m.Title, "description": &m.Description, "status": &m.Status, "level": &m.Level,
		"date": &m.Date, "modified": &m.Modified, "license": &m.License, "taxonomy": &m.Taxonomy,
	}
	lists := map[string]*[]string{
		"tags": &m.Tags, "references": &m.References, "falsepositives": &m.FalsePositives, "fields": &m.Fields, "scope": &m.Scope,
	}
	if to := texts[e.key]; to != nil {
		*to, err = p.text(e.value, e.key)
		if e.key == "status" || e.key == "level" {
			*to = strings.ToLower(*to)
		}
		return err
	}
	if to := lists[e.key]; to != nil {
		*to, err = p.texts(e.value, e.key)
		return err
	}
	switch e.key {
	case "author":
		var authors []string
		authors, err = p.texts(e.value, e.key)
		m.Author = strings.Join(authors, ", ")
	case "related":
		m.Related, err = p.related(e.value)
	case "logsource":
		m.Source, err = p.logsource(e.value)
	}
	return err
}

func (p *parser) related(n *yaml.Node) ([]Related, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, p.errorf(n, "related is not a list")
	}
	var out []Related
	for _, c := range n.Content {
		c, err := p.follow(c)
		if err != nil {
			return nil, err
		}
		entries, err := p.pairs(c, "an entry of related")
		if err != nil {
			return nil, err
		}
		var r Related
		for _, e := range entries {
			switch e.key {
			case "id":
				r.ID, err = p.text(e.value, "id")
			case "type":
				r.Type, err = p.text(e.value, "type")
			}
			if err != nil {
				return nil, err
			}
		}
		out = append(out, r)
	}
	return out, nil
}

func (p *parser) logsource(n *yaml.Node) (s LogSource, err error) {
	entries, err := p.pairs(n, "logsource")
	if err != nil {
		return s, err
	}
	for _, e := range entries {
		to := map[string]*string{"category": &s.Category, "product": &s.Product, "service": &s.Service}[e.key]
		if to == nil {
			continue // definition, and what else an author wants to say
		}
		if *to, err = p.text(e.value, e.key); err != nil {
			return s, err
		}
		*to = strings.ToLower(*to)
	}
	return s, nil
}

// detection reads the searches and then the conditions, which name them.
func (p *parser) detection(n *yaml.Node) (*detection, error) {
	entries, err := p.pairs(n, "detection")
	if err != nil {
		return nil, err
	}
	d := &detection{}
	var condition *yaml.Node
	for _, e := range entries {
		switch e.key {
		case "condition":
			condition = e.value
			continue
		case "timeframe":
			return nil, &lineError{e.line, "timeframe belongs to the aggregations of Sigma 1; write a correlation rule"}
		}
		if len(d.searches) == maxSearches {
			return nil, &lineError{e.line, fmt.Sprintf("more than %d search identifiers", maxSearches)}
		}
		x, err := p.search(e.value, 0)
		if err != nil {
			return nil, &lineError{lineOf(err, e.line), "search identifier " + shorten(e.key) + ": " + err.Error()}
		}
		d.searches = append(d.searches, search{e.key, e.line, x})
	}
	if condition == nil {
		return nil, p.errorf(n, "detection has no condition")
	}
	texts, err := p.texts(condition, "condition")
	if err != nil {
		return nil, err
	}
	if len(texts) == 0 || len(texts) > maxConditions {
		return nil, p.errorf(condition, "condition is empty, or a list of more than %d", maxConditions)
	}
	for _, text := range texts {
		c, err := parseCondition(text)
		if err == nil {
			err = d.resolve(c)
		}
		if err != nil {
			return nil, p.errorf(condition, "condition %q: %s", shorten(text), err.Error())
		}
		d.conditions = append(d.conditions, c)
	}
	return d, nil
}

// lineOf returns the line of an error, or another where it has none.
func lineOf(err error, line int) int {
	var e *lineError
	if errors.As(err, &e) && e.line > 0 {
		return e.line
	}
	return line
}

// shorten cuts a text that goes into a message.
func shorten(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:80], "") + "…"
	}
	return s
}

// search reads the value of a search identifier: a map, a list of maps and
// keywords, or one keyword (specification 2.2 allows the last).
func (p *parser) search(n *yaml.Node, depth int) (*expr, error) {
	if depth > maxDepth {
		return nil, p.errorf(n, "nested too deep")
	}
	switch n.Kind {
	case yaml.ScalarNode:
		x := &expr{values: []scalar{scalarOf(n)}, line: n.Line}
		return x, checkModifiers(x)
	case yaml.MappingNode:
		entries, err := p.pairs(n, "the map")
		if err != nil {
			return nil, err
		}
		if len(entries) == 0 {
			return nil, p.errorf(n, "the map is empty")
		}
		x := &expr{kind: exprAll, line: n.Line}
		for _, e := range entries {
			k, err := p.item(e)
			if err != nil {
				return nil, at(err, e.line)
			}
			x.kids = append(x.kids, k)
		}
		return x, nil
	case yaml.SequenceNode:
		return p.list(n, depth)
	}
	return nil, p.errorf(n, "neither a map, a list nor a keyword")
}

// list reads a list under a search identifier; its keywords are gathered into
// one item.
func (p *parser) list(n *yaml.Node, depth int) (*expr, error) {
	if len(n.Content) == 0 {
		return nil, p.errorf(n, "the list is empty")
	}
	x := &expr{kind: exprAny, line: n.Line}
	var keywords *expr
	for _, c := range n.Content {
		c, err := p.follow(c)
		if err != nil {
			return nil, err
		}
		if c.Kind == yaml.ScalarNode {
			if keywords == nil {
				keywords = &expr{line: c.Line}
				x.kids = append(x.kids, keywords)
			}
			keywords.values = append(keywords.values, scalarOf(c))
			continue
		}
		k, err := p.search(c, depth+1)
		if err != nil {
			return nil, err
		}
		x.kids = append(x.kids, k)
	}
	if keywords != nil {
		return x, checkModifiers(keywords)
	}
	return x, nil
}

// item reads one field, its modifiers and values.
func (p *parser) item(e pair) (*expr, error) {
	parts := strings.Split(e.key, "|")
	if len(parts)-1 > maxModifiers {
		return nil, fmt.Errorf("more than %d modifiers", maxModifiers)
	}
	x := &expr{field: parts[0], modifiers: parts[1:], line: e.line}
	switch e.value.Kind {
	case yaml.ScalarNode:
		x.values = []scalar{scalarOf(e.value)}
	case yaml.SequenceNode:
		for _, c := range e.value.Content {
			c, err := p.follow(c)
			if err != nil {
				return nil, err
			}
			if c.Kind != yaml.ScalarNode {
				return nil, p.errorf(c, "a value of %s is not a scalar", e.key)
			}
			x.values = append(x.values, scalarOf(c))
		}
	default:
		return nil, p.errorf(e.value, "the value of %s is a map", e.key)
	}
	if len(x.values) == 0 {
		return nil, fmt.Errorf("%s has an empty list of values", e.key)
	}
	return x, checkModifiers(x)
}
