package recipe

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// lineLanguage says what perl and ruby run. Several -e make one text; with -n
// or -p the arguments are files that pass through the code, and -i rewrites
// them (perlrun; ruby(1)).
func lineLanguage(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	lang := m.Program.Names[0]
	lineEnvironment(m, s, r, lang)
	words := m.Values("word")
	var run catalog.Run
	switch code := m.Values("code"); {
	case m.Has("done"), m.Has("verbose") && len(code)+len(words) == 0:
		return
	case len(code) > 0 && m.Has("check") && !compiledCode(lang, joinLines(code).Prefix()):
		return
	case len(code) > 0:
		run = catalog.Run{Kind: catalog.RunCode, Lang: lang, Text: joinLines(code)}
	case len(words) == 0 && m.Has("check"):
		r.ReadsStdin = true
		return
	case len(words) == 0, site.SameWord(words[0], "-"):
		run = site.StdinCode(s, lang)
		if len(words) > 0 {
			run.Kind, run.Stdin, words = catalog.RunCode, true, words[1:]
		}
		r.ReadsStdin = true
	case m.Has("check") && !compiledFile(s, lang, words[0]):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: words[0]})
		return
	default:
		run = catalog.Run{Kind: catalog.RunScript, Lang: lang, Text: words[0]}
		words = words[1:]
	}
	if lang == "ruby" && site.SomeWord(m.Values("require"), "un") {
		unRuby(m, r, words)
		return
	}
	run.Args = words
	if m.Has("loop") || m.Has("lines") || m.Has("module") || m.Has("require") || m.Has("debug") || len(r.Runs) > 0 {
		run.Mode = catalog.RunInLoop
	}
	r.Runs = append(r.Runs, run)
	if m.Has("loop") && !run.Stdin {
		lineFiles(m, r, words)
	}
}

// compiledFile is compiledCode for a file; one that cannot be read is taken for
// one that does not.
func compiledFile(s *catalog.Site, lang string, file value.Value) bool {
	text, ok := site.SiteFile(s, file)
	return ok && lang == "perl" && (strings.Contains(text, "BEGIN") || strings.Contains(text, "CHECK") || strings.Contains(text, "use lib"))
}

// compiledCode reports whether code may run while it is only compiled: BEGIN
// blocks and the modules that it uses (perlrun, -c; ruby has BEGIN too, and does
// not run it with -c).
func compiledCode(lang, text string) bool {
	if lang != "perl" {
		return false
	}
	for _, word := range []string{"BEGIN", "UNITCHECK", "CHECK", "use ", "no "} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// lineFiles records the files that an implied loop reads.
func lineFiles(m *catalog.Match, r *catalog.Result, files []value.Value) {
	if len(files) == 0 {
		r.ReadsStdin, r.ShowsStdin = true, true
		return
	}
	for _, f := range files {
		switch {
		case m.Program.Names[0] == "perl" && magicOpen(r, f):
		case site.SameWord(f, "-"):
			r.ReadsStdin, r.ShowsStdin = true, true
		case m.Has("inplace"):
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Kind: risk.KindInPlace})
		default:
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Shown: true})
		}
	}
}

// magicOpen reads a name as perl's open with two arguments does, which <> and
// many scripts call: with a pipe at an end it is a command (perlop, "I/O
// Operators"; perlfunc, "open"). It reports whether the name is no plain file.
func magicOpen(r *catalog.Result, file value.Value) bool {
	text, known := file.Known()
	switch text = strings.TrimSpace(text); {
	case !known:
		return false
	case strings.HasSuffix(text, "|") && len(text) > 1:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Lit(text[:len(text)-1])})
	case strings.HasPrefix(text, "|"):
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Lit(text[1:])})
	case strings.HasPrefix(text, ">"):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: value.Lit(strings.TrimLeft(text, "> "))})
	default:
		return false
	}
	return true
}

// magicFiles reads the operands of a program that opens them as perl does.
func magicFiles(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, f := range slices.Concat(m.Values("file"), m.Values("other")) {
		if !magicOpen(r, f) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Shown: true})
		}
	}
}

