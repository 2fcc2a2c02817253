package flow

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Inherit begins with what earlier commands left.
func (sc *Scene) Inherit(st *shell.State, l *shell.Left) {
	sc.staged, sc.kept = l.Staged, l.Kept
	st.Inherit(l)
}

// maxLeftFiles is how many files of one command are told to those after it; of
// more it is told where they lie.
const maxLeftFiles = 64

// Leave is what a command has left when it ends in a state. before is what earlier
// ones left: of that only what has become of it is told.
func (sc *Scene) Leave(st *shell.State, before *shell.Left) *shell.Left {
	l := &shell.Left{Vars: st.Changed(), Funcs: st.Defined()}
	if sc.staged != before.Staged {
		l.Staged = sc.staged
	}
	if sc.kept != before.Kept {
		l.Kept = sc.kept
	}
	if st.Context.Host == "" && st.Context.Container == "" {
		l.Dir, _ = st.Dir.Known()
	}
	known := map[string]bool{}
	for i := range before.Files {
		known[before.Files[i].Path] = true
	}
	st.FS.Contents(func(name string, content value.Value) {
		if t := content.Taint() & shell.Carried; t != 0 && !known[name] && sc.Space.Scope(name) != risk.IsNull {
			l.Files = append(l.Files, shell.LeftFile{Path: name, Holds: t})
		}
	})
	st.FS.FetchedDirs(func(name string) {
		if !known[name] {
			l.Files = append(l.Files, sc.tree(st, name, "")...)
		}
	})
	sc.wrote(st, l)
	for i := range l.Files {
		sc.origin(&l.Files[i], before)
	}
	slices.SortFunc(l.Files, func(a, b shell.LeftFile) int { return strings.Compare(a.Path, b.Path) })
	if len(l.Files) > maxLeftFiles {
		l.Files = places(l.Files)
	}
	return l
}

// wrote adds the files that effects tell of and that the overlay knows nothing
// of: what one program fetches and writes, and what is written with what a service
// told.
func (sc *Scene) wrote(st *shell.State, l *shell.Left) {
	effects := sc.Trace.Effects
	for i := range effects {
		e := &effects[i]
		if e.Verb != risk.FSWrite && e.Verb != risk.FSCreate || e.Host != "" || !path.IsAbs(e.Target) || e.Scope == risk.IsNull || e.Scope == risk.IsRemote || e.Scope == risk.InImage {
			continue
		}
		got := sc.fetched(e)
		if got == nil {
			continue
		}
		files := []shell.LeftFile{{Path: e.Target, Holds: value.Network}}
		switch info, err := st.FS.Base().Lstat(e.Target); {
		case e.Unresolved != "":
			files[0].Path, files[0].Some = path.Dir(e.Target), true
		case e.Recursive || err == nil && info.Kind == world.Dir || isTree(e, effects):
			files = sc.tree(st, e.Target, got.Target)
		}
		for _, f := range files {
			if !slices.ContainsFunc(l.Files, func(o shell.LeftFile) bool { return o.Path == f.Path && o.Tree == f.Tree && o.Some == f.Some }) {
				l.Files = append(l.Files, f)
			}
		}
	}
}

// tree is what is known of a directory that something was put into from an address,
// or from an archive that this command reads: all in it came with that, unless there
// was something before. Then it is something in it, and what has the name of what was
// put there: the file itself, or what an archive of that name mostly holds.
func (sc *Scene) tree(st *shell.State, dir, address string) []shell.LeftFile {
	if info, err := st.FS.Base().Lstat(dir); err != nil || info.Kind != world.Dir || !sc.holds(st, dir) {
		return []shell.LeftFile{{Path: dir, Tree: true, Holds: value.Network}}
	}
	all := []shell.LeftFile{{Path: dir, Some: true, Holds: value.Network}}
	names := []string{lastOf(address)}
	for i := range sc.Trace.Effects {
		if e := &sc.Trace.Effects[i]; e.Verb == risk.FSRead && len(names) < 8 {
			names = append(names, lastOf(e.Target))
		}
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		stem, archive := stemOf(name)
		if name = path.Join(dir, stem); archive && sc.missing(st, name) {
			all = append(all, shell.LeftFile{Path: name, Tree: true, Holds: value.Network})
		} else if !archive && address != "" {
			all = append(all, shell.LeftFile{Path: name, Holds: value.Network})
		}
	}
	return all
}

// missing reports whether the machine has nothing of a name.
func (sc *Scene) missing(st *shell.State, name string) bool {
	info, err := st.FS.Base().Lstat(name)
	return err == nil && info.Kind == world.Missing
}

// stemOf is the name of a file without what says that it is an archive.
func stemOf(name string) (stem string, archive bool) {
	for _, end := range []string{".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", ".tgz", ".txz", ".tbz2", ".tar", ".zip", ".7z"} {
		if rest, ok := strings.CutSuffix(name, end); ok && rest != "" {
			return rest, true
		}
	}
	return name, false
}

