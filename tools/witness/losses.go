//go:build linux

package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// losses are what a command took away for good: contents that are in no file
// and no object any more, and commits that nothing leads to.
type losses struct {
	gone    []string // files that are no more
	written []string // files that hold something else now
	commits int
	objects int      // of repositories, that are in none any more
	refs    bool     // refs lead elsewhere
	paths   []string // files that are not as they were under their name, wherever their contents are
	outside []string // what changed that is neither of the world nor temporary, nor a program's own record
}

// lost compares two states; root is where the second one lies.
func lost(before, after *state, root string) (l losses) {
	var ids []string
	for _, name := range slices.Sorted(maps.Keys(before.files)) {
		id := before.files[name]
		if after.files[name] == id {
			continue
		}
		ids, l.paths = append(ids, id), append(l.paths, name)
	}
	if len(ids) > 0 {
		have := after.kept(root, ids)
		after.unpack(root, before, have)
		for _, name := range slices.Sorted(maps.Keys(before.files)) {
			id := before.files[name]
			now, there := after.files[name]
			switch {
			case now == id || have[id]:
			case there:
				l.written = append(l.written, name)
			default:
				l.gone = append(l.gone, name)
			}
		}
	}
	l.refs = before.refs != after.refs
	for id := range before.objects {
		if !after.objects[id] {
			l.objects++
		}
	}
	for id := range before.commits {
		if !after.commits[id] {
			l.commits++
		}
	}
	return l
}

// made reports whether a file lies in a directory that the world's makers make
// again, and is of a kind that they write.
func made(name string) bool {
	switch ext := filepath.Ext(name); ext {
	case ".key", ".pem", ".sqlite3", ".tfstate", ".env":
		return false
	}
	for _, dir := range []string{"/node_modules/", "/build/", "/dist/", "/__pycache__/", "/.pytest_cache/", "/.mypy_cache/", "/target/"} {
		if strings.Contains(name, dir) {
			return true
		}
	}
	return false
}

// A fault is what an assessment says and what is not so.
type fault struct{ what, where string }

// hold holds an assessment against what a command did.
func hold(a *risk.Assessment, before, after *state, l losses, home string) (faults []fault) {
	// One file of the workspace that the command names is told of, and asked for,
	// but not stopped (docs/decision-table.md).
	named := func(name string) bool {
		return a.Level != risk.A && slices.ContainsFunc(a.Effects, func(e risk.Effect) bool {
			return e.Target == name && e.Scope == risk.InWorkspace && !e.Many
		})
	}
	real := slices.DeleteFunc(slices.Clone(l.gone), func(name string) bool { return made(name) || named(name) })
	if len(real) > 0 && a.Tier != risk.Review && (!strings.HasPrefix(real[0], home+"/.cache/")) {
		faults = append(faults, fault{"a loss below REVIEW", fmt.Sprint(real[:min(3, len(real))])})
	}
	if l.commits > 0 && a.Tier != risk.Review {
		faults = append(faults, fault{"commits lost below REVIEW", fmt.Sprint(l.commits)})
	}
	if len(l.written) > 0 && a.Tier != risk.Review && a.Level == risk.A {
		faults = append(faults, fault{"contents lost at level A", fmt.Sprint(l.written[:min(3, len(l.written))])})
	}
	for i := range a.Effects {
		if partly(a.Effects, i) {
			continue
		}
		if f := claim(&a.Effects[i], before, after, l); f.what != "" {
			faults = append(faults, f)
		}
	}
	return faults
}

// partly reports whether an effect speaks only of a part of what its target holds:
// what a pattern matches is told in groups, of which another one has the same target.
func partly(effects []risk.Effect, i int) bool {
	e := &effects[i]
	return e.Many && slices.ContainsFunc(effects, func(o risk.Effect) bool {
		return o.Verb == e.Verb && o.Target == e.Target && o.Many && o.Reversible != e.Reversible
	})
}

// claim holds what one effect says of what can be had back.
func claim(e *risk.Effect, before, after *state, l losses) fault {
	if e.Unresolved != "" || !strings.HasPrefix(e.Target, "/") {
		return fault{}
	}
	under := func(name string) bool {
		return name == e.Target || strings.HasPrefix(name, strings.TrimSuffix(e.Target, "/")+"/")
	}
	switch e.Verb {
	case risk.FSDelete, risk.FSWrite, risk.FSMove:
	default:
		return fault{}
	}
	gone := slices.ContainsFunc(l.gone, under) || slices.ContainsFunc(l.written, under)
	switch e.Reversible {
	case risk.NothingThere:
		_, file := before.files[e.Target]
		if !e.Many && (file || before.links[e.Target]) && gone {
			return fault{"says that nothing is there", e.Target}
		}
	case risk.Restorable:
		if e.Remedy == risk.RemedyGit && slices.ContainsFunc(l.gone, under) {
			return fault{"says that git can restore it", e.Target}
		}
	case risk.Regenerable:
		if at := slices.IndexFunc(l.gone, func(n string) bool { return under(n) && !made(n) }); at >= 0 {
			return fault{"says that it can be made again", l.gone[at]}
		}
	}
	if c := e.Counts; e.Verb == risk.FSDelete && c != nil && c.Files > 0 && !c.AtLeast && !e.Many && e.Certainty == risk.Certain && e.Named == "" {
		n := 0
		for name := range before.files {
			if under(name) {
				n++
			}
		}
		for name := range before.links {
			if under(name) {
				n++
			}
		}
		if _, stays := after.files[e.Target]; n != c.Files && n > 0 && !stays && !after.dirs[e.Target] {
			return fault{"miscounts", fmt.Sprintf("%s: says %d, %d were there", e.Target, c.Files, n)}
		}
	}
	return fault{}
}

// ofFiles reports whether an answer is of files and repositories only.
func ofFiles(a *risk.Assessment) bool {
	return !slices.ContainsFunc(a.Effects, func(e risk.Effect) bool {
		switch e.Verb {
		case risk.FSDelete, risk.FSWrite, risk.FSMove, risk.FSRead, risk.FSCreate, risk.VCSLocal, risk.VCSDiscard, risk.VCSRewrite:
			return false
		}
		return true
	})
}

// idle reports whether a command took nothing away.
func idle(l losses) bool {
	return !l.refs && len(l.gone)+len(l.written)+l.commits+l.objects+len(l.paths)+len(l.outside) == 0
}
