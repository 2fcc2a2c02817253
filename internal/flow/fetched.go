package flow

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Directories that are filled from the network by the command that goes on to
// run something in them: clones, and archives that were downloaded.

// fetchedDirs marks the directories that a program filled from the network.
func (d *Deed) fetchedDirs() {
	st, r := d.State, d.Result
	if st.Context.Host != "" || st.Context.Container != "" {
		return
	}
	fetches, copies := false, r.Traits.Has(catalog.Checkout)
	from := "" // the repository here that is cloned
	for i := range r.Effects {
		x := &r.Effects[i]
		if x.Verb == risk.FSRead {
			from = d.Known(st, x.Target)
		}
		fetches = fetches || x.Verb == risk.NetFetch
		copies = copies || x.Verb == risk.VCSLocal && (x.Kind == risk.KindClone || x.Kind == risk.KindCheckout)
	}
	for i := range r.Effects {
		x := &r.Effects[i]
		name := ""
		switch {
		case x.Verb == risk.FSCreate && x.Kind == risk.NoKind && copies && !fetches && from != "":
			if to := d.Known(st, x.Target); to != "" { // as it was committed
				st.FS.Copy(from, to, func(name string) value.Value { return d.Contents(st, value.Lit(name)) })
				st.FS.Bring(to)
			}
		case x.Verb == risk.FSCreate && x.Kind == risk.NoKind && fetches && copies:
			name = d.Known(st, x.Target)
		case x.Verb == risk.FSWrite && x.Kind == risk.KindExtract:
			if t, _ := d.carried(x); t.Has(value.Network) {
				name = d.Known(st, x.Target)
			}
		}
		if name != "" && name != "/" {
			st.FS.Fetch(name)
		}
	}
}

// takesFetched are the directories into which a program copies or moves what an earlier one
// fetched: a tree of it, or files whose names are not known.
func (d *Deed) takesFetched() []string {
	st := d.State
	if st.FS.Untouched() || st.Context.Host != "" || st.Context.Container != "" {
		return nil
	}
	var dirs []string
	for i := range d.Result.Effects {
		x := &d.Result.Effects[i]
		if x.Verb != risk.FSWrite && x.Verb != risk.FSCreate || x.HasLink {
			continue
		}
		for _, s := range x.Carries {
			if s.Stdin {
				continue
			}
			from, one := pathOf(st, s.Path)
			info, err := st.FS.Lstat(from)
			if tree := x.Recursive || !one || err == nil && info.Kind == world.Dir; !tree || !st.FS.Fetched(from) {
				continue
			}
			to, _ := pathOf(st, x.Target)
			if !one && path.Base(to) == path.Base(s.Path.Pattern()) { // a pattern that matches nothing yet
				to = path.Dir(to)
			}
			if to != "/" {
				dirs = append(dirs, to)
			}
		}
	}
	return dirs
}

// pathOf is the path that a word stands for, or where it may stand for several, the
// directory that they are in.
func pathOf(st *shell.State, v value.Value) (name string, one bool) {
	at := Absolute(st, v)
	if name, one = at.Known(); one && v.Pattern() == "" {
		return path.Clean(name), true
	}
	return path.Dir(at.Prefix() + "x"), false
}

// recipes tells of a recipe from the network that a build tool runs: a
// makefile that was downloaded, or the output of a process substitution. The
// recipe of a tree that was cloned or unpacked is code of a project.
func (d *Deed) recipes() {
	st, r := d.State, d.Result
	if r.Match == nil || !slices.ContainsFunc(r.Effects, func(x catalog.Effect) bool { return x.Verb == risk.ExecProject }) {
		return
	}
	files := []value.Value{}
	for i := range r.Match.Args {
		if b := &r.Match.Args[i]; !b.Default && (b.Arg.Role == catalog.Reads || b.Arg.Role == catalog.Config) {
			files = append(files, b.Value)
		}
	}
	if len(files) == 0 && !st.FS.Untouched() {
		for _, name := range r.Match.Program.Loads() {
			files = append(files, value.Lit(name))
		}
	}
	for _, f := range files {
		at := st
		if b, ok := r.Match.Value("dir"); ok {
			at = st.Clone()
			at.Dir = Absolute(st, b)
		}
		name := d.Known(at, f)
		content, known, ok := st.FS.Content(name)
		direct := f.Taint().Has(value.Network) && (name == "" || strings.HasPrefix(f.Prefix(), shell.SubstPath))
		if direct || ok && known && content.Taint().Has(value.Network) {
			d.tell(risk.Effect{Verb: risk.ExecRemote, Target: f.String(), Source: risk.FromNetwork(), Kind: risk.KindDownloaded})
			return
		}
	}
}
