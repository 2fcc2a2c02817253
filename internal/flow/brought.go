package flow

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// brings follows what a program checks out: a file that is run afterwards is not
// the one that lies there now, and what others obey is told as if it were
// written.
func (d *Deed) brings() {
	st, r := d.State, d.Result
	if len(r.Brings) == 0 || st.Context.Host != "" || st.Context.Container != "" {
		return
	}
	for i := range r.Brings {
		b := &r.Brings[i]
		if b.All {
			if name := d.Known(st, b.Path); name != "" {
				st.FS.Bring(name)
			}
			continue
		}
		p := d.Place(st, b.Path, false)
		if p.Scope == risk.IsAgentConfig || p.Scope == risk.IsStartup {
			d.tell(risk.Effect{Verb: risk.FSWrite, Target: p.Path, Scope: p.Scope, Kind: risk.KindBrought})
		}
		if path.IsAbs(p.Path) && !p.Unread {
			st.FS.Create(p.Path, value.Unknown(risk.CauseFile, p.Path).With(value.Untrusted), false)
		}
	}
}

// trees tells of what others obey in a directory that is copied whole.
func (d *Deed) trees() {
	st := d.State
	if st.Context.Host != "" || st.Context.Container != "" || d.Result.Match == nil || d.Result.Match.Has("dry") {
		return
	}
	for i := range d.Result.Effects {
		x := &d.Result.Effects[i]
		if x.Verb != risk.FSWrite && x.Verb != risk.FSCreate || !x.Recursive || len(x.Carries) != 1 || x.Carries[0].Stdin || x.Host != "" {
			continue
		}
		from, to := d.Known(st, x.Carries[0].Path), d.Known(st, x.Target)
		if from == "" || to == "" || !d.Spend(10) {
			continue
		}
		for name := range workspace.Among(st.FS, from, workspace.Obeyed()) {
			if info, err := st.FS.Lstat(name); err == nil && info.Kind != world.Missing {
				p := d.Place(st, value.Lit(path.Join(to, strings.TrimPrefix(name, from))), false)
				if p.Scope == risk.IsAgentConfig || p.Scope == risk.IsStartup {
					d.tell(risk.Effect{Verb: risk.FSWrite, Target: p.Path, Scope: p.Scope, Kind: risk.KindBrought})
				}
			}
		}
	}
}
