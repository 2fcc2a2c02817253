package explain

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// exhausts says what a command uses up, and how.
func exhausts(e *risk.Effect, at place) string {
	where := ""
	if strings.HasPrefix(e.Target, "/") {
		where = at.path(e.Target)
	}
	who := quote(orElse(e.Program, orElse(e.Target, "a program")))
	switch e.Detail {
	case "endless output":
		return "Fills the disk: writes to " + orElse(where, "a file") + " what never ends"
	case "output without end":
		return "Fills the disk: a loop without end adds to files in " + orElse(where, "the directory")
	case "files without end", "directories without end":
		kind, _, _ := strings.Cut(e.Detail, " ")
		return "Fills the disk: a loop without end makes " + kind + " in " + orElse(where, "the directory")
	case "more room than there is":
		return "Fills the disk: reserves more room for " + orElse(where, "a file") + " than a disk has"
	case "endless input":
		if e.Target == "the shell" {
			who = "the shell"
		}
		return "Uses up the memory: " + who + " keeps an input that never ends"
	case "memory without end":
		return "Uses up the memory: a loop without end keeps more and more"
	case "processes without end", "containers without end":
		kind, _, _ := strings.Cut(e.Detail, " ")
		return "Uses up the machine: starts " + kind + " without end"
	case "load without end":
		return "Uses up the machine: " + who + " loads it until it is stopped"
	case "flood":
		return "Floods " + quote(orElse(e.Target, "a host")) + " with packets"
	}
	return "Uses up the machine: " + orElse(e.Detail, "unbounded work")
}
