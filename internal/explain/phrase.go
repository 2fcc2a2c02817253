package explain

import (
	"path"
	"strings"

	"github.com/heedsh/heed/risk"
)

// phrase says one effect: verb first, the target, and what is lost. What is
// not known, or next to nothing, comes before the words that are declared for
// its kind, and those before the words of its verb.
func phrase(e *risk.Effect, at place) string {
	if e.Kind == risk.KindMissing && e.By.Denied != "" {
		return "Runs nothing now" + tail + ": you may not " + e.By.Denied + " " + at.path(e.Target)
	}
	if text := foremost(e, at); text != "" {
		return text
	}
	if text, as := says(e, at); text != "" {
		return text + note(e, at, as, text)
	}
	switch e.Verb {
	case risk.FSDelete:
		return deletes(e, at)
	case risk.FSWrite, risk.FSMove, risk.FSCreate, risk.FSAttr, risk.FSRead, risk.FSMount, risk.DiskWrite:
		return files(e, at)
	case risk.ExecKnown, risk.ExecProject, risk.ExecUnknown, risk.ExecShell, risk.ExecRemote:
		return runs(e, at)
	case risk.NetFetch, risk.NetSend, risk.NetListen, risk.NetConnect:
		return network(e, at)
	case risk.VCSLocal, risk.VCSDiscard, risk.VCSRewrite, risk.VCSPush, risk.VCSForce:
		return versions(e, at)
	case risk.SecretRead, risk.SecretSend:
		return secrets(e, at)
	case risk.PkgInstall, risk.PkgRemove, risk.PkgPublish:
		return packages(e, at)
	case risk.RemoteRead, risk.RemoteChange, risk.RemoteDestroy, risk.DBRead, risk.DBChange, risk.DBDestroy:
		return services(e, at)
	}
	return machine(e, at)
}

// foremost says what no kind changes: a target or code that is not known, and
// a target of which nothing to speak of is lost.
func foremost(e *risk.Effect, at place) string {
	switch e.Verb {
	case risk.FSDelete:
		return deletesSpecial(e, at)
	case risk.FSWrite:
		switch {
		case e.Scope == risk.IsNull:
			return "Writes nowhere"
		case kernelSetting(e.Target):
			return "Changes the kernel's setting " + target(e, at)
		}
	case risk.ExecKnown, risk.ExecProject, risk.ExecUnknown, risk.ExecShell, risk.ExecRemote:
		switch {
		case e.Kind == risk.KindPreload && e.Reversible == risk.NothingThere:
			return "Has every program that it starts load " + at.named(e.Target) + " first" + tail + "; that is not there now, so they only warn"
		case e.Cause == risk.CauseSetup:
			return "Sets up the shell with what " + quote(strings.Trim(e.Unresolved, "<>")) + " prints"
		case handed(e.Unresolved) && e.Kind == risk.KindProgram:
			return "Runs the programs that its input names"
		case handed(e.Unresolved) && e.Kind == risk.KindScript:
			return "Runs the scripts that its input names"
		case handed(e.Unresolved):
			return "Runs code that its input holds"
		case e.Unresolved != "":
			return unknownCode(e, at)
		}
	}
	return ""
}

