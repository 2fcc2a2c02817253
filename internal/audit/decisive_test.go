package audit

import (
	"slices"
	"testing"

	"github.com/heedsh/heed/risk"
)

// TestDecisive: the programs that a tier comes from are those whose effects have it; none
// where something else raised it.
func TestDecisive(t *testing.T) {
	t.Parallel()
	effect := func(program string, tier risk.Tier) risk.Effect { return risk.Effect{Program: program, Tier: tier} }
	for _, c := range []struct {
		tier    risk.Tier
		effects []risk.Effect
		want    []string
	}{
		{risk.Safe, nil, nil},
		{risk.Review, []risk.Effect{effect("cat", risk.Safe), effect("/bin/rm", risk.Review), effect("rm", risk.Review), effect("git", risk.Caution)}, []string{"rm"}},
		{risk.Safe, []risk.Effect{effect("cat", risk.Safe), effect("", risk.Safe), effect("head", risk.Safe)}, nil},
		{risk.Review, []risk.Effect{effect("curl", risk.Caution)}, nil},
	} {
		a := risk.Assessment{Tier: c.tier, Effects: c.effects, Inputs: risk.Inputs{Catalog: "sha256:1"}}
		r, err := AssessedRow(&risk.Request{Command: "x"}, &a, false)
		if err != nil || !slices.Equal(r.Decisive, c.want) || r.Catalog != "sha256:1" {
			t.Errorf("%v, %v, catalog %q: want %v", err, r.Decisive, r.Catalog, c.want)
		}
	}
	r, err := AssessedRow(&risk.Request{Command: "x --password hunter2hunter2"}, &risk.Assessment{Tier: risk.Review, Effects: []risk.Effect{effect("hunter2hunter2", risk.Review)}}, false)
	if err != nil || slices.Contains(r.Decisive, "hunter2hunter2") {
		t.Errorf("%v: a secret is kept: %v", err, r.Decisive)
	}
}
