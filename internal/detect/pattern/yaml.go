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
// name names the file in errors, which have a line where it is known. ATT&CK
// ids of older versions become the current ones.
func Parse(name string, text []byte) ([]Rule, error) {
	d, err := yaml.NewLoader(bytes.NewReader(text), yaml.WithKnownFields())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var rules []Rule
	var errs []error
	for n := 1; ; n++ {
		var r Rule
		err := d.Load(&r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: rule %d: %w", name, n, err)
		}
		if len(rules) == maxRules {
			return nil, fmt.Errorf("%s: more than %d rules", name, maxRules)
		}
		if err := r.check(); err != nil {
			errs = append(errs, fmt.Errorf("%s: rule %d (%s): %w", name, n, r.ID, err))
			continue
		}
		if slices.ContainsFunc(rules, func(o Rule) bool { return o.ID == r.ID }) {
			errs = append(errs, fmt.Errorf("%s: rule %d: the id %s is taken", name, n, r.ID))
			continue
		}
		rules = append(rules, r)
	}
	return rules, errors.Join(errs...)
}

// check says what is wrong with a rule, and brings its ATT&CK ids up to date.
func (r *Rule) check() error {
	switch {
	case !regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)+$`).MatchString(r.ID) || len(r.ID) > 80:
		return errors.New("id: want words of small letters, digits and dashes with dots between, like acme.no-restore")
	case strings.HasPrefix(r.ID, "heed."):
		return errors.New("id: heed.… is for heed's own rules")
	case r.Title == "" || len(r.Title) > 120:
		return errors.New("title: want one line of at most 120 bytes")
	case len(r.Description) > maxText:
		return errors.New("description: too long")
	case !slices.Contains([]risk.Severity{risk.Low, risk.Medium, risk.High, risk.Critical}, r.Severity):
		return errors.New("severity: want low, medium, high or critical")
	case len(r.Match) == 0:
		return errors.New("match: missing, the rule would never fire")
	case len(r.Match) > maxList || len(r.Positive) > maxExamples || len(r.Negative) > maxExamples:
		return errors.New("too many matches or examples")
	case len(r.ATTACK) == 0 || len(r.ASI) == 0:
		return errors.New("attack, asi: name at least one ATT&CK technique and one ASI id, they stand beside every block")
	}
	for i, id := range r.ATTACK {
		now, ok := attack.Current(id)
		if !ok {
			return fmt.Errorf("attack: %q is no technique of ATT&CK %s", id, attack.Version)
		}
		r.ATTACK[i] = now
	}
	for _, id := range r.ASI {
		if _, ok := attack.ASI(id); !ok {
			return fmt.Errorf("asi: %q is not ASI01 to ASI10", id)
		}
	}
	for i := range r.Match {
		if err := r.Match[i].check(); err != nil {
			return fmt.Errorf("match %d: %w", i+1, err)
		}
	}
	return nil
}

func (m *Match) check() error {
	e := m.Effect
	if !m.onProcess() && (e == nil || e.empty()) {
		return errors.New("it holds for everything: name a program, a flag, a word or an effect")
	}
	lists := [][]string{m.Program, m.Flags, m.Words}
	if e != nil {
		lists = append(lists, e.Detail, e.Without, e.Target, e.Source)
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
	for _, list := range lists {
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

func (m *Effect) empty() bool {
	return len(m.Verb)+len(m.Scope)+len(m.Detail)+len(m.Target)+len(m.Source) == 0 && !m.Root && !m.Privileged
}
