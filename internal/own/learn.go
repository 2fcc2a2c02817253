package own

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/heedsh/heed/internal/confine/learn"
	"github.com/heedsh/heed/internal/confine/profile"
	"github.com/heedsh/heed/internal/ownfile"
)

// maxLearned is the longest file of observed runs that is read, in bytes.
const maxLearned = 4 << 20

// Learned are the observed runs from which a profile is learned.
type Learned struct {
	// Of is a digest of the command and its directory: its words can hold a secret.
	Of      string      `json:"of"`
	Program string      `json:"program"`
	Dir     string      `json:"dir"`
	Runs    []learn.Run `json:"runs"`
}

// CommandDigest is what [Learned] knows a command by.
func CommandDigest(argv []string, dir string) string {
	sum := sha256.Sum256([]byte(dir + "\x00" + strings.Join(argv, "\x00")))
	return hex.EncodeToString(sum[:])
}

// learned is the file of the runs for a profile, and its directory.
func learned(env []string, name string) (dir, file string, err error) {
	if !profileName(name) {
		return "", "", fmt.Errorf("profile %.40q: a name has small letters, digits and dashes", name)
	}
	dir, err = ownfile.State(Getenv(env), "learn")
	return dir, name + ".json", err
}

// ReadLearned reads the runs that were observed for a profile; nil if there are none.
func ReadLearned(env []string, name string) (*Learned, error) {
	dir, file, err := learned(env, name)
	if err != nil {
		return nil, err
	}
	root, err := ownfile.Dir(dir, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("reading the observed runs: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	text, err := ownfile.Read(root, file, maxLearned)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	l := &Learned{}
	if err == nil {
		err = json.Unmarshal(text, l)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the observed runs: %s: %w", filepath.Join(dir, file), err)
	}
	return l, nil
}

// KeepLearned keeps them; nil forgets them.
func KeepLearned(env []string, name string, l *Learned) error {
	dir, file, err := learned(env, name)
	if err != nil {
		return err
	}
	root, err := ownfile.Dir(dir, l != nil)
	if l == nil && errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return fmt.Errorf("keeping the observed runs: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	if l == nil {
		if err := root.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forgetting the observed runs: %w", err)
		}
		return nil
	}
	text, err := json.Marshal(l)
	if err == nil {
		err = ownfile.Put(root, file, text)
	}
	if err != nil {
		return fmt.Errorf("keeping the observed runs: %w", err)
	}
	return nil
}

// KeepProfile writes a profile among the person's own, if the file there still is what it
// was (nil: none), and returns its name.
func KeepProfile(env []string, name string, was []byte, p *profile.Profile) (string, error) {
	dir := profiles(env)
	if dir == "" || !profileName(name) {
		return "", errors.New("writing the profile: there is no home directory to keep it in")
	}
	text, err := p.YAML()
	if err != nil {
		return "", fmt.Errorf("writing the profile: %w", err)
	}
	file := filepath.Join(dir, name+".yaml")
	root, err := ownfile.Dir(dir, true)
	if err != nil {
		return "", fmt.Errorf("writing the profile: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	now, err := ownfile.Read(root, name+".yaml", maxProfile)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("writing the profile: %w", err)
	case (err == nil) != (was != nil) || string(now) != string(was):
		return "", fmt.Errorf("%s has changed meanwhile: try again", file)
	}
	if err := ownfile.Keep(root, name+".yaml", text); err != nil {
		return "", fmt.Errorf("writing the profile: %w", err)
	}
	return file, nil
}
