package cli

import (
	"time"

	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/heedsh/heed/risk"
)

// longestLook is how long the preview of a question runs, while somebody waits for it.
const longestLook = 20 * time.Second

// previewFor is how a session previews what it asks about. The command has no input and
// no terminal; only what it would change is shown, and nothing is applied.
func previewFor(s Streams, session *wrap.Session) func(*approval.Job, *risk.Request, *risk.Assessment) (string, error) {
	return func(job *approval.Job, req *risk.Request, a *risk.Assessment) (string, error) {
		o := &previewOptions{json: true, limits: preview.DefaultLimits()} // nothing is printed
		o.limits.Time = longestLook
		s := s
		s.Colour, s.Dir = false, session.Dir
		p := &previewing{s: s, o: o, req: req}
		p.answer.Assessment = *a
		plan, err := p.plan()
		if err != nil {
			return "", err
		}
		v, err := preview.Run(&preview.Command{Program: job.Program, Argv: job.Argv, Env: session.Env, Dir: session.Dir}, plan, &o.limits)
		if err != nil {
			return "", err
		}
		return p.before() + p.after(&v.Result), v.Close()
	}
}
