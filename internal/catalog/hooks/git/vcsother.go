package git

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// hg reads --config SECTION.NAME=VALUE: shell aliases, hooks, extensions and
// programs (hgrc(5)).
func hg(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, c := range m.Values("config") {
		key, val, ok := gitCut(c, "=")
		name := strings.ToLower(key.String())
		section, variable, _ := strings.Cut(name, ".")
		switch {
		case !ok || val.Empty():
		case section == "alias" && strings.HasPrefix(val.Prefix(), "!"):
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: val.Cut(1)})
		case section == "extensions":
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: val})
		case section == "hooks" && strings.HasPrefix(val.Prefix(), "python:"):
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: val.Cut(len("python:"))})
		case section == "hooks", section == "merge-tools" && strings.HasSuffix(variable, "executable"), section == "extdiff", section == "pager" && variable == "pager",
			section == "diff-tools", name == "ui.ssh", name == "ui.editor", name == "ui.merge", name == "ui.remotecmd", section == "fsmonitor", section == "encode", section == "decode":
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: val})
		}
	}
}

// svn reads --config-option FILE:SECTION:OPTION=VALUE; tunnels and helpers are
// programs (the runtime configuration area, "config").
func svn(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, c := range m.Values("config-option") {
		key, val, ok := gitCut(c, "=")
		file, rest, _ := strings.Cut(key.String(), ":")
		section, _, _ := strings.Cut(rest, ":")
		if ok && file == "config" && (section == "tunnels" || section == "helpers") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: val})
		}
	}
}

// jj reads --config NAME=VALUE: the settings that name programs (the Jujutsu
// documentation, "Settings").
func jj(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, c := range m.Values("config") {
		key, val, ok := gitCut(c, "=")
		if name := key.String(); ok && jjRuns(name) {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: jjCommand(val)})
		} else if strings.HasPrefix(name, "aliases.") && strings.Contains(val.String(), "exec") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Target: val, Kind: risk.KindAlias})
		}
	}
}

func jjRuns(name string) bool {
	for _, p := range []string{"ui.pager", "ui.editor", "ui.diff-editor", "ui.merge-editor", "ui.diff.tool", "ui.diff-formatter", "merge-tools.", "fix.tools.", "signing.backends.", "core.fsmonitor", "fsmonitor."} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// jjCommand turns a TOML array of words into a command line.
func jjCommand(v value.Value) value.Value {
	text, known := v.Known()
	if !known || !strings.HasPrefix(text, "[") {
		return v
	}
	return value.Lit(strings.NewReplacer("[", "", "]", "", ",", " ").Replace(text))
}
