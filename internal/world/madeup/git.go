package madeup

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// git implements world.Git for the repositories of a world.
type git struct {
	tree   *tree
	byRoot map[string]*repo // by the work tree's directory
	byDir  map[string]*repo // by the repository's directory
	global []setting        // config lines before the first git line
}

// A store is what the work trees of one repository share.
type store struct {
	main    *repo
	common  string
	bare    bool
	branch  string // of the main work tree, "" if detached
	tip     string // commit of the main work tree
	commits int    // length of history
	graph   graph
	refs    map[string]string // full name to commit
	config  []setting
	stashes []string // the newest is the last
	trees   []*repo  // linked work trees
}

// A setting is one value of a configuration key.
type setting struct{ key, value string }

// A repo is one work tree of a repository, or a bare repository.
type repo struct {
	*store
	git    *git
	root   string
	dir    string // its own git directory
	head   string // branch of a linked work tree, "" if detached
	linked bool
	states map[string]state // by path
}

func newGit() *git {
	return &git{byRoot: make(map[string]*repo), byDir: make(map[string]*repo)}
}

// Find implements world.Git.
func (g *git) Find(dir string) (world.Repo, error) {
	if _, err := g.tree.find("find the repository of", dir, true); err != nil && !isAbsent(err) {
		return nil, err
	}
	r, _ := g.tree.walk(dir, true, true)
	for p := r.path(); ; p = path.Dir(p) {
		if repo := g.at(p); repo != nil {
			return repo, nil
		}
		if p == "/" {
			return nil, nil
		}
	}
}

func (g *git) at(p string) *repo {
	if r := g.byRoot[p]; r != nil {
		return r
	}
	return g.byDir[p]
}

// holding returns the innermost work tree that a path is in, or nil.
func (g *git) holding(p string) *repo {
	for ; ; p = path.Dir(p) {
		if r := g.byRoot[p]; r != nil {
			return r
		}
		if p == "/" {
			return nil
		}
	}
}

func within(p, dir string) bool {
	if dir == "/" {
		return strings.HasPrefix(p, "/")
	}
	return p == dir || strings.HasPrefix(p, dir) && p[len(dir)] == '/'
}

// Root implements world.Repo.
func (r *repo) Root() string { return r.root }

// GitDir implements world.Repo.
func (r *repo) GitDir() string { return r.dir }

// CommonDir implements world.Repo.
func (r *repo) CommonDir() string { return r.common }

// Head implements world.Repo.
func (r *repo) Head() (branch, commit string) {
	switch {
	case !r.linked:
		return r.branch, r.tip
	case r.head == "":
		return "", r.tip
	}
	return r.head, r.refs["refs/heads/"+r.head]
}

// Refs implements world.Repo.
func (r *repo) Refs(prefix string, limit int) ([]world.Ref, error) {
	var all []world.Ref
	for name, id := range r.refs {
		if strings.HasPrefix(name, prefix) {
			all = append(all, world.Ref{Name: name, ID: id})
		}
	}
	slices.SortFunc(all, func(a, b world.Ref) int { return strings.Compare(a.Name, b.Name) })
	return all[:min(len(all), max(limit, 0))], nil
}

// Config implements world.Repo.
func (r *repo) Config(name string) []string {
	var values []string
	name = configKey(name)
	for _, list := range [][]setting{r.git.global, r.config} {
		for _, s := range list {
			if s.key == name {
				values = append(values, s.value)
			}
		}
	}
	return values
}

// ConfigKeys implements world.Repo.
func (r *repo) ConfigKeys(prefix string, limit int) []string {
	var keys []string
	for _, list := range [][]setting{r.git.global, r.config} {
		for _, s := range list {
			if strings.HasPrefix(s.key, prefix) {
				keys = append(keys, s.key)
			}
		}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	return keys[:min(len(keys), max(limit, 0))]
}

// configKey is a key as git prints it: section and name without regard to
// case, the subsection between them as it is. Source: git-config(1).
func configKey(key string) string {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first < 0 {
		return strings.ToLower(key)
	}
	return strings.ToLower(key[:first]) + key[first:last] + strings.ToLower(key[last:])
}

// Own implements world.Repo.
func (r *repo) Own(name string) bool {
	name = configKey(name)
	return slices.ContainsFunc(r.config, func(s setting) bool { return s.key == name })
}

// Links implements world.Repo: a made-up repository has none.
func (r *repo) Links(int) []string { return nil }

// Changes implements world.Repo: what the trees of a made-up repository hold is
// not known.
func (r *repo) Changes(from, to string, _ int) (paths []string, complete bool) {
	return nil, from == to
}

// Hooks implements world.Repo: it looks into the directory, which core.hooksPath
// may have moved.
func (r *repo) Hooks() []string {
	dir := path.Join(r.common, "hooks")
	if moved := r.Config("core.hookspath"); len(moved) > 0 {
		dir = moved[len(moved)-1]
		if !path.IsAbs(dir) {
			dir = path.Join(r.root, dir)
		}
	}
	at, err := r.git.tree.walk(dir, true, true)
	if err != nil {
		return nil
	}
	var hooks []string
	for name, c := range at.end().kids {
		if c.node.kind == world.Regular && c.node.mode&0o111 != 0 && !strings.HasSuffix(name, ".sample") {
			hooks = append(hooks, c.name)
		}
	}
	slices.Sort(hooks)
	return hooks
}

// Missing implements world.Repo.
func (r *repo) Missing(from, by []string, limit int) (n int, complete bool) {
	return r.graph.missing(from, by, limit)
}

// Logged implements world.Repo: a made-up repository says nothing of its logs.
func (r *repo) Logged(int) ([]string, bool) { return nil, false }

// Unkept implements world.Repo.
func (r *repo) Unkept(int) (int, bool) { return 0, false }

// MayHold implements world.Repo: only the commits of a made-up repository have ids.
func (r *repo) MayHold(string) bool { return true }

// Stashes implements world.Repo.
func (r *repo) Stashes() int { return len(r.stashes) }

// Worktrees implements world.Repo.
func (r *repo) Worktrees() []string {
	main := r.main.root
	if r.bare {
		main = r.common
	}
	all := []string{main}
	for _, t := range r.trees {
		all = append(all, t.root)
	}
	return all
}
