package text

import (
	"path"
	"slices"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// maxCompared is how many entries of a directory are looked at.
const maxCompared = 2000

// compare shows the files of two directories that are called the same, without those of the
// directories in them (GNU diffutils 3.10, "Comparing Directories"); diff3 and wdiff take none.
// A file and a directory are that file and the one of its name.
func compare(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	files := append(m.Values("file"), m.Values("other")...)
	if len(files) != 2 || m.Has("recursive") {
		return
	}
	a, b := files[0], files[1]
	first, second := site.IsDirectory(s, a), site.IsDirectory(s, b)
	switch {
	case first && second:
		both(m, s, r, a, b)
	case first:
		within(s, r, a, b)
	case second:
		within(s, r, b, a)
	}
}

// within shows the file of a directory that is called like another file.
func within(s *catalog.Site, r *catalog.Result, dir, like value.Value) {
	if file := site.Inside(dir, site.BaseOf(like)); !site.IsMissing(s, file) {
		site.ShowFiles(r, []value.Value{file}, true)
	}
}

// both shows what two directories have under one name.
func both(m *catalog.Match, s *catalog.Site, r *catalog.Result, a, b value.Value) {
	one, _ := a.Known()
	other, _ := b.Known()
	entries, err := s.World.FS.ReadDir(site.Full(s, one), maxCompared)
	deep := slices.Contains([]string{"delta", "difft", "diffoscope"}, s.Name) // without being asked, and of what is in one alone too
	if deep || err != nil || len(entries) == maxCompared || s.Walk != nil && !s.Walk(one, len(entries)) {
		for _, dir := range []value.Value{a, b} { // whatever is in them
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: dir, Recursive: true, Shown: true})
		}
		return
	}
	if one == other && !m.Given("-y") && !m.Given("--side-by-side") && s.Name != "sdiff" {
		return // no file differs from itself
	}
	for _, e := range entries {
		if kind, ok := site.KindAt(s, path.Join(other, e.Name)); e.Kind != world.Dir && (!ok || kind != world.Dir && kind != world.Missing) {
			site.ShowFiles(r, []value.Value{value.Lit(path.Join(one, e.Name)), value.Lit(path.Join(other, e.Name))}, true)
		}
	}
}
