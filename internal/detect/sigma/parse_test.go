package sigma

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseMeta(t *testing.T) {
	t.Parallel()
	text := `
title: Some Title
id: 5013198b-3f8a-4b1c-9a6c-0a1d8a4b7e11
name: some_name
related:
    - id: 5013198b-3f8a-4b1c-9a6c-0a1d8a4b7e12
      type: similar
status: Test
description: |
    Two
    lines
references: [https://example.com/a]
author: A, B
date: 2026-01-02
modified: '2026-02-03'
license: MIT
tags: [attack.execution, attack.t1059.004]
logsource: {category: Process_Creation, product: linux, service: x, definition: y}
detection:
    s: {A: b}
    condition: s
fields: [A]
falsepositives: Unknown
scope: [server]
level: HIGH
custom: {anything: [1, 2]}
`
	r := parseOne(t, text)
	want := Meta{
		ID: "5013198b-3f8a-4b1c-9a6c-0a1d8a4b7e11", Name: "some_name", Title: "Some Title", Description: "Two\nlines\n", Status: "test",
		Level: "high", Author: "A, B", Date: "2026-01-02", Modified: "2026-02-03", License: "MIT",
		Tags: []string{"attack.execution", "attack.t1059.004"}, References: []string{"https://example.com/a"},
		FalsePositives: []string{"Unknown"}, Fields: []string{"A"}, Scope: []string{"server"},
		Related: []Related{{"5013198b-3f8a-4b1c-9a6c-0a1d8a4b7e12", "similar"}},
		Source:  LogSource{"process_creation", "linux", "x"}, File: "test.yml", Line: 2,
	}
	if !reflect.DeepEqual(r.Meta, want) {
		t.Errorf("got  %+v\nwant %+v", r.Meta, want)
	}
	set, _ := Compile([]Rule{r}, Options{})
	data, err := Encode(set)
	if err != nil {
		t.Fatal(err)
	}
	cached, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if got := cached.Rules(); !reflect.DeepEqual(*got[0], want) {
		t.Errorf("from the cache: %+v", got[0])
	}
}

func TestParseDocuments(t *testing.T) {
	t.Parallel()
	one := ruleText("s: {A: b}\ncondition: s")
	bad := ruleText("s: {A|nonsense: b}\ncondition: s")
	rules, problems := Parse([]byte("---\n"+one+"---\n"+bad+"---\n"+one+"---\n"), "x.yml")
	if len(rules) != 2 || len(problems) != 1 || rules[1].Line < 20 {
		t.Errorf("%d rules, %v", len(rules), problems)
	}
	if got := problems[0].Error(); !strings.Contains(got, `x.yml:19: refused: search identifier s: unknown modifier "nonsense"`) {
		t.Error(got)
	}
	if rules, problems = Parse([]byte(one+"---\n{a: [\n"), "x.yml"); len(rules) != 1 || len(problems) != 1 {
		t.Errorf("%d rules, %v", len(rules), problems)
	}
}

