package recipe

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/hooks/system"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// makeHook reads the makefile and adds the recipe lines that the goals come to
// (GNU make 4.4 manual). What is not understood leaves "runs code of this
// project, not inspected" standing.
func makeHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	dir := projectDir(m, s, "dir")
	mk := newMakefile(s, dir)
	mk.loud = m.Has("only")
	goals, setup := makeWordsOf(mk, m)
	target := value.Lit("the makefile")
	if len(goals) > 0 {
		target = goals[0]
	}
	e := catalog.Effect{Verb: risk.ExecProject, Target: target, Kind: risk.KindMakefile}
	if !mk.given.Empty() && !m.Has("only") {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunExec, Text: mk.given})
	}
	steps, ok := mk.read(m, s, goals)
	if m.Has("only") {
		mk.onlySays(r, e, steps, dir)
		return
	}
	if ok {
		e.Kind = risk.KindInspectedScript
	}
	r.Effects = append(append(r.Effects, e), mk.files...)
	lang := mk.shellName()
	for _, v := range mk.exports {
		if x := mk.vars[v]; x != nil && !x.strong {
			setup = append(setup, catalog.Assignment{Name: v, Value: mk.valueOf(x, nil, 0)})
		}
	}
	for _, text := range mk.shells {
		steps = append([]makeStep{{text}}, steps...)
	}
	for _, step := range steps {
		run := recipeRun(step.text, lang, dir)
		run.Setup = append(slices.Clip(setup), run.Setup...)
		r.Runs = append(r.Runs, run)
	}
}

// onlySays adds what make runs although it is asked to say what it would do:
// the commands that functions and assignments run for what they print, lines
// that begin with + or call make again, and files that functions write
// ("Instead of Executing Recipes"; "The shell Function"; "How the MAKE Variable
// Works").
func (mk *makefile) onlySays(r *catalog.Result, e catalog.Effect, steps []makeStep, dir string) {
	r.Effects = append(r.Effects, mk.files...)
	if mk.first == "" && len(mk.shells) == 0 && !mk.partial { // there is no makefile, or another one by then
		if mk.site.World != nil && mk.site.World.FS != nil && mk.dir != "" && !(mk.missing("GNUmakefile") && mk.missing("makefile") && mk.missing("Makefile")) {
			r.Effects = append(r.Effects, e)
		}
		return
	}
	if mk.partial || mk.again || slices.ContainsFunc(steps, callsMake) {
		r.Effects = append(r.Effects, e)
	}
	for _, text := range mk.shells {
		r.Runs = append(r.Runs, recipeRun(text, mk.shellName(), dir))
	}
}

// callsMake reports whether a recipe line calls make again, which reads another
// makefile.
func callsMake(s makeStep) bool {
	for word := range strings.FieldsSeq(s.text.String()) {
		if base := path.Base(word); base == "make" || base == "gmake" {
			return true
		}
	}
	return false
}

// runsAlways reports whether a makefile has a recipe line that is run even where
// make only says what it would run.
func runsAlways(text string) bool {
	for line := range strings.Lines(text) {
		recipe, ok := strings.CutPrefix(line, "\t")
		if !ok {
			_, recipe, ok = strings.Cut(line, ";")
		}
		prefix := recipe[:len(recipe)-len(strings.TrimLeft(recipe, "@-+ \t"))]
		if ok && strings.Contains(prefix, "+") {
			return true
		}
	}
	return strings.Contains(text, ".RECIPEPREFIX")
}

// makeWordsOf sorts the words of the command line into goals and variables.
// Variables of the command line are exported (manual, "Communicating Variables").
func makeWordsOf(mk *makefile, m *catalog.Match) (goals []value.Value, setup []catalog.Assignment) {
	for _, w := range m.Values("target") {
		name, _, ok := strings.Cut(w.Prefix(), "=")
		if !ok {
			goals = append(goals, w)
			continue
		}
		v := w.Cut(len(name) + 1)
		name = strings.TrimRight(name, ":+?!")
		if text, known := v.Known(); known {
			mk.vars[name] = &makeVar{text: text, strong: true}
		} else {
			mk.vars[name] = &makeVar{fixed: &v, strong: true}
		}
		if shell, known := v.Known(); name == "SHELL" && (!known || !shellname.Is(path.Base(shell)) || !path.IsAbs(shell)) {
			mk.given = v
		}
		if name != "SHELL" && name != "" {
			setup = append(setup, catalog.Assignment{Name: name, Value: v})
		}
	}
	return goals, setup
}

