package explain

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// machine says an effect on this machine as a whole: its rights, settings,
// processes and defences.
func machine(e *risk.Effect, at place) string {
	what, note := at.subject(e), ""
	if e.Kind != risk.NoKind {
		note = " (" + e.Kind.String() + ")"
	}
	switch {
	case e.Target == "":
		what, note = orElse(e.Kind.String(), "this machine"), ""
	case e.Target == "-":
		what = "standard input"
	}
	switch e.Verb {
	case risk.PrivGain:
		return gains(e, what+note)
	case risk.PersistAdd:
		return "Arranges to run later without being asked: " + what + note
	case risk.SysConfig:
		return settings(e, what)
	case risk.SysPower:
		return "Stops or restarts the machine"
	case risk.ProcSignal:
		return signals(e, what)
	case risk.DefenseEvade:
		return weakens(e, what+note)
	case risk.Exhaust:
		return "Uses up the machine: " + orElse(e.Kind.String(), "unbounded work")
	case risk.AgentConfig:
		if e.Target == approvalsOff && e.Program != "" {
			return "Starts the coding agent " + quote(base(e.Program)) + " with " + approvalsOff + tail + ": it may change files and run commands unasked"
		}
		return "Changes what a coding agent may do: " + what + note
	case risk.Blind:
		return "Cannot be inspected: " + orElse(e.Kind.Of(Visible(e.Target)), "heed cannot see what it does")
	}
	return "Does " + string(e.Verb) + " to " + what
}

// approvalsOff is what the catalog calls it that a coding agent is started to act unasked.
const approvalsOff = "approvals off"

// gains says which rights somebody or something gets.
func gains(e *risk.Effect, what string) string {
	switch {
	case e.Target == "" && e.Kind == risk.NoKind:
		return "Takes the rights of another user, if it may"
	case risk.IsNoun(e.Target) && (strings.HasPrefix(what, "a ") || strings.HasPrefix(what, "an ")):
		return "Makes " + what + tail + ", which grants rights"
	case risk.IsNoun(e.Target):
		return "Grants " + what
	}
	return "Grants rights: " + what
}

// weakens says which defence suffers.
func weakens(e *risk.Effect, what string) string {
	switch {
	case risk.IsNoun(e.Target) && strings.HasPrefix(what, "whom "):
		return "Changes " + what
	case risk.IsNoun(e.Target):
		return "Weakens or takes away " + what
	}
	return "Weakens a defence or hides traces: " + what
}

// settings says what of this machine is changed, by which program where no more is
// known.
func settings(e *risk.Effect, what string) string {
	switch {
	case e.Target != "":
		return "Changes " + what + " on this machine"
	case e.Program != "":
		return "Changes this machine's settings through " + quote(base(e.Program))
	}
	return "Changes this machine's settings"
}

// signals says which processes get a signal.
func signals(e *risk.Effect, what string) string {
	switch {
	case risk.IsNoun(e.Target):
		return "Signals " + what
	case strings.HasPrefix(e.Target, "$") && ofShell(e.Target) != "":
		return "Signals " + ofShell(e.Target)
	case !byName(e.Target) || e.Kind != risk.NoKind:
		return "Signals the process " + what
	case strings.HasPrefix(what, "a "):
		return "Signals " + what
	case strings.HasPrefix(e.Target, "<"):
		return "Signals the processes " + what
	}
	return "Signals processes named " + what
}

// ofShell is the process that a parameter of the shell is the number of, or "" (POSIX.1-2024,
// "Special Parameters").
func ofShell(parameter string) string {
	switch parameter {
	case "$!":
		return "what was last started in the background"
	case "$$", "$BASHPID":
		return "the shell itself"
	case "$PPID":
		return "the process that started the shell"
	}
	return ""
}

// byName reports whether a process is given by its name, not by a number.
func byName(process string) bool { return strings.Trim(process, "-0123456789%") != "" }
