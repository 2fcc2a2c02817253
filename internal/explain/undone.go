package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// What is not done where an act fails.

// doesNothing says what a program does nothing of that only reads, and does not find what it
// is to read, nor does anything stand behind it but what picks from its output; else "".
func (in *Input) doesNothing(reason *risk.Ending) string {
	i := stopped(in.Acts)
	if reason.How != risk.EndFails || len(reason.Missing) == 0 && !strings.HasPrefix(reason.Because, "there is no ") || reason.Within || reason.ByShell || i < 0 || in.Acts[i].Ends != reason || in.Acts[i].Host != "" {
		return ""
	}
	for j := range in.Acts {
		if b := &in.Acts[j]; j != i && (j < i || !b.Fed || in.matters(j) || strings.HasPrefix(b.Says, "Counts ")) {
			return ""
		}
	}
	switch verb, what, _ := strings.Cut(in.Acts[i].Says, " "); {
	case in.Acts[i].Seeks, strings.Contains(what, " that match"), verb == "Searches", verb == "Finds":
		return "Finds nothing"
	case slices.Contains([]string{"Shows", "Prints", "Lists", "Checks", "Reads", "Counts", "Compares", "Numbers", "Sorts", "Extracts", "Filters", "Joins", "Dumps", "Measures", "Verifies"}, verb):
		return verb + " nothing"
	}
	return ""
}

// notReached says what does not run behind what fails, by all that does more than print its
// words: `, so … does not run`; "" where nothing stands there.
func (in *Input) notReached(behind []int) string {
	var names []string
	add := func(which func(*Act) bool) {
		for _, i := range behind {
			if a := &in.Acts[i]; which(a) && !slices.Contains(names, a.short()) {
				names = append(names, a.short())
			}
		}
	}
	if add(func(a *Act) bool { return !a.Echoes && !a.Fed && !slices.Contains(behind, a.Parent) }); len(names) == 0 {
		add(func(*Act) bool { return true })
	}
	switch n := len(names); {
	case n == 0:
		return ""
	case n == 1:
		return ", so " + names[0] + " does not run"
	case n <= 3 && len(strings.Join(names, "")) <= 50:
		return ", so " + series(names) + " do not run"
	}
	return ", so " + names[0] + " and what follows do not run"
}

// undone says what an act that does not get on does not do: by its own words where those
// are of one thing that is done, else by what its effect is.
func (in *Input) undone(reason *risk.Ending, verb risk.Verb) string {
	if i := stopped(in.Acts); i >= 0 && in.Acts[i].Ends == reason {
		does, _, _ := strings.Cut(in.Acts[i].Says, " ")
		if done := participle(does); done != "" {
			return ", so nothing is " + done
		}
	}
	switch verb {
	case risk.ExecProject, risk.ExecUnknown, risk.ExecShell, risk.ExecRemote:
		return ", so nothing runs"
	case risk.FSWrite, risk.FSCreate:
		return ", so nothing is written"
	case risk.FSDelete:
		return ", so nothing is deleted"
	case risk.FSMove:
		return ", so nothing is moved"
	case risk.PkgInstall:
		return ", so nothing is installed"
	case risk.PkgPublish:
		return ", so nothing is published"
	case risk.VCSPush, risk.VCSForce:
		return ", so nothing is pushed"
	case risk.NetFetch:
		return ", so nothing is downloaded"
	case risk.NetSend:
		return ", so nothing is sent"
	case risk.RemoteRead, risk.DBRead:
		return ", so nothing is shown"
	}
	return ", so nothing changes"
}
