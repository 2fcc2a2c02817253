package text

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/hooks/system"
	"github.com/heedsh/heed/risk"
)

// search marks what a program that searches directories by itself reads as
// the whole tree below it (rg(1), ag(1), ack(1)).
func search(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	system.SearchesOnly(m, r)
	if opensHidden(m, s.Name) {
		system.EveryLine(m)
	}
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Verb == risk.FSRead && (e.Arg == "file" || e.Arg == "" || e.Arg == "=.") {
			e.Recursive = true
		}
	}
}

// opensHidden reports whether a search opens hidden files below a directory, those
// that git ignores too: ack and sift do (ack(1): it leaves out only backups and
// directories of version control), the others where they are told to (rg(1) -uu, --hidden;
// ag(1) -u, --hidden).
func opensHidden(m *catalog.Match, name string) bool {
	unrestricted := 0
	for _, o := range m.Options() {
		if slices.Contains(o.Names, "-u") || slices.Contains(o.Names, "--unrestricted") {
			unrestricted++
		}
	}
	return slices.Contains([]string{"ack", "ack-grep", "sift"}, name) || m.Given("--hidden") || m.Given("-.") || unrestricted > 1 || unrestricted > 0 && name == "ag"
}

// ripgrep is search that may only name files.
func ripgrep(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	search(m, s, r)
	for _, glob := range m.Values("only") { // rg(1): behind ! stands what is left out
		if strings.HasPrefix(glob.Prefix(), "!") {
			m.Bind("skipped", glob.Cut(1))
		} else {
			m.Bind("named", glob)
		}
	}
	if !m.Help {
		system.RipgrepNames(s, r)
	}
}

// envsubst puts the variables that its input names in their places (envsubst(1)).
func envsubst(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if text, known := s.Stdin.Known(); known {
		site.ShowsVariables(r, text)
	}
}
