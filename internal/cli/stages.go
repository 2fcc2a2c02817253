package cli

import (
	"fmt"
	"time"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/engine"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/judge"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// stageTimes say how long each stage of one assessment took.
type stageTimes struct {
	evaluate, judge, explain, whole time.Duration
	fault                           bool
}

// timeStages runs the stages once by themselves, only to time them: it comes
// before the assessment that is shown, so that it meets files that have not
// been read yet, as a first check does.
func timeStages(w *world.World, req risk.Request) (t stageTimes) {
	defer func() {
		if recover() != nil {
			t.fault = true // the assessment meets the same fault and reports it
		}
	}()
	start := time.Now()
	e := engine.Engine{Catalog: catalog.New(hooks.All())}
	trace := e.Run(w, &req)
	evaluated := time.Now()
	j := judge.Judge(&detect.Context{Processes: trace.Processes, Effects: trace.Effects, Unknowns: trace.Unknowns}, req.Provenance, nil, judge.Opinion{})
	judged := time.Now()
	in := explain.Input{Effects: trace.Effects, Bands: j.Bands, Dir: req.Dir, Home: req.Env["HOME"]}
	explain.Summarize(in)
	explain.Consequences(in)
	t.evaluate, t.judge, t.explain = evaluated.Sub(start), judged.Sub(evaluated), time.Since(judged)
	return t
}

func (t stageTimes) String() string {
	if t.fault {
		return fmt.Sprintf("all stages %s", micro(t.whole))
	}
	return fmt.Sprintf("parse and evaluate %s, judge %s, explain %s; all again, with safer alternatives, %s",
		micro(t.evaluate), micro(t.judge), micro(t.explain), micro(t.whole))
}

func micro(d time.Duration) time.Duration { return d.Round(time.Microsecond) }
