package host

import (
	"sync"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/gitstate"
)

// What one glance keeps at most: names, and directory entries. Past them it
// looks again each time.
const (
	maxLooks   = 1 << 14
	maxEntries = 1 << 16
)

// A disk is what osworld's file system can do.
type disk interface {
	world.FS
	gitstate.RangeReader
}

// A glance is the file system during one look: what was looked at once
// is not looked at again, so that the assessment is of one state of it as far
// as that goes, and costs no more system calls than it has questions. It is
// safe for concurrent use, and thrown away with the look.
type glance struct {
	disk
	mu      sync.Mutex
	infos   map[string]look
	links   map[string]link
	lists   map[string]list
	entries int
}

type look struct {
	info world.Info
	err  error
}

type link struct {
	text string
	err  error
}

type list struct {
	entries []world.Entry
	limit   int
	err     error
}

func newGlance(d disk) *glance { return &glance{disk: d} }

// usualLooks is how many files most commands make heed look at, if any.
const usualLooks = 16

// Lstat implements [world.FS].
func (g *glance) Lstat(path string) (world.Info, error) {
	g.mu.Lock()
	l, ok := g.infos[path]
	g.mu.Unlock()
	if ok {
		return l.info, l.err
	}
	l.info, l.err = g.disk.Lstat(path)
	g.mu.Lock()
	if g.infos == nil {
		g.infos = make(map[string]look, usualLooks)
	}
	if len(g.infos) < maxLooks {
		g.infos[path] = l
	}
	g.mu.Unlock()
	return l.info, l.err
}

// Readlink implements [world.FS].
func (g *glance) Readlink(path string) (string, error) {
	g.mu.Lock()
	l, ok := g.links[path]
	g.mu.Unlock()
	if ok {
		return l.text, l.err
	}
	l.text, l.err = g.disk.Readlink(path)
	g.mu.Lock()
	if g.links == nil {
		g.links = make(map[string]link)
	}
	if len(g.links) < maxLooks {
		g.links[path] = l
	}
	g.mu.Unlock()
	return l.text, l.err
}

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
	l.entries, l.err = g.disk.ReadDir(path, limit)
	l.entries = l.entries[:len(l.entries):len(l.entries)] // who appends gets memory of his own
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

// LstatIn implements [gitstate.DirStater] where the system has it. Its answers
// are not kept: git asks for every file once.
func (g *glance) LstatIn(dir string, names []string, out []world.Info) error {
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
	mu    sync.Mutex
	found map[string]found
}

type found struct {
	repo world.Repo
	err  error
}

// Find implements [world.Git].
func (f *finder) Find(dir string) (world.Repo, error) {
	f.mu.Lock()
	at, ok := f.found[dir]
	f.mu.Unlock()
	if ok {
		return at.repo, at.err
	}
	at.repo, at.err = f.git.Find(dir)
	f.mu.Lock()
	if f.found == nil {
		f.found = make(map[string]found)
	}
	if len(f.found) < maxLooks {
		f.found[dir] = at
	}
	f.mu.Unlock()
	return at.repo, at.err
}
