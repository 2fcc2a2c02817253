package madeup

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// defaultCommits is the length of history of which nothing is said.
const defaultCommits = 100

// repository carries out: git [PATH] [on BRANCH] [bare].
func (m *maker) repository(index int, a *args) (err error) {
	s := &store{
		branch: "main", commits: defaultCommits, refs: make(map[string]string),
	}
	dir := m.dir
	for first := true; a.more() && err == nil; first = false {
		switch {
		case a.take("on"):
			s.branch, err = a.next("a branch")
		case a.take("bare"):
			s.bare = true
		case first:
			var name string
			if name, err = a.next("a directory"); err == nil {
				dir, err = m.abs(name)
			}
		default:
			err = a.end()
		}
	}
	if err = errors.Join(err, a.end()); err != nil {
		return err
	}
	r := &repo{store: s, git: m.git, states: make(map[string]state)}
	s.main = r
	if r.root, err = m.newRoot(dir); err != nil {
		return err
	}
	r.dir = path.Join(r.root, ".git")
	if s.bare {
		r.root, r.dir = "", r.root
	} else {
		m.git.byRoot[r.root] = r
	}
	s.common = r.dir
	s.graph = graph{seed: s.common, parent: make(map[string]string)}
	m.git.byDir[r.dir] = r
	m.stores[index] = s
	s.config = []setting{
		{"core.repositoryformatversion", "0"},
		{"core.bare", fmt.Sprint(s.bare)},
	}
	return m.commitTo(s, defaultCommits)
}

// newRoot makes the directory of a repository or work tree.
func (m *maker) newRoot(dir string) (string, error) {
	if _, err := m.tree.mkdirAll(dir); err != nil {
		return "", fmt.Errorf("%s: %w", dir, err)
	}
	at, err := m.tree.walk(dir, true, true)
	if err != nil {
		return "", err
	}
	root := at.path()
	if m.git.at(root) != nil {
		return "", fmt.Errorf("%s is a repository already", root)
	}
	return root, nil
}

// commitTo gives a repository its history.
func (m *maker) commitTo(s *store, n int) (err error) {
	clear(s.graph.parent)
	if s.tip, err = s.graph.grow("", n); err != nil {
		return err
	}
	delete(s.refs, "refs/heads/"+s.branch)
	if s.branch != "" && n > 0 {
		s.refs["refs/heads/"+s.branch] = s.tip
	}
	return nil
}

// repoStmt carries out a statement about the repository above it.
func (m *maker) repoStmt(s *store, keyword string, a *args) error {
	if keyword == "hook" {
		return m.hook(s, a)
	}
	if keyword == "worktree" {
		return m.worktree(s, a)
	}
	var err error
	switch keyword {
	case "commits":
		var n int
		if n, err = a.number("number of commits", maxCommits); err == nil {
			err = m.commitTo(s, n)
		}
	case "remote":
		err = s.remote(a)
	case "upstream":
		err = s.follow(a)
	case "branch":
		err = s.place("refs/heads/", a)
	case "tag":
		err = s.place("refs/tags/", a)
	case "ref":
		err = s.place("", a)
	case "detached":
		err = s.detach(a)
	case "stash":
		err = s.stash(a)
	}
	if err != nil {
		return err
	}
	return a.end()
}

// set adds a value to a repository's configuration.
func (s *store) set(key, value string) {
	s.config = append(s.config, setting{configKey(key), value})
}

// config carries out: config KEY = VALUE. Before the first git line it is the
// user's own configuration, which holds everywhere.
func (m *maker) config(s *Statement) error {
	if !strings.Contains(s.Name, ".") {
		return fmt.Errorf("%q is no key: it has no section", s.Name)
	}
	if s.git < 0 {
		m.git.global = append(m.git.global, setting{configKey(s.Name), s.Value})
		return nil
	}
	m.stores[s.git].set(s.Name, s.Value)
	return nil
}

// remote carries out: remote NAME URL.
func (s *store) remote(a *args) error {
	name, err := a.next("a name")
	if err != nil {
		return err
	}
	url, err := a.next("a URL")
	if err != nil {
		return err
	}
	s.set("remote."+name+".url", url)
	s.set("remote."+name+".fetch", "+refs/heads/*:refs/remotes/"+name+"/*")
	return nil
}

