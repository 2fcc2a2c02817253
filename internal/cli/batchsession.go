package cli

import (
	"encoding/json"
	"io"
	"time"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/risk"
)

// A visit is a line of a batch that names its session. Workers assess and
// encode it like any other; whoever writes the answers, in the order of the
// input, then sees whether the session's commands together say more.
type visit struct {
	req      risk.Request
	at       *int64 // nanoseconds; nil if the line does not say when
	look     *host.Look
	seen     assess.Seen
	from, to int // its answer, in that of the chunk
}

// finish writes the answers of a chunk. A command with which a correlation
// over its session hits is assessed once more, with that finding.
func (b *batch) finish(j *batchJob, sessions *assess.Sessions, out io.Writer) error {
	answer, done := j.answer.Bytes(), 0
	for i := range j.visits {
		v := &j.visits[i]
		found := sessions.Add(v.req.Session, v.at, v.seen)
		if len(found) == 0 {
			continue
		}
		if _, err := out.Write(answer[done:v.from]); err != nil {
			return err
		}
		done = v.to
		start := time.Now()
		a, d := b.assessor.Also(v.look.View(&v.req), v.req, found)
		again := &batchJob{}
		enc := json.NewEncoder(&again.answer)
		enc.SetEscapeHTML(false)
		again.encode(enc, a, &d, time.Since(start))
		j.worst = max(j.worst, again.worst)
		if _, err := out.Write(again.answer.Bytes()); err != nil {
			return err
		}
	}
	_, err := out.Write(answer[done:])
	return err
}
