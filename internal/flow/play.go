package flow

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Play plays a file effect on the state's file system, so that what
// follows sees it.
func (sc *Scene) Play(st *shell.State, x *catalog.Effect, content value.Value, known bool) {
	if st.Context.Host != "" || st.Context.Container != "" {
		return
	}
	if x.Kind == risk.KindMove && len(x.Carries) == 1 && !x.Carries[0].Stdin {
		if sc.renames(st, x) || x.Verb == risk.FSCreate && sc.kindOf(st, x.Target) != world.Missing {
			return
		}
		defer sc.moved(st, x)
	}
	at := Absolute(st, x.Target)
	name, ok := at.Known()
	if !ok && x.Kind == risk.KindPipe && len(sc.pipes) < maxPipes {
		sc.pipes = append(sc.pipes, at.String())
	}
	if !ok || len(name) > MaxPath {
		return
	}
	name = path.Clean(name)
	if _, ok := Descriptor(name); ok {
		return
	}
	parent, ok := world.Resolve(st.FS, path.Dir(name), true)
	if !ok {
		return
	}
	self := path.Join(parent, path.Base(name))
	switch x.Verb {
	case risk.FSCreate:
		switch {
		case x.HasLink:
			to, known := x.Link.Known()
			if x.Kind == risk.KindHardLink { // another name of the same file
				to, known = Absolute(st, x.Link).Known()
			}
			if over := sc.kindOf(st, x.Target); known && (over == world.Missing || x.Forced && over != world.Dir) {
				st.FS.Link(self, to)
			}
		case x.Kind == risk.KindPipe: // what comes out is whatever some other process puts in
			st.FS.Create(self, value.Unknown(risk.CauseInput, "a pipe").With(value.Network), true)
		case x.Kind == risk.KindDirectory:
			sc.mkdirAll(st, self)
		default:
			i, err := st.FS.Lstat(self)
			if x.Recursive && err == nil && (i.Kind == world.Dir || i.Kind == world.Missing) && sc.copiesTree(st, x, self) {
				return
			}
			if err == nil && i.Kind == world.Missing {
				st.FS.Create(self, content, known)
			}
		}
	case risk.FSDelete:
		if name != "/" && !stays(st, self, x) {
			st.FS.Delete(self)
		}
	case risk.FSWrite:
		resolved, _ := world.Resolve(st.FS, name, true)
		if x.Recursive {
			sc.mkdirAll(st, resolved)
			sc.copiesTree(st, x, resolved)
			return
		}
		if i, err := st.FS.Lstat(resolved); err == nil && i.Kind == world.Dir {
			return
		}
		if sc.Space.Scope(resolved) == risk.IsNull || sc.wants(st, resolved) {
			return
		}
		made := sc.movesMade(st, x)
		st.FS.Create(resolved, content, known)
		if x.Kind == risk.KindMove && !made { // what is there now is nowhere else
			st.FS.Adopt(resolved)
		}
	case risk.FSAttr:
		if x.Kind == risk.KindExecutable {
			st.FS.Chmod(self)
		}
	}
}

// stays reports whether what would be deleted is a directory that the program leaves: it
// takes files only, or directories with nothing in them.
func stays(st *shell.State, name string, x *catalog.Effect) bool {
	if x.Recursive {
		return false
	}
	i, err := st.FS.Lstat(name)
	if err != nil || i.Kind != world.Dir {
		return false
	}
	entries, err := st.FS.ReadDir(name, 1)
	return x.FilesOnly || err != nil || len(entries) > 0
}

// kindOf is what surely has a name; Missing where that is not known.
func (sc *Scene) kindOf(st *shell.State, v value.Value) world.Kind {
	name, known := sc.entry(st, v)
	if !known {
		return world.Missing
	}
	i, err := st.FS.Lstat(name)
	if err != nil {
		return world.Missing
	}
	return i.Kind
}

// movesMade reports whether what is moved is a file that this command made itself, under
// the name that it has.
func (sc *Scene) movesMade(st *shell.State, x *catalog.Effect) bool {
	if x.Kind != risk.KindMove || len(x.Carries) != 1 || x.Carries[0].Stdin || !x.Carries[0].Path.IsKnown() {
		return false
	}
	from := sc.Place(st, x.Carries[0].Path, false)
	return from.Info.Kind == world.Regular && !from.Link && st.FS.Made(from.Path) && st.FS.Origin(from.Path) == ""
}