// follow carries out: upstream REMOTE/BRANCH [of BRANCH] [ahead N] [behind N] [gone].
func (s *store) follow(a *args) error {
	name, err := a.next("REMOTE/BRANCH")
	if err != nil {
		return err
	}
	remote, theirs, ok := strings.Cut(name, "/")
	if !ok || len(s.main.Config("remote."+remote+".url")) == 0 {
		return fmt.Errorf("%q does not begin with the name of a remote: a remote line is missing", name)
	}
	branch, ahead, behind, gone := s.branch, 0, 0, false
	for a.more() && err == nil {
		switch {
		case a.take("of"):
			branch, err = a.next("a branch")
		case a.take("ahead"):
			ahead, err = a.number("ahead", maxCommits)
		case a.take("behind"):
			behind, err = a.number("behind", maxCommits)
		case a.take("gone"):
			gone = true
		default:
			err = a.end()
		}
	}
	if err != nil {
		return err
	}
	s.set("branch."+branch+".remote", remote)
	s.set("branch."+branch+".merge", "refs/heads/"+theirs)
	if gone {
		return nil
	}
	ours := s.refs["refs/heads/"+branch]
	base := s.graph.back(ours, ahead)
	if base == "" {
		return fmt.Errorf("branch %q does not exist yet or has no %d commits to be ahead by", branch, ahead+1)
	}
	tip, err := s.graph.grow(base, behind)
	if err != nil {
		return err
	}
	s.refs["refs/remotes/"+name] = tip
	return nil
}

// place carries out: branch|tag|ref NAME [at REV | N commits not in REV].
func (s *store) place(prefix string, a *args) error {
	name, err := a.next("a name")
	if err != nil {
		return err
	}
	full := prefix + name
	if prefix == "" && !strings.HasPrefix(full, "refs/") {
		return fmt.Errorf("%q does not begin with refs/", name)
	}
	if full == "refs/heads/"+s.branch {
		return fmt.Errorf("%s is the current branch: say commits N, or move it with upstream", name)
	}
	n, grown, err := a.count(maxCommits, "commits", "commit")
	if err != nil {
		return err
	}
	rev := "HEAD"
	if grown && !a.take("not", "in") {
		return errors.New(`wants "not in" after the number of commits`)
	}
	if grown || a.take("at") {
		if rev, err = a.next("a revision"); err != nil {
			return err
		}
	}
	base := s.main.Ref(rev)
	if base == "" {
		return fmt.Errorf("%q names no commit yet: lines of a repository are read in order", rev)
	}
	s.refs[full], err = s.graph.grow(base, n)
	return err
}

// detach carries out: detached [at REV].
func (s *store) detach(a *args) error {
	if a.take("at") {
		rev, err := a.next("a revision")
		if err != nil {
			return err
		}
		tip := s.main.Ref(rev)
		if tip == "" {
			return fmt.Errorf("%q names no commit", rev)
		}
		s.tip = tip
	}
	s.branch = ""
	return nil
}

// stash carries out: stash N.
func (s *store) stash(a *args) error {
	n, err := a.number("number of stash entries", 1000)
	if err != nil {
		return err
	}
	if n > 0 && s.tip == "" {
		return errors.New("there is no commit to stash on")
	}
	for range n {
		id, err := s.graph.grow(s.tip, 1)
		if err != nil {
			return err
		}
		s.stashes = append(s.stashes, id)
		s.refs["refs/stash"] = id
	}
	return nil
}

// hook carries out: hook NAME [content].
func (m *maker) hook(s *store, a *args) error {
	name, err := a.next("the name of a hook")
	if err != nil {
		return err
	}
	if strings.Contains(name, "/") {
		return fmt.Errorf("%q is no name of a hook", name)
	}
	text, ok := a.content()
	if !ok {
		text = "#!/bin/sh\n# " + name + "\n"
	}
	if err := a.end(); err != nil {
		return err
	}
	return m.path(&args{words: []Word{
		{Text: path.Join(s.common, "hooks", name)}, {Text: "exec"}, {Text: text, Quoted: true},
	}})
}

// worktree carries out: worktree PATH [on BRANCH] [dirty].
func (m *maker) worktree(s *store, a *args) error {
	name, err := a.next("a directory")
	if err != nil {
		return err
	}
	full, err := m.abs(name)
	if err != nil {
		return err
	}
	r := &repo{store: s, git: m.git, linked: true, head: path.Base(full), states: make(map[string]state)}
	dirty := false
	for a.more() && err == nil {
		switch {
		case a.take("on"):
			r.head, err = a.next("a branch")
		case a.take("dirty"):
			dirty = true
		default:
			err = a.end()
		}
	}
	if err = errors.Join(err, a.end()); err != nil {
		return err
	}
	if r.root, err = m.newRoot(full); err != nil {
		return err
	}
	r.dir = path.Join(s.common, "worktrees", path.Base(full))
	if m.git.byDir[r.dir] != nil {
		return fmt.Errorf("there are two work trees %s", path.Base(full))
	}
	m.git.byRoot[r.root], m.git.byDir[r.dir] = r, r
	s.trees = append(s.trees, r)
	if dirty {
		return m.apply(&pathStmt{path: path.Join(r.root, "changed.txt"), kind: world.Regular, hasKind: true, state: modified})
	}
	return nil
}
