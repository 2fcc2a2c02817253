package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/heedsh/heed"
	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/internal/specs"
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

// batchGC is the garbage collector's target in per cent: what an assessment
// leaves behind is small, and memory for a few hundred is cheaper than looking
// for it.
const batchGC = 400

// batchMemory, in bytes, is where the garbage collector works harder instead.
const batchMemory = 64 << 20

// maxLine is the longest line that is read as a request. A longer one is cut
// here, does not parse, and is answered as REVIEW.
const maxLine = 8 << 20

// A batch answers requests with one assessor, which is safe for concurrent
// use.
type batch struct {
	base     risk.Request // what a line does not say
	assessor *assess.Assessor
	host     *host.Host
	streams  Streams
	noted    sync.Once // that specs are broken
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

// runBatch answers requests a line, in order, on all processors, and returns
// the highest tier. At most a few chunks are in memory at once. Whoever writes
// one line and waits gets its answer without having to close the input.
func runBatch(s Streams, o *checkOptions) (worst risk.Tier, err error) {
	base, err := o.request(s, "")
	if err != nil {
		return 0, err
	}
	b := &batch{base: base, assessor: withModel(s, newAssessor(s), o.model), host: host.New(base.Env["HOME"], base.Env["USER"], base.Dir), streams: s}
	defer debug.SetGCPercent(debug.SetGCPercent(batchGC))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(batchMemory))
	workers := runtime.GOMAXPROCS(0)
	todo := make(chan *batchJob, workers)
	ordered := make(chan *batchJob, 2*workers)
	quit := make(chan struct{}) // closed when nobody takes answers any more
	defer close(quit)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for j := range todo {
				b.do(j)
			}
		})
	}
	var readErr error
	go func() {
		defer close(ordered)
		defer close(todo)
		readErr = feed(s.In, func(lines [][]byte) bool {
			j := &batchJob{lines: lines, done: make(chan struct{})}
			select {
			case ordered <- j:
				todo <- j
				return true
			case <-quit:
				return false
			}
		})
	}()
	out := bufio.NewWriterSize(s.Out, 1<<16)
	sessions := assess.NewSessions()
	for j := range ordered {
		<-j.done
		err := b.finish(j, sessions, out)
		worst = max(worst, j.worst)
		if err == nil && len(ordered) == 0 {
			err = out.Flush()
		}
		if err != nil {
			return worst, fmt.Errorf("writing assessments: %w", err)
		}
	}
	wg.Wait()
	if err := out.Flush(); err != nil {
		return worst, fmt.Errorf("writing assessments: %w", err)
	}
	if readErr != nil {
		return worst, fmt.Errorf("reading requests from standard input: %w", readErr)
	}
	return worst, nil
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

func (b *batch) do(j *batchJob) {
	defer close(j.done)
	j.answer.Grow(len(j.lines) * usualAnswer)
	enc := json.NewEncoder(&j.answer)
	enc.SetEscapeHTML(false)
	look := b.host.Look() // the lines of a chunk were written before any of its answers
	for _, line := range j.lines {
		start := time.Now()
		v := visit{from: j.answer.Len()}
		var err error
		if v.req, v.at, err = parseLine(line, b.base); err != nil {
			j.encode(enc, heed.Failed(v.req, err), &assess.Detail{}, time.Since(start))
			continue
		}
		a, d := b.one(&v.req, look)
		j.encode(enc, a, &d, time.Since(start))
		if v.req.Session != "" {
			v.to, v.look, v.seen = j.answer.Len(), look, b.assessor.Look(&d)
			j.visits = append(j.visits, v)
		}
	}
}

// encode writes an answer.
func (j *batchJob) encode(enc *json.Encoder, a risk.Assessment, d *assess.Detail, took time.Duration) {
	j.worst = max(j.worst, a.Tier)
	if err := enc.Encode(timed(a, d, took)); err != nil {
		j.worst = risk.Review
		_ = enc.Encode(heed.Failed(risk.Request{ID: a.ID}, fmt.Errorf("writing the assessment: %w", err)))
	}
}

func (b *batch) one(req *risk.Request, look *host.Look) (risk.Assessment, assess.Detail) {
	a, d := b.assessor.Assess(look.View(req), *req)
	if slices.ContainsFunc(d.Specs, func(p specs.Problem) bool { return p.Own }) {
		b.noted.Do(func() { noteSpecs(b.streams, d.Specs) })
	}
	return a, d
}
