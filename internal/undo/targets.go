package undo

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/heedsh/heed/risk"
)

// Targets lists what has to be kept so that these effects can be undone, and says what
// will not be: what no file undoes that is put back, and what ought not to be kept. What
// a build makes again is left out, and so is a command of which nothing is lost: git has
// what is committed, and a move that writes over nothing can be moved back. What version
// control does is not told by paths alone and left to the caller.
func Targets(effects []risk.Effect) (all []Target, open []string) {
	var also []Target
	for i := range effects {
		e := &effects[i]
		t := Target{Path: e.Target, Written: true}
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
		if e.Scope == risk.IsNull || e.Reversible == risk.NothingThere {
			continue
		}
		if what := unkept(e); what != "" {
			open = append(open, leaves(e, what))
			continue
		}
		switch {
		case e.Reversible == risk.Regenerable:
		case e.Reversible == risk.Restorable, e.Verb == risk.FSMove:
			also = append(also, t)
		default:
			all = append(all, t)
		}
	}
	if len(all) > 0 {
		all = append(all, also...)
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
	case e.Unresolved != "" || !filepath.IsAbs(e.Target) || e.Target == risk.NewTemp || e.Pattern != "" && strings.ContainsAny(e.Target, "*?[") && !there(e.Target):
		return "which file it is is not known beforehand"
	}
	return ""
}

// there reports whether a name that reads like a pattern is one of a file.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// leaves says that what an effect does is not undone.
func leaves(e *risk.Effect, what string) string {
	name := e.Target
	if name == "" {
		name = string(e.Verb)
	}
	return (&Incomplete{Path: name, What: what}).Error()
}
