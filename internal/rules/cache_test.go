package rules

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// sigmaRule writes a rule for a program.
func sigmaRule(id, name, level, image string) string {
	return "title: " + name + "\nid: " + id + "\nname: " + name + "\nlevel: " + level +
		"\nlogsource: {category: process_creation, product: linux}\ndetection: {selection: {Image|endswith: /" + image + "}, condition: selection}\n"
}

func tree() fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return fstest.MapFS{
		"a/frob.yml":       file(sigmaRule("1", "frob", "high", "frob") + "---\n" + sigmaRule("2", "blob", "critical", "ls")),
		"a/frobs.yml":      file(sigmaRule("9", "frobs", "high", "frobs")),
		"a/twice.yaml":     file("title: Twice\nid: '3'\nlevel: high\ncorrelation: {type: event_count, rules: [frob], timespan: 1m, condition: {gte: 2}}\n"),
		"a/far.yml":        file("title: Far\nid: '4'\nlevel: high\ncorrelation: {type: event_count, rules: [other], timespan: 1m, condition: {gte: 2}}\n"),
		"a/farther.yml":    file("title: Farther\nid: '5'\nlevel: high\ncorrelation: {type: event_count, rules: ['4'], timespan: 1m, condition: {gte: 2}}\n"),
		"a/nowhere.yml":    file("title: Nowhere\nid: '6'\nlevel: high\ncorrelation: {type: event_count, rules: [gone], timespan: 1m, condition: {gte: 2}}\n"),
		"b/other.yml":      file("title: Other\nid: '7'\nname: other\nlevel: high\nlogsource: {category: webserver}\ndetection: {selection: {a: b}, condition: selection}\n"),
		"b/same.yml":       file(sigmaRule("1", "same", "low", "same")),
		"b/old.yml":        file("title: Old\nlogsource: {category: process_creation}\ndetection: {selection: {a: b}, condition: selection | count() > 1}\n"),
		"b/frob.tests.yml": file("match: [ls]\n"),
		"b/events.yaml":    file("frob: {}\n"),
		"b/notes.yml":      file("just: notes\n"),
		"b/readme.md":      file("detection:\n"),
		".git/hook.yml":    file(sigmaRule("8", "hidden", "high", "hidden")),
		"b/large.yml":      file("detection:\n" + strings.Repeat("#", MaxFile)),
		"b/link.yml":       {Data: []byte("a/frob.yml"), Mode: fs.ModeSymlink},
	}
}

func quietly(string, int, int) {}

func TestImport(t *testing.T) {
	t.Parallel()
	c, r, err := Import(t.Context(), []Source{{Name: "in", FS: tree(), Path: "."}}, sigma.Options{}, quietly)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, m := range r.Loaded {
		ids = append(ids, m.ID)
	}
	if want := []string{"1", "2", "9", "3"}; !slices.Equal(ids, want) {
		t.Errorf("loaded %v, want %v", ids, want)
	}
	if r.Files != 9 || r.Elsewhere != 3 || r.Links != 1 {
		t.Errorf("%d files with rules, %d rules for elsewhere, %d links", r.Files, r.Elsewhere, r.Links)
	}
	var refused []string
	for _, p := range r.Refused {
		refused = append(refused, p.File)
	}
	if want := []string{"in/a/nowhere.yml", "in/b/large.yml", "in/b/old.yml", "in/b/same.yml"}; !slices.Equal(refused, want) {
		t.Errorf("refused %v, want %v", r.Refused, want)
	}
	if len(r.Quiet) != 1 || r.Quiet[0].Label != "2" || r.Quiet[0].Share() < 0.1 || !strings.HasPrefix(r.Quiet[0].Example, "ls") || !slices.Equal(c.Quiet, []string{"2"}) {
		t.Errorf("quiet: %+v, %v", r.Quiet, c.Quiet)
	}
}

