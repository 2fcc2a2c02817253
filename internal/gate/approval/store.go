package approval

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
)

// The bounds of a store.
const (
	maxRequests = 200     // kept at once
	maxFile     = 8 << 20 // bytes of one file
	minPrefix   = 12      // digits of a digest that name it
)

// ErrGone says that there is no such request, or that somebody took it.
var ErrGone = errors.New("there is no such request: it was approved already, is too old, or was never refused here")

// A Store holds the requests that were refused, and their answers.
type Store struct {
	dir string
	now func() time.Time
}

// Open names the store of an account: heed/pending in $XDG_STATE_HOME, or else in
// ~/.local/state. Nothing is read yet.
func Open(getenv func(string) string) (*Store, error) {
	dir, err := ownfile.State(getenv, "pending")
	if err != nil {
		return nil, fmt.Errorf("looking for requests: %w", err)
	}
	return &Store{dir, time.Now}, nil
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

// list lists the store's files, the youngest first. What else lies there does
// not count.
func list(root *os.Root) ([]fs.FileInfo, error) {
	d, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(10 * maxRequests)
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

// drop removes the oldest requests beyond the bound, and what a crash left behind.
func drop(root *os.Root) error {
	files, err := list(root)
	if err != nil {
		return fmt.Errorf("dropping old requests: %w", err)
	}
	kept := map[string]bool{}
	for _, i := range files {
		if digest, ok := digestOf(i.Name(), requestFile); ok && len(kept) < maxRequests {
			kept[digest] = true
		}
	}
	temps := 0
	for _, i := range files {
		digest, _, _ := strings.Cut(i.Name(), ".")
		if i.Name() == keyFile || i.Name() == deskFile || strings.HasPrefix(i.Name(), coverFile) || kept[digest] {
			continue
		}
		// One that is being written now has no lasting name yet.
		if strings.HasPrefix(i.Name(), ownfile.Temporary) {
			if temps++; temps < maxRequests {
				continue
			}
		}
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

// Find returns the request whose digest begins with prefix (see Clean).
func (s *Store) Find(prefix string) (*Request, error) {
	root, err := s.open(false)
	if err != nil {
		return nil, fmt.Errorf("looking for the request: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	files, err := list(root)
	if err != nil {
		return nil, fmt.Errorf("looking for the request: %w", err)
	}
	digest := ""
	for _, i := range files {
		name, ok := digestOf(i.Name(), requestFile)
		if !ok || !strings.HasPrefix(name, prefix) {
			continue
		}
		if digest != "" {
			return nil, errors.New("more than one request begins like that: give more of the digest")
		}
		digest = name
	}
	if digest == "" {
		return nil, ErrGone
	}
	r, err := s.read(root, digest)
	if err != nil {
		return nil, fmt.Errorf("reading the request: %w", err)
	}
	return r, nil
}

// List returns all requests, the youngest first. Files that are damaged are left out;
// damaged says how many.
func (s *Store) List() (all []*Request, damaged int, err error) {
	root, err := s.open(false)
	switch {
	case errors.Is(err, ErrGone):
		return nil, 0, nil
	case err != nil:
		return nil, 0, fmt.Errorf("listing the requests: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	files, err := list(root)
	if err != nil {
		return nil, 0, fmt.Errorf("listing the requests: %w", err)
	}
	for _, i := range files {
		digest, ok := digestOf(i.Name(), requestFile)
		if !ok {
			continue
		}
		r, err := s.read(root, digest)
		switch {
		case errors.Is(err, fs.ErrNotExist): // dropped meanwhile
		case err != nil:
			damaged++
		default:
			all = append(all, r)
		}
	}
	return all, damaged, nil
}

// The names of a request's files: what was asked, how it was answered, and that the
// answer was used.
const (
	requestFile = ".json"
	answerFile  = ".answer"
	usedFile    = ".used"
	keyFile     = "key"
)

// digestOf takes a name apart.
func digestOf(name, kind string) (digest string, ok bool) {
	digest, ok = strings.CutSuffix(name, kind)
	return digest, ok && len(digest) == hex.EncodedLen(32)
}
