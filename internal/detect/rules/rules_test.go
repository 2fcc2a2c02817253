package rules_test

import (
	"bytes"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/heedsh/heed/internal/detect/rules"
	"github.com/heedsh/heed/internal/detect/rules/internal/compile"
	"github.com/heedsh/heed/internal/detect/sigma"
)

// TestPack compiles the rules anew, runs their events, and compares the result
// with what is embedded.
func TestPack(t *testing.T) {
	t.Parallel()
	dir := os.DirFS("pack")
	pack, err := compile.Dir(dir)
	if err != nil {
		t.Fatal(err)
	}
	events, err := compile.Events(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := pack.Try(events); err != nil {
		t.Error(err)
	}
	blob, err := sigma.Encode(pack.Set)
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile("pack.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(old, blob) {
		t.Error("pack.bin is stale: run go generate ./internal/detect/rules")
	}
}

// TestEmbedded opens the blob and runs the events against it too, because the
// rules in it are decoded by other code than compiles them.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	set, err := rules.Pack()
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Verify(); err != nil {
		t.Fatal(err)
	}
	dir := os.DirFS("pack")
	pack, err := compile.Dir(dir)
	if err != nil {
		t.Fatal(err)
	}
	events, err := compile.Events(dir)
	if err != nil {
		t.Fatal(err)
	}
	pack.Set = set
	if err := pack.Try(events); err != nil {
		t.Error(err)
	}
}

// TestEveryRuleHasAGuard keeps matching fast: a rule without a guard is
// evaluated for every event.
func TestEveryRuleHasAGuard(t *testing.T) {
	t.Parallel()
	set, err := rules.Pack()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range set.Unguarded() {
		t.Errorf("%s has no literal that every event contains", set.Meta(i).File)
	}
}

// TestSize holds the pack to what it is to contain at least.
func TestSize(t *testing.T) {
	t.Parallel()
	set, err := rules.Pack()
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, m := range set.Rules() {
		switch {
		case m.Correlation:
			count["correlation"]++
		case m.Level != "informational":
			count[m.Source.Product]++
		}
	}
	for kind, least := range map[string]int{"linux": 75, "macos": 15, "windows": 10, "correlation": 5} {
		if count[kind] < least {
			t.Errorf("%d rules for %s, want %d", count[kind], kind, least)
		}
	}
}

// TestRefusals holds the form of rules to what the package asks for.
func TestRefusals(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile("pack/impact/fork_bomb.yml")
	if err != nil {
		t.Fatal(err)
	}
	events, err := os.ReadFile("pack/impact/events.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, replace := range map[string][2]string{
		"an old technique":  {"attack.t1499.001", "attack.t1562.001"},
		"an unknown tactic": {"attack.impact", "attack.defense-evasion"},
		"an unknown risk":   {"owasp.asi08", "owasp.asi11"},
		"no level":          {"level: critical", ""},
		"no reference":      {"    - https", "# "},
		"another product":   {"product: linux", "product: zeos"},
		"an event missed":   {`:\s*\|\s*:\s*&\s*\}`, `:\s*\|\s*never&\s*\}`},
		"a bad expression":  {`fork\s*`, `fork\s*(`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := bytes.ReplaceAll(good, []byte(replace[0]), []byte(replace[1]))
			if bytes.Equal(data, good) {
				t.Fatalf("%q is not in the rule", replace[0])
			}
			if err := try(fstest.MapFS{"impact/fork_bomb.yml": {Data: data}, "impact/events.yaml": {Data: only(events, "fork_bomb")}}); err == nil {
				t.Error("the rule was accepted")
			}
		})
	}
	t.Run("no events", func(t *testing.T) {
		t.Parallel()
		if err := try(fstest.MapFS{"impact/fork_bomb.yml": {Data: good}}); err == nil {
			t.Error("the rule was accepted")
		}
	})
	t.Run("as it is", func(t *testing.T) {
		t.Parallel()
		if err := try(fstest.MapFS{"impact/fork_bomb.yml": {Data: good}, "impact/events.yaml": {Data: only(events, "fork_bomb")}}); err != nil {
			t.Error(err)
		}
	})
}

func try(dir fs.FS) error {
	pack, err := compile.Dir(dir)
	if err != nil {
		return err
	}
	events, err := compile.Events(dir)
	if err != nil {
		return err
	}
	return pack.Try(events)
}

// only cuts the events of one rule out of a file.
func only(events []byte, rule string) []byte {
	i := bytes.Index(events, []byte("\n"+rule+":\n"))
	rest := events[i+1:]
	if end := bytes.Index(rest, []byte("\n\n")); end >= 0 {
		rest = rest[:end+1]
	}
	return rest
}

func BenchmarkPack(b *testing.B) {
	data, err := os.ReadFile("pack.bin")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sigma.DecodeOwn(string(data)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	set, err := rules.Pack()
	if err != nil {
		b.Fatal(err)
	}
	ev := sigma.EventOf(map[string]string{
		"Image": "/usr/bin/curl", "CommandLine": "curl -fsSL -o /home/dev/project/vendor/tool.tgz https://example.org/releases/tool-1.2.3.tgz",
		"ParentImage": "/usr/bin/bash", "ParentCommandLine": "bash", "CurrentDirectory": "/home/dev/project", "User": "dev",
	})
	var m sigma.Matcher
	b.ReportAllocs()
	for b.Loop() {
		set.Match(&m, sigma.ProcessCreation("linux"), ev)
	}
}
