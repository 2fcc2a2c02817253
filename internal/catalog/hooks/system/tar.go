package system

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Tar says which way the data flows: whether the archive or the members are
// written depends on the operation (GNU tar 1.34 manual, chapter 2).
func Tar(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	archive, named := m.Value("archive")
	if site.SameWord(archive, "-") {
		named = false
	}
	if host, ok := tarHost(m, archive); ok && named {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: host})
	}
	switch {
	case m.Has("extract"):
		tarExtract(m, r, archive, named)
	case m.Has("create"), m.Has("append"):
		tarCreate(m, s, r, archive, named)
	case m.Has("delete-members"):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: archive, Kind: risk.KindMembersRemoved})
	case m.Has("catenate"):
		for _, v := range m.Values("member") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Arg: "member"})
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: archive, Kind: risk.KindAppend})
	case m.Has("list") || named:
		if named {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: archive})
		}
		r.ReadsStdin = !named
	}
	for _, v := range m.Values("action") {
		tarAction(r, v)
	}
}

// tarHost returns the machine that the name HOST:FILE of an archive means
// ("Remote Tape Server").
func tarHost(m *catalog.Match, archive value.Value) (value.Value, bool) {
	host, _, found := strings.Cut(archive.Prefix(), ":")
	if !found || host == "" || strings.Contains(host, "/") || m.Has("force-local") {
		return value.Value{}, false
	}
	return value.Lit(host), true
}

// tarAction reads a checkpoint action.
func tarAction(r *catalog.Result, v value.Value) {
	switch name, rest, _ := strings.Cut(v.Prefix(), "="); {
	case name == "exec":
		site.RunText(r, v.Cut(len("exec=")))
	case !v.IsKnown() && v.Prefix() == "":
		site.RunText(r, v)
	case rest == "" && slices.Contains([]string{".", "dot", "echo", "bell", "totals"}, name), slices.Contains([]string{"echo", "ttyout", "sleep", "wait"}, name):
	default:
		site.NotUnderstood(r, v)
	}
}

func tarCreate(m *catalog.Match, s *catalog.Site, r *catalog.Result, archive value.Value, named bool) {
	e := catalog.Effect{Verb: risk.FSWrite, Target: archive, Arg: "archive"}
	if m.Has("append") {
		e.Kind = risk.KindAppend
	}
	members := tarMembers(m, s)
	for _, v := range members {
		e.Carries = append(e.Carries, catalog.Source{Path: v})
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Arg: "member", Shown: !named, Needed: true})
	}
	r.Proceeds = true // "Exiting with failure status due to previous errors"
	if named {
		r.Effects = append(r.Effects, e)
	}
	if m.Has("remove") {
		for _, v := range members {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: v, Recursive: true, Kind: risk.KindRemoveFiles})
		}
	}
}

// tarMembers returns the members as paths: each is relative to the -C options
// before it ("Changing the Working Directory").
func tarMembers(m *catalog.Match, s *catalog.Site) []value.Value {
	dirs, members := m.Values("directory"), m.Values("member")
	if len(dirs) == 0 {
		return members
	}
	var out []value.Value
	var dir value.Value
	previous := ""
	for _, w := range s.Args {
		switch {
		case len(dirs) > 0 && tarIsDirectory(w, dirs[0], previous):
			dir = tarJoin(dir, dirs[0])
			dirs = dirs[1:]
		case len(members) > 0 && w.String() == members[0].String():
			out = append(out, tarJoin(dir, members[0]))
			members = members[1:]
		}
		previous = w.Prefix()
	}
	return append(out, members...)
}

// tarIsDirectory reports whether w is the value of -C: attached, or behind it.
func tarIsDirectory(w, dir value.Value, previous string) bool {
	text, want := w.String(), dir.String()
	if text == want {
		return previous == "--cd" || strings.HasPrefix(previous, "--dir") || strings.HasSuffix(previous, "C") && strings.HasPrefix(previous, "-")
	}
	return strings.HasPrefix(text, "-") && strings.HasSuffix(text, want) && (strings.Contains(text, "C") || strings.HasPrefix(text, "--"))
}

func tarJoin(dir, name value.Value) value.Value {
	if dir.Empty() || strings.HasPrefix(name.Prefix(), "/") {
		return name
	}
	if site.SameWord(name, ".") {
		return dir
	}
	return value.Concat(dir, value.Lit("/"), name)
}

func tarExtract(m *catalog.Match, r *catalog.Result, archive value.Value, named bool) {
	if named {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: archive, Shown: m.Has("stdout")})
	} else {
		r.ReadsStdin = true
		r.ShowsStdin = m.Has("stdout")
	}
	if m.Has("stdout") || m.Has("to-command") {
		return
	}
	var dir value.Value
	for _, d := range m.Values("directory") {
		dir = tarJoin(dir, d)
	}
	if top, ok := m.Value("top"); ok {
		dir = tarJoin(dir, top)
	}
	if dir.Empty() {
		dir = value.Lit(".")
	}
	e := catalog.Effect{Verb: risk.FSWrite, Target: dir, Recursive: true, Kind: risk.KindExtract}
	if m.Has("keep") {
		e.Verb = risk.FSCreate
	}
	if named {
		e.Carries = []catalog.Source{{Path: archive}}
	} else {
		e.Carries = []catalog.Source{{Stdin: true}}
	}
	r.Effects = append(r.Effects, e)
	if m.Has("absolute") {
		e.Target, e.Kind = value.Lit("/"), risk.KindExtractAbsoluteNames
		r.Effects = append(r.Effects, e)
	}
}
