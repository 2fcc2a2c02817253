package net

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// wgetHook says what wget asks of servers and under which names it keeps the
// answers (GNU wget 1.25 manual, chapter 2).
func wgetHook(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	verb, detail, sources := wgetMethod(m, r)
	for _, url := range m.Values("url") {
		e := catalog.Effect{Verb: verb, Target: url, Arg: "url", Carries: sources, Kind: detail, Many: m.Has("recursive-get")}
		if verb == risk.RemoteDestroy && site.NetLoopback(site.NetHost(url)) {
			e.Verb = risk.NetSend
		}
		r.Effects = append(r.Effects, e)
	}
	for _, v := range m.Values("wgetrc") {
		wgetrc(v, r)
	}
	if m.Has("spider") {
		r.Prints = catalog.PrintsText
		return
	}
	wgetSave(m, r)
}

func wgetMethod(m *catalog.Match, r *catalog.Result) (verb risk.Verb, detail risk.Kind, sources []catalog.Source) {
	verb = risk.NetFetch
	if v, ok := m.Value("method"); ok {
		switch text, _ := v.Known(); strings.ToUpper(text) {
		case "GET", "HEAD", "OPTIONS":
		case "DELETE":
			return risk.RemoteDestroy, risk.KindDelete, nil
		default:
			verb = risk.NetSend
		}
	}
	if m.Has("body") {
		verb = risk.NetSend
	}
	for _, v := range m.Values("body-file") {
		verb = risk.NetSend
		if site.NetIs(v, "-") {
			r.ReadsStdin = true
			sources = append(sources, catalog.Source{Stdin: true})
			continue
		}
		sources = append(sources, catalog.Source{Path: v})
	}
	return verb, risk.NoKind, sources
}

// wgetSave says where the answers go. Without -O, an existing file is kept and
// the new one gets a number, except in recursive and time-stamping runs.
func wgetSave(m *catalog.Match, r *catalog.Result) {
	dir, given := m.Value("directory")
	if out, ok := m.Value("output"); ok {
		if site.NetIs(out, "-") || site.NetIs(out, "/dev/stdout") {
			r.Prints = catalog.PrintsNetwork
			return
		}
		if strings.Contains(out.String(), "%(") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: templateDir(out), Recursive: true, Kind: risk.KindDownload})
			return
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out, Arg: "output", Kind: risk.KindDownload})
		return
	}
	if m.Has("recursive-get") || m.Has("list") {
		if !given {
			dir = value.Lit(".")
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: dir, Recursive: true, Kind: risk.KindDownload})
		return
	}
	verb := risk.FSCreate
	if m.Has("overwrite") {
		verb = risk.FSWrite
	}
	for _, url := range m.Values("url") {
		name := site.NetBase(url)
		if name.Empty() {
			name = value.Lit("index.html")
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: site.NetJoin(dir, given, name), Arg: "output", Kind: risk.KindDownload})
	}
}

// templateDir is the directory of files whose names yt-dlp makes from a template
// (README, "Output template"); the name itself is known only when it has the video.
func templateDir(out value.Value) value.Value {
	dir := value.Value{}
	for _, part := range out.Split("/") {
		if strings.Contains(part.String(), "%(") {
			break
		}
		dir = value.Concat(dir, part, value.Lit("/"))
	}
	if dir.Empty() {
		return value.Lit(".")
	}
	return dir
}

// wgetrc reads a command as a startup file holds it: name = value, where case,
// dashes and underscores do not count (manual, section 6.2).
func wgetrc(v value.Value, r *catalog.Result) {
	name, _, ok := strings.Cut(v.Prefix(), "=")
	if !ok {
		return
	}
	val := v.Cut(len(name) + 1)
	if text, known := val.Known(); known {
		val = value.Lit(strings.TrimSpace(text))
	}
	switch strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(name)) {
	case "useaskpass":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunExec, Text: val})
	case "outputdocument", "logfile", "savecookies":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: val, Kind: risk.KindDownload})
	case "postfile", "bodyfile":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetSend, Carries: []catalog.Source{{Path: val}}})
	case "input":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: val})
	case "httpproxy", "httpsproxy", "ftpproxy":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: val, Kind: risk.KindProxy})
	}
}
