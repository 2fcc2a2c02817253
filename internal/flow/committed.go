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
	if r.Match == nil || r.Match.Help || st.Context.Host != "" {
		return
	}
	if shows := r.ShowsStaged || r.ShowsAdded && d.intended; shows && d.secretStaged(st) != "" {
		e := risk.Effect{Verb: risk.SecretRead, Target: d.staged, Scope: risk.IsSecret, Kind: risk.KindShown}
		d.tell(e)
	}
	if r.Match.Has("dry") {
		return
	}
	for i := range r.Effects {
		x := &r.Effects[i]
		switch {
		case x.Verb == risk.VCSPush || x.Verb == risk.VCSForce:
			if d.kept == "" && len(d.keptOf) > 0 {
				d.kept = d.secretStaged(st)
			}
			if d.kept != "" && x.Kind != risk.KindDelete {
				e := risk.Effect{Verb: risk.SecretSend, Source: risk.From(d.kept), Target: x.Target.String()}
				d.LookUp(st, &e, "", "")
				d.tell(e)
			}
		case x.Verb != risk.VCSLocal:
		case x.Kind == risk.KindAdd:
			forced := r.Match.Given("-f") || r.Match.Given("--force")
			d.intended = r.Match.Given("-N") || r.Match.Given("--intent-to-add")
			if name := d.secretAmong(st, r.Match.Operands(), forced); name != "" {
				d.staged = name
			} else if !r.Match.Given("-u") && !r.Match.Given("--update") {
				d.addsBelow(st, r.Match.Operands(), forced)
			}
		case x.Kind == risk.KindCommit:
			if name := d.secretAmong(st, r.Match.Operands(), true); name != "" {
				d.staged = name
			}
			d.kept, d.keptOf = d.staged, d.added
		case x.Kind == risk.KindStashPush: // what was staged is in the stash now, with -a what is ignored, too
			if all := r.Match.Given("-a") || r.Match.Given("--all"); all || r.Match.Given("-u") || r.Match.Given("--include-untracked") {
				d.addsBelow(st, nil, all)
			}
		case x.Kind == risk.KindUnstage, x.Kind == risk.KindRestore, x.Kind == risk.KindReset:
			d.staged, d.added = "", nil
		}
	}
}

// addedBelow is a directory of which version control took up all, and whether what it
// ignores, too.
type addedBelow struct {
	dir    string
	forced bool
}

// addsBelow notes the directories among paths that are added whole; without paths it is
// the whole repository. They are looked through when it matters, and at once where it is
// asked for what is ignored.
func (d *Deed) addsBelow(st *shell.State, paths []value.Value, forced bool) {
	var dirs []string
	for _, v := range paths {
		full, known := Absolute(st, v).Known()
		if i, err := st.FS.Lstat(full); known && err == nil && i.Kind == world.Dir {
			dirs = append(dirs, full)
		}
	}
	if here, known := st.Dir.Known(); known && len(paths) == 0 && d.World.Git != nil {
		if repo, err := d.World.Git.Find(here); err == nil && repo != nil && repo.Root() != "" {
			dirs = append(dirs, repo.Root())
		}
	}
	for _, dir := range dirs {
		d.added = append(d.added, addedBelow{dir, forced})
	}
	if forced {
		d.secretStaged(st)
	}
}

// secretStaged is the secret that version control took up, looked for in the directories
// of which it took all.
func (d *Deed) secretStaged(st *shell.State) string {
	for _, below := range d.added {
		if left := maxAdded; d.staged == "" {
			d.staged = d.takenBelow(st, below.dir, below.forced, 6, &left)
		}
	}
	d.added = nil
	return d.staged
}

// maxAdded is how many entries are looked at for a secret that is added.
const maxAdded = 3000

// takenBelow returns a file of secrets below a directory that version control takes up,
// or "" if there is none.
func (sc *Scene) takenBelow(st *shell.State, dir string, forced bool, deep int, left *int) string {
	if *left <= 0 || !sc.Spend(2) {
		return ""
	}
	entries, err := st.FS.ReadDir(dir, *left)
	if err != nil && len(entries) == 0 {
		return ""
	}
	*left -= len(entries)
	for _, e := range entries {
		full := path.Join(dir, e.Name)
		switch {
		case e.Kind == world.Regular:
			if sc.Space.Scope(full) == risk.IsSecret && sc.taken(full, forced, world.Untracked, world.NotInRepo) {
				return full
			}
		case e.Kind != world.Dir || deep == 0 || e.Name == ".git" || e.Name == "node_modules" || e.Name == ".venv":
		default:
			if found := sc.takenBelow(st, full, forced, deep-1, left); found != "" {
				return found
			}
		}
	}
	return ""
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
