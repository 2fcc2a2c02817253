package own

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/heedsh/heed/internal/confine/profile"
	"github.com/heedsh/heed/internal/ownfile"
)

// maxProfile is the longest file of a profile that is read, in bytes.
const maxProfile = 64 << 10

// profiles is the directory of a person's profiles, "" if there is no home.
func profiles(env []string) string {
	dir := below(env, "XDG_CONFIG_HOME", ".config")
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "profiles")
}

// profileName is what a profile can be called.
func profileName(name string) bool {
	return regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`).MatchString(name)
}

// ProfileText is the file of a profile and where it stands: a person's own before heed's.
func ProfileText(env []string, name string) (text []byte, file string, err error) {
	if !profileName(name) {
		return nil, "", fmt.Errorf("profile %.40q: a name has small letters, digits and dashes", name)
	}
	if dir := profiles(env); dir != "" {
		root, err := ownfile.Dir(dir, false)
		switch {
		case err == nil:
			defer root.Close() //nolint:errcheck // closing a directory loses nothing
			text, err := ownfile.Read(root, name+".yaml", maxProfile)
			if err == nil {
				return text, filepath.Join(dir, name+".yaml"), nil
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, "", fmt.Errorf("reading the profile %s: %w", name, err)
			}
		case !errors.Is(err, fs.ErrNotExist):
			return nil, "", fmt.Errorf("reading the profile %s: %w", name, err)
		}
	}
	text, err = profile.Text(name)
	return text, "", err
}

// Profile reads a profile.
func Profile(env []string, name string) (*profile.Profile, error) {
	text, file, err := ProfileText(env, name)
	if err != nil {
		return nil, err
	}
	if file == "" {
		file = name + ".yaml"
	}
	return profile.Parse(file, text)
}

// ProfileNames lists a person's own profiles.
func ProfileNames(env []string) ([]string, error) {
	dir := profiles(env)
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing profiles: %w", err)
	}
	var out []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".yaml"); ok && profileName(name) {
			out = append(out, name)
		}
	}
	return out, nil
}
