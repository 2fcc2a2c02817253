package hooks

import (
	"strings"

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
		run := catalog.Run{Kind: catalog.RunExec, Detail: "bus address"}
		for field := range strings.SplitSeq(spec, ",") {
			if path, ok := strings.CutPrefix(field, "path="); ok {
				run.Text = value.Lit(path)
			}
		}
		r.Runs = append(r.Runs, run)
	}
	if len(m.Chain) == 1 && len(m.Values("words")) > 0 && !someWord(m.Values("words"), "introspect") && !someWord(m.Values("words"), "monitor") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SysConfig, Detail: "D-Bus call"})
	}
}

// ansible runs the text of -a where the module is one of those that run
// commands, which is the default (ansible(1)).
func ansible(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if optionGiven(s.Args, "--list-hosts", "--list-hosts") {
		return
	}
	hosts, _ := m.Value("pattern")
	module, named := m.Value("module")
	text, known := module.Known()
	text = strings.TrimPrefix(text, "ansible.builtin.")
	switch {
	case named && known && (text == "ping" || text == "setup" || text == "debug" || text == "stat" || text == "gather_facts"):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteRead})
	case !named || text == "shell" || text == "command" || text == "raw" || text == "script" || text == "expect":
		args, ok := m.Value("args")
		if !ok {
			return
		}
		w := catalog.Wrapped{Label: "ansible " + hosts.String(), Privileged: optionGiven(s.Args, "-b", "--become")}
		if !sameWord(hosts, "localhost") && !sameWord(hosts, "127.0.0.1") {
			w.Host = hosts.String()
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: hosts})
		}
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: args, Wrap: w})
	default:
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteChange, Target: hosts})
	}
}

// checkBySSH hands ssh options through, of which one runs a local command.
func checkBySSH(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("option") {
		text := v.Prefix()
		for _, name := range []string{"ProxyCommand", "LocalCommand", "KnownHostsCommand"} {
			if len(text) > len(name) && strings.EqualFold(text[:len(name)], name) {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v.Cut(len(name) + 1), Detail: name})
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
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Target: value.Lit("DOS commands"), Detail: "DOS commands on host files"})
			return
		}
	}
}
