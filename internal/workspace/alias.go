package workspace

import (
	"errors"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// One file has many names: hard links are the same inode, and a directory that a
// protected name leads to is reached by its own name too.

// trusted reports whether the files of a scope are protected by their names.
func trusted(scope risk.Scope) bool {
	return scope == risk.IsAgentConfig || scope == risk.IsStartup || scope == risk.IsSecret
}

// twin returns the protected file that has the same inode as a file with more
// names than one (link(2)), if it is one of those that are known by their place.
func (s *Space) twin(fs *overlay.FS, p Place) (string, bool) {
	if p.Info.Kind != world.Regular || p.Info.Links < 2 || trusted(p.Scope) {
		return "", false
	}
	same := func(name string) bool {
		info, err := fs.Lstat(name)
		return err == nil && info.Same(p.Info)
	}
	look := func(dir string, lists ...[]string) (string, bool) {
		for _, list := range lists {
			for _, rest := range list {
				if name := path.Join(dir, rest); !strings.HasSuffix(rest, "/") && same(name) {
					return name, true
				}
			}
		}
		return "", false
	}
	if s.Home != "" {
		if name, ok := look(s.Home, startupInHome.paths, secretInHome.paths, agentFiles.paths); ok {
			return name, true
		}
		if entries, err := fs.ReadDir(path.Join(s.Home, ".ssh"), maxKeys); err == nil {
			for _, e := range entries {
				if name := path.Join(s.Home, ".ssh", e.Name); same(name) {
					return name, true
				}
			}
		}
	}
	for _, root := range s.Roots() {
		if name, ok := look(root, agentFiles.paths, secretNames, projectStartup); ok {
			return name, true
		}
	}
	return "", false
}

// maxKeys is how many files of a directory of keys are compared.
const maxKeys = 64

// projectStartup are the files of a project that are run or obeyed without
// anybody asking.
var projectStartup = []string{".git/config", ".envrc", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".vscode/tasks.json", ".cargo/config.toml"}

// Aliased returns the protected name of a path that is not protected by its own:
// where a hidden link in the workspace or the home leads to a directory around
// it.
func (s *Space) Aliased(fs *overlay.FS, p string) (string, bool) {
	for _, l := range s.hiddenLinks(fs) {
		if Inside(p, l.to) {
			if name := l.name + strings.TrimPrefix(p, l.to); trusted(s.Scope(name)) {
				return name, true
			}
		}
	}
	return "", false
}

// A hiddenLink is a link whose name begins with a dot, and where it leads to.
type hiddenLink struct{ name, to string }

// The directories that lists of protected files begin with, and that somebody may
// well have put a link in the place of: of a project, and of a home.
var (
	hiddenInProject = []string{".claude", ".cursor", ".gemini", ".codex", ".vscode", ".github", ".git", ".husky", ".cargo"}
	hiddenInHome    = []string{".claude", ".cursor", ".gemini", ".codex", ".ssh", ".aws", ".config", ".kube", ".gnupg", ".docker"}
)

// maxListed is how many entries of a directory are worth reading for the few names
// that are looked for in it.
const maxListed = 200

// Among yields those of some names below a directory that may be there: one reading
// of it answers for most of them, where the answer depends on all of it anyway.
func Among(fs *overlay.FS, dir string, names []string) iter.Seq[string] {
	entries, err := fs.ReadDir(dir, maxListed)
	return func(yield func(string) bool) {
		for _, name := range names {
			first, _, _ := strings.Cut(name, "/")
			_, there := slices.BinarySearchFunc(entries, first, func(e world.Entry, name string) int { return strings.Compare(e.Name, name) })
			if (there || err != nil && !errors.Is(err, world.ErrNotExist)) && !yield(path.Join(dir, name)) {
				return
			}
		}
	}
}

// hiddenLinks are the links of the workspace and the home, looked up once as long as
// the command has changed no file.
func (s *Space) hiddenLinks(fs *overlay.FS) []hiddenLink {
	if !fs.Untouched() {
		return s.findLinks(fs)
	}
	if !s.linked {
		s.linked, s.links = true, s.findLinks(fs)
	}
	return s.links
}

func (s *Space) findLinks(fs *overlay.FS) (links []hiddenLink) {
	look := func(dir string, names []string) {
		for _, h := range fs.Without(dir, names) { // each by itself: what else is there is nothing that an answer may depend on
			name := dir + "/" + h
			if info, err := fs.Lstat(name); err != nil || info.Kind != world.Symlink {
				continue
			}
			if to, ok := world.Resolve(fs, name, true); ok && to != "/" {
				links = append(links, hiddenLink{name, to})
			}
		}
	}
	if s.Home != "" && s.Home != "/" {
		look(s.Home, hiddenInHome)
	}
	for _, dir := range s.Roots() {
		look(dir, hiddenInProject)
	}
	return links
}

// Obeyed are the files of a project, below its directory, that are run or obeyed
// without anybody asking.
func Obeyed() []string {
	return []string{
		".git/config", ".git/hooks/pre-commit", ".git/hooks/post-checkout", ".git/hooks/pre-push", ".git/hooks/post-merge", ".husky/pre-commit", ".husky/pre-push", ".envrc", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs",
		".vscode/tasks.json", ".vscode/settings.json", ".vscode/mcp.json", ".cargo/config.toml", ".claude/settings.json", ".claude/settings.local.json", ".claude/hooks", ".claude.json", ".mcp.json", ".cursor/mcp.json", ".cursor/hooks.json",
		".gemini/settings.json", ".codex/config.toml", ".codex/hooks.json", ".github/hooks", ".opencode", "opencode.json", ".kiro", ".qwen/settings.json", ".roo/mcp.json", ".junie/mcp/mcp.json", ".aider.conf.yml", ".heed",
	}
}

// ObeyedBelow are the names, below a directory of this name, of what is run or obeyed
// without anybody asking, or says what an agent may do: those that are best known
// come first. Most directories have none.
func (s *Space) ObeyedBelow(dir string) []string {
	var out []string
	add := func(list []string, begins func(parent string) bool) {
		for _, name := range list {
			for i := strings.IndexByte(name, '/'); i >= 0; i = next(name, i) {
				if rest := strings.TrimSuffix(name[i+1:], "/"); rest != "" && begins(name[:i]) && !slices.Contains(out, rest) {
					out = append(out, rest)
				}
			}
		}
	}
	anywhere := func(parent string) bool { return strings.HasSuffix(dir, "/"+parent) }
	add(agentFiles.paths, anywhere)
	add(Obeyed(), anywhere)
	if s.Home != "" && Inside(dir, s.Home) {
		below := strings.TrimPrefix(dir[len(s.Home):], "/")
		add(startupInHome.paths, func(parent string) bool { return below == parent })
	}
	return out
}
