package explain

import "testing"

func TestInfinitive(t *testing.T) {
	t.Parallel()
	for verb, want := range map[string]string{
		"gives": "give", "pushes": "push", "fetches": "fetch", "applies": "apply", "has": "have", "caches": "cache", "reaches": "reach",
		"accesses": "access", "fixes": "fix", "uses": "use", "sets": "set", "does": "do", "lies": "lie",
	} {
		if got := infinitive(verb); got != want {
			t.Errorf("infinitive(%q): got %q, want %q", verb, got, want)
		}
	}
	for text, want := range map[string]string{
		"Gives a shell to a":          "Would give a shell to a",
		"Fails: there is no a":        "Fails: there is no a",
		"Would delete everything":     "Would delete everything",
		"No copy":                     "No copy",
		"Applies the manifest a.yaml": "Would apply the manifest a.yaml",
	} {
		if got := wouldBe(text); got != want {
			t.Errorf("wouldBe(%q): got %q, want %q", text, got, want)
		}
	}
}

func TestParticiple(t *testing.T) {
	t.Parallel()
	for verb, want := range map[string]string{
		"Compiles": "compiled", "Copies": "copied", "Compresses": "compressed", "Publishes": "published", "Converts": "converted", "Deploys": "deployed", "Commits": "committed",
		"Scans": "scanned", "Unzips": "unzipped", "Rewrites": "rewritten", "Builds": "built", "Lets": "", "Runs": "",
	} {
		if got := participle(verb); got != want {
			t.Errorf("participle(%q): got %q, want %q", verb, got, want)
		}
	}
}
