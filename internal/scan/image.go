package scan

import "github.com/heedsh/heed/internal/world"

// ImageWorld is the machine that a command sees which runs in a container
// image: nothing is known of its files, and nothing of this machine is in it.
func ImageWorld() *world.World {
	return &world.World{FS: sealed{}, Git: noGit{}, User: world.User{Name: "root", Home: "/root"}, OS: "linux"}
}

// sealed is a file system in which nothing can be looked at: whatever is asked
// for may be there.
type sealed struct{}

func (sealed) Lstat(string) (world.Info, error) {
	return world.Info{Kind: world.Regular}, world.ErrNotRead
}
func (sealed) Readlink(string) (string, error)            { return "", world.ErrNotRead }
func (sealed) ReadDir(string, int) ([]world.Entry, error) { return nil, world.ErrNotRead }
func (sealed) ReadFile(string, int64) ([]byte, error)     { return nil, world.ErrNotRead }
func (sealed) Lines(string, string) (world.Lines, error)  { return world.Lines{}, world.ErrNotRead }
func (sealed) Mount(string) (world.Mount, error)          { return world.Mount{}, world.ErrNotRead }

type noGit struct{}

func (noGit) Find(string) (world.Repo, error) { return nil, nil }
