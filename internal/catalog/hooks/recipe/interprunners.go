package recipe

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// runner drops the command of a wrapper that was only asked to list.
func runner(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if m.Has("done") {
		r.Runs = nil
	}
}

// busctl runs the program of a unixexec: address, and notes calls that tools
// without subcommands make (busctl(1), D-Bus specification "Transports").
func busctl(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, a := range s.Args {
		text := a.Prefix()
		_, spec, ok := strings.Cut(text, "unixexec:")
		if !ok {
			continue
		}
		run := catalog.Run{Kind: catalog.RunExec}
		for field := range strings.SplitSeq(spec, ",") {
			if path, ok := strings.CutPrefix(field, "path="); ok {
				run.Text = value.Lit(path)
			}
		}
		r.Runs = append(r.Runs, run)
	}
	if len(m.Chain) == 1 && len(m.Values("words")) > 0 && !site.SomeWord(m.Values("words"), "introspect") && !site.SomeWord(m.Values("words"), "monitor") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SysConfig, Kind: risk.KindDBusCall})
	}
}

// sectionAtFile reads --extra-opts=[section][@file] of the Monitoring Plugins: one file of
// settings, or the plugins' own where none is named.
func sectionAtFile(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("section") {
		if at := strings.IndexByte(v.Prefix(), '@'); at >= 0 {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v.Cut(at + 1), Kind: risk.KindConfiguration, Needed: true})
		}
	}
}

// checkBySSH hands ssh options through, of which one runs a local command.
func checkBySSH(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("option") {
		text := v.Prefix()
		for _, name := range []string{"ProxyCommand", "LocalCommand", "KnownHostsCommand"} {
			if len(text) > len(name) && strings.EqualFold(text[:len(name)], name) {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v.Cut(len(name) + 1)})
			}
		}
	}
}

// dosbox runs DOS commands, which reach files of the host once a directory is
// mounted (dosbox(1)).
func dosbox(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("command") {
		text := strings.ToLower(strings.TrimSpace(v.Prefix()))
		if text != "exit" && text != "" || !v.IsKnown() {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Target: value.Lit("DOS commands"), Kind: risk.KindDOSCommandsOnHostFiles})
			return
		}
	}
}
