//go:build linux

package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/heedsh/heed/risk"
)

// TestHold holds answers against made-up states: a loss below REVIEW and every
// false claim are found, and what is true is not.
func TestHold(t *testing.T) {
	before := func() *state {
		return &state{
			files:   map[string]string{"/w/a": "1", "/w/d/b": "2", "/w/build/o.o": "3", "/w/build/k.pem": "4"},
			dirs:    map[string]bool{"/w/d": true, "/w/build": true},
			links:   map[string]bool{},
			commits: map[string]bool{"c1": true},
		}
	}
	gone := func(names ...string) *state {
		s := before()
		for _, n := range names {
			delete(s.files, n)
			delete(s.dirs, n)
		}
		return s
	}
	deletes := func(target string, set func(*risk.Effect)) risk.Assessment {
		e := risk.Effect{Verb: risk.FSDelete, Target: target, Scope: risk.InWorkspace, Certainty: risk.Certain, Reversible: risk.Lost, Recursive: true, Many: true}
		if set != nil {
			set(&e)
		}
		return risk.Assessment{Tier: risk.Caution, Level: risk.B, Effects: []risk.Effect{e}}
	}
	moved := gone("/w/a")
	moved.files["/tmp/a"] = "1"
	unborn := before()
	unborn.commits = nil
	for _, tt := range []struct {
		name  string
		a     risk.Assessment
		after *state
		want  []string
	}{
		{"nothing went", deletes("/w/d", nil), before(), nil},
		{"work goes below REVIEW", deletes("/w/d", nil), gone("/w/d/b", "/w/d"), []string{"a loss below REVIEW"}},
		{"a file that is named", deletes("/w/a", func(e *risk.Effect) { e.Many = false }), gone("/w/a"), nil},
		{"its contents are elsewhere", deletes("/w", nil), moved, nil},
		{"what is made again", deletes("/w/build", func(e *risk.Effect) { e.Reversible = risk.Regenerable }), gone("/w/build/o.o"), nil},
		{"a key among it", deletes("/w/build", func(e *risk.Effect) { e.Reversible = risk.Regenerable }), gone("/w/build/o.o", "/w/build/k.pem"), []string{"a loss below REVIEW", "says that it can be made again"}},
		{"nothing there", deletes("/w/a", func(e *risk.Effect) { e.Reversible, e.Many = risk.NothingThere, false }), gone("/w/a"), []string{"says that nothing is there"}},
		{"git cannot", deletes("/w/a", func(e *risk.Effect) { e.Reversible, e.Remedy, e.Many = risk.Restorable, risk.RemedyGit, false }), gone("/w/a"), []string{"says that git can restore it"}},
		{"counts", deletes("/w/d", func(e *risk.Effect) { e.Many, e.Counts = false, &risk.Counts{Files: 2} }), gone("/w/d/b", "/w/d"), []string{"a loss below REVIEW", "miscounts"}},
		{"counts at least", deletes("/w/d", func(e *risk.Effect) { e.Many, e.Counts = false, &risk.Counts{Files: 2, AtLeast: true} }), gone("/w/d/b", "/w/d"), []string{"a loss below REVIEW"}},
		{"commits", risk.Assessment{Tier: risk.Caution, Level: risk.B}, unborn, []string{"commits lost below REVIEW"}},
	} {
		var got []string
		for _, f := range hold(&tt.a, before(), tt.after, lost(before(), tt.after, ""), "/h") {
			got = append(got, f.what)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestCommands: a form stands for each of the files, quoted as the shell wants
// it, and \| for the bar of a command.
func TestCommands(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a b", "-f", "d/x"} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := kind{}.forms(dir, 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"rm 'a b'", "rm ./-f", "rm d/x", "rm -rf d", "ls | xargs rm -f", "true || rm -rf src", "find d -mindepth 1 -maxdepth 1 -exec rm -rf {} +"} {
		if !slices.Contains(all, want) {
			t.Errorf("%q is missing", want)
		}
	}
}
