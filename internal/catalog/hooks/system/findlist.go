package system

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Bounds of what is told file by file; what is more is told as one.
const (
	maxEach  = 24  // commands that run for one file each
	maxWords = 256 // words of one command, and lines that are printed
)

// listed records what is done for exactly what is found below a start path.
func (f *findRun) listed(start value.Value, found map[int][]string, out *value.Builder) {
	for _, n := range f.removes {
		f.remove(start, found[n])
	}
	for i := range f.commands {
		f.runFor(&f.commands[i], start, found[f.commands[i].number])
	}
	printed := found[0]
	if f.acts {
		printed = nil
		for _, n := range f.prints {
			printed = append(printed, found[n]...)
		}
	}
	for _, v := range f.names(start, printed, maxWords) {
		out.Add(v)
		out.WriteString(f.end())
	}
}

// nothing records the actions that are for nothing now, wherever the search
// starts: there may be something by then.
func (f *findRun) nothing(before int) {
	if len(f.r.Effects)+len(f.r.Runs) > before {
		return
	}
	start := f.starts[0]
	if f.deletes {
		f.r.Effects = append(f.r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: f.none(start), Arg: "path", Many: true, Kind: risk.KindFind})
	}
	for _, c := range f.commands {
		run := forEach(c.words, "{}", f.none(start))
		run.Gone = f.idle()
		f.r.Runs = append(f.r.Runs, run)
	}
}

// idle is why a command runs for nothing now; nil where find says so itself, which is not
// given a directory, or more than one.
func (f *findRun) idle() *risk.Ending {
	where, known := f.starts[0].Known()
	if kind, looked := site.KindAt(f.site, where); len(f.starts) > 1 || f.r.Lacks != "" || !known || !looked || kind != world.Dir {
		return nil
	}
	what := "nothing"
	if len(f.r.Sought) == 1 {
		what = "no file named " + f.r.Sought[0]
	}
	return &risk.Ending{How: risk.EndIdle, Because: what + " is found in " + where}
}

// none is a name of something that is not there now.
func (f *findRun) none(start value.Value) value.Value {
	h := *site.MatchedBelow("find", start, f.name).Holes()[0]
	h.None = true
	return value.Of(h).With(f.taint(start))
}

// names are the names that are found, or one that stands for all of them where
// they are too many.
func (f *findRun) names(start value.Value, list []string, most int) []value.Value {
	if len(list) > most {
		return []value.Value{f.among(start, list)}
	}
	out := make([]value.Value, len(list))
	for i, name := range list {
		out[i] = value.Lit(name).With(f.taint(start))
	}
	return out
}

// taint says of a name that it was found, and whether a test asks for it.
func (f *findRun) taint(start value.Value) value.Taint {
	t := start.Taint() | value.Found
	if f.asked {
		t |= value.Picked
	}
	return t
}

// among is a name that stands for all that are found.
func (f *findRun) among(start value.Value, list []string) value.Value {
	h := *site.MatchedBelow("find", start, f.name).Holes()[0]
	h.Among = list
	h.Self = slices.Contains(list, h.Base)
	return value.Of(h).With(f.taint(start))
}

// remove records what -delete takes away.
func (f *findRun) remove(start value.Value, list []string) {
	all, whole := deletions(list, f.site)
	if len(all) == 0 {
		return
	}
	if len(all) > maxEach {
		f.r.Effects = append(f.r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: f.among(start, all), Arg: "path", Recursive: true, Many: true, Kind: risk.KindFind})
		return
	}
	for _, name := range all {
		e := catalog.Effect{Verb: risk.FSDelete, Target: value.Lit(name).With(f.taint(start)), Arg: "path", Recursive: whole[name]}
		if whole[name] && isEmpty(name, f.site) {
			e.Recursive, e.Kind = false, risk.KindEmptyDirectory
		}
		f.r.Effects = append(f.r.Effects, e)
	}
}

// isEmpty reports whether a directory that was found has no file in it, only
// directories at most.
func isEmpty(name string, s *catalog.Site) bool {
	entries, err := s.World.FS.ReadDir(site.Full(s, name), maxEntries)
	return err == nil && len(entries) <= maxEach && !slices.ContainsFunc(entries, func(e world.Entry) bool {
		return e.Kind != world.Dir || !isEmpty(name+"/"+e.Name, s)
	})
}

// runFor records a command that runs for what is found: once for each, or, where
// its last word is +, for many at once.
func (f *findRun) runFor(c *findCommand, start value.Value, list []string) {
	switch {
	case len(list) == 0:
	case c.inDir:
		f.runInDirs(c, start, list)
	case c.many:
		run := catalog.Run{Kind: catalog.RunArgv, Many: len(list) > maxWords}
		run.Argv = append(slices.Clone(c.words[:len(c.words)-1]), f.names(start, list, maxWords)...)
		f.r.Runs = append(f.r.Runs, run)
	case len(list) > maxEach:
		f.r.Runs = append(f.r.Runs, forEach(c.words, "{}", f.among(start, list)))
	default:
		for _, v := range f.names(start, list, maxEach) {
			run := forEach(c.words, "{}", v)
			run.Many = false
			f.r.Runs = append(f.r.Runs, run)
		}
	}
}

// runInDirs records a command of -execdir, which runs where each file is.
func (f *findRun) runInDirs(c *findCommand, start value.Value, list []string) {
	if len(list) > maxEach || f.site.Dir == "" {
		f.r.Runs = append(f.r.Runs, f.run(c, start, f.among(start, list)))
		return
	}
	for _, name := range list {
		full := name
		if !path.IsAbs(full) {
			full = path.Join(f.site.Dir, full)
		}
		where := value.Lit(path.Dir(path.Clean(full)))
		run := forEach(c.words, "{}", value.Lit("./"+lastName(strings.TrimRight(name, "/"))).With(f.taint(start)))
		run.Dir, run.Many = &where, false
		f.r.Runs = append(f.r.Runs, run)
	}
}
