package explain

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// exhausts says what a command uses up, and how.
func exhausts(e *risk.Effect, at place) string {
	slots := map[string]string{"who": quote(orElse(e.Program, orElse(e.Target, "a program")))}
	if strings.HasPrefix(e.Target, "/") {
		slots["where"] = at.path(e.Target)
	}
	switch {
	case ownWords[e.Target]:
		slots["who"] = e.Target
	case e.Target != "":
		slots["target"] = quote(e.Target)
	}
	if text := says(e, slots); text != "" {
		return text
	}
	return "Uses up the machine: " + orElse(e.Kind.String(), "unbounded work")
}
