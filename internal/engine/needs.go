package engine

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// What a program needs is looked for where it would look. A need is not met only where
// that is sure: what cannot be read, or may be meant otherwise, is taken for met.

// fails reports whether a word surely fails a need.
func (o outlook) fails(n *catalog.Need, w value.Value) bool {
	text, known := w.Known()
	if !known {
		return false
	}
	switch n.Kind {
	case catalog.NeedsThere, catalog.NeedsAbsent, catalog.NeedsPathspec, catalog.NeedsTracked, catalog.NeedsFile, catalog.NeedsParent, catalog.NeedsEmpty, catalog.NeedsUnchanged:
		if !path.IsAbs(text) && !n.First && o.moved() && (!o.isDir(n) || o.movedTwice()) {
			return false
		}
	}
	switch n.Kind {
	case catalog.NeedsThere:
		return o.missing(o.ofRepository(w))
	case catalog.NeedsParent:
		return strings.Contains(strings.TrimRight(text, "/"), "/") && o.missing(value.Lit(path.Dir(path.Clean(text))))
	case catalog.NeedsEmpty:
		return o.holdsSome(w)
	case catalog.NeedsUnchanged:
		return o.changed(w)
	case catalog.NeedsFile:
		return o.isDirectory(w)
	case catalog.NeedsAbsent:
		p := o.sc.Place(o.st, w, false)
		return !p.Missing && !p.Unread
	case catalog.NeedsRef:
		return !o.isPathOnly(w) && o.noRevision(source(n, w))
	case catalog.NeedsEntry:
		if prefix, ok := catalog.RepositoryLists()[n.Of]; ok {
			return o.listed(n.Of, prefix, text) == no
		}
		return o.withoutEntry(n.Of, text)
	case catalog.NeedsFree:
		return o.listed(n.Of, catalog.RepositoryLists()[n.Of], text) == yes
	case catalog.NeedsPathspec:
		return o.unknownToGit(w)
	case catalog.NeedsTracked:
		return o.untracked(w)
	case catalog.NeedsUnused:
		return o.checkedOut(text)
	case catalog.NeedsAccount:
		name, group, both := strings.Cut(text, ":") // as chown takes them together
		return o.noAccount(n.Of, name) || both && o.noAccount("groups", group)
	case catalog.NeedsListed:
		return o.unlisted(n.Of, text)
	case catalog.NeedsAmong:
		return !catalog.Glob(n.Of, text)
	case catalog.NeedsFound:
		return o.nowhereIn(n.Of, text)
	}
	return false
}

// nowhereIn reports whether none of some places, in which {} stands for it, has a file
// that is called like a word. One of their directories must be there: else what looks in
// them is not.
func (o outlook) nowhereIn(places, text string) bool {
	if !isPath(text) || strings.Contains(text, "/") {
		return false
	}
	looked := false
	for place := range strings.FieldsSeq(places) {
		dir := path.Dir(place)
		if rest, ok := strings.CutPrefix(dir, "~"); ok {
			home := o.st.Vars.Get("HOME")
			if home == nil || !home.Value.IsKnown() {
				return false
			}
			text, _ := home.Value.Known()
			dir = text + rest
		}
		if !o.Spend(2) {
			return false
		}
		info, err := world.Stat(o.st.FS, dir)
		switch {
		case err != nil:
			return false
		case info.Kind == world.Dir:
			looked = true
			if !o.noneIn(dir, strings.ReplaceAll(path.Base(place), "{}", text)) {
				return false
			}
		}
	}
	return looked
}

// elsewhere reports whether the repository surely has no remote on another machine, of
// which one of some services could be the host, and no variable names one ($NAME).
func (o outlook) elsewhere(names []string) bool {
	for _, name := range names {
		if name, ok := strings.CutPrefix(name, "$"); ok && (o.st.Vars.Get(name) != nil || slices.ContainsFunc(o.inv.Assign, func(a shell.Assign) bool { return a.Name == name })) {
			return false
		}
	}
	for i := range o.r.Match.Args { // an address among the words says which it is
		if b := &o.r.Match.Args[i]; !b.Default && (!b.Value.IsKnown() || strings.Contains(b.Value.String(), "://")) {
			return false
		}
	}
	repo := o.repository()
	if repo == nil || len(repo.ConfigKeys("url.", 1)) > 0 {
		return false
	}
	keys := repo.ConfigKeys("remote.", maxAsked)
	for _, key := range keys {
		for _, url := range repo.Config(key) {
			if strings.HasSuffix(key, ".url") && !strings.HasPrefix(url, "/") && !strings.HasPrefix(url, "./") && !strings.HasPrefix(url, "../") && !strings.HasPrefix(url, "file:///") {
				return false
			}
		}
	}
	return len(keys) < maxAsked
}

