package recipe

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// npmScript runs a script of package.json: the one in the place "script", or,
// where the subcommand is the script (npm test), that one. Words in the place
// "args" are passed on (npm 10, "npm run-script"; pnpm 9 "run"; yarn 1 "run").
func npmScript(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") || m.Has("list") {
		return
	}
	name, named := m.Value("script")
	if !named {
		if hasOperand(m.Node(), "script") {
			return // lists the scripts
		}
		names := strings.Fields(m.Node().Name)
		name = value.Lit(names[0])
		if i := slices.IndexFunc(s.Args, func(w value.Value) bool { text, _ := w.Known(); return slices.Contains(names, text) }); i >= 0 && slices.Contains(names, "restart") {
			name = s.Args[i]
		}
	}
	p, ok := project(m, s)
	text, known := name.Known()
	switch {
	case ok && known && p.run(r, text, m.Values("args")):
		return
	case ok && text == "restart" && len(p.scripts["start"]) > 0:
		p.run(r, "stop", nil)
		p.run(r, "start", m.Values("args"))
		return
	case ok && text == "start" && !hasOperand(m.Node(), "script"):
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "node", Text: value.Lit("server.js"), Args: m.Values("args")})
		return
	case ok && known && hasOperand(m.Node(), "script") && m.Has("if-present"):
		return
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: name, Kind: risk.KindPackageScript})
}

func hasOperand(c *catalog.Command, name string) bool {
	for i := range c.Operands {
		if c.Operands[i].Name == name {
			return true
		}
	}
	return false
}

// project finds the manifest that a package manager works with, through the
// options that choose a directory or one workspace. It reports false where
// more than one could be meant.
func project(m *catalog.Match, s *catalog.Site) (manifest, bool) {
	p, ok := findManifest(s, projectDir(m, s, "dir"), "package.json")
	if ok {
		p.shell, p.options = npmrcSetting(s, path.Join(p.dir, ".npmrc"), "script-shell"), npmrcSetting(s, path.Join(p.dir, ".npmrc"), "node-options")
	}
	if !ok || m.Has("workspaces") || m.Has("global") {
		return p, false
	}
	chosen := m.Values("workspace")
	if len(chosen) == 0 {
		return p, true
	}
	name, known := chosen[0].Known()
	if len(chosen) > 1 || !known {
		return p, false
	}
	return p.workspace(s, name)
}

// npmrcSetting is what a .npmrc says under a name, or "".
func npmrcSetting(s *catalog.Site, file, name string) string {
	text, _ := site.SiteFile(s, value.Lit(file))
	for line := range strings.Lines(text) {
		if key, text, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == name {
			return strings.Trim(strings.TrimSpace(text), `"'`)
		}
	}
	return ""
}

// workspace finds one package of a workspace by its path or, in the usual
// places, by its name.
func (p manifest) workspace(s *catalog.Site, name string) (manifest, bool) {
	if name == "" || strings.ContainsAny(name, "*!{}[]^~") || strings.Contains(name, "...") {
		return manifest{}, false
	}
	base := path.Base(name)
	for _, dir := range []string{name, "packages/" + base, "apps/" + base, "libs/" + base, base} {
		at := path.Join(p.dir, dir)
		if path.IsAbs(dir) {
			at = dir
		}
		q, ok := findManifest(s, at, "package.json")
		if ok && q.dir == at && (q.name == name || dir == name) {
			return q, true
		}
	}
	return manifest{}, false
}

// npmVersion adds the lock files that are there, which name the version too, to
// what a new version changes (npm-version(1)).
func npmVersion(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if _, changes := m.Value("version"); changes {
		for _, name := range []string{"package-lock.json", "npm-shrinkwrap.json"} {
			if kind, ok := site.KindAt(s, name); ok && kind == world.Regular {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: value.Lit(name)})
			}
		}
	}
	npmLifecycle(m, s, r)
}

// npmLifecycle adds the scripts of the project itself that a subcommand runs
// without being asked, in a dry run too (npm 10, "scripts", life cycle operation
// order; npm-publish(1), "--dry-run").
func npmLifecycle(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("ignore-scripts") || m.Has("help") {
		return
	}
	p, ok := project(m, s)
	if !ok {
		return
	}
	switch strings.Fields(m.Node().Name)[0] {
	case "publish":
		p.lifecycle(r, "prepublishOnly", "prepack", "prepare", "postpack", "publish", "postpublish")
	case "pack":
		p.lifecycle(r, "prepack", "prepare", "postpack")
	case "version":
		p.lifecycle(r, "preversion", "version", "postversion")
	default:
		if len(m.Values("package")) == 0 {
			p.lifecycle(r, "preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare")
		}
	}
}

