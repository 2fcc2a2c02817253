package install

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/self"
	"github.com/heedsh/heed/internal/wholefile"
)

// MaxSize is the largest settings file that is read, in bytes.
const MaxSize = 4 << 20

// A File is an agent's settings file as it was read.
type File struct {
	Name   string // behind links
	Text   []byte // nil: there is none
	target agent.Target
	mode   fs.FileMode
}

// Open reads a settings file. A link is followed only within the
// directory of the settings: a repository could lead heed elsewhere, and a
// file that is kept elsewhere (in a dotfiles repository) is its owner's to
// change.
func Open(at agent.Target) (*File, error) {
	name, err := behindLinks(&at)
	if err != nil {
		return nil, err
	}
	i, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &File{Name: name, target: at, mode: cmp.Or(at.Mode, 0o600)}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking at the settings: %w", err)
	}
	if !i.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", explain.Visible(name))
	}
	if i.Size() > MaxSize {
		return nil, fmt.Errorf("%s is too large for settings (%d bytes, %d allowed)", explain.Visible(name), i.Size(), MaxSize)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the settings: %w", err)
	}
	if text == nil {
		text = []byte{}
	}
	return &File{Name: name, Text: text, target: at, mode: i.Mode().Perm()}, nil
}

// behindLinks returns where the settings really are.
func behindLinks(at *agent.Target) (string, error) {
	if !self.Exists(at.Inside) {
		return at.File, nil
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(at.Inside))
	if err != nil {
		return "", fmt.Errorf("looking for the settings: %w", err)
	}
	dir, err := filepath.EvalSymlinks(at.Inside)
	if err != nil {
		return "", fmt.Errorf("looking for the settings: %w", err)
	}
	if want := filepath.Join(parent, filepath.Base(at.Inside)); dir != want {
		return "", leads(at.Inside, dir)
	}
	// As far as there is something on the way to the file, it must lie there.
	there, missing := at.File, ""
	for !self.Exists(there) {
		there, missing = filepath.Dir(there), filepath.Join(filepath.Base(there), missing)
	}
	behind, err := filepath.EvalSymlinks(there)
	if err != nil {
		return "", fmt.Errorf("looking for the settings: %w", err)
	}
	if behind != dir && !self.Within(behind, dir) {
		return "", leads(there, behind)
	}
	return filepath.Join(behind, missing), nil
}

func leads(link, to string) error {
	return fmt.Errorf("%s is a link that leads elsewhere, to %s: heed does not write there; put the hook in yourself (docs/agents.md shows it), or a file in the place of the link",
		explain.Visible(link), explain.Visible(to))
}

func (f *File) backup() string { return f.Name + ".heed-backup" }

// BackupNote says where the settings are kept as they were before Replace.
func (f *File) BackupNote() string {
	if f.Text == nil {
		return ""
	}
	return " (as it was: " + explain.Visible(filepath.Base(f.backup())) + ")"
}

// Replace gives the file new content, all of it or nothing, and keeps the old
// beside it.
func (f *File) Replace(text []byte) error {
	if err := os.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
		return fmt.Errorf("making the directory of the settings: %w", err)
	}
	// What was before heed stays kept when heed adds to its own.
	before, err := os.ReadFile(f.backup())
	if f.Text != nil && (err != nil || bytes.Equal(before, text) || !f.comesFrom(before)) {
		if err := wholefile.Write(f.backup(), f.Text, f.mode, nil); err != nil {
			return fmt.Errorf("keeping the settings as they were: %w", err)
		}
	}
	if err := wholefile.Write(f.Name, text, f.mode, f.unchanged); err != nil {
		return fmt.Errorf("writing the settings: %w", err)
	}
	return nil
}

// unchanged reports an error if somebody else has written the file since it
// was read.
func (f *File) unchanged() error {
	now, err := os.ReadFile(f.Name)
	switch {
	case f.Text == nil && errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case f.Text == nil || !bytes.Equal(now, f.Text):
		return errors.New("somebody else is changing the file: try again")
	}
	return nil
}

// WithHook returns the text with a hook that runs the heed of this path.
func (f *File) WithHook(heed string) ([]byte, error) { return f.target.Add(f.Text, heed) }

// WithNet returns a text of the file with a second net, the program of this path, in the
// environment of the agent's commands.
func (f *File) WithNet(text []byte, net string) ([]byte, error) {
	if f.target.AddNet == nil {
		return nil, errors.New("no setting of this agent is known that does this")
	}
	return f.target.AddNet(text, net)
}

// WithoutHook returns the text without heed's hook and second net; nil if nothing is left of
// a file that heed has made.
func (f *File) WithoutHook() ([]byte, error) {
	if f.Text == nil {
		return nil, nil
	}
	after, err := f.target.Remove(f.Text)
	if err != nil || bytes.Equal(after, f.Text) {
		return after, err
	}
	before, err := os.ReadFile(f.backup())
	switch {
	case err == nil && f.comesFrom(before):
		return before, nil
	case f.target.Empty(after) && (errors.Is(err, fs.ErrNotExist) || f.target.Program(before) != ""):
		return nil, nil
	}
	return after, nil
}

// comesFrom reports whether installing the hook made this text out of that
// one, which had none.
func (f *File) comesFrom(before []byte) bool {
	heed := f.target.Program(f.Text)
	if heed == "" || f.target.Program(before) != "" {
		return false
	}
	now, err := f.target.Add(before, heed)
	if err == nil && f.target.Net != nil {
		if net := f.target.Net(f.Text); net != f.target.Net(before) {
			now, err = f.target.AddNet(now, net)
		}
	}
	return err == nil && bytes.Equal(now, f.Text)
}

// Remove takes the file away, and the directories that heed made for it alone.
func (f *File) Remove() error {
	if err := os.Remove(f.Name); err != nil {
		return fmt.Errorf("removing a file that held nothing but heed's hook: %w", err)
	}
	for dir := filepath.Dir(f.Name); self.Within(dir, f.target.Inside); dir = filepath.Dir(dir) {
		rest, err := filepath.Rel(f.target.Inside, dir)
		if err != nil || !slices.Contains(strings.Split(rest, string(filepath.Separator)), "heed") || os.Remove(dir) != nil {
			break // it is not heed's, or not empty
		}
	}
	return nil
}