// ofRepository is the path of what a word names a part of: an archive of a repository of
// backups, REPOSITORY::ARCHIVE (borg(1)), or a test of a file (pytest, "nodeids"). A file may
// as well be called so, and then it is that.
func (o outlook) ofRepository(w value.Value) value.Value {
	text, _ := w.Known()
	whole, _, ok := strings.Cut(text, "::")
	if !ok || whole == "" || !o.Spend(1) {
		return w
	}
	name, known := flow.Absolute(o.st, w).Known()
	if info, err := o.st.FS.Lstat(path.Clean(name)); !known || err != nil || info.Kind != world.Missing {
		return w
	}
	return value.Lit(whole)
}

// holdsSome reports whether a path surely is a directory with something in it.
func (o outlook) holdsSome(w value.Value) bool {
	name, known := flow.Absolute(o.st, w).Known()
	if !known || !o.isDirectory(w) || !o.Spend(1) {
		return false
	}
	entries, _ := o.st.FS.ReadDir(path.Clean(name), 2) // one is enough, however many more there are
	return len(entries) > 0
}

// changed reports whether tracked files at or below a path surely differ from what is
// committed.
func (o outlook) changed(w value.Value) bool {
	repo := o.repository()
	name, known := flow.Absolute(o.st, w).Known()
	if text, _ := w.Known(); repo == nil || !known || !isPath(text) || o.st.FS.Touched(path.Clean(name)) {
		return false
	}
	st := repo.Part(path.Clean(name), maxTracked, world.WantModified|world.WantFirst)
	return st.Modified > 0
}

// An answer is one of a question that may have none.
type answer uint8

const (
	unknown answer = iota
	no
	yes
)

// listed reports whether the repository has a remote, branch or tag of a name.
func (o outlook) listed(list, prefix, name string) answer {
	repo := o.repository()
	if repo == nil || !refName(name) {
		return unknown
	}
	there := false
	switch {
	case prefix != "":
		there = repo.Ref(prefix+name) != ""
	case list == "remotes":
		// A place of its own, a group of remotes (git-fetch(1)).
		if strings.Contains(name, "/") || name == "." || len(repo.Config("remotes."+name)) > 0 {
			return unknown
		}
		if there = len(repo.ConfigKeys("remote."+name+".", 1)) > 0; there {
			break
		}
		refs, err := repo.Refs("refs/remotes/"+name+"/", 1)
		if there = len(refs) > 0; !there && (err != nil || !o.missing(value.Lit(name))) {
			return unknown
		}
	}
	if there {
		return yes
	}
	return no
}

// refName reports whether a word is surely a plain name of a ref or remote.
func refName(text string) bool {
	return text != "" && len(text) <= maxPathWord && text[0] != '-' && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-") == ""
}

// noRevision reports whether a word, or an end of the range that it is, surely names no
// commit: no ref, no object and no path, nor a branch of a remote that git would begin
// one of the same name at (git-checkout(1), gitrevisions(7)).
func (o outlook) noRevision(w value.Value) bool {
	text, _ := w.Known()
	repo := o.repository()
	if repo == nil {
		return false
	}
	if rev, name, ok := strings.Cut(text, ":"); ok {
		return o.noFileAt(repo, rev, name)
	}
	if text == "" {
		return false
	}
	from, to, isRange := strings.Cut(text, "..")
	if isRange {
		return from != "" && o.noCommit(repo, from) || o.noCommit(repo, strings.TrimPrefix(to, "."))
	}
	if strings.ContainsAny(text, "~^") { // hardly a file
		return o.noCommit(repo, text) && o.unknownToGit(w)
	}
	return o.missing(w) && // asked first, since it costs least
		o.noCommit(repo, text) && o.unknownToGit(w)
}

// source is what a word names of this repository: of a refspec, which names what to push
// where, what stands before the colon (git-push(1)).
func source(n *catalog.Need, w value.Value) value.Value {
	text, known := w.Known()
	if !known || !slices.Contains(n.Names, "refspec") {
		return w
	}
	from, _, _ := strings.Cut(strings.TrimPrefix(text, "+"), ":")
	return value.Lit(from)
}