func TestAliases(t *testing.T) {
	t.Parallel()
	r := parseOne(t, ruleText("a: {F: &list [x, y]}\nb: {G: *list}\ncondition: a and b"))
	if !verdict(t, r, Options{}, Event{{"F", "x"}, {"G", "y"}}) {
		t.Error("an alias is not what it stands for")
	}
	bomb := "a: &a [x, x, x, x, x, x, x, x]\n"
	for i := 'b'; i < 'k'; i++ {
		last := string(i - 1)
		bomb += string(i) + ": &" + string(i) + " [" + strings.Repeat("*"+last+", ", 7) + "*" + last + "]\n"
	}
	if rules, problems := Parse([]byte(ruleText(bomb+"condition: j")), ""); len(rules) > 0 || len(problems) == 0 {
		t.Error("an alias bomb was read")
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	base := "title: t\nlogsource: {product: linux}\n"
	for text, reason := range map[string]string{
		"[]":    "the document is not a map",
		base:    "neither detection nor correlation",
		"a: [b": "no valid YAML",
		base + "detection: {s: {A: b}, condition: s}\ncorrelation: {}":                                                "both detection and correlation",
		"title: t\ndetection: {s: {A: b}, condition: s}":                                                              "no logsource",
		"action: global\n" + base:                                                                                     "rule collections",
		"title: t\nfilter: {}":                                                                                        "filter",
		base + "detection: {s: {A: b}}":                                                                               "no condition",
		base + "detection: {s: {A: b}, condition: []}":                                                                "condition is empty",
		base + "detection: {s: {A: b}, condition: s | count() > 5}":                                                   "aggregations",
		base + "detection: {s: {A: b}, condition: s, timeframe: 5m}":                                                  "timeframe",
		base + "detection: {s: {A: b}, condition: s near t}":                                                          `"near" is left over`,
		base + "detection: {s: {A: b}, condition: t}":                                                                 "no search identifier t",
		base + "detection: {s: {A: b}, condition: 1 of t*}":                                                           "names no search identifier",
		base + "detection: {s: {A: b}, condition: 2 of s*}":                                                           "can never hold",
		base + "detection: {s: {A: b}, condition: s and}":                                                             "missing at the end",
		base + "detection: {s: {A: b}, condition: and s}":                                                             `"and" where`,
		base + "detection: {s: {A: b}, condition: (s}":                                                                "closing parenthesis",
		base + "detection: {s: {A: b}, condition: ()}":                                                                "missing before )",
		base + "detection: {s: {A: b}, condition: s s}":                                                               "left over",
		base + "detection: {s: {A: b}, condition: 1 of (}":                                                            "1 of what?",
		base + "detection: {s: {A: b, A: c}, condition: s}":                                                           "twice",
		base + "detection: {s: , condition: s}":                                                                       "null",
		base + "detection: {s: [a, null], condition: s}":                                                              "null",
		base + "detection: {s: {}, condition: s}":                                                                     "map is empty",
		base + "detection: {s: [], condition: s}":                                                                     "list is empty",
		base + "detection: {s: {A: []}, condition: s}":                                                                "empty list of values",
		base + "detection: {s: {A: {b: c}}, condition: s}":                                                            "is a map",
		base + "detection: {s: {A: [[b]]}, condition: s}":                                                             "not a scalar",
		base + "detection: {s: {A|contains|contains: b}, condition: s}":                                               "twice",
		base + "detection: {s: {A|contains|endswith: b}, condition: s}":                                               "more than one of",
		base + "detection: {s: {A|contains|re: b}, condition: s}":                                                     "exclude each other",
		base + "detection: {s: {A|re|cidr: b}, condition: s}":                                                         "what the value is",
		base + "detection: {s: {A|re|gt: 1}, condition: s}":                                                           "what the value is",
		base + "detection: {s: {A|re|base64: b}, condition: s}":                                                       "exclude each other",
		base + "detection: {s: {A|i: b}, condition: s}":                                                               "belongs after re",
		base + "detection: {s: {A|base64|base64offset: b}, condition: s}":                                             "both base64",
		base + "detection: {s: {A|base64: 'b*'}, condition: s}":                                                       "wildcards",
		base + "detection: {s: {A|re: '(?=b)'}, condition: s}":                                                        "error parsing regexp",
		base + "detection: {s: {A|cidr: b}, condition: s}":                                                            "ParseAddr",
		base + "detection: {s: {A|gt: b}, condition: s}":                                                              "not a number",
		base + "detection: {s: {A|exists: b}, condition: s}":                                                          "true or false",
		base + "detection: {s: {A|contains: null}, condition: s}":                                                     "null",
		base + "detection: {s: {'|cidr': 10.0.0.0/8}, condition: s}":                                                  "needs a field",
		base + "detection: {s: {A|fieldref: ''}, condition: s}":                                                       "fieldref",
		base + "detection: {s: {A: b}, condition: " + strings.Repeat("(", 500) + "s" + strings.Repeat(")", 500) + "}": "too deep",
		base + "detection: {s: {A: b}, condition: " + strings.Repeat("not ", 500) + "s}":                              "too deep",
		base + "detection: {s: {A: b}, condition: s" + strings.Repeat(" or s", 2000) + "}":                            "more than 2000 words",
	} {
		rules, problems := Parse([]byte(text), "")
		if len(rules) != 0 || len(problems) != 1 || !strings.Contains(problems[0].Message, reason) || problems[0].Severity != Refused {
			t.Errorf("%s\n%d rules, problems %v, want %q", shorten(text), len(rules), problems, reason)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	text := `title: x
status: fine
date: 2026/01/02
tags: [Attack]
logsource: {category: process_creation, product: linux}
detection:
    used:
        Comandline|contains|all: a
        User: [root, root, null]
    unused: {Image: b}
    condition: used
`
	rules, problems := Check([]byte(text), "f.yml")
	var got []string
	for _, p := range problems {
		got = append(got, p.Error())
	}
	want := []string{
		"f.yml:1: warning: the rule has no id (rule x)",
		"f.yml:1: warning: the rule has no level (rule x)",
		`f.yml:1: warning: unknown status "fine" (rule x)`,
		"f.yml:1: warning: 2026/01/02 is no date of the form YYYY-MM-DD (rule x)",
		`f.yml:1: warning: the tag "Attack" is not namespace.name in lower case (rule x)`,
		"f.yml:8: warning: process_creation events have no field Comandline (rule x)",
		"f.yml:8: warning: all with a single value (rule x)",
		`f.yml:9: warning: the value "root" is written twice (rule x)`,
		"f.yml:9: warning: null in a list of values; the specification wants a search identifier of its own (rule x)",
		"f.yml:10: warning: no condition uses the search identifier unused (rule x)",
	}
	if len(rules) != 1 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d rules:\n%s", len(rules), strings.Join(got, "\n"))
	}
	if _, problems := Check([]byte(strings.Replace(ruleText("s: {User: b}\ncondition: s"), "title: t", "title: A title", 1)), ""); len(problems) > 0 {
		t.Errorf("a rule without fault: %v", problems)
	}
}
