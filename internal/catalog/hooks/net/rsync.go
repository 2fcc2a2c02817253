package net

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// rsync copies here, to another machine or from one (rsync(1), "GENERAL").
func rsync(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("daemon") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetListen})
		return
	}
	if v, ok := m.Value("rsh"); ok {
		r.Runs = append(r.Runs, remoteShell(v))
	}
	words := m.Values("operand")
	if len(words) == 0 {
		return
	}
	if m.Has("listed") && len(words) > 1 {
		words = words[:len(words)-1]
	}
	sources, dest := words, value.Value{}
	listing := len(words) == 1 || m.Has("listed") // a lone source is only listed
	if !listing {
		sources, dest = words[:len(words)-1], words[len(words)-1]
	}
	c := rsyncCopy{m: m, s: s, r: r, dest: dest, away: !listing && isRemote(dest), listing: listing, several: len(sources) > 1}
	for _, src := range sources {
		c.from(src)
	}
	switch {
	case c.away && m.Has("dry"): // it asks the other side what is there
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: dest})
	case c.away:
		remoteSystem(dest, r)
	}
	if v, ok := m.Value("rsyncpath"); ok && c.touched() {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v, Wrap: catalog.Wrapped{Label: "rsync", Host: c.host()}})
	}
	if m.Has("delete") && !m.Has("recursive") && !m.Has("dirs") && len(m.Values("list")) == 0 && !m.Loose() {
		r.Lacks = "it deletes only with -r or -d"
	}
	if m.Has("delete") && !m.Has("dry") && !listing {
		c.deletes(sources)
	}
}

type rsyncCopy struct {
	m    *catalog.Match
	s    *catalog.Site
	r    *catalog.Result
	dest value.Value
	far  value.Value // the other machine's path, if there is one
	away,
	listing, several bool
}

func (c *rsyncCopy) touched() bool { return c.away || !c.far.Empty() }

func (c *rsyncCopy) host() string {
	v := c.far
	if c.away {
		v = c.dest
	}
	host, _, _ := strings.Cut(v.String(), ":")
	return host
}

// from records one source.
func (c *rsyncCopy) from(src value.Value) {
	deep := c.m.Has("recursive")
	dry := c.m.Has("dry")
	remote := isRemote(src)
	if remote {
		c.far = src
		c.r.Effects = append(c.r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: src, Arg: "source", Recursive: deep})
	} else {
		c.r.Effects = append(c.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: src, Arg: "source", Recursive: deep})
	}
	if dry || c.listing {
		return
	}
	e := catalog.Effect{Verb: risk.FSWrite, Target: c.place(src), Arg: "dest", Recursive: deep}
	if c.away {
		e = catalog.Effect{Verb: risk.NetSend, Target: c.dest, Arg: "dest"}
	}
	if !remote {
		e.Carries = []catalog.Source{{Path: src}}
	}
	c.r.Effects = append(c.r.Effects, e)
	if c.m.Has("remove") {
		e := catalog.Effect{Verb: risk.FSDelete, Target: src, Arg: "source", Recursive: deep, Many: true, Kind: risk.KindRemoveSourceFiles}
		if remote {
			e.Verb = risk.RemoteDestroy
		}
		c.r.Effects = append(c.r.Effects, e)
	}
}

// place is where a source arrives: a trailing slash on the source means its
// contents, none the thing itself (rsync(1), "USAGE").
func (c *rsyncCopy) place(src value.Value) value.Value {
	suffix := src.Suffix()
	base := path.Base(suffix)
	if strings.HasSuffix(suffix, "/") || base == "." || base == ".." || c.m.Has("list") || isRemote(src) {
		return c.dest
	}
	if c.m.Has("recursive") && site.IsDirectory(c.s, src) || c.several || site.IsDirectory(c.s, c.dest) {
		return site.Inside(c.dest, site.BaseOf(src))
	}
	return c.dest
}

// deletes records what --delete removes at the destination.
func (c *rsyncCopy) deletes(sources []value.Value) {
	if c.away {
		c.r.Effects = append(c.r.Effects, catalog.Effect{Verb: risk.RemoteDestroy, Target: c.dest, Arg: "dest", Recursive: true, Kind: risk.KindWhatTheSourceLacks})
		return
	}
	for _, src := range sources {
		c.r.Effects = append(c.r.Effects, catalog.Effect{
			Verb: risk.FSDelete, Target: c.place(src), Arg: "dest", Recursive: true, Many: true, Kind: risk.KindWhatTheSourceLacks,
		})
	}
}

// isRemote recognises host:path, host::module and rsync://host: a colon that
// no slash precedes.
func isRemote(v value.Value) bool {
	for _, p := range v.Parts() {
		if p.Hole != nil {
			continue
		}
		if i := strings.IndexAny(p.Lit, ":/"); i >= 0 {
			return p.Lit[i] == ':'
		}
	}
	return false
}

// remoteShell is the command of -e: the words of an ssh client as words, so
// that its options are read as such, and anything else as shell text.
func remoteShell(v value.Value) catalog.Run {
	text, known := v.Known()
	fields := strings.Fields(text)
	if known && len(fields) > 0 && !strings.ContainsAny(text, `'"\`) {
		switch path.Base(fields[0]) {
		case "ssh", "rsh":
			run := catalog.Run{Kind: catalog.RunArgv}
			for _, f := range fields {
				run.Argv = append(run.Argv, value.Lit(f))
			}
			return run
		}
	}
	return catalog.Run{Kind: catalog.RunShell, Text: v}
}
