package osworld

import (
	"os"
	"runtime"

	"github.com/heedsh/heed/internal/world"
)

// Options say whose world it is. The environment belongs to the request, so
// what depends on it is passed in.
type Options struct {
	// Home and Name are $HOME and $USER of the session. What is empty is
	// looked up in /etc/passwd, as a shell does for "~".
	Home, Name string
	// Homes asks for User.Homes, which costs reading /etc/passwd. Only a
	// command with a "~name" in it needs that.
	Homes bool
	// Near are directories the session already stands in, links resolved. The
	// mounts that hold them are looked into even if they are remote: a shell
	// that works in an NFS home has found it answering.
	Near []string
	// Git makes the reader of repositories; nil means that there are none.
	Git func(world.FS) world.Git
}

// New returns this machine as the current process sees it.
func New(opt Options) *world.World {
	files := &files{near: opt.Near}
	w := &world.World{
		FS:   files,
		Git:  noGit{},
		User: user(files, opt),
		OS:   runtime.GOOS,
	}
	if opt.Git != nil {
		w.Git = opt.Git(files)
	}
	// A machine without a name answers to none: the error tells no more.
	w.Host, _ = os.Hostname()
	return w
}

// noGit is a world where nobody uses git.
type noGit struct{}

func (noGit) Find(string) (world.Repo, error) { return nil, nil }
