package flow

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// FileEffect resolves and records an effect on a path.
func (sc *Scene) FileEffect(st *shell.State, span risk.Span, x *catalog.Effect, content value.Value, program string) {
	for _, target := range alternatives(x.Target) {
		if here, at, ok := mounted(st, target, x.Verb != risk.FSRead); ok {
			sc.fileEffect(here, span, x, at, content, program)
			continue
		}
		sc.fileEffect(st, span, x, target, content, program)
	}
}

// alternatives splits a target that is one of a few known strings into them.
func alternatives(v value.Value) []value.Value {
	if v.IsKnown() {
		return []value.Value{v}
	}
	all, ok := v.Candidates(32)
	if !ok {
		return []value.Value{v}
	}
	out := make([]value.Value, len(all))
	for i, s := range all {
		out[i] = value.Lit(s).With(v.Taint()).FromPattern(v.Pattern())
	}
	return out
}

// unset reports whether a word is a variable that is not set, and nothing
// else: it is empty.
func unset(word value.Value) bool {
	parts := word.Parts()
	return len(parts) == 1 && parts[0].Hole != nil && parts[0].Hole.Cause == risk.CauseUnset && parts[0].Hole.Shape == value.AnyText
}

func (sc *Scene) fileEffect(st *shell.State, span risk.Span, x *catalog.Effect, target, content value.Value, program string) {
	if x.Verb != risk.FSRead {
		target = target.Anywhere()
	}
	target = sc.inOne(st, inDirectory(x, sc.confined(st, x, target)))
	if start, ok := startItself(x, target); ok {
		one := *x
		x, target, one.Many = &one, start, true
	}
	// A file that is moved onto a link takes the link's place (rename(2)).
	follow := x.Verb != risk.FSDelete && x.Verb != risk.FSMove && x.Verb != risk.FSCreate && x.Kind != risk.KindMove
	e := risk.Effect{
		Verb: x.Verb, Kind: x.Kind, Recursive: x.Recursive, Forced: x.Forced, Many: x.Many,
		Program: program, Pattern: target.Pattern(), By: risk.Maker{Rule: x.Rule, Stored: x.Stored},
	}
	e.Many = e.Many || e.Pattern != "" || target.Taint().Has(value.Found)
	if !target.IsKnown() {
		DescribeHole(&e, target)
		// `>> "$X"`, which the shell and every program refuse; `rm -rf $X` does
		// nothing, quoted or not. To a search no directory is the current one.
		if (x.Verb == risk.FSWrite || x.Verb == risk.FSDelete && x.Kind == risk.NoKind) && unset(target) {
			e.Recursive = false
			e.Kind, e.Target, e.Unresolved = risk.KindNoFile, e.Unresolved, ""
			sc.Effect(st, span, e)
			return
		}
		for _, h := range target.Holes() {
			e.Many = e.Many || h.Cause == risk.CauseMatch || h.Cause == risk.CauseLoop
		}
	}
	p := sc.Place(st, target, follow)
	if dir, ok := bareNames(target); ok && p.Missing {
		p = sc.Place(st, dir, true)
	}
	e.By.FilesOnly = x.FilesOnly
	e.By.Replaces = x.Verb == risk.FSWrite && x.Kind == risk.NoKind && strings.HasPrefix(x.Arg, "out")
	e.By.Refused = x.FilesOnly && target.IsKnown() && !x.Recursive && p.Info.Kind == world.Dir && !p.Link
	if x.Verb == risk.FSDelete && sc.takenAway(st, span, x, p, program) {
		return
	}
	if x.Verb == risk.FSDelete && target.IsKnown() && e.Pattern == "" && (p.Link || p.Info.Kind == world.Regular) {
		e.Recursive = false // there is nothing in it
	}
	sc.alias(st, x, &p)
	sc.governed(st, x, &p)
	e.Target, e.Scope, e.Root = p.Path, p.Scope, p.Root
	if writes := x.Verb == risk.FSWrite || x.Verb == risk.FSCreate || x.Verb == risk.FSMove; writes && p.Scope == risk.IsRemote && st.Context.Container == "" {
		e.Scope = workspace.Elsewhere(p.Path)
	}
	if x.Verb == risk.FSRead && p.Scope == risk.IsStartup && sc.Space.Foreign(p.Path) {
		e.Scope = risk.InOtherHome // whose it is matters to a reader, not what it does
	}
	name, found := below(target)
	if found { // something found in there, not the directory itself
		e.Root, e.Named, e.Many = false, name, true
		if parts := target.Parts(); p.Missing && len(parts) == 2 && parts[0].Hole != nil && !strings.Contains(parts[1].Lit, "/") { // files beside those that were found
			e.Target = sc.Place(st, value.Of(*parts[0].Hole), follow).Path
		}
	}
	if t := target.Taint(); x.Verb == risk.FSAttr && e.Scope == risk.IsStartup && t.Has(value.Found) && !t.Has(value.Picked) && slices.ContainsFunc(sc.Space.Roots(), func(r string) bool { return workspace.Inside(p.Path, r) }) {
		e.Scope = risk.InWorkspace // as when all of the tree is meant
	}
	if p.Via != "" && p.Path != p.Via && p.Scope != sc.Space.Scope(p.Via) {
		e.Through = p.Via
	}
	if e.Pattern != "" {
		sc.wholeDirectory(st, &e, p)
	}
	sc.recovery(st, &e, p, found)
	if sc.mountedOver(st, &e) { // what is seen here is not what is there by then
		e.Reversible, e.Remedy, e.Counts = risk.Lost, risk.Remedy{}, nil
		e.Recursive = e.Recursive || e.Verb == risk.FSDelete && p.Info.Kind == world.Dir
		if e.Kind == risk.KindEmptyDirectory {
			e.Kind = risk.NoKind
		}
	}
	if x.Same && e.Verb == risk.FSWrite && e.Kind == risk.NoKind {
		e.Kind, e.Reversible, e.Remedy, e.Counts = risk.KindSameContent, risk.NotLooked, risk.Remedy{}, nil
	}
	if x.Loses != nil && e.Counts != nil {
		e.Counts = x.Loses // of what is there only this goes
	}
	if x.Kind == risk.KindWorktree || x.Verb == risk.FSDelete && x.Recursive && e.Kind == risk.NoKind && p.Scope != risk.InWorkspace && p.Info.Kind == world.Dir && st.Context.Host == "" {
		sc.worktree(st, &e, p)
	}
	if none(target) {
		e.Reversible, e.Remedy, e.Counts = risk.NothingThere, risk.Remedy{}, nil
	}
	sc.every(st, span, x, &e, target, follow, program)
	if x.Verb == risk.FSCreate && x.Forced && (p.Info.Kind == world.Regular || p.Unread) { // ln -f: the old file goes
		sc.fileEffect(st, span, &catalog.Effect{Verb: risk.FSDelete, Target: target, Forced: true, Kind: risk.KindReplaced}, target, content, program)
	}
	if x.Verb == risk.FSRead && x.Shown && e.Kind == risk.NoKind && (e.Scope == risk.IsSecret || e.Scope == risk.IsAccounts || e.Scope == risk.InOtherHome || p.Scope == risk.IsDevice) {
		e.Kind = risk.KindShown
	}
	if x.Verb == risk.FSRead && x.Shown && e.Kind == risk.NoKind && p.Unread && p.Scope == risk.ScopeUnknown && target.IsKnown() {
		if _, err := world.Stat(st.FS, p.Written); err != nil { // links in a circle lead nowhere
			e.Kind = risk.KindNotLookedAt
		}
	}
	sc.Effect(st, span, e)
	sc.guarded(st, span, x, &e, p)
}

