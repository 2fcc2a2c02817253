package system

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// statNumbers are the directives of stat that print a number in digits ("stat
// invocation").
var statNumbers = []string{"%a", "%b", "%B", "%d", "%g", "%h", "%i", "%o", "%s", "%u", "%W", "%X", "%Y", "%Z"}

// stat tells what is printed where a format asks for names, or for one number.
func stat(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	v, given := m.Value("format")
	raw, printed := m.Value("printed")
	if printed {
		v, given = raw, !given
	}
	format, known := v.Known()
	if !given || !known || s.Unread || m.Help {
		return
	}
	end := "\n"
	if printed { // ends no line by itself, and reads escapes
		switch {
		case strings.HasSuffix(format, `\n`):
		case strings.HasSuffix(format, `\0`):
			end = "\x00"
		default:
			end = ""
		}
		if end != "" {
			format = format[:len(format)-2]
		}
		if strings.Contains(format, `\`) {
			end = ""
		}
	}
	files := m.Values("file")
	switch {
	case slices.Contains(statNumbers, format) && len(files) == 1:
		r.Prints = catalog.PrintsNumber
	case !strings.Contains(format, "%n"):
	case end == "" || strings.Contains(strings.ReplaceAll(format, "%n", ""), "%"):
		r.Prints = catalog.PrintsPaths
	default:
		r.Prints, r.Stdout = catalog.PrintsPaths, statNames(s, files, format, end, m.Given("-L"))
	}
}

// written reports whether somebody wrote the name of a file, and no search or
// pattern found it.
func written(v value.Value) bool { return v.Pattern() == "" && !v.Taint().Has(value.Found) }

// statNames are the lines that stat prints of files that are there; nil where that
// is not known of one.
func statNames(s *catalog.Site, files []value.Value, format, end string, follow bool) *value.Value {
	if s.World == nil || s.World.FS == nil || s.Dir == "" || len(files) > maxWords {
		return nil
	}
	var names []string
	var taint value.Taint
	for _, v := range files {
		name, known := v.Known()
		if !known || s.Walk != nil && !s.Walk(site.Full(s, name), 1) {
			return nil
		}
		look := s.World.FS.Lstat
		if follow {
			look = func(name string) (world.Info, error) { return world.Stat(s.World.FS, name) }
		}
		if i, err := look(site.Full(s, name)); err != nil || i.Kind == world.Missing { // it may be there by then
			return nil
		}
		names = append(names, strings.ReplaceAll(format, "%n", name))
		taint |= v.Taint()
		if written(v) {
			taint |= value.Picked
		}
	}
	text := site.Listed(names, end).With(taint)
	return &text
}

// umask prints the mask only where it is not given one, or is asked to by -S.
func umask(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	switch _, given := m.Value("mode"); {
	case m.Given("-S"):
	case given:
		r.Prints = catalog.PrintsNothing
	default:
		r.Prints = catalog.PrintsNumber
	}
}
