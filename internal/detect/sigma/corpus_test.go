package sigma

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The tests here read a checkout of github.com/SigmaHQ/sigma, whose path is in
// HEED_SIGMA. Nothing of it is part of this repository: its licence is DRL 1.1.

func corpus(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("HEED_SIGMA")
	if dir == "" {
		tb.Skip("HEED_SIGMA is not set")
	}
	return dir
}

// load parses the files below the directories of the corpus.
func load(tb testing.TB, dirs ...string) ([]Rule, []Problem, int) {
	tb.Helper()
	var rules []Rule
	var problems []Problem
	files := 0
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(corpus(tb), dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(name) != ".yml" {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			files++
			r, p := Parse(text, filepath.Base(name))
			rules, problems = append(rules, r...), append(problems, p...)
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return rules, problems, files
}

// processCreation is the rules that the design asks for, parsed once.
var processCreation = sync.OnceValue(func() []Rule {
	var all []Rule
	for _, product := range []string{"linux", "macos", "windows"} {
		dir := filepath.Join(os.Getenv("HEED_SIGMA"), "rules", product, "process_creation")
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			text, _ := os.ReadFile(filepath.Join(dir, e.Name()))
			rules, _ := Parse(text, e.Name())
			all = append(all, rules...)
		}
	}
	return all
})

// regression is one event of regression_data and the rules it was made for.
type regression struct {
	file  string
	rules []string
	event Event
}

// regressions reads the events. The file is named after the rule; info.yml, in
// the same directory, names it too.
func regressions(tb testing.TB) []regression {
	tb.Helper()
	var out []regression
	err := filepath.WalkDir(filepath.Join(corpus(tb), "regression_data"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".json" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		info, err := os.ReadFile(filepath.Join(filepath.Dir(name), "info.yml"))
		if err != nil {
			return err
		}
		var ids []string
		for line := range strings.Lines(string(info)) {
			if id, ok := strings.CutPrefix(strings.TrimSpace(line), "- id: "); ok {
				ids = append(ids, id)
			}
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		for dec.More() {
			var record struct {
				Event struct{ EventData map[string]any }
			}
			if err := dec.Decode(&record); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fields := map[string]string{}
			for k, v := range record.Event.EventData {
				if v != nil {
					fields[k] = fmt.Sprint(v)
				}
			}
			out = append(out, regression{name, ids, EventOf(fields)})
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func TestCorpusProcessCreation(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"rules/linux/process_creation", "rules/macos/process_creation", "rules/windows/process_creation"} {
		rules, problems, files := load(t, dir)
		set, more := Compile(rules, Options{})
		for _, p := range append(problems, more...) {
			t.Log(p)
		}
		if set.Len()+len(problems)+len(more) < files {
			t.Errorf("%s: %d files, but %d rules and %d problems", dir, files, set.Len(), len(problems)+len(more))
		}
		if refused := files - set.Len(); refused*200 > files {
			t.Errorf("%s: %d of %d refused, more than 0.5 %%", dir, refused, files)
		}
		t.Logf("%s: %d files, %d rules, %d without a guard", dir, files, set.Len(), len(set.Unguarded()))
	}
}

// TestCorpusCheck counts the warnings about published rules. They are reviewed
// with care, so a warning that many have would be a fault of the lint.
func TestCorpusCheck(t *testing.T) {
	t.Parallel()
	files, warned := 0, 0
	for _, product := range []string{"linux", "macos", "windows"} {
		dir := filepath.Join(corpus(t), "rules", product, "process_creation")
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			files++
			if _, problems := Check(text, e.Name()); len(problems) > 0 {
				warned++
				t.Log(problems[0])
			}
		}
	}
	if warned*50 > files {
		t.Errorf("%d of %d rules have warnings", warned, files)
	}
	t.Logf("%d of %d rules have warnings", warned, files)
}

func TestCorpusImport(t *testing.T) {
	t.Parallel()
	rules, problems, files := load(t, "rules", "rules-emerging-threats", "rules-threat-hunting")
	set, more := Compile(rules, Options{})
	problems = append(problems, more...)
	for _, p := range problems {
		t.Log(p)
	}
	if refused := files - set.Len(); refused*200 > files {
		t.Errorf("%d of %d refused, more than 0.5 %%", refused, files)
	}
	if len(problems) < files-set.Len() {
		t.Errorf("%d files make %d rules, but only %d problems say why", files, set.Len(), len(problems))
	}
	guardless := map[LogSource]int{}
	for _, i := range set.Unguarded() {
		guardless[set.Meta(i).Source]++
	}
	t.Logf("%d files, %d rules, %d without a guard, of which process_creation linux %d, macos %d, windows %d",
		files, set.Len(), len(set.Unguarded()), guardless[ProcessCreation("linux")], guardless[ProcessCreation("macos")],
		guardless[ProcessCreation("windows")])
	for _, i := range set.Unguarded() {
		if set.Meta(i).Source.Category == "process_creation" {
			t.Logf("without a guard: %s", set.Meta(i).File)
		}
	}
}

func TestCorpusRegressions(t *testing.T) {
	t.Parallel()
	rules, _, _ := load(t, "rules", "rules-emerging-threats", "rules-threat-hunting")
	set, _ := Compile(rules, Options{})
	index := map[string]int{}
	for i, m := range set.Rules() {
		index[m.ID] = i
	}
	var m Matcher
	matched := map[string]bool{}
	events := regressions(t)
	for _, r := range events {
		for _, id := range r.rules {
			i, known := index[id]
			if !known {
				t.Errorf("%s: rule %s is not in the corpus", r.file, id)
				continue
			}
			for _, h := range set.Match(&m, set.Meta(i).Source, r.event) {
				if h.Rule == i {
					matched[r.file] = true
					if len(set.Evidence(&m, i)) == 0 {
						t.Errorf("%s: no evidence", r.file)
					}
				}
			}
		}
		if _, ok := matched[r.file]; !ok {
			matched[r.file] = false
		}
	}
	hits := 0
	for file, ok := range matched {
		if ok {
			hits++
		} else {
			t.Errorf("%s: no event matches its rule", file)
		}
	}
	t.Logf("%d files, %d events, %d files matched", len(matched), len(events), hits)
}

// TestCorpusDifferential compares Match, before and after a cache, with
// Reference for every rule and event.
func TestCorpusDifferential(t *testing.T) {
	t.Parallel()
	corpus(t)
	rules := processCreation()
	set, problems := Compile(rules, Options{})
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
	pairs, held := 0, 0
	events := regressions(t)
	for _, e := range mutations(events) {
		for _, product := range []string{"linux", "macos", "windows"} {
			hits := slices.Clone(set.Match(&m1, ProcessCreation(product), e))
			if again := cached.Match(&m2, ProcessCreation(product), e); !slices.Equal(hits, again) {
				t.Errorf("the cached set finds %v, not %v", again, hits)
			}
			for i := range rules {
				if rules[i].Source.Product != product {
					continue
				}
				want, err := Reference(&rules[i], Options{}, e)
				if err != nil {
					t.Fatal(rules[i].File, err)
				}
				pairs++
				if want {
					held++
				}
				if got := slices.ContainsFunc(hits, func(h Hit) bool { return h.Rule == i }); got != want {
					t.Errorf("%s: Match says %v, Reference %v for %v", rules[i].File, got, want, e)
				}
			}
		}
	}
	if pairs < 200_000 {
		t.Errorf("only %d pairs compared", pairs)
	}
	t.Logf("%d events, %d pairs, %d matches", len(mutations(events)), pairs, held)
}

// mutations returns the events, and copies that look like another product's: of
// many rules only the separators differ.
func mutations(events []regression) []Event {
	var out []Event
	for i, r := range events {
		out = append(out, r.event)
		if i%4 != 0 {
			continue
		}
		var e Event
		for _, f := range r.event {
			switch i % 12 {
			case 0:
				f.Value = strings.ReplaceAll(strings.ReplaceAll(f.Value, `\`, "/"), ".exe", "")
			case 4:
				f.Value = strings.ToUpper(f.Value)
			case 8:
				if f.Name == "OriginalFileName" || f.Name == "ParentImage" {
					continue
				}
			}
			e = append(e, f)
		}
		out = append(out, e)
	}
	return out
}

func BenchmarkCorpus(b *testing.B) {
	corpus(b)
	rules := processCreation()
	events := regressions(b)
	for _, only := range []string{"all", "windows", "linux", "macos"} {
		var some []Rule
		for _, r := range rules {
			if only == "all" || r.Source.Product == only {
				some = append(some, r)
			}
		}
		if only == "all" { // as if all were for one product
			some = slices.Clone(some)
			for i := range some {
				some[i].Source.Product = ""
			}
		}
		set, _ := Compile(some, Options{})
		b.Run(fmt.Sprintf("%s-%d-rules", only, set.Len()), func(b *testing.B) {
			b.ReportAllocs()
			var m Matcher
			i := 0
			for b.Loop() {
				set.Match(&m, ProcessCreation(only), events[i%len(events)].event)
				i++
			}
		})
	}
	b.Run("linux-command", func(b *testing.B) {
		set, _ := Compile(rules, Options{})
		b.ReportAllocs()
		var m Matcher
		ev := Event{
			{"Image", "/usr/bin/curl"},
			{"CommandLine", "curl -fsSL https://example.net/setup.sh -o /tmp/x.sh"},
			{"ParentImage", "/usr/bin/bash"},
			{"User", "ada"},
			{"CurrentDirectory", "/home/ada/src"},
		}
		for b.Loop() {
			set.Match(&m, ProcessCreation("linux"), ev)
		}
	})
}

func BenchmarkCorpusLoad(b *testing.B) {
	dir := filepath.Join(corpus(b), "rules", "windows", "process_creation")
	entries, err := os.ReadDir(dir)
	if err != nil {
		b.Fatal(err)
	}
	var files [][]byte
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, text)
	}
	set, _ := Compile(processCreation(), Options{})
	data, err := Encode(set)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("yaml-windows", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, f := range files {
				Parse(f, "")
			}
		}
	})
	b.Run("compile", func(b *testing.B) {
		b.ReportAllocs()
		rules := processCreation()
		for b.Loop() {
			Compile(rules, Options{})
		}
	})
	b.Run(fmt.Sprintf("decode-%d-rules-%d-bytes", set.Len(), len(data)), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Decode(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode-and-first-match", func(b *testing.B) {
		b.ReportAllocs()
		ev := Event{{"Image", "/usr/bin/curl"}, {"CommandLine", "curl -fsSL https://example.net/setup.sh -o /tmp/x.sh"}}
		for b.Loop() {
			s, err := Decode(data)
			if err != nil {
				b.Fatal(err)
			}
			s.Match(nil, ProcessCreation("linux"), ev)
		}
	})
}