// unfound is the part of a word that names no commit: the end of a range that is not there.
func (o outlook) unfound(n *catalog.Need, w value.Value) value.Value {
	w = source(n, w)
	text, _ := w.Known()
	from, to, isRange := strings.Cut(text, "..")
	switch repo := o.repository(); {
	case !isRange || repo == nil || strings.ContainsRune(text, ':'):
		return w
	case from != "" && o.noCommit(repo, from):
		return value.Lit(from)
	}
	return value.Lit(strings.TrimPrefix(to, "."))
}

// noFileAt reports whether a commit, or what it has at a path from the top, surely is not
// there: REV:PATH (gitrevisions(7)).
func (o outlook) noFileAt(repo world.Repo, rev, name string) bool {
	if !refName(strings.TrimRight(rev, "^~0123456789")) || name == "" || strings.Contains(name, ":") || name != path.Clean(name) || name[0] == '.' {
		return false
	}
	if commit := repo.Ref(rev); commit == "" {
		return o.noCommit(repo, rev)
	}
	paths, complete := repo.Changes("", rev, maxTracked)
	return complete && !slices.ContainsFunc(paths, func(p string) bool { return p == name || strings.HasPrefix(p, name+"/") })
}

// isPathOnly reports whether a word stands behind the word -- that ends revisions.
func (o outlook) isPathOnly(w value.Value) bool {
	words := o.inv.Argv
	end := slices.IndexFunc(words, func(v shell.Word) bool { text, _ := v.Value.Known(); return text == "--" })
	return end >= 0 && slices.ContainsFunc(words[end:], func(v shell.Word) bool { return v.Value.String() == w.String() })
}

// ofTree reports whether words stand before the -- behind which paths are: those paths are
// then looked for in a commit, which may have what is not here (git-checkout(1)).
func (o outlook) ofTree() bool {
	words := o.inv.Argv
	end := slices.IndexFunc(words, func(v shell.Word) bool { text, _ := v.Value.Known(); return text == "--" })
	return end >= 0 && len(o.r.Match.Operands()) > len(words)-end-1
}

// noCommit reports whether a word surely names no commit.
func (o outlook) noCommit(repo world.Repo, rev string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(rev, "^"), "~")
	if name, _, _ = strings.Cut(name, "^"); !refName(name) {
		return false
	}
	if name == rev { // which costs little to ask
		if branch, commit := repo.Head(); branch == rev && commit != "" {
			return false
		}
	}
	if repo.Ref(rev) != "" {
		return false
	}
	if name != rev || strings.Trim(name, "0123456789abcdef") == "" { // which the history is read for
		if _, all := repo.Missing([]string{world.HEAD}, nil, maxHistory); !all || repo.MayHold(name) {
			return false
		}
	}
	if name != rev {
		return true // no name of a branch to begin
	}
	refs, err := repo.Refs("refs/remotes/", maxRefs)
	if err != nil || len(refs) >= maxRefs {
		return false
	}
	return !slices.ContainsFunc(refs, func(r world.Ref) bool { return strings.HasSuffix(r.Name, "/"+name) })
}

// maxRefs is how many refs are looked through, maxHistory how many commits, and
// maxTracked how many files.
const (
	maxRefs    = 2000
	maxHistory = 5000
	maxTracked = 20000
)

// unknownToGit reports whether a path surely neither exists nor was ever added.
func (o outlook) unknownToGit(w value.Value) bool { return o.missing(w) && o.notAdded(w) }

// untracked reports whether git surely tracks neither a path nor anything below it. Where
// words may be revisions as well, only one alone is sure to be no path of a revision.
func (o outlook) untracked(w value.Value) bool {
	text, _ := w.Known()
	if o.isPathOnly(w) {
		if strings.HasPrefix(text, "-") { // behind -- that is a name too
			w = value.Lit("./" + text)
		}
		return !o.ofTree() && o.notAdded(w)
	}
	for n := range o.r.Needs() {
		if n.Kind == catalog.NeedsRef && (len(o.r.Match.Operands()) > 1 || o.repository() == nil || !o.noCommit(o.repository(), text)) {
			return false
		}
	}
	return o.notAdded(w)
}

// notAdded reports whether the index surely has nothing at a path, nor below it.
func (o outlook) notAdded(w value.Value) bool {
	repo := o.repository()
	if text, known := w.Known(); repo == nil || w.Pattern() != "" || !known || !isPath(text) || o.moved() && !path.IsAbs(text) {
		return false
	}
	name, known := flow.Absolute(o.st, w).Known()
	if !known {
		return false
	}
	switch repo.State(path.Clean(name)) {
	case world.Untracked, world.Ignored: // nor is anything below it in the index
		return true
	case world.NotInRepo:
		part := repo.Part(path.Clean(name), maxRefs, world.WantModified)
		return part.Complete && part.Tracked == 0
	}
	return false
}

