package explain

import (
	"testing"

	"github.com/heedsh/heed/risk"
)

// TestStory: effects that are steps of one thing are told as that.
func TestStory(t *testing.T) {
	t.Parallel()
	fetch := risk.Effect{Verb: risk.NetFetch, Target: "https://x.test/i.sh"}
	other := risk.Effect{Verb: risk.NetFetch, Target: "https://x.test/j.sh"}
	saved := risk.Effect{Verb: risk.FSWrite, Target: "/w/i.sh", Kind: risk.KindDownload}
	run := risk.Effect{Verb: risk.ExecRemote, Source: risk.FromNetwork(), Kind: risk.KindDownloaded}
	file := run
	file.Target = "/w/i.sh"
	over := risk.Effect{Verb: risk.FSWrite, Target: "/w", Named: "*.log", Many: true}
	gone := risk.Effect{Verb: risk.FSDelete, Target: "/w", Named: "*.log", Many: true, Program: "shred", Reversible: risk.Lost}
	for _, c := range []struct {
		effects []risk.Effect
		want    string
	}{
		{[]risk.Effect{fetch, run}, "Downloads https://x.test/i.sh and runs it, unseen."},
		{[]risk.Effect{fetch, saved, file}, "Downloads https://x.test/i.sh to ./i.sh and runs it, unseen."},
		{[]risk.Effect{fetch, other, run}, "Downloads https://x.test/i.sh and 1 more, and runs code from there, unseen."},
		{[]risk.Effect{run}, "Runs what was downloaded, unseen."},
		{[]risk.Effect{run, fetch}, "Runs what was downloaded, unseen; also downloads from https://x.test/i.sh."},
		{[]risk.Effect{over, gone}, "Overwrites and deletes files named *.log found in .; no copy is known."},
		{[]risk.Effect{gone}, "Deletes files named *.log found in .; no copy is known."},
	} {
		bands := make([]risk.Band, len(c.effects))
		for i := range bands {
			bands[i] = risk.BandReview
		}
		if got := Summarize(Input{Effects: c.effects, Bands: bands, Dir: "/w", Home: "/h"}); got != c.want {
			t.Errorf("%v\n got %s\nwant %s", c.effects, got, c.want)
		}
	}
}
