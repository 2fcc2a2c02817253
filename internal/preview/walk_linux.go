//go:build amd64 || arm64

package preview

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/xattr"
	"golang.org/x/sys/unix"
)

// An item is one change as it is applied.
type item struct {
	Tree int
	Rel  string // in the tree
	Kind Kind
	// Was is what the command saw there, Now what it left; nil for nothing.
	Was, Now *state
	// In is the directory that it is in; nil for the top of a tree.
	In *state `json:",omitempty"`
	// Content is whether a file's content changed.
	Content bool
	// Held is what the directory held that was there, Holds what the new one does.
	Held, Holds count
	// Link is the path of which a new file is another name; "" if none.
	Link     string
	LinkTree int
	Secret   bool // it holds a placeholder
	Moved    bool // somebody else changed it while the command ran
}

// A count is what a directory holds, all together.
type count struct {
	Files  int
	Bytes  int64
	Digest string // of what they are
}

// A walker compares what a command wrote with what was there.
type walker struct {
	tree         int
	upper, lower string // directories
	began        int64  // when the command began
	closed       bool   // its top was not made as it is below
	in           *state // the directory that is walked
	marker       []byte // begins every placeholder; nil if there are none
	items        []item
	inodes       map[uint64][]int // items, and -1 for none, of files with several names
	anchors      map[uint64]string
}

