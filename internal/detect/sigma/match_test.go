package sigma

import (
	"slices"
	"strings"
	"testing"
)

// ruleText makes a rule of a detection section without its condition.
func ruleText(detection string) string {
	return "title: t\nid: 11111111-2222-3333-4444-555555555555\nlevel: low\nlogsource:\n  category: process_creation\n  product: linux\n" +
		"detection:\n" + indent(detection)
}

func indent(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n  ") + "\n"
}

// parseOne parses a text that must be exactly one rule.
func parseOne(tb testing.TB, text string) Rule {
	tb.Helper()
	rules, problems := Parse([]byte(text), "test.yml")
	if len(problems) > 0 || len(rules) != 1 {
		tb.Fatalf("%d rules, problems %v in\n%s", len(rules), problems, text)
	}
	return rules[0]
}

// verdict evaluates a rule in all ways there are, which must agree.
func verdict(tb testing.TB, r Rule, opts Options, ev Event) bool {
	tb.Helper()
	set, problems := Compile([]Rule{r}, opts)
	if len(problems) > 0 {
		tb.Fatal(problems)
	}
	data, err := Encode(set)
	if err != nil {
		tb.Fatal(err)
	}
	cached, err := Decode(data)
	if err != nil {
		tb.Fatal(err)
	}
	want, err := Reference(&r, opts, ev)
	if err != nil {
		tb.Fatal(err)
	}
	var m Matcher
	if got := len(set.Match(&m, r.Source, ev)) == 1; got != want {
		tb.Errorf("Match says %v, Reference %v for %v", got, want, ev)
	}
	if got := len(cached.Match(nil, r.Source, ev)) == 1; got != want {
		tb.Errorf("from the cache Match says %v, Reference %v for %v", got, want, ev)
	}
	return want
}

