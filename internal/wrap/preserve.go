package wrap

import (
	"errors"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/mask"
	"github.com/heedsh/heed/internal/undo"
	"github.com/heedsh/heed/internal/undo/preimage"
)

// preserve keeps what the job destroys and nothing else can bring back, and says so where
// a warning would be said. Whatever fails, the job runs.
func (s *Session) preserve(job *approval.Job) {
	if s.judged == nil {
		return
	}
	text := mask.Text(show(job))
	if s.began != nil {
		text = s.began.Command
	}
	e, err := preimage.Keep(&preimage.Command{Assessment: s.judged, Text: text, Dir: job.Dir, Env: s.env()})
	if errors.Is(err, undo.ErrUnsupported) || !s.Warn && !gate.IsTerminal(2) {
		return
	}
	switch {
	case err != nil:
		s.say("nothing is kept for undo: %s", explain.Visible(err.Error()))
	case e == nil:
	case len(e.Open) > 0:
		s.say("not all of it can be undone: %s; what is kept, is for 7 days: heed undo %s", explain.Visible(e.Open[0]), e.ID)
	default:
		s.say("can be undone for 7 days: heed undo %s", e.ID)
	}
}
