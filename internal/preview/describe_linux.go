//go:build amd64 || arm64

package preview

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/sys/unix"
)

// describe makes of the items what people and programs read.
func (v *Preview) describe(l *Limits) {
	slices.SortFunc(v.items, func(a, b item) int { return strings.Compare(v.path(&a), v.path(&b)) })
	v.Changes = make([]Change, 0, len(v.items))
	for i := range v.items {
		v.Changes = append(v.Changes, v.change(&v.items[i], l))
	}
}

// path is where an item lies on this machine.
func (v *Preview) path(it *item) string { return filepath.Join(v.plan.Trees[it.Tree].Path, it.Rel) }

// upper is where lies what the command left there.
func (v *Preview) upper(it *item) string {
	s := stage{dir: v.stage}
	return filepath.Join(s.path("upper", it.Tree), it.Rel)
}

func (v *Preview) change(it *item, l *Limits) Change {
	c := Change{Path: v.path(it), Kind: it.Kind, Secret: it.Secret, Moved: it.Moved, Files: max(it.Holds.Files, it.Held.Files)}
	was, now := it.Was, it.Now
	if was != nil {
		c.Type, c.Old = was.typeName(), it.Held.Bytes
		if was.file() {
			c.Old = was.Size
			c.Linked = int(was.Links) - 1
		}
	}
	if now != nil {
		if c.Type = now.typeName(); was != nil && was.typeName() != c.Type {
			c.Was = was.typeName()
		}
		c.Size, c.Names = it.Holds.Bytes, now.Target
		if now.file() {
			c.Size = now.Size
		}
		if it.Link != "" {
			c.Names = filepath.Join(v.plan.Trees[it.LinkTree].Path, it.Link)
		}
	}
	if was != nil && now != nil && was.kind() == now.kind() {
		if was.perm() != now.perm() && now.kind() != unix.S_IFLNK {
			c.Mode = fmt.Sprintf("%04o -> %04o", was.perm(), now.perm())
		}
		if was.UID != now.UID || was.GID != now.GID {
			c.Owner = fmt.Sprintf("%d:%d -> %d:%d", was.UID, was.GID, now.UID, now.GID)
		}
		for name := range was.XAttrs {
			c.Attrs = c.Attrs || was.XAttrs[name] != now.XAttrs[name]
		}
		c.Attrs = c.Attrs || len(was.XAttrs) != len(now.XAttrs)
		c.Times = it.Kind == Attributes && c.Mode == "" && c.Owner == "" && !c.Attrs
	}
	if !it.Secret && it.Link == "" {
		v.diff(it, &c, l)
	}
	return c
}

// allDiffs is how many bytes of differences there are at most, all together.
const allDiffs = 32 << 20

// diff adds the difference of a file that was created, changed or deleted, of a text that
// is no longer than the limit.
func (v *Preview) diff(it *item, c *Change, l *Limits) {
	of := func(s *state) bool { return s == nil || s.file() }
	if it.Kind == Attributes || !of(it.Was) || !of(it.Now) || max(c.Old, c.Size) > int64(l.Diff) || v.shown > allDiffs || v.hides(c.Path) {
		return
	}
	var texts [2][]byte
	for i, from := range []struct {
		s *state
		p string
	}{{it.Was, c.Path}, {it.Now, v.upper(it)}} {
		if from.s == nil {
			continue
		}
		text, ok := readText(from.p, l.Diff)
		if !ok {
			c.Binary = true
			return
		}
		texts[i] = text
	}
	names := [2]string{"a" + c.Path, "b" + c.Path}
	if it.Was == nil {
		names[0] = os.DevNull
	}
	if it.Now == nil {
		names[1] = os.DevNull
	}
	_, rest, _ := bytes.Cut(diff.Diff(names[0], texts[0], names[1], texts[1]), []byte("\n")) // its first line is no part of a patch
	if v.shown += len(rest); v.shown <= allDiffs {
		c.Diff = string(rest)
	}
}

// hides reports whether a path is a secret that the preview hid.
func (v *Preview) hides(p string) bool { return slices.Contains(v.hidden, p) }

// readText reads a file that is a text.
func readText(p string, limit int) ([]byte, bool) {
	f, err := os.OpenFile(p, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil || len(text) > limit || !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return nil, false
	}
	return text, true
}
