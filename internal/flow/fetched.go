package flow

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
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
	for i := range r.Effects {
		x := &r.Effects[i]
		fetches = fetches || x.Verb == risk.NetFetch
		copies = copies || x.Verb == risk.VCSLocal && (x.Kind == risk.KindClone || x.Kind == risk.KindCheckout)
	}
	for i := range r.Effects {
		x := &r.Effects[i]
		name := ""
		switch {
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
