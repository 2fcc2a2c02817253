package rules

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/heedsh/heed/internal/detect/pattern"
	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/service"
	"go.yaml.in/yaml/v4"
)

func detectors(all []pattern.Rule) service.Detectors { return service.Detectors{Patterns: all} }

// tests are what the first rule of a Sigma file must match and what not.
type tests struct {
	Match    []testCase `yaml:"match"`
	Harmless []testCase `yaml:"harmless"`
}

// A testCase is what happens, one thing after another.
type testCase struct {
	steps []testStep
	line  int
}

// A testStep is a command, or the fields of an event.
type testStep struct {
	command string
	fields  map[string]string
	at      time.Duration
}

// UnmarshalYAML reads a step, or a list of them.
func (c *testCase) UnmarshalYAML(n *yaml.Node) error {
	c.line = n.Line
	steps := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		steps = n.Content
	}
	if len(steps) > maxCases {
		return fmt.Errorf("line %d: more than %d steps", n.Line, maxCases)
	}
	for _, s := range steps {
		step, err := readStep(s)
		if err != nil {
			return fmt.Errorf("line %d: %w", s.Line, err)
		}
		c.steps = append(c.steps, step)
	}
	return nil
}

func readStep(n *yaml.Node) (step testStep, err error) {
	if n.Kind == yaml.ScalarNode {
		step.command = n.Value
		return step, nil
	}
	if err := n.Decode(&step.fields); err != nil {
		return step, fmt.Errorf("a case is a command, the fields of an event, or a list of them: %w", err)
	}
	if text, ok := step.fields["at"]; ok {
		delete(step.fields, "at")
		if step.at, err = time.ParseDuration(text); err != nil {
			return step, fmt.Errorf("at: want a time like 90s or 5m: %w", err)
		}
	}
	if text, ok := step.fields["command"]; ok && len(step.fields) == 1 {
		step.command, step.fields = text, nil
	}
	return step, nil
}

// parseTests reads tests: those of one rule file, or with named the entry of it
// among those of a directory. It returns nil if there is none.
func parseTests(file string, text []byte, stem string, named bool) (*tests, error) {
	t := &tests{}
	if named {
		all := map[string]*tests{}
		if err := yaml.Unmarshal(text, &all); err != nil {
			return nil, fmt.Errorf("%s: reading tests: %w", file, err)
		}
		if t = all[stem]; t == nil {
			return nil, nil
		}
	} else if err := yaml.Load(text, t, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("%s: reading tests: %w", file, err)
	}
	if len(t.Match)+len(t.Harmless) > maxCases {
		return nil, fmt.Errorf("%s:1: more than %d cases", file, maxCases)
	}
	return t, nil
}

// run tries the first rule of a set.
func (t *tests) run(ctx context.Context, file string, set *sigma.Set) error {
	l, err := newLab(ctx, service.Detectors{})
	if err != nil {
		return err
	}
	var wrong []error
	for i, list := range [][]testCase{t.Match, t.Harmless} {
		for _, c := range list {
			switch hit := c.hits(l, set); {
			case i == 0 && !hit:
				wrong = append(wrong, fmt.Errorf("%s:%d: %s does not match this", file, c.line, set.Meta(0).Label()))
			case i == 1 && hit:
				wrong = append(wrong, fmt.Errorf("%s:%d: %s matches this, which is harmless", file, c.line, set.Meta(0).Label()))
			}
		}
	}
	return errors.Join(wrong...)
}

// hits reports whether the first rule of a set hits during a case.
func (c *testCase) hits(l *lab, set *sigma.Set) bool {
	product := productOf(set)
	session := set.NewSession()
	var m sigma.Matcher
	for _, s := range c.steps {
		events := []sigma.Event{complete(product, s.fields)}
		if s.fields == nil {
			events = l.events(s.command)
		}
		for _, ev := range events {
			hits := set.Match(&m, sigma.ProcessCreation(product), ev)
			for _, h := range append(session.Add(int64(s.at), ev, hits), hits...) {
				if h.Rule == 0 {
					return true
				}
			}
		}
	}
	return false
}

// productOf is the product that the rules of a file are for; of a correlation,
// that of the rules it counts.
func productOf(set *sigma.Set) string {
	for _, m := range set.Rules() {
		if m.Source.Product != "" {
			return m.Source.Product
		}
	}
	return "linux"
}

// complete makes an event of the fields that are named; the others have
// ordinary values.
func complete(product string, fields map[string]string) sigma.Event {
	ev := map[string]string{"User": "u", "CurrentDirectory": "/home/u/project", "ParentImage": "/usr/bin/bash", "ParentCommandLine": "bash"}
	switch product {
	case "macos":
		ev["CurrentDirectory"], ev["ParentImage"], ev["ParentCommandLine"] = "/Users/u/project", "/bin/zsh", "-zsh"
	case "windows":
		ev["User"], ev["CurrentDirectory"] = `PC\u`, `C:\Users\u\project\`
		ev["ParentImage"], ev["ParentCommandLine"] = `C:\Windows\System32\cmd.exe`, "cmd.exe"
	}
	for k, v := range fields {
		ev[k] = v
	}
	return sigma.EventOf(ev)
}
