package undo

import (
	"path/filepath"

	"github.com/heedsh/heed/risk"
)

// Targets lists what has to be kept so that these effects can be undone. It is an
// [*Incomplete] if one of them cannot be undone by putting files back, or ought not to:
// what is promised has to hold for the command as a whole. What is committed, or a build
// makes again, is left out: git or the build has it.
func Targets(effects []risk.Effect) ([]Target, error) {
	var all []Target
	for i := range effects {
		e := &effects[i]
		written := true
		switch e.Verb {
		case risk.FSRead, risk.FSCreate, risk.ExecKnown, risk.NetFetch, risk.NetConnect, risk.RemoteRead, risk.DBRead:
			continue
		case risk.FSDelete:
			written = false
		case risk.FSWrite, risk.FSMove, risk.FSAttr: // a file that is moved can be written where it is then
		default:
			return nil, &Incomplete{Path: name(e), What: "no file that is put back undoes " + string(e.Verb)}
		}
		if e.Scope == risk.IsNull {
			continue
		}
		switch {
		case e.Scope == risk.IsSecret:
			return nil, &Incomplete{Path: name(e), What: "secrets are never kept"}
		case e.Program == "shred":
			return nil, &Incomplete{Path: name(e), What: "what shred destroys is never kept"}
		case e.Host != "" || e.Scope == risk.IsRemote || e.Scope == risk.InImage:
			return nil, &Incomplete{Path: name(e), What: "it is not on this machine"}
		case e.Privileged:
			return nil, &Incomplete{Path: name(e), What: "the command changes it with rights that heed does not have"}
		case e.Unresolved != "" || !filepath.IsAbs(e.Target) || e.Target == risk.NewTemp:
			return nil, &Incomplete{Path: name(e), What: "which file it is is not known beforehand"}
		case e.Pattern != "" || e.Named != "":
			return nil, &Incomplete{Path: name(e), What: "which files a pattern names is not kept apart yet"}
		case e.Reversible == risk.Restorable, e.Reversible == risk.Regenerable, e.Reversible == risk.NothingThere:
			continue
		}
		all = append(all, Target{Path: e.Target, Written: written})
	}
	return all, nil
}

// name is what an effect is about.
func name(e *risk.Effect) string {
	if e.Target == "" {
		return string(e.Verb)
	}
	return e.Target
}
