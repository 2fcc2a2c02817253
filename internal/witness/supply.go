package witness

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// supply makes what a command works on and what is not there, below the home of a world:
// an example of a spec names files that no world has. take removes all of it again.
func (w *World) supply(a *risk.Assessment) (made bool, take func(), err error) {
	root, err := os.OpenRoot(w.Home)
	if err != nil {
		return false, nil, fmt.Errorf("opening a world: %w", err)
	}
	var firsts []string // of what was made, the parts that were not there
	take = func() {
		for _, name := range firsts {
			root.RemoveAll(name) //nolint:errcheck // the world is thrown away
		}
		root.Close() //nolint:errcheck // nothing was written through it itself
	}
	for _, m := range wanted(a) {
		rel, err := filepath.Rel(w.Home, m.path)
		if err != nil || !filepath.IsLocal(rel) || rel == "." {
			continue
		}
		if _, err := root.Lstat(rel); err == nil {
			continue
		}
		first := rel
		for dir := filepath.Dir(rel); dir != "."; dir = filepath.Dir(dir) {
			if _, err := root.Lstat(dir); err == nil {
				break
			}
			first = dir
		}
		firsts = append(firsts, first)
		dir := filepath.Dir(rel)
		if m.dir || m.whole {
			dir = rel
		}
		err = root.MkdirAll(dir, 0o755)
		switch {
		case err == nil && m.whole:
			err = root.WriteFile(filepath.Join(rel, "file"), []byte(contents), 0o700)
		case err == nil && !m.dir:
			err = root.WriteFile(rel, []byte(contents), 0o700)
		}
		if err != nil {
			continue // a file stands where a directory would have to: the command finds it so too
		}
		made = true
	}
	return made, take, nil
}

// contents are those of a file that is made: three lines of text, and a script that does
// nothing where an example runs it. Its mode is one that most changes of modes change.
const contents = "#!/bin/sh\n# two\n# three\n"

// A want is what a command works on: a file, a directory with a file in it if whole, or an
// empty one if dir.
type want struct {
	path       string
	dir, whole bool
}

// wanted lists what a command reads, deletes, moves or changes, and what it says to miss.
func wanted(a *risk.Assessment) (all []want) {
	add := func(w want) {
		if !strings.ContainsAny(w.path, "*?[\x00") && !slices.ContainsFunc(all, func(o want) bool { return o.path == w.path }) {
			all = append(all, w)
		}
	}
	for i := range a.Effects {
		e := &a.Effects[i]
		if e.Host != "" || e.Unresolved != "" || !filepath.IsAbs(e.Target) {
			continue
		}
		switch e.Verb {
		case risk.FSRead, risk.FSDelete, risk.FSMove, risk.FSAttr:
			add(want{path: filepath.Clean(e.Target), dir: e.Kind == risk.KindEmptyDirectory, whole: e.Recursive || strings.HasSuffix(e.Target, "/")})
		}
	}
	for i := range a.Invocations {
		if end := a.Invocations[i].Ends; end != nil && end.How == risk.EndFails {
			for _, name := range end.Missing {
				add(want{path: filepath.Clean(name)})
			}
		}
	}
	return all
}
