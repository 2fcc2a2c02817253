package gitstate

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// State tells what git knows about one file. What is not there is judged by its
// name. A directory with tracked files in it is MaybeModified (Status counts them);
// one without is Ignored or Untracked. What lies behind a symbolic link or in a
// nested repository is NotInRepo. Where it cannot be told whether a clean file is
// in HEAD as it is, it is Staged.
func (r *repo) State(name string) world.FileState {
	if !path.IsAbs(name) {
		return world.NotInRepo
	}
	name = path.Clean(name)
	if r.isOwn(name) {
		return world.InGitDir
	}
	if r.root == "" || !within(name, r.root) {
		return world.NotInRepo
	}
	rel := r.relative(name)
	set := &r.config().set
	x, written, err := r.index()
	if err != nil {
		return world.MaybeModified
	}
	if rel == "" {
		return world.MaybeModified
	}
	q := &fileQuery{r: r, x: x, set: set, written: written, rel: rel, abs: name}
	return q.state()
}

// isOwn reports whether a file is the repository's own data.
func (r *repo) isOwn(name string) bool {
	return r.ownData(name, r.gitDir) || r.ownData(name, r.commonDir) ||
		(r.root != "" && within(name, join(r.root, ".git")))
}

// ownData reports whether a file is in one of the repository's own directories. A
// work tree may lie inside a bare repository.
func (r *repo) ownData(name, dir string) bool {
	return within(name, dir) && (r.root == "" || !within(r.root, dir) || !within(name, r.root))
}

// relative returns a path relative to the root, "" for the root itself.
func (r *repo) relative(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, r.root), "/")
}

// A fileQuery is one call of State.
type fileQuery struct {
	r        *repo
	x        *index
	set      *settings
	written  int64 // when the index was
	rel, abs string
}

func (q *fileQuery) state() world.FileState {
	i, tracked := q.x.find(q.rel)
	if !tracked && q.set.ignoreCase {
		i, tracked = q.x.findFold(q.rel)
	}
	top, ok := q.parents(tracked)
	if !ok {
		return world.NotInRepo
	}
	if tracked {
		return q.tracked(&q.x.entries[i])
	}
	if e, ok := q.behindSparse(); ok {
		return q.tracked(e)
	}
	info, err := q.r.g.lstat(q.abs)
	if lo, hi := q.x.below(q.rel + "/"); lo < hi && (err != nil || info.Kind == world.Dir || info.Kind == world.Missing) {
		return world.MaybeModified
	}
	ig := q.r.ignores(q.set)
	if ig.ignored(top, q.rel, err == nil && info.Kind == world.Dir) {
		return world.Ignored
	}
	return world.Untracked
}

// parents goes down to the file's directory. ok is false if the way leads through a
// link, a submodule or a nested repository.
func (q *fileQuery) parents(tracked bool) (*ignoreDir, bool) {
	ig := &ignores{g: q.r.g, fold: q.set.ignoreCase}
	at := &ignoreDir{}
	if !tracked {
		at.list = ig.loadIn(q.r.root)
	}
	for i := range len(q.rel) {
		if q.rel[i] != '/' {
			continue
		}
		abs := q.r.abs(q.rel[:i])
		info, err := q.r.g.lstat(abs)
		if err != nil || info.Kind == world.Symlink {
			return nil, false
		}
		if tracked {
			continue
		}
		if info.Kind == world.Missing {
			at = &ignoreDir{up: at, rel: q.rel[:i+1]}
			continue
		}
		if q.r.nested(q.x, q.rel[:i], abs) {
			return nil, false
		}
		at = &ignoreDir{up: at, rel: q.rel[:i+1], list: ig.loadIn(abs)}
	}
	return at, true
}

// nested reports whether a directory is a repository of its own: a submodule, or
// one with a .git and without tracked files of ours.
func (r *repo) nested(x *index, rel, abs string) bool {
	if i, ok := x.find(rel); ok {
		return x.entries[i].isGitlink()
	}
	info, err := r.g.lstat(join(abs, ".git"))
	if err != nil || info.Kind == world.Missing {
		return false
	}
	if lo, hi := x.below(rel + "/"); lo < hi {
		return false
	}
	return r.isNested(abs)
}

// isNested follows git's is_nonbare_repository_dir for a directory with a .git.
func (r *repo) isNested(abs string) bool {
	dotGit, info, err := r.g.follow(join(abs, ".git"))
	if err != nil {
		return false
	}
	if info.Kind == world.Regular {
		_, err := r.g.gitFile(dotGit)
		return err == nil
	}
	return info.Kind == world.Dir && r.g.isGitDir(dotGit)
}

// abs returns the absolute path of a path relative to the root.
func (r *repo) abs(rel string) string {
	switch {
	case rel == "":
		return r.root
	case r.root == "/":
		return "/" + rel
	}
	return r.root + "/" + rel
}

// behindSparse looks up a path that a sparse directory of the index stands for.
func (q *fileQuery) behindSparse() (*entry, bool) {
	for i := range len(q.rel) {
		if q.rel[i] != '/' {
			continue
		}
		at, ok := q.x.find(q.rel[:i+1])
		if !ok || !q.x.entries[at].isSparse() {
			continue
		}
		budget := maxStagedTrees
		list, _ := expandTree(q.r.objects(), q.x.entries[at].id, q.rel[:i+1], &budget)
		view := &index{entries: list}
		if j, ok := view.find(q.rel); ok {
			return &view.entries[j], true
		}
		return nil, false
	}
	return nil, false
}

// tracked compares a file with its entry, and the entry with HEAD.
func (q *fileQuery) tracked(e *entry) world.FileState {
	if e.stage() != 0 {
		return world.MaybeModified
	}
	info, err := q.r.g.lstat(q.abs)
	if err != nil {
		return world.MaybeModified
	}
	switch {
	case info.Kind == world.Missing && e.flags&skipWorktree != 0:
	case e.isGitlink():
		if info.Kind != world.Dir || q.r.gitlinkModified(e, q.abs) {
			return world.MaybeModified
		}
	default:
		switch e.compare(&info, q.set, q.written) {
		case changed:
			return world.MaybeModified
		case unsure:
			if !q.r.sameBytes(e, q.abs, &info) {
				return world.MaybeModified
			}
		}
	}
	s := q.r.staged(q.x)
	if s.missing == nil {
		if s.has(e.path) {
			return world.Staged
		}
		return world.Clean
	}
	if differs, known := q.r.stagedAt(e); !known || differs {
		return world.Staged
	}
	return world.Clean
}
