package flow

import (
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
)

// CountLines says of the files that the shell writes, and whose text is known when all has
// run, how many lines they have then. It is for telling.
func (sc *Scene) CountLines(st *shell.State) {
	for i := range sc.Trace.Effects {
		e := &sc.Trace.Effects[i]
		if e.By.Rule != risk.RuleOutput || e.Verb != risk.FSWrite && e.Verb != risk.FSCreate || e.Certainty != risk.Certain || e.Many || e.Unresolved != "" || e.Host != "" {
			continue
		}
		content, known, ok := st.FS.Content(e.Target)
		if !ok || !known {
			continue
		}
		if text, all := content.Known(); all {
			e.By.Lines = strings.Count(text, "\n")
			if text != "" && !strings.HasSuffix(text, "\n") {
				e.By.Lines++
			}
		}
	}
}
