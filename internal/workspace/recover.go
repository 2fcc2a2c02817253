package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// Budgets of a walk, in directory entries; past them the sentence says "more
// than". Outside the workspace the tier does not depend on the count, so that
// little is enough for the sentence.
const (
	walkBudget   = 10000
	glanceBudget = 1000
	totalBudget  = 20000 // of all walks for one request
)

// A Recovery says whether a target could be brought back, and what is at
// stake if not.
type Recovery struct {
	Reversible risk.Reversible
	Remedy     risk.Remedy
	Counts     risk.Counts
	Names      []string // some of what would be lost, relative to the repository
}

// Add adds what another target would lose: the worse of both counts.
func (r *Recovery) Add(other Recovery) {
	c, o := &r.Counts, &other.Counts
	c.Files, c.Bytes, c.Untracked, c.Modified, c.AtLeast = c.Files+o.Files, c.Bytes+o.Bytes, c.Untracked+o.Untracked, c.Modified+o.Modified, c.AtLeast || o.AtLeast
	if badness(other.Reversible) > badness(r.Reversible) || r.Remedy.IsZero() && r.Reversible == other.Reversible {
		r.Reversible, r.Remedy = other.Reversible, other.Remedy
	}
}

// badness orders answers by how much they would lose.
func badness(r risk.Reversible) int {
	switch r {
	case risk.NothingThere:
		return 0
	case risk.Restorable:
		return 1
	case risk.Regenerable:
		return 2
	case risk.Partly:
		return 3
	}
	return 4
}

// Recover works out what deleting or replacing a place would lose.
func (s *Space) Recover(fs *overlay.FS, p Place, recursive bool) Recovery {
	switch {
	case p.Link:
		return Recovery{Reversible: risk.Restorable, Remedy: risk.RemedyLink, Counts: risk.Counts{Files: 1}}
	case fs.Made(p.Path):
		return Recovery{Reversible: risk.Restorable, Remedy: risk.RemedyMade}
	case p.Missing:
		return Recovery{Reversible: risk.NothingThere, Remedy: s.remedy(fs, p.Path)}
	case p.Unread:
		return Recovery{Reversible: risk.Lost}
	}
	repo := s.repo(p.Path)
	if p.Info.Kind != world.Dir {
		repo = s.repo(path.Dir(p.Path))
	}
	if p.Info.Kind == world.Dir {
		return s.recoverDir(fs, repo, p.Path, recursive)
	}
	return s.recoverFile(fs, repo, p)
}

func (s *Space) recoverFile(fs *overlay.FS, repo world.Repo, p Place) Recovery {
	r := Recovery{Reversible: risk.Lost, Counts: risk.Counts{Files: 1, Bytes: p.Info.Size}}
	if repo == nil {
		if p.Info.Size == 0 {
			r.Reversible = risk.Restorable
			r.Remedy = risk.RemedyEmpty
		}
		return r
	}
	switch repo.State(p.Path) {
	case world.Clean:
		r.Reversible, r.Remedy = risk.Restorable, risk.RemedyGit
	case world.MaybeModified, world.Staged:
		r.Counts.Modified = 1
	case world.Untracked:
		r.Counts.Untracked = 1
	case world.Ignored:
		if how := s.remedy(fs, p.Path); !how.IsZero() {
			r.Reversible, r.Remedy = risk.Regenerable, how
		}
	}
	return r
}

func (s *Space) recoverDir(fs *overlay.FS, repo world.Repo, dir string, recursive bool) Recovery {
	if !recursive {
		return Recovery{Reversible: risk.Restorable, Remedy: risk.RemedyDir}
	}
	if dir == "/" { // a count of its first files would only make it small
		return Recovery{Reversible: risk.Lost, Counts: risk.Counts{AtLeast: true}}
	}
	how := s.remedy(fs, dir)
	if repo == nil || repo.Root() == "" {
		files, bytes, complete := s.count(fs, dir)
		r := Recovery{Reversible: risk.Lost, Counts: risk.Counts{Files: files, Bytes: bytes, AtLeast: !complete}}
		switch {
		case !how.IsZero():
			r.Reversible, r.Remedy = risk.Regenerable, how
		case files == 0 && complete:
			r.Reversible, r.Remedy = risk.Restorable, risk.RemedyEmpty
		}
		return r
	}
	if Inside(dir, repo.GitDir()) {
		return Recovery{Reversible: risk.Lost, Counts: risk.Counts{Files: 1, AtLeast: true}}
	}
	st := repo.Status(dir, walkBudget)
	r := Recovery{Counts: risk.Counts{
		Files: st.Tracked + st.Untracked + st.Ignored, Bytes: st.Bytes,
		Untracked: st.Untracked, Modified: st.Modified, AtLeast: !st.Complete,
	}, Names: append(st.SomeModified, st.SomeUntracked...)}
	switch {
	case Inside(repo.Root(), dir): // the repository itself goes, its history included
		r.Reversible = risk.Lost
	case st.Ignored > 0 && st.Tracked+st.Untracked == 0:
		r.Reversible = risk.Lost
		if !how.IsZero() {
			r.Reversible, r.Remedy = risk.Regenerable, how
		}
	case !how.IsZero() && st.Modified == 0:
		r.Reversible, r.Remedy = risk.Regenerable, how
	case st.Untracked+st.Modified+st.Ignored == 0:
		r.Reversible, r.Remedy = risk.Restorable, risk.RemedyGit
	case st.Tracked > st.Modified:
		r.Reversible = risk.Partly
	default:
		r.Reversible = risk.Lost
	}
	if r.Counts.Files == 0 && st.Complete {
		r.Reversible, r.Remedy = risk.Restorable, risk.RemedyEmpty
	}
	return r
}