func TestCacheRoundTrip(t *testing.T) {
	t.Parallel()
	c, _, err := Import(t.Context(), []Source{{Name: "in", FS: tree(), Path: "."}}, sigma.Options{}, quietly)
	if err != nil {
		t.Fatal(err)
	}
	data, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]any{c.Digest, c.Quiet, c.Set.Rules()}, []any{again.Digest, again.Quiet, again.Set.Rules()}); d != "" {
		t.Error(d)
	}
	if err := again.Set.Verify(); err != nil {
		t.Error(err)
	}
	if twice, err := again.Encode(); err != nil || !bytes.Equal(twice, data) {
		t.Errorf("encoded again it is not the same (%v)", err)
	}
	quiet := *again
	quiet.Quiet = nil
	if _, err := quiet.Encode(); err != nil || quiet.Digest == c.Digest {
		t.Errorf("what is quiet does not change the digest (%v)", err)
	}
	// In use: frobs raises, ls only annotates.
	sets := []*service.RuleSet{again.RuleSet()}
	l, err := newLab(t.Context(), service.Detectors{Sets: func() ([]*service.RuleSet, error) { return sets, nil }})
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]risk.Severity{"frobs": risk.High, "ls": risk.Medium} {
		out := l.run(command, "")
		i := slices.IndexFunc(out.Findings, func(f risk.Finding) bool { return f.ID == "9" || f.ID == "2" })
		if i < 0 || out.Findings[i].Severity != want || !slices.Contains(out.Inputs.Rules, c.Digest) {
			t.Errorf("%s: %+v, %v", command, out.Findings, out.Inputs.Rules)
		}
	}
}

// TestBrokenCache changes every byte of a cache: it is refused, or what differs
// is the digest alone. Nothing of a rule changes unseen.
func TestBrokenCache(t *testing.T) {
	t.Parallel()
	c, _, err := Import(t.Context(), []Source{{Name: "in", FS: tree(), Path: "."}}, sigma.Options{}, quietly)
	if err != nil {
		t.Fatal(err)
	}
	data, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		bad := slices.Clone(data)
		bad[i] ^= 0x40
		if _, err := Decode(bad); err == nil || !errors.Is(err, ErrCache) {
			t.Fatalf("byte %d: %v", i, err)
		}
		if _, err := Decode(data[:i]); err == nil {
			t.Fatalf("accepted the first %d bytes", i)
		}
	}
	older := slices.Clone(data)
	older[len(cacheMagic)]++
	if _, err := Decode(older); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Error(err)
	}
}

// FuzzDecode opens any bytes as a cache, with checksums that are right: nothing
// panics, and what is accepted can be used.
func FuzzDecode(f *testing.F) {
	c, _, err := Import(f.Context(), []Source{{Name: "in", FS: tree(), Path: "."}}, sigma.Options{}, quietly)
	if err != nil {
		f.Fatal(err)
	}
	data, err := c.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:40])
	f.Add([]byte(cacheMagic + "\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= cacheFixed {
			size := binary.LittleEndian.Uint32(data[cacheFixed-4:])
			if head := data[cacheFixed:]; uint64(size) <= uint64(len(head)) {
				data = slices.Clone(data)
				binary.LittleEndian.PutUint32(data[len(cacheMagic)+1:], checksum(data[cacheFixed:][:size]))
			}
		}
		c, err := Decode(data)
		if err != nil {
			return
		}
		c.Set.Rules()
		c.Set.Match(nil, sigma.ProcessCreation("linux"), sigma.EventOf(map[string]string{"Image": "/usr/bin/frob", "CommandLine": "frob"}))
	})
}

// TestImportCorpus imports the rules in the directory that HEED_SIGMA names.
func TestImportCorpus(t *testing.T) {
	dir := os.Getenv("HEED_SIGMA")
	if dir == "" {
		t.Skip("HEED_SIGMA names no directory")
	}
	start := time.Now()
	c, r, err := Import(t.Context(), []Source{{Name: dir, FS: os.DirFS(dir), Path: "."}}, sigma.Options{}, quietly)
	if err != nil {
		t.Fatal(err)
	}
	data, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d rules of %d files in %v, %d bytes; %d elsewhere, refused %v, quiet %v", len(r.Loaded), r.Files, time.Since(start), len(data), r.Elsewhere, r.Refused, r.Quiet)
	if len(r.Loaded) < 1000 || len(r.Refused) > len(r.Loaded)/100 {
		t.Errorf("%d rules, %d refused", len(r.Loaded), len(r.Refused))
	}
	if again, err := Decode(data); err != nil || again.Set.Verify() != nil || again.Set.Len() != len(r.Loaded) {
		t.Errorf("what was imported cannot be used: %v", err)
	}
}
