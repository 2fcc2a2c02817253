package sigma

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"
)

// text draws texts of few characters, so that rules and events often meet.
func text(lo, hi int) *rapid.Generator[string] {
	return rapid.StringOfN(rapid.SampledFrom([]rune("abABab/-–*?\\ %sſKk")), lo, hi, -1)
}

// drawItem draws a field with modifiers and values.
func drawItem(t *rapid.T) (string, any) {
	field := rapid.SampledFrom([]string{"A", "B", "C", ""}).Draw(t, "field")
	forms := []string{
		"", "|contains", "|startswith", "|endswith", "|contains|cased", "|cased", "|contains|windash", "|windash", "|re", "|re|i",
		"|base64offset|contains", "|base64|contains", "|wide|base64offset|contains", "|contains|expand", "|all|contains", "|all",
	}
	if field != "" {
		forms = append(forms, "|neq", "|contains|neq", "|exists", "|fieldref", "|fieldref|contains", "|gt", "|lte", "|null", "|cidr", "|hour")
	}
	form := rapid.SampledFrom(forms).Draw(t, "form")
	value := func(i int) any {
		label := fmt.Sprint("value", i)
		switch form {
		case "|exists":
			return rapid.Bool().Draw(t, label)
		case "|fieldref", "|fieldref|contains":
			return rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, label)
		case "|gt", "|lte", "|hour":
			return rapid.IntRange(0, 12).Draw(t, label)
		case "|cidr":
			return rapid.SampledFrom([]string{"10.0.0.0/8", "10.1.0.0/17", "::/3", "10.0.0.1"}).Draw(t, label)
		case "|re", "|re|i":
			return rapid.SampledFrom(expressions()).Draw(t, label)
		case "|base64offset|contains", "|base64|contains", "|wide|base64offset|contains":
			return rapid.StringOfN(rapid.SampledFrom([]rune("abAé")), 1, 5, -1).Draw(t, label)
		case "|contains|expand":
			return rapid.SampledFrom([]string{"%p%", "a%p%b", `\%p%p%`, "%", "%a b%"}).Draw(t, label)
		}
		return text(0, 5).Draw(t, label)
	}
	if form == "|null" {
		return field, nil
	}
	if form == "|exists" || rapid.Bool().Draw(t, "single") {
		return field + form, value(0)
	}
	var list []any
	for i := range rapid.IntRange(1, 4).Draw(t, "values") {
		list = append(list, value(i))
	}
	return field + form, list
}

func expressions() []string {
	return []string{
		"a", "^ab$", "a.*b", "(ab|ba)+", "[ab]{2,3}", "a?b", "(?i)AbS", "s[kK]", "^$", "a|b*", `\s-[ab]`, "(a(b|A)){2}", "[^a]b", "K",
		"(?:ab|ba|aa)[aA]b", "(?s)a.b", "x*", "(?i)ask",
	}
}

// drawRule draws the YAML of a rule.
func drawRule(t *rapid.T) []byte {
	detection := map[string]any{}
	names := []string{"s1", "s2", "f1", "_h"}[:rapid.IntRange(1, 4).Draw(t, "searches")]
	for _, name := range names {
		draw := func() map[string]any {
			m := map[string]any{}
			for range rapid.IntRange(1, 3).Draw(t, "items") {
				k, v := drawItem(t)
				m[k] = v
			}
			return m
		}
		switch rapid.IntRange(0, 2).Draw(t, "shape") {
		case 0:
			detection[name] = draw()
		case 1:
			detection[name] = []any{draw(), draw(), text(0, 4).Draw(t, "keyword")}
		case 2:
			detection[name] = []any{text(1, 4).Draw(t, "keyword"), text(2, 4).Draw(t, "keyword")}
		}
	}
	atom := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom(append([]string{"1 of them", "all of them", "all of s*", "1 of *1", "2 of s*"}, names...)).Draw(t, "atom")
	})
	detection["condition"] = rapid.Custom(func(t *rapid.T) string {
		s := atom.Draw(t, "first")
		for range rapid.IntRange(0, 3).Draw(t, "more") {
			s = fmt.Sprintf("(%s) %s%s %s", s, rapid.SampledFrom([]string{"and", "or"}).Draw(t, "op"),
				rapid.SampledFrom([]string{"", " not"}).Draw(t, "not"), atom.Draw(t, "next"))
		}
		return s
	}).Draw(t, "condition")
	out, err := yaml.Marshal(map[string]any{"title": "t", "logsource": map[string]any{"product": "p"}, "detection": detection})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func drawEvent(t *rapid.T) Event {
	var ev Event
	for _, name := range []string{"A", "B", "C", "D"} {
		v := rapid.OneOf(text(0, 12), rapid.SampledFrom([]string{
			"10.1.2.3", "::1", "5", "12.5", "2026-01-01 05:00", "xx YWJh yy", "YQBi", "p1", "ap2b", "%p2", "\xffa", "ASK", " -a", "/a",
		})).Draw(t, name)
		if rapid.IntRange(0, 4).Draw(t, "there") > 0 {
			ev = append(ev, Field{name, v})
		}
	}
	return ev
}