// mountedOver reports whether something that is changed lies where this command has mounted
// something (mount(8), fusermount(1)).
func (sc *Scene) mountedOver(st *shell.State, e *risk.Effect) bool {
	switch e.Verb {
	case risk.FSDelete, risk.FSMove, risk.FSWrite, risk.FSAttr:
	default:
		return false
	}
	if st.Context.Host != "" || st.Context.Container != "" {
		return false
	}
	is := false
	for i := range sc.Trace.Effects {
		m := &sc.Trace.Effects[i]
		if m.Verb == risk.FSMount && m.Host == "" && m.Target != "" && (m.Target == e.Target || workspace.Inside(e.Target, m.Target) || workspace.Inside(m.Target, e.Target)) {
			is = m.Kind != risk.KindUnmount
		}
	}
	return is
}

// alias takes a place for the protected one that it also is: where a protected
// name is a link to a directory around it, and where it becomes another name of
// a protected file.
func (sc *Scene) alias(st *shell.State, x *catalog.Effect, p *workspace.Place) {
	switch x.Verb {
	case risk.FSWrite, risk.FSCreate, risk.FSAttr:
	default:
		return
	}
	if st.Context.Host != "" || st.Context.Container != "" || p.Unread {
		return
	}
	if x.Kind == risk.KindHardLink {
		if of := sc.Place(st, x.Link, true); of.Scope == risk.IsSecret || of.Scope == risk.IsStartup || of.Scope == risk.IsAgentConfig {
			p.Scope = of.Scope
		}
		return
	}
	switch p.Scope {
	case risk.InWorkspace, risk.InHome, risk.InTemp, risk.InOtherRepo:
		if name, ok := sc.Space.Aliased(st.FS, p.Path); ok {
			p.Path, p.Via = name, p.Written
			p.Scope = sc.Space.Scope(name)
		}
	}
}

