// Package host builds the view of this machine that a request is assessed in.
//
// In go a request's environment; out comes a read-only world: the files of
// this machine, the account of the session, and git's state read as data. It
// reads nothing until something is asked, and keeps parsed git data, and which names
// directories do not hold, between requests, checked against the files each time.
package host

import (
	"maps"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/gitstate"
	"github.com/heedsh/heed/internal/world/osworld"
	"github.com/heedsh/heed/risk"
)

// A Host is this machine. It is safe for concurrent use.
type Host struct {
	world  *world.World
	git    *gitstate.Git
	absent absences
}

// New returns the machine as the session with this home and account name sees
// it; what is empty is that of the current process. near lists directories
// that the session already stands in.
func New(home, name string, near ...string) *Host {
	w := osworld.New(osworld.Options{Home: home, Name: name, Near: near})
	return &Host{world: w, git: gitstate.New(w.FS, gitstate.Options{})}
}

// View is the machine as a request's own environment sees it, for one
// assessment: what it has looked at once it does not look at again.
func (h *Host) View(req *risk.Request) *world.World { return h.Look().View(req) }

// Look begins one look at the machine.
func (h *Host) Look() *Look {
	l := &Look{host: h, fs: h.world.FS}
	if d, ok := l.fs.(disk); ok {
		l.fs = newGlance(d, &h.absent)
	}
	return l
}

// A Look answers requests that came together, and so are asked of one state of
// the machine: its views share what they have looked at. It is for one
// goroutine; its views are safe for concurrent use.
type Look struct {
	host *Host
	fs   world.FS
	env  map[string]string // of the last view
	last *world.World
}

// View is like [Host.View], of this look.
func (l *Look) View(req *risk.Request) *world.World {
	if l.last != nil && maps.Equal(l.env, req.Env) {
		return l.last
	}
	w := *l.host.world
	if home := req.Env["HOME"]; home != "" {
		w.User.Home = home
	}
	if name := req.Env["USER"]; name != "" {
		w.User.Name = name
	}
	w.FS = l.fs
	w.Git = &finder{git: l.host.git.With(w.FS, gitstate.Options{Home: w.User.Home, Env: req.Env})}
	l.env, l.last = req.Env, &w
	return &w
}