// TestAgreesWithReference compares the compiled set, the set from a cache and
// the reference on random rules and events.
func TestAgreesWithReference(t *testing.T) {
	t.Parallel()
	opts := Options{Placeholders: map[string][]string{"p": {"p1", "p?b", "a*"}}}
	matched, refused, total := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var rules []Rule
		var texts []string
		for range rapid.IntRange(1, 4).Draw(t, "rules") {
			text := drawRule(t)
			r, problems := Parse(text, "")
			if refused += len(problems); len(problems) == 0 {
				rules, texts = append(rules, r...), append(texts, string(text))
			}
		}
		set, problems := Compile(rules, opts)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		data, err := Encode(set)
		if err != nil {
			t.Fatal(err)
		}
		cached, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		var m1, m2 Matcher
		for range 4 {
			ev := drawEvent(t)
			hits := set.Match(&m1, LogSource{Product: "p"}, ev)
			if again := cached.Match(&m2, LogSource{Product: "p"}, ev); !slices.Equal(hits, again) {
				t.Fatalf("cached %v, compiled %v", again, hits)
			}
			for i := range rules {
				want, err := Reference(&rules[i], opts, ev)
				if err != nil {
					t.Fatal(err)
				}
				if total++; want {
					matched++
				}
				if got := slices.ContainsFunc(hits, func(h Hit) bool { return h.Rule == i }); got != want {
					t.Fatalf("Match %v, Reference %v for %q and\n%s", got, want, ev, texts[i])
				}
			}
		}
	})
	if matched*20 < total {
		t.Errorf("only %d of %d random pairs match; the generator has lost its aim", matched, total)
	}
	t.Logf("%d pairs, %d matches, %d rules refused", total, matched, refused)
}

// TestRequiredLiterals: what an expression matches contains one of its literals.
func TestRequiredLiterals(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"powershell":              "powershell",
		"(?i)COM":                 "com",
		"(?i)ask":                 "ask|aſk", // the long s folds to s, and is in lower case already
		"a.*needle+":              "needl",
		"(foo|barbar)x":           "barbarx|foox",
		"x(?:abc)?y":              "xabcy|xy",
		"://[0-1]{1,3}":           "://0|://1",
		"[Pp]rogram[Dd]ata":       "programdata",
		"a|bb":                    "",
		".*":                      "",
		"(abcd)*":                 "",
		"(abcd){2,5}":             "abcdabcd",
		"abc[^x]d":                "abc",
		"^(?:start|begin)\\b.*$":  "begin|start",
		"[a-z]{3}_[0-9a-f]{8}xyz": "xyz",
	} {
		if got := strings.Join(requiredLiterals(expr), "|"); got != want {
			t.Errorf("%s: %q, want %q", expr, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		expr := rapid.SampledFrom(append(expressions(), "[ab][ab][kK]", "(?i)(sk|ks)a", "a{2}b{1,2}", "(a|b|ab)(s|k)", "(?:a|)b/")).Draw(t, "expr")
		s := clean(text(0, 10).Draw(t, "text"))
		if lits := requiredLiterals(expr); lits != nil && regexp.MustCompile(expr).MatchString(s) {
			low := strings.ToLower(s)
			if !slices.ContainsFunc(lits, func(l string) bool { return strings.Contains(low, l) }) {
				t.Fatalf("%s matches %q, which has none of %q", expr, s, lits)
			}
		}
	})
}

// TestTimestamp compares with package time.
func TestTimestamp(t *testing.T) {
	t.Parallel()
	for day := range 366 * 60 {
		d := time.Date(1995, 1, 1, day%24, day%60, 0, 0, time.UTC).AddDate(0, 0, day)
		got, ok := parseTimestamp(d.Format("2006-01-02T15:04:05"))
		year, _ := got.part(partYear)
		week, _ := got.part(partWeek)
		_, wantWeek := d.ISOWeek()
		if !ok || year != d.Year() || week != wantWeek || got.hour != d.Hour() || got.minute != d.Minute() {
			t.Fatalf("%s: %+v, week %d, want %d", d, got, week, wantWeek)
		}
		if refWeek(d.Year(), int(d.Month()), d.Day()) != wantWeek {
			t.Fatalf("%s: the reference's week is wrong", d)
		}
	}
	for _, bad := range []string{"", "2026-13-01", "2026-02-29", "2026-00-01", "x026-01-01", "20260101"} {
		if _, ok := parseTimestamp(bad); ok {
			t.Errorf("%q is read", bad)
		}
	}
}
