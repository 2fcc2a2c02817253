package sigma

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// base are three rules that correlations refer to: F is a, b or c.
const base = `
title: A
name: a
id: 00000000-0000-4000-8000-00000000000a
logsource: {product: linux}
detection: {s: {F: a}, condition: s}
---
title: B
name: b
logsource: {product: linux}
detection: {s: {F: b}, condition: s}
---
title: C
name: c
logsource: {product: linux}
detection: {s: {F: c}, condition: s}
---
title: Any
name: any
logsource: {product: linux}
detection: {s: {F: '*'}, condition: s}
`

// correlate makes a set of the base rules and correlations, and the same set
// again from a cache.
func correlate(tb testing.TB, correlations ...string) (sets []*Set, problems []Problem) {
	tb.Helper()
	text := base
	for _, c := range correlations {
		text += "---\ntitle: X\n" + c
	}
	rules, problems := Parse([]byte(text), "")
	set, more := Compile(rules, Options{})
	data, err := Encode(set)
	if err != nil {
		tb.Fatal(err)
	}
	cached, err := Decode(data)
	if err != nil {
		tb.Fatal(err)
	}
	return []*Set{set, cached}, append(problems, more...)
}

// play feeds a session with events written "seconds:F:user:n" and returns at
// which seconds the correlation of a name hit.
func play(set *Set, name, events string) string {
	s := set.NewSession()
	var out []string
	for _, e := range strings.Fields(events) {
		parts := strings.Split(e+":::", ":")
		var at int64
		fmt.Sscan(parts[0], &at)
		ev := Event{{"F", parts[1]}}
		if parts[2] != "" {
			ev = append(ev, Field{"User", parts[2]})
		}
		if parts[3] != "" {
			ev = append(ev, Field{"N", parts[3]})
		}
		hits := set.Match(nil, LogSource{Product: "linux"}, ev)
		for _, h := range s.Add(at*1_000_000_000, ev, hits) {
			if set.Meta(h.Rule).Name == name {
				out = append(out, parts[0])
			}
		}
	}
	return strings.Join(out, " ")
}

