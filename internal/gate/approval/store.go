package approval

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
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
	return &Store{filepath.Join(state, "heed", "pending"), time.Now}, nil
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

// write writes a new file of no lasting name, which is on the disk afterwards.
func write(root *os.Root, text []byte) (temp string, err error) {
	temp = "new-" + rand.Text()
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		_ = root.Remove(temp) // the error that counts is known
	}
	return temp, err
}

// put writes a file in the place of another, all of it or nothing.
func put(root *os.Root, name string, text []byte) error {
	temp, err := write(root, text)
	if err != nil {
		return err
	}
	if err := root.Rename(temp, name); err != nil {
		_ = root.Remove(temp) // the error that counts is known
		return err
	}
	return syncDir(root)
}

// putOnce writes a file that is not there yet: of several who do so at the same time
// one succeeds, and the others get [fs.ErrExist].
func putOnce(root *os.Root, name string, text []byte) error {
	temp, err := write(root, text)
	if err != nil {
		return err
	}
	err = root.Link(temp, name)
	_ = root.Remove(temp) // it has its lasting name, or is not wanted
	if err != nil {
		return err
	}
	return syncDir(root)
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
		if strings.HasPrefix(i.Name(), "new-") {
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

// readFile reads a file of this account's own.
func readFile(root *os.Root, name string) ([]byte, error) {
	file, err := root.OpenFile(name, os.O_RDONLY|noFollow, 0)
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
	if err == nil && len(text) > maxFile {
		err = errors.New("it is too large")
	}
	return text, err
}
