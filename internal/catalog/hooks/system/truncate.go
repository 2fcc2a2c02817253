package system

import (
	"path"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// truncate tells files that grow from those that lose their end ("truncate
// invocation": +N and >N never take anything away; N does where more is there).
func truncate(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	size, given := m.Value("size")
	if of, ok := m.Value("reference"); ok && !given { // -s is relative to it then
		size, given = sizeOf(of, s)
	}
	for _, file := range m.Values("file") {
		e := catalog.Effect{Verb: risk.FSWrite, Target: file, Arg: "file", Kind: risk.KindTruncate}
		if given && (!m.Has("reference") || !m.Has("size")) && grows(size, file, s) {
			e.Kind = risk.KindAppend
		}
		r.Effects = append(r.Effects, e)
	}
}

// sizeOf is the size of a file that is there, as truncate takes it.
func sizeOf(file value.Value, s *catalog.Site) (value.Value, bool) {
	name, known := file.Known()
	if !known || s.World == nil || s.World.FS == nil || s.Dir == "" {
		return value.Value{}, false
	}
	if !path.IsAbs(name) {
		name = path.Join(s.Dir, name)
	}
	i, err := world.Stat(s.World.FS, name)
	return value.Lit(strconv.FormatInt(i.Size, 10)), err == nil && i.Kind == world.Regular
}

// grows reports whether a file keeps all that it holds at a new size.
func grows(size, file value.Value, s *catalog.Site) bool {
	text, known := size.Known()
	if !known || text == "" {
		return false
	}
	if strings.HasPrefix(text, "+") || strings.HasPrefix(text, ">") {
		return true
	}
	bytes, err := strconv.ParseInt(text, 10, 64)
	name, named := file.Known()
	if err != nil || !named || s.World == nil || s.World.FS == nil || s.Dir == "" {
		return false
	}
	if !path.IsAbs(name) {
		name = path.Join(s.Dir, name)
	}
	i, err := world.Stat(s.World.FS, name)
	return err == nil && i.Kind == world.Regular && i.Size <= bytes
}
