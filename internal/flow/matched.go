package flow

import (
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
		if base, ok := searched(st, h); ok && sc.Space.Scope(path.Join(base, strings.Trim(h.Last, "*"))) == risk.IsSecret {
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

// happens reports whether there is a secret among what a search finds. A program
// that only looks for lines in it passes over it; one that shows all of it does
// not.
func (d *Deed) happens(target value.Value) bool {
	if d.elsewhere() || d.Result.Traits.Has(catalog.Searches) {
		return false
	}
	for _, h := range target.Holes() {
		base, ok := searched(d.State, h)
		if !ok || h.Cause != risk.CauseMatch || h.Lists.Of == value.OfPlainFiles {
			continue
		}
		if left := maxLooked; d.findsSecret(d.State, base, h.Last, maxDeep, &left) {
			return true
		}
	}
	return false
}

// findsSecret reports whether a directory has a file of secrets whose name
// matches a pattern; the empty one matches all.
func (sc *Scene) findsSecret(st *shell.State, dir, pattern string, deep int, left *int) bool {
	if *left <= 0 || !sc.Spend(2) {
		return false
	}
	entries, err := st.FS.ReadDir(dir, *left)
	if err != nil {
		return false
	}
	*left -= len(entries)
	for _, e := range entries {
		full := path.Join(dir, e.Name)
		switch e.Kind {
		case world.Regular:
			if fits(pattern, e.Name) && sc.Space.Scope(full) == risk.IsSecret {
				return true
			}
		case world.Dir:
			if deep > 0 && e.Name != ".git" && e.Name != "node_modules" && sc.findsSecret(st, full, pattern, deep-1, left) {
				return true
			}
		}
	}
	return false
}

// fits reports whether a name matches the pattern of a search.
func fits(pattern, name string) bool {
	if pattern == "" {
		return true
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// onlySecrets reports whether a search is limited to files of credentials. Where
// others are looked into too, it passes over them.
func (sc *Scene) onlySecrets(names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return !sc.credentialFile(name) })
}