// renames plays a move of one thing that is there to one name that is known, and reports
// whether it could: what is below it goes along, and what was there is not there then.
// A directory takes the place of nothing (rename(2), ENOTEMPTY), and -n of none.
func (sc *Scene) renames(st *shell.State, x *catalog.Effect) bool {
	from, ok := sc.entry(st, x.Carries[0].Path)
	to, known := sc.entry(st, x.Target)
	if !ok || !known || sc.failed() {
		return false
	}
	what, err := st.FS.Lstat(from)
	over, overErr := st.FS.Lstat(to)
	if err != nil || overErr != nil || what.Kind == world.Missing || st.FS.Fetched(from) {
		return false
	}
	if over.Kind == world.Dir || over.Kind != world.Missing && (what.Kind == world.Dir || x.Verb == risk.FSCreate) {
		return false
	}
	if !sc.mayChange(st, path.Dir(to), over) || !sc.mayChange(st, path.Dir(from), what) {
		return false
	}
	var content value.Value
	if what.Kind == world.Regular {
		content = sc.Contents(st, value.Lit(from))
	}
	st.FS.Move(from, to, content, what.Kind == world.Regular)
	return true
}

// mayChange reports whether a directory surely is one in which its user may give a name
// to something else, and take what is there now away from one (inode(7), "sticky bit"):
// what cannot be moved stays, and is lost by what is done to it afterwards.
func (sc *Scene) mayChange(st *shell.State, dir string, what world.Info) bool {
	info, err := world.Stat(st.FS, dir)
	if err != nil || info.Kind != world.Dir {
		return false
	}
	user := sc.World.User.UID
	if user == 0 || st.Context.Privileged || st.FS.Made(dir) {
		return true
	}
	if info.Mode&fs.ModeSticky != 0 && what.Kind != world.Missing && what.UID != user && info.UID != user && what.Ino != 0 {
		return false
	}
	return info.UID == user && info.Mode&0o200 != 0 || info.Mode&0o002 != 0
}

// entry is the name in a directory that a path leads to, where both are known.
func (sc *Scene) entry(st *shell.State, v value.Value) (string, bool) {
	name, ok := Absolute(st, v).Known()
	if !ok || v.Pattern() != "" || len(name) > MaxPath || !path.IsAbs(name) {
		return "", false
	}
	if name = path.Clean(name); name == "/" {
		return "", false
	}
	if _, ok := Descriptor(name); ok || sc.Space.Scope(name) == risk.IsNull {
		return "", false
	}
	parent, ok := world.Resolve(st.FS, path.Dir(name), true)
	return path.Join(parent, path.Base(name)), ok
}

// failed reports whether the program that runs now surely fails.
func (sc *Scene) failed() bool {
	end := sc.Ended()
	return end != nil && (end.How == risk.EndFails || end.How == risk.EndPartly)
}

// wants reports whether the program that runs now surely fails because a file is not
// there, which it is then not to be found at afterwards either.
func (sc *Scene) wants(st *shell.State, file string) bool {
	end := sc.Ended()
	if end == nil || end.How != risk.EndFails || end.ByShell {
		return false
	}
	if info, err := st.FS.Lstat(file); err != nil || info.Kind != world.Missing {
		return false
	}
	return slices.ContainsFunc(end.Missing, func(name string) bool { return sc.Place(st, value.Lit(name), true).Path == file })
}

// copiesTree plays a copy of trees whose names are known, and reports whether there was one.
func (sc *Scene) copiesTree(st *shell.State, x *catalog.Effect, to string) (any bool) {
	for _, s := range x.Carries {
		if s.Stdin || s.Path.Pattern() != "" {
			continue
		}
		from := sc.Known(st, s.Path)
		if i, err := st.FS.Lstat(from); from != "" && err == nil && i.Kind == world.Dir && !sc.failed() {
			st.FS.Copy(from, to, func(name string) value.Value { return sc.Contents(st, value.Lit(name)) })
			any = true
		}
	}
	return any
}

// moved remembers where what is moved came from.
func (sc *Scene) moved(st *shell.State, x *catalog.Effect) {
	from, to := sc.Place(st, x.Carries[0].Path, false), sc.Place(st, x.Target, true)
	if from.Path != to.Path && len(to.Path) <= MaxPath && (!from.Unread || path.IsAbs(from.Path)) {
		st.FS.Came(to.Path, from.Path)
	}
}

// MaxPath is how long a path may be for the kernel to take it (PATH_MAX,
// limits.h).
const MaxPath = 4096

// maxPipes is of how many pipes is known that they were made whose names are not.
const maxPipes = 16

// maxParents is how many directories `mkdir -p` is followed upwards.
const maxParents = 64

func (sc *Scene) mkdirAll(st *shell.State, name string) {
	if strings.Count(name, "/") > maxParents {
		st.FS.Mkdir(name)
		return
	}
	for p := name; p != "/" && p != "."; p = path.Dir(p) {
		if i, err := st.FS.Lstat(p); err != nil || i.Kind != world.Missing {
			return
		}
		st.FS.Mkdir(p)
	}
}
