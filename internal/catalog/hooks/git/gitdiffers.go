package git

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// says reports whether a word of the call, or a setting of how differences are
// shown, has a text in it.
func (g *gitCall) says(text string) bool {
	return strings.Contains(g.lastConfig("diff.submodule")+g.lastConfig("log.diffMerges"), text) || g.lastConfig("diff.submodule") != "" && text == "submodule" ||
		slices.ContainsFunc(g.rest, func(v value.Value) bool { return strings.Contains(v.String(), text) })
}

// differs reports whether git log and its like may compute differences of
// contents: unless all options are known to select or to format (git-log(1)).
func (g *gitCall) differs() bool {
	if g.m.Has("patch") {
		return true
	}
	for _, v := range g.rest {
		text := v.Prefix()
		if text == "--" {
			return false
		}
		if name, _, _ := strings.Cut(text, "="); strings.HasPrefix(text, "-") && !plainLogOption(name) || text == "" && !v.IsKnown() {
			return true
		}
	}
	return false
}

func plainLogOption(name string) bool {
	switch name {
	case "--oneline", "--graph", "--decorate", "--no-decorate", "--all", "--branches", "--tags", "--remotes", "--since", "--after", "--until", "--before", "--author",
		"--committer", "--grep", "--format", "--pretty", "--stat", "--shortstat", "--numstat", "--name-only", "--name-status", "--summary", "--raw", "--date",
		"--abbrev-commit", "--no-abbrev-commit", "--abbrev", "--reverse", "--merges", "--no-merges", "--first-parent", "--follow", "--max-count", "--skip", "--color", "--no-color",
		"--left-right", "--cherry", "--cherry-pick", "--cherry-mark", "--no-walk", "--no-patch", "--quiet", "--topo-order", "--date-order", "--author-date-order", "--show-signature",
		"--diff-filter", "--simplify-by-decoration", "--count", "--glob", "--not", "--source", "--full-history", "--ancestry-path", "--boundary", "--parents", "--children",
		"--relative-date", "--no-notes", "--notes", "--invert-grep", "--all-match", "--regexp-ignore-case", "--fixed-strings", "--extended-regexp", "--no-renames", "--walk-reflogs",
		"--summarize", "--numbered", "--email", "--group", "--no-ext-diff", "--no-textconv", "--min-parents", "--max-parents", "--objects", "--exclude", "--decorate-refs",
		"-n", "-q", "-s", "-i", "-E", "-F", "-g", "-z", "-ne", "-sn", "-sne", "-nse", "-e":
		return true
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(name, "-"), "n")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}
