package hooks

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
)

// sudo takes NAME=VALUE words before the command as its environment, and
// starts a shell where -i or -s is given no command (sudo(8)).
func sudo(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Runs {
		takeAssignments(&r.Runs[i])
	}
	if m.Has("login") && len(m.Values("command")) == 0 && !m.Has("list") {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, Wrap: catalog.Wrapped{Label: "sudo", Privileged: true}})
	}
}

// takeAssignments moves leading NAME=VALUE words of a command line into the
// variables that are set for it.
func takeAssignments(run *catalog.Run) {
	for len(run.Argv) > 0 {
		name, _, ok := strings.Cut(run.Argv[0].Prefix(), "=")
		if !ok || name == "" || strings.ContainsAny(name, "/-. ") {
			return
		}
		run.Setup = append(run.Setup, catalog.Assignment{Name: name, Value: run.Argv[0].Cut(len(name) + 1)})
		run.Argv = run.Argv[1:]
	}
}
