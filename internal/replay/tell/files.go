package tell

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/madeup"
)

// A statement is what is told of a path.
type statement struct {
	path  string
	words []string
	text  *string // contents, always last
	refit bool    // mode and owner are to be compared with the record
}

// made is the statement as it is made.
func (t *teller) made(s *statement) madeup.Statement {
	out := madeup.Say(s.words...)
	out.Words = append([]madeup.Word{t.word(s.path)}, out.Words...)
	out.Block = s.text
	return out
}

// fewFiles is how many files of a directory are told by name. More are told by
// their number, where no name matters.
const fewFiles = 25

// statements says all files that are not in base as they were.
func (t *teller) statements(base *world.World) []*statement {
	var out []*statement
	for _, point := range slices.Sorted(maps.Keys(t.mounts)) {
		m := t.mounts[point]
		if was, err := base.FS.Mount(point); err == nil && (was.Remote != m.Remote || was.Folds != m.Folds) && !odd(m.Type) && point != "/" {
			words := []string{"mount", m.Type}
			if now, _, _, err := madeup.Make([]madeup.Statement{madeup.Say("/mnt/x", "mount", m.Type)}); err == nil && m.Folds {
				if got, err := now.FS.Mount("/mnt/x"); err == nil && !got.Folds {
					words = append(words, "folds")
				}
			}
			out = append(out, &statement{path: point, words: words})
		}
	}
	told := ""
	for _, p := range slices.Clone(t.names()) {
		if told != "" && strings.HasPrefix(p, told+"/") || t.insideGit(p) {
			continue
		}
		if s := t.manyFiles(p); s != nil {
			out, told = append(out, s), p
			continue
		}
		if s := t.statement(base, p); s != nil {
			out = append(out, s)
		}
		out = append(out, t.absent(base, p)...)
	}
	return append(out, t.rest()...)
}

// manyFiles tells a directory with many files by their number, if none of them
// was looked into.
func (t *teller) manyFiles(dir string) *statement {
	if t.files[dir].listed == nil || strings.HasPrefix(t.req.Dir+"/", dir+"/") {
		return nil
	}
	n, size, named := 0, int64(0), 0
	state, stated := t.files[dir].state, t.files[dir].stated
	for _, p := range t.below(dir) {
		f := t.files[p]
		kind := f.what()
		if kind != world.Regular && kind != world.Dir || f.text != nil || f.begin != "" || strings.Contains(t.req.Command, path.Base(p)) {
			return nil
		}
		if kind == world.Regular {
			n++
			if f.info != nil {
				size += f.info.Size
			}
			if f.stated && stated && f.state != state {
				return nil
			}
			if f.stated {
				state, stated, named = f.state, true, named+1
			}
		}
	}
	if n < fewFiles || named > 0 && named < n {
		return nil
	}
	s := &statement{path: dir + "/", words: stateWords(state, stated)}
	s.words = append(s.words, strconv.Itoa(n), "files")
	if size > 0 {
		s.words = append(s.words, fmt.Sprintf("%dB", size))
	}
	return s
}

// what is the kind of a file, from what is known best.
func (f *file) what() world.Kind {
	switch {
	case f.info != nil:
		return f.info.Kind
	case f.kind != world.Missing:
		return f.kind
	case f.link != "":
		return world.Symlink
	case f.listed != nil:
		return world.Dir
	case f.text != nil, f.begin != "", f.stated:
		return world.Regular
	}
	return world.Missing
}

// statement says one file, or nothing if base has it like this.
func (t *teller) statement(base *world.World, p string) *statement {
	f := t.files[p]
	was, err := base.FS.Lstat(p)
	kind := f.what()
	if kind == world.Missing && f.info == nil {
		return nil
	}
	s := &statement{path: p, words: stateWords(f.state, f.stated), refit: f.info != nil}
	same := err == nil && was.Kind == kind && len(s.words) == 0
	switch kind {
	case world.Missing:
		if err == nil && was.Kind == world.Missing && len(s.words) == 0 {
			return nil
		}
		s.words, s.refit = append(s.words, "missing"), false
		if slices.Contains(s.words, "modified") {
			s.words = []string{"deleted"}
		}
		return s
	case world.Dir:
		s.path += "/"
		if same && (f.info == nil || f.info.Mode == was.Mode && f.info.UID == was.UID) {
			return nil
		}
		return s
	case world.Symlink:
		to, _ := base.FS.Readlink(p)
		if same && (f.link == "" || to == f.link) {
			return nil
		}
		if f.link == "" {
			t.unsaid("where the link %s points, which nobody asked", p)
			f.link = "elsewhere"
		}
		s.words, s.refit = append(s.words, "->", f.link), false
		return s
	case world.BlockDevice:
		s.words = append(s.words, "block")
	case world.CharDevice:
		s.words = append(s.words, "char")
	case world.Other:
		s.words = append(s.words, "fifo")
	case world.Regular:
		return t.regular(base, s, f, same, was)
	}
	if same {
		return nil
	}
	return s
}

