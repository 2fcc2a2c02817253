package buildfile

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// The bounds of looking for files.
const (
	maxFound   = 500
	maxEntries = 20000
)

// wildcard evaluates $(wildcard PATTERN…): the names of files that there are
// ("The Function wildcard").
func (m *Make) wildcard(v value.Value) value.Value {
	var out []value.Value
	for _, w := range words(v) {
		pattern, known := w.Known()
		var found []string
		if known {
			found, known = m.glob(pattern)
		}
		if !known {
			out = append(out, m.matching(w))
			continue
		}
		for _, name := range found {
			out = append(out, value.Lit(name))
		}
	}
	return join(out)
}

// matching is what a pattern matches that cannot be looked at: paths below
// what of it is plain.
func (m *Make) matching(w value.Value) value.Value {
	base := w.Prefix()
	if i := strings.IndexAny(base, `*?[\`); i >= 0 {
		base = base[:i]
	}
	base = base[:strings.LastIndexByte(base, '/')+1]
	if !path.IsAbs(base) {
		base = path.Join(m.site.Dir, base)
	}
	if base == "" || !w.IsKnown() && w.Prefix() == "" {
		return value.Unknown(risk.CauseMatch, w.String())
	}
	return value.Of(value.Hole{Cause: risk.CauseMatch, Name: w.String(), Shape: value.Below, Base: path.Clean(base)})
}

// glob returns the files that a pattern matches, in order; ok is false where
// that cannot be looked up, or there are too many.
func (m *Make) glob(pattern string) (found []string, ok bool) {
	full := pattern
	if rest, home := strings.CutPrefix(pattern, "~/"); home {
		v, _ := m.site.env("HOME")
		dir, known := v.Known()
		if !known || dir == "" {
			return nil, false
		}
		pattern = path.Join(dir, rest)
		full = pattern
	}
	if !path.IsAbs(full) {
		if m.site.Dir == "" {
			return nil, false
		}
		full = m.site.Dir + "/" + full
	}
	if m.site.FS == nil || len(full) > maxText {
		return nil, false
	}
	elements := strings.Split(strings.TrimPrefix(full, "/"), "/")
	plain := 0 // elements of the directory that a relative pattern is in
	if !path.IsAbs(pattern) {
		plain = len(elements) - len(strings.Split(pattern, "/"))
	}
	at := []string{"/" + strings.Join(elements[:plain], "/")}
	shown := []string{""}
	if plain == 0 {
		shown[0] = "/"
	}
	for i, element := range elements[plain:] {
		at, shown, ok = m.step(at, shown, element, plain+i == len(elements)-1)
		if !ok {
			return nil, false
		}
	}
	return shown, true
}

// step goes on from directories to what one element of a pattern matches.
func (m *Make) step(at, shown []string, element string, last bool) (next, names []string, ok bool) {
	add := func(i int, name string) {
		next = append(next, path.Join(at[i], name))
		as := shown[i] + name
		if !last {
			as += "/"
		}
		names = append(names, as)
	}
	for i, dir := range at {
		if element == "" {
			add(i, "")
			continue
		}
		if !strings.ContainsAny(element, `*?[\`) {
			info, err := m.site.FS.Lstat(path.Join(dir, element))
			if err != nil {
				return nil, nil, false
			}
			if info.Kind != world.Missing {
				add(i, element)
			}
			continue
		}
		resolved, ok := world.Resolve(m.site.FS, dir, true)
		info, err := m.site.FS.Lstat(resolved)
		if ok && err == nil && info.Kind != world.Dir {
			continue
		}
		entries, err := m.site.FS.ReadDir(resolved, maxEntries)
		if !ok || err != nil || m.spent(1+len(entries)/16, 0) {
			return nil, nil, false
		}
		for _, e := range entries {
			match, err := path.Match(strings.ReplaceAll(element, "[!", "[^"), e.Name)
			if err != nil || !match || e.Name[0] == '.' && element[0] != '.' {
				continue
			}
			if add(i, e.Name); len(next) > maxFound {
				return nil, nil, false
			}
		}
	}
	return next, names, true
}

// paths evaluates abspath and realpath ("Functions for File Names").
func (m *Make) paths(name string, v value.Value) value.Value {
	var out []value.Value
	for _, w := range words(v) {
		text, known := w.Known()
		switch full, ok := m.path(text); {
		case !known && strings.HasPrefix(w.Prefix(), "/"):
			out = append(out, w)
		case !known && w.Prefix() != "" && m.site.Dir != "":
			out = append(out, value.Concat(value.Lit(m.site.Dir+"/"), w))
		case !known || !ok:
			out = append(out, rewrittenOr(w, name))
		case name == "abspath":
			out = append(out, value.Lit(full).With(w.Taint()))
		case m.site.FS == nil:
			out = append(out, value.Of(value.Hole{Cause: risk.CauseUnknown, Name: name, Shape: value.AnyPath}))
		default: // of what there is
			resolved, ok := world.Resolve(m.site.FS, full, true)
			if info, err := m.site.FS.Lstat(resolved); !ok || err == nil && info.Kind == world.Missing {
				continue
			}
			out = append(out, value.Lit(resolved).With(w.Taint()))
		}
	}
	return join(out)
}

// rewrittenOr is a hole for a word that was changed.
func rewrittenOr(w value.Value, name string) value.Value {
	if w.IsKnown() {
		return value.Unknown(risk.CauseUnknown, name).With(w.Taint())
	}
	return rewritten(w)
}
