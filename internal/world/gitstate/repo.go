package gitstate

import (
	"errors"
	"strings"
	"sync/atomic"

	"github.com/heedsh/heed/internal/world"
)

// A repo is one repository as one command would see it. It holds names only:
// every answer looks at the files anew, through the cache.
type repo struct {
	g              *Git
	root           string
	gitDir         string
	commonDir      string
	objectsDir     string
	indexFile      string
	algo           hashAlgo
	reftable       bool // refs are kept in a format that is not read here
	worktreeConfig bool
	configKey      string                 // under which the configuration is kept
	settled        atomic.Pointer[config] // that of this look
}

var _ world.Repo = (*repo)(nil)

func (r *repo) Root() string      { return r.root }
func (r *repo) GitDir() string    { return r.gitDir }
func (r *repo) CommonDir() string { return r.commonDir }

// maxHooks bounds the directory of hooks.
const maxHooks = 1000

// Hooks lists the executable files in the hooks directory (githooks(5)).
func (r *repo) Hooks() []string {
	dir := r.config().set.hooksPath
	entries, err := r.g.fs.ReadDir(dir, maxHooks)
	if err != nil && !errors.Is(err, world.ErrTooLarge) {
		return nil
	}
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name, ".sample") || (e.Kind != world.Regular && e.Kind != world.Symlink) {
			continue
		}
		info, err := r.g.stat(join(dir, e.Name))
		if err == nil && info.Kind == world.Regular && info.Mode&0o111 != 0 {
			out = append(out, e.Name)
		}
	}
	return out
}

// MayHold implements world.Repo. Fewer than four digits name no object (core.abbrev,
// git-config(1)); objects that cannot be listed may hold any.
func (r *repo) MayHold(prefix string) bool {
	if len(prefix) < minAbbrev || strings.Trim(prefix, "0123456789abcdef") != "" {
		return false
	}
	ids, err := r.objects().withPrefix(prefix)
	return err != nil || len(ids) > 0
}

// Stashes counts the entries of the stash, which is the reflog of refs/stash
// (git-stash(1)); without a reflog, the one that the ref points at.
func (r *repo) Stashes() int {
	if id, _ := r.resolve("refs/stash"); id == "" {
		return 0
	}
	log, _ := r.reflog("refs/stash")
	return max(1, len(log))
}

// maxWorktrees bounds the linked work trees that are listed.
const maxWorktrees = 10_000

// Worktrees lists the main work tree, unless the repository is bare, and the
// linked ones (gitrepository-layout(5), "worktrees").
func (r *repo) Worktrees() []string {
	var out []string
	main := r.root
	if r.commonDir != r.gitDir {
		main = ""
		if m, err := r.g.open(r.commonDir, ""); err == nil {
			main = m.root
		}
	}
	if main != "" {
		out = append(out, main)
	}
	dir := join(r.commonDir, "worktrees")
	entries, err := r.g.fs.ReadDir(dir, maxWorktrees)
	if err != nil && !errors.Is(err, world.ErrTooLarge) {
		return out
	}
	for _, e := range entries {
		own := join(dir, e.Name)
		if line, err := r.g.line(join(own, "gitdir")); err == nil && line != "" {
			out = append(out, strings.TrimSuffix(absolute(own, line), "/.git"))
		}
	}
	return out
}