// regular says an ordinary file.
func (t *teller) regular(base *world.World, s *statement, f *file, same bool, was world.Info) *statement {
	p := s.path
	switch {
	case f.text != nil:
		if old, err := base.FS.ReadFile(p, int64(len(*f.text))); same && err == nil && string(old) == *f.text {
			return nil
		}
		s.text = f.text
	case f.begin != "":
		s.text = &f.begin
	case same && (f.info == nil || was.Mode == f.info.Mode && f.info.UID == was.UID):
		return nil // how long it is does not matter, or it would have been read
	case f.info != nil && f.info.Size != int64(len("# \n")+len(path.Base(p))):
		s.words = append(s.words, fmt.Sprintf("%dB", max(f.info.Size, 0)))
	}
	return s
}

// absent says which files of base a directory that was listed does not have.
func (t *teller) absent(base *world.World, dir string) []*statement {
	f := t.files[dir]
	if f.listed == nil {
		return nil
	}
	there, _ := base.FS.ReadDir(dir, 10_000)
	var out []*statement
	for _, e := range there {
		p := path.Join(dir, e.Name)
		if t.files[p] == nil && !strings.HasPrefix(t.req.Dir+"/", p+"/") && !t.holds(p) {
			out = append(out, &statement{path: p, words: []string{"missing"}})
		}
	}
	return out
}

// holds reports whether something below a path was read.
func (t *teller) holds(dir string) bool { return len(t.below(dir)) > 0 }

func stateWords(s world.FileState, stated bool) []string {
	if !stated {
		return nil
	}
	switch s {
	case world.Clean:
		return []string{"tracked"}
	case world.MaybeModified:
		return []string{"modified"}
	case world.Staged:
		return []string{"staged"}
	case world.Untracked:
		return []string{"untracked"}
	case world.Ignored:
		return []string{"ignored"}
	}
	return nil
}

// refined returns the statements that can be made after those before them, with the
// modes and owners that they need to be as they were.
func (t *teller) refined(before []madeup.Statement, all []*statement) []madeup.Statement {
	var kept []*statement
	so := slices.Clone(before)
	for _, s := range all {
		one := t.made(s)
		if len(all) > maxChecked { // checking each costs too much: all or none
			kept = append(kept, s)
			continue
		}
		if _, _, _, err := madeup.Make(append(so, one)); err != nil {
			t.unsaid("%s: %v", s.path, err)
			continue
		}
		so = append(so, one)
		kept = append(kept, s)
	}
	now, _, _, err := madeup.Make(slices.Concat(before, t.allMade(kept)))
	if err != nil {
		t.unsaid("the files: %v", err)
		return nil
	}
	for _, s := range kept {
		p := strings.TrimSuffix(s.path, "/")
		f := t.files[p]
		if !s.refit || f == nil || f.info == nil {
			continue
		}
		is, err := now.FS.Lstat(p)
		if err != nil || is.Kind != f.info.Kind {
			continue
		}
		if is.Mode != f.info.Mode {
			s.words = append(s.words, "mode", fmt.Sprintf("%04o", octal(f.info.Mode)))
		}
		if is.UID != f.info.UID {
			s.words = append(s.words, "owner", strconv.Itoa(max(f.info.UID, 0)))
		}
	}
	return t.allMade(kept)
}

// maxChecked is how many statements are tried one by one.
const maxChecked = 150

func (t *teller) allMade(all []*statement) []madeup.Statement {
	out := make([]madeup.Statement, len(all))
	for i, s := range all {
		out[i] = t.made(s)
	}
	return out
}

// octal writes a mode as chmod(1) does.
func octal(m fs.FileMode) uint32 {
	n := uint32(m.Perm())
	for bit, mode := range map[uint32]fs.FileMode{0o4000: fs.ModeSetuid, 0o2000: fs.ModeSetgid, 0o1000: fs.ModeSticky} {
		if m&mode != 0 {
			n |= bit
		}
	}
	return n
}
