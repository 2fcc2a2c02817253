package main

import (
	"os"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// TestDays lives through a few persons' days: what is planted is found, and no rule
// speaks of an attack. The full form is the program, on 100 seeds.
func TestDays(t *testing.T) {
	t.Parallel()
	s, err := newShop("")
	if err != nil {
		t.Fatal(err)
	}
	var all total
	var wrong strings.Builder
	for seed := range uint64(4) {
		r, err := live(t.Context(), s, setting{seed: seed + 1, days: 2, attention: 0.85})
		if err != nil {
			t.Fatalf("seed %d: %v", seed+1, err)
		}
		all.add(r)
		r.complain(&wrong)
	}
	if testing.Verbose() {
		all.print(os.Stdout, s)
	}
	if !all.holds() || all.unseen > 0 {
		t.Errorf("a drift was missed or invented, or a rule speaks of an attack:\n%s", &wrong)
	}
	if all.planted["answers-shifted"]+all.planted["safe-rejected"]+all.planted["review-hasty"] < 4 || all.rules < 4 {
		t.Errorf("too little was tried: %v planted, %d rules", all.planted, all.rules)
	}
	if before, after := all.without.questionsPer100(), all.with.questionsPer100(); before > 15 || after >= before {
		t.Errorf("%.1f questions per 100 commands, %.1f with the rules", before, after)
	}
}

// TestTheSameAsTheHook: what is cached here is what the service says in one step.
func TestTheSameAsTheHook(t *testing.T) {
	t.Parallel()
	s, err := newShop("")
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.rooms[0].desk("")
	if err != nil {
		t.Fatal(err)
	}
	l := newLife(setting{seed: 1}, s)
	for _, command := range []string{"ls src", "npm install zod", "git push", "rm -rf scratch/", "rm -rf /", "find . -name x"} {
		j, err := d.judge(command, risk.ModelSuggestion)
		if err != nil {
			t.Fatal(err)
		}
		got := l.decision(d, j)
		a, want, err := l.hooks[d].Decide(t.Context(), j.req, policy.Agent)
		if err != nil || got.Action != want.Action || got.Rule != want.Rule || a.Summary != j.a.Summary {
			t.Errorf("%s: %s by %s, and in one step %s by %s (%v)", command, got.Action, got.Rule, want.Action, want.Rule, err)
		}
	}
}
