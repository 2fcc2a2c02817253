package witness

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// An Outcome is what became of one command.
type Outcome int

// What became of it, the worst last.
const (
	Nothing    Outcome = iota // no file changed
	Told                      // what changed lies where effects say
	OwnRecords                // only caches, histories and the like, which programs keep for themselves
	NotTold                   // something else changed
)

// Compare says what the changes of a command are, and which of them no effect
// covers. Home is the home that it was run with.
func Compare(effects []risk.Effect, changes []Change, home string) (what Outcome, surprises []string) {
	for _, c := range changes {
		switch {
		case slices.ContainsFunc(effects, func(e risk.Effect) bool { return Covers(&e, c) }):
			what = max(what, Told)
		case IsRecord(c, home):
			what = max(what, OwnRecords)
		default:
			what = NotTold
			surprises = append(surprises, c.String())
		}
	}
	return what, surprises
}

// Covers reports whether an effect tells of a change: its target is the file, a
// directory above it, or not known.
func Covers(e *risk.Effect, c Change) bool {
	inGit := strings.Contains(c.Path, ".git/") || strings.HasSuffix(c.Path, "/.gitconfig") // bare repositories are called x.git
	switch {
	case e.Verb == risk.FSRead || e.Verb == risk.SecretRead || e.Verb == risk.DBRead:
		return false
	case strings.HasPrefix(string(e.Verb), "vcs."): // its target is a branch or a remote
		return inGit || e.Verb == risk.VCSDiscard || slices.Contains(treeKinds(), e.Kind)
	case e.Unresolved != "":
		return true
	case inGit && e.Program == "git" && !path.IsAbs(e.Target) && (e.Verb == risk.PersistAdd || e.Verb == risk.SysConfig || e.Verb == risk.ExecProject): // a setting by its name
		return true
	case e.Verb == risk.SysConfig && (strings.HasPrefix(c.Path, "/proc/sys/") || strings.HasPrefix(c.Path, "/sys/")): // a parameter by its name
		return true
	case (e.Verb == risk.SysConfig || e.Verb == risk.DefenseEvade) && !path.IsAbs(e.Target) && ownSettings(e.Program, c.Path): // a setting by its name
		return true
	case e.Kind == risk.KindTrash:
		return strings.Contains(c.Path, "/Trash") || strings.HasPrefix(c.Path, e.Target)
	case e.Kind == risk.KindReplacedByItsCompressedForm || e.Kind == risk.KindReplacedByItsDecompressedForm: // a.gz in place of a
		return strings.HasPrefix(c.Path, e.Target)
	case e.Kind == risk.KindParts: // the first of many: xaa, xab …
		first := strings.TrimSuffix(e.Target, path.Ext(e.Target))
		return strings.HasPrefix(c.Path, strings.TrimRight(first, "a0"))
	case e.Target == c.Path || strings.HasPrefix(c.Path, strings.TrimSuffix(e.Target, "/")+"/"):
		return true
	case (c.Kind == Made || c.Kind == Attributes) && strings.HasPrefix(e.Target, c.Path+"/"): // a directory on the way
		return true
	}
	pattern := e.Target
	if e.Pattern != "" { // the first of those that it matches is the target
		pattern = path.Join(path.Dir(e.Target), path.Base(e.Pattern))
	}
	if e.Program == "mktemp" { // it fills its template in
		pattern = strings.ReplaceAll(pattern, "X", "?")
	}
	ok, err := path.Match(pattern, c.Path)
	return ok && err == nil
}

// ownSettings reports whether a file is where a program keeps its settings: ~/.npmrc, or below
// ~/.config/pip.
func ownSettings(program, file string) bool {
	return program != "" && (strings.HasPrefix(path.Base(file), "."+program) || strings.Contains(file+"/", "/.config/"+program+"/"))
}

// treeKinds are what version control does that brings the files of a work tree to another
// state, or a repository into being.
func treeKinds() []risk.Kind {
	return []risk.Kind{
		risk.KindInit, risk.KindSparseCheckout, risk.KindSwitch, risk.KindCheckout, risk.KindStash, risk.KindStashPush, risk.KindStashPop, risk.KindStashApply,
		risk.KindMerge, risk.KindPull, risk.KindRebase, risk.KindRevert, risk.KindCherryPick, risk.KindAm, risk.KindApply, risk.KindMv,
	}
}
