package recipe

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// node completes an invocation of node and its kin: -p and -c take the first
// operand, `inspect` and `watch` stand before the script, and NODE_OPTIONS
// holds more options (Node.js, "Command-line API").
func node(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("code") || m.Has("print") || m.Has("check") || m.Has("test") || m.Has("task") {
		m.Set("done")
	}
	args := m.Values("args")
	if m.Has("print") && !m.Has("code") && len(args) > 0 {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: nodeLang(m.Node()), Text: args[0]})
	}
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.Kind == catalog.RunScript && (site.SameWord(run.Text, "inspect") || site.SameWord(run.Text, "watch") || site.SameWord(run.Text, "debug")) && len(args) > 0 {
			run.Text = args[0]
			args = args[1:]
		}
	}
	nodeInspector(s.Args, r)
	nodeOptions(s, r)
	interpreter(m, s, r)
	nodeEnvironment(m, s, r)
	for i := range r.Runs {
		if k := r.Runs[i].Kind; k == catalog.RunScript || k == catalog.RunCode {
			r.Runs[i].Args = args
		}
		if m.Has("print") && !m.Has("code") && len(args) > 0 {
			r.Runs[i].Args = args[1:]
		}
	}
}

// nodeInspector notes a debugger's port: whoever reaches it runs what they like
// (Node.js, "Debugging Node.js": 127.0.0.1:9229 unless it is told otherwise).
func nodeInspector(args []value.Value, r *catalog.Result) {
	for _, a := range args {
		text := a.Prefix()
		if !strings.HasPrefix(text, "-") {
			return
		}
		name, address, ok := strings.Cut(text, "=")
		if name != "--inspect" && name != "--inspect-brk" && name != "--inspect-wait" {
			continue
		}
		target := value.Lit("127.0.0.1:9229")
		switch {
		case !ok:
		case strings.Contains(address, ":") || !a.IsKnown():
			target = a.Cut(len(name) + 1)
		default:
			target = value.Concat(value.Lit("127.0.0.1:"), a.Cut(len(name)+1))
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetListen, Target: target, Kind: risk.KindDebugger})
	}
}

// nodeEnvironment says what becomes of the variables of --env-file: code that looks
// at its environment shows them, and NODE_OPTIONS among them loads what it likes
// (Node.js, "--env-file=config").
func nodeEnvironment(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, file := range m.Values("env-file") {
		text, ok := site.SiteFile(s, file)
		if s.World != nil && (!ok || strings.Contains(text, "NODE_OPTIONS")) {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: file})
		}
		showsEnvironment(r, file)
	}
}

// bunEnvironment is the same for bun, which reads files of its own accord (Bun,
// "Environment variables").
func bunEnvironment(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, file := range m.Values("env-file") {
		showsEnvironment(r, file)
	}
	for _, name := range []string{".env", ".env.local", ".env.development"} {
		if _, there := site.SiteFile(s, value.Lit(name)); there {
			showsEnvironment(r, value.Lit(name))
		}
	}
}

// showsEnvironment says that code which looks at its environment shows what a file puts
// there.
func showsEnvironment(r *catalog.Result, file value.Value) {
	for i := range r.Runs {
		if run := &r.Runs[i]; run.Kind == catalog.RunCode && (!run.Text.IsKnown() || strings.Contains(run.Text.Prefix(), "env")) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: file, Shown: true})
			return
		}
	}
}

// nodeOptions reads NODE_OPTIONS for modules that are loaded first.
func nodeOptions(s *catalog.Site, r *catalog.Result) {
	v, ok := site.OwnEnv(s, "NODE_OPTIONS")
	if !ok {
		return
	}
	words := v.Split(" ")
	nodeInspector(words, r)
	for i, w := range words {
		name, _, attached := strings.Cut(w.Prefix(), "=")
		switch name {
		case "-r", "--require", "--import", "--loader", "--experimental-loader":
		default:
			if i == 0 || strings.HasPrefix(name, "-") {
				nodeOption(r, name, w)
			}
			continue
		}
		switch {
		case attached:
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: w.Cut(len(name) + 1)})
		case i+1 < len(words):
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: words[i+1]})
		}
	}
	if !v.IsKnown() {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: v})
	}
}

// nodeOption records an option of NODE_OPTIONS, unless it only says how much room there is, how
// warnings are shown and which features of the language there are (Node.js, "Command-line API",
// "NODE_OPTIONS"): others write reports, read settings and open ports.
func nodeOption(r *catalog.Result, name string, w value.Value) {
	const inert = " --max-old-space-size --max-semi-space-size --max-http-header-size --stack-trace-limit --stack-size --no-warnings --trace-warnings --no-deprecation --trace-deprecation --throw-deprecation --pending-deprecation " +
		"--unhandled-rejections --trace-uncaught --enable-source-maps --dns-result-order --network-family-autoselection --openssl-legacy-provider --preserve-symlinks --preserve-symlinks-main --no-addons --no-global-search-paths " +
		"--expose-gc --max_old_space_size --huge-max-old-generation-size --no-node-snapshot --no-extra-info-on-fatal-exception --zero-fill-buffers --frozen-intrinsics --disable-proto --conditions --input-type --test-only --use-openssl-ca --use-bundled-ca --use-system-ca --tls-min-v1.2 --tls-max-v1.3 --disable-warning "
	switch {
	case name == "", strings.Contains(inert, " "+name+" "):
	case (strings.HasPrefix(name, "--experimental-") || strings.HasPrefix(name, "--no-experimental-")) && !strings.Contains(w.Prefix(), "="):
	default:
		site.NotUnderstood(r, value.Concat(value.Lit("NODE_OPTIONS "), w))
	}
}

// deno reads `deno` without a subcommand: a script, or the command loop.
func deno(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) == 1 {
		interpreter(m, s, r)
		denoRun(m, s, r)
	}
}

// denoRun turns a script that is a URL into what it is: code from elsewhere.
func denoRun(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	var kept []catalog.Run
	for _, run := range r.Runs {
		text := run.Text.Prefix()
		switch {
		case run.Kind == catalog.RunScript && (strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "data:")):
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecRemote, Target: run.Text})
		case run.Kind == catalog.RunScript && (strings.HasPrefix(text, "npm:") || strings.HasPrefix(text, "jsr:")):
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PkgInstall, Target: run.Text, Kind: risk.KindAndRun})
		default:
			if run.Kind == catalog.RunScript {
				run.Args = m.Values("args")
			}
			kept = append(kept, run)
		}
	}
	r.Runs = kept
}
