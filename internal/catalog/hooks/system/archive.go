package system

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// zip writes an archive of its operands, and with -m deletes them then
// (zip(1) 3.0). A name without a dot gets .zip.
func zip(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	archive, ok := m.Value("archive")
	if !ok || m.Has("help") || m.Has("list") {
		return
	}
	if out, other := m.Value("out"); other {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: archive})
		archive = out
	}
	if text, known := archive.Known(); known && text != "-" && !strings.Contains(site.LastElement(text), ".") {
		archive = value.Lit(text + ".zip")
	}
	if m.Has("test-only") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: archive})
		return
	}
	e := catalog.Effect{Verb: risk.FSWrite, Target: archive, Arg: "archive"}
	if m.Has("delete-members") {
		e.Kind = risk.KindMembersRemoved
		r.Effects = append(r.Effects, e)
		return
	}
	stdout := site.SameWord(archive, "-")
	for _, f := range m.Values("member") {
		if site.SameWord(f, "-") {
			r.ReadsStdin = true
			e.Carries = append(e.Carries, catalog.Source{Stdin: true})
			continue
		}
		e.Carries = append(e.Carries, catalog.Source{Path: f})
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "member", Recursive: m.Has("recursive"), Shown: stdout})
		if m.Has("move") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: f, Arg: "member", Recursive: m.Has("recursive"), Kind: risk.KindMovedIntoTheArchive})
		}
	}
	if !stdout {
		r.Effects = append(r.Effects, e)
	}
}

// sevenZip acts on the command letter of 7z, which says what the operands
// behind it are (7-Zip command line, "Commands").
func sevenZip(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	words := m.Operands()
	if len(words) < 2 || m.Has("help") {
		return
	}
	letter, _ := words[0].Known()
	archive, members := words[1], words[2:]
	read := catalog.Effect{Verb: risk.FSRead, Target: archive, Arg: "archive", Shown: m.Has("stdout")}
	write := catalog.Effect{Verb: risk.FSWrite, Target: archive, Arg: "archive"}
	switch letter {
	case "a", "u", "m", "f":
		for _, f := range members {
			if strings.HasPrefix(f.Prefix(), "@") {
				f = f.Cut(1) // a list of names, which errors show
			}
			write.Carries = append(write.Carries, catalog.Source{Path: f})
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "member", Recursive: true, Shown: m.Has("stdout")})
			if m.Has("move") || letter == "m" {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: f, Arg: "member", Recursive: true, Kind: risk.KindMovedIntoTheArchive})
			}
		}
		if !m.Has("stdout") {
			r.Effects = append(r.Effects, write)
		}
	case "d", "rn", "c", "k", "s", "rr":
		write.Kind = risk.KindMembersChanged
		r.Effects = append(r.Effects, write)
	case "e", "x":
		r.Effects = append(r.Effects, read)
		if m.Has("stdout") {
			return
		}
		dir, ok := m.Value("directory")
		if last := len(members) - 1; !ok && last >= 0 && strings.HasSuffix(members[last].Suffix(), "/") { // unrar x a.rar dir/
			dir, ok = members[last], true
		}
		if !ok || dir.Empty() {
			dir = value.Lit(".")
		}
		extract := catalog.Effect{Verb: risk.FSWrite, Target: dir, Recursive: true, Kind: risk.KindExtract, Carries: []catalog.Source{{Path: archive}}}
		if m.Has("keep") {
			extract.Verb = risk.FSCreate
		}
		r.Effects = append(r.Effects, extract)
	case "p":
		read.Shown = true
		r.Effects = append(r.Effects, read)
	case "l", "t", "h", "v", "lb", "lt", "la", "vb", "vt": // unrar has the last five
		r.Effects = append(r.Effects, read)
	default:
		r.Effects = append(r.Effects, read)
		site.NotUnderstood(r, words[0])
	}
}

// ar reads the key letters of its first word (GNU binutils 2.42 ar(1)).
func ar(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	words := m.Operands()
	if len(words) < 2 {
		return
	}
	key := strings.TrimLeft(words[0].Prefix(), "-")
	whole := words[0].IsKnown()
	words = words[1:]
	if strings.ContainsAny(key, "abiN") && len(words) > 1 { // a member's name or a count comes first
		words = words[1:]
	}
	archive := words[0]
	switch {
	case strings.ContainsAny(key, "rq"):
		e := catalog.Effect{Verb: risk.FSWrite, Target: archive}
		for _, f := range words[1:] {
			e.Carries = append(e.Carries, catalog.Source{Path: f})
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f})
		}
		r.Effects = append(r.Effects, e)
	case strings.ContainsAny(key, "dms"):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: archive, Kind: risk.KindMembersChanged})
	case strings.Contains(key, "x"):
		r.Effects = append(r.Effects,
			catalog.Effect{Verb: risk.FSRead, Target: archive},
			catalog.Effect{Verb: risk.FSWrite, Target: value.Lit("."), Recursive: true, Kind: risk.KindExtract, Carries: []catalog.Source{{Path: archive}}})
	default:
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: archive, Shown: strings.Contains(key, "p")})
		if !whole || strings.Trim(key, "tpvOPTcfVDUoSulN") != "" || !strings.ContainsAny(key, "tp") {
			site.NotUnderstood(r, value.Lit(key))
		}
	}
}
