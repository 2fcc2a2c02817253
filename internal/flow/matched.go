package flow

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// The bounds of a look for secrets among what a search can find.
const (
	maxLooked = 400 // entries
	maxDeep   = 2   // directories below the one that it starts from
)

// matched are the taints of the contents of what a search finds by the name of a
// secret.
func (sc *Scene) matched(st *shell.State, target value.Value) value.Taint {
	for _, h := range target.Holes() {
		if base, ok := searched(st, h); ok && !strings.Contains(h.Last, "|") && sc.Space.Scope(path.Join(base, strings.Trim(h.Last, "*"))) == risk.IsSecret {
			return value.Secret
		}
	}
	return 0
}

// searched is the directory below which a hole is some path.
func searched(st *shell.State, h *value.Hole) (dir string, ok bool) {
	if h.Shape != value.Below {
		return "", false
	}
	base, ok := Absolute(st, value.Lit(h.Base)).Known()
	return path.Clean(base), ok
}

// passes reports whether a program only looks for lines in a file whose name a
// search found among others: that nobody named it, nor asked for its like.
func (d *Deed) passes(x *catalog.Effect) bool {
	t := x.Target.Taint()
	return t.Has(value.Found) && !t.Has(value.Picked) && d.onlySearches()
}

// onlySearches reports whether a program looks for lines, and not for each of them.
func (d *Deed) onlySearches() bool {
	return d.Result.Traits.Has(catalog.Searches) && !d.Result.Match.Has("every-line")
}

// namesFiles reports whether a search prints the names of files that have what it
// looks for.
func (d *Deed) namesFiles() bool {
	r := d.Result
	return r.Match != nil && r.Traits.Has(catalog.Searches) && !r.Match.Help && (r.Match.Has("names") || r.Match.Has("without")) && !r.ReadsStdin
}

// happens reports whether there is a secret among what a search or a listing
// finds, or in a directory that is shown whole. A program that only looks for lines in it passes over it; one that
// shows all of it does not.
func (d *Deed) happens(target value.Value, whole bool) bool {
	if c := d.State.Context; c.Host != "" || c.Container != "" || d.onlySearches() && !target.Taint().Has(value.Picked) {
		return false
	}
	if none(target) { // looked for, and not there
		return false
	}
	f, ok := findings(target)
	if name, known := target.Known(); known && whole {
		f, ok = finding{dir: name, deep: maxDeep}, true
	}
	if !ok {
		return false
	}
	dir, ok := Absolute(d.State, value.Lit(f.dir)).Known()
	if !ok {
		return false
	}
	left := maxLooked
	found := d.findsSecret(d.State, path.Clean(dir), f.pattern, f.deep, &left)
	d.found = cmp.Or(found, d.found)
	return found != ""
}

// A finding is what one of several found files is called: a directory, how far
// below it the file may be, and a pattern of its name.
type finding struct {
	dir, pattern string
	deep         int
}

// findings reads a target that stands for files that a search or a listing
// found: below a directory, or with a name of those in it.
func findings(target value.Value) (f finding, ok bool) {
	parts := target.Parts()
	named := false
	for i, p := range slices.Backward(parts) {
		switch {
		case p.Hole == nil:
			dir, name, cut := lastCut(p.Lit)
			f.pattern = name + f.pattern
			if !cut {
				continue
			}
			if i > 0 && parts[i-1].Hole != nil && dir == "" {
				before := parts[i-1].Hole
				f.dir, f.deep = before.Base, maxDeep
				return f, i == 1 && before.Shape == value.Below && (named || before.Cause == risk.CauseMatch)
			}
			f.dir = dir + "/"
			return f, i == 0 && named
		case p.Hole.Cause != risk.CauseMatch || p.Hole.Lists.Of == value.OfPlainFiles:
			return f, false
		case p.Hole.Shape == value.Below:
			if f.pattern == "" {
				f.pattern = p.Hole.Last
			} else {
				f.pattern = "*" + f.pattern
			}
			f.dir, f.deep = p.Hole.Base, maxDeep
			return f, i == 0
		case p.Hole.Shape == value.Word:
			named = true
			f.pattern = cmp.Or(p.Hole.Last, "*") + f.pattern
		default:
			return f, false
		}
	}
	f.dir = "."
	return f, named
}

// lastCut cuts a text behind its last slash.
func lastCut(text string) (dir, name string, cut bool) {
	i := strings.LastIndexByte(text, '/')
	return text[:max(i, 0)], text[i+1:], i >= 0
}

