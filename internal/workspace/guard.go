package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// Guarded says what a path is that nobody should be let change by habit: a secret, a
// start-up file, a hook, a setting of an agent or of heed, accounts; "" for any other.
// Only its name is looked at. A home of "" is none.
func Guarded(p, home string) risk.Scope {
	switch {
	case isAgentConfig(p):
		return risk.IsAgentConfig
	case isStartup(p, home):
		return risk.IsStartup
	case Secret(p, home):
		return risk.IsSecret
	case isAccounts(p):
		return risk.IsAccounts
	}
	return ""
}

// Guards lists the paths below a home and the roots of a workspace that are guarded and
// known by their whole name. They need not be there.
func Guards(home string, roots []string) []string {
	var out []string
	add := func(dir string, lists ...[]string) {
		if dir == "" || dir == "/" {
			return
		}
		for _, list := range lists {
			for _, name := range list {
				out = append(out, path.Join(dir, strings.TrimSuffix(name, "/")))
			}
		}
	}
	add(home, startupInHome.paths, agentFiles.paths)
	for _, root := range roots {
		add(root, projectStartup, agentFiles.paths, []string{".git/hooks", ".husky"})
	}
	slices.Sort(out)
	return slices.Compact(out)
}
