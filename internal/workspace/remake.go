package workspace

import (
	"encoding/json"
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
// toolchain documents, or what the manifest itself speaks of.

// A recipe says that directories or files of a name can be made again when
// one of the named files lies beside them, or above them in the workspace.
type recipe struct {
	names []string // of the target; may end in *, or begin with *. and is a file's then
	from  []string // any of them; none: always
	// own says that nobody but the tool gives such a name.
	own bool
	// spoken says that the manifest has to speak of the name, or to have a script
	// or target "build".
	spoken bool
}

var recipes = []recipe{
	{[]string{"node_modules", ".pnpm-store", "bower_components", "jspm_packages"}, []string{"package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "npm-shrinkwrap.json", "package.json", "bower.json"}, true, false},
	{[]string{"target"}, []string{"Cargo.lock", "Cargo.toml", "pom.xml", "build.sbt", "project.clj"}, false, false},
	{[]string{".venv", ".tox", ".nox", ".eggs", "*.egg-info"}, []string{"uv.lock", "poetry.lock", "Pipfile.lock", "requirements.txt", "pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "tox.ini", "environment.yml"}, true, false},
	{[]string{"venv", "env"}, []string{"uv.lock", "poetry.lock", "Pipfile.lock", "requirements.txt", "pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "tox.ini", "environment.yml"}, false, false},
	{[]string{"build", "cmake-build-*", "build-*", "Debug", "Release"}, []string{"CMakeLists.txt", "meson.build"}, false, false},
	{[]string{"build", "dist", "wheelhouse", "htmlcov"}, []string{"pyproject.toml", "setup.py", "setup.cfg"}, false, false},
	{[]string{"build"}, []string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "pubspec.yaml"}, false, false},
	{[]string{"_build", "deps"}, []string{"mix.exs", "rebar.config", "dune-project"}, false, false},
	{[]string{"site"}, []string{"mkdocs.yml", "mkdocs.yaml"}, false, false},
	{[]string{"_site"}, []string{"_config.yml"}, false, false},
	{[]string{"build", "dist"}, []string{"package.json", "Makefile", "makefile", "GNUmakefile", "Rakefile", "Justfile", "justfile", "Taskfile.yml"}, false, false},
	{[]string{"out", "bin", "obj", "lib", "output", "_build", "public", "site", ".output", "build-*", "release", "debug", "htmlcov", "coverage", "storybook-static", "target"}, []string{"package.json", "Makefile", "makefile", "GNUmakefile", "Rakefile", "Justfile", "justfile", "Taskfile.yml"}, false, true},
	{[]string{".next", ".nuxt", ".svelte-kit", ".parcel-cache", ".turbo", ".vite", ".angular", ".docusaurus", ".expo", ".nyc_output", ".eslintcache", "*.tsbuildinfo", ".yarn"}, []string{"package.json"}, true, false},
	{[]string{".cache"}, []string{"package.json"}, false, false},
	{[]string{"vendor"}, []string{"composer.lock", "composer.json", "Gemfile.lock", "vendor/modules.txt"}, false, false},
	{[]string{".gradle", "Pods", "DerivedData", ".build", ".dart_tool", ".terraform", ".stack-work", "dist-newstyle", "elm-stuff", ".bundle"}, []string{"build.gradle", "build.gradle.kts", "settings.gradle", "Podfile.lock", "Podfile", "Package.swift", "pubspec.lock", "mix.lock", "mix.exs", ".terraform.lock.hcl", "main.tf", "stack.yaml", "cabal.project", "elm.json", "Gemfile.lock", "Gemfile"}, true, false},
	{[]string{"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints", "*.pyc", "*.pyo", "*.o", "*.obj", "*.a", "*.so", "*.class", "*.gch", ".coverage", ".sass-cache", ".DS_Store", "*.d", "CMakeFiles", "CMakeCache.txt", ".ccls-cache", ".clangd", "*.swp", "*~", ".nx"}, nil, true, false},
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
		name, dir, inside := "", "", false
		for n, d := path.Base(target), path.Dir(target); ; n, d = path.Base(d), path.Dir(d) { // the target may lie inside such a directory
			if matchesAny(n, r.names, path.Join(d, n) != target || isDir(fs, target)) {
				name, dir, inside = n, d, true
			}
			if d == "/" || slices.Contains(s.Roots(), d) || !s.inRoots(d) {
				break
			}
		}
		if !inside {
			continue
		}
		if r.from == nil {
			return maker{risk.RemedyMakers("the next build or test run"), r.own}
		}
		if file := s.nearest(fs, dir, r.from, func(file string) bool { return !r.spoken || speaks(fs, file, name) }); file != "" {
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

// maxManifest is how much of a manifest is read for the names in it, in bytes.
const maxManifest = 64 << 10

// speaks reports whether a manifest speaks of a directory, or makes something
// by the name of build.
func speaks(fs *overlay.FS, file, name string) bool {
	data, err := fs.ReadFile(file, maxManifest)
	if err != nil {
		return false
	}
	text := string(data)
	if path.Base(file) == "package.json" {
		var manifest struct{ Scripts map[string]string }
		if json.Unmarshal(data, &manifest) == nil && manifest.Scripts["build"] != "" && (name == "build" || name == "dist" || name == "out" || name == ".output") {
			return true
		}
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(name)
		if !wordByte(text, start-1) && !wordByte(text, end) {
			return true
		}
		from = end
	}
}

// wordByte reports whether a byte of a text is one of a name.
func wordByte(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	return c == '_' || c == '-' || c == '.' && i > 0 || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}

// precious are kinds of files that no build writes: databases, states, keys.
var precious = []string{".db", ".sqlite", ".sqlite3", ".tfstate", ".kdbx", ".pem", ".key", ".p12", ".rdb", ".mdb"}

// Bounds of a look for what is precious.
const (
	preciousDeep    = 4
	preciousEntries = 30000
)

// holdsPrecious reports whether a directory holds what cannot be made again,
// whatever is made there: a repository, a database, a state, a key. In one that
// is a tool's own, packages bring keys and databases of theirs.
func (s *Space) holdsPrecious(fs *overlay.FS, dir string, own bool) bool {
	left := preciousEntries
	return s.preciousBelow(fs, dir, own, preciousDeep, &left)
}

func (s *Space) preciousBelow(fs *overlay.FS, dir string, own bool, deep int, left *int) bool {
	entries, err := fs.ReadDir(dir, max(*left, 1))
	*left -= len(entries) + 1
	if err != nil || *left <= 0 { // what was not looked at may be anything, but for a tool's own directory
		return !own
	}
	for _, e := range entries {
		full := path.Join(dir, e.Name)
		if e.Name == ".git" || !own && e.Kind == world.Regular && s.isPrecious(full) {
			return true
		}
		if e.Kind == world.Dir && deep > 0 && s.preciousBelow(fs, full, own, deep-1, left) {
			return true
		}
	}
	return false
}

// isPrecious reports whether a file is of a kind that no tool writes where it
// puts what it makes: a database, a state, a key.
func (s *Space) isPrecious(name string) bool {
	return slices.Contains(precious, path.Ext(name)) || s.Scope(name) == risk.IsSecret
}
