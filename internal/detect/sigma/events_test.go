package sigma

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// ruleEvents are two events of our own for one published rule.
type ruleEvents struct {
	Rule     string            // its id
	Match    map[string]string // it must match this
	Harmless map[string]string // and not this, which comes close
}

// readEvents returns testdata/events.jsonl by rule.
func readEvents(t *testing.T) map[string]ruleEvents {
	t.Helper()
	data, err := os.ReadFile("testdata/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]ruleEvents{}
	for line := range bytes.Lines(data) {
		var e ruleEvents
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if _, ok := all[e.Rule]; ok {
			t.Errorf("%s has two lines", e.Rule)
		}
		all[e.Rule] = e
	}
	return all
}

// TestEventsOfUnixRules runs two events for every process_creation rule for
// Linux and macOS in the checkout that HEED_SIGMA names: compiled, as the
// reference reads it, and from a cache.
func TestEventsOfUnixRules(t *testing.T) {
	t.Parallel()
	rules, _, _ := load(t, "rules", "rules-threat-hunting", "rules-emerging-threats")
	events := readEvents(t)
	set, problems := Compile(rules, Options{})
	for _, p := range problems {
		t.Log(p)
	}
	data, err := Encode(set)
	if err != nil {
		t.Fatal(err)
	}
	cached, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]*Rule{}
	for i := range rules {
		byID[rules[i].ID] = &rules[i]
	}
	tried := 0
	for i, m := range set.Rules() {
		if m.Source != ProcessCreation("linux") && m.Source != ProcessCreation("macos") {
			continue
		}
		e, ok := events[m.ID]
		if !ok {
			t.Errorf("%s %s (%s) has no events", m.ID, m.Title, m.File)
			continue
		}
		tried++
		for want, fields := range map[bool]map[string]string{true: e.Match, false: e.Harmless} {
			if got, err := Reference(byID[m.ID], Options{}, EventOf(fields)); err != nil || got != want {
				t.Errorf("%s %s (%s), reference: %v, %v, want %v: %v", m.ID, m.Title, m.File, got, err, want, fields)
			}
			for name, s := range map[string]*Set{"compiled": set, "cached": cached} {
				if got := matches(s, i, m.Source, fields); got != want {
					t.Errorf("%s %s (%s), %s: %v, want %v: %v", m.ID, m.Title, m.File, name, got, want, fields)
				}
			}
		}
	}
	if tried != len(events) {
		t.Errorf("%d of %d rules with events are in the checkout", tried, len(events))
	}
	t.Logf("%d rules, two events each", tried)
}

func matches(s *Set, rule int, source LogSource, fields map[string]string) bool {
	for _, h := range s.Match(nil, source, EventOf(fields)) {
		if h.Rule == rule {
			return true
		}
	}
	return false
}
