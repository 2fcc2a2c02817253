package gitstate

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

var (
	errRelative = errors.New("not an absolute path")
	errGitFile  = errors.New("invalid .git file")
	errNotGit   = errors.New("not a git repository")
)

// maxLine bounds files that hold one line: .git files, commondir, gitdir.
const maxLine = 64 << 10

// Find returns the repository that git would use in dir (gitrepository-layout(5),
// git(1) GIT_DIR), or nil. Unlike git it does not stop at a mount point and does
// not ask who owns the repository. A .git file that leads nowhere is an error, as
// it is for git: it hides the repositories above.
func (g *Git) Find(dir string) (world.Repo, error) {
	if !path.IsAbs(dir) {
		return nil, fmt.Errorf("finding the repository of %q: %w", dir, errRelative)
	}
	dir = path.Clean(dir)
	if env := g.opt.Env["GIT_DIR"]; env != "" {
		return g.explicit(dir, absolute(dir, env))
	}
	ceilings := strings.Split(g.opt.Env["GIT_CEILING_DIRECTORIES"], ":")
	for at := dir; ; at = path.Dir(at) {
		r, err := g.at(at)
		if err != nil {
			return nil, fmt.Errorf("finding the repository of %s: %w", dir, err)
		}
		if r != nil {
			return r, nil
		}
		if at == "/" || isCeiling(path.Dir(at), ceilings) {
			return nil, nil
		}
	}
}

func isCeiling(dir string, ceilings []string) bool {
	for _, c := range ceilings {
		if path.IsAbs(c) && path.Clean(c) == dir {
			return true
		}
	}
	return false
}

// explicit opens the repository that GIT_DIR names.
func (g *Git) explicit(dir, gitDir string) (world.Repo, error) {
	target, info, err := g.follow(gitDir)
	if err != nil {
		return nil, err
	}
	if info.Kind == world.Regular {
		if target, err = g.gitFile(target); err != nil {
			return nil, err
		}
	}
	if !g.isGitDir(target) {
		return nil, fmt.Errorf("GIT_DIR %s: %w", gitDir, errNotGit)
	}
	r, err := g.open(target, dir)
	if err != nil {
		return nil, err
	}
	r.useWorkTree(dir)
	return r, nil
}

// useWorkTree lets GIT_WORK_TREE say where the work tree is, seen from dir.
func (r *repo) useWorkTree(dir string) {
	if tree := r.g.opt.Env["GIT_WORK_TREE"]; tree != "" {
		r.root = absolute(dir, tree)
		r.configKey = r.gitDir + "\x00" + r.root + "\x00" + r.g.print
	}
}

// at returns the repository whose top, or whose git directory, is dir; nil if
// there is none.
func (g *Git) at(dir string) (*repo, error) {
	dotGit := join(dir, ".git")
	info, err := g.lstat(dotGit)
	if err != nil {
		return nil, err
	}
	if info.Kind == world.Symlink {
		if dotGit, info, err = g.follow(dotGit); errors.Is(err, errLinks) {
			info, err = world.Info{}, nil // a loop is no repository
		}
		if err != nil {
			return nil, err
		}
	}
	gitDir := ""
	switch info.Kind {
	case world.Regular:
		if gitDir, err = g.gitFile(dotGit); err != nil {
			return nil, err
		}
		if !g.isGitDir(gitDir) {
			return nil, fmt.Errorf("%s: %w: %s is not a git directory", dotGit, errGitFile, gitDir)
		}
	case world.Dir:
		gitDir = dotGit
	}
	if gitDir != "" && (info.Kind == world.Regular || g.isGitDirNow(gitDir, &info)) {
		r, err := g.open(gitDir, dir)
		if err == nil {
			r.useWorkTree(dir)
		}
		return r, err
	}
	if g.isGitDir(dir) {
		return g.open(dir, "")
	}
	return nil, nil
}

// gitFile reads "gitdir: path" (gitrepository-layout(5)).
func (g *Git) gitFile(name string) (string, error) {
	line, err := g.line(name)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(line, "gitdir: ")
	if !ok || target == "" {
		return "", fmt.Errorf("%s: %w", name, errGitFile)
	}
	return absolute(path.Dir(name), target), nil
}

// line reads a file that holds one line.
func (g *Git) line(name string) (string, error) {
	s, _, err := load(g, kindLine, name, maxLine, func(data []byte) (string, error) {
		return strings.TrimRight(string(data), "\r\n"), nil
	})
	return s, err
}

// isGitDir applies the test of git's is_git_directory: a HEAD that makes sense,
// objects and refs.
func (g *Git) isGitDir(dir string) bool {
	if !g.isHead(join(dir, "HEAD")) {
		return false
	}
	common, err := g.commonDir(dir)
	if err != nil {
		return false
	}
	objects := g.objectsDir(common)
	for _, sub := range []string{objects, join(common, "refs")} {
		if info, err := g.stat(sub); err != nil || info.Kind != world.Dir {
			return false
		}
	}
	return true
}

