package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// What can be made again: files that a tool which is declared here makes, and
// nothing else. A name alone proves little: one that only a tool gives is enough,
// any other has to be ignored by git as well, and to be what the manifest's
// toolchain documents, or what the manifest itself makes.

// A recipe says that directories or files of a name can be made again when
// one of the named files lies beside them, or above them in the workspace.
type recipe struct {
	names []string // of the target; may end in *, or begin with *. and is a file's then
	from  []string // any of them, which may begin with *. ; none: always
	// own says that nobody but the tool gives such a name.
	own bool
	// made says that the manifest has to make something of the name (makes).
	made bool
	// holds are names of which the tool puts one into what it makes: a directory
	// that has something in it, and none of these, is somebody's own.
	holds []string
	// under is the name of the directory that the target lies in.
	under string
}

var recipes = []recipe{
	{names: []string{"node_modules", ".pnpm-store", "bower_components", "jspm_packages"}, from: []string{"package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "npm-shrinkwrap.json", "package.json", "bower.json"}, own: true},
	{names: []string{"target"}, from: []string{"Cargo.lock", "Cargo.toml", "pom.xml", "build.sbt", "project.clj"}},
	{names: []string{".venv", ".tox", ".nox", ".eggs", "*.egg-info"}, from: []string{"uv.lock", "poetry.lock", "Pipfile.lock", "requirements.txt", "pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "tox.ini", "environment.yml"}, own: true},
	{names: []string{"venv", "env"}, from: []string{"uv.lock", "poetry.lock", "Pipfile.lock", "requirements.txt", "pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "tox.ini", "environment.yml"}, holds: []string{"pyvenv.cfg", "conda-meta"}},
	{names: []string{"build", "cmake-build-*", "build-*", "builddir", "Debug", "Release"}, from: []string{"CMakeLists.txt", "meson.build"}, holds: []string{"CMakeCache.txt", "CMakeFiles", "build.ninja", "Makefile", "meson-info", "meson-private"}},
	{names: []string{"build", "dist", "wheelhouse", "htmlcov"}, from: []string{"pyproject.toml", "setup.py", "setup.cfg"}},
	{names: []string{"build"}, from: []string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "pubspec.yaml", "docusaurus.config.js", "docusaurus.config.ts", "svelte.config.js"}},
	{names: []string{"bin", "obj"}, from: []string{"*.csproj", "*.fsproj", "*.vbproj"}},
	{names: []string{"_build", "deps"}, from: []string{"mix.exs", "rebar.config", "dune-project"}},
	{names: []string{"site"}, from: []string{"mkdocs.yml", "mkdocs.yaml"}},
	{names: []string{"_site"}, from: []string{"_config.yml", ".eleventy.js", "eleventy.config.js"}},
	{names: []string{"public"}, from: []string{"hugo.toml", "hugo.yaml", "hugo.json"}},
	{names: []string{"public", ".cache"}, from: []string{"gatsby-config.js", "gatsby-config.ts", "gatsby-config.mjs"}},
	{names: []string{"out"}, from: []string{"next.config.js", "next.config.mjs", "next.config.ts"}},
	{names: []string{"dist"}, from: []string{"vite.config.js", "vite.config.ts", "vite.config.mjs", "vite.config.mts", "webpack.config.js", "angular.json", "astro.config.mjs", "astro.config.ts", "vue.config.js", "tsup.config.ts", ".goreleaser.yml", ".goreleaser.yaml"}},
	{names: []string{"zig-out", "zig-cache", ".zig-cache"}, from: []string{"build.zig"}, own: true},
	{names: []string{"build", "dist", "out", "bin", "obj", "lib", "output", "_build", "public", "site", ".output", "build-*", "release", "debug", "htmlcov", "coverage", "storybook-static", "target", "es", "esm", "cjs", "typings", "docs", "gen", "generated"}, from: []string{"package.json", "tsconfig.json", "Makefile", "makefile", "GNUmakefile", "Rakefile", "Justfile", "justfile", "Taskfile.yml", "Taskfile.yaml"}, made: true},
	{names: []string{".next", ".nuxt", ".svelte-kit", ".parcel-cache", ".turbo", ".vite", ".angular", ".docusaurus", ".expo", ".nyc_output", ".eslintcache", "*.tsbuildinfo"}, from: []string{"package.json"}, own: true},
	{names: []string{"cache", "unplugged", "install-state.gz", "build-state.yml"}, from: []string{"yarn.lock"}, under: ".yarn"},
	{names: []string{"vendor"}, from: []string{"composer.lock", "composer.json"}, holds: []string{"autoload.php", "composer"}},
	{names: []string{"vendor"}, from: []string{"Gemfile.lock", "Gemfile"}, holds: []string{"bundle", "ruby", "cache"}},
	{names: []string{"vendor"}, from: []string{"go.mod"}, holds: []string{"modules.txt"}},
	{names: []string{".gradle", "Pods", "DerivedData", ".build", ".dart_tool", ".terraform", ".stack-work", "dist-newstyle", "elm-stuff"}, from: []string{"build.gradle", "build.gradle.kts", "settings.gradle", "Podfile.lock", "Podfile", "Package.swift", "pubspec.lock", "mix.lock", "mix.exs", ".terraform.lock.hcl", "main.tf", "*.tf", "stack.yaml", "cabal.project", "elm.json"}, own: true},
	{names: []string{"*.obj", "*.a", "*.so", "*.d"}, from: []string{"CMakeLists.txt", "meson.build", "setup.py", "pyproject.toml", "configure.ac", "Cargo.toml", "binding.gyp", "Makefile", "makefile", "GNUmakefile", "Rakefile", "Justfile", "justfile", "Taskfile.yml", "Taskfile.yaml"}},
	{names: []string{"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints", "*.pyc", "*.pyo", "*.o", "*.class", "*.gch", ".coverage", ".sass-cache", ".DS_Store", "CMakeFiles", "CMakeCache.txt", ".ccls-cache", ".clangd", ".nx"}, own: true},
}

// A maker is what could make a target again.
type maker struct {
	risk.Remedy
	own bool // and nobody else gives such a name
}

// remedy names what could make a target again: a build or lock file beside it
// or above it, or "the next build" for caches that every tool remakes.
func (s *Space) remedy(fs *overlay.FS, target string) maker {
	for _, r := range recipes {
		inside := ""
		for at := target; ; { // the target may lie inside such a directory
			d := path.Dir(at)
			if matchesAny(path.Base(at), r.names, at != target || isDir(fs, target)) && (r.under == "" || path.Base(d) == r.under) {
				inside = at
			}
			if d == "/" || slices.Contains(s.Roots(), d) || !s.inRoots(d) {
				break
			}
			at = d
		}
		if inside == "" || !holdsOne(fs, inside, r.holds) {
			continue
		}
		dir, name := path.Dir(inside), path.Base(inside)
		if r.from == nil {
			return maker{risk.RemedyMakers("the next build or test run"), r.own}
		}
		if file := s.nearest(fs, dir, r.from, func(file string) bool { return !r.made || s.makes(fs, file, dir, name) }); file != "" {
			return maker{risk.RemedyMakers(file), r.own}
		}
	}
	return maker{}
}

func isDir(fs *overlay.FS, name string) bool {
	i, err := fs.Lstat(name)
	return err == nil && i.Kind == world.Dir
}

// matchesAny reports whether a name matches one of some patterns; a directory
// matches no pattern of the names of files.
func matchesAny(name string, patterns []string, dir bool) bool {
	for _, p := range patterns {
		if p == name {
			return true
		}
		if s, ok := strings.CutPrefix(p, "*"); ok && (!dir || p == "*.egg-info") && strings.HasSuffix(name, s) && name != s {
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
func (s *Space) nearest(fs *overlay.FS, dir string, names []string, fits func(file string) bool) string {
	for range 32 {
		for _, n := range names {
			if n = named(fs, dir, n); n == "" {
				continue
			}
			file := path.Join(dir, n)
			if i, err := fs.Lstat(file); err == nil && i.Kind == world.Regular && fits(file) {
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

// maxBeside is how many names of a directory are looked at for a manifest.
const maxBeside = 500

// named is the name of a file in dir that a name stands for which may begin
// with "*.", or "".
func named(fs *overlay.FS, dir, name string) string {
	suffix, many := strings.CutPrefix(name, "*")
	if !many {
		return name
	}
	entries, err := fs.ReadDir(dir, maxBeside)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name, suffix) {
			return e.Name
		}
	}
	return ""
}

// holdsOne reports whether a directory holds one of some names, or nothing at
// all, or is no directory that can be looked at.
func holdsOne(fs *overlay.FS, dir string, names []string) bool {
	if len(names) == 0 {
		return true
	}
	entries, err := fs.ReadDir(dir, maxBeside)
	if err != nil || len(entries) == 0 {
		return true
	}
	return slices.ContainsFunc(entries, func(e world.Entry) bool { return slices.Contains(names, e.Name) })
}
