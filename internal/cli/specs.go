package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/specs"
)

// specDirs returns the directory of a person's own specs: heed/specs in
// $XDG_CONFIG_HOME or else in ~/.config, on every system. env is heed's own
// environment, never that of a request, which anybody may have written.
// Source: XDG Base Directory Specification 0.8, which has relative paths
// ignored.
func specDirs(env []string) []string {
	config, home := "", ""
	for _, kv := range env {
		switch name, val, _ := strings.Cut(kv, "="); name {
		case "XDG_CONFIG_HOME":
			config = val
		case "HOME":
			home = val
		}
	}
	if !filepath.IsAbs(config) {
		if !filepath.IsAbs(home) {
			return nil
		}
		config = filepath.Join(home, ".config")
	}
	return []string{filepath.Join(config, "heed", "specs")}
}

// noteSpecs says which of the person's own specs are broken. Those of a
// workspace are only in the assessment: nobody here may have written them.
func noteSpecs(s Streams, problems []specs.Problem) {
	for _, p := range problems {
		if p.Own {
			fmt.Fprintf(s.Err, "heed: note: %s; the file is not used (heed catalog check)\n", explain.Visible(p.Text))
		}
	}
}
