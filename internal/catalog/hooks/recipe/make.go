package recipe

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/buildfile"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/hooks/system"
	"github.com/heedsh/heed/internal/splice"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A makeCall is a call of make: its makefile, and what it was given.
type makeCall struct {
	*buildfile.Make
	site  *catalog.Site
	dir   string
	goals []value.Value
	setup []catalog.Assignment // variables of the command line
	shell value.Value          // that the command line names
}

// makeHook reads the makefile and adds the recipe lines that the goals come to
// (GNU make 4.4 manual). What is not understood leaves "runs code of this
// project, not inspected" standing.
func makeHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	dir := projectDir(m, s, "dir")
	mk := &makeCall{Make: buildfile.NewMake(buildSite(s, dir)), site: s, dir: dir}
	mk.words(m)
	target := value.Lit("the makefile")
	if len(mk.goals) > 0 {
		target = mk.goals[0]
	}
	e := catalog.Effect{Verb: risk.ExecProject, Target: target, Kind: risk.KindMakefile}
	if !mk.shell.Empty() && !m.Has("only") {
		r.Runs = append(r.Runs, mk.asShell())
	}
	loaded := mk.read(m)
	var commands []buildfile.Command
	understood := false
	if loaded {
		commands, understood = mk.Plan()
	}
	r.Effects = append(r.Effects, mk.effects(m.Has("only"))...)
	if m.Has("only") {
		mk.onlySays(r, e, commands, loaded)
		return
	}
	if understood {
		e.Kind = risk.KindInspectedScript
	} else if goal, is := mk.Ruleless(); loaded && is {
		r.Lacks = "the makefile has no rule for " + goal
	}
	r.Effects = append(r.Effects, e)
	for _, text := range mk.Printers() {
		mk.run(r, text)
	}
	for i := range commands {
		mk.run(r, commands[i].Value())
	}
	if goals, is := mk.UpToDate(); is && !slices.ContainsFunc(mk.setup, func(a catalog.Assignment) bool { return a.Name == "MAKEFLAGS" }) && !slices.ContainsFunc([]string{"-B", "--always-make", "-W", "--what-if", "--new-file", "--assume-new", "-t", "--touch"}, m.Given) {
		r.Spares = strings.Join(goals, " and ") + map[bool]string{true: " is there already, and needs nothing", false: " are there already, and need nothing"}[len(goals) == 1]
	}
}

// onlySays adds what make runs although it is asked to say what it would do:
// the commands that functions and assignments run for what they print, lines
// that begin with + or call make again ("Instead of Executing Recipes"; "The
// shell Function"; "How the MAKE Variable Works").
func (mk *makeCall) onlySays(r *catalog.Result, e catalog.Effect, commands []buildfile.Command, loaded bool) {
	all := []string{"GNUmakefile", "makefile", "Makefile"}
	if !loaded && !mk.Partial() && (mk.site.World == nil || mk.site.World.FS == nil || mk.dir == "" || !slices.ContainsFunc(all, func(name string) bool { return !mk.Absent(name) })) {
		return // there is no makefile
	}
	always := func(c buildfile.Command) bool { return c.Always }
	if !loaded || mk.Partial() || slices.ContainsFunc(commands, always) {
		r.Effects = append(r.Effects, e)
	}
	for _, text := range mk.Printers() {
		mk.run(r, text)
	}
}

// words sorts the words of the command line into goals and variables, which are
// exported (manual, "Communicating Variables").
func (mk *makeCall) words(m *catalog.Match) {
	for _, w := range m.Values("target") {
		name, _, ok := strings.Cut(w.Prefix(), "=")
		if !ok {
			mk.goals = append(mk.goals, w)
			continue
		}
		v := w.Cut(len(name) + 1)
		name = strings.TrimRight(name, ":+?!")
		mk.Set(name, v)
		if name == "SHELL" {
			mk.shell = v
		} else if name != "" {
			mk.setup = append(mk.setup, catalog.Assignment{Name: name, Value: v})
		}
	}
}

// asShell is the program that stands in for the shell. Words behind its name
// come before -c and the recipe (job.c, construct_command_argv), which is judged by
// itself: a shell does nothing of its own.
func (mk *makeCall) asShell() catalog.Run {
	words := slices.DeleteFunc(mk.shell.Split(" "), value.Value.Empty)
	program := ""
	for _, w := range words[:min(len(words), 2)] {
		if program == "" || program == "env" {
			program = path.Base(w.String())
		}
	}
	if shellname.Is(program) {
		words = append(words, value.Lit("-c"), value.Lit(":"))
	}
	if len(words) < 2 {
		return catalog.Run{Kind: catalog.RunExec, Text: mk.shell}
	}
	return catalog.Run{Argv: words}
}

