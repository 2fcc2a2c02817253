package recipe

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// npx says what `npx X`, `pnpm dlx X`, `bunx X` and their kin fetch and run
// (npm 10, "npm exec").
func npx(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	packages := m.Values("package")
	for _, p := range packages {
		r.Effects = append(r.Effects, fetched(p))
	}
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.Kind != catalog.RunArgv || len(run.Argv) == 0 || len(packages) > 0 {
			continue
		}
		name, known := run.Argv[0].Known()
		if strings.HasPrefix(run.Argv[0].Prefix(), ".") || strings.HasPrefix(run.Argv[0].Prefix(), "/") {
			if strings.HasPrefix(name, ".") {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: run.Argv[0], Kind: risk.KindPackage})
			}
			continue
		}
		program := npmProgram(name)
		switch {
		case m.Has("local"), known && isLocalBinary(s, projectDir(m, s, "dir"), program):
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: value.Lit(program), Kind: risk.KindInstalledPackage})
		default:
			r.Effects = append(r.Effects, fetched(run.Argv[0]))
		}
		if isElsewhere(run.Argv[0]) {
			run.Argv = nil
			continue
		}
		if known {
			run.Argv[0] = value.Lit(program)
		}
	}
	r.Runs = withoutEmpty(r.Runs)
}

func withoutEmpty(runs []catalog.Run) []catalog.Run {
	kept := runs[:0]
	for _, run := range runs {
		if run.Kind != catalog.RunArgv || len(run.Argv) > 0 {
			kept = append(kept, run)
		}
	}
	return kept
}

// fetched is the effect of fetching a package in order to run it.
func fetched(spec value.Value) catalog.Effect {
	text := spec.Prefix()
	switch {
	case strings.HasPrefix(text, "http://"), strings.HasPrefix(text, "https://"):
		return catalog.Effect{Verb: risk.ExecRemote, Target: spec}
	case isElsewhere(spec):
		return catalog.Effect{Verb: risk.PkgInstall, Target: spec, Kind: risk.KindFromARepositoryAndRun}
	}
	return catalog.Effect{Verb: risk.PkgInstall, Target: spec, Kind: risk.KindAndRun}
}

// isElsewhere reports whether a package is named by where it lies and not by
// its name in a registry.
func isElsewhere(spec value.Value) bool {
	text := spec.Prefix()
	return strings.Contains(text, "://") || strings.HasPrefix(text, "github:") || strings.HasPrefix(text, "git+") ||
		strings.HasPrefix(text, "gitlab:") || strings.HasPrefix(text, "gist:") || strings.HasPrefix(text, "bitbucket:") ||
		!strings.HasPrefix(text, "@") && strings.Contains(text, "/") && !strings.HasPrefix(text, ".")
}

// npmProgram names the program that a package of npm brings: its version is
// cut off, and of a scoped name the last part counts, except where the
// program is called otherwise.
func npmProgram(spec string) string {
	if i := strings.LastIndexByte(spec, '@'); i > 0 {
		spec = spec[:i]
	}
	switch spec {
	case "@angular/cli":
		return "ng"
	case "@vue/cli":
		return "vue"
	case "@nestjs/cli":
		return "nest"
	case "@biomejs/biome":
		return "biome"
	case "@changesets/cli":
		return "changeset"
	case "@commitlint/cli":
		return "commitlint"
	case "@anthropic-ai/claude-code":
		return "claude"
	case "@google/gemini-cli":
		return "gemini"
	case "@capacitor/cli":
		return "cap"
	case "@expo/cli", "expo-cli":
		return "expo"
	case "@tailwindcss/cli":
		return "tailwindcss"
	case "@swc/cli":
		return "swc"
	case "@babel/cli":
		return "babel"
	case "@11ty/eleventy":
		return "eleventy"
	case "firebase-tools":
		return "firebase"
	case "npm-check-updates":
		return "ncu"
	case "eas-cli":
		return "eas"
	case "@railway/cli":
		return "railway"
	case "@sentry/cli":
		return "sentry-cli"
	case "markdownlint-cli", "markdownlint-cli2":
		return "markdownlint"
	case "@cyclonedx/cyclonedx-npm":
		return "cyclonedx-npm"
	}
	if strings.HasPrefix(spec, "@") {
		return path.Base(spec)
	}
	return spec
}

// npmCreate says what `npm init X` and `yarn create X` fetch and run
// (npm 10, "npm init").
func npmCreate(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	v, ok := m.Value("initializer")
	if !ok || m.Has("help") {
		return
	}
	text, known := v.Known()
	if known && !isElsewhere(v) {
		scope, name, scoped := strings.Cut(text, "/")
		switch {
		case !scoped && strings.HasPrefix(text, "@"):
			v = value.Lit(scope + "/create")
		case scoped:
			v = value.Lit(scope + "/create-" + name)
		default:
			v = value.Lit("create-" + text)
		}
	}
	r.Effects = append(r.Effects, fetched(v))
}

