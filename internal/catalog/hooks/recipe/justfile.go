package recipe

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/buildfile"
	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// justHook reads the justfile and adds what its recipes run (The Just
// Programmer's Manual). What is not understood leaves "runs code of this
// project, not inspected" standing.
func justHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") || m.Has("list") || m.Has("init") || len(m.Values("command")) > 0 {
		return
	}
	var words []value.Value
	words = append(words, m.Values("recipe")...)
	words = append(words, m.Values("args")...)
	e := catalog.Effect{Verb: risk.ExecProject, Target: value.Lit("the justfile")}
	j, text := justfile(m, s)
	if j != nil {
		if name, ok := site.KnownValue(m, "set"); ok && len(words) > 0 { // --set NAME VALUE
			j.Set(name, words[0])
			words = words[1:]
		}
		words = j.Override(words)
		j.Read(text)
	}
	if len(words) > 0 {
		e.Target = words[0]
	}
	if j != nil && !m.Has("choose") && !m.Has("edit") && j.Goals(words) && !j.Partial() {
		e.Kind = risk.KindInspectedScript
	}
	r.Effects = append(r.Effects, e)
	if j != nil {
		r.Runs = append(r.Runs, justRuns(j)...)
	}
}

// justfile finds the justfile as just does: the one that is named, the one
// here, or that of the next directory above.
func justfile(m *catalog.Match, s *catalog.Site) (j *buildfile.Just, text string) {
	name, given := site.KnownValue(m, "justfile")
	ok := given
	if !given {
		name, ok = nearestJustfile(s)
	}
	if !ok {
		return nil, ""
	}
	if text, ok = site.SiteFile(s, value.Lit(name)); !ok {
		return nil, ""
	}
	if !path.IsAbs(name) {
		name = path.Join(s.Dir, name)
	}
	j = buildfile.NewJust(buildSite(s, s.Dir), name)
	if dir, ok := site.KnownValue(m, "dir"); ok {
		if !path.IsAbs(dir) {
			dir = path.Join(s.Dir, dir)
		}
		j.In(dir)
	}
	return j, text
}

func nearestJustfile(s *catalog.Site) (string, bool) {
	if s.World == nil || s.World.FS == nil || !path.IsAbs(s.Dir) {
		return "", false
	}
	dir := s.Dir
	for range manifestClimb {
		for _, name := range []string{"justfile", ".justfile", "Justfile"} {
			name = path.Join(dir, name)
			if info, err := s.World.FS.Lstat(name); err == nil && info.Kind != world.Missing {
				return name, true
			}
		}
		if dir == "/" {
			return "", false
		}
		dir = path.Dir(dir)
	}
	return "", false
}

// justRuns are the texts that recipes hand to a shell, or to another
// interpreter, behind the commands that are run for what they print.
func justRuns(j *buildfile.Just) []catalog.Run {
	var out []catalog.Run
	for _, text := range j.Printers() {
		out = append(out, recipeRun(text, path.Base(j.Shell()[0]), j.Dir()))
	}
	for _, job := range j.Jobs() {
		if len(job.Words) == 0 {
			continue
		}
		name := path.Base(job.Words[0])
		run := catalog.Run{Kind: catalog.RunCode, Lang: strings.TrimRight(name, "0123456789."), Text: job.Value()}
		if shellname.Is(name) {
			run = recipeRun(job.Value(), name, job.Dir)
		} else if job.Dir != "" {
			at := value.Lit(job.Dir)
			run.Dir = &at
		}
		for _, v := range job.Setup {
			run.Setup = append(run.Setup, catalog.Assignment(v))
		}
		run.Args = job.Args
		out = append(out, run)
	}
	return out
}