// read reads the makefiles; it reports false if there is none.
func (mk *makeCall) read(m *catalog.Match) (loaded bool) {
	var names []string
	for _, g := range mk.goals {
		if name, known := g.Known(); known {
			names = append(names, name)
		} else {
			mk.Doubt()
		}
	}
	mk.Goals(names...)
	loaded = mk.evals(m)
	files := m.Values("makefile")
	for _, f := range files {
		name, known := f.Known()
		switch text, ok := site.Input(mk.site).Known(); {
		case known && name == "-" && mk.site.HasStdin && ok:
			mk.Read("", text)
			loaded = true
		case known && name != "-" && mk.Load(name):
			loaded = true
		default:
			mk.Doubt()
		}
	}
	if len(files) > 0 {
		return loaded
	}
	return slices.ContainsFunc([]string{"GNUmakefile", "makefile", "Makefile"}, mk.Load) || loaded
}

// evals reads makefile text from --eval and from MAKEFLAGS.
func (mk *makeCall) evals(m *catalog.Match) bool {
	texts := m.Values("eval")
	if flags, ok := site.OwnEnv(mk.site, "MAKEFLAGS"); ok {
		if i := strings.Index(flags.Prefix(), "--eval="); i >= 0 {
			texts = append(texts, flags.Cut(i+len("--eval=")))
		}
	}
	for _, v := range texts {
		if text, known := v.Known(); known {
			mk.Read("", text)
		} else {
			mk.Doubt()
		}
	}
	return len(texts) > 0
}

// effects are the files that functions of make read and write, and the secrets
// that it prints: recipes as they are run, unless a line begins with @, or
// however they are written where it only says them.
func (mk *makeCall) effects(all bool) []catalog.Effect {
	var out []catalog.Effect
	for _, f := range mk.Files() {
		e := catalog.Effect{Verb: risk.FSWrite, Target: f.Target}
		switch f.Op {
		case ">>":
			e.Kind = risk.KindAppend
		case "<":
			e.Verb, e.Shown = risk.FSRead, true
		}
		out = append(out, e)
	}
	for _, name := range mk.Shown(all, value.Secret|value.Credential) {
		if value.CredentialName(name) {
			out = append(out, catalog.Effect{Verb: risk.SecretRead, Target: value.Lit("$" + name), Kind: risk.KindShown})
		}
	}
	return out
}

// run adds a text that make's shell reads.
func (mk *makeCall) run(r *catalog.Result, text value.Value) {
	lang := "sh"
	if words := mk.Shell(); len(words) > 0 && shellname.Is(path.Base(words[0])) {
		lang = path.Base(words[0])
	}
	run := recipeRun(text, lang, mk.dir)
	run.Setup = append(run.Setup, mk.setup...)
	for _, v := range mk.Exported() {
		run.Setup = append(run.Setup, catalog.Assignment(v))
	}
	r.Runs = append(r.Runs, run)
}

// buildSite is where make or just runs.
func buildSite(s *catalog.Site, dir string) buildfile.Site {
	out := buildfile.Site{Dir: dir}
	if s.World != nil {
		out.FS, out.OS = s.World.FS, s.World.OS
	}
	if s.Env != nil {
		out.Env = func(name string) (value.Value, bool) {
			v, set, _ := s.Env(name)
			return v, set
		}
	}
	return out
}

// Bounds of what the tasks of a Taskfile come to.
const (
	maxRecipes     = 200      // calls, and commands
	maxRecipeDepth = 20       // of calls in calls, and of variables in variables
	maxRecipeText  = 64 << 10 // bytes of a variable
)

// recipeRun is one recipe line as a run.
func recipeRun(v value.Value, lang, dir string) catalog.Run {
	var b splice.Builder
	b.Put(v)
	run := catalog.Run{Kind: catalog.RunShell, Lang: lang, Text: value.Lit(b.String()), Parts: b.Parts()}
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
	case slices.Contains([]string{"copy", "copy_directory", "copy_directory_if_different", "copy_directory_if_newer", "copy_if_different", "copy_if_newer", "rename", "create_symlink", "create_hardlink"}, name) && len(files) > 1:
		for _, f := range files[:len(files)-1] {
			add(map[bool]risk.Verb{true: risk.FSMove, false: risk.FSRead}[name == "rename"], f, false)
		}
		add(risk.FSWrite, files[len(files)-1], strings.HasPrefix(name, "copy_directory"))
	case slices.Contains([]string{"make_directory", "touch", "touch_nocreate"}, name):
		for _, f := range files {
			add(risk.FSCreate, f, false)
		}
	case name == "tar" && len(files) > 1:
		r.Runs = append(r.Runs, catalog.Run{Argv: append([]value.Value{value.Lit("tar")}, rest...)})
	case name == "environment":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SecretRead, Target: value.Lit("secrets in the environment")})
	case name == "echo", name == "echo_append":
		r.Runs = append(r.Runs, catalog.Run{Argv: append([]value.Value{value.Lit("echo")}, rest...)})
	case name == "cat":
		for _, f := range files {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Shown: true})
		}
	case strings.HasSuffix(name, "sum"), name == "compare_files":
		for _, f := range files {
			add(risk.FSRead, f, false)
		}
	case slices.Contains([]string{"capabilities", "sleep", "true", "false"}, name):
	default:
		site.NotUnderstood(r, words[0])
	}
}
