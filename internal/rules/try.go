package rules

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/detect/pattern"
	"github.com/heedsh/heed/internal/detect/sigma"
)

// A Match is a rule that matched, and why.
type Match struct {
	ID, Title, Level string
	Evidence         []string
}

// TryCommand returns the rules of a file that match a command in the made-up
// world of the examples.
func TryCommand(ctx context.Context, name string, text []byte, command string) ([]Match, error) {
	if KindOf(text) != Pattern {
		set, err := compileFile(name, text)
		if err != nil {
			return nil, err
		}
		l, err := newLab(ctx, detectors(nil))
		if err != nil {
			return nil, err
		}
		return tryEvents(set, l.events(command), productOf(set)), nil
	}
	all, err := pattern.Parse(name, text)
	if err != nil {
		return nil, err
	}
	l, err := newLab(ctx, detectors(all))
	if err != nil {
		return nil, err
	}
	var found []Match
	out := l.run(command, "")
	for _, f := range out.Findings {
		if slices.ContainsFunc(all, func(r pattern.Rule) bool { return r.ID == f.ID }) {
			found = append(found, Match{f.ID, f.Title, string(f.Severity), []string{f.Evidence}})
		}
	}
	return found, nil
}

// TryEvent returns the Sigma rules of a file that match an event. Fields that
// are not given have ordinary values.
func TryEvent(name string, text []byte, fields map[string]string) ([]Match, error) {
	if KindOf(text) == Pattern {
		return nil, fmt.Errorf("%s holds pattern rules, which match commands: give one instead of --event", name)
	}
	set, err := compileFile(name, text)
	if err != nil {
		return nil, err
	}
	product := productOf(set)
	return tryEvents(set, []sigma.Event{complete(product, maps.Clone(fields))}, product), nil
}

// compileFile compiles the Sigma rules of a file, all of which must be right.
func compileFile(name string, text []byte) (*sigma.Set, error) {
	all, problems := sigma.Parse(text, name)
	set, more := sigma.Compile(all, sigma.Options{})
	for _, p := range append(problems, more...) {
		return nil, p
	}
	if set.Len() == 0 {
		return nil, fmt.Errorf("%s:1: it holds no rule", name)
	}
	return set, nil
}

// tryEvents matches events one after another, a nanosecond apart.
func tryEvents(set *sigma.Set, events []sigma.Event, product string) (found []Match) {
	var m sigma.Matcher
	session := set.NewSession()
	seen := map[int]bool{}
	for i, ev := range events {
		hits := slices.Clone(set.Match(&m, sigma.ProcessCreation(product), ev))
		for _, h := range append(hits, session.Add(int64(i), ev, hits)...) {
			if seen[h.Rule] {
				continue
			}
			seen[h.Rule] = true
			meta := set.Meta(h.Rule)
			one := Match{ID: meta.Label(), Title: meta.Title, Level: meta.Level}
			for _, e := range set.Evidence(&m, h.Rule) {
				value := strings.ReplaceAll(e.Value, detect.Mask, "…")
				one.Evidence = append(one.Evidence, strings.TrimSpace(fmt.Sprintf("%s %s %s: %s", e.Field, e.Test, e.Pattern, value)))
			}
			if meta.Correlation {
				one.Evidence = []string{"the events together"}
			}
			found = append(found, one)
		}
	}
	return found
}