// checkedOut reports whether a branch surely is the one that is checked out.
func (o outlook) checkedOut(name string) bool {
	repo := o.repository()
	if repo == nil {
		return false
	}
	branch, _ := repo.Head()
	return branch != "" && branch == name
}

// withoutEntry reports whether a manifest surely has no entry of a name. Only that of
// npm is read: an object "scripts" (package.json(5)).
func (o outlook) withoutEntry(manifest, name string) bool {
	manifest, programs := strings.CutSuffix(manifest, orPrograms)
	dir, known := o.dir()
	file := path.Join(dir, manifest)
	if !known || path.Base(manifest) != "package.json" || o.st.FS.Touched(file) {
		return false
	}
	data, err := o.st.FS.ReadFile(file, maxManifest)
	if err != nil {
		return false
	}
	var read struct{ Scripts map[string]any }
	if json.Unmarshal(data, &read) != nil {
		return false
	}
	_, there := read.Scripts[name]
	return !there && (!programs || !o.maybeAt("node_modules/.bin/"+name, true) && o.absent(o.st, name))
}

// orPrograms ends the manifest of an entry that may as well be a program of the
// packages, or one of the machine.
const orPrograms = " or programs"

// maxManifest is how much of a manifest is read, in bytes.
const maxManifest = 256 << 10

// lacking reports whether a need that is about no argument is surely not met.
func (o outlook) lacking(n *catalog.Need) bool {
	switch n.Kind {
	case catalog.NeedsHere, catalog.NeedsUpwards:
		return !slices.ContainsFunc(n.Names, func(name string) bool { return o.maybeAt(name, n.Kind == catalog.NeedsUpwards) })
	case catalog.NeedsSocket:
		return !slices.ContainsFunc(n.Names, func(name string) bool { return !o.missing(value.Lit(name)) })
	case catalog.NeedsRepository:
		dir, known := o.dir()
		if !known {
			return false
		}
		if o.sc.World.Git == nil || o.st.FS.Touched(path.Join(dir, ".git")) {
			return false
		}
		repo, err := o.sc.World.Git.Find(dir)
		return err == nil && repo == nil
	case catalog.NeedsRemote:
		return o.elsewhere(n.Names)
	case catalog.NeedsStash:
		repo := o.repository()
		return repo != nil && repo.Stashes() == 0
	case catalog.NeedsCommit:
		repo := o.repository()
		if repo == nil {
			return false
		}
		_, commit := repo.Head() // which costs less to ask
		return commit == "" && repo.Ref(world.HEAD) == ""
	case catalog.NeedsStaged, catalog.NeedsChanges:
		return o.unchanged(n.Kind == catalog.NeedsStaged)
	case catalog.NeedsClean:
		repo := o.repository()
		if repo == nil || repo.Root() == "" || len(repo.Config("rebase.autostash")) > 0 || o.r.Match.Given("-c") {
			return false
		}
		st := repo.Part(repo.Root(), maxTracked, world.WantModified|world.WantFirst)
		return st.Modified > st.Hidden || st.Staged > 0
	case catalog.NeedsUnderway:
		repo := o.repository()
		return repo != nil && !slices.ContainsFunc(n.Names, func(name string) bool { return !o.missing(value.Lit(path.Join(repo.GitDir(), name))) })
	case catalog.NeedsRoot:
		return o.sc.World.User.UID > 0 && !o.st.Context.Privileged && !slices.ContainsFunc(o.st.Context.Via, catalog.ActsAsRoot) && !slices.ContainsFunc(o.sc.Trace.Effects, func(e risk.Effect) bool { return e.Verb == risk.PrivGain })
	case catalog.NeedsInput:
		return !o.inv.HasStdin
	case catalog.NeedsUnmanaged:
		return o.managedPython()
	}
	return false
}

// unchanged reports whether surely no tracked file is changed, or none staged, no
// merge waits for its commit (git-commit(1)), and no hook runs before git looks.
func (o outlook) unchanged(stagedOnly bool) bool {
	repo := o.repository()
	if repo == nil || repo.Root() == "" || len(repo.Hooks()) > 0 || !o.missing(value.Lit(path.Join(repo.GitDir(), "MERGE_HEAD"))) {
		return false
	}
	want := world.WantModified | world.WantFirst
	if stagedOnly {
		want = world.WantStaged
	}
	st := repo.Part(repo.Root(), maxTracked, want)
	return st.Complete && st.Staged == 0 && (stagedOnly || st.Modified == 0)
}

