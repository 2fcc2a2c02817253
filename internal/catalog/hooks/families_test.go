package hooks

import "testing"

// TestEachHookHasOneFamily: of two with one name only the first would be found.
func TestEachHookHasOneFamily(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for i := range families {
		for name := range families[i].Get() {
			if seen[name] {
				t.Errorf("%q is in two families", name)
			}
			seen[name] = true
		}
	}
	if len(seen) == 0 || Find("no such hook") != nil {
		t.Errorf("%d hooks, and one that there is not", len(seen))
	}
}
