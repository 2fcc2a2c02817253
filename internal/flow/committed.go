package flow

import (
	"path"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Secrets on their way into a repository and out of it again.

// committed follows a secret that version control takes up: added, committed,
// pushed.
func (d *Deed) committed() {
	st, r := d.State, d.Result
	if r.Match == nil || r.Match.Has("dry") || r.Match.Help || st.Context.Host != "" {
		return
	}
	for i := range r.Effects {
		x := &r.Effects[i]
		switch {
		case x.Verb == risk.VCSPush || x.Verb == risk.VCSForce:
			if d.kept != "" && x.Kind != risk.KindDelete {
				e := risk.Effect{Verb: risk.SecretSend, Source: risk.From(d.kept), Target: x.Target.String()}
				d.LookUp(st, &e, "")
				d.tell(e)
			}
		case x.Verb != risk.VCSLocal:
		case x.Kind == risk.KindAdd:
			if name := d.secretAmong(st, r.Match.Operands(), r.Match.Given("-f") || r.Match.Given("--force")); name != "" {
				d.staged = name
			}
		case x.Kind == risk.KindCommit:
			if name := d.secretAmong(st, r.Match.Operands(), true); name != "" {
				d.staged = name
			}
			d.kept = d.staged
		case x.Kind == risk.KindUnstage, x.Kind == risk.KindRestore, x.Kind == risk.KindReset, x.Kind == risk.KindStashPush:
			d.staged = ""
		}
	}
}

// secretAmong returns the first of some paths that is a secret which the
// repository does not have yet. git leaves out what it ignores unless forced.
func (sc *Scene) secretAmong(st *shell.State, paths []value.Value, forced bool) string {
	for _, v := range paths {
		if !Absolute(st, v).IsKnown() {
			continue
		}
		p := sc.Place(st, v, true)
		if p.Scope != risk.IsSecret {
			continue
		}
		if sc.World.Git == nil || !sc.Spend(20) {
			return p.Path
		}
		repo, err := sc.World.Git.Find(path.Dir(p.Path))
		if err != nil || repo == nil {
			return p.Path
		}
		switch repo.State(p.Path) {
		case world.Ignored:
			if forced {
				return p.Path
			}
		case world.Untracked, world.NotInRepo:
			return p.Path
		}
	}
	return ""
}
