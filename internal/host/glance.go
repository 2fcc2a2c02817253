package host

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/gitstate"
)

// What one glance keeps at most: names, directory entries, and text of files. Past them it
// looks again each time.
const (
	maxLooks   = 1 << 14
	maxEntries = 1 << 16
	maxText    = 64 << 10 // bytes of a file
	maxTexts   = 1 << 20  // of all files
)

// A disk is what osworld's file system can do.
type disk interface {
	world.FS
	gitstate.RangeReader
	// Read returns the bytes of a file and, unless a link led to it, its Info.
	Read(path string, limit int64) ([]byte, world.Info, error)
}

// A glance is the file system during one look: what was looked at once
// is not looked at again, so that the assessment is of one state of it as far
// as that goes, and costs no more system calls than it has questions. It is
// safe for concurrent use, and thrown away with the look.
type glance struct {
	disk
	infos  memo[world.Info]
	links  memo[string]
	absent *absences // of all looks
	last   int64     // a directory that changed after it may change again and keep its times

	mu      sync.Mutex
	lists   map[string]list
	dirs    map[string]facts
	held    int // facts of dirs
	entries int
	texts   map[string][]byte
	size    int // of texts
}

type list struct {
	entries []world.Entry
	limit   int
	err     error
}

// facts are those of some files of a directory.
type facts struct {
	names []string
	infos []world.Info
}

func newGlance(d disk, absent *absences) *glance {
	return &glance{disk: d, absent: absent, last: before(time.Now())}
}

// A memo keeps the answers to one kind of question by name. It is safe for
// concurrent use; two who ask at once may both look.
type memo[T any] struct {
	mu    sync.Mutex
	first [2][]answer[T]        // the first ones: a map for so few costs more than they do
	known map[string]*answer[T] // the others, by pointer: a map keeps room for more than it holds
	room  []answer[T]           // for the next ones
}

// maxFirst is how many answers are made room for at once: what most looks ask for. Twice
// as many are looked through one by one.
const maxFirst = 8

// An answer is not changed any more once it is kept.
type answer[T any] struct {
	name  string
	value T
	err   error
}

// get answers for name, from look the first time.
func (m *memo[T]) get(name string, look func(string) (T, error)) (T, error) {
	if a := m.peek(name); a != nil {
		return a.value, a.err
	}
	value, err := look(name)
	m.keep(name, value, err)
	return value, err
}

// peek returns the answer for name if it is kept.
func (m *memo[T]) peek(name string) *answer[T] {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.find(name)
}

func (m *memo[T]) find(name string) *answer[T] {
	for _, some := range m.first {
		for i := range some {
			if some[i].name == name {
				return &some[i]
			}
		}
	}
	return m.known[name]
}

// keep remembers the answer for name.
func (m *memo[T]) keep(name string, value T, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known) >= maxLooks || m.find(name) != nil {
		return
	}
	for i, some := range m.first {
		if some == nil {
			some = make([]answer[T], 0, maxFirst)
		}
		if len(some) < maxFirst {
			m.first[i] = append(some, answer[T]{name, value, err})
			return
		}
	}
	if m.known == nil {
		m.known = make(map[string]*answer[T])
	}
	if len(m.room) == 0 {
		m.room = make([]answer[T], 4)
	}
	m.room[0] = answer[T]{name, value, err}
	m.known[name], m.room = &m.room[0], m.room[1:]
}

// Lstat implements [world.FS].
func (g *glance) Lstat(path string) (world.Info, error) {
	if a := g.infos.peek(path); a != nil {
		return a.value, a.err
	}
	dir, name := g.parent(path)
	if g.lacks(dir, name) || name == "" && g.nowhere(path) {
		return world.Info{}, nil // and asking again costs as little
	}
	info, err := g.disk.Lstat(path)
	g.infos.keep(path, info, err)
	if name != "" && quiet(&dir, g.last) && err == nil && info.Kind == world.Missing && g.Settled(path[:len(path)-len(name)-1], dir) {
		g.absent.learn(dir, name)
	}
	return info, err
}

// lacks reports whether a directory is known to have nothing of a name.
func (g *glance) lacks(dir world.Info, name string) bool {
	return name != "" && (dir.Kind == world.Missing || dir.Kind == world.Regular || quiet(&dir, g.last) && g.absent.lacks(dir, name))
}

// Without implements [world.Lacker].
func (g *glance) Without(dir string, names []string) []string {
	a := g.infos.peek(dir)
	switch {
	case a == nil || a.err != nil:
		return names
	case a.value.Kind == world.Missing:
		return nil
	case quiet(&a.value, g.last):
		return g.absent.without(a.value, names)
	}
	return names
}

// Denied implements [world.Denier].
func (g *glance) Denied(path string, how world.Access) bool {
	d, ok := g.disk.(world.Denier)
	return ok && d.Denied(path, how)
}

// parent returns the directory of a path as this look has seen it, and the path's
// name in it; without a name, nothing is known of the directory.
func (g *glance) parent(path string) (dir world.Info, name string) {
	cut := strings.LastIndexByte(path, '/')
	if cut <= 0 {
		return dir, ""
	}
	a := g.infos.peek(path[:cut])
	if name = path[cut+1:]; a == nil || a.err != nil || name == "." || name == ".." {
		return dir, ""
	}
	return a.value, name
}

