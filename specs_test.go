package heed_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/heedsh/heed"
	"github.com/heedsh/heed/risk"
)

// TestOptionsSpecs: the library reads the specs that it is given, and no
// others.
func TestOptionsSpecs(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, ".config", "heed", "specs")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	const spec = "program: frob\nsource: s\neffects: [db.destroy]\ncases: {frob: [db.destroy]}\n"
	if err := os.WriteFile(filepath.Join(dir, "frob.yaml"), []byte(spec), 0o644); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	for _, tt := range []struct {
		opt  heed.Options
		want risk.Tier
	}{
		{heed.Options{Home: home}, risk.Caution},
		{heed.Options{Home: home, Specs: []string{dir}}, risk.Review},
	} {
		a, err := heed.New(tt.opt).Assess(t.Context(), risk.Request{Command: "frob", Dir: work, Env: map[string]string{"HOME": home, "PATH": "/usr/bin"}})
		if err != nil || a.Tier != tt.want {
			t.Errorf("with %v: %s, %v, want %s", tt.opt.Specs, a.Tier, err, tt.want)
		}
	}
}
