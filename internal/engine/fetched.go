package engine

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

// checkouts are the programs that copy a whole repository.
var checkouts = []string{"git", "hg", "svn", "bzr", "fossil", "gh", "glab", "jj", "darcs", "pijul"}

// fetchedDirs marks the directories that a program filled from the network.
func (m *machine) fetchedDirs(st *shell.State, inv *shell.Invocation, p program, r *catalog.Result) {
	if st.Context.Host != "" || st.Context.Container != "" {
		return
	}
	fetches, copies := false, false
	for i := range r.Effects {
		x := &r.Effects[i]
		fetches = fetches || x.Verb == risk.NetFetch
		copies = copies || x.Verb == risk.VCSLocal && (x.Kind == risk.KindClone || x.Kind == risk.KindCheckout)
	}
	for i := range r.Effects {
		x := &r.Effects[i]
		name := ""
		switch {
		case x.Verb == risk.FSCreate && x.Kind == risk.NoKind && fetches && (copies || p.name != "git") && slices.Contains(checkouts, p.name):
			name = m.known(st, x.Target)
		case x.Verb == risk.FSWrite && x.Kind == risk.KindExtract:
			if t, _ := m.carried(st, inv, x); t.Has(value.Network) {
				name = m.known(st, x.Target)
			}
		}
		if name != "" && name != "/" {
			st.FS.Fetch(name)
		}
	}
}

// known is where a target is, or "" if that is not known.
func (m *machine) known(st *shell.State, target value.Value) string {
	name, ok := absolute(st, target).Known()
	if !ok || len(name) > maxPath {
		return ""
	}
	resolved, _ := world.Resolve(st.FS, path.Clean(name), true)
	return resolved
}

// builders are the scripts by which a source tree is configured and built. They
// are to a clone what its makefile is (Autoconf manual, "Making configure
// Scripts"; setuptools; ExtUtils::MakeMaker; the Gradle and Maven wrappers).
var builders = []string{"configure", "autogen.sh", "bootstrap", "bootstrap.sh", "buildconf", "config", "Configure", "setup.py", "Makefile.PL", "Build.PL", "gradlew", "mvnw", "build.sh", "make.sh", "waf", "b2"}

// builds reports whether a script of a fetched directory builds what is there.
func builds(name string) bool { return slices.Contains(builders, path.Base(name)) }

// recipes tells of a recipe from the network that a build tool runs: a
// makefile that was downloaded, or the output of a process substitution. The
// recipe of a tree that was cloned or unpacked is code of a project.
func (m *machine) recipes(st *shell.State, inv *shell.Invocation, p program, r *catalog.Result) {
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
		for _, name := range recipeNames(p.name) {
			files = append(files, value.Lit(name))
		}
	}
	for _, f := range files {
		at := st
		if b, ok := r.Match.Value("dir"); ok {
			at = st.Clone()
			at.Dir = absolute(st, b)
		}
		name := m.known(at, f)
		content, known, ok := st.FS.Content(name)
		if name == "" && f.Taint().Has(value.Network) || strings.HasPrefix(f.Prefix(), shell.SubstPath) && f.Taint().Has(value.Network) || ok && known && content.Taint().Has(value.Network) {
			m.effect(st, inv.Span, risk.Effect{Verb: risk.ExecRemote, Target: f.String(), Source: risk.FromNetwork(), Kind: risk.KindDownloaded, Program: p.name})
			return
		}
	}
}

// recipeNames are the files that a build tool looks for by itself.
func recipeNames(program string) []string {
	switch program {
	case "make", "gmake", "gnumake", "bmake":
		return []string{"GNUmakefile", "makefile", "Makefile"} // GNU make manual, "Makefile Names"
	case "just":
		return []string{"justfile", "Justfile", ".justfile"}
	case "rake":
		return []string{"Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"}
	case "task":
		return []string{"Taskfile.yml", "Taskfile.yaml"}
	case "ninja":
		return []string{"build.ninja"}
	}
	return nil
}