// findsSecret returns a file of secrets in a directory whose name matches a
// pattern, or "" if there is none; the empty pattern matches all.
func (sc *Scene) findsSecret(st *shell.State, dir, pattern string, deep int, left *int) string {
	if *left <= 0 || !sc.Spend(2) {
		return ""
	}
	entries, err := st.FS.ReadDir(dir, *left)
	if err != nil && len(entries) == 0 {
		i, failed := st.FS.Lstat(dir)
		file := i.Kind == world.Regular && sc.Space.Scope(dir) == risk.IsSecret // one file is what is searched
		closed := i.Kind == world.Dir && !errors.Is(err, fs.ErrPermission)      // what is in there is not known
		if failed == nil && (file || closed) {
			return dir
		}
		return ""
	}
	*left -= len(entries)
	for _, e := range entries {
		full := path.Join(dir, e.Name)
		switch e.Kind {
		case world.Regular:
			if fits(pattern, e.Name) && sc.Space.Scope(full) == risk.IsSecret {
				return full
			}
		case world.Dir:
			if deep == 0 || e.Name == ".git" || e.Name == "node_modules" {
				continue
			}
			if found := sc.findsSecret(st, full, pattern, deep-1, left); found != "" {
				return found
			}
		}
	}
	return ""
}

// fits reports whether a name matches the pattern of a search, or one of several
// with bars between them.
func fits(pattern, name string) bool {
	if pattern == "" {
		return true
	}
	for p := range strings.SplitSeq(pattern, "|") {
		if ok, err := path.Match(p, name); ok && err == nil {
			return true
		}
	}
	return false
}

// readBelow is the directory that holds all that a program reads, as its words
// have it: where the names that it prints are from.
func readBelow(r *catalog.Result) string {
	base, arg := "", ""
	for i := range r.Effects {
		if r.Effects[i].Verb != risk.FSRead || base != "" && r.Effects[i].Arg != arg {
			continue
		}
		arg = r.Effects[i].Arg
		switch s, ok := r.Effects[i].Target.Known(); {
		case !ok:
			return cmp.Or(base, ".")
		case base == "":
			base = s
		case base != s:
			base = value.Around([]string{base + "/-", s})
		}
	}
	return cmp.Or(base, ".")
}

// asksFor is the pattern of the names that a search leaves of a list of files, where
// it looks for plain text at their ends.
func (d *Deed) asksFor() (glob string, ok bool) {
	m := d.Result.Match
	if m == nil || !d.Result.Traits.Has(catalog.Searches) || m.Has("inverted") || m.Has("quiet") {
		return "", false
	}
	patterns := append(m.Values("pattern"), m.Values("expression")...)
	if len(patterns) != 1 {
		return "", false
	}
	text, known := patterns[0].Known()
	text = strings.ReplaceAll(text, `\.`, ".")
	end := strings.HasSuffix(text, "$")
	if text = strings.TrimSuffix(text, "$"); !known || text == "" || strings.ContainsAny(text, `\^$*+?[](){}|/`) {
		return "", false
	}
	if end {
		return "*" + text, true
	}
	return "*" + text + "*", true
}

// eachTurn is what a list of files that is worked out comes to where a loop is
// walked once for all its turns: what is picked of it in one turn may be gone in
// the next, so that each of them is meant.
func eachTurn(list value.Value, command string) value.Value {
	text, known := list.Known()
	if !known || text == "" || !list.Taint().Has(value.Found) {
		return list
	}
	end := text[len(text)-1:]
	names := strings.Split(strings.TrimSuffix(text, end), end)
	if len(names) < 2 {
		return list
	}
	return value.Concat(value.OneFile(command, names), value.Lit(end)).With(list.Taint())
}

// seeksSecrets reports whether a search by name is for files of credentials: for
// nothing else, or for words of credentials in these too, and there is one. A search
// for files of any name passes over what nobody asked for.
func (d *Deed) seeksSecrets(target value.Value, names []string) bool {
	if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return !d.credentialFile(name) }) {
		return true
	}
	base, known := Absolute(d.State, target).Known()
	left := maxLooked
	return known && d.looksFor(credentialWords.Get()) && slices.ContainsFunc(names, func(name string) bool {
		return strings.Trim(name, "*") != "" && d.findsSecret(d.State, path.Clean(base), name, maxDeep, &left) != ""
	})
}
