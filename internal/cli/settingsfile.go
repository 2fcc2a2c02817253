package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/explain"
)

// maxSettings is the largest settings file that is read, in bytes.
const maxSettings = 4 << 20

// A settingsFile is an agent's settings file as it was read.
type settingsFile struct {
	name string // behind links
	text []byte // nil: there is none
	mode fs.FileMode
}

// openSettings reads a settings file. A link is followed only within the
// directory of the settings: a repository could lead heed elsewhere, and a
// file that is kept elsewhere (in a dotfiles repository) is its owner's to
// change.
func openSettings(at settingsPlace) (*settingsFile, error) {
	name, err := behindLinks(at)
	if err != nil {
		return nil, err
	}
	i, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &settingsFile{name: name, mode: 0o600}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking at the settings: %w", err)
	}
	if !i.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", explain.Visible(name))
	}
	if i.Size() > maxSettings {
		return nil, fmt.Errorf("%s is too large for settings (%d bytes, %d allowed)", explain.Visible(name), i.Size(), maxSettings)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the settings: %w", err)
	}
	if text == nil {
		text = []byte{}
	}
	return &settingsFile{name: name, text: text, mode: i.Mode().Perm()}, nil
}

// behindLinks returns where the settings really are.
func behindLinks(at settingsPlace) (string, error) {
	if !exists(at.inside) {
		return at.file, nil
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(at.inside))
	if err != nil {
		return "", fmt.Errorf("looking for the settings: %w", err)
	}
	dir, err := filepath.EvalSymlinks(at.inside)
	if err != nil {
		return "", fmt.Errorf("looking for the settings: %w", err)
	}
	if want := filepath.Join(parent, filepath.Base(at.inside)); dir != want {
		return "", leads(at.inside, dir)
	}
	if !exists(at.file) {
		return filepath.Join(dir, filepath.Base(at.file)), nil
	}
	file, err := filepath.EvalSymlinks(at.file)
	if err != nil {
		return "", fmt.Errorf("looking for the settings: %w", err)
	}
	if !within(file, dir) {
		return "", leads(at.file, file)
	}
	return file, nil
}

func leads(link, to string) error {
	return fmt.Errorf("%s is a link that leads elsewhere, to %s: heed does not write there; put the hook in yourself (docs/agents.md shows it), or a file in the place of the link",
		explain.Visible(link), explain.Visible(to))
}

func (f *settingsFile) backup() string { return f.name + ".heed-backup" }

func (f *settingsFile) backupNote() string {
	if f.text == nil {
		return ""
	}
	return " (as it was: " + explain.Visible(filepath.Base(f.backup())) + ")"
}

// replace gives the file new content, all of it or nothing, and keeps the old
// beside it.
func (f *settingsFile) replace(text []byte) error {
	if err := os.MkdirAll(filepath.Dir(f.name), 0o755); err != nil {
		return fmt.Errorf("making the directory of the settings: %w", err)
	}
	if f.text != nil {
		if err := writeWhole(f.backup(), f.text, f.mode, nil); err != nil {
			return fmt.Errorf("keeping the settings as they were: %w", err)
		}
	}
	if err := writeWhole(f.name, text, f.mode, f.unchanged); err != nil {
		return fmt.Errorf("writing the settings: %w", err)
	}
	return nil
}

// unchanged reports an error if somebody else has written the file since it
// was read.
func (f *settingsFile) unchanged() error {
	now, err := os.ReadFile(f.name)
	switch {
	case f.text == nil && errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case f.text == nil || !bytes.Equal(now, f.text):
		return errors.New("somebody else is changing the file: try again")
	}
	return nil
}

// writeWhole writes a file beside its place and moves it there, if check
// still agrees.
func writeWhole(name string, text []byte, mode fs.FileMode, check func() error) (err error) {
	t, err := os.CreateTemp(filepath.Dir(name), ".heed-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(t.Name()) // the first error counts
		}
	}()
	_, err = t.Write(text)
	err = errors.Join(err, t.Chmod(mode), t.Sync(), t.Close())
	if err == nil && check != nil {
		err = check()
	}
	if err != nil {
		return err
	}
	return os.Rename(t.Name(), name)
}

// withoutHook returns the text without heed's hook; nil if nothing is left of
// a file that heed has made.
func (f *settingsFile) withoutHook() ([]byte, error) {
	if f.text == nil {
		return nil, nil
	}
	after, err := agent.UninstallClaudeCode(f.text)
	if err != nil || bytes.Equal(after, f.text) {
		return after, err
	}
	before, err := os.ReadFile(f.backup())
	switch {
	case err == nil && f.comesFrom(before):
		return before, nil
	case errors.Is(err, fs.ErrNotExist) && string(bytes.TrimSpace(after)) == "{}":
		return nil, nil
	}
	return after, nil
}

// comesFrom reports whether installing the hook made this text out of that
// one, which had none.
func (f *settingsFile) comesFrom(before []byte) bool {
	heed, err := agent.OwnCommand(f.text)
	if err != nil || heed == "" {
		return false
	}
	if had, err := agent.OwnCommand(before); err != nil || had != "" {
		return false
	}
	now, err := agent.InstallClaudeCode(before, heed)
	return err == nil && bytes.Equal(now, f.text)
}