// takenAway tells of the deletion of what this command had moved: it is lost
// where it came from.
func (sc *Scene) takenAway(st *shell.State, span risk.Span, x *catalog.Effect, p workspace.Place, program string) bool {
	if st.Context.Host != "" || st.FS.Untouched() {
		return false
	}
	from := st.FS.Origin(p.Path)
	all := []string{from}
	if from == "" {
		all = st.FS.Inside(p.Path, maxOrigins)
	}
	for _, name := range all {
		before := st.Clone()
		before.FS = st.FS.Base()
		if i, err := before.FS.Lstat(name); err == nil && i.Kind == world.Missing {
			return false
		}
		again := *x
		again.Target = value.Lit(name)
		again.Many = again.Many || from == "" // what was in there was not named
		sc.fileEffect(before, span, &again, again.Target, value.Value{}, program)
	}
	return from != ""
}

// maxOrigins is how many moved files are told of one by one when the directory
// goes that they were moved to.
const maxOrigins = 8

// below reports whether a target is some file found below a directory, and the
// pattern of its name, if that is known.
func below(v value.Value) (named string, ok bool) {
	for _, h := range v.Holes() {
		if h.Shape == value.Below && h.Cause == risk.CauseMatch {
			return h.Last, true
		}
	}
	return "", false
}

// inDirectory reads a target that is taken away and has a name in it that a listing
// gave, in a directory that is written: it is whatever is in there, as far as what is
// written around the name lets it.
func inDirectory(x *catalog.Effect, v value.Value) value.Value {
	if x.Verb != risk.FSDelete && x.Verb != risk.FSMove && x.Kind != risk.KindTruncate {
		return v
	}
	var listed *value.Hole
	var before, after string
	for _, p := range v.Parts() {
		switch {
		case p.Hole == nil && listed == nil:
			before += p.Lit
		case p.Hole == nil:
			after += p.Lit
		case listed != nil || p.Hole.Shape != value.Word || p.Hole.Cause != risk.CauseMatch || len(p.Hole.OneOf) > 0:
			return v
		default:
			listed = p.Hole
		}
	}
	if listed == nil {
		return v
	}
	dir, name, cut := lastCut(before)
	switch {
	case !cut && path.Clean(listed.Base) != ".": // the names of another directory, which hardly are here
		return v
	case !cut:
		dir = "."
	case dir == "":
		dir = "/"
	}
	h := value.Hole{Cause: risk.CauseMatch, Name: listed.Name, Shape: value.Below, Base: dir, Last: listed.Last}
	found := strings.TrimSuffix(dir, "/") + "/*"
	if _, last, deep := lastCut(after); deep {
		h.Last, found = last, ""
	} else if name != "" || after != "" {
		h.Last = name + cmp.Or(listed.Last, "*") + after
	}
	if written := name + after; written != "" && strings.Contains(listed.Last, "|") || strings.ContainsAny(written, "*?[{\\|") {
		h.Last = "" // no pattern says it
	}
	if h.Last != "" && found != "" {
		found = strings.TrimSuffix(found, "*") + h.Last
	}
	return value.Of(h).With(v.Taint()).FromPattern(found)
}

