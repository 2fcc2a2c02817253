// Package host builds the view of this machine that a request is assessed in.
//
// In go a request's environment; out comes a read-only world: the files of
// this machine, the account of the session, and git's state read as data. It
// reads nothing until something is asked, and keeps parsed git data between
// requests, checked against the files each time.
package host

import (
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/gitstate"
	"github.com/heedsh/heed/internal/world/osworld"
	"github.com/heedsh/heed/risk"
)

// A Host is this machine. It is safe for concurrent use.
type Host struct {
	world *world.World
	git   *gitstate.Git
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
func (h *Host) View(req *risk.Request) *world.World {
	w := *h.world
	if home := req.Env["HOME"]; home != "" {
		w.User.Home = home
	}
	if name := req.Env["USER"]; name != "" {
		w.User.Name = name
	}
	if d, ok := w.FS.(disk); ok {
		w.FS = newGlance(d)
	}
	w.Git = &finder{git: h.git.With(w.FS, gitstate.Options{Home: w.User.Home, Env: req.Env})}
	return &w
}