// uvx says what `uvx X`, `uv tool run X` and `pipx run X` fetch and run: the
// package is the program's name, unless --from or --spec names another.
func uvx(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if m.Has("setup") {
		r.Prints = catalog.PrintsSetup
		return
	}
	if m.Has("help") {
		return
	}
	from := m.Values("from")
	for _, v := range from {
		r.Effects = append(r.Effects, fetched(v))
	}
	defer func() { // what runs is told before what it is given
		for _, v := range m.Values("with") {
			r.Effects = append(r.Effects, fetched(v))
		}
	}()
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.Kind != catalog.RunArgv || len(run.Argv) == 0 {
			continue
		}
		text, known := run.Argv[0].Known()
		if len(from) == 0 {
			r.Effects = append(r.Effects, fetched(run.Argv[0]))
			m.Bind("package", run.Argv[0])
		} else {
			m.Bind("package", from[0])
		}
		switch {
		case isElsewhere(run.Argv[0]):
			run.Argv = nil
		case known:
			run.Argv[0] = value.Lit(pythonPackage(text))
		}
	}
	r.Runs = withoutEmpty(r.Runs)
}

// pythonPackage cuts version, extras and markers off a requirement (PEP 508).
func pythonPackage(spec string) string {
	if i := strings.IndexAny(spec, "[@=<>!~; "); i > 0 {
		return spec[:i]
	}
	return spec
}

// pythonRun reads `uv run X` and its kin: a file of Python is a script, a URL
// is code from elsewhere, anything else a program of the environment.
func pythonRun(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	for _, v := range m.Values("with") {
		r.Effects = append(r.Effects, fetched(v))
	}
	scripts := m.Program.Names[0] == "poetry" && s.Name != "poetry" // the others name scripts of the project too
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.Kind != catalog.RunArgv || len(run.Argv) == 0 {
			continue
		}
		if scripts {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: run.Argv[0], Kind: risk.KindProjectScript})
		}
		first, rest := run.Argv[0], run.Argv[1:]
		switch text := first.Prefix(); {
		case strings.HasPrefix(text, "https://"), strings.HasPrefix(text, "http://"):
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecRemote, Target: first})
			run.Argv = nil
		case m.Has("module"):
			run.Argv = append([]value.Value{value.Lit("python"), value.Lit("-m")}, run.Argv...)
		case site.IsLiteral(first, "-"):
			*run = catalog.Run{Kind: catalog.RunCode, Lang: "python", Stdin: true, Wrap: run.Wrap}
			r.ReadsStdin = true
		case m.Has("script"), strings.HasSuffix(first.Suffix(), ".py"):
			*run = catalog.Run{Kind: catalog.RunScript, Lang: "python", Text: first, Args: rest, Wrap: run.Wrap}
		}
	}
	r.Runs = withoutEmpty(r.Runs)
}

// sameProgram runs the words after a subcommand as a command line that begins
// with the subcommand's own name: `yarn node`, `corepack pnpm`.
func sameProgram(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("words")
	if len(s.Args) < len(words)+1 {
		return
	}
	r.Runs = append(r.Runs, catalog.Run{Argv: append([]value.Value{s.Args[len(s.Args)-len(words)-1]}, words...)})
}

// versionExec drops the version that `nvm exec 18 command` names first; fnm
// and volta name it in an option.
func versionExec(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	version, ok := m.Value("version")
	if !ok || strings.HasPrefix(version.Prefix(), "v") || strings.TrimLeft(version.Prefix(), "0123456789") != version.Prefix() || s.Name == "nvm" && nvmAlias(version) {
		return
	}
	if len(r.Runs) == 0 {
		r.Runs = append(r.Runs, catalog.Run{Argv: []value.Value{version}})
		return
	}
	r.Runs[0].Argv = append([]value.Value{version}, r.Runs[0].Argv...)
}

// nvmAlias reports whether a word may stand for a version: one that nvm has by itself
// (nvm, "Usage"). Another is the command, unless somebody made an alias of that name.
func nvmAlias(word value.Value) bool {
	return strings.HasPrefix(word.Prefix(), "lts/") || strings.HasPrefix(word.Prefix(), "--") ||
		slices.ContainsFunc([]string{"node", "stable", "unstable", "default", "system", "current", "iojs"}, func(name string) bool { return site.SameWord(word, name) })
}

// toolVersions drops the TOOL@VERSION words that stand before -- in
// `mise exec node@20 -- command`.
func toolVersions(_ *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Runs {
		for j, w := range r.Runs[i].Argv {
			if site.IsLiteral(w, "--") {
				r.Runs[i].Argv = r.Runs[i].Argv[j+1:]
				break
			}
		}
	}
	r.Runs = withoutEmpty(r.Runs)
}

// shellWords turns one word that is a whole command into shell text, as
// `yarn exec "a && b"` and `pnpm -c exec "a && b"` read it.
func shellWords(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.Kind == catalog.RunArgv && (m.Has("shell") || len(run.Argv) == 1 && strings.ContainsAny(run.Argv[0].Prefix(), " ;|&<>")) {
			run.Kind, run.Text, run.Argv = catalog.RunShell, site.JoinedWords(run.Argv), nil
		}
	}
}

// pnpmDlx is `pnpm dlx`, whose words may be shell text too.
func pnpmDlx(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if !m.Has("shell") {
		npx(m, s, r)
		return
	}
	for _, run := range r.Runs {
		if run.Kind == catalog.RunArgv && len(run.Argv) > 0 && !m.Has("package") {
			r.Effects = append(r.Effects, fetched(run.Argv[0].Split(" ")[0]))
		}
	}
	for _, p := range m.Values("package") {
		r.Effects = append(r.Effects, fetched(p))
	}
	shellWords(m, s, r)
}
