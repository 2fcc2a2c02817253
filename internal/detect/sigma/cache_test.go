package sigma

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// resum puts the right checksum on changed bytes.
func resum(data []byte) []byte {
	if len(data) >= cacheHeader {
		binary.LittleEndian.PutUint32(data[cacheHeader-4:], checksum(data))
	}
	return data
}

// sampleSet has every kind of node, leaf and correlation.
func sampleSet(tb testing.TB) *Set {
	tb.Helper()
	text := ruleText(`a: {CommandLine|contains: [one, 'tw*o'], User|re|i: 'ro+t', Ip|cidr: 10.0.0.0/8, N|gte: 5, T|hour: 3}
b: {A|fieldref|endswith: B, C|exists: true, D: null, E|neq: x}
c1: [kw, other]
c2: {A|contains|windash: ' -x'}
c3: {Image|endswith: /nc}
condition: a and b or 2 of c* and not c3`)
	text += "---\n" + base + "---\ntitle: X\ncorrelation: {type: event_count, rules: [a], group-by: [U], timespan: 1m, condition: {gte: 3}, aliases: {U: {a: User}}}\n"
	rules, problems := Parse([]byte(text), "x.yml")
	set, more := Compile(rules, Options{})
	if len(problems)+len(more) > 0 {
		tb.Fatal(problems, more)
	}
	return set
}

func TestCacheRoundTrip(t *testing.T) {
	t.Parallel()
	data, err := Encode(sampleSet(t))
	if err != nil {
		t.Fatal(err)
	}
	set, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Verify(); err != nil {
		t.Fatal(err)
	}
	again, err := Encode(set)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, again) {
		t.Error("encoding a decoded set makes other bytes")
	}
	same, err := Encode(sampleSet(t))
	if err != nil || !bytes.Equal(data, same) {
		t.Error("the same rules make other bytes")
	}
}

func TestCacheDamaged(t *testing.T) {
	t.Parallel()
	data, err := Encode(sampleSet(t))
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 0x41
		if _, err := Decode(bad); err == nil {
			t.Errorf("byte %d changed: no error", i)
		}
		if _, err := Decode(data[:i]); err == nil {
			t.Errorf("cut at %d: no error", i)
		}
	}
	if _, err := Decode(append(bytes.Clone(data), 0)); err == nil {
		t.Error("a byte more: no error")
	}
}

// useAll does with a set what callers do; none of it may panic.
func useAll(set *Set) {
	var m Matcher
	s := set.NewSession()
	for i, ev := range []Event{
		nil,
		{{"CommandLine", "one TWxxo -x kw"}, {"User", "ROOOT"}, {"Ip", "10.1.1.1"}, {"N", "7"}, {"T", "2026-01-01 03:00"}},
		{{"A", "xyz -x"}, {"B", "YZ"}, {"C", ""}, {"E", "y"}, {"F", "a"}, {"Image", "/bin/nc"}},
	} {
		for _, source := range []LogSource{{Product: "linux"}, ProcessCreation("linux"), ProcessCreation("windows")} {
			for _, h := range s.Add(int64(i), ev, set.Match(&m, source, ev)) {
				_ = set.Meta(h.Rule)
			}
			for _, h := range m.hits {
				set.Evidence(&m, h.Rule)
			}
		}
	}
	_ = set.Rules()
	_ = set.Unguarded()
	_ = set.Verify()
}

// TestFaults shows that a rule whose body is damaged behind a right checksum is
// told of.
func TestFaults(t *testing.T) {
	t.Parallel()
	r := parseOne(t, ruleText("s: {A|contains: needle}\ncondition: s"))
	set, _ := Compile([]Rule{r}, Options{})
	data, err := Encode(set)
	if err != nil {
		t.Fatal(err)
	}
	i := bytes.LastIndex(data, []byte("\x06needle")) // of the index, which follows the bodies
	i = bytes.LastIndex(data[:i], []byte("\x06needle"))
	data[i] = 0x7f
	if set, err = Decode(resum(data)); err != nil {
		t.Fatal(err)
	}
	var m Matcher
	if hits := set.Match(&m, r.Source, Event{{"A", "a needle"}}); len(hits) != 0 || len(m.Faults()) != 1 || m.Faults()[0] != 0 {
		t.Errorf("hits %v, faults %v", hits, m.Faults())
	}
	if set.Match(&m, r.Source, Event{{"A", "nothing"}}); len(m.Faults()) != 0 {
		t.Errorf("faults of a rule that was not needed: %v", m.Faults())
	}
	if set.Verify() == nil {
		t.Error("Verify finds no fault")
	}
}
