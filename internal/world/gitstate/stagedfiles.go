package gitstate

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// A StagedFile is a file that the next commit adds or changes.
type StagedFile struct {
	Path string // with slashes, from the top of the work tree
	// Text is the content in the index, and Was that of HEAD: nothing where the
	// file is new, or was none.
	Text, Was []byte
	// Problem says why the content is not known; Text and Was are then nothing.
	Problem string
}

// StagedFiles are the regular files at which the index of a repository differs from
// HEAD, by their path. What is deleted, links, submodules and what was only
// announced (git add -N) are left out; what cannot be read is there with its
// problem. complete is false when there may be more, or when r is of another
// package, where nothing is known. No program is run.
func StagedFiles(r world.Repo) (files []StagedFile, complete bool) {
	of, ok := r.(*repo)
	if !ok {
		return nil, false
	}
	x, _, err := of.index()
	if err != nil || x == nil {
		return nil, false
	}
	head, _ := of.head()
	s := of.staged(x)
	was := headFiles{db: of.objects(), trees: map[oid][]byte{}}
	if head != "" {
		if c, err := was.db.commit(head); err == nil {
			was.top = c.tree
		}
	}
	complete = s.complete
	for _, p := range s.paths {
		i, found := x.find(p)
		if !found {
			continue // it is deleted
		}
		e := &x.entries[i]
		if e.stage() == 0 && e.mode&modeType == modeFile && e.flags&intentToAdd == 0 {
			files = append(files, was.file(e))
		}
	}
	last := ""
	for i := range x.entries { // these are not among the staged
		if e := &x.entries[i]; e.stage() != 0 && e.path != last {
			last = e.path
			files = append(files, StagedFile{Path: e.path, Problem: "its merge is not done"})
		}
	}
	slices.SortFunc(files, func(a, b StagedFile) int { return strings.Compare(a.Path, b.Path) })
	return files, complete
}

// headFiles reads files of a tree; each directory once.
type headFiles struct {
	db    *objectDB
	top   oid
	trees map[oid][]byte
}

func (h *headFiles) file(e *entry) StagedFile {
	f := StagedFile{Path: e.path}
	typ, text, err := h.db.read(e.id)
	if err != nil || typ != typeBlob {
		f.Problem = "its staged content cannot be read"
		return f
	}
	id, ok := h.find(e.path)
	if !ok {
		f.Problem = "its content in HEAD cannot be read"
		return f
	}
	f.Text = text
	if id == "" {
		return f
	}
	if typ, f.Was, err = h.db.read(id); err != nil || typ != typeBlob {
		return StagedFile{Path: e.path, Problem: "its content in HEAD cannot be read"}
	}
	return f
}

// find returns the regular file at a path, or "" if HEAD has none there. ok is
// false if a tree cannot be read.
func (h *headFiles) find(path string) (id oid, ok bool) {
	at := h.top
	for at != "" {
		name, rest, more := strings.Cut(path, "/")
		data, seen := h.trees[at]
		if !seen {
			var err error
			if data, err = h.db.tree(at); err != nil {
				return "", false
			}
			h.trees[at] = data
		}
		at = ""
		for len(data) > 0 {
			e, left, fine := nextEntry(data, h.db.algo)
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