func TestModifiers(t *testing.T) {
	t.Parallel()
	line := func(s string) Event { return Event{{"CommandLine", s}} }
	for _, c := range []struct {
		name, item string
		yes, no    []Event
	}{
		{"equal", "CommandLine: Ls -La", []Event{line("ls -la"), line("LS -LA")}, []Event{line("ls -la "), line(""), {}}},
		{"list", "CommandLine: [a1, b2]", []Event{line("a1"), line("B2")}, []Event{line("a1b2")}},
		{"star", "CommandLine: 'a*c'", []Event{line("ac"), line("abbbc"), line("a\nc")}, []Event{line("abcd"), line("xac")}},
		{"question mark", "CommandLine: 'a?c'", []Event{line("abc"), line("aéc")}, []Event{line("ac"), line("abbc")}},
		{"stars inside", "CommandLine: '*one*two*'", []Event{line("xonextwox"), line("onetwo")}, []Event{line("twoone"), line("ontwo")}},
		{"escaped star", `CommandLine: 'a\*c'`, []Event{line("a*c")}, []Event{line("abc"), line(`a\bc`)}},
		{"escaped backslash before star", `CommandLine: 'a\\*'`, []Event{line(`a\`), line(`a\b`)}, []Event{line("a*")}},
		{"three backslashes", `CommandLine: 'a\\\*'`, []Event{line(`a\*`)}, []Event{line(`a\b`)}},
		{"plain backslash", `CommandLine: 'C:\Users'`, []Event{line(`c:\users`)}, []Event{line(`c:\\users`)}},
		{"double backslash", `CommandLine: 'C:\\Users'`, []Event{line(`c:\users`)}, nil},
		{"four backslashes", `CommandLine: '\\\\srv'`, []Event{line(`\\srv`)}, []Event{line(`\srv`)}},
		{"only star", "CommandLine: '*'", []Event{line("x"), line("")}, []Event{{}}},
		{"contains", "CommandLine|contains: ' -E '", []Event{line("x -e y")}, []Event{line("x -e")}},
		{"contains short", "CommandLine|contains: 'é'", []Event{line("caFÉ")}, []Event{line("cafe")}},
		{"contains one byte", "CommandLine|contains: '|'", []Event{line("a|b")}, []Event{line("ab")}},
		{"contains with star", "CommandLine|contains: 'a*b'", []Event{line("xaxbx")}, []Event{line("ba")}},
		{"startswith", "CommandLine|startswith: cur", []Event{line("curl")}, []Event{line(" curl")}},
		{"endswith", "Image|endswith: '/w'", []Event{{{"Image", "/usr/bin/w"}}}, []Event{{{"Image", "/usr/bin/ww"}}, line("/w")}},
		{"all", "CommandLine|contains|all: [a1, b2]", []Event{line("b2a1")}, []Event{line("a1"), line("b2")}},
		{"cased", "CommandLine|contains|cased: AbC", []Event{line("xAbCx")}, []Event{line("xabcx")}},
		{"re", `CommandLine|re: '^a.c$'`, []Event{line("abc")}, []Event{line("ABC"), line("a\nc")}},
		{"re i", `CommandLine|re|i: 'pass(word)?='`, []Event{line("x PASSWORD=1"), line("paſs=")}, []Event{line("pas=")}},
		{"re m", `CommandLine|re|m: '^b'`, []Event{line("a\nb")}, []Event{line("ab")}},
		{"re s", `CommandLine|re|s: 'a.b'`, []Event{line("a\nb")}, []Event{line("ab")}},
		{"base64", "CommandLine|base64|contains: foobar", []Event{line("x Zm9vYmFy")}, []Event{line("foobar")}},
		{
			"base64offset", "CommandLine|base64offset|contains: foobar",
			[]Event{line("Zm9vYmFy"), line("eGZvb2Jhcg=="), line("eHhmb29iYXI=")},
			[]Event{line("foobar"), line("Zm9vYmEh")},
		},
		{"wide", "CommandLine|wide|base64offset|contains: 'ping'", []Event{line("cABpAG4AZwA=")}, []Event{line("cGluZw==")}},
		{"utf16be", "CommandLine|utf16be|base64: 'hi'", []Event{line("AGgAaQ==")}, []Event{line("aABpAA==")}},
		{"utf16", "CommandLine|utf16|base64: 'hi'", []Event{line("//5oAGkA")}, []Event{line("aABpAA==")}},
		{"bare wide", "CommandLine|wide|contains: 'hi'", []Event{line("h\x00i\x00")}, []Event{line("hi")}},
		{
			"windash", "CommandLine|contains|windash: ' -exec '",
			[]Event{line("a -exec b"), line("a /exec b"), line("a –exec b"), line("a —exec b"), line("a ―EXEC b")},
			[]Event{line("a exec b"), line("a +exec b")},
		},
		{"windash inside of words", "CommandLine|windash: 'a-b /c'", []Event{line("a-b -c")}, []Event{line("a/b -c")}},
		{"windash twice", "CommandLine|windash: '-a /b'", []Event{line("/a -b"), line("–a ―b")}, []Event{line("-a b")}},
		{"cidr", "Ip|cidr: 10.0.0.0/8", []Event{{{"Ip", "10.1.2.3"}}, {{"Ip", "::ffff:10.0.0.1"}}}, []Event{{{"Ip", "11.0.0.1"}}, {{"Ip", "x"}}}},
		{"cidr 6", "Ip|cidr: ['fe80::/10', '::1']", []Event{{{"Ip", "fe80::1"}}, {{"Ip", "::1"}}}, []Event{{{"Ip", "::2"}}}},
		{"exists", "User|exists: true", []Event{{{"User", ""}}}, []Event{{}}},
		{"exists not", "User|exists: false", []Event{{}}, []Event{{{"User", "x"}}}},
		{"null", "User: null", []Event{{}}, []Event{{{"User", ""}}}},
		{"empty", "User: ''", []Event{{{"User", ""}}}, []Event{{}, {{"User", "x"}}}},
		{"number", "Port: 443", []Event{{{"Port", "443"}}}, []Event{{{"Port", "4430"}}}},
		{"hexadecimal", "Mask: 0x1F", []Event{{{"Mask", "0x1f"}}}, []Event{{{"Mask", "31"}}}},
		{"boolean", "Signed: true", []Event{{{"Signed", "true"}}, {{"Signed", "True"}}}, []Event{{{"Signed", "1"}}}},
		{"lt", "N|lt: 10", []Event{{{"N", "9.5"}}, {{"N", "-1"}}}, []Event{{{"N", "10"}}, {{"N", "x"}}, {}}},
		{"lte", "N|lte: 10", []Event{{{"N", "10"}}}, []Event{{{"N", "10.1"}}}},
		{"gt", "N|gt: 10", []Event{{{"N", "11"}}}, []Event{{{"N", "10"}}}},
		{"gte", "N|gte: 10", []Event{{{"N", "10"}}}, []Event{{{"N", "9"}}}},
		{"neq", "User|neq: [root, admin]", []Event{{{"User", "ada"}}}, []Event{{{"User", "ROOT"}}, {{"User", "admin"}}, {}}},
		{"neq contains", "User|contains|neq: oo", []Event{{{"User", "ada"}}}, []Event{{{"User", "root"}}}},
		{"fieldref", "User|fieldref: ParentUser", []Event{{{"User", "a"}, {"ParentUser", "A"}}}, []Event{{{"User", "a"}}, {{"User", "a"}, {"ParentUser", "b"}}}},
		{"fieldref endswith", "Image|fieldref|endswith: Name", []Event{{{"Image", "/bin/LS"}, {"Name", "ls"}}}, []Event{{{"Image", "/ls/x"}, {"Name", "ls"}}}},
		{"fieldref startswith", "A|fieldref|startswith: B", []Event{{{"A", "xyz"}, {"B", "xy"}}}, []Event{{{"A", "xyz"}, {"B", "yz"}}}},
		{"fieldref contains cased", "A|fieldref|contains|cased: B", []Event{{{"A", "xYz"}, {"B", "Y"}}}, []Event{{{"A", "xYz"}, {"B", "y"}}}},
		{"fieldref neq", "User|fieldref|neq: ParentUser", []Event{{{"User", "a"}, {"ParentUser", "b"}}}, []Event{{{"User", "a"}, {"ParentUser", "a"}}}},
		{"hour", "UtcTime|hour|gte: 22", []Event{{{"UtcTime", "2026-11-21 22:35:40.1"}}}, []Event{{{"UtcTime", "2026-11-21T08:00:00Z"}}, {{"UtcTime", "2026-11-21"}}}},
		{"week", "T|week: 53", []Event{{{"T", "2027-01-03"}}}, []Event{{{"T", "2027-01-04"}}}},
		{"day month year", "T|day: 29\nT|month: 2\nT|year: 2024", []Event{{{"T", "2024-02-29"}}}, []Event{{{"T", "2023-02-29"}}}},
		{"minute", "T|minute|lt: 5", []Event{{{"T", "2024-02-29T10:04:00"}}}, []Event{{{"T", "2024-02-29T10:05:00"}}}},
		{"keywords all", "'|all': [one, two]", []Event{{{"A", "xonex"}, {"B", "TWO"}}}, []Event{{{"A", "one"}}}},
		{"keywords re", "'|re': '^one$'", []Event{{{"A", "x"}, {"B", "one"}}}, []Event{{{"A", "xone"}}}},
		{"bad UTF-8", "CommandLine|contains: 'b?d'", []Event{line("xb\xffdx")}, []Event{line("xb\xff\xffdx")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := parseOne(t, ruleText("sel:\n"+indent(c.item)+"condition: sel"))
			for _, ev := range c.yes {
				if !verdict(t, r, Options{}, ev) {
					t.Errorf("no match for %q", ev)
				}
			}
			for _, ev := range c.no {
				if verdict(t, r, Options{}, ev) {
					t.Errorf("match for %q", ev)
				}
			}
		})
	}
}

func TestKeywordLists(t *testing.T) {
	t.Parallel()
	ev := Event{{"Image", "/bin/nc"}, {"Message", "Hello World"}}
	for text, want := range map[string]bool{
		"sel: [nothing, world]\ncondition: sel":                                                    true,
		"sel: world\ncondition: sel":                                                               true,
		"sel: [nothing]\ncondition: sel":                                                           false,
		"sel: ['h*d']\ncondition: sel":                                                             true,
		"sel:\n  - nothing\n  - Image: /bin/nc\ncondition: sel":                                    true,
		"sel:\n  - nothing\n  - Image: /bin/x\ncondition: sel":                                     false,
		"sel:\n  - Image: /bin/x\n  - Image: /bin/nc\n    Message|endswith: world\ncondition: sel": true,
		"sel: [world]\ncondition: not sel":                                                         false,
	} {
		if got := verdict(t, parseOne(t, ruleText(text)), Options{}, ev); got != want {
			t.Errorf("%v for\n%s", got, text)
		}
	}
}

func TestConditions(t *testing.T) {
	t.Parallel()
	searches := "a: {F: x}\nb: {F: y}\nc1: {G: x}\nc2: {G: y}\nc3: {H: x}\n_d: {G: x}\n"
	ev := Event{{"F", "x"}, {"G", "x"}, {"H", "x"}} // a, c1, c3, _d hold; b, c2 do not
	for condition, want := range map[string]bool{
		"a":                                 true,
		"b":                                 false,
		"a and b":                           false,
		"A and b":                           false, // see below: names are case-sensitive
		"a AND c1":                          true,
		"b or a and c1":                     true,
		"(b or a) and c2":                   false,
		"b or a and c2":                     false,
		"not b and a":                       true,
		"not (b and a)":                     true,
		"not not a":                         true,
		"1 of c*":                           true,
		"any of c*":                         true,
		"all of c*":                         false,
		"2 of c*":                           true,
		"3 of c*":                           false,
		"1 of them":                         true,
		"all of them":                       false,
		"3 of THEM":                         true,
		"4 of them":                         false, // _d is no part of them
		"all of _*":                         true,
		"1 of *2":                           false,
		"all of *1 and not 1 of b*":         true,
		"[b, a]":                            true,
		"[b, c2]":                           false,
		"'b or\n\n    a'":                   true,
		"1 of c* and not(b)and(a or(b))":    true,
		"not 1 of c* or 2 of c* and not c2": true,
	} {
		text := ruleText(searches + "condition: " + condition)
		if strings.Contains(condition, "A and") {
			if rules, _ := Parse([]byte(text), ""); len(rules) > 0 {
				t.Errorf("%s: a name that is not there", condition)
			}
			continue
		}
		if got := verdict(t, parseOne(t, text), Options{}, ev); got != want {
			t.Errorf("%s: %v", condition, got)
		}
	}
}

func TestPlaceholders(t *testing.T) {
	t.Parallel()
	r := parseOne(t, ruleText(`sel: {User|expand: '%admins%', Host|expand|contains: 'a%b%\%c', Plain: '%admins%'}`+"\ncondition: sel"))
	if _, problems := Compile([]Rule{r}, Options{}); len(problems) != 1 || !strings.Contains(problems[0].Message, "%admins%") {
		t.Errorf("a placeholder without a value: %v", problems)
	}
	opts := Options{Placeholders: map[string][]string{"admins": {"root", "adm_*"}, "b": {"1", "2"}}}
	for _, c := range []struct {
		user, host string
		want       bool
	}{{"adm_x", "xa2%cx", true}, {"root", "a1%c", true}, {"root", "a3%c", false}, {"ada", "a1%c", false}} {
		if got := verdict(t, r, opts, Event{{"User", c.user}, {"Host", c.host}, {"Plain", "%admins%"}}); got != c.want {
			t.Errorf("%v: %v", c, got)
		}
	}
}

func TestLogSources(t *testing.T) {
	t.Parallel()
	var rules []Rule
	for _, s := range []string{
		"category: process_creation\n  product: linux", "category: process_creation", "product: linux",
		"product: linux\n  service: auditd", "category: process_creation\n  product: windows",
	} {
		rules = append(rules, parseOne(t, "title: t\nlogsource:\n  "+s+"\ndetection:\n  s: {A: b}\n  condition: s\n"))
	}
	set, _ := Compile(rules, Options{})
	for source, want := range map[LogSource][]int{
		ProcessCreation("linux"):                  {0, 1, 2},
		ProcessCreation("macos"):                  {1},
		ProcessCreation("windows"):                {1, 4},
		{Product: "linux", Service: "auditd"}:     {2, 3},
		{Category: "file_event"}:                  nil,
		{Category: "process_creation"}:            {1},
		{Category: "webserver", Product: "linux"}: {2},
	} {
		var got []int
		for _, h := range set.Match(nil, source, Event{{"A", "B"}}) {
			got = append(got, h.Rule)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", source, got, want)
		}
	}
}

func TestEvidence(t *testing.T) {
	t.Parallel()
	r := parseOne(t, ruleText("img: {Image|endswith: [/nc, /ncat]}\ncli: {CommandLine|contains|all: [' -E ', 'sh']}\nno: {User: root}\ncondition: img and cli and not no"))
	set, _ := Compile([]Rule{r}, Options{})
	var m Matcher
	ev := Event{{"Image", "/bin/Ncat"}, {"CommandLine", "ncat -e /bin/sh"}}
	if len(set.Match(&m, r.Source, ev)) != 1 {
		t.Fatal("no match")
	}
	want := []Evidence{
		{"Image", "/bin/Ncat", "endswith", "/ncat"},
		{"CommandLine", "ncat -e /bin/sh", "contains", " -e "},
		{"CommandLine", "ncat -e /bin/sh", "contains", "sh"},
	}
	if got := set.Evidence(&m, 0); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// TestMatcherIsReused shows that nothing of an event is left for the next.
func TestMatcherIsReused(t *testing.T) {
	t.Parallel()
	a := parseOne(t, ruleText("s: {Image|endswith: /curl}\ncondition: s"))
	b := parseOne(t, ruleText("s: {User: null}\ncondition: s"))
	set, _ := Compile([]Rule{a, b}, Options{})
	var m Matcher
	for range 3 {
		if got := set.Match(&m, a.Source, Event{{"Image", "/bin/curl"}, {"User", "x"}}); len(got) != 1 || got[0].Rule != 0 {
			t.Errorf("%v", got)
		}
		if got := set.Match(&m, a.Source, Event{{"Other", "x"}}); len(got) != 1 || got[0].Rule != 1 {
			t.Errorf("%v", got)
		}
	}
	other, _ := Compile([]Rule{b}, Options{})
	if got := other.Match(&m, a.Source, nil); len(got) != 1 {
		t.Errorf("a matcher of another set: %v", got)
	}
}
