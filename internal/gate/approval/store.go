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

	"github.com/heedsh/heed/internal/ownfile"
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

// Open names the store of an account: heed/pending in $XDG_STATE_HOME, or else in
// ~/.local/state. Nothing is read yet.
func Open(getenv func(string) string) (*Store, error) {
	dir, err := ownfile.State(getenv, "pending")
	if err != nil {
		return nil, fmt.Errorf("looking for requests: %w", err)
	}
	return &Store{dir}, nil
}

// Dir is the store's directory.
func (s *Store) Dir() string { return s.dir }

// open opens the directory, and makes it if wanted.
func (s *Store) open(create bool) (*os.Root, error) {
	root, err := ownfile.Dir(s.dir, create)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrGone
	}
	return root, err
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
	if err := ownfile.Put(root, digest+".json", text); err != nil {
		return fmt.Errorf("keeping the request: %w", err)
	}
	return drop(root)
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
	text, err := ownfile.Read(root, digest+".json", maxFile)
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
