package install

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/heedsh/heed/internal/explain"
)

// A Place is where a settings file is, and the directory that it may not lead out
// of.
type Place struct{ File, Inside string }

// ClaudeProject is the settings file of a project, or with local that of one
// person for it. It is that of the directory that Claude Code is started in, not of
// the top of the repository (seen with 2.1.329).
func ClaudeProject(dir string, local bool) (Place, error) {
	if dir == "" {
		return Place{}, errors.New("the current directory is gone: go to the project first")
	}
	name := "settings.json"
	if local {
		name = "settings.local.json"
	}
	inside := filepath.Join(dir, ".claude")
	return Place{filepath.Join(inside, name), inside}, nil
}

// ClaudeUser is the settings file of a user.
func ClaudeUser(getenv func(string) string) (Place, error) {
	inside, err := claudeUserDir(getenv)
	return Place{filepath.Join(inside, "settings.json"), inside}, err
}

// claudeUserDir is where Claude Code keeps the settings of a user.
func claudeUserDir(getenv func(string) string) (string, error) {
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", fmt.Errorf("CLAUDE_CONFIG_DIR is %s, which is no absolute path", explain.Visible(dir))
		}
		return filepath.Clean(dir), nil
	}
	home := getenv("HOME")
	if !filepath.IsAbs(home) {
		return "", errors.New("HOME is not set: it says where the settings are")
	}
	return filepath.Join(home, ".claude"), nil
}
