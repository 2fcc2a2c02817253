package approval

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world/record"
)

// The bounds of a store.
const (
	maxPending = 200     // files
	maxFile    = 8 << 20 // bytes of one
	minPrefix  = 12      // digits of a digest that name it
)

// format names the form of a pending file. A later form has another name.
const format = "heed-pending/2"

type pendingJSON struct {
	Format string `json:"format"`
	Facts  Facts  `json:"facts"`
}

// ErrGone says that there is no such request, or that somebody took it.
var ErrGone = errors.New("there is no such request: it was approved already, is too old, or was never refused here")

// A Store holds the facts of refused commands.
type Store struct{ dir string }

// Open names the store of an account: heed/pending in $XDG_STATE_HOME, or else
// in ~/.local/state. Nothing is read yet. Source: XDG Base Directory
// Specification 0.8, which has relative paths ignored.
func Open(getenv func(string) string) (*Store, error) {
	state := getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home := getenv("HOME")
		if !filepath.IsAbs(home) {
			return nil, errors.New("neither XDG_STATE_HOME nor HOME names a directory to keep requests in")
		}
		state = filepath.Join(home, ".local", "state")
	}
	return &Store{filepath.Join(state, "heed", "pending")}, nil
}

// Dir is the store's directory.
func (s *Store) Dir() string { return s.dir }

// open opens the directory, and makes it if wanted. heed's own directories must
// be directories of this account that nobody else can write, and no links.
func (s *Store) open(create bool) (*os.Root, error) {
	above := filepath.Dir(s.dir)
	if create {
		if err := os.MkdirAll(filepath.Dir(above), 0o700); err != nil {
			return nil, err
		}
	}
	for _, dir := range []string{above, s.dir} {
		if create {
			if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, err
			}
		}
		i, err := os.Lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, ErrGone
		case err != nil:
			return nil, err
		case !i.IsDir():
			return nil, fmt.Errorf("%s is not a directory", dir)
		case !mine(i):
			return nil, fmt.Errorf("%s belongs to another account, or others may write there", dir)
		}
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, err
	}
	// What was opened must be what was looked at.
	before, err := os.Lstat(s.dir)
	if err == nil {
		var now fs.FileInfo
		if now, err = root.Stat("."); err == nil && !os.SameFile(before, now) {
			err = fmt.Errorf("%s was exchanged", s.dir)
		}
	}
	if err != nil {
		_ = root.Close() // it is not used
		return nil, err
	}
	return root, nil
}

// Keep keeps facts until they are taken. The oldest are dropped for it.
func (s *Store) Keep(f *Facts) error {
	digest, err := f.Digest()
	if err != nil {
		return err
	}
	text, err := json.Marshal(record.Escape(pendingJSON{format, *f}))
	if err != nil {
		return fmt.Errorf("keeping the request: %w", err)
	}
	if len(text) > maxFile {
		return fmt.Errorf("keeping the request: it is too large (%d bytes, %d allowed)", len(text), maxFile)
	}
	root, err := s.open(true)
	if err != nil {
		return fmt.Errorf("keeping the request: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	if err := put(root, digest+".json", text); err != nil {
		return fmt.Errorf("keeping the request: %w", err)
	}
	return drop(root)
}

// put writes a file, all of it or nothing.
func put(root *os.Root, name string, text []byte) error {
	temp := "new-" + rand.Text()
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp) // the error that counts is known
	}
	return err
}

// list lists the store's files, the youngest first. What else lies there does
// not count.
func list(root *os.Root) ([]fs.FileInfo, error) {
	d, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(10 * maxPending)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if i, err := root.Lstat(e.Name()); err == nil && i.Mode().IsRegular() {
			files = append(files, i)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	return files, nil
}

// drop removes the oldest files beyond the bound, those that a crash left
// behind included.
func drop(root *os.Root) error {
	files, err := list(root)
	if err != nil {
		return fmt.Errorf("dropping old requests: %w", err)
	}
	for _, i := range files[min(len(files), maxPending):] {
		if err := root.Remove(i.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("dropping old requests: %w", err)
		}
	}
	return nil
}

// Clean takes the grouping out of a digest as a person gives it. It fails if
// what remains is no beginning of a digest that is long enough to name one.
func Clean(given string) (string, error) {
	prefix := strings.ToLower(strings.NewReplacer("-", "", " ", "").Replace(given))
	if strings.Trim(prefix, "0123456789abcdef") != "" || len(prefix) > 64 {
		return "", errors.New("that is no digest: copy it as the refusal shows it")
	}
	if len(prefix) < minPrefix {
		return "", fmt.Errorf("give at least %d digits of the digest", minPrefix)
	}
	return prefix, nil
}

// Show is as much of a digest as names it, in groups.
func Show(digest string) string {
	digest = digest[:min(len(digest), minPrefix)]
	var groups []string
	for ; len(digest) > 4; digest = digest[4:] {
		groups = append(groups, digest[:4])
	}
	return strings.Join(append(groups, digest), "-")
}

// Find returns the facts whose digest begins with prefix (see Clean).
func (s *Store) Find(prefix string) (digest string, f *Facts, err error) {
	root, err := s.open(false)
	if err != nil {
		return "", nil, fmt.Errorf("looking for the request: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	files, err := list(root)
	if err != nil {
		return "", nil, fmt.Errorf("looking for the request: %w", err)
	}
	for _, i := range files {
		name, ok := strings.CutSuffix(i.Name(), ".json")
		if !ok || len(name) != hex.EncodedLen(32) || !strings.HasPrefix(name, prefix) {
			continue
		}
		if digest != "" {
			return "", nil, errors.New("more than one request begins like that: give more of the digest")
		}
		digest = name
	}
	if digest == "" {
		return "", nil, ErrGone
	}
	f, err = read(root, digest)
	if err != nil {
		return "", nil, fmt.Errorf("reading the request: %w", err)
	}
	return digest, f, nil
}

// read reads one file and checks that it is what its name says.
func read(root *os.Root, digest string) (*Facts, error) {
	file, err := root.OpenFile(digest+".json", os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	i, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !i.Mode().IsRegular() || !mine(i) {
		return nil, errors.New("it is no file of this account's own")
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, err
	}
	f, err := parse(text)
	if err != nil {
		return nil, err
	}
	if is, err := f.Digest(); err != nil || is != digest {
		return nil, errors.New("it is not what its name says")
	}
	return f, nil
}

// parse reads the text of a pending file.
func parse(text []byte) (*Facts, error) {
	if len(text) > maxFile {
		return nil, errors.New("it is too large")
	}
	var in pendingJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	if in.Format != format {
		return nil, fmt.Errorf("it has the form %.40q, and this heed reads %q", in.Format, format)
	}
	if err := record.Unescape(&in); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	j := &in.Facts.Job
	if len(j.Argv) == 0 || !filepath.IsAbs(j.Program) || !filepath.IsAbs(j.Dir) {
		return nil, errors.New("it is damaged: it names no program or no directory")
	}
	return &in.Facts, nil
}

// Take removes a request, so that it is approved once. Of several who take it
// at the same time one succeeds, and the others get ErrGone.
func (s *Store) Take(digest string) error {
	root, err := s.open(false)
	if err != nil {
		return fmt.Errorf("taking the request: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	mine := "taken-" + rand.Text()
	if err := root.Rename(digest+".json", mine); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return ErrGone
		}
		return fmt.Errorf("taking the request: %w", err)
	}
	if err := root.Remove(mine); err != nil {
		return fmt.Errorf("taking the request: %w", err)
	}
	return nil
}
