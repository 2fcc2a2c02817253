package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// What a program does is told in the words of its spec where those of an effect name
// no more than a kind of thing: its phrase, and else the summary of the subcommand.

// said is what an effect's program does in the words of its spec; "" where those of the
// effect say more, or the spec has none.
func (in *Input) said(e *risk.Effect, at place) string {
	p := e.By.Process
	if p < 0 || p >= len(in.Acts) || e.Unresolved != "" || !slices.Contains(in.Acts[p].Does, e.Verb) {
		return ""
	}
	a := &in.Acts[p]
	if a.Says == "" {
		return a.gist(e, at)
	}
	says := strings.Replace(a.Says, "; ", tail+"; ", 1)
	switch e.Verb {
	case risk.RemoteRead, risk.RemoteChange, risk.RemoteDestroy, risk.DBRead, risk.DBChange, risk.DBDestroy:
		return says + whereabouts(e)
	case risk.VCSLocal, risk.SysConfig, risk.SysPower, risk.PkgInstall, risk.PkgRemove, risk.PkgPublish, risk.PersistAdd, risk.PrivGain, risk.DefenseEvade, risk.ProcSignal, risk.FSMount:
		return says
	case risk.NetFetch, risk.NetConnect, risk.NetListen:
		if where := at.named(e.Target); e.Target != "" && !risk.IsNoun(e.Target) && !strings.Contains(says, where) {
			return says + " (" + where + ")"
		}
		return says
	case risk.FSAttr:
		return says + scopeNote(e)
	case risk.ExecProject:
		if impersonal(e) || strings.Contains(says, at.named(e.Target)) {
			return ofProject(says)
		}
	}
	return ""
}

// impersonal reports whether an effect has no target but the catalog's own name for one.
func impersonal(e *risk.Effect) bool {
	return e.Target == "" || e.Target == "." || risk.IsNoun(e.Target)
}

// ofProject adds to what a program does that it runs code of the project for it.
func ofProject(says string) string {
	switch {
	case strings.Contains(says, "this project"):
		return says
	case strings.HasPrefix(says, "Runs "):
		return insert(says, ", code of this project")
	}
	return insert(says, ", running code of this project")
}

// gist is what an effect's program does by the summary of its subcommand, where the
// effect has no phrase that knows more.
func (a *Act) gist(e *risk.Effect, at place) string {
	if a.Gist == "" || vague(a.Gist) || strings.Contains(a.Gist, " or ") {
		return ""
	}
	switch e.Verb {
	case risk.ExecProject:
		if !impersonal(e) || e.Kind != risk.NoKind {
			return ""
		}
		return ofProject(a.Gist)
	case risk.SysConfig:
		if !changing(a.Gist) || strings.HasPrefix(a.Gist, "Changes ") && e.Kind.Says(e.Verb) != "" {
			return ""
		}
		if impersonal(e) {
			return a.Gist
		}
		return a.Gist + ": " + at.named(e.Target)
	}
	return ""
}

// vague reports whether a summary says no more than what a program is about.
func vague(summary string) bool {
	first, _, _ := strings.Cut(summary, " ")
	return slices.Contains([]string{"Manages", "Works", "Controls", "Handles", "Administers", "Maintains", "Uses", "Does", "Configures"}, first)
}

// inWords is what an act that changes nothing does, in the summary of its spec; "" where
// that may be about what the program does otherwise.
func (a *Act) inWords() string {
	if a.Reads && !vague(a.Gist) {
		return a.Gist
	}
	if !changing(a.Summary) && !strings.Contains(a.Summary, " or ") {
		return a.Summary
	}
	return ""
}