// walk compares a directory of the upper layer with the lower one. opaque is whether
// what the lower one has does not show through.
func (w *walker) walk(rel string, opaque bool) error {
	up := filepath.Join(w.upper, rel)
	names, err := readNames(up)
	if err != nil {
		return pathError("reading", up, err)
	}
	in, err := look(filepath.Join(w.lower, rel) + "/.")
	if err != nil {
		return err
	}
	defer func(around *state) { w.in = around }(w.in)
	w.in = in
	if value, ok := overlayAttr(up, "opaque"); ok && value == "y" {
		opaque = true
	}
	if opaque {
		below, err := readNames(filepath.Join(w.lower, rel))
		if err != nil {
			return pathError("reading", filepath.Join(w.lower, rel), err)
		}
		for _, name := range below {
			if slices.Contains(names, name) {
				continue
			}
			if err := w.deleted(filepath.Join(rel, name)); err != nil {
				return err
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if err := w.entry(filepath.Join(rel, name), opaque); err != nil {
			return err
		}
	}
	return nil
}

// top compares the top of a tree.
func (w *walker) top() error {
	if w.closed {
		return nil
	}
	it := item{Tree: w.tree}
	for _, at := range []struct {
		p  string
		to **state
	}{{w.lower + "/.", &it.Was}, {w.upper, &it.Now}} {
		s, err := look(at.p)
		if err != nil {
			return err
		}
		if s.XAttrs, err = xattrs(at.p); err != nil {
			return err
		}
		*at.to = s
	}
	if it.Kind = it.attributes(); it.Kind != "" {
		w.add(it)
	}
	return nil
}

// entry compares one name.
func (w *walker) entry(rel string, opaque bool) error {
	up := filepath.Join(w.upper, rel)
	now, err := look(up)
	if err != nil || now == nil {
		return err
	}
	if now.whiteout(up) {
		return w.deleted(rel)
	}
	if err := readable(up, now); err != nil {
		return err
	}
	was, err := w.below(rel)
	if err != nil {
		return err
	}
	if now.XAttrs, err = xattrs(up); err != nil {
		return err
	}
	it := item{Tree: w.tree, Rel: rel, Was: was, Now: now}
	switch {
	case was == nil:
		it.Kind = Created
	case was.kind() != now.kind():
		it.Kind = Replaced
	case now.dir():
		if it.Kind = it.attributes(); it.Kind != "" {
			w.add(it)
		}
		return w.walk(rel, opaque)
	default:
		if err := w.compare(&it); err != nil {
			return err
		}
	}
	if it.Kind == "" && now.Links < 2 {
		return nil
	}
	if err := w.held(&it); err != nil {
		return err
	}
	if it.Secret, err = w.secret(up, &it); err != nil {
		return err
	}
	w.add(it)
	return nil
}

// below looks at what was there, with its attributes.
func (w *walker) below(rel string) (*state, error) {
	low := filepath.Join(w.lower, rel)
	was, err := look(low)
	if err != nil || was == nil {
		return nil, err
	}
	was.XAttrs, err = xattrs(low)
	return was, err
}

// deleted adds what is not there any more.
func (w *walker) deleted(rel string) error {
	was, err := w.below(rel)
	if err != nil || was == nil {
		return err // it came and went
	}
	it := item{Tree: w.tree, Rel: rel, Kind: Deleted, Was: was}
	if err := w.held(&it); err != nil {
		return err
	}
	w.add(it)
	return nil
}

// add keeps an item.
func (w *walker) add(it item) {
	it.In = w.in
	it.Moved = it.Was != nil && it.Was.CTime > w.began && !it.Was.dir()
	if it.Now != nil && it.Now.file() && it.Now.Links > 1 {
		if w.inodes == nil {
			w.inodes, w.anchors = map[uint64][]int{}, map[uint64]string{}
		}
		if it.Was != nil && !it.Content && it.Was.file() {
			// The name that was there already: others are names of the same file.
			w.anchors[it.Now.Ino] = it.Rel
		}
		if it.Kind != "" {
			w.inodes[it.Now.Ino] = append(w.inodes[it.Now.Ino], len(w.items))
		}
	}
	if it.Kind != "" {
		w.items = append(w.items, it)
	}
}

// join says of new names of one file which they are.
func (w *walker) join() {
	for ino, list := range w.inodes {
		anchor, was := w.anchors[ino]
		for _, i := range list {
			it := &w.items[i]
			switch {
			case was && it.Rel != anchor && (it.Was == nil || it.Content || it.Kind == Replaced):
				it.Link, it.LinkTree = anchor, w.tree
			case !was:
				anchor, was = it.Rel, true
			}
		}
	}
}

// compare finds out what changed of a name whose type did not.
func (w *walker) compare(it *item) error {
	switch it.Now.kind() {
	case unix.S_IFREG:
		same := it.Now.Size == it.Was.Size
		if same || w.marker != nil {
			var err error
			if same, err = w.equal(it, same); err != nil {
				return err
			}
		}
		if it.Content = !same; it.Content {
			it.Kind = Changed
			return nil
		}
	case unix.S_IFLNK:
		if it.Now.Target != it.Was.Target {
			it.Kind = Changed
			return nil
		}
	}
	it.Kind = it.attributes()
	return nil
}

// attributes is [Attributes] if one of them changed.
func (it *item) attributes() Kind {
	was, now := it.Was, it.Now
	if was.perm() != now.perm() && now.kind() != unix.S_IFLNK || was.UID != now.UID || was.GID != now.GID || !maps.Equal(was.XAttrs, now.XAttrs) || was.MTime != now.MTime && !now.dir() {
		return Attributes
	}
	return ""
}

// equal reports whether a file has the content that it had, or its placeholder.
func (w *walker) equal(it *item, size bool) (bool, error) {
	up, low := filepath.Join(w.upper, it.Rel), filepath.Join(w.lower, it.Rel)
	if w.marker != nil {
		if text, err := os.ReadFile(up); it.Now.Size < 4096 && err == nil && string(text) == placeholder(w.marker, filepath.Join(it.Rel)) {
			return true, nil
		}
	}
	if !size {
		return false, nil
	}
	a, err := os.Open(up)
	if err != nil {
		return false, err
	}
	defer a.Close()
	b, err := os.Open(low)
	if err != nil {
		// What cannot be read was copied by the kernel; it is taken for changed.
		return false, nil //nolint:nilerr // said above
	}
	defer b.Close()
	p, q := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errA := io.ReadFull(a, p)
		m, errB := io.ReadFull(b, q)
		if !bytes.Equal(p[:n], q[:m]) {
			return false, nil
		}
		if errA != nil || errB != nil {
			return ended(errA) && ended(errB), nil
		}
	}
}

func ended(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// held counts what directories hold that came or went.
func (w *walker) held(it *item) error {
	var err error
	if it.Was != nil && it.Was.dir() && (it.Now == nil || !it.Now.dir()) {
		if it.Held, err = measure(filepath.Join(w.lower, it.Rel), false); err != nil {
			return err
		}
	}
	if it.Now != nil && it.Now.dir() && (it.Was == nil || !it.Was.dir()) {
		it.Holds, err = measure(filepath.Join(w.upper, it.Rel), true)
	}
	return err
}

// measure counts the files below a directory, and makes a digest of what they are. In the
// upper layer everything is made readable for who applies it.
func measure(dir string, upper bool) (count, error) {
	c, h := count{}, sha256.New()
	err := c.add(dir, ".", upper, h)
	c.Digest = hex.EncodeToString(h.Sum(nil))
	return c, err
}

func (c *count) add(dir, rel string, upper bool, h hash.Hash) error {
	names, err := readNames(filepath.Join(dir, rel))
	if err != nil {
		return pathError("reading", filepath.Join(dir, rel), err)
	}
	slices.Sort(names)
	for _, name := range names {
		at := filepath.Join(rel, name)
		s, err := look(filepath.Join(dir, at))
		if err != nil {
			return err
		}
		if s == nil || upper && s.whiteout(filepath.Join(dir, at)) {
			continue
		}
		if upper {
			if err := readable(filepath.Join(dir, at), s); err != nil {
				return err
			}
		}
		if s.dir() {
			fmt.Fprintf(h, "%q %d %d %o %d %d\n", at, s.Dev, s.Ino, s.Mode, s.UID, s.GID)
			if err := c.add(dir, at, upper, h); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(h, "%q %d %d %o %d %d %d %d %d\n", at, s.Dev, s.Ino, s.Mode, s.UID, s.GID, s.Size, s.MTime, s.CTime)
		c.Files++
		if s.file() {
			c.Bytes += s.Size
		}
	}
	return nil
}

// whiteout reports whether a name of the upper layer says that there is none. Source:
// Documentation/filesystems/overlayfs.rst, "whiteouts and opaque directories".
func (s *state) whiteout(p string) bool {
	switch s.kind() {
	case unix.S_IFCHR:
		return s.Device == 0
	case unix.S_IFREG:
		if s.Size == 0 {
			_, is := overlayAttr(p, "whiteout")
			return is
		}
	}
	return false
}

// overlayAttr is an extended attribute of overlays, and whether it is there. Those of the
// other kind are written by commands.
func overlayAttr(p, name string) (string, bool) {
	prefix := "user.overlay."
	if isRoot() {
		prefix = "trusted.overlay."
	}
	value, err := xattr.Get(p, prefix+name)
	return string(value), err == nil
}

// readable makes a file of the upper layer readable for its owner, who applies it without
// the rights that this process has. What its mode is meant to be has been looked at.
func readable(p string, s *state) error {
	want := s.perm()
	switch s.kind() {
	case unix.S_IFDIR:
		want |= 0o700
	case unix.S_IFREG:
		want |= 0o400
	}
	if want == s.perm() || isRoot() {
		return nil
	}
	if err := unix.Fchmodat(unix.AT_FDCWD, p, want, 0); err != nil {
		return pathError("making readable", p, err)
	}
	return setXattr(p, modeAttr, fmt.Sprintf("%o", s.perm()))
}

// modeAttr keeps in the upper layer the mode that [readable] has changed. It begins as
// the attributes of overlays do, which are never applied.
const modeAttr = "user.overlay.heed.mode"

// secret reports whether something holds a placeholder where another file had it.
func (w *walker) secret(p string, it *item) (bool, error) {
	if w.marker == nil || it.Kind == Attributes || it.Kind == "" {
		return false, nil
	}
	found := false
	err := filepath.WalkDir(p, func(name string, d os.DirEntry, err error) error {
		if err != nil || found || !d.Type().IsRegular() {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		found, err = contains(f, w.marker)
		return err
	})
	return found, err
}

// contains reports whether a text occurs in a stream.
func contains(r io.Reader, text []byte) (bool, error) {
	buf, kept := make([]byte, 256<<10), 0
	for {
		n, err := r.Read(buf[kept:])
		if bytes.Contains(buf[:kept+n], text) {
			return true, nil
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		tail := min(kept+n, len(text)-1)
		copy(buf, buf[kept+n-tail:kept+n])
		kept = tail
	}
}

// placeholder is what a secret holds in a preview.
func placeholder(marker []byte, rel string) string {
	return string(marker) + " " + strings.ReplaceAll(rel, "\n", " ") + "\n"
}

func readNames(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

func pathError(op, p string, err error) error { return &os.PathError{Op: op, Path: p, Err: err} }

func setXattr(p, name, value string) error {
	if err := unix.Lsetxattr(p, name, []byte(value), 0); err != nil {
		return pathError("writing an attribute of", p, err)
	}
	return nil
}
