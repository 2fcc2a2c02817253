package system

import (
	"cmp"
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// A transfer is one source and the name it is given.
type transfer struct{ from, to value.Value }

// transfers reads the operands SOURCE… DEST, SOURCE… -t DIR as cp, mv, ln and
// install do (GNU coreutils manual, "Target directory").
func transfers(m *catalog.Match, s *catalog.Site) []transfer {
	words := m.Values("operand")
	dest, into := m.Value("target")
	if !into {
		if len(words) < 2 {
			return nil
		}
		dest = words[len(words)-1].Alone()
		words = words[:len(words)-1]
		into = len(words) > 1 || site.IsDirectory(s, dest)
		if m.Has("no-target") {
			into = false
		}
	}
	if len(words) == 0 {
		return nil
	}
	out := make([]transfer, 0, len(words))
	for _, w := range words {
		to := dest
		switch {
		case into && m.Has("parents"):
			to = site.Inside(dest, w)
		case into:
			if text, known := site.BaseOf(w).Known(); !known || text != "." && text != "/" && text != ".." {
				to = site.Inside(dest, site.BaseOf(w))
			}
		}
		out = append(out, transfer{w, to})
	}
	told(m, out, dest, into)
	return out
}

// told names for the sentence what is handed over, and what it is called afterwards or,
// of several or where a directory is named, the directory that they come into.
func told(m *catalog.Match, ts []transfer, dest value.Value, into bool) {
	if site.IsLiteral(ts[0].from, "/dev/null") || isNull(dest) {
		return // which empties, and deletes
	}
	for _, t := range ts {
		if t.from.HasCause(risk.CauseUnset, risk.CauseUnknown) || dest.HasCause(risk.CauseUnset) {
			return
		}
	}
	for _, t := range ts {
		m.Bind("what", t.from)
	}
	from, known := ts[0].from.Known()
	to, ok := dest.Known()
	if into {
		m.Bind("into", dest)
		return
	}
	m.Bind("place", dest)
	if known && ok && path.Dir(from) == path.Dir(to) {
		m.Bind("renamed", dest)
	}
}

// cp reads every source and writes it under its new name.
func cp(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	link := m.Has("symlink") || m.Has("hardlink")
	ts := transfers(m, s)
	if len(ts) == 1 && !link && !m.Has("parents") {
		r.Lacks = lacking(s, ts[0], m.Has("recursive"), m.Has("no-clobber"))
	}
	r.Lacks = cmp.Or(r.Lacks, noDirectory(m, s))
	if !m.Has("recursive") {
		r.Spares = spared(m, s, ts)
	}
	for _, t := range ts {
		if link {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: t.to, Arg: "dest", Recursive: m.Has("recursive"), Forced: m.Has("force"), Kind: linkKind(m), Link: t.from, HasLink: true})
			continue
		}
		readAndWrite(m, s, r, t, risk.NoKind)
	}
}

// lacking says why one file surely cannot be copied or moved, or "": a directory is not
// copied without an option for it, replaces no file, and none is made on the way. What
// replaces nothing (keeps: -n) leaves a file alone that is itself.
func lacking(s *catalog.Site, t transfer, directories, keeps bool) string {
	from, known := t.from.Known()
	to, ok := t.to.Known()
	if !known || !ok || len(from)+len(to) > maxTold {
		return ""
	}
	kind, looked := site.KindAt(s, from)
	if looked && kind != world.Missing && path.Clean(from) == path.Clean(to) && !keeps {
		return from + " and " + to + " are the same file"
	}
	if looked && kind == world.Dir {
		over, seen := site.KindAt(s, to)
		switch {
		case !directories:
			return from + " is a directory, and -r is not given"
		case isNull(t.to), seen && over == world.Regular:
			return "the directory " + from + " cannot replace the file " + to
		}
	}
	if looked && kind == world.Dir && len(s.Args) > 0 && strings.HasSuffix(s.Args[len(s.Args)-1].Prefix(), "/") {
		return "" // a directory takes the place of one that is not there
	}
	if looked && kind != world.Missing {
		return unmade(s, t)
	}
	return ""
}

// immovable says why a directory surely cannot be renamed, or "": neither to a name below
// itself nor to that of a directory with something in it (rename(2), EINVAL and ENOTEMPTY).
func immovable(s *catalog.Site, t transfer) string {
	from, known := t.from.Known()
	to, ok := t.to.Known()
	if !known || !ok || len(from)+len(to) > maxTold {
		return ""
	}
	if kind, looked := site.KindAt(s, from); !looked || kind != world.Dir {
		return ""
	}
	full, dest := site.Full(s, from), site.Full(s, to)
	if strings.HasPrefix(dest, full+"/") {
		return from + " cannot be moved into itself"
	}
	if entries, _ := s.World.FS.ReadDir(dest, 1); len(entries) > 0 { // one is enough
		return "the directory " + to + " is not empty"
	}
	return ""
}

