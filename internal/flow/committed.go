package flow

import (
	"path"
	"slices"
	"strings"

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
	if r.ShowsStaged && d.staged != "" {
		e := risk.Effect{Verb: risk.SecretRead, Target: d.staged, Scope: risk.IsSecret, Kind: risk.KindShown}
		d.tell(e)
	}
	for i := range r.Effects {
		x := &r.Effects[i]
		switch {
		case x.Verb == risk.VCSPush || x.Verb == risk.VCSForce:
			if d.kept != "" && x.Kind != risk.KindDelete {
				e := risk.Effect{Verb: risk.SecretSend, Source: risk.From(d.kept), Target: x.Target.String()}
				d.LookUp(st, &e, "", "")
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
		if p.Scope == risk.IsSecret && sc.taken(p.Path, forced, world.Untracked, world.NotInRepo) {
			return p.Path
		}
		if name := sc.written(st, p.Path, forced); name != "" {
			return name
		}
	}
	return ""
}

// taken reports whether version control takes a file up that is in one of these
// states, or that it ignores and is forced to take.
func (sc *Scene) taken(name string, forced bool, in ...world.FileState) bool {
	if sc.World.Git == nil || !sc.Spend(20) {
		return true
	}
	repo, err := sc.World.Git.Find(path.Dir(name))
	if err != nil || repo == nil {
		return true
	}
	is := repo.State(name)
	return is == world.Ignored && forced || slices.Contains(in, is)
}

// written returns a file at or below a path that a secret was written into, "" if
// there is none.
func (sc *Scene) written(st *shell.State, at string, forced bool) string {
	var found []string
	st.FS.Contents(func(name string, content value.Value) {
		if content.Taint().Has(value.Secret|value.Credential) && (name == at || strings.HasPrefix(name, strings.TrimSuffix(at, "/")+"/")) {
			found = append(found, name)
		}
	})
	slices.Sort(found)
	for _, name := range found {
		if sc.Space.Scope(name) != risk.IsSecret && sc.taken(name, forced, world.Untracked, world.NotInRepo, world.Clean, world.MaybeModified, world.Staged) {
			return name
		}
	}
	return ""
}
