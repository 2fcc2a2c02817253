package recipe

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/hooks/system"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// assignments takes leading NAME=VALUE words for the environment of what is
// run (cross-env 7, "Usage"; dotenv-cli).
func assignments(_ *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Runs {
		system.TakeAssignments(&r.Runs[i])
	}
	r.Runs = withoutEmpty(r.Runs)
}

// concurrently runs each of its words in a shell; npm:NAME and its kin are
// short for a script of package.json (concurrently 9, "Usage").
func concurrently(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, c := range m.Values("command") {
		text := c.Prefix()
		manager, rest, ok := strings.Cut(text, ":")
		if !ok || !slices.Contains([]string{"npm", "yarn", "pnpm", "bun", "node", "deno"}, manager) {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: c})
			continue
		}
		runNamedScripts(s, r, manager, c.Cut(len(text)-len(rest)))
	}
}

// npmRunAll runs scripts by name or pattern (npm-run-all 4, "Usage").
func npmRunAll(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, name := range m.Values("script") {
		runNamedScripts(s, r, "npm", name)
	}
}

// runNamedScripts runs the scripts that a name, a pattern or "name args" names.
func runNamedScripts(s *catalog.Site, r *catalog.Result, manager string, name value.Value) {
	text, known := name.Known()
	if !known {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: name, Kind: risk.KindPackageScript})
		return
	}
	pattern, _, _ := strings.Cut(text, " ")
	if !strings.ContainsAny(pattern, "*{") {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Lit(manager + " run " + text)})
		return
	}
	p, ok := findManifest(s, s.Dir, "package.json")
	var names []string
	for n := range p.scripts {
		if catalog.Glob(strings.ReplaceAll(pattern, "**", "*"), n) {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	if !ok || len(names) == 0 || len(names) > scriptsLimit || strings.Contains(pattern, "{") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: name, Kind: risk.KindPackageScript})
		return
	}
	for _, n := range names {
		p.run(r, n, nil)
	}
}

// composer adds the scripts that composer runs by itself around install,
// update and their kin (Composer 2, "Scripts").
func composer(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("no-scripts") || m.Has("dry") || m.Has("help") {
		return
	}
	p, ok := findManifest(s, projectDir(m, s, "dir"), "composer.json")
	if !ok {
		return
	}
	event := "update"
	switch strings.Fields(m.Node().Name)[0] {
	case "install":
		event = "install"
	case "dump-autoload":
		event = "autoload-dump"
	}
	for _, name := range []string{"pre-" + event + "-cmd", "pre-autoload-dump", "post-autoload-dump", "post-" + event + "-cmd"} {
		p.composerEvent(r, name, nil, 0)
	}
}

// composerRoot reads `composer NAME`, where the name is no subcommand.
func composerRoot(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) == 1 {
		composerScript(m, s, r)
	}
}

// composerScript runs a script of composer.json.
func composerScript(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	name, ok := m.Value("script")
	if !ok || m.Has("help") || m.Has("list") {
		return
	}
	p, found := findManifest(s, projectDir(m, s, "dir"), "composer.json")
	e := catalog.Effect{Verb: risk.ExecProject, Target: name, Kind: risk.KindPackageScript}
	if text, known := name.Known(); found && known && p.composerEvent(r, text, m.Values("args"), 0) {
		e.Kind = risk.KindInspectedScript
	}
	r.Effects = append(r.Effects, e)
}

// composerEvent adds the commands of one script: @name runs another, @php and
// @composer those programs, Class::method code of the project.
func (p manifest) composerEvent(r *catalog.Result, name string, args []value.Value, depth int) bool {
	commands, ok := p.scripts[name]
	if !ok || depth > 5 {
		return false
	}
	for _, c := range commands {
		other, isOther := strings.CutPrefix(c, "@")
		word, _, _ := strings.Cut(other, " ")
		switch {
		case len(r.Runs) > scriptsLimit:
			return false
		case isOther && (word == "php" || word == "composer"):
			r.Runs = append(r.Runs, scriptRun(other, args, p.dir))
		case isOther && word == "putenv":
		case isOther:
			ok = p.composerEvent(r, word, args, depth+1) && ok
		case strings.Contains(c, "::") && !strings.Contains(c, " "):
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: value.Lit(c), Kind: risk.KindPackageScript})
		default:
			r.Runs = append(r.Runs, scriptRun(c, args, p.dir))
		}
	}
	return ok
}

// dbTasks reads the names of tasks that rake, rails, artisan and their kin
// give to work on a database.
func dbTasks(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if m.Has("help") || m.Has("list") || m.Has("dry") {
		return
	}
	for _, v := range m.Values("task") {
		name, known := v.Known()
		name, _, _ = strings.Cut(name, "[")
		if strings.Contains(name, "=") { // a variable for the tasks
			continue
		}
		e := catalog.Effect{Verb: risk.ExecProject, Target: v, Kind: risk.KindTask}
		if verb := databaseTask(name); known && verb != "" {
			e.Verb, e.Target = verb, value.Lit("the database of this project")
		}
		r.Effects = append(r.Effects, e)
	}
}