// unmade says that the directory surely is not there that something would be put into, or
// "".
func unmade(s *catalog.Site, t transfer) string {
	to, known := t.to.Known()
	if !known || to == "" || len(to) > maxTold {
		return ""
	}
	dir := path.Dir(strings.TrimRight(to, "/"))
	if above, seen := site.KindAt(s, dir); seen && above == world.Missing {
		return "the directory " + dir + " is not there"
	}
	return ""
}

// noDirectory says that what several files are to come into surely is no directory, or "".
func noDirectory(m *catalog.Match, s *catalog.Site) string {
	words := m.Values("operand")
	if _, given := m.Value("target"); given || len(words) < 3 {
		return ""
	}
	dest, known := words[len(words)-1].Known()
	if kind, looked := site.KindAt(s, dest); known && looked && len(dest) <= maxTold && (kind == world.Missing || kind == world.Regular) {
		return dest + " is not a directory"
	}
	return ""
}

// maxTold is how long two paths may be to be told, in bytes.
const maxTold = 100

func linkKind(m *catalog.Match) risk.Kind {
	if m.Has("symlink") {
		return risk.KindSymlink
	}
	return risk.KindHardLink
}

// readAndWrite records that t.from is copied to t.to.
func readAndWrite(m *catalog.Match, s *catalog.Site, r *catalog.Result, t transfer, detail risk.Kind) {
	source := site.SourceOf(t.from)
	if source.Stdin {
		r.ReadsStdin = true
		r.ShowsStdin = r.ShowsStdin || site.IsScreen(t.to)
	} else if !site.IsLiteral(t.from, "/dev/null") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: t.from, Arg: "source", Recursive: m.Has("recursive"), Shown: site.IsScreen(t.to)})
	}
	if site.IsScreen(t.to) {
		return
	}
	e := catalog.Effect{
		Verb: risk.FSWrite, Target: t.to, Arg: "dest", Kind: detail,
		Recursive: m.Has("recursive"), Forced: m.Has("force"),
	}
	if m.Has("no-clobber") || kept(m, s, t) {
		e.Verb = risk.FSCreate
	}
	if site.IsLiteral(t.from, "/dev/null") {
		e.Kind = risk.KindTruncate
	} else {
		e.Carries = []catalog.Source{source}
	}
	r.Effects = append(r.Effects, e)
	backUp(m, s, r, t.to)
}

// mv takes every source away and writes it under its new name. Moving onto
// /dev/null loses the source.
func mv(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("exchange") {
		for _, w := range m.Values("operand") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSMove, Target: w, Arg: "source", Kind: risk.KindExchange})
		}
		return
	}
	all := transfers(m, s)
	if len(all) == 1 && !m.Given("-b") && !m.Given("--backup") { // a backup makes room for a directory
		r.Lacks = cmp.Or(lacking(s, all[0], true, m.Has("no-clobber")), immovable(s, all[0]))
		r.Never = r.Lacks != "" && isNull(all[0].to) // no directory takes the place of a device
	}
	r.Lacks = cmp.Or(r.Lacks, noDirectory(m, s))
	r.Spares = spared(m, s, all)
	if len(all) == 1 && all[0].from.HasCause(risk.CauseLoop, risk.CauseMatch) && oneName(s, all[0].to) && !m.Has("no-clobber") {
		// The word stands for each of many files in turn, as the variable of a
		// loop does and what find hands over.
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: all[0].from, Arg: "source", Kind: onOneAnother})
	}
	for _, t := range all {
		if isNull(t.to) {
			if from, known := t.from.Known(); known && len(all) == 1 && len(from) <= maxTold && gone(s, from) {
				r.Lacks = from + " is not there"
			}
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: t.from, Arg: "source", Recursive: true, Many: true, Forced: m.Has("force")})
			continue
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSMove, Target: t.from, Arg: "source", Forced: m.Has("force")})
		e := catalog.Effect{
			Verb: risk.FSWrite, Target: t.to, Arg: "dest", Kind: risk.KindMove, Forced: m.Has("force"),
			Carries: []catalog.Source{{Path: t.from}},
		}
		if m.Has("no-clobber") || kept(m, s, t) {
			e.Verb = risk.FSCreate
		}
		r.Effects = append(r.Effects, e)
		backUp(m, s, r, t.to)
	}
}

// backUp records that a file is kept under another name before it is replaced (GNU
// coreutils manual, "Backup options"). Whether there are numbered ones already is not
// looked at.
func backUp(m *catalog.Match, s *catalog.Site, r *catalog.Result, to value.Value) {
	name, known := to.Known()
	if !known || !m.Given("-b") && !m.Given("--backup") {
		return
	}
	if kind, looked := site.KindAt(s, name); looked && kind != world.Regular {
		return
	}
	suffix, given := m.Value("suffix")
	if !given {
		suffix = value.Lit("~")
	}
	for _, w := range s.Args {
		switch control, _ := strings.CutPrefix(w.Prefix(), "--backup="); control {
		case "none", "off":
			return
		case "numbered", "t":
			suffix = value.Lit(".~1~")
		}
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: value.Concat(to, suffix), Arg: "dest", Kind: risk.KindBackup, Carries: []catalog.Source{{Path: to}}})
}

