package pattern

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/attack"
	"github.com/heedsh/heed/internal/strictyaml"
	"github.com/heedsh/heed/risk"
	"go.yaml.in/yaml/v4"
)

// How much one file of rules may hold.
const (
	maxRules    = 500
	maxList     = 100
	maxText     = 2000
	maxExamples = 50
)

// Parse reads rules in YAML, a rule a document:
//
//	id: acme.no-prod-restore
//	title: Restores a dump over production
//	description: …
//	severity: critical          # low and medium annotate, high is CAUTION/B at least, critical REVIEW
//	attack: [T1485]
//	asi: [ASI02]
//	match:                      # one of them is enough
//	  - program: [pg_restore]
//	    words: ["*prod*"]
//	  - effect: {verb: [db.destroy], target: ["*prod*"]}
//	positive: [pg_restore -d prod dump]
//	negative: [pg_restore -d test dump]
//
// name names the file in errors, each of which is of the form name:line: what.
// ATT&CK ids of older versions become the current ones.
func Parse(name string, text []byte) ([]Rule, error) {
	d, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var rules []Rule
	var errs []error
	for {
		var doc yaml.Node
		err := d.Load(&doc)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, errors.Join(append(errs, fmt.Errorf("%s:%w", name, strictyaml.Placed(err)))...)
		}
		if empty(&doc) {
			continue
		}
		if len(rules)+len(errs) == maxRules {
			return nil, fmt.Errorf("%s:%d: more than %d rules", name, doc.Line, maxRules)
		}
		r, err := load(&doc)
		if err == nil && slices.ContainsFunc(rules, func(o Rule) bool { return o.ID == r.ID }) {
			err = fmt.Errorf("%d: the id %s is taken", r.Line, r.ID)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%w", name, err))
			continue
		}
		rules = append(rules, r)
	}
	return rules, errors.Join(errs...)
}

// empty reports whether a document holds nothing, like what follows a last ---.
func empty(doc *yaml.Node) bool {
	return len(doc.Content) == 0 || len(doc.Content) == 1 && doc.Content[0].Kind == yaml.ScalarNode && doc.Content[0].Value == ""
}

// load reads one document. Its error begins with the line.
func load(doc *yaml.Node) (Rule, error) {
	r := Rule{}
	body := doc
	for body.Kind == yaml.DocumentNode && len(body.Content) == 1 {
		body = body.Content[0]
	}
	if body.Kind != yaml.MappingNode {
		return r, fmt.Errorf("%d: a rule is a map with id, title, severity and match", body.Line)
	}
	if err := body.Load(&r, yaml.WithKnownFields()); err != nil {
		return r, strictyaml.Placed(err)
	}
	r.Line = body.Line
	if key, err := r.check(); err != nil {
		return r, fmt.Errorf("%d: %w", strictyaml.LineOf(body, key), err)
	}
	return r, nil
}

// check says what is wrong with a rule, and brings its ATT&CK ids up to date. The
// key is where in the rule the fault is.
func (r *Rule) check() (key string, err error) {
	switch {
	case !regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)+$`).MatchString(r.ID) || len(r.ID) > 80:
		return "id", errors.New("id: want words of small letters, digits and dashes with dots between, like acme.no-restore")
	case strings.HasPrefix(r.ID, "heed."):
		return "id", errors.New("id: heed.… is for heed's own rules")
	case r.Title == "" || len(r.Title) > 120 || strings.ContainsAny(r.Title, "\r\n"):
		return "title", errors.New("title: want one line of at most 120 bytes")
	case len(r.Description) > maxText:
		return "description", errors.New("description: too long")
	case !slices.Contains([]risk.Severity{risk.Low, risk.Medium, risk.High, risk.Critical}, r.Severity):
		return "severity", errors.New("severity: want low, medium, high or critical")
	case len(r.Match) == 0:
		return "match", errors.New("match: missing, the rule would never fire")
	case len(r.Match) > maxList || len(r.ATTACK) > maxList || len(r.ASI) > maxList || len(r.Positive) > maxExamples || len(r.Negative) > maxExamples:
		return "match", errors.New("too many matches, ids or examples")
	case len(r.ATTACK) == 0 || len(r.ASI) == 0:
		return "attack", errors.New("attack, asi: name at least one ATT&CK technique and one ASI id, they stand beside every block")
	}
	for i, id := range r.ATTACK {
		now, ok := attack.Current(id)
		if !ok {
			return "attack", fmt.Errorf("attack: %q is no technique of ATT&CK %s", id, attack.Version)
		}
		r.ATTACK[i] = now
	}
	for _, id := range r.ASI {
		if _, ok := attack.ASI(id); !ok {
			return "asi", fmt.Errorf("asi: %q is not ASI01 to ASI10", id)
		}
	}
	for i := range r.Match {
		if err := r.Match[i].check(); err != nil {
			return "match", fmt.Errorf("match %d: %w", i+1, err)
		}
	}
	return "", nil
}

func (m *Match) check() error {
	e := m.Effect
	if !m.onProcess() && (e == nil || e.empty()) {
		return errors.New("it holds for everything: name a program, a flag, a word or an effect")
	}
	if e != nil {
		for _, v := range e.Verb {
			if !slices.Contains(risk.Verbs(), v) {
				return fmt.Errorf("effect: %q is no verb (docs/patterns.md lists them)", v)
			}
		}
		for _, s := range e.Scope {
			if !slices.Contains(risk.Scopes(), s) {
				return fmt.Errorf("effect: %q is no scope (docs/patterns.md lists them)", s)
			}
		}
	}
	if e != nil && max(len(e.Kind), len(e.Without)) > maxList {
		return fmt.Errorf("more than %d words in a list", maxList)
	}
	for _, list := range m.Lists() {
		if len(list) > maxList {
			return fmt.Errorf("more than %d words in a list", maxList)
		}
		for _, w := range list {
			if len(w) > maxText || strings.Count(w, "*") > 10 {
				return fmt.Errorf("%.40q: too long, or too many stars", w)
			}
		}
	}
	return nil
}

// Lists returns the words of a condition, a list of them each.
func (m *Match) Lists() [][]string {
	lists := [][]string{m.Program, m.Flags, m.Words}
	if e := m.Effect; e != nil {
		lists = append(lists, e.Target, e.Source)
	}
	return lists
}

func (m *Effect) empty() bool {
	return len(m.Verb)+len(m.Scope)+len(m.Kind)+len(m.Target)+len(m.Source) == 0 && !m.Root && !m.Privileged
}