// read loads the makefiles and plans the goals. It reports false if not all of
// what would run is known.
func (mk *makefile) read(m *catalog.Match, s *catalog.Site, goals []value.Value) ([]makeStep, bool) {
	loaded := mk.evals(m, s)
	files := m.Values("makefile")
	for _, f := range files {
		name, known := f.Known()
		switch text, ok := s.Stdin.Known(); {
		case known && name == "-" && s.HasStdin && ok && len(text) <= makefileLimit:
			mk.parse(text, 0)
			loaded = true
		case known && name != "-" && mk.load(name, 0):
			loaded = true
		default:
			mk.partial = true
		}
	}
	if len(files) == 0 {
		for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
			if mk.load(name, 0) {
				loaded = true
				break
			}
		}
	}
	if !loaded {
		return nil, false
	}
	var names []string
	for _, g := range goals {
		name, known := g.Known()
		if !known {
			mk.partial = true
			continue
		}
		names = append(names, name)
	}
	if len(goals) == 0 {
		names = []string{mk.first}
	}
	mk.vars["MAKECMDGOALS"] = &makeVar{fixed: new(value.Value)}
	*mk.vars["MAKECMDGOALS"].fixed = value.Lit(strings.Join(names, " "))
	steps, found := mk.plan(names)
	return steps, found && !mk.partial
}

// evals reads makefile text from --eval and from MAKEFLAGS.
func (mk *makefile) evals(m *catalog.Match, s *catalog.Site) bool {
	texts := m.Values("eval")
	if flags, ok := site.OwnEnv(s, "MAKEFLAGS"); ok {
		if i := strings.Index(flags.Prefix(), "--eval="); i >= 0 {
			texts = append(texts, flags.Cut(i+len("--eval=")))
		}
	}
	for _, v := range texts {
		text, known := v.Known()
		if !known || len(text) > makefileLimit {
			mk.partial = true
			continue
		}
		mk.parse(text, 0)
	}
	return len(texts) > 0
}

// shellName is the dialect that recipes are written in.
func (mk *makefile) shellName() string {
	name, _ := mk.variable("SHELL", nil, 0).Known()
	if fields := strings.Fields(name); len(fields) > 0 {
		if base := path.Base(fields[0]); shellname.Is(base) {
			return base
		}
	}
	return "sh"
}

// Bounds of what the recipes of a justfile and the tasks of a Taskfile come to.
const (
	maxRecipes     = 200      // calls, and commands
	maxRecipeDepth = 20       // of calls in calls, and of variables in variables
	maxRecipeText  = 64 << 10 // bytes of a variable
)

// recipeRun is one recipe line as a run. Parts that are not known stand in
// variables, so that the rest of the line can be read.
func recipeRun(v value.Value, lang, dir string) catalog.Run {
	run := catalog.Run{Kind: catalog.RunShell, Lang: lang}
	var b strings.Builder
	for _, part := range v.Parts() {
		if part.Hole == nil {
			b.WriteString(part.Lit)
			continue
		}
		name := "heed_make_" + strconv.Itoa(len(run.Setup))
		run.Setup = append(run.Setup, catalog.Assignment{Name: name, Value: value.Of(*part.Hole).With(v.Taint())})
		b.WriteString("${" + name + "}")
	}
	run.Text = value.Lit(b.String())
	if dir != "" {
		at := value.Lit(dir)
		run.Dir = &at
	}
	return run
}

// cmakeHook reads `cmake -E command` (CMake 3.30, "Run a Command-Line Tool").
func cmakeHook(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	words := m.Values("tool")
	if len(words) == 0 {
		return
	}
	name, known := words[0].Known()
	rest := words[1:]
	files := site.OperandsAfter(rest, "")
	add := func(verb risk.Verb, v value.Value, recursive bool) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: v, Recursive: recursive})
	}
	switch {
	case !known:
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject})
	case name == "env", name == "time", name == "chdir":
		run := catalog.Run{Argv: rest}
		if name == "chdir" && len(rest) > 0 {
			run.Dir, run.Argv = &rest[0], rest[1:]
		}
		if name == "env" {
			run.Argv = slices.DeleteFunc(slices.Clone(rest), func(v value.Value) bool { return strings.HasPrefix(v.Prefix(), "--") })
			system.TakeAssignments(&run)
		}
		r.Runs = append(r.Runs, run)
	case slices.Contains([]string{"rm", "remove", "remove_directory"}, name):
		recursive := name == "remove_directory" || site.OptionGiven(rest, "-r", "-R") || site.OptionGiven(rest, "-rf", "-fr")
		for _, f := range files {
			add(risk.FSDelete, f, recursive)
		}
	case slices.Contains([]string{"copy", "copy_directory", "copy_if_different", "rename", "create_symlink", "create_hardlink"}, name) && len(files) > 1:
		for _, f := range files[:len(files)-1] {
			add(map[bool]risk.Verb{true: risk.FSMove, false: risk.FSRead}[name == "rename"], f, false)
		}
		add(risk.FSWrite, files[len(files)-1], name == "copy_directory")
	case slices.Contains([]string{"make_directory", "touch", "touch_nocreate"}, name):
		for _, f := range files {
			add(risk.FSCreate, f, false)
		}
	case name == "tar" && len(files) > 1:
		r.Runs = append(r.Runs, catalog.Run{Argv: append([]value.Value{value.Lit("tar")}, rest...)})
	case name == "cat":
		for _, f := range files {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Shown: true})
		}
	}
}