// spared says why nothing is copied or moved with -n, which replaces no file, or "": there
// is a file of the name already. Several are not looked at.
func spared(m *catalog.Match, s *catalog.Site, all []transfer) string {
	if len(all) != 1 || !m.Has("no-clobber") || !s.AsFound {
		return ""
	}
	from, known := all[0].from.Known()
	to, ok := all[0].to.Known()
	if !known || !ok || len(to) > maxTold || isNull(all[0].to) {
		return ""
	}
	if kind, looked := site.KindAt(s, from); !looked || kind == world.Missing {
		return ""
	}
	if kind, looked := site.KindAt(s, to); looked && (kind == world.Regular || kind == world.Missing && !gone(s, to)) {
		return to + " is there already"
	}
	return ""
}

// kept reports whether a file is surely left as it is by -u, which replaces older files
// only (GNU coreutils manual, "cp invocation").
func kept(m *catalog.Match, s *catalog.Site, t transfer) bool {
	if !m.Has("newer") || !s.AsFound {
		return false
	}
	from, known := t.from.Known()
	to, ok := t.to.Known()
	if !known || !ok {
		return false
	}
	a, aok := site.InfoAt(s, from)
	b, bok := site.InfoAt(s, to)
	return aok && bok && a.Kind == world.Regular && b.Kind == world.Regular && a.MTime > 0 && a.MTime <= b.MTime
}

// gone reports whether there surely is nothing of a name, not even a link that leads
// nowhere.
func gone(s *catalog.Site, name string) bool {
	if kind, seen := site.KindAt(s, name); !seen || kind != world.Missing {
		return false
	}
	if !path.IsAbs(name) {
		name = path.Join(s.Dir, name)
	}
	info, err := s.World.FS.Lstat(path.Clean(name))
	return err == nil && info.Kind == world.Missing
}

// onOneAnother is the detail of files that are moved to one name in turn: each
// replaces the one before.
const onOneAnother = risk.KindOntoOneAnother

// oneName reports whether a destination is one name for all that is moved
// there: no directory, in one that exists.
func oneName(s *catalog.Site, to value.Value) bool {
	text, known := to.Known()
	return known && !isNull(to) && !site.IsDirectory(s, to) && site.IsDirectory(s, value.Lit(path.Dir(text)))
}

// isNull reports whether v is the null device, or a name below it, which a
// destination that is taken for a directory becomes.
func isNull(v value.Value) bool {
	p := v.Prefix()
	return site.IsLiteral(v, "/dev/null") || strings.HasPrefix(p, "/dev/null/")
}

// ln creates names. Given one operand it links it in the current directory.
func ln(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	ts := transfers(m, s)
	if words := m.Values("operand"); len(words) == 1 && len(ts) == 0 {
		ts = []transfer{{words[0], site.BaseOf(words[0])}}
		if from, _ := words[0].Known(); path.Base(from) == ".." || path.Base(from) == "/" {
			ts[0].to, r.Lacks = value.Lit("."), from+" gives the link no name"
		}
		told(m, ts, ts[0].to, false)
	}
	if asks := m.Has("force") || m.Given("-i") || m.Given("--interactive") || m.Given("-b") || m.Given("--backup"); len(ts) == 1 && !asks {
		to, known := ts[0].to.Known()
		if kind, ok := site.KindAt(s, to); known && ok && kind == world.Regular && len(to) <= maxTold {
			r.Lacks = to + " is there already"
		}
	}
	if len(ts) == 1 {
		r.Lacks = cmp.Or(r.Lacks, unmade(s, ts[0]))
	}
	r.Lacks = cmp.Or(r.Lacks, noDirectory(m, s))
	for _, t := range ts {
		e := catalog.Effect{Verb: risk.FSCreate, Target: t.to, Arg: "dest", Forced: m.Has("force"), Kind: linkKind(m), Link: t.from, HasLink: true}
		r.Effects = append(r.Effects, e)
	}
}

// installFiles copies files and sets their mode, or makes directories.
func installFiles(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	mode, moded := m.Value("mode")
	if m.Has("directory") {
		for _, w := range m.Values("operand") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: w, Arg: "dest", Kind: risk.KindDirectory})
			attrOf(r, w, mode, moded)
		}
		return
	}
	ts := transfers(m, s)
	if len(ts) == 1 && !m.Given("-D") {
		r.Lacks = unmade(s, ts[0])
	}
	for _, t := range ts {
		readAndWrite(m, s, r, t, risk.NoKind)
		attrOf(r, t.to, mode, moded)
	}
}

// attrOf records a mode that is given together with a new file, if it is one
// that matters.
func attrOf(r *catalog.Result, target, mode value.Value, moded bool) {
	if !moded {
		return
	}
	if d := site.ModeKind(mode); d == risk.KindSetuid || d == risk.KindWorldWritable {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSAttr, Target: target, Arg: "dest", Kind: d})
	}
}
