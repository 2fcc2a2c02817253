package service

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/risk"
)

// A chunk is what one worker answers at a time: at most so many lines and,
// but for the last line, bytes.
const (
	chunkLines = 64
	chunkBytes = 256 << 10
)

// usualAnswer is how long, in bytes, most answers are at most.
const usualAnswer = 2 << 10

// maxLine is the longest line that is read as a request. A longer one is cut
// here, does not parse, and is answered as REVIEW.
const maxLine = 8 << 20

// A Batch answers requests that come as JSON, a line each (see [ParseLine]), with
// an answer a line (see [Answer.WriteJSON]), in order, on all processors.
type Batch struct {
	Service *Service
	Base    risk.Request // what a line does not say
	// Broken, if set, is told once that files of the person's own are not in
	// force.
	Broken func([]Problem)
}

// A batchRun is a batch at work.
type batchRun struct {
	*Batch
	noted    sync.Once // that files are broken
	sessions *assess.Sessions
	out      *bufio.Writer
}

// A batchJob is a chunk on its way: workers fill answer, worst and visits, then
// close done.
type batchJob struct {
	lines  [][]byte
	answer bytes.Buffer
	worst  risk.Tier
	visits []visit // the lines of sessions
	done   chan struct{}
}

// A visit is a line that names its session. Workers assess and encode it like
// any other; whoever writes the answers, in the order of the input, then sees
// whether the session's commands together say more.
type visit struct {
	req      risk.Request
	at       *int64 // nanoseconds; nil if the line does not say when
	look     *Look
	seen     assess.Seen
	from, to int // its answer, in that of the chunk
}

// Run answers all requests and returns the highest tier. At most a few chunks
// are in memory at once. Whoever writes one line and waits gets its answer
// without having to close the input. When ctx is cancelled it ends at once,
// without the answers that are on their way; one more line may be read.
func (b *Batch) Run(ctx context.Context, in io.Reader, out io.Writer) (worst risk.Tier, err error) {
	ctx, end := context.WithCancel(ctx) // also when nobody takes answers any more
	defer end()
	r := &batchRun{Batch: b, sessions: assess.NewSessions(), out: bufio.NewWriterSize(out, 1<<16)}
	ordered, wait := r.start(ctx, in)
	for {
		var j *batchJob
		select {
		case <-ctx.Done():
			return worst, fmt.Errorf("assessing: %w", ctx.Err())
		case j = <-ordered:
		}
		if j == nil {
			return worst, wait()
		}
		<-j.done
		err := r.finish(ctx, j)
		worst = max(worst, j.worst)
		if err == nil && len(ordered) == 0 {
			err = r.out.Flush()
		}
		if err != nil {
			return worst, fmt.Errorf("writing assessments: %w", err)
		}
	}
}

// start reads requests and answers them until ctx is cancelled. The chunks come
// in order, before they are done, and nil comes after the last; wait then says
// what was wrong with the input.
func (r *batchRun) start(ctx context.Context, in io.Reader) (ordered <-chan *batchJob, wait func() error) {
	workers := runtime.GOMAXPROCS(0)
	todo, all := make(chan *batchJob, workers), make(chan *batchJob, 2*workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for j := range todo {
				r.do(ctx, j)
			}
		})
	}
	var readErr error
	go func() {
		defer close(all)
		defer close(todo)
		readErr = feed(in, func(lines [][]byte) bool {
			j := &batchJob{lines: lines, done: make(chan struct{})}
			select {
			case all <- j:
				todo <- j
				return true
			case <-ctx.Done():
				return false
			}
		})
	}()
	return all, func() error {
		wg.Wait()
		if readErr != nil {
			return fmt.Errorf("reading requests from standard input: %w", readErr)
		}
		return nil
	}
}

// feed reads lines and hands them on in chunks until hand wants no more. It
// never waits for input while it holds a whole line. The byte order mark that
// some editors write first is no part of the first line.
func feed(r io.Reader, hand func([][]byte) bool) error {
	in := bufio.NewReaderSize(r, 1<<16)
	if mark, err := in.Peek(3); err == nil && string(mark) == "\ufeff" {
		_, _ = in.Discard(len(mark)) // cannot fail: Peek has read them
	}
	var lines [][]byte
	size := 0
	for {
		line, err := readLine(in)
		if len(line) > 0 || err == nil {
			lines = append(lines, bytes.TrimRight(line, "\r\n"))
			size += len(line)
		}
		full := len(lines) == chunkLines || size >= chunkBytes || in.Buffered() == 0
		if len(lines) > 0 && (full || err != nil) {
			if !hand(lines) {
				return nil
			}
			lines, size = nil, 0
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readLine returns the next line in memory of its own, cut at maxLine.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		piece, err := in.ReadSlice('\n')
		if room := maxLine - len(line); len(piece) > room {
			piece = piece[:room]
		}
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// do answers the lines of a chunk.
func (b *batchRun) do(ctx context.Context, j *batchJob) {
	defer close(j.done)
	j.answer.Grow(len(j.lines) * usualAnswer)
	enc := json.NewEncoder(&j.answer)
	enc.SetEscapeHTML(false)
	look := b.Service.Look() // the lines of a chunk were written before any of its answers
	for _, line := range j.lines {
		start := time.Now()
		v := visit{from: j.answer.Len()}
		var err error
		if v.req, v.at, err = ParseLine(line, b.Base); err != nil {
			j.encode(enc, Failed(v.req, err), time.Since(start))
			continue
		}
		a, _ := look.Assess(ctx, v.req) // a failure is an answer like another: it says so
		b.note(&a)
		j.encode(enc, a, time.Since(start))
		if v.req.Session != "" {
			v.to, v.look, v.seen = j.answer.Len(), look, b.Service.assessor.Look(&a.Detail)
			j.visits = append(j.visits, v)
		}
	}
}

// note tells once of files of the person's own that are not in force.
func (b *batchRun) note(a *Answer) {
	if b.Broken != nil && slices.ContainsFunc(a.Detail.Specs, func(p Problem) bool { return p.Own }) {
		b.noted.Do(func() { b.Broken(a.Detail.Specs) })
	}
}

// encode writes an answer.
func (j *batchJob) encode(enc *json.Encoder, a Answer, took time.Duration) {
	j.worst = max(j.worst, a.Tier)
	if err := a.encode(enc, took); err != nil {
		j.worst = risk.Review
		_ = enc.Encode(Failed(risk.Request{ID: a.ID}, err).Assessment) // nothing in it cannot be encoded
	}
}

// finish writes the answers of a chunk. A command with which a correlation over
// its session hits is assessed once more, with that finding.
func (b *batchRun) finish(ctx context.Context, j *batchJob) error {
	answer, done := j.answer.Bytes(), 0
	for i := range j.visits {
		v := &j.visits[i]
		found := b.sessions.Add(v.req.Session, v.at, v.seen)
		if len(found) == 0 {
			continue
		}
		if _, err := b.out.Write(answer[done:v.from]); err != nil {
			return err
		}
		done = v.to
		start := time.Now()
		a, _ := v.look.also(ctx, v.req, found)
		again := &batchJob{}
		enc := json.NewEncoder(&again.answer)
		enc.SetEscapeHTML(false)
		again.encode(enc, a, time.Since(start))
		j.worst = max(j.worst, again.worst)
		if _, err := b.out.Write(again.answer.Bytes()); err != nil {
			return err
		}
	}
	_, err := b.out.Write(answer[done:])
	return err
}