// databaseTask says what a task does to the database, by its name (Rails 8
// guides, "Active Record Migrations"; Laravel 11, "Database: Migrations").
func databaseTask(name string) risk.Verb {
	switch name {
	case "db:version", "db:migrate:status", "db:abort_if_pending_migrations", "db:charset", "db:collation", "db:structure:dump", "db:schema:dump", "migrate:status", "db:show", "db:table", "db:monitor":
		return risk.DBRead
	case "db:drop", "db:drop:all", "db:reset", "db:reset:all", "db:purge", "db:purge:all", "db:truncate_all", "db:migrate:reset", "db:seed:replant", "db:schema:load", "db:structure:load", "db:setup",
		"db:test:purge", "db:wipe", "migrate:fresh", "migrate:refresh", "migrate:reset":
		return risk.DBDestroy
	}
	for _, prefix := range []string{"db:drop:", "db:reset:", "db:purge:", "db:schema:load:"} {
		if strings.HasPrefix(name, prefix) {
			return risk.DBDestroy
		}
	}
	if strings.HasPrefix(name, "db:") || name == "migrate" || strings.HasPrefix(name, "migrate:") {
		return risk.DBChange
	}
	return ""
}

// rpmHook looks for macros that run commands: %(…) and %{lua:…} in --eval and
// --define (rpm(8), "Macro syntax").
func rpmHook(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	removed(r, false, m.Has("forced"))
	for _, v := range m.Values("macro") {
		ran := false
		for _, open := range []string{"%(", "%{lua:"} {
			pieces := v.Split(open)
			if len(pieces) < 2 {
				continue
			}
			ran = true
			run := catalog.Run{Kind: catalog.RunShell, Text: pieces[1]}
			if text, known := pieces[1].Known(); known {
				run.Text = value.Lit(strings.TrimRight(text, ")}"))
			}
			if open != "%(" {
				run.Kind, run.Lang = catalog.RunCode, "lua"
			}
			r.Runs = append(r.Runs, run)
		}
		if text, known := v.Known(); !known && !ran || known && !rpmExpands(text) {
			site.NotUnderstood(r, v)
		}
	}
}

// rpmExpands reports whether macros that are no commands only expand: by their names, as
// conditions, and by the built-in ones that work on their words ("Macro syntax", "Builtin
// Macros"). Others run shells, read files and fetch.
func rpmExpands(text string) bool {
	for {
		_, rest, more := strings.Cut(text, "%")
		if !more {
			return true
		}
		inner, braced := strings.CutPrefix(rest, "{")
		switch {
		case strings.HasPrefix(rest, "("), strings.HasPrefix(rest, "{lua:"), strings.HasPrefix(rest, "%"): // read already
			text = rest[1:]
			continue
		case strings.HasPrefix(rest, "["): // an expression
			text = rest[1:]
			continue
		case braced:
			rest = inner
		}
		rest = strings.TrimLeft(rest, "!?")
		n := 0
		for n < len(rest) && (site.WordByte(rest[n]) || rest[n] == '-' || rest[n] == '*' || rest[n] == '#') {
			n++
		}
		takes := n < len(rest) && (rest[n] == ':' || rest[n] == ' ')
		inert := slices.Contains([]string{
			"expand", "basename", "dirname", "suffix", "url2path", "u2p", "echo", "quote", "define", "global", "undefine", "undef", "upper", "lower", "reverse", "len", "sub", "gsub", "rep", "exists", "S", "P", "getncpus", "getconfdir", "macrobody", "dnl", "rpmversion", "trace", "dump",
		}, rest[:n])
		conditional := braced && strings.Contains(inner, "?") && strings.IndexByte(inner, '?') < len(inner)-len(rest)
		if takes && !inert && !conditional && (braced || slices.Contains([]string{"load", "include", "uncompress", "shell", "getenv", "verbose"}, rest[:n])) {
			return false
		}
		text = rest
	}
}

// compilerFiles reads @FILE words, which stand for the words in that file: what is
// no option is shown in an error message (GCC 14 manual, "Overall Options").
func compilerFiles(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	kept := r.Effects[:0]
	for _, e := range r.Effects {
		if e.Verb != risk.FSRead || !strings.HasPrefix(e.Target.Prefix(), "@") {
			kept = append(kept, e)
		}
	}
	r.Effects = kept
	for _, a := range s.Args {
		if text := a.Prefix(); len(text) > 1 && text[0] == '@' {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: a.Cut(1), Shown: true})
			argumentFile(m, s, r, a.Cut(1))
		}
	}
}

