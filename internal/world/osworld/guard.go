//go:build linux || darwin

package osworld

import (
	"fmt"
	"strings"
	"sync"
	"syscall"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/osworld/mountinfo"
)

const (
	// maxLinks is how many symbolic links the kernel follows in one path
	// (path_resolution(7); macOS stops at 32).
	maxLinks = 40
	// maxPlain bounds the memory of the guard.
	maxPlain = 8192
	// maxPath is PATH_MAX of Linux. Links can make a path longer than it was.
	maxPath = 4096
)

// A guard remembers directories that were seen to be reached through no link
// and no mount that may hang. It saves looks, it never answers a question: the
// kernel is asked for the path that was given.
type guard struct {
	mu    sync.Mutex
	plain map[string]bool
}

func (g *guard) known(dir string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.plain[dir]
}

func (g *guard) remember(dir string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.plain == nil {
		g.plain = make(map[string]bool)
	}
	if len(g.plain) < maxPlain {
		g.plain[dir] = true
	}
}

// A place is where a path leads.
type place struct {
	path  string           // without links in it; the last element's own is kept unless followed
	info  world.Info       // what is there, if the last element was to be followed
	mount *mountinfo.Mount // set if path is the directory of a mount that may hang
}

// safe finds out where path leads, one element at a time and without entering
// any mount that may hang. Such a mount cannot be stepped into unnoticed: the
// way leads over its mount point. If there is none on this machine and the
// last element is not to be followed, the kernel can be asked at once.
func (f *files) safe(path string, follow bool) (place, error) {
	table, err := f.mounts()
	if err != nil {
		return place{}, fmt.Errorf("mounts that may hang are not known: %w", err)
	}
	if !follow && !table.AnyServed() {
		return place{path: path}, nil
	}
	w := walk{table: table, guard: &f.guard, at: "/", rest: path[1:], plain: true}
	return w.run(follow)
}

// A walk is a path half-way through being resolved.
type walk struct {
	table *mountinfo.Table
	guard *guard
	at    string // resolved so far; "/" or without a slash at the end
	rest  string // still to go
	links int
	plain bool       // no link so far: at is a prefix of the path as given
	info  world.Info // of at, if it was looked at
}

func (w *walk) run(follow bool) (place, error) {
	w.skipKnown()
	for w.rest != "" {
		var name string
		name, w.rest, _ = strings.Cut(w.rest, "/")
		switch name {
		case "", ".":
			continue
		case "..":
			w.at, w.info = w.at[:max(strings.LastIndexByte(w.at, '/'), 1)], world.Info{}
			continue
		}
		last := w.rest == ""
		next := w.at + "/" + name
		if w.at == "/" {
			next = "/" + name
		}
		if m, ok := w.table.At(next); ok && m.Class == mountinfo.Served {
			if !last {
				return place{}, fmt.Errorf("%w: inside a %s mount", world.ErrNotRead, m.Type)
			}
			return place{path: next, mount: &m}, nil
		}
		if last && !follow {
			return place{path: next}, nil
		}
		if err := w.step(next, last); err != nil {
			return place{}, err
		}
	}
	return place{path: w.at, info: w.info}, nil
}

// skipKnown begins at the parent directory if the way there is known.
func (w *walk) skipKnown() {
	slash := strings.LastIndexByte(w.rest, '/')
	if slash < 0 {
		return
	}
	if parent := "/" + w.rest[:slash]; w.guard.known(parent) {
		w.at, w.rest = parent, w.rest[slash+1:]
	}
}

// step goes on to next, or to where it points if it is a link.
func (w *walk) step(next string, last bool) error {
	info, err := lstat(next)
	if err != nil {
		return err
	}
	if info.Kind != world.Symlink {
		w.at, w.info = next, info
		if w.plain && info.Kind == world.Dir {
			w.guard.remember(next)
		}
		return nil
	}
	w.plain = false
	if w.links++; w.links > maxLinks {
		return syscall.ELOOP
	}
	target, err := readlink(next)
	if err != nil {
		return err
	}
	if target == "" || len(target)+len(w.rest) > maxPath {
		return syscall.ENAMETOOLONG
	}
	if target[0] == '/' {
		w.at, w.info = "/", world.Info{}
	}
	if last {
		w.rest = target
	} else {
		w.rest = target + "/" + w.rest
	}
	return nil
}