// maybeAt reports whether a file may be in the directory, or in one above.
func (o outlook) maybeAt(name string, upwards bool) bool {
	if upwards {
		return o.upwards(func(dir string) bool { return !o.noneIn(dir, name) })
	}
	dir, known := o.dir()
	return !known || !o.noneIn(dir, name)
}

// upwards reports whether something holds, or may, in the directory or in one above.
func (o outlook) upwards(holds func(dir string) bool) bool {
	dir, known := o.dir()
	if !known {
		return true
	}
	for range 64 {
		if holds(dir) {
			return true
		}
		if dir == "/" {
			return false
		}
		dir = path.Dir(dir)
	}
	return true
}

// noneBelow reports whether surely neither a directory nor one of those below it, but for
// hidden ones, has a file of a pattern.
func (o outlook) noneBelow(dir, pattern string, depth int) bool {
	entries, err := o.st.FS.ReadDir(dir, maxRefs)
	if err != nil || len(entries) >= maxRefs || depth > 8 || !o.Spend(1+len(entries)/16) {
		return false
	}
	for _, e := range entries {
		if ok, err := path.Match(pattern, e.Name); ok || err != nil {
			return false
		}
		if e.Kind == world.Dir && !strings.HasPrefix(e.Name, ".") && !o.noneBelow(path.Join(dir, e.Name), pattern, depth+1) {
			return false
		}
	}
	return true
}

// noneIn reports whether a directory surely has no file of a name, or of a pattern; `**/` in
// front of one stands for those below it too.
func (o outlook) noneIn(dir, name string) bool {
	if !strings.Contains(name, "*") {
		info, err := world.Stat(o.st.FS, path.Join(dir, name))
		return o.Spend(1) && err == nil && info.Kind == world.Missing
	}
	if pattern, deep := strings.CutPrefix(name, "**/"); deep {
		return o.noneBelow(dir, pattern, 0)
	}
	below, pattern := path.Split(name)
	if !o.Spend(1) {
		return false
	}
	dir = path.Join(dir, below)
	if info, err := world.Stat(o.st.FS, dir); err == nil && info.Kind == world.Missing {
		return true
	}
	entries, err := o.st.FS.ReadDir(dir, maxRefs)
	return err == nil && !slices.ContainsFunc(entries, func(e world.Entry) bool {
		ok, err := path.Match(pattern, e.Name)
		return ok || err != nil
	})
}

// repository is the one that the commands of a state work in, or nil.
func (o outlook) repository() world.Repo {
	dir, known := o.dir()
	if !known || o.sc.World.Git == nil {
		return nil
	}
	repo, err := o.sc.World.Git.Find(dir)
	if err != nil {
		return nil
	}
	return repo
}

// dir is the directory that the invocation works in: that of the shell, or one that its
// options name; known is false where it cannot be told.
func (o outlook) dir() (dir string, known bool) {
	dir, known = o.st.Dir.Known()
	for i := range o.r.Match.Args {
		b := &o.r.Match.Args[i]
		if b.Arg.Role != catalog.Dir || b.Default {
			continue
		}
		name, ok := b.Value.Known()
		if known = known && ok; known && path.IsAbs(name) {
			dir = name
		} else if known {
			dir = path.Join(dir, name)
		}
	}
	return dir, known
}

// moved reports whether an option names another directory to work in, from which the
// paths of operands may count.
func (o outlook) moved() bool {
	dir, known := o.dir()
	here, ok := o.st.Dir.Known()
	return !known || !ok || dir != here && path.Clean(dir) != path.Clean(here)
}

// movedTwice reports whether several options name directories, each from the one before.
func (o outlook) movedTwice() bool {
	n := 0
	for i := range o.r.Match.Args {
		if b := &o.r.Match.Args[i]; b.Arg.Role == catalog.Dir && !b.Default {
			n++
		}
	}
	return n > 1
}

// isDirectory reports whether a path surely is a directory now, and no link.
func (o outlook) isDirectory(w value.Value) bool {
	text, known := w.Known()
	name, ok := flow.Absolute(o.st, w).Known()
	if !known || !ok || !isPath(text) || !o.Spend(1) {
		return false
	}
	info, err := o.st.FS.Lstat(path.Clean(name))
	return err == nil && info.Kind == world.Dir
}

// isDir reports whether a need is about a directory to work in itself.
func (o outlook) isDir(n *catalog.Need) bool {
	return slices.ContainsFunc(o.r.Match.Args, func(b catalog.Bound) bool { return b.Arg.Role == catalog.Dir && slices.Contains(n.Names, b.Arg.Name) })
}
