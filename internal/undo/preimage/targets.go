package preimage

import (
	"os"
	"path/filepath"

	"github.com/heedsh/heed/internal/undo"
	"github.com/heedsh/heed/risk"
)

// targets lists what has to be kept so that the effects of an assessment can be undone,
// and says what will not be: what no file undoes that is put back, and what ought not to
// be kept. What a build makes again is left out, and so is a command of which nothing is
// lost: git has what is committed, and a move that writes over nothing can be moved back.
// What version control does is not told by paths alone and not looked at here.
func targets(a *risk.Assessment) (all []undo.Target, open []string) {
	var also []undo.Target
	for i := range a.Effects {
		e := &a.Effects[i]
		t := undo.Target{Path: e.Target, Written: true}
		switch e.Verb {
		case risk.FSRead, risk.FSCreate, risk.ExecKnown, risk.NetFetch, risk.NetConnect, risk.RemoteRead, risk.DBRead, risk.SecretRead, risk.ProcSignal, risk.VCSLocal, risk.VCSDiscard, risk.VCSRewrite:
			continue
		case risk.FSDelete:
			t.Written = false
		case risk.FSAttr:
			t.Written, t.Attr, t.Alone = false, true, !e.Recursive
		case risk.FSWrite, risk.FSMove: // a file that is moved can be written where it is then
		default:
			open = append(open, leaves(e, "no file that is put back undoes "+string(e.Verb)))
			continue
		}
		if e.Scope == risk.IsNull || e.Reversible == risk.NothingThere && e.Unresolved == "" {
			continue
		}
		if what := unkept(e); what != "" {
			open = append(open, leaves(e, what))
			continue
		}
		some, known := named(a, e, t)
		if !known {
			open = append(open, leaves(e, "which files it is, is not known beforehand"))
			continue
		}
		switch {
		case e.Reversible == risk.Regenerable:
		case e.Reversible == risk.Restorable, e.Verb == risk.FSMove:
			also = append(also, some...)
		default:
			all = append(all, some...)
		}
	}
	if len(all) > 0 {
		all = append(all, also...)
	}
	for _, u := range a.Unknowns {
		open = append(open, "it is not known what "+u.What+" does")
	}
	for _, what := range a.NotInspected {
		open = append(open, what+" was not inspected")
	}
	return all, open
}

// unkept says why what an effect changes is not kept; "" if it is.
func unkept(e *risk.Effect) string {
	switch {
	case e.Scope == risk.IsSecret && e.Verb != risk.FSAttr:
		return "secrets are never kept"
	case e.Program == "shred":
		return "what shred destroys is never kept"
	case e.Host != "" || e.Scope == risk.IsRemote || e.Scope == risk.InImage:
		return "it is not on this machine"
	case e.Privileged:
		return "the command changes it with rights that heed does not have"
	case !filepath.IsAbs(e.Target) || e.Target == risk.NewTemp:
		return "which file it is, is not known beforehand"
	}
	return ""
}

// named lists the targets of one effect: a pattern may name many, and an effect has but
// one of them.
func named(a *risk.Assessment, e *risk.Effect, t undo.Target) (all []undo.Target, known bool) {
	if e.Pattern != "" && (e.Unresolved == "" || e.Unresolved == "<"+e.Pattern+">") {
		t.Path, t.Alone = "/", !e.Recursive
		if !filepath.IsAbs(e.Pattern) {
			if t.Path, known = directory(a, e); !known {
				return nil, false
			}
		}
		return expand(t, e.Pattern)
	}
	if e.Unresolved == "" && !e.Many && e.Named == "" {
		return []undo.Target{t}, true
	}
	if _, err := os.Lstat(e.Target); err != nil {
		return nil, e.Unresolved == "" // nothing is there
	}
	switch {
	case e.Unresolved != "" && e.Cause != risk.CauseWord && e.Cause != risk.CauseMatch:
		return nil, false
	case e.Unresolved != "" || e.Named != "":
		// Something below it: what the command leaves must stay as it is, names too.
		t.Written, t.Alone = t.Written || !t.Attr, false
	}
	return []undo.Target{t}, true
}

// directory is where the program of an effect runs.
func directory(a *risk.Assessment, e *risk.Effect) (string, bool) {
	if i := e.By.Process; i >= 0 && i < len(a.Invocations) && filepath.IsAbs(a.Invocations[i].Dir) {
		return a.Invocations[i].Dir, true
	}
	return "", false
}

// leaves says that what an effect does is not undone.
func leaves(e *risk.Effect, what string) string {
	name := e.Target
	if name == "" {
		name = string(e.Verb)
	}
	return (&undo.Incomplete{Path: name, What: what}).Error()
}