// unknownCode tells of code or a program of which it is only known where it comes from.
func unknownCode(e *risk.Effect, at place) string {
	name, hole := strings.CutPrefix(strings.TrimSuffix(e.Unresolved, ">"), "<")
	what := map[bool]string{true: "a program", false: "code"}[e.Kind == risk.KindProgram]
	from := Gap(e.Unresolved, e.Cause, at.dir, at.home)
	switch {
	case !hole || e.Cause == risk.CauseUnset:
		return "Runs " + what + " that is not known: " + quote(e.Unresolved) + " is " + cause(e.Cause)
	case variable(name) && e.Cause == risk.CauseOutput && e.Target == e.Unresolved: // a program or a variable
		return "Runs " + e.Unresolved + tail + ", unseen"
	case e.Target != e.Unresolved && strings.Contains(e.Target, e.Unresolved) && !strings.HasPrefix(name, "/"):
		if e.Kind == risk.KindScript {
			what = "a script named"
		}
		return "Runs " + what + " with " + orElse(from, e.Unresolved) + " in it" + tail + ", unseen"
	case strings.HasPrefix(from, "what ") && e.Kind == risk.KindProgram:
		return "Runs the program that " + strings.TrimPrefix(strings.Replace(from, " prints", " names", 1), "what ") + tail + ", unseen"
	case strings.HasPrefix(from, "what "):
		return "Runs " + from + tail + ", unseen"
	case strings.HasPrefix(name, "/"):
		return "Runs what " + at.path(name) + " holds" + tail + ", unseen"
	case name != "line" && (strings.HasPrefix(from, "$") || variable(name) && e.Cause != risk.CauseInput && e.Cause != risk.CauseExpression):
		return "Runs " + what + " that $" + name + " " + map[bool]string{true: "names", false: "holds"}[e.Kind == risk.KindProgram] + tail + ", unseen"
	case e.Cause == risk.CauseInput:
		return "Runs " + what + " that its input " + map[bool]string{true: "names", false: "holds"}[e.Kind == risk.KindProgram] + tail + ", unseen"
	case e.Cause == risk.CauseMatch && !strings.HasPrefix(name, "a "):
		return "Runs what `" + strings.ReplaceAll(Cut(Visible(name), maxCommand), "`", "'") + "` prints" + tail + ", unseen"
	}
	return "Runs " + what + " that is only known when it runs"
}

// target names what an effect acts on, unknown parts included.
func target(e *risk.Effect, at place) string {
	if handed(e.Unresolved) {
		return at.inputNames(e)
	}
	if unnamed(e) {
		return unknownName(e) + " (" + orElse(Gap(e.Unresolved, e.Cause, at.dir, at.home), quote(e.Unresolved)) + ")"
	}
	if e.Unresolved != "" && e.Cause != risk.CauseMatch && e.Cause != risk.CauseWord {
		return at.path(e.Target) + " (" + quote(e.Unresolved) + " is " + cause(e.Cause) + ")"
	}
	if name := path.Base(e.Target); e.Cause == risk.CauseWord && e.Unresolved != "" && open(name) != name {
		return at.path(path.Join(path.Dir(e.Target), open(name)))
	}
	if filled(e) {
		return at.path(path.Dir(e.Target)) + "/…"
	}
	if e.Through != "" {
		link := e.Through
		if e.OfAll() { // the first match's own path
			link = path.Dir(link)
		}
		return at.path(e.Target) + " (through the link " + at.path(link) + ")"
	}
	return at.path(e.Target)
}

// open is a name in which an x alone stands for what is not known of it.
func open(name string) string {
	letter := func(i int) bool {
		return i >= 0 && i < len(name) && (name[i] >= 'a' && name[i] <= 'z' || name[i] >= 'A' && name[i] <= 'Z' || name[i] >= '0' && name[i] <= '9')
	}
	for i := range len(name) {
		if name[i] == 'x' && !letter(i-1) && !letter(i+1) {
			return name[:i] + "…" + name[i+1:]
		}
	}
	return name
}

// unnamed reports whether nothing of the name of what is acted on is known: what is written
// as its target is where the command runs.
func unnamed(e *risk.Effect) bool {
	return e.Root && !e.Recursive && (e.Cause == risk.CauseOutput || e.Cause == risk.CauseFile || e.Cause == risk.CauseInput)
}

func unknownName(e *risk.Effect) string {
	switch {
	case e.Many:
		return "files whose names are not known"
	case e.Kind == risk.KindDirectory:
		return "a directory whose name is not known"
	case e.Kind == risk.KindLink:
		return "whose name is not known" // its phrase says what it is
	}
	return "a file whose name is not known"
}

// filled reports whether the last element of a target stands for a name that
// is not known.
func filled(e *risk.Effect) bool {
	return e.Unresolved != "" && (e.Cause == risk.CauseMatch || e.Cause == risk.CauseWord) && base(e.Target) == "x"
}

func cause(c risk.Cause) string {
	if c == risk.CauseUnset {
		return "not set"
	}
	return "not known"
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
