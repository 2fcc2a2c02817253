package net

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// httpieHook reads [METHOD] URL [item…] (HTTPie documentation, Request items).
func httpieHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	if len(words) == 0 {
		return
	}
	for _, v := range m.Values("proxy") { // PROTOCOL:URL
		if i := strings.IndexByte(v.Prefix(), ':'); i >= 0 {
			v = v.Cut(i + 1)
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: v, Arg: "proxy", Kind: risk.KindProxy})
	}
	for _, v := range m.Values("resolved") { // HOST:ADDRESS
		if i := strings.IndexByte(v.Prefix(), ':'); i >= 0 {
			v = v.Cut(i + 1)
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: v, Arg: "resolved"})
	}
	method := ""
	if text, known := words[0].Known(); known && len(words) > 1 && strings.Trim(strings.ToUpper(text), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		method, words = strings.ToUpper(text), words[1:]
	}
	url := words[0]
	if method != "" {
		m.Bind("method", value.Lit(method))
	}
	if strings.HasPrefix(url.Prefix(), ":") { // a port of this machine
		m.Bind("url", value.Concat(value.Lit("localhost"), url))
	} else {
		m.Bind("url", url)
	}
	e := catalog.Effect{Verb: risk.NetFetch, Target: url, Arg: "word"}
	body := m.Has("raw")
	for _, item := range words[1:] {
		text := item.Prefix()
		i := strings.IndexAny(text, "=:@")
		switch {
		case i < 0 || strings.HasPrefix(text[i:], "=="):
		case text[i] == ':' && !strings.HasPrefix(text[i:], ":="), strings.HasPrefix(text[i:], ":@"):
		case text[i] == '@', strings.HasPrefix(text[i:], "=@"), strings.HasPrefix(text[i:], ":=@"):
			at := i + strings.IndexByte(text[i:], '@') + 1
			file := item.Cut(at)
			e.Carries = append(e.Carries, catalog.Source{Path: file})
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: file, Arg: "word"})
			body = true
		default:
			body = true
		}
	}
	if s.HasStdin && !site.NetBlank(s.Stdin) {
		r.ReadsStdin, body = true, true
		e.Carries = append(e.Carries, catalog.Source{Stdin: true})
	}
	host := site.NetHost(url)
	switch {
	case method == "DELETE":
		e.Verb, e.Kind = risk.RemoteDestroy, risk.KindDelete
		if (site.NetLoopback(host) || strings.HasPrefix(url.Prefix(), ":")) && !site.IsDataStore(url) {
			e.Verb = risk.NetSend
		}
	case body || method != "" && method != "GET" && method != "HEAD" && method != "OPTIONS":
		e.Verb = risk.NetSend
	}
	r.Effects = append(r.Effects, e)
	if m.Has("output") {
		r.Prints = catalog.PrintsText
	} else if m.Has("download") {
		r.Prints = catalog.PrintsText
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: site.NetBase(url), Arg: "word", Kind: risk.KindDownload})
	}
}

// browserHook tells local files from addresses.
func browserHook(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("url") {
		path, local := site.NetFile(v)
		text, _ := v.Known()
		if !local && site.NetScheme(v) == "" && (strings.HasPrefix(text, "/") || strings.HasPrefix(text, ".") || strings.HasSuffix(text, ".html") || strings.HasSuffix(text, ".htm") || strings.HasSuffix(text, ".txt") || strings.HasSuffix(text, ".md")) {
			path, local = v, true
		}
		if local {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: path, Arg: "url", Shown: true})
			continue
		}
		verb := risk.NetFetch
		if m.Has("post") {
			verb = risk.NetSend
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: v, Arg: "url"})
	}
	for _, v := range m.Values("eval") {
		if strings.Contains(v.Prefix(), "exec") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v})
		} else {
			site.NotUnderstood(r, value.Lit(v.String()))
		}
	}
	for _, v := range m.Values("script") { // keys that are pressed
		site.NotUnderstood(r, value.Lit(v.String()))
	}
}

// mailHook finds tilde escapes in a message that is piped in: ~! and ~| run a
// command, where the client reads them (mailx(1), -~).
func mailHook(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	text, known := site.Input(s).Known()
	if !known || !s.HasStdin {
		return
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "~!") || strings.HasPrefix(line, "~|") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Lit(strings.TrimSpace(line[2:]))})
		}
	}
}

// rcloneHook says which way files go: remote:path is a store, the rest is here.
func rcloneHook(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if m.Has("dry") {
		return
	}
	name := m.Path()[len(m.Path())-1]
	for _, v := range m.Values("object") {
		e := catalog.Effect{Verb: risk.RemoteDestroy, Target: v, Arg: "object"}
		if !remotePath(v) {
			e.Verb, e.Recursive = risk.FSDelete, true
		}
		r.Effects = append(r.Effects, e)
	}
	dest, ok := m.Value("dest")
	if !ok {
		return
	}
	var carried []catalog.Source
	for _, v := range m.Values("source") {
		if remotePath(v) || site.NetScheme(v) != "" {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: v, Arg: "source"})
			continue
		}
		carried = append(carried, catalog.Source{Path: v})
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Arg: "source", Recursive: true})
		if strings.HasPrefix(name, "move") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: v, Arg: "source", Recursive: true})
		}
	}
	lost := catalog.Effect{Verb: risk.RemoteDestroy, Target: dest, Arg: "dest", Kind: risk.KindWhatTheSourceLacks}
	if remotePath(dest) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetSend, Target: dest, Arg: "dest", Carries: carried})
	} else {
		e := catalog.Effect{Verb: risk.FSWrite, Target: dest, Arg: "dest", Recursive: true, Carries: carried}
		if carried == nil {
			e.Kind = risk.KindDownload
		}
		r.Effects = append(r.Effects, e)
		lost.Verb, lost.Recursive = risk.FSDelete, true
	}
	if strings.Contains(name, "sync bisync") {
		r.Effects = append(r.Effects, lost)
	}
}

// websocketHook finds websocat's addresses that run programs.
func websocketHook(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("word") {
		for _, prefix := range []string{"exec:", "cmd:", "sh-c:"} {
			if strings.HasPrefix(v.Prefix(), prefix) {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v.Cut(len(prefix))})
			}
		}
	}
}
