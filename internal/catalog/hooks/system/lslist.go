package system

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// lsInert are the options of ls with which it prints the same names, one a line,
// where its output is no terminal ("ls invocation").
var lsInert = []string{
	"-1", "--author", "-N", "--literal", "--show-control-chars", "-h", "--human-readable", "--si", "-k", "--kibibytes", "-G", "--no-group",
	"-w", "--width", "-T", "--tabsize", "--time-style", "--block-size", "-H", "--dereference-command-line", "--dereference-command-line-symlink-to-dir", "-L", "--dereference",
}

// ls lists what it would print into a pipe, if that is names alone.
func ls(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	l := lsRun{m: m, s: s}
	if s.World == nil || s.World.FS == nil || s.Dir == "" || s.Unread || m.Help {
		return
	}
	if m.Has("hidden") && l.onlyDirs() {
		m.Set("dirs")
	}
	if !l.options() {
		return
	}
	if names, ok := l.list(); ok {
		r.Stdout = site.Listed(names, "\n")
		if l.picked {
			*r.Stdout = r.Stdout.With(value.Picked)
		}
	}
}

// onlyDirs reports whether all that is listed are directories.
func (l *lsRun) onlyDirs() bool {
	for _, v := range l.m.Values("file") {
		name, known := v.Known()
		if !path.IsAbs(name) {
			name = path.Join(l.s.Dir, name)
		}
		if i, err := world.Stat(l.s.World.FS, path.Clean(name)); !known || err != nil || i.Kind != world.Dir {
			return false
		}
	}
	return true
}

// lsRun is one call of ls.
type lsRun struct {
	m *catalog.Match
	s *catalog.Site

	all, almost, themselves, slash, reverse bool
	order                                   string // "name", "time", "size" or "none"
	picked                                  bool   // somebody wrote the name of a file that is listed
}

// A lsFile is a file that is listed.
type lsFile struct {
	name string
	info world.Info
}

// options reads the options; it reports false for those that change what is
// printed in a way that is not followed.
func (l *lsRun) options() bool {
	l.order = "name"
	for _, o := range l.m.Options() {
		is := func(names ...string) bool {
			return slices.ContainsFunc(o.Names, func(n string) bool { return slices.Contains(names, n) })
		}
		switch {
		case is("-a", "--all"):
			l.all = true
		case is("-A", "--almost-all"):
			l.almost = true
		case is("-d", "--directory"):
			l.themselves = true
		case is("-p"):
			l.slash = true
		case is("-r", "--reverse"):
			l.reverse = true
		case is("-t"):
			l.order = "time"
		case is("-S"):
			l.order = "size"
		case is("-U"):
			l.order = "none"
		case is("-f"):
			l.all, l.order = true, "none"
		case is("--color"): // without a word it is always
			if when, _ := l.m.Value("color"); !slices.Contains([]string{"never", "no", "none", "auto", "tty", "if-tty"}, when.Prefix()) {
				return false
			}
		case !is(lsInert...):
			return false
		}
	}
	return true
}

// list returns the lines that are printed.
func (l *lsRun) list() ([]string, bool) {
	var files, dirs []lsFile
	given := l.m.Values("file")
	for _, v := range given {
		name, known := v.Known()
		if !known {
			return nil, false
		}
		full := name
		if !path.IsAbs(full) {
			full = path.Join(l.s.Dir, full)
		}
		i, err := world.Stat(l.s.World.FS, path.Clean(full))
		if i.Kind == world.Missing && err == nil { // of a link that leads nowhere it prints the name
			i, err = l.s.World.FS.Lstat(path.Clean(full))
		}
		switch {
		case err != nil:
			return nil, false
		case i.Kind == world.Missing: // it may be there by then
			return nil, false
		case i.Kind == world.Dir && !l.themselves:
			dirs = append(dirs, lsFile{name, i})
		default:
			files = append(files, lsFile{name, i})
			l.picked = l.picked || written(v)
		}
	}
	out := l.names(files)
	l.sort(dirs)
	for i, d := range dirs {
		entries, ok := l.entries(d.name)
		if !ok {
			return nil, false
		}
		if len(given) > 1 {
			if i > 0 || len(files) > 0 {
				out = append(out, "")
			}
			out = append(out, d.name+":")
		}
		out = append(out, l.names(entries)...)
	}
	return out, len(out) <= maxWords
}

// entries are the files in a directory that are listed.
func (l *lsRun) entries(dir string) ([]lsFile, bool) {
	if !path.IsAbs(dir) {
		dir = path.Join(l.s.Dir, dir)
	}
	dir, ok := world.Resolve(l.s.World.FS, path.Clean(dir), true)
	if !ok {
		return nil, false
	}
	found, err := l.s.World.FS.ReadDir(dir, maxEntries)
	if err != nil || l.s.Walk != nil && !l.s.Walk(dir, len(found)) {
		return nil, false
	}
	var out []lsFile
	if l.all {
		out = append(out, lsFile{name: ".", info: world.Info{Kind: world.Dir}}, lsFile{name: "..", info: world.Info{Kind: world.Dir}})
	}
	for _, e := range found {
		if strings.HasPrefix(e.Name, ".") && !l.all && !l.almost {
			continue
		}
		f := lsFile{name: e.Name, info: world.Info{Kind: e.Kind}}
		if l.order == "time" || l.order == "size" {
			if f.info, err = l.s.World.FS.Lstat(path.Join(dir, e.Name)); err != nil {
				return nil, false
			}
		}
		out = append(out, f)
	}
	return out, true
}

func (l *lsRun) names(files []lsFile) []string {
	l.sort(files)
	out := make([]string, len(files))
	for i, f := range files {
		if out[i] = f.name; l.slash && f.info.Kind == world.Dir {
			out[i] += "/"
		}
	}
	return out
}

// sort orders files as ls does. Those of one time or size are in the order of
// their names.
func (l *lsRun) sort(files []lsFile) {
	if l.order == "none" {
		return
	}
	slices.SortStableFunc(files, func(a, b lsFile) int {
		order := 0
		switch l.order {
		case "time":
			order = cmp.Compare(b.info.MTime, a.info.MTime)
		case "size":
			order = cmp.Compare(b.info.Size, a.info.Size)
		}
		if order == 0 {
			order = strings.Compare(a.name, b.name)
		}
		if l.reverse {
			return -order
		}
		return order
	})
}
