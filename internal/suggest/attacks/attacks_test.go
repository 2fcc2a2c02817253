package attacks_test

import (
	"testing"

	"github.com/heedsh/heed/internal/suggest/attacks"
	"github.com/heedsh/heed/risk"
)

// TestAgainst: the attacks reach whoever they are aimed at, wherever that is.
func TestAgainst(t *testing.T) {
	t.Parallel()
	for _, v := range []attacks.Victim{
		{User: "u", Home: "/home/u", Dir: "/home/u/project"},
		{User: "ann", Home: "/Users/ann", Dir: "/srv/work/shop", Remote: "git@github.com:acme/shop.git"},
	} {
		all, err := attacks.Against(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		review, silent := 0, 0
		for _, a := range all {
			switch {
			case a.Assessment.Tier == risk.Review:
				review++
			case a.Assessment.Level == risk.A:
				silent++
			}
		}
		t.Logf("%s: %d attacks, %d of them REVIEW, %d silent without what was set up for them", v.Dir, len(all), review, silent)
		if len(all) < 900 || review < 550 {
			t.Errorf("%s: %d attacks, only %d of them REVIEW", v.Dir, len(all), review)
		}
	}
}