// inOne looks for what a pattern, or a condition on the names of a listing, finds in the
// one directory that it is of: those are meant, and nothing else that is in there.
func (sc *Scene) inOne(st *shell.State, v value.Value) value.Value {
	parts := v.Parts()
	if len(parts) != 1 || parts[0].Hole == nil || st.Context.Host != "" || st.Context.Container != "" {
		return v
	}
	h := *parts[0].Hole
	dir, last, cut := lastCut(v.Pattern())
	switch {
	case last == "" || last == "*" || strings.Contains(last, "**"): // no pattern, all that is there, or more than one directory
		return v
	case !cut:
		dir = "."
	case dir == "":
		dir = "/"
	}
	simple := strings.Trim(strings.TrimPrefix(h.Last, "[^.]"), "*?|.-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
	if h.Shape != value.Below || h.Cause != risk.CauseMatch || h.None || len(h.Among) > 0 || h.Last == "" || !simple ||
		strings.ContainsAny(dir, `*?[{\`) || path.Clean(dir) != path.Clean(h.Base) {
		return v
	}
	full, ok := Absolute(st, value.Lit(dir)).Known()
	if !ok || !sc.Spend(5) {
		return v
	}
	resolved, ok := world.Resolve(st.FS, path.Clean(full), true)
	entries, err := st.FS.ReadDir(resolved, maxEvery+1)
	if !ok || err != nil || len(entries) > maxEvery || st.FS.Fetched(resolved) {
		return v
	}
	for _, e := range entries {
		if slices.ContainsFunc(strings.Split(h.Last, "|"), func(p string) bool { ok, _ := path.Match(p, e.Name); return ok }) {
			h.Among = append(h.Among, path.Join(dir, e.Name))
		}
	}
	h.None = len(h.Among) == 0
	return value.Of(h).With(v.Taint()).FromPattern(v.Pattern())
}

// bareNames is the directory of a target that puts it before what a search found, which
// may be names without the directory that was searched: `ls -l` prints such.
func bareNames(v value.Value) (dir value.Value, ok bool) {
	parts := v.Parts()
	if len(parts) < 2 || parts[0].Hole != nil || !strings.HasSuffix(parts[0].Lit, "/") {
		return value.Value{}, false
	}
	h := parts[1].Hole
	if h == nil || h.Shape != value.Below || h.None || len(h.Among) > 0 {
		return value.Value{}, false
	}
	return value.Lit(parts[0].Lit), true
}

// worktree says what goes with a linked work tree: its commits stay in the
// repository, and git refuses to remove one that has more, unless it is forced
// (git-worktree(1), "remove"). Any other program refuses nothing, and counts only what
// belongs to a repository of the workspace.
func (sc *Scene) worktree(st *shell.State, e *risk.Effect, p workspace.Place) {
	if p.Missing || sc.World.Git == nil {
		return
	}
	repo, err := sc.World.Git.Find(p.Path)
	if err != nil || repo == nil || repo.Root() != p.Path || repo.GitDir() == repo.CommonDir() {
		return
	}
	byGit := e.Kind == risk.KindWorktree
	if ours := func(root string) bool { return workspace.Inside(repo.CommonDir(), root) }; !byGit && (!slices.ContainsFunc(sc.Space.Roots(), ours) || !st.FS.Untouched()) {
		return
	}
	s := repo.Status(p.Path, worktreeBudget)
	e.Counts = &risk.Counts{Files: s.Tracked + s.Untracked + s.Ignored, Untracked: s.Untracked, Modified: s.Modified, AtLeast: !s.Complete}
	e.Counts.Name(repo.Root(), slices.Concat(s.SomeModified, s.SomeUntracked))
	clean := s.Modified+s.Staged+s.Untracked == 0
	refuses := byGit && !clean && !e.Forced
	if s.Complete && (refuses || clean && s.Ignored == 0 && staysNamed(repo)) {
		e.Reversible, e.Remedy, e.Scope = risk.Restorable, risk.RemedyGit, risk.InWorkspace // it is a part of the repository
	}
}

// staysNamed reports whether the commits of a work tree are on a branch, or on
// something else that stays when it goes.
func staysNamed(repo world.Repo) bool {
	branch, head := repo.Head()
	if branch != "" || head == "" {
		return true
	}
	refs, err := repo.Refs("refs/", maxWorktreeRefs)
	if err != nil || len(refs) == maxWorktreeRefs {
		return false
	}
	by := make([]string, len(refs))
	for i, r := range refs {
		by[i] = r.ID
	}
	n, complete := repo.Missing([]string{head}, by, 1)
	return n == 0 && complete
}

// maxWorktreeRefs is how many refs may keep the commits of a work tree.
const maxWorktreeRefs = 5000

// worktreeBudget is how many entries of a work tree are looked at.
const worktreeBudget = 50000

// none reports whether nothing is there now that a target could stand for.
func none(v value.Value) bool {
	parts := v.Parts()
	for i, p := range parts {
		if p.Hole != nil && p.Hole.None {
			return i == 0 || parts[i-1].Hole != nil // behind text it may be nothing, and the text is the name
		}
	}
	return false
}

// startItself is the directory that a search starts from, where the search may
// hand it over as it does what it finds below (find(1): `find DIR -exec rm -r
// {} +`), and what is below goes with it.
func startItself(x *catalog.Effect, v value.Value) (value.Value, bool) {
	parts := v.Parts()
	if x.Verb != risk.FSDelete || !x.Recursive || len(parts) != 1 || parts[0].Hole == nil || !parts[0].Hole.Self {
		return value.Value{}, false
	}
	return value.Lit(parts[0].Hole.Base).With(v.Taint()), true
}

// wholeDirectory notices a pattern that stands for everything in a directory:
// its targets are then told as one. A pattern that matches nothing now is
// judged as if it did.
func (sc *Scene) wholeDirectory(st *shell.State, e *risk.Effect, p workspace.Place) {
	base := path.Base(e.Pattern)
	if e.Unresolved == "" && (base == "*" || base == "{*,.*}" || base == ".*") {
		dir := path.Dir(p.Path)
		e.Root = dir == "/" || sc.Space.OwnHome(dir)
	}
	if e.Unresolved != "" && strings.HasSuffix(p.Path, "/*") {
		dir := sc.Place(st, value.Lit(path.Dir(p.Path)), true)
		e.Target, e.Scope, e.Root = dir.Path, dir.Scope, dir.Root
	}
}

// recovery looks up whether a target could be brought back, where the answer
// can change the tier or the sentence.
//
// Of something found below a directory it is not known which file that is: the
// worst of them counts.
func (sc *Scene) recovery(st *shell.State, e *risk.Effect, p workspace.Place, found bool) {
	if found && p.Info.Kind == world.Dir && e.Verb != risk.FSRead && e.Kind != risk.KindAppend && e.Verb != risk.FSCreate && e.Verb != risk.FSAttr {
		if sc.Spend(5) && p.Scope != risk.IsRemote && p.Scope != risk.InImage {
			r := sc.Space.Recover(st.FS, p, true)
			e.Reversible, e.Remedy = r.Reversible, r.Remedy
			if !r.Counts.IsZero() {
				e.Counts = &r.Counts
			}
		}
		return
	}
	if p.Scope == risk.IsRemote || p.Scope == risk.InImage || p.Scope == risk.IsNull {
		return
	}
	switch e.Verb {
	case risk.FSDelete, risk.FSMove:
	case risk.FSWrite:
		if p.Info.Kind == world.Dir || e.Kind == risk.KindAppend {
			switch {
			case p.Missing || e.Kind == risk.KindTruncate: // a directory cannot be emptied so
				e.Reversible = risk.NothingThere
			case p.Info.Kind == world.Regular && st.FS.Made(p.Path):
				e.Reversible, e.Remedy = risk.Restorable, risk.RemedyMade
			}
			return
		}
		if p.Missing {
			e.Reversible = risk.NothingThere
			return
		}
	case risk.FSCreate:
		if p.Missing {
			e.Reversible = risk.NothingThere
		}
		return
	default:
		return
	}
	if !sc.Spend(5) {
		return
	}
	// Of a name that is not known the directory before it is only where it is.
	all := e.Recursive || (e.Many || e.Unresolved != "") && e.Verb == risk.FSDelete && p.Info.Kind == world.Dir
	r := sc.Space.Recover(st.FS, p, all && e.Kind != risk.KindEmptyDirectory)
	e.Reversible, e.Remedy = r.Reversible, r.Remedy
	if !r.Counts.IsZero() {
		c := r.Counts
		e.Counts = &c
	}
}
