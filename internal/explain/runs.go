package explain

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/risk"
)

func runs(e *risk.Effect, at place) string {
	name := at.named(e.Target)
	switch e.Verb {
	case risk.ExecKnown:
		return "Runs " + name + " with other rights"
	case risk.ExecProject:
		switch {
		case (e.Target == "" || name == ".") && e.Program != "":
			return "Runs " + quote(base(e.Program)) + tail + " and, through it, code of this project"
		case e.Target == "" || name == ".":
			return "Runs code of this project" + tail + ", not inspected"
		case risk.IsNoun(e.Target):
			return "Runs " + name + tail + ", code of this project"
		case e.Kind == risk.NoKind && isSettings(e.Target):
			return "Runs code that " + name + " names" + tail + ", not inspected"
		}
		return "Runs " + name + tail + ", not inspected"
	case risk.ExecShell:
		return shells(e)
	case risk.ExecRemote:
		return "Runs code from the network" + tail + ", unseen"
	}
	if e.Target == "" {
		return "Runs what " + quote(orElse(e.Program, "the program")) + " is told elsewhere" + tail + ", not inspected"
	}
	return "Runs " + name + tail + ", a program heed does not know: not inspected"
}

// isSettings reports whether a file is in a format that is no code, and so can only name
// what is run.
func isSettings(file string) bool {
	switch path.Ext(file) {
	case ".ini", ".cfg", ".conf", ".json", ".toml":
		return true
	}
	return false
}

// shells says what kind of shell or command loop starts.
func shells(e *risk.Effect) string {
	switch {
	case e.Kind == risk.KindRootShell:
		return "Starts a shell" + map[bool]string{true: " with other rights"}[!e.Privileged]
	case e.Kind == risk.KindInteractive && e.Target == "session":
		return "Opens a terminal session"
	case e.Kind == risk.KindInteractive && e.Target != "" && !isShell(e.Target):
		return "Opens an interactive interpreter"
	case e.Kind == risk.KindInteractive:
		return "Starts an interactive shell"
	case isShell(e.Program):
		return "Starts a shell"
	}
	through := " shell through " + quote(orElse(e.Program, orElse(e.Target, "another program")))
	if target, _, _ := strings.Cut(e.Target, " "); isShell(target) && (e.Kind == risk.KindShellEscape || e.Kind == risk.KindProgramOnANetworkConnection) {
		return "Starts an interactive" + through
	}
	return "Starts a" + through
}

func isShell(program string) bool { return shellname.Is(base(program)) }
