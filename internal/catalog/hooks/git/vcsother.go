package git

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// hg reads --config SECTION.NAME=VALUE: shell aliases, hooks, extensions and
// programs (hgrc(5)).
func hg(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	elsewhere(m, s, r)
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
		case !ofSections(name, hgInert):
			notUnderstood(r, c)
		}
	}
}

// Settings that change how things look, who is named, or what words mean, by
// section or in full: what is not in these lists may name a program or a file.
var (
	hgInert  = []string{"annotate.", "color.", "diff.", "progress.", "revsetalias.", "templatealias.", "alias.", "ui.username", "ui.quiet", "ui.verbose", "ui.debug", "ui.color", "ui.interactive", "ui.paginate", "ui.logtemplate", "ui.relative-paths", "ui.timeout", "ui.traceback", "ui.tweakdefaults", "pager.attend-"}
	svnInert = []string{"config:miscellany:", "config:working-copy:", "servers:global:http-timeout", "servers:global:http-compression"}
	jjInert  = []string{"user.", "colors.", "revsets.", "revset-aliases.", "templates.", "template-aliases.", "ui.color", "ui.paginate", "ui.graph.", "ui.log-word-wrap", "ui.quiet", "ui.default-description", "ui.show-cryptographic-signatures", "git.auto-local-bookmark", "aliases."}
)

// ofSections reports whether a setting is one of a list.
func ofSections(name string, list []string) bool {
	return slices.ContainsFunc(list, func(known string) bool { return strings.HasPrefix(name, known) })
}

// elsewhere tells of repositories at another host that are only looked at.
func elsewhere(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, name := range []string{"object", "directory"} {
		for _, v := range m.Values(name) {
			if scheme := site.NetScheme(v); scheme != "" && scheme != "file" {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: v})
			}
		}
	}
}

// notUnderstood tells of a setting that nobody knows the meaning of.
func notUnderstood(r *catalog.Result, setting value.Value) {
	site.NotUnderstood(r, setting)
}

// svn reads --config-option FILE:SECTION:OPTION=VALUE; tunnels and helpers are
// programs (the runtime configuration area, "config").
func svn(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	elsewhere(m, s, r)
	for _, c := range m.Values("config-option") {
		key, val, ok := gitCut(c, "=")
		file, rest, _ := strings.Cut(key.String(), ":")
		section, _, _ := strings.Cut(rest, ":")
		if ok && file == "config" && (section == "tunnels" || section == "helpers") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: val})
		} else if !ofSections(key.String(), svnInert) {
			notUnderstood(r, c)
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
		} else if !ofSections(name, jjInert) {
			notUnderstood(r, c)
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
