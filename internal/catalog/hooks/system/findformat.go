package system

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// formatted tells what -printf prints of the paths that are found. Where it prints
// more of a file than its name, the lines have a path in them and are not known.
func (f *findRun) formatted(paths value.Value) {
	unknown := value.Unknown(risk.CauseOutput, "find")
	f.r.Stdout = &unknown
	if len(f.prints) != 1 || f.printsText || len(f.starts) != 1 {
		return
	}
	format, known := f.format.Known()
	start, ok := f.starts[0].Known()
	if !known || !ok {
		return
	}
	line, end, ok := nameFormat(format, start)
	switch {
	case !ok:
		if strings.Contains(format, "%p") {
			f.r.Prints, f.r.Stdout = catalog.PrintsPaths, nil
		}
		return
	case paths.IsKnown():
		text, _ := paths.Known()
		var names []string
		for name := range strings.SplitSeq(strings.TrimSuffix(text, f.end()), f.end()) {
			names = append(names, line(name))
		}
		f.r.Prints, f.r.Stdout = catalog.PrintsPaths, site.Listed(names, end)
		*f.r.Stdout = f.r.Stdout.With(paths.Taint())
		return
	}
	one := value.Of(*paths.Holes()[0]).With(paths.Taint())
	if strings.Trim(format, `\n0`) != "%p" {
		one = one.Map(line, value.AnyText)
	}
	text := value.Concat(one, value.Lit(end))
	f.r.Prints, f.r.Stdout = catalog.PrintsPaths, &text
}

// nameFormat reads a format of -printf that is made of names alone (find(1),
// "-printf format"): the path, its last element, the directory of it, the path
// below the start; and the end of each line.
func nameFormat(format, start string) (line func(name string) string, end string, ok bool) {
	switch {
	case strings.HasSuffix(format, `\n`):
		end = "\n"
	case strings.HasSuffix(format, `\0`):
		end = "\x00"
	default:
		return nil, "", false
	}
	format = format[:len(format)-2]
	plain := strings.NewReplacer("%%", "", "%p", "", "%f", "", "%h", "", "%P", "").Replace(format)
	if strings.ContainsAny(plain, `%\`) {
		return nil, "", false
	}
	return func(name string) string {
		dir, last := path.Split(name)
		dir = strings.TrimSuffix(dir, "/")
		if dir == "" {
			dir = "."
		}
		if last == "" {
			last = name
		}
		below := strings.TrimPrefix(strings.TrimPrefix(name, start), "/")
		return strings.NewReplacer("%%", "%", "%p", name, "%f", last, "%h", dir, "%P", below).Replace(format)
	}, end, true
}
