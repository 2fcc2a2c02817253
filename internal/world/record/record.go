package record

import (
	"github.com/heedsh/heed/internal/world"
)

// New returns a world that answers like w, and the Log that its answers are
// kept in.
func New(w *world.World) (*world.World, *Log) {
	l := &Log{
		user: w.User, os: w.OS, host: w.Host,
		answers: make(map[string]*answer),
		repos:   make(map[string]world.Repo),
	}
	return l.world(w.FS, w.Git), l
}

// Replay returns a world that answers from a Log. To any other question it
// answers with an error that wraps ErrNotRecorded or, where a method has no
// error, with nothing at all; Log.Missed tells of both.
func Replay(l *Log) *world.World { return l.world(nil, nil) }

// world wraps fs and git; without them it is a replay.
func (l *Log) world(fs world.FS, git world.Git) *world.World {
	src := source{log: l, live: fs != nil}
	return &world.World{
		FS:   files{src, fs},
		Git:  gits{src, git},
		User: l.user,
		OS:   l.os,
		Host: l.host,
	}
}

// files records or replays a world.FS.
type files struct {
	source
	in world.FS
}

func (f files) Lstat(path string) (world.Info, error) {
	return ask(f.source, func() (world.Info, error) { return f.in.Lstat(path) }, "lstat", path)
}

func (f files) Readlink(path string) (string, error) {
	return ask(f.source, func() (string, error) { return f.in.Readlink(path) }, "readlink", path)
}

func (f files) ReadDir(path string, limit int) ([]world.Entry, error) {
	return ask(f.source, func() ([]world.Entry, error) { return f.in.ReadDir(path, limit) }, "list", path, limit)
}

func (f files) ReadFile(path string, limit int64) ([]byte, error) {
	return ask(f.source, func() ([]byte, error) { return f.in.ReadFile(path, limit) }, "read", path, limit)
}

func (f files) Lines(path, prefix string) (world.Lines, error) {
	return ask(f.source, func() (world.Lines, error) { return f.in.Lines(path, prefix) }, "lines", path, prefix)
}

func (f files) Mount(path string) (world.Mount, error) {
	return ask(f.source, func() (world.Mount, error) { return f.in.Mount(path) }, "mount", path)
}

// Denied implements world.Denier.
func (f files) Denied(path string, how world.Access) bool {
	denied, _ := ask(f.source, func() (bool, error) {
		d, ok := f.in.(world.Denier)
		return ok && d.Denied(path, how), nil
	}, "denied", path, how)
	return denied
}

// gits records or replays a world.Git.
type gits struct {
	source
	in world.Git
}

// found is the recorded answer of Find: a repository is named by its directory.
type found struct {
	Is  bool
	Dir string
}

func (g gits) Find(dir string) (world.Repo, error) {
	at, err := ask(g.source, func() (found, error) {
		in, err := g.in.Find(dir)
		if err != nil || in == nil {
			return found{}, err
		}
		return found{true, g.log.meet(in)}, nil
	}, "git", dir)
	if err != nil || !at.Is {
		return nil, err
	}
	return repo{g.source, at.Dir, g.log.met(at.Dir)}, nil
}
