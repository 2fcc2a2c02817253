package workspace

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// A Space is the part of the machine that a session may work in, and what
// lies around it.
type Space struct {
	World *world.World
	Home  string
	Temp  []string // directories for temporary files
	left  int      // directory entries that walks may still visit

	dir    string   // the session's
	wanted []string // roots that the request names
	roots  []string // once rooted
	rooted bool
	links  []hiddenLink // once linked
	linked bool
}

// New works out the space of a request. Without roots the work tree around
// dir counts, or dir itself; a home directory or / is never taken for one.
func New(w *world.World, dir, home, tmpdir string, roots []string) *Space {
	s := &Space{World: w, Home: home, dir: dir, wanted: roots, left: totalBudget, Temp: []string{"/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders"}}
	// Anybody can set TMPDIR: elsewhere it makes nothing temporary.
	if own := path.Clean(tmpdir); path.IsAbs(tmpdir) && slices.ContainsFunc(s.Temp, func(t string) bool { return own != t && Inside(own, t) }) {
		s.Temp = append(s.Temp, own)
	}
	return s
}

// Roots are the directories in which the session may work, links resolved.
// They are looked up once, when somebody asks.
func (s *Space) Roots() []string {
	if s.rooted {
		return s.roots
	}
	s.rooted = true
	roots := s.wanted
	if len(roots) == 0 && s.dir != "" {
		root := s.dir
		if r := s.repo(s.dir); r != nil && r.Root() != "" {
			root = r.Root()
		}
		roots = []string{root}
	}
	for _, r := range roots {
		resolved, _ := world.Resolve(s.World.FS, path.Clean(r), true)
		if resolved == "/" || resolved == s.Home || s.isTempRoot(resolved) {
			continue
		}
		s.roots = append(s.roots, resolved)
	}
	return s.roots
}

func (s *Space) isTempRoot(p string) bool {
	for _, t := range s.Temp {
		if p == t {
			return true
		}
	}
	return false
}

// repo is the repository that holds a directory, nil if that is not known.
func (s *Space) repo(dir string) world.Repo {
	r, err := s.find(dir)
	if err != nil {
		return nil
	}
	return r
}

func (s *Space) find(dir string) (world.Repo, error) {
	if s.World.Git == nil {
		return nil, nil
	}
	return s.World.Git.Find(dir)
}

// A Place is where a target really is.
type Place struct {
	Path    string // absolute, links resolved
	Written string // as it was written, absolute
	Scope   risk.Scope
	Info    world.Info
	Missing bool   // nothing is there now
	Unread  bool   // the file system did not answer
	Link    bool   // the target itself is a link and was not followed
	Via     string // the link that leads elsewhere, if one did
	Root    bool   // the root of the file system, of a home, of a workspace or of temp
}

// Locate resolves an absolute path. follow says whether the operation follows
// a link in the last element: writing does, deleting does not.
func (s *Space) Locate(fs *overlay.FS, name string, follow bool) Place {
	p := Place{Written: path.Clean(name)}
	resolved, ok := world.Resolve(fs, name, follow)
	p.Path = resolved
	if !ok { // a loop, or it is not known where it leads
		p.Unread, p.Scope, p.Root = true, s.unknown(resolved), s.isRoot(resolved)
		return p
	}
	info, err := fs.Lstat(resolved)
	if err != nil && !errors.Is(err, world.ErrNotRead) {
		p.Unread, p.Scope, p.Root = true, s.unknown(resolved), s.isRoot(resolved)
		return p
	}
	p.Info, p.Unread = info, err != nil
	p.Missing = err == nil && info.Kind == world.Missing
	p.Link = info.Kind == world.Symlink
	if resolved != p.Written {
		p.Via = p.Written
	}
	p.Scope = s.scope(resolved, info)
	if name, ok := s.twin(fs, p); ok {
		p.Path, p.Via = name, p.Written
		p.Scope = s.scope(name, info)
		return p
	}
	p.Root = s.isRoot(resolved)
	return p
}

// isRoot reports whether a path is the root of the file system, of a home, of a
// workspace or of temp.
func (s *Space) isRoot(p string) bool {
	return p == "/" || s.OwnHome(p) || s.isTempRoot(p) || s.aroundRoot(p)
}

