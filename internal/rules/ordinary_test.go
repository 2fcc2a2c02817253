package rules

import (
	"testing"

	pack "github.com/heedsh/heed/internal/detect/rules"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// TestOrdinary holds the list to what it is for: enough different commands,
// which heed can read, and of which nearly all start a program.
func TestOrdinary(t *testing.T) {
	t.Parallel()
	all := Ordinary()
	if len(all) < 1500 {
		t.Errorf("%d commands, want 1,500", len(all))
	}
	l, err := newLab(t.Context(), service.Detectors{Without: []string{"pattern", "sigma", "semantic"}})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	idle := 0
	for _, c := range all {
		if seen[c] {
			t.Errorf("%q is there twice", c)
		}
		seen[c] = true
		a := l.run(c, "")
		if a.Error != "" {
			t.Errorf("%q: %s", c, a.Error)
			continue
		}
		for _, u := range a.Unknowns {
			if u.Role == risk.RoleParse {
				t.Errorf("%q cannot be read: %s", c, u.What)
			}
		}
		if len(a.Detail.Context.Processes) == 0 {
			idle++
		}
	}
	if idle > len(all)/50 {
		t.Errorf("%d of %d commands start no program", idle, len(all))
	}
}

// TestStarterPackIsRare runs heed's own rules over the ordinary commands: none
// that raises may be one that would have to be quiet.
func TestStarterPackIsRare(t *testing.T) {
	t.Parallel()
	set, err := pack.Pack()
	if err != nil {
		t.Fatal(err)
	}
	fired, total, err := try(t.Context(), set, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(fired) == 0 {
		t.Error("no rule fires on anything: is the test at work?")
	}
	for _, f := range fired {
		if f.loud() {
			t.Logf("%s %s: %d of %d, for one %q", f.Level, f.Title, f.Count, total, f.Example)
		}
		if f.loud() && f.often() {
			t.Errorf("%s (%s) fires on %d of %d ordinary commands, for one %q", f.Title, f.Level, f.Count, total, f.Example)
		}
	}
}