// nowhere reports whether a directory above a path is known not to be there, where
// nothing is known of the one that it would lie in.
func (g *glance) nowhere(path string) bool {
	for {
		cut := strings.LastIndexByte(path, '/')
		if cut <= 0 {
			return false
		}
		path = path[:cut]
		if dir, name := g.parent(path); name != "" {
			return g.lacks(dir, name)
		}
	}
}

// Settled implements [gitstate.Settler].
func (g *glance) Settled(path string, dir world.Info) bool {
	if !quiet(&dir, g.last) {
		return false
	}
	m, err := g.disk.Mount(path)
	return err == nil && stamps(m)
}

// Readlink implements [world.FS].
func (g *glance) Readlink(path string) (string, error) { return g.links.get(path, g.disk.Readlink) }

// ReadDir implements [world.FS]. Nobody changes the entries of another's
// answer.
func (g *glance) ReadDir(path string, limit int) ([]world.Entry, error) {
	g.mu.Lock()
	l, ok := g.lists[path]
	g.mu.Unlock()
	// A whole listing answers every question that it is short enough for.
	if ok && (l.limit == limit || l.err == nil && len(l.entries) <= limit) {
		return l.entries, l.err
	}
	l = list{limit: limit}
	l.entries, l.err = g.readDir(path, limit)
	g.mu.Lock()
	if g.lists == nil {
		g.lists = make(map[string]list)
	}
	if g.entries += len(l.entries) + 1; g.entries <= maxEntries {
		g.lists[path] = l
	}
	g.mu.Unlock()
	return l.entries, l.err
}

// ReadFile implements [world.FS]. A script or a manifest is asked for by several who
// look for different things in it.
func (g *glance) ReadFile(path string, limit int64) ([]byte, error) {
	g.mu.Lock()
	text, ok := g.texts[path]
	g.mu.Unlock()
	if ok && int64(len(text)) <= limit {
		return slices.Clone(text), nil
	}
	if g.lacks(g.parent(path)) {
		return nil, fmt.Errorf("reading %s: %w", path, world.ErrNotExist)
	}
	text, info, err := g.disk.Read(path, limit)
	switch {
	case info.Kind == world.Regular && g.infos.peek(path) == nil:
		g.infos.keep(path, info, nil)
	case errors.Is(err, world.ErrNotExist):
		_, _ = g.Lstat(path) // which learns of it
	}
	if err != nil || len(text) > maxText {
		return text, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.texts == nil {
		g.texts = make(map[string][]byte)
	}
	if g.size += len(text); g.size <= maxTexts {
		g.texts[path] = slices.Clone(text)
	}
	return text, nil
}

// readDir lists a directory, unless it is one that was listed whole before and is
// as it was then.
func (g *glance) readDir(path string, limit int) ([]world.Entry, error) {
	dir, err := g.Lstat(path)
	keeps := err == nil && g.Settled(path, dir)
	if keeps {
		if held, ok := g.absent.held(dir); ok && len(held) <= limit {
			return held, nil
		}
	}
	var entries []world.Entry
	entries, err = g.disk.ReadDir(path, limit)
	entries = entries[:len(entries):len(entries)] // who appends gets memory of his own
	if keeps && err == nil {
		g.absent.hold(dir, entries)
	}
	return entries, err
}

// LstatIn implements [gitstate.DirStater] where the system has it. Git asks for
// the files of its index, and asks again where a command and the safer one in its
// place are both looked at.
func (g *glance) LstatIn(dir string, names []string, out []world.Info) error {
	g.mu.Lock()
	known, ok := g.dirs[dir]
	g.mu.Unlock()
	if ok && slices.Equal(known.names, names) {
		copy(out, known.infos)
		return nil
	}
	if err := g.lstatIn(dir, names, out); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held += len(names); g.held <= maxLooks {
		if g.dirs == nil {
			g.dirs = make(map[string]facts)
		}
		g.dirs[dir] = facts{names, slices.Clone(out[:len(names)])}
	}
	return nil
}

func (g *glance) lstatIn(dir string, names []string, out []world.Info) error {
	if d, ok := g.disk.(gitstate.DirStater); ok {
		return d.LstatIn(dir, names, out)
	}
	for i, name := range names {
		var err error
		if out[i], err = g.disk.Lstat(dir + "/" + name); err != nil {
			return err
		}
	}
	return nil
}

// A finder finds each directory's repository once for one assessment.
type finder struct {
	git   world.Git
	found memo[world.Repo]
}

// Find implements [world.Git].
func (f *finder) Find(dir string) (world.Repo, error) { return f.found.get(dir, f.find) }

func (f *finder) find(dir string) (world.Repo, error) {
	r, err := f.git.Find(dir)
	if r == nil {
		return nil, err
	}
	return &repository{Repo: r}, err
}

// A repository resolves each revision once for one assessment.
type repository struct {
	world.Repo
	refs memo[string]

	headOnce     sync.Once
	branch, head string
}

// Unwrap returns the repository itself.
func (r *repository) Unwrap() world.Repo { return r.Repo }

// Ref implements [world.Repo].
func (r *repository) Ref(rev string) string {
	id, _ := r.refs.get(rev, func(rev string) (string, error) { return r.Repo.Ref(rev), nil })
	return id
}

// Head implements [world.Repo].
func (r *repository) Head() (branch, commit string) {
	r.headOnce.Do(func() { r.branch, r.head = r.Repo.Head() })
	return r.branch, r.head
}