func TestCorrelations(t *testing.T) {
	t.Parallel()
	head := "name: x\ncorrelation:\n  group-by: [User]\n  timespan: 10s\n"
	for _, c := range []struct{ name, text, events, want string }{
		{"event_count", "  type: event_count\n  rules: [a]\n  condition: {gte: 3}", "1:a:u 2:a:u 3:b:u 4:a:u 5:a:u", "4"},
		{"a window slides", "  type: event_count\n  rules: [a]\n  condition: {gte: 3}", "1:a:u 8:a:u 12:a:u 17:a:u", "17"},
		{"its end counts", "  type: event_count\n  rules: [a]\n  condition: {gte: 2}", "1:a:u 11:a:u 22:a:u", "11"},
		{"again after a timespan", "  type: event_count\n  rules: [a]\n  condition: {gte: 2}", "1:a:u 2:a:u 8:a:u 13:a:u", "2 13"},
		{"again after a pause", "  type: event_count\n  rules: [a]\n  condition: {gte: 2}", "1:a:u 2:a:u 20:a:u 21:a:u", "2 21"},
		{"groups", "  type: event_count\n  rules: [a]\n  condition: {gte: 2}", "1:a:u 2:a:v 3:a:v", "3"},
		{"no group", "  type: event_count\n  rules: [a]\n  condition: {gte: 2}", "1:a 2:a 3:a", ""},
		{"a range", "  type: event_count\n  rules: [a]\n  condition: {gt: 1, lt: 3}", "1:a:u 2:a:u 3:a:u", "2"},
		{"equal", "  type: event_count\n  rules: [a]\n  condition: {eq: 1}", "1:a:u 2:a:u", "1"},
		{"two rules, one event", "  type: event_count\n  rules: [a, any]\n  condition: {gte: 2}", "1:a:u 2:b:u", "2"},
		{"by id", "  type: event_count\n  rules: [00000000-0000-4000-8000-00000000000a]\n  condition: {gte: 1}", "1:a:u", "1"},
		{"value_count", "  type: value_count\n  rules: [any]\n  condition: {field: N, gte: 2}", "1:a:u:1 2:a:u:1 3:a:u 4:a:u:2 20:a:u:2", "4"},
		{"value_count of two", "  type: value_count\n  rules: [any]\n  condition: {field: [F, N], gte: 3}", "1:a:u:1 2:b:u:1 3:b:u:1 4:b:u:2", "4"},
		{"value_sum", "  type: value_sum\n  rules: [a]\n  condition: {field: N, gt: 10}", "1:a:u:6 2:a:u:x 3:a:u:4 4:a:u:0.5", "4"},
		{"value_avg", "  type: value_avg\n  rules: [a]\n  condition: {field: N, gte: 5}", "1:a:u:2 2:a:u:4 3:a:u:9", "3"},
		{"value_median", "  type: value_median\n  rules: [a]\n  condition: {field: N, gt: 3}", "1:a:u:1 2:a:u:100 3:a:u:2 4:a:u:50", "2 4"},
		{"value_max", "  type: value_max\n  rules: [a]\n  condition: {field: N, gte: 9}", "1:a:u:1 2:a:u:9", "2"},
		{"value_min", "  type: value_min\n  rules: [a]\n  condition: {field: N, lt: 0}", "1:a:u:1 2:a:u:-9", "2"},
		{"percentile", "  type: value_percentile\n  rules: [a]\n  condition: {field: N, percentile: 75, gte: 4}", "1:a:u:1 2:a:u:2 3:a:u:3 4:a:u:5 5:a:u:4", "5"},
		{"share", "  type: value_percentile\n  rules: [any]\n  condition: {field: F, lte: 25}", "1:a:u 2:a:u 3:a:u 4:b:u 5:b:u", "4"},
		{"temporal", "  type: temporal\n  rules: [a, b, c]", "1:c:u 2:a:u 3:a:u 4:b:v 5:b:u", "5"},
		{"temporal too late", "  type: temporal\n  rules: [a, b]", "1:a:u 12:b:u", ""},
		{"temporal some", "  type: temporal\n  rules: [a, b, c]\n  condition: {gte: 2}", "1:c:u 2:c:u 3:a:u", "3"},
		{"temporal expression", "  type: temporal\n  rules: [a, b, c]\n  condition: a AND (b or c) AND not b\n", "1:a:u 2:b:u 12:c:u 13:a:u", "13"},
		{"temporal expression 2", "  type: temporal\n  condition: a and (b or c)\n", "1:a:u 2:c:u", "2"},
		{"temporal expression not", "  type: temporal\n  rules: [a, b, c]\n  condition: a and not b\n", "1:a:u 2:b:u 12:a:v 13:a:u", "1 12 13"},
		{"ordered", "  type: temporal_ordered\n  rules: [a, b, c]", "1:c:u 2:b:u 3:a:u 4:b:u 5:b:u 6:c:u", "6"},
		{"ordered, one event is not two", "  type: temporal_ordered\n  rules: [any, a]", "1:a:u 2:b:u 3:a:u", "3"},
		{"ordered some", "  type: temporal_ordered\n  rules: [a, b, c]\n  condition: {gte: 2}", "1:c:u 2:b:u 3:c:u", "3"},
		{"ordered expression", "  type: temporal_ordered\n  rules: [a, b, c]\n  condition: a and (b or c)", "1:c:u 2:a:u 9:a:u 13:c:u", "13"},
		{"alias", "  type: temporal\n  rules: [a, b]\n  aliases: {User: {a: User, b: N}}", "1:a:u 2:b:u:v 3:b:v:u", "3"},
		{"time does not run back", "  type: temporal_ordered\n  rules: [a, b]", "5:a:u 4:b:u", "4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sets, problems := correlate(t, head+c.text)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			for i, s := range sets {
				if got := play(s, "x", c.events); got != c.want {
					t.Errorf("set %d hits at %q, want %q", i, got, c.want)
				}
			}
		})
	}
}

func TestChainedCorrelation(t *testing.T) {
	t.Parallel()
	outer := "name: outer\ncorrelation: {type: temporal_ordered, rules: [many, b], group-by: [who], timespan: 1m, aliases: {who: {many: User, b: User}}}\n"
	many := "name: many\ncorrelation: {type: event_count, rules: [a], group-by: [User], timespan: 10s, condition: {gte: 3}}\n"
	sets, problems := correlate(t, outer, many)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, s := range sets {
		if got := play(s, "outer", "1:a:u 2:a:u 3:b:u 4:a:u 5:b:v 6:b:u"); got != "6" {
			t.Errorf("the outer correlation hits at %q", got)
		}
	}
}

func TestGenerate(t *testing.T) {
	t.Parallel()
	silent := "name: x\ncorrelation: {type: event_count, rules: [a], timespan: 1m, condition: {gte: 3}}\n"
	loud := "name: y\ncorrelation: {type: event_count, rules: [b], timespan: 1m, condition: {gte: 3}, generate: true}\n"
	sets, _ := correlate(t, silent, loud)
	for _, s := range sets {
		for f, want := range map[string]bool{"a": true, "b": false} {
			hits := s.Match(nil, LogSource{Product: "linux"}, Event{{"F", f}})
			if len(hits) != 2 || hits[0].Silent != want {
				t.Errorf("%s: %v", f, hits)
			}
		}
	}
}

