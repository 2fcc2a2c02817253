package gitstate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// A StagedFile is a file that the next commit adds or changes.
type StagedFile struct {
	Path string // with slashes, from the top of the work tree
	// Text is the content in the index. Of one that is larger than was asked for
	// only the beginning is there, and Large is set.
	Text  []byte
	Large bool
	// Was is the content in HEAD: nothing where the file is new, was no regular
	// file, or was larger than was asked for.
	Was []byte
	// Problem says why the content is not known; Text and Was are then nothing.
	Problem string
}

// headSize is how much there is of a content that is too large.
const headSize = 1024

var errOtherRepo = errors.New("what is staged is not known of this kind of repository")

// StagedFiles are the regular files that are wanted and at which the index of a
// repository differs from HEAD, by their path. limit is how large a content may be.
// What is deleted, links, submodules and what was only announced (git add -N) are
// left out; what cannot be read is there with its problem. The error says why it
// may not be known which files they are. No program is run.
func StagedFiles(r world.Repo, limit int, want func(path string) bool) ([]StagedFile, error) {
	if w, ok := r.(interface{ Unwrap() world.Repo }); ok { // of one look
		r = w.Unwrap()
	}
	of, ok := r.(*repo)
	if !ok {
		return nil, errOtherRepo
	}
	x, _, err := of.index()
	if err != nil {
		return nil, err
	}
	head, _ := of.head()
	s := of.staged(x)
	if s.missing != nil {
		return nil, s.missing
	}
	l := stagedLister{x: x, db: of.objects(), limit: limit, trees: map[oid][]byte{}}
	if head != "" {
		c, err := l.db.commit(head)
		if err != nil {
			return nil, fmt.Errorf("reading the commit of HEAD: %w", err)
		}
		l.top = c.tree
	}
	var files []StagedFile
	for _, p := range s.paths {
		if want(p) {
			files = l.file(files, p)
		}
	}
	last := ""
	for i := range x.entries { // these are not among the staged
		if e := &x.entries[i]; e.stage() != 0 && e.path != last && want(e.path) {
			last = e.path
			files = append(files, StagedFile{Path: e.path, Problem: "its merge is not done"})
		}
	}
	slices.SortFunc(files, func(a, b StagedFile) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// A stagedLister reads contents of the index and of HEAD; each directory once.
type stagedLister struct {
	x     *index
	db    *objectDB
	limit int
	top   oid // of HEAD
	trees map[oid][]byte
}

// file adds what is staged at a path, if that is a regular file.
func (l *stagedLister) file(files []StagedFile, path string) []StagedFile {
	f := StagedFile{Path: path}
	fail := func(why string) []StagedFile { return append(files, StagedFile{Path: path, Problem: why}) }
	now, ok := l.staged(path)
	switch {
	case !ok:
		return fail("its place in the index cannot be read")
	case now == "":
		return files
	}
	var err error
	if f.Text, f.Large, err = l.db.blob(now, l.limit, headSize); err != nil {
		return fail("its staged content cannot be read")
	}
	was, ok := l.find(l.top, path)
	if !ok {
		return fail("its content in HEAD cannot be read")
	}
	if was == "" || f.Large {
		return append(files, f)
	}
	text, large, err := l.db.blob(was, l.limit, headSize)
	if err != nil {
		return fail("its content in HEAD cannot be read")
	}
	if !large {
		f.Was = text
	}
	return append(files, f)
}

// staged returns the regular file that the index has at a path, or "" if it has
// none, also where a sparse directory stands for it. ok is false if that cannot be
// read.
func (l *stagedLister) staged(path string) (id oid, ok bool) {
	if i, found := l.x.find(path); found {
		e := &l.x.entries[i]
		if e.stage() == 0 && e.mode&modeType == modeFile && e.flags&intentToAdd == 0 {
			return e.id, true
		}
		return "", true
	}
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		if at, found := l.x.find(path[:i+1]); found && l.x.entries[at].isSparse() {
			return l.find(l.x.entries[at].id, path[i+1:])
		}
	}
	return "", true
}

// find returns the regular file at a path below a tree, or "" if there is none. ok
// is false if a tree cannot be read.
func (l *stagedLister) find(at oid, path string) (id oid, ok bool) {
	for at != "" {
		name, rest, more := strings.Cut(path, "/")
		data, seen := l.trees[at]
		if !seen {
			var err error
			if data, err = l.db.tree(at); err != nil {
				return "", false
			}
			l.trees[at] = data
		}
		at = ""
		for len(data) > 0 {
			e, left, fine := nextEntry(data, l.db.algo)
			if !fine {
				return "", false
			}
			data = left
			if e.name != name {
				continue
			}
			switch e.mode & modeType {
			case modeFile:
				if !more {
					return e.id, true
				}
			case modeDir:
				if more {
					at = e.id
				}
			}
			break
		}
		path = rest
	}
	return "", true
}