// count walks a directory that is in no repository.
func (s *Space) count(fs *overlay.FS, dir string) (files int, bytes int64, complete bool) {
	budget := walkBudget
	if !s.inRoots(dir) {
		budget = glanceBudget
	}
	budget = min(budget, s.left)
	defer func(had int) { s.left -= had - max(budget, 0) }(budget)
	todo := []string{dir}
	for len(todo) > 0 {
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if m, err := fs.Mount(d); err != nil || m.Remote {
			return files, bytes, false
		}
		entries, err := fs.ReadDir(d, budget)
		if err != nil {
			complete = false
			if len(entries) == 0 {
				return files, bytes, false
			}
		}
		if budget -= len(entries) + 1; budget <= 0 {
			return files + len(entries), bytes, false
		}
		for _, e := range entries {
			if e.Kind == world.Dir {
				todo = append(todo, path.Join(d, e.Name))
				continue
			}
			files++
		}
	}
	return files, bytes, true
}

// A recipe says that directories or files of a name can be made again when
// one of the named files lies beside them, or above them in the workspace.
type recipe struct {
	names []string // of the target; may end in *, or begin with *.
	from  []string // any of them; none: always
}

var recipes = []recipe{
	{[]string{"node_modules", ".pnpm-store", "bower_components", "jspm_packages"}, []string{"package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "npm-shrinkwrap.json", "package.json", "bower.json"}},
	{[]string{"target"}, []string{"Cargo.lock", "Cargo.toml", "pom.xml", "build.sbt", "project.clj"}},
	{[]string{".venv", "venv", "env", ".tox", ".nox", ".eggs", "*.egg-info"}, []string{"uv.lock", "poetry.lock", "Pipfile.lock", "requirements.txt", "pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "tox.ini", "environment.yml"}},
	{[]string{"build", "dist", "out", "bin", "obj", "lib", "output", "_build", "public", "site", ".output", "cmake-build-*", "build-*", "release", "debug", "Release", "Debug", "htmlcov", "wheelhouse"}, []string{"package.json", "Makefile", "makefile", "GNUmakefile", "CMakeLists.txt", "pyproject.toml", "setup.py", "build.gradle", "build.gradle.kts", "go.mod", "Cargo.toml", "pom.xml", "meson.build", "mkdocs.yml", "mix.exs", "rebar.config", "dune-project", "Rakefile", "Justfile", "justfile", "pubspec.yaml", "*.csproj"}},
	{[]string{".next", ".nuxt", ".svelte-kit", ".parcel-cache", ".turbo", ".vite", ".angular", ".docusaurus", ".expo", ".cache", ".nyc_output", "coverage", "storybook-static", ".eslintcache", "*.tsbuildinfo", ".yarn"}, []string{"package.json"}},
	{[]string{"vendor"}, []string{"go.mod", "composer.lock", "composer.json", "Gemfile.lock", "Cargo.toml"}},
	{[]string{".gradle", "Pods", "DerivedData", ".build", ".dart_tool", "deps", ".terraform", ".stack-work", "dist-newstyle", "elm-stuff", ".bundle"}, []string{"build.gradle", "build.gradle.kts", "settings.gradle", "Podfile.lock", "Podfile", "Package.swift", "pubspec.lock", "mix.lock", "mix.exs", ".terraform.lock.hcl", "main.tf", "stack.yaml", "cabal.project", "elm.json", "Gemfile.lock", "Gemfile"}},
	{[]string{"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints", "*.pyc", "*.pyo", "*.o", "*.obj", "*.a", "*.so", "*.class", "*.gch", ".coverage", ".sass-cache", ".DS_Store", "*.d", "CMakeFiles", "CMakeCache.txt", ".ccls-cache", ".clangd", "*.swp", "*~", ".nx"}, nil},
}

// remedy names what could make a target again: a build or lock file beside it
// or above it, or "the next build" for caches that every tool remakes.
func (s *Space) remedy(fs *overlay.FS, target string) risk.Remedy {
	for _, r := range recipes {
		dir, inside := "", false
		for n, d := path.Base(target), path.Dir(target); ; n, d = path.Base(d), path.Dir(d) { // the target may lie inside such a directory
			if matchesAny(n, r.names) {
				dir, inside = d, true
			}
			if d == "/" || slices.Contains(s.Roots(), d) || !s.inRoots(d) {
				break
			}
		}
		if !inside {
			continue
		}
		if r.from == nil {
			return risk.RemedyMakers("the next build or test run")
		}
		if file := s.nearest(fs, dir, r.from); file != "" {
			return risk.RemedyMakers(file)
		}
	}
	return risk.Remedy{}
}

func (s *Space) inRoots(p string) bool {
	return slices.ContainsFunc(s.Roots(), func(r string) bool { return Inside(p, r) })
}

func matchesAny(name string, patterns []string) bool {
	for _, p := range patterns {
		if p == name {
			return true
		}
		if s, ok := strings.CutPrefix(p, "*"); ok && strings.HasSuffix(name, s) && name != s {
			return true
		}
		if s, ok := strings.CutSuffix(p, "*"); ok && strings.HasPrefix(name, s) {
			return true
		}
	}
	return false
}

// nearest looks for one of the named files in dir and in the directories
// above it, up to the workspace's root.
func (s *Space) nearest(fs *overlay.FS, dir string, names []string) string {
	for range 32 {
		for _, n := range names {
			if strings.HasPrefix(n, "*") {
				continue
			}
			if i, err := fs.Lstat(path.Join(dir, n)); err == nil && i.Kind == world.Regular {
				return n
			}
		}
		if dir == "/" || slices.Contains(s.Roots(), dir) || !s.inRoots(dir) {
			return ""
		}
		dir = path.Dir(dir)
	}
	return ""
}
