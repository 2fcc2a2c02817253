package eval

import (
	"strings"

	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/risk"
)

// maxStops is of how much that a program needs is kept.
const maxStops = 16

// needs notes what a Python program surely cannot go on without where it is now: at its
// top, where nothing that fails is caught, and before it has changed anything.
func (s *scan) needs(what inline.Stop) {
	if s.lang != "python" || s.cond > 0 || s.loop > 0 || s.guarded > 0 || len(s.res.Runs) > 0 || len(s.res.Stops) >= maxStops {
		return
	}
	for _, word := range []string{"exit", "quit", "raise", "suppress", "excepthook", "sys.path", "meta_path", "sys.modules", "chdir"} { // it may end before, or find other things
		if strings.Contains(s.source, word) {
			return
		}
	}
	for i := range s.res.Effects {
		if s.res.Effects[i].Verb != risk.FSRead {
			return
		}
	}
	s.res.Stops = append(s.res.Stops, what)
}
