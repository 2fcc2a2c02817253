package sigma

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Check parses like [Parse] and also warns of what is doubtful about the rules
// that it returns: what the specification or the conventions of SigmaHQ ask for
// and is not there, searches that no condition uses, fields that the category
// does not have. Problems are in the order of their lines.
func Check(data []byte, name string) ([]Rule, []Problem) {
	rules, problems := Parse(data, name)
	known := processFields()
	ids := map[string]bool{}
	for i := range rules {
		l := lint{rule: &rules[i], fields: known}
		l.meta()
		if id := rules[i].ID; id != "" && ids[id] {
			l.warn(0, "the id %s is used twice", id)
		}
		ids[rules[i].ID] = true
		if rules[i].detection != nil {
			l.detection(rules[i].detection)
		} else {
			l.correlation(rules[i].correlation)
		}
		problems = append(problems, l.problems...)
	}
	sort.SliceStable(problems, func(i, j int) bool { return problems[i].Line < problems[j].Line })
	return rules, problems
}

// lint gathers the warnings about one rule.
type lint struct {
	rule     *Rule
	fields   map[string]bool
	problems []Problem
}

// warn adds a warning; line 0 is the rule's own.
func (l *lint) warn(line int, format string, args ...any) {
	if line == 0 {
		line = l.rule.Line
	}
	l.problems = append(l.problems, Problem{
		File: l.rule.File, Line: line, Rule: l.rule.Label(), Severity: Warning, Message: fmt.Sprintf(format, args...),
	})
}

func (l *lint) meta() {
	m := &l.rule.Meta
	switch {
	case m.Title == "":
		l.warn(0, "the rule has no title")
	case len([]rune(m.Title)) > 256:
		l.warn(0, "the title has more than 256 characters")
	}
	if m.ID == "" {
		l.warn(0, "the rule has no id")
	} else if !uuid(m.ID) {
		l.warn(0, "the id %s is no UUID", shorten(m.ID))
	}
	l.oneOf("level", m.Level, "informational", "low", "medium", "high", "critical")
	if m.Status != "" {
		l.oneOf("status", m.Status, "stable", "test", "experimental", "deprecated", "unsupported")
	}
	for _, d := range []string{m.Date, m.Modified} {
		if _, ok := parseTimestamp(d); d != "" && (!ok || len(d) != 10) {
			l.warn(0, "%s is no date of the form YYYY-MM-DD", shorten(d))
		}
	}
	for _, t := range m.Tags {
		if t != strings.ToLower(t) || strings.ContainsAny(t, " \t") || !strings.Contains(t, ".") {
			l.warn(0, "the tag %q is not namespace.name in lower case", shorten(t))
		}
	}
	for _, r := range m.Related {
		if !slices.Contains([]string{"derived", "obsolete", "merged", "renamed", "similar"}, r.Type) {
			l.warn(0, "unknown type of related rule: %q", shorten(r.Type))
		}
	}
}

// oneOf warns of a missing or unknown word.
func (l *lint) oneOf(what, word string, known ...string) {
	if word == "" {
		l.warn(0, "the rule has no %s", what)
	} else if !slices.Contains(known, word) {
		l.warn(0, "unknown %s %q", what, shorten(word))
	}
}

// uuid reports whether s has the form of a UUID.
func uuid(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		hex := s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'f' || s[i] >= 'A' && s[i] <= 'F'
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash && s[i] != '-' || !dash && !hex {
			return false
		}
	}
	return true
}

func (l *lint) detection(d *detection) {
	used := map[string]bool{}
	var mark func(c *cond)
	mark = func(c *cond) {
		switch c.kind {
		case condName:
			used[c.name] = true
		case condOf:
			for _, s := range d.named(c.pattern) {
				used[s.name] = true
			}
		}
		for _, k := range c.kids {
			mark(k)
		}
	}
	for _, c := range d.conditions {
		mark(c)
	}
	for _, s := range d.searches {
		if !used[s.name] {
			l.warn(s.line, "no condition uses the search identifier %s", shorten(s.name))
		}
		l.expr(s.expr)
	}
}

func (l *lint) expr(x *expr) {
	if x.kind != exprItem {
		for _, k := range x.kids {
			l.expr(k)
		}
		return
	}
	if x.field != "" && l.rule.Source.Category == "process_creation" && !l.fields[x.field] {
		l.warn(x.line, "process_creation events have no field %s", shorten(x.field))
	}
	if len(x.values) == 1 {
		if x.has("all") {
			l.warn(x.line, "all with a single value")
		}
		return
	}
	for i, v := range x.values {
		if v.kind == scalarNull {
			l.warn(x.line, "null in a list of values; the specification wants a search identifier of its own")
		}
		if len(x.values) <= 500 && slices.Contains(x.values[:i], v) {
			l.warn(x.line, "the value %q is written twice", shorten(v.text))
		}
	}
}

func (l *lint) correlation(c *correlation) {
	if len(c.GroupBy) == 0 {
		l.warn(0, "the correlation has no group-by")
	}
	for _, a := range c.Aliases {
		if !slices.Contains(c.GroupBy, a.Name) {
			l.warn(0, "group-by does not use the alias %s", shorten(a.Name))
		}
	}
}
