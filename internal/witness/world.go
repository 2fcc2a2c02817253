package witness

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A World is a home directory with a project, made afresh.
type World struct {
	Home    string
	Project string // a git work tree below Home
	Remote  string // its bare remote repository
	// Env is the environment that a request in it has.
	Env map[string]string
}

// script makes a world in the directory $1.
//
//go:embed world.sh
var script string

// New makes a world in a directory that is there and empty.
func New(ctx context.Context, dir string) (*World, error) {
	home := filepath.Join(dir, "home", "user")
	w := &World{
		Home: home, Project: filepath.Join(home, "project"), Remote: filepath.Join(dir, "remote.git"),
		Env: map[string]string{"HOME": home, "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "USER": "user", "LANG": "C.UTF-8"},
	}
	if err := w.bash(ctx, dir, script, dir); err != nil {
		return nil, fmt.Errorf("making a world: %w", err)
	}
	return w, nil
}

// Copy makes a world like w in another directory that is not there yet, with
// the same contents, links and times. Only its paths differ, also those that
// git's settings hold.
func (w *World) Copy(ctx context.Context, dir string) (*World, error) {
	from := filepath.Dir(filepath.Dir(w.Home))
	if out, err := exec.CommandContext(ctx, "cp", "-a", from, dir).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("copying a world: %w: %s", err, out)
	}
	c := &World{Env: maps.Clone(w.Env)}
	for at, path := range map[*string]string{&c.Home: w.Home, &c.Project: w.Project, &c.Remote: w.Remote} {
		*at = dir + strings.TrimPrefix(path, from)
	}
	c.Env["HOME"] = c.Home
	return c, c.Setup(ctx, `git remote set-url origin "$REMOTE"`)
}

// Setup runs the text of a script in the project with bash, which stops at the
// first command that fails. HOME, and REMOTE for the remote repository, are set.
func (w *World) Setup(ctx context.Context, text string) error {
	if text == "" {
		return nil
	}
	if err := w.bash(ctx, w.Project, text); err != nil {
		return fmt.Errorf("setting a world up: %w", err)
	}
	return nil
}

func (w *World) bash(ctx context.Context, dir, text string, args ...string) error {
	c := exec.CommandContext(ctx, "bash", append([]string{"-e", "-c", text, "bash"}, args...)...)
	c.Dir = dir
	env := maps.Clone(w.Env)
	env["REMOTE"] = w.Remote
	env["GIT_CONFIG_NOSYSTEM"] = "1"
	for _, name := range slices.Sorted(maps.Keys(env)) {
		c.Env = append(c.Env, name+"="+env[name])
	}
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(errs.Bytes()))
	}
	return nil
}

// worldsName is what names of directories of worlds begin with.
const worldsName = "heed-worlds-"

// Dir makes a directory for worlds that is no temporary one, since what is
// temporary is judged in another way, and a function that removes it.
func Dir() (dir string, remove func(), err error) {
	base, err := os.UserCacheDir()
	if err == nil {
		err = os.MkdirAll(base, 0o700)
	}
	if err == nil {
		dir, err = os.MkdirTemp(base, worldsName+"*")
	}
	if err != nil {
		return "", nil, fmt.Errorf("making a directory for worlds: %w", err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", nil, fmt.Errorf("making a directory for worlds: %w", err)
	}
	return dir, func() { _ = os.RemoveAll(dir) }, nil
}