// argumentFile adds what the words of a file of arguments say; one that is
// not read may say anything.
func argumentFile(m *catalog.Match, s *catalog.Site, r *catalog.Result, file value.Value) {
	if s.World == nil {
		return
	}
	text, ok := site.SiteFile(s, file)
	words := strings.Fields(text)
	if !ok || slices.ContainsFunc(words, func(w string) bool { return w[0] == '@' }) {
		site.NotUnderstood(r, file)
		return
	}
	inner := *s
	inner.Args = nil
	for _, w := range words {
		inner.Args = append(inner.Args, value.Lit(strings.Trim(w, `"'`)))
	}
	given := m.Program.Match(inner.Args)
	rest := given.Apply()
	compiler(given, &inner, rest)
	r.Effects = append(r.Effects, rest.Effects...)
	r.Runs = append(r.Runs, rest.Runs...)
}

// gitPackage says of packages that they come from a repository or a URL and
// not from the registry.
func gitPackage(_ *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Effects {
		e := &r.Effects[i]
		if e.Verb == risk.PkgInstall && e.Kind == risk.NoKind && strings.Contains(e.Target.Prefix(), "://") {
			e.Kind = risk.KindFromARepository
		}
	}
}

// linker notes the program that `-C linker=PROGRAM` makes rustc run; what it is told of
// how code is generated, and its unstable options, name programs, plugins and files, but for
// those that say how much is done (The rustc book, "Codegen Options").
func linker(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for i, a := range s.Args {
		text := a.Prefix()
		if i := strings.Index(text, "linker="); i >= 0 && (i == 0 || strings.HasPrefix(text, "-C")) {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunExec, Text: a.Cut(i + len("linker="))})
			continue
		}
		option, rest := text, a
		switch {
		case (text == "-C" || text == "--codegen" || text == "-Z") && i+1 < len(s.Args):
			rest = s.Args[i+1]
		case strings.HasPrefix(text, "--codegen="):
			option, rest = "-C", a.Cut(len("--codegen="))
		case len(text) > 2 && (strings.HasPrefix(text, "-C") || strings.HasPrefix(text, "-Z")):
			option, rest = text[:2], a.Cut(2)
		default:
			continue
		}
		if !strings.HasPrefix(rest.Prefix(), "linker=") && !(option != "-Z" && rustCodegen(rest) || option == "-Z" && site.SomeWord([]value.Value{rest}, "help")) {
			site.NotUnderstood(r, value.Concat(value.Lit(option+" "), rest))
		}
	}
}

// rustCodegen reports whether a codegen option says how fast, how checked or for which
// processor the code is to be.
func rustCodegen(v value.Value) bool {
	name, _, _ := strings.Cut(v.Prefix(), "=")
	return slices.Contains([]string{
		"opt-level", "debuginfo", "debug-assertions", "overflow-checks", "panic", "lto", "codegen-units", "target-cpu", "target-feature", "strip", "embed-bitcode", "incremental-verify",
		"link-dead-code", "no-prepopulate-passes", "no-redzone", "no-vectorize-loops", "no-vectorize-slp", "prefer-dynamic", "relocation-model", "code-model", "rpath", "metadata", "extra-filename",
		"force-frame-pointers", "force-unwind-tables", "inline-threshold", "split-debuginfo", "symbol-mangling-version", "control-flow-guard", "soft-float", "default-linker-libraries", "instrument-coverage",
		"dwarf-version", "relro-level", "collapse-macro-debuginfo", "help",
	}, strings.ReplaceAll(name, "_", "-"))
}

// goEnv looks for settings that switch off Go's checks on what it downloads,
// or that name programs (go help environment).
func goEnv(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if !m.Has("write") {
		if !m.Has("setting") && !m.Has("list") { // with names it prints their values
			r.Prints = catalog.PrintsSetup
		}
		return
	}
	for _, v := range m.Values("setting") {
		name, val, ok := strings.Cut(v.Prefix(), "=")
		switch {
		case !ok:
		case name == "GOSUMDB" && val == "off", name == "GONOSUMDB" && val == "*", name == "GOINSECURE" && val != "":
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DefenseEvade, Target: value.Lit(name), Kind: risk.KindChecksumsOfModules})
		case name == "GOFLAGS" && strings.Contains(val, "-insecure"), name == "GONOSUMCHECK" && val != "":
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DefenseEvade, Target: value.Lit(name), Kind: risk.KindChecksumsOfModules})
		case name == "GOPROXY":
			for _, one := range strings.FieldsFunc(val, func(c rune) bool { return c == ',' || c == '|' }) {
				if plainSource(value.Lit(one)) {
					r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DefenseEvade, Target: value.Lit(one), Kind: plainSources})
				}
			}
		case name == "CC" || name == "CXX" || name == "PKG_CONFIG" || name == "AR":
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v.Cut(len(name) + 1)})
		}
	}
}
