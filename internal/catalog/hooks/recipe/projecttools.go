package recipe

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// coverageRun reads `coverage run` as the call of python that it is
// (coverage.py 7.6, "Execution").
func coverageRun(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Runs {
		front := []value.Value{value.Lit("python")}
		if m.Has("module") {
			front = append(front, value.Lit("-m"))
		}
		r.Runs[i].Argv = append(front, r.Runs[i].Argv...)
	}
}

// crossEnv takes the variables off the front; cross-env-shell passes the rest
// to a shell as one text (cross-env 7, "Usage").
func crossEnv(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	assignments(m, s, r)
	if s.Name != "cross-env-shell" {
		return
	}
	for i := range r.Runs {
		run := &r.Runs[i]
		run.Kind, run.Text, run.Argv = catalog.RunShell, site.JoinedWords(run.Argv), nil
	}
}

// alwaysRecursive marks deletions of programs that need no option for it.
func alwaysRecursive(_ *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Effects {
		r.Effects[i].Recursive = r.Effects[i].Recursive || r.Effects[i].Verb == risk.FSDelete
	}
}

// server tells servers that run code of the project from those that only hand
// out files.
func server(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	code := []string{"uvicorn", "gunicorn", "hypercorn", "daphne", "waitress-serve", "flask", "streamlit", "celery", "gradio"}
	if slices.Contains(code, s.Name) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: value.Lit("the project's server")})
		r.Module = servedModule(m, s)
	}
}

// servedModule is the module of the application that a server is to serve, by the first
// word, MODULE:NAME; "" where that is not known, or looked for elsewhere.
func servedModule(m *catalog.Match, s *catalog.Site) string {
	words := m.Values("root")
	if !slices.Contains([]string{"uvicorn", "gunicorn", "hypercorn", "daphne", "waitress-serve"}, s.Name) || len(words) != 1 || m.Loose() {
		return ""
	}
	if _, elsewhere := m.Value("base"); elsewhere {
		return ""
	}
	text, known := words[0].Known()
	module, _, named := strings.Cut(text, ":")
	if !known || !named {
		return ""
	}
	return module
}

// release says what the release tools do when no subcommand is given.
func release(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) > 1 || m.Has("help") {
		return
	}
	if m.Has("dry") {
		switch s.Name {
		case "semantic-release", "release-it", "auto": // their plugins, and settings that are code, run all the same
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: value.Lit("the project's tools")})
		}
		return
	}
	e := catalog.Effect{Verb: risk.PkgPublish, Target: value.Lit("this project")}
	switch s.Name {
	case "vsce", "ovsx", "web-ext":
		return
	case "standard-version":
		e.Verb, e.Target = risk.FSWrite, value.Lit("package.json")
		if _, given := m.Value("log"); !given {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: value.Lit("CHANGELOG.md")})
		}
	case "changeset", "bumpp":
		e.Verb, e.Target = risk.FSWrite, value.Lit(".")
	}
	r.Effects = append(r.Effects, e)
}

// linter covers the linters that take files without a subcommand: their
// configuration is code of the project.
func linter(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if len(m.Chain) > 1 || m.Has("help") || m.Has("asks") {
		return
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: value.Lit("the linter and its configuration")})
	if m.Has("fix") {
		for _, f := range m.Values("path") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Kind: risk.KindFormatted})
		}
	}
}

// pythonFormatter tells the formatters that rewrite files unless asked not to
// from those that print unless asked to rewrite. `black -c` takes code.
func pythonFormatter(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") || s.Name == "black" && site.OptionGiven(s.Args, "-c", "--code") {
		return
	}
	prints := site.OptionGiven(s.Args, "-d", "--diff")
	switch s.Name {
	case "yapf", "autopep8", "docformatter", "autoflake":
		prints = prints || !m.Has("inplace")
	}
	for _, f := range m.Values("path") {
		e := catalog.Effect{Verb: risk.FSWrite, Target: f, Kind: risk.KindFormatted}
		if m.Has("check") || prints {
			e = catalog.Effect{Verb: risk.FSRead, Target: f, Shown: prints}
		}
		if site.IsLiteral(f, "-") {
			r.ShowsStdin, r.ReadsStdin = true, true
			continue
		}
		r.Effects = append(r.Effects, e)
	}
}

// checker drops -c of mypy, which takes code to be checked and not run.
func checker(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if s.Name != "mypy" {
		return
	}
	if code, ok := site.OptionValue(s.Args, "-c", "--command"); ok {
		kept := r.Effects[:0]
		for _, e := range r.Effects {
			if e.Kind != risk.KindConfiguration || e.Target.String() != code.String() {
				kept = append(kept, e)
			}
		}
		r.Effects = kept
	}
}