// npmRoot reads a package manager's call without a subcommand of its own:
// yarn, pnpm and bun take a script, a program of the dependencies or, bun
// only, a file; without any word yarn installs.
func npmRoot(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	nodeOptions(s, r)
	withoutPackages(m, s, r)
	if len(m.Chain) > 1 || m.Has("help") {
		return
	}
	name, named := m.Value("script")
	switch {
	case m.Has("code"): // bun -e, bun -p: words behind the code are its arguments
		printsValue(m, r)
		bunEnvironment(m, s, r)
		for i := range r.Runs {
			if named && r.Runs[i].Kind == catalog.RunCode {
				r.Runs[i].Args = append([]value.Value{name}, m.Values("args")...)
			}
		}
		return
	case named:
		packageCommand(m, s, r, name, m.Values("args"))
		return
	}
	if m.Program.Names[0] == "yarn" {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PkgInstall, Target: value.Lit("dependencies of this project")})
		if !m.Has("ignore-scripts") {
			if p, ok := project(m, s); ok {
				p.lifecycle(r, "preinstall", "install", "postinstall", "prepare")
			}
		}
	}
}

// npmCommand reads `yarn run X`, `bun run X` and their kin, where X may be a
// program too.
func npmCommand(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if name, named := m.Value("script"); named && !m.Has("help") {
		packageCommand(m, s, r, name, m.Values("args"))
	}
}

func packageCommand(m *catalog.Match, s *catalog.Site, r *catalog.Result, name value.Value, args []value.Value) {
	text, known := name.Known()
	p, ok := project(m, s)
	if ok && known && p.run(r, text, args) {
		return
	}
	switch bun := m.Program.Names[0] == "bun"; {
	case bun && isSourceFile(name):
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "typescript", Text: name, Args: args})
	case bun && known && text == "-":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "typescript", Stdin: true})
		r.ReadsStdin = true
	case ok && known:
		run := catalog.Run{Argv: append([]value.Value{name}, args...)}
		if projectDir(m, s, "dir") != s.Dir {
			at := value.Lit(p.dir)
			run.Dir = &at
		}
		r.Runs = append(r.Runs, run)
	default:
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: name, Kind: risk.KindPackageScript})
	}
}

// isSourceFile reports whether a word names a file of JavaScript and not a
// script of package.json.
func isSourceFile(v value.Value) bool {
	if text := v.Prefix(); strings.HasPrefix(text, "/") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") {
		return true
	}
	switch path.Ext(v.Suffix()) {
	case ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts":
		return true
	}
	return false
}

// inWorkspace runs the rest of `yarn workspace NAME command…` in that package.
func inWorkspace(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	args := m.Values("command")
	name, ok := m.Value("name")
	if !ok || len(args) == 0 {
		return
	}
	dir := value.Unknown(risk.CauseUnknown, "workspace")
	if p, found := findManifest(s, s.Dir, "package.json"); found && name.IsKnown() {
		if q, found := p.workspace(s, name.String()); found {
			dir = value.Lit(q.dir)
		}
	}
	argv := append([]value.Value{value.Lit(m.Program.Names[0])}, args...)
	r.Runs = append(r.Runs, catalog.Run{Argv: argv, Dir: &dir})
}

// npmConfig reads KEY=VALUE and KEY VALUE pairs that are set for good: some of
// the keys name programs (npm 10, "config").
func npmConfig(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	words := m.Values("setting")
	for i := 0; i < len(words); i++ {
		key, attached, has := strings.Cut(words[i].Prefix(), "=")
		val := value.Value{}
		switch {
		case has:
			val = words[i].Cut(len(words[i].Prefix()) - len(attached))
		case i+1 < len(words):
			i++
			val = words[i]
		}
		e := catalog.Effect{Verb: risk.SysConfig, Target: value.Lit(key), Kind: risk.KindSettingsOfAPackageManager}
		switch key {
		case "script-shell":
			r.Runs = append(r.Runs, catalog.Reader(val))
		case "shell", "editor", "viewer", "git", "browser", "node-gyp":
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunExec, Text: val})
		case "strict-ssl", "strictSsl", "enableStrictSsl":
			if !site.IsLiteral(val, "true") {
				e.Verb, e.Kind = risk.DefenseEvade, risk.KindCertificateChecks
			}
		case "unsafeHttpWhitelist":
			e.Verb, e.Kind = risk.DefenseEvade, plainSources
		default:
			if (strings.HasSuffix(key, "registry") || strings.HasSuffix(key, "RegistryServer") || strings.HasSuffix(key, "proxy")) && plainSource(val) {
				e.Verb, e.Kind = risk.DefenseEvade, plainSources
			}
		}
		r.Effects = append(r.Effects, e)
	}
}
