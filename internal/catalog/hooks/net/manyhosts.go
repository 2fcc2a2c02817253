package net

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// manyHosts joins the words of a command for the shells of many hosts (pssh(1),
// pdsh(1), clush(1), dsh(1)). Without a command some of them ask for one, and
// some copy files.
func manyHosts(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("remote")
	if len(words) == 0 || m.Has("dry") || m.Has("done") {
		return
	}
	target := value.Lit("many hosts")
	if hosts := m.Values("host"); len(hosts) > 0 {
		target = hosts[0]
	}
	wrap := catalog.Wrapped{Label: s.Name + " " + target.String(), Host: target.String()}
	if len(m.Values("host")) == 0 {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: target})
	}
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: site.JoinedWords(words), Wrap: wrap})
	if s.HasStdin && m.Has("send-input") {
		r.ReadsStdin = true
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetSend, Target: target, Carries: []catalog.Source{{Stdin: true}}})
	}
}

// salt runs the text of cmd.run and its kin, and of salt-ssh -r, on the hosts
// of a pattern (Salt, "Execution Modules").
func salt(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	host, ok := m.Value("host")
	words := m.Values("remote")
	here := s.Name == "salt-call" // which asks no other machine to do it
	if !ok && !here || len(words) == 0 {
		return
	}
	wrap := catalog.Wrapped{Label: s.Name, Host: host.String()}
	if !here {
		wrap.Label += " " + host.String()
	}
	function, _ := words[0].Known()
	verb := func(verb risk.Verb, detail risk.Kind) {
		r.Effects = []catalog.Effect{{Verb: verb, Target: host, Kind: detail}}
	}
	switch {
	case m.Has("raw"):
	case strings.HasPrefix(function, "cmd.") && len(words) > 1:
		words = words[1:2]
		if text, ok := strings.CutPrefix(words[0].Prefix(), "cmd="); ok {
			words = []value.Value{words[0].Cut(len(words[0].Prefix()) - len(text))}
		}
	case saltReads(function):
		verb(risk.RemoteRead, risk.NoKind)
		return
	case here && (function == "file.remove" || function == "file.rmdir") && len(words) > 1:
		r.Effects = []catalog.Effect{{Verb: risk.FSDelete, Target: words[1], Arg: "remote", Recursive: function == "file.remove"}}
		return
	case function == "file.remove" || function == "file.rmdir":
		verb(risk.RemoteDestroy, risk.KindFiles)
		return
	default:
		return
	}
	if r.Effects = nil; !here {
		verb(risk.NetConnect, risk.NoKind)
	}
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: site.JoinedWords(words), Wrap: wrap})
}

// saltReads reports whether a function only looks, by its module or its name.
func saltReads(function string) bool {
	module, name, _ := strings.Cut(function, ".")
	switch module {
	case "test", "grains", "pillar", "status", "sys", "disk":
		return !strings.HasPrefix(name, "set") && !strings.HasPrefix(name, "del") && name != "format_" && name != "wipe"
	}
	return strings.HasPrefix(name, "list") || strings.HasPrefix(name, "get") || strings.HasPrefix(name, "show")
}
