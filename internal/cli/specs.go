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
	if dir := ownDir(env, "XDG_CONFIG_HOME", ".config"); dir != "" {
		return []string{filepath.Join(dir, "specs")}
	}
	return nil
}

// ownDir returns heed's directory below the one that a variable names, or else
// below the home; "" if neither is there.
func ownDir(env []string, variable, below string) string {
	dir, home := "", ""
	for _, kv := range env {
		switch name, val, _ := strings.Cut(kv, "="); name {
		case variable:
			dir = val
		case "HOME":
			home = val
		}
	}
	if !filepath.IsAbs(dir) {
		if !filepath.IsAbs(home) {
			return ""
		}
		dir = filepath.Join(home, below)
	}
	return filepath.Join(dir, "heed")
}

// noteSpecs says which of the person's own specs are broken. Those of a
// workspace are only in the assessment: nobody here may have written them.
func noteSpecs(s Streams, problems []specs.Problem) {
	for _, p := range problems {
		if p.Own {
			verb := "catalog"
			if p.Rule {
				verb = "rules"
			}
			fmt.Fprintf(s.Err, "heed: note: %s; the file is not used (heed %s check)\n", explain.Visible(p.Text), verb)
		}
	}
}