// fetched is the effect by which the contents of what another one writes came here,
// or nil.
func (sc *Scene) fetched(e *risk.Effect) *risk.Effect {
	for i := range sc.Trace.Effects {
		f := &sc.Trace.Effects[i]
		switch f.Verb {
		case risk.NetFetch:
			if f.Scope == risk.IsLoopback || f.By.Process != e.By.Process && (e.Kind != risk.KindExtract || f.By.Statement != e.By.Statement) {
				continue
			}
		case risk.RemoteRead, risk.DBRead: // what people wrote there is in the output
			if f.Scope == risk.IsLoopback || f.By.Statement != e.By.Statement || e.Program != "" && f.By.Process != e.By.Process {
				continue
			}
		default:
			continue
		}
		return f
	}
	return nil
}

// holds reports whether a directory of the machine has anything in it.
func (sc *Scene) holds(st *shell.State, dir string) bool {
	if !sc.Spend(2) {
		return true
	}
	entries, err := st.FS.Base().ReadDir(dir, 1)
	return err != nil || len(entries) > 0
}

// isTree reports whether what is created is a directory that a clone fills.
func isTree(e *risk.Effect, effects []risk.Effect) bool {
	return slices.ContainsFunc(effects, func(o risk.Effect) bool {
		return o.By.Process == e.By.Process && o.Verb == risk.VCSLocal && (o.Kind == risk.KindClone || o.Kind == risk.KindCheckout || o.Kind == risk.KindSubmodule)
	})
}

// lastOf is the name that a file from an address gets, where that is plain.
func lastOf(address string) string {
	address, _, _ = strings.Cut(address, "?")
	name := path.Base(address[strings.LastIndex(address, ":")+1:])
	if name == "." || name == "/" || name == ".." || strings.ContainsAny(name, "$<>*") {
		return ""
	}
	return name
}

// origin says how a file got its contents, and from where.
func (sc *Scene) origin(f *shell.LeftFile, before *shell.Left) {
	switch {
	case f.Holds.Has(value.Secret | value.Credential):
		f.How = shell.OfSecret
		return
	case !f.Holds.Has(value.Network):
		f.How = shell.Decoded
		return
	}
	f.How = shell.FromNet
	var by *risk.Effect
	for i := range sc.Trace.Effects {
		if e := &sc.Trace.Effects[i]; e.Target == f.Path && (e.Verb == risk.FSWrite || e.Verb == risk.FSCreate) {
			by = e
		}
	}
	effects := sc.Trace.Effects
	var from *risk.Effect
	if by != nil {
		from = sc.fetched(by)
	}
	for i := 0; i < len(effects) && from == nil; i++ {
		if effects[i].Verb == risk.NetFetch && effects[i].Scope != risk.IsLoopback {
			from = &effects[i]
		}
	}
	if from == nil && sc.copied(f, before) {
		return
	}
	if from != nil {
		if f.From = cmp.Or(workspace.URLHost(from.Target), from.Target, from.Program); strings.ContainsAny(f.From, "$<>") {
			f.From = ""
		}
	}
	switch {
	case from != nil && from.Verb != risk.NetFetch:
		f.How = shell.Told
	case f.Tree && by != nil && by.Kind == risk.KindExtract:
		f.How = shell.Unpacked
	case f.Tree && by != nil && isTree(by, effects):
		f.How = shell.Cloned
	case by != nil && from != nil && (by.Kind == risk.KindDownload || by.By.Process == from.By.Process || by.Program == ""):
		f.How = shell.Downloaded
	}
}

// copied says of a file what is known of another that an earlier command left and
// this one reads or moves.
func (sc *Scene) copied(f *shell.LeftFile, before *shell.Left) bool {
	for i := range before.Files {
		o := &before.Files[i]
		if o.Some || !o.Holds.Has(value.Network) {
			continue
		}
		for j := range sc.Trace.Effects {
			e := &sc.Trace.Effects[j]
			if (e.Verb == risk.FSRead || e.Verb == risk.FSMove) && (e.Target == o.Path || o.Tree && strings.HasPrefix(e.Target, o.Path+"/")) {
				f.How, f.From = o.How, o.From
				return true
			}
		}
	}
	return false
}

// places tells of many files by the directories that they lie in.
func places(files []shell.LeftFile) []shell.LeftFile {
	var out []shell.LeftFile
	for _, f := range files {
		if !f.Some && !f.Tree {
			f.Path, f.Some = path.Dir(f.Path), true
		}
		if !slices.ContainsFunc(out, func(o shell.LeftFile) bool { return o.Path == f.Path && o.Tree == f.Tree && o.Some == f.Some }) && len(out) < maxLeftFiles {
			out = append(out, f)
		}
	}
	return out
}