// lineEnvironment adds modules and variables that run code before the program.
func lineEnvironment(m *catalog.Match, s *catalog.Site, r *catalog.Result, lang string) {
	for _, v := range m.Values("module") {
		loadModule(r, lang, v)
	}
	for _, v := range m.Values("require") {
		if !site.SameWord(v, "un") { // whose commands are read elsewhere
			loadModule(r, lang, v)
		}
	}
	for _, v := range m.Values("devel") { // -d:A is -MDevel::A
		loadModule(r, lang, value.Concat(value.Lit("Devel::"), v))
	}
	options, library := "PERL5OPT", "PERL5LIB"
	if lang == "ruby" {
		options, library = "RUBYOPT", "RUBYLIB"
	}
	searchPath(s, r, library)
	for _, v := range m.Values("include") { // modules there come before the system's
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: v})
	}
	if v, ok := site.OwnEnv(s, options); ok {
		for _, w := range v.Split(" ") {
			lineOption(r, w, lang, options)
		}
	}
	if v, ok := site.OwnEnv(s, "PERL5DB"); ok && lang == "perl" && m.Has("debug") {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: lang, Text: v})
	}
}

// lineOption reads one word of PERL5OPT or RUBYOPT.
func lineOption(r *catalog.Result, w value.Value, lang, name string) {
	text := w.Prefix()
	switch {
	case !w.IsKnown():
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: w})
	case strings.HasPrefix(text, "-I") && len(text) > 2:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: w.Cut(2)})
	case lang == "perl" && (strings.HasPrefix(text, "-M") || strings.HasPrefix(text, "-m")), lang == "ruby" && strings.HasPrefix(text, "-r"):
		loadModule(r, lang, w.Cut(2))
	case lang == "perl" && strings.HasPrefix(text, "-d"):
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: w})
	case text == "", lang == "perl" && (strings.HasPrefix(text, "-M") || strings.HasPrefix(text, "-m") || strings.HasPrefix(text, "-C") || strings.Trim(text, "-wWtTX") == ""),
		lang == "ruby" && (strings.HasPrefix(text, "-r") || strings.HasPrefix(text, "-W") || strings.HasPrefix(text, "-E") || strings.HasPrefix(text, "-K") || strings.Trim(text, "-wvdU") == "" ||
			strings.HasPrefix(text, "--enable") || strings.HasPrefix(text, "--disable") || strings.HasPrefix(text, "--yjit") || strings.HasPrefix(text, "--jit") || strings.HasPrefix(text, "--encoding") || strings.HasPrefix(text, "--parser")):
	default:
		site.NotUnderstood(r, value.Concat(value.Lit(name+" "), w))
	}
}

// loadModule adds what an option does that loads a module: it is a line of code
// before the program's, and whoever reads the language knows which modules only
// compute. -M'A;code' is `use A;code`, and lib brings a path of its own (perlrun, -M).
func loadModule(r *catalog.Result, lang string, v value.Value) {
	text, known := v.Known()
	name, imports, imported := strings.Cut(text, "=")
	name = strings.TrimPrefix(name, "-")
	code := value.Concat(value.Lit("use "), v)
	switch {
	case !known || strings.Contains(text, "/"), name == "lib" && imported:
		if imported {
			v = value.Lit(imports)
		}
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: v})
		return
	case lang != "perl":
		code = value.Lit(`require "` + text + `"`)
	case plainModule(v):
		code = value.Lit("use " + name + ";")
	}
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: lang, Text: code})
}

// plainModule reports whether v is the name of a module with a plain list of
// imports, and so no code.
func plainModule(v value.Value) bool {
	text, known := v.Known()
	if !known {
		return false
	}
	return strings.IndexFunc(text, func(c rune) bool {
		return !strings.ContainsRune("_:=,-.!+$@%", c) && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}) < 0
}

// unRuby reads `ruby -run -e COMMAND -- ARGS`: the library un.rb holds the
// usual file commands under their usual names, and a web server.
func unRuby(m *catalog.Match, r *catalog.Result, args []value.Value) {
	code, ok := m.Value("code")
	switch {
	case !ok:
	case site.SameWord(code, "httpd"):
		e := catalog.Effect{Verb: risk.NetListen, Kind: risk.KindWebServer}
		if dirs := site.OperandsAfter(args, "-p --port -b --bind-address"); len(dirs) > 0 && !site.SameWord(dirs[0], ".") {
			e.Carries = []catalog.Source{{Path: dirs[0]}}
		}
		r.Effects = append(r.Effects, e)
	default:
		r.Runs = append(r.Runs, catalog.Run{Argv: append([]value.Value{code}, args...)})
	}
}

// joinLines joins texts with newlines.
func joinLines(texts []value.Value) value.Value {
	var b value.Builder
	for i, t := range texts {
		if i > 0 {
			b.WriteString("\n")
		}
		b.Add(t)
	}
	return b.Value()
}
