package risk_test

import (
	"encoding/json"
	"testing"

	"github.com/heedsh/heed/risk"
)

// TestKindsAreWords: a kind and its word lead to each other, in JSON too, and
// what is not declared is refused.
func TestKindsAreWords(t *testing.T) {
	t.Parallel()
	all := risk.Kinds()
	if len(all) < 500 {
		t.Fatalf("only %d kinds", len(all))
	}
	for _, k := range all {
		if got, ok := risk.KindOf(k.String()); !ok || got != k || k == risk.NoKind {
			t.Errorf("%q leads to %d, not %d", k, got, k)
		}
		if len(k.Verbs()) == 0 {
			t.Errorf("%q goes with no verb", k)
		}
		for _, v := range k.Verbs() {
			if !k.With(v) {
				t.Errorf("%q does not go with its own %s", k, v)
			}
		}
	}
	for _, word := range []string{"", "append", "worktree add"} {
		k, ok := risk.KindOf(word)
		text, err := json.Marshal(risk.Effect{Kind: k})
		var e risk.Effect
		if !ok || err != nil || json.Unmarshal(text, &e) != nil || e.Kind != k || k.String() != word {
			t.Errorf("%q: %v, %v, %s", word, ok, err, text)
		}
	}
	var e risk.Effect
	if err := json.Unmarshal([]byte(`{"detail":"no such word"}`), &e); err == nil {
		t.Error("a word that is not declared is read")
	}
	if _, err := risk.Kind(60000).MarshalText(); err == nil {
		t.Error("a kind that is not declared is written")
	}
}

// TestWordsSurviveJSON: what JSON has of each closed word leads back to it.
func TestWordsSurviveJSON(t *testing.T) {
	t.Parallel()
	for _, want := range []risk.Effect{
		{Cause: risk.CauseUnset, Source: risk.FromNetwork(), Remedy: risk.RemedyGit, Reached: risk.Condition{Kind: risk.IfSucceeds, Of: "make"}},
		{Cause: risk.CauseSetup, Source: risk.FromEnvironment(), Remedy: risk.RemedyMade, Reached: risk.Condition{Kind: risk.IfFails, Of: "a ` b"}},
		{Cause: risk.CauseWord, Source: risk.FromSecret(), Remedy: risk.RemedyLink, Reached: risk.Condition{Kind: risk.IfMissing, Of: "./b", Unchecked: "cd b"}},
		{Cause: risk.CauseOther, Source: risk.From("/home/u/.ssh/id_rsa"), Remedy: risk.RemedyEmpty, Reached: risk.Condition{Kind: risk.IfTrue, Of: "[ -f x ]"}},
		{Cause: risk.CauseExpression, Source: risk.From("$TOKEN"), Remedy: risk.RemedyDir, Reached: risk.Condition{Kind: risk.IfNotTrue, Of: "test x"}},
		{Cause: risk.CauseMatch, Remedy: risk.RemedyMakers("package-lock.json"), Reached: risk.Condition{Kind: risk.IfNotFound, Of: "node"}},
		{Reached: risk.Condition{Kind: risk.IfCalled, Of: "deploy"}},
		{Reached: risk.Condition{Kind: risk.AtNextPrompt}},
		{Reached: risk.Condition{Kind: risk.OnSignal, Of: "EXIT"}},
		{},
	} {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got risk.Effect
		if err := json.Unmarshal(text, &got); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got.Cause != want.Cause || got.Source != want.Source || got.Remedy != want.Remedy || got.Reached != want.Reached {
			t.Errorf("%s\n got %+v\nwant %+v", text, got, want)
		}
	}
	var r risk.Role
	if err := r.UnmarshalText([]byte("no such role")); err == nil {
		t.Error("a role that is not declared is read")
	}
}

func TestNouns(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{"the tests": true, "python code": true, "the frobs": false, "the tests ": false, "": false} {
		if got := risk.IsNoun(word); got != want {
			t.Errorf("IsNoun(%q) = %t", word, got)
		}
	}
	for _, n := range risk.Nouns() {
		if !risk.IsNoun(n) {
			t.Errorf("%q is declared and not found", n)
		}
	}
}