// unknown is the scope of a path that may lead elsewhere: its name alone may be
// a reason to guard it, and none to think that it is of little worth.
func (s *Space) unknown(p string) risk.Scope {
	scope := s.Scope(p)
	if scope == risk.InWorkspace || scope == risk.InTemp {
		return risk.ScopeUnknown
	}
	return scope
}

// aroundRoot reports whether a path is a directory of the workspace's roots, or one
// that holds such.
func (s *Space) aroundRoot(p string) bool {
	return slices.ContainsFunc(s.Roots(), func(r string) bool { return Inside(r, p) })
}

// Inside reports whether p is dir or below it.
func Inside(p, dir string) bool {
	return p == dir || dir == "/" || strings.HasPrefix(p, dir) && len(p) > len(dir) && p[len(dir)] == '/'
}

// Loose reports whether a directory is in the workspace, or one for temporary
// files outside the home: its name alone is looked at.
func (s *Space) Loose(p string) bool {
	inside := func(dir string) bool { return Inside(p, dir) }
	return slices.ContainsFunc(s.Roots(), inside) || s.homeOf(p) != s.Home && slices.ContainsFunc(s.Temp, inside)
}

// Scope classifies a resolved path whose file is not looked at.
func (s *Space) Scope(p string) risk.Scope { return s.scope(p, world.Info{}) }

func (s *Space) scope(p string, info world.Info) risk.Scope {
	switch p {
	case "/dev/null", "/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom":
		return risk.IsNull
	}
	if strings.HasPrefix(p, "/dev/fd/") || strings.HasPrefix(p, "/dev/heed-fd/") || strings.HasPrefix(p, "/dev/pts/") || strings.HasPrefix(p, "/proc/self/fd/") {
		return risk.IsNull
	}
	if info.Kind == world.BlockDevice || info.Kind == world.CharDevice || Inside(p, "/dev") && !Inside(p, "/dev/shm") || sysWritable(p) {
		return risk.IsDevice
	}
	home := s.homeOf(p)
	switch {
	case isAgentConfig(p):
		return risk.IsAgentConfig
	case isStartup(p, home):
		return risk.IsStartup
	case isSecret(p, home), SecretDir(p):
		return risk.IsSecret
	case isAccounts(p):
		return risk.IsAccounts
	}
	for _, r := range s.Roots() {
		if Inside(p, r) {
			return risk.InWorkspace
		}
	}
	if isServed(p) {
		return risk.IsStartup
	}
	if s.OwnHome(home) {
		if r := s.repo(path.Dir(p)); r != nil && r.Root() != "" && r.Root() != home {
			return risk.InOtherRepo
		}
		return risk.InHome
	}
	for _, t := range s.Temp {
		if Inside(p, t) {
			if info.Kind == world.Dir && !s.isTempRoot(p) { // a repository is nobody's temporary file
				if r, err := s.find(p); err != nil || r != nil && r.Root() != "" {
					return risk.InOtherRepo
				}
			}
			return risk.InTemp
		}
	}
	if home != "" {
		return risk.InOtherHome
	}
	return risk.InSystem
}

// sysWritable are kernel interfaces that act on the machine when written.
func sysWritable(p string) bool {
	return Inside(p, "/proc/sys") || p == "/proc/sysrq-trigger" || Inside(p, "/sys")
}

// Foreign reports whether a path is in the home of somebody else.
func (s *Space) Foreign(p string) bool {
	home := s.homeOf(p)
	return home != "" && !s.OwnHome(home)
}

// OwnHome reports whether a directory is the home of who would run the command:
// the one that HOME names, or the one that is named after the user, which stays
// theirs where a session has been given another HOME.
func (s *Space) OwnHome(p string) bool {
	name := s.World.User.Name
	return p != "" && (p == s.Home || name != "" && (p == "/home/"+name || p == "/Users/"+name))
}

// homeOf returns the home directory that holds p, or "".
func (s *Space) homeOf(p string) string {
	if s.Home != "" && s.Home != "/" && Inside(p, s.Home) {
		return s.Home
	}
	if Inside(p, "/root") {
		return "/root"
	}
	for _, base := range []string{"/home/", "/Users/"} {
		if rest, ok := strings.CutPrefix(p, base); ok {
			name, _, _ := strings.Cut(rest, "/")
			if name != "" && name != "Shared" {
				return base + name
			}
		}
	}
	return ""
}