func TestCorrelationRefused(t *testing.T) {
	t.Parallel()
	for text, reason := range map[string]string{
		"{type: x}":                                                                                          "unknown correlation type",
		"{rules: [a], timespan: 1m}":                                                                         "no type",
		"{type: temporal, rules: [a]}":                                                                       "no timespan",
		"{type: temporal, timespan: 1m}":                                                                     "refers to no rule",
		"{type: temporal, rules: [a], timespan: 1x}":                                                         "is not a number followed by",
		"{type: temporal, rules: [a], timespan: -1m}":                                                        "is not a number followed by",
		"{type: temporal, rules: [nobody], timespan: 1m}":                                                    "no rule nobody",
		"{type: temporal, rules: [x], timespan: 1m}":                                                         "refers to itself",
		"{type: event_count, rules: [a], timespan: 1m}":                                                      "no condition",
		"{type: event_count, rules: [a], timespan: 1m, condition: a and b}":                                  "not among the rules",
		"{type: event_count, rules: [a], timespan: 1m, condition: a}":                                        "belongs to temporal",
		"{type: event_count, rules: [a], timespan: 1m, condition: {gte: x}}":                                 "not a number",
		"{type: event_count, rules: [a], timespan: 1m, condition: {near: 1}}":                                "unknown criterion",
		"{type: event_count, rules: [a], timespan: 1m, condition: {gte: 1000000}}":                           "more than the 16384",
		"{type: value_count, rules: [a], timespan: 1m, condition: {gte: 1}}":                                 "no field",
		"{type: value_sum, rules: [a], timespan: 1m, condition: {gte: 1, field: [A, B]}}":                    "only value_count",
		"{type: value_percentile, rules: [a], timespan: 1m, condition: {gte: 1, field: A, percentile: 101}}": "above 100",
		"{type: temporal, rules: [a], timespan: 1m, condition: 1 of them}":                                   "no place",
	} {
		_, problems := correlate(t, "name: x\ncorrelation: "+text+"\n")
		if len(problems) != 1 || !strings.Contains(problems[0].Message, reason) {
			t.Errorf("%s: %v, want %q", text, problems, reason)
		}
	}
}

// TestSessionIsBounded floods a session with groups and with events.
func TestSessionIsBounded(t *testing.T) {
	t.Parallel()
	sets, _ := correlate(t, "name: x\ncorrelation: {type: value_count, rules: [any], group-by: [User], timespan: 1d, condition: {field: N, gte: 20000}}\n",
		"name: y\ncorrelation: {type: value_count, rules: [any], group-by: [User], timespan: 1d, condition: {field: N, gte: 16000}}\n")
	s := sets[0].NewSession()
	add := func(i int, user string) []Hit {
		ev := Event{{"F", "a"}, {"User", user}, {"N", strings.Repeat("n", 300) + fmt.Sprint(i)}}
		return s.Add(int64(i), ev, sets[0].Match(nil, LogSource{Product: "linux"}, ev))
	}
	for i := range 3 * maxGroups {
		add(i, fmt.Sprint(i))
	}
	if len(s.groups) > maxGroups || s.recent.Len() != len(s.groups) {
		t.Errorf("%d groups, %d in the list", len(s.groups), s.recent.Len())
	}
	hits := 0
	for i := range 2 * maxOccurrences {
		hits += len(add(3*maxGroups+i, "one"))
	}
	sum := 0
	for e := s.recent.Front(); e != nil; e = e.Next() {
		g := e.Value.(*group)
		if sum += len(g.events); len(g.counts) > len(g.events) {
			t.Errorf("%d counts of %d events", len(g.counts), len(g.events))
		}
	}
	if sum != s.total || sum > maxOccurrences {
		t.Errorf("%d events, counted as %d", sum, s.total)
	}
	if hits != 1 { // y; x was refused
		t.Errorf("%d hits", hits)
	}
}

// TestTwoGroupsOfOneEvent has events that count for one group by one rule and for
// another by the other, until one must be forgotten for the other.
func TestTwoGroupsOfOneEvent(t *testing.T) {
	t.Parallel()
	sets, problems := correlate(t, "name: x\ncorrelation: {type: event_count, rules: [a, any], group-by: [k], timespan: 1s, "+
		"aliases: {k: {a: User, any: N}}, condition: {gte: 3}}\n")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if got := play(sets[0], "x", "1:a:u:v 1:a:u:u 1:a:v:u"); got != "1" {
		t.Errorf("hits at %q", got)
	}
	s := sets[0].NewSession()
	ev := Event{{"F", "a"}, {"User", "u"}, {"N", "v"}}
	hits := slices.Clone(sets[0].Match(nil, LogSource{Product: "linux"}, ev))
	for i := range 2 * maxOccurrences {
		s.Add(int64(i)*1000, ev, hits) // the timespan is longer than the memory
		sum := 0
		for _, e := range s.groups {
			sum += len(e.Value.(*group).events)
		}
		if sum != s.total || sum > maxOccurrences {
			t.Fatalf("%d events, counted as %d", sum, s.total)
		}
	}
}
