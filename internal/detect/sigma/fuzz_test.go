package sigma

import "testing"

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		ruleText("s: {A|contains|all: [b, 'c*']}\ncondition: s"), base,
		ruleText("s: [a, {B|re|i: 'x+y'}]\n_t: {C: null, D|cidr: 1.2.3.0/24}\ncondition: [s, not 1 of _*]"),
		"title: X\ncorrelation: {type: temporal, rules: [a, b], group-by: [U], timespan: 1m, condition: a and not b}",
		ruleText("a: &x {F|base64offset|wide: '-x'}\nb: [*x]\ncondition: all of them"), "a: [b", "- - - -\n", "? {a: b}\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		rules, _ := Check(data, "f.yml")
		set, _ := Compile(rules, Options{Placeholders: map[string][]string{"x": {"1", "2*"}}})
		out, err := Encode(set)
		if err != nil {
			t.Fatal(err)
		}
		cached, err := Decode(out)
		if err != nil {
			t.Fatal(err)
		}
		if err := cached.Verify(); err != nil {
			t.Fatal(err)
		}
		useAll(set)
		useAll(cached)
	})
}

func FuzzCondition(f *testing.F) {
	for _, s := range []string{"a", "1 of them and not (a or b)", "all of a* or 2 of *b", "not not a", "((", "1 of", "a | count() > 5"} {
		f.Add(s)
	}
	d := &detection{searches: []search{{name: "a"}, {name: "ab"}, {name: "_b"}}}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := parseCondition(s)
		if err != nil {
			return
		}
		if d.resolve(c) != nil {
			return
		}
		var walk func(c *cond)
		walk = func(c *cond) {
			if c.kind == condOf && c.atLeast > len(d.named(c.pattern)) {
				t.Errorf("%q resolves although %d of %s can never hold", s, c.atLeast, c.pattern)
			}
			if c.kind == condName && d.find(c.name) == nil {
				t.Errorf("%q resolves although there is no %s", s, c.name)
			}
			for _, k := range c.kids {
				walk(k)
			}
		}
		walk(c)
	})
}

func FuzzDecode(f *testing.F) {
	data, err := Encode(sampleSet(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:cacheHeader+20])
	f.Add([]byte(cacheMagic))
	f.Fuzz(func(_ *testing.T, data []byte) {
		set, err := Decode(resum(append([]byte(nil), data...)))
		if err == nil {
			useAll(set)
		}
	})
}
