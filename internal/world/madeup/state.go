package madeup

import (
	"errors"
	"path"

	"github.com/heedsh/heed/internal/world"
)

// A state is what a scenario says git knows about a path.
type state uint8

const (
	stateNone state = iota
	tracked
	modified
	staged
	untracked
	ignored
	deleted // tracked, and gone from the work tree
)

func stateNamed(word string) (state, bool) {
	for s, name := range map[state]string{
		tracked: "tracked", modified: "modified", staged: "staged",
		untracked: "untracked", ignored: "ignored", deleted: "deleted",
	} {
		if name == word {
			return s, true
		}
	}
	return stateNone, false
}

// setState notes the state of a path in the innermost work tree that holds it.
func (m *maker) setState(p *pathStmt) error {
	if p.state == stateNone {
		return nil
	}
	name := m.tree.canon(p.path)
	r := m.git.holding(name)
	if r == nil {
		return errors.New("has a git state but is in no repository: a git line is missing")
	}
	r.states[name] = p.state
	return nil
}

// stateOf returns the state of a path: its own, or that of the nearest
// directory above it that has one; without one a path is untracked.
func (r *repo) stateOf(name string) state {
	for p := name; within(p, r.root); p = path.Dir(p) {
		if s, ok := r.states[p]; ok {
			return s
		}
		if p == "/" {
			break
		}
	}
	return untracked
}

// State implements world.Repo. A directory is ignored if it is said to be,
// clean if git tracks a file in it, and untracked otherwise.
func (r *repo) State(name string) world.FileState {
	if !path.IsAbs(name) || path.Clean(name) != name {
		return world.NotInRepo
	}
	to, err := r.git.tree.walk(name, false, true)
	full := to.path()
	switch {
	case within(full, r.dir), within(full, r.common), r.root != "" && full == path.Join(r.root, ".git"):
		return world.InGitDir
	case r.root == "" || !within(full, r.root):
		return world.NotInRepo
	case r.git.holding(full) != r:
		return world.Untracked // in a repository inside this one
	}
	s := r.stateOf(full)
	exists := err == nil
	if exists && to.end().kind == world.Dir && s != ignored {
		if s = untracked; r.Status(name, maxMany).Tracked > 0 {
			s = tracked
		}
	}
	return s.file(exists)
}

func (s state) file(exists bool) world.FileState {
	switch {
	case s == ignored:
		return world.Ignored
	case s == deleted:
		return world.MaybeModified
	case !exists:
		return world.Untracked
	}
	switch s {
	case tracked:
		return world.Clean
	case modified:
		return world.MaybeModified
	case staged:
		return world.Staged
	}
	return world.Untracked
}