// isGitDirNow is isGitDir for a directory whose facts have just been read. That
// objects and refs are directories in it, and commondir is not there, stays so as
// long as its change time does (see [Git.list]); what HEAD says is read again.
func (g *Git) isGitDirNow(dir string, info *world.Info) bool {
	if g.opt.Env["GIT_COMMON_DIR"] != "" || g.opt.Env["GIT_OBJECT_DIRECTORY"] != "" {
		return g.isGitDir(dir)
	}
	key, st := cacheKey{kind: kindGitDir, path: dir}, stampOf(*info)
	if _, _, ok := g.cache.get(key, st); ok {
		return g.isHead(join(dir, "HEAD"))
	}
	settled := g.settled(dir, info)
	if !g.isGitDir(dir) {
		return false
	}
	if settled && g.isPlain(dir) {
		g.cache.put(key, st, nil, nil, 64)
	}
	return true
}

// isPlain reports whether a git directory has all that makes it one in itself.
func (g *Git) isPlain(dir string) bool {
	for name, want := range map[string]world.Kind{"objects": world.Dir, "refs": world.Dir, "commondir": world.Missing} {
		if info, err := g.lstat(join(dir, name)); err != nil || info.Kind != want {
			return false
		}
	}
	return true
}

func (g *Git) objectsDir(common string) string {
	if env := g.opt.Env["GIT_OBJECT_DIRECTORY"]; path.IsAbs(env) {
		return path.Clean(env)
	}
	return join(common, "objects")
}

func (g *Git) isHead(name string) bool {
	v, err := g.refFile(name)
	if err != nil {
		return false
	}
	return strings.HasPrefix(v.sym, "refs/") || v.hexID != ""
}

// commonDir is the directory shared by all work trees of a repository.
func (g *Git) commonDir(gitDir string) (string, error) {
	if env := g.opt.Env["GIT_COMMON_DIR"]; path.IsAbs(env) {
		return path.Clean(env), nil
	}
	line, err := g.line(join(gitDir, "commondir"))
	if errors.Is(err, world.ErrNotExist) {
		return gitDir, nil
	}
	if err != nil {
		return "", err
	}
	return absolute(gitDir, line), nil
}

// A layout is what a repository's own configuration says about its form; only
// that file counts, without includes (git's read_repository_format).
type layout struct {
	bare           *bool
	workTree       string
	worktreeConfig bool
	algo           hashAlgo
	reftable       bool
}

func (l *layout) read(entries []configEntry) {
	for _, e := range entries {
		on, _ := configBool(e.value)
		on = on || e.bare
		switch e.key {
		case "core.bare":
			l.bare = &on
		case "core.worktree":
			l.workTree = e.value
		case "extensions.worktreeconfig":
			l.worktreeConfig = on
		case "extensions.objectformat":
			l.algo = sha1Algo
			if asciiLower(e.value) == "sha256" {
				l.algo = sha256Algo
			}
		case "extensions.refstorage":
			l.reftable = asciiLower(e.value) != "files"
		}
	}
}

// open describes the git directory gitDir; found is the directory in which it was
// found as .git, empty if gitDir itself was come upon.
func (g *Git) open(gitDir, found string) (*repo, error) {
	common, err := g.commonDir(gitDir)
	if err != nil {
		return nil, err
	}
	l := layout{algo: sha1Algo}
	entries, _, _ := load(g, kindConfigFile, join(common, "config"), maxConfigFile, parseConfig)
	l.read(entries)
	linked := common != gitDir
	if linked {
		l.bare, l.workTree = nil, "" // those of the main work tree
	}
	if l.worktreeConfig {
		entries, _, _ = load(g, kindConfigFile, join(gitDir, "config.worktree"), maxConfigFile, parseConfig)
		l.read(entries)
	}
	r := &repo{
		g: g, gitDir: gitDir, commonDir: common,
		objectsDir: g.objectsDir(common), indexFile: join(gitDir, "index"),
		algo: l.algo, reftable: l.reftable, worktreeConfig: l.worktreeConfig,
	}
	r.root = g.rootOf(&l, gitDir, found, linked)
	r.configKey = gitDir + "\x00" + r.root + "\x00" + g.print
	if env := g.opt.Env["GIT_INDEX_FILE"]; env != "" && (path.IsAbs(env) || r.root != "") {
		r.indexFile = absolute(r.root, env)
	}
	return r, nil
}

// rootOf finds the top of the work tree, empty if there is none.
func (g *Git) rootOf(l *layout, gitDir, found string, linked bool) string {
	switch {
	case l.workTree != "":
		return absolute(gitDir, l.workTree)
	case l.bare != nil && *l.bare:
		return ""
	case found != "":
		return found
	case linked:
		if line, err := g.line(join(gitDir, "gitdir")); err == nil && line != "" {
			return path.Dir(absolute(gitDir, line))
		}
	case path.Base(gitDir) == ".git":
		return path.Dir(gitDir)
	}
	return ""
}
