package recipe

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/world"
)

// withoutPackages says why a package manager does nothing in the packages that an option
// chooses: there are none (npm 10, "workspaces"; pnpm 10, "Filtering"; Bun 1.2, "--filter").
func withoutPackages(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	chosen := m.Values("workspace")
	at := projectDir(m, s, "dir")
	if s.World == nil || s.World.FS == nil || at == "" || m.Has("help") || m.Has("global") {
		return
	}
	var any bool
	switch name := m.Program.Names[0]; name {
	case "npm":
		if (m.Given("-w") || m.Given("-ws")) && strings.Fields(m.Node().Name)[0] != "init" && !workspaces(s, at) {
			r.Lacks = "package.json names no workspaces"
		}
		return
	case "pnpm":
		if m.Given("-w") && !upwards(s, at, "pnpm-workspace.yaml") {
			r.Lacks = "there is no pnpm-workspace.yaml here or above"
			return
		}
		any = upwards(s, at, "pnpm-workspace.yaml")
	case "bun":
		any = workspaces(s, at)
	default:
		return
	}
	if len(chosen) != 1 || any { // which packages there are is written elsewhere
		return
	}
	filter, known := chosen[0].Known()
	if !known || filter == "" || strings.ContainsAny(filter, "![]{}^") || strings.HasSuffix(filter, "...") || strings.HasPrefix(filter, "...") {
		return
	}
	w := packageWalk{s: s, filter: strings.TrimSuffix(strings.TrimPrefix(filter, "./"), "/"), byPath: strings.HasPrefix(filter, ".")}
	if !w.none(at, "", 0) {
		return
	}
	if m.Program.Names[0] == "bun" {
		r.Lacks = "no package here matches " + filter
	} else {
		r.Spares = "no package here matches " + filter
	}
}

// workspaces reports whether a package.json in a directory or above it names, or may name,
// workspaces, or there is none.
func workspaces(s *catalog.Site, dir string) bool {
	for found := false; ; found = true {
		p, ok := findManifest(s, dir, "package.json")
		if !ok {
			return !found
		}
		if p.workspaces || p.dir == "/" {
			return p.workspaces
		}
		dir = path.Dir(p.dir)
	}
}

// upwards reports whether a file is, or may be, in a directory or in one above.
func upwards(s *catalog.Site, dir, file string) bool {
	for range manifestClimb {
		if info, err := world.Stat(s.World.FS, path.Join(dir, file)); err != nil || info.Kind != world.Missing {
			return true
		}
		if dir == "/" {
			return false
		}
		dir = path.Dir(dir)
	}
	return true
}

// A packageWalk looks for packages that a filter matches.
type packageWalk struct {
	s      *catalog.Site
	filter string
	byPath bool
	seen   int
}

// maxPackageDirs is how many directories are looked through for packages.
const maxPackageDirs = 400

// none reports whether surely no package at or below a directory matches the filter.
func (w *packageWalk) none(dir, rel string, depth int) bool {
	entries, err := w.s.World.FS.ReadDir(dir, maxPackageDirs)
	if w.seen++; err != nil || len(entries) >= maxPackageDirs || w.seen > maxPackageDirs || depth > 12 || w.s.Walk != nil && !w.s.Walk(dir, len(entries)) {
		return false
	}
	for _, e := range entries {
		switch {
		case e.Name == "package.json":
			if w.matches(dir, rel) {
				return false
			}
		case e.Name == "node_modules" || strings.HasPrefix(e.Name, ".") || e.Kind == world.Regular:
		case e.Kind != world.Dir:
			return false
		case !w.none(path.Join(dir, e.Name), path.Join(rel, e.Name), depth+1):
			return false
		}
	}
	return true
}

// matches reports whether the filter matches, or may match, the package in a directory.
func (w *packageWalk) matches(dir, rel string) bool {
	subject := rel
	if !w.byPath {
		p, ok := findManifest(w.s, dir, "package.json")
		if subject = p.name; !ok || subject == "" {
			return !ok
		}
	}
	if strings.Contains(w.filter, "**") {
		before, _, _ := strings.Cut(w.filter, "**")
		return strings.HasPrefix(subject+"/", before)
	}
	ok, err := path.Match(w.filter, subject)
	_, bare, scoped := strings.Cut(subject, "/") // pnpm finds @scope/name by its name too
	return ok || err != nil || !w.byPath && scoped && bare == w.filter
}
