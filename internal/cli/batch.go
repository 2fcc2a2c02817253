package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/heedsh/heed"
	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/internal/shell/posix"
	"github.com/heedsh/heed/risk"
)

// A batchLine is one request of check --batch.
type batchLine struct {
	ID         json.RawMessage   `json:"id"`
	Cmd        *string           `json:"cmd"`
	Shell      string            `json:"shell"`
	Dir        string            `json:"cwd"`
	Env        map[string]string `json:"env"`
	Provenance risk.Provenance   `json:"provenance"`
}

// chunk is how many lines one worker answers at a time.
const chunk = 64

// maxLine is the longest line that is read as a request; a longer one is
// answered as REVIEW.
const maxLine = 8 << 20

// runBatch answers requests a line, in order, on all processors. At most a few
// chunks are in memory at once.
func runBatch(s Streams, flags *requestFlags) error {
	base, err := flags.request(s, "")
	if err != nil {
		return err
	}
	b := &batch{base: base, assessor: assess.New(), host: host.New(base.Env["HOME"], base.Env["USER"], base.Dir)}
	in := bufio.NewReaderSize(s.In, 1<<16)
	out := bufio.NewWriterSize(s.Out, 1<<16)
	workers := runtime.GOMAXPROCS(0)
	jobs := make(chan *batchJob, workers)
	ordered := make(chan *batchJob, 2*workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for j := range jobs {
				j.done <- b.answer(j.lines)
			}
		})
	}
	var readErr error
	go func() {
		defer close(ordered)
		defer close(jobs)
		readErr = feed(in, func(lines [][]byte) {
			j := &batchJob{lines: lines, done: make(chan []byte, 1)}
			ordered <- j
			jobs <- j
		})
	}()
	var writeErr error
	for j := range ordered {
		answer := <-j.done
		if writeErr == nil {
			_, writeErr = out.Write(answer)
		}
	}
	wg.Wait()
	if err := errors.Join(writeErr, out.Flush()); err != nil {
		return fmt.Errorf("writing assessments: %w", err)
	}
	if readErr != nil {
		return fmt.Errorf("reading requests: %w", readErr)
	}
	return nil
}

type batchJob struct {
	lines [][]byte
	done  chan []byte
}

// feed reads lines and hands them on in chunks. A line that is too long is
// handed on cut, and will not parse.
func feed(in *bufio.Reader, hand func([][]byte)) error {
	var lines [][]byte
	var line []byte
	for {
		piece, err := in.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if text := bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(text)) > 0 {
			lines = append(lines, slices.Clone(text))
		}
		line = line[:0]
		if len(lines) == chunk || err != nil && len(lines) > 0 {
			hand(lines)
			lines = nil
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

type batch struct {
	base     risk.Request
	assessor *assess.Assessor
	host     *host.Host
}

func (b *batch) answer(lines [][]byte) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, line := range lines {
		start := time.Now()
		a := b.one(line)
		if err := enc.Encode(printed{a, time.Since(start).Microseconds()}); err != nil {
			_ = enc.Encode(heed.Failed(risk.Request{ID: a.ID}, err))
		}
	}
	return out.Bytes()
}

func (b *batch) one(line []byte) risk.Assessment {
	var l batchLine
	if err := json.Unmarshal(line, &l); err != nil {
		return heed.Failed(b.base, fmt.Errorf("this line is not a request: %w", err))
	}
	req := b.base
	req.ID = idOf(l.ID)
	if l.Cmd == nil {
		return heed.Failed(req, errors.New(`this line has no "cmd"`))
	}
	req.Command = *l.Cmd
	if l.Shell != "" {
		req.Shell = l.Shell
	}
	if _, ok := posix.Dialect(req.Shell); !ok {
		return heed.Failed(req, fmt.Errorf("shell %q is not one that heed evaluates", req.Shell))
	}
	if l.Dir != "" {
		req.Dir = l.Dir
		if !filepath.IsAbs(req.Dir) {
			req.Dir = filepath.Join(b.base.Dir, req.Dir)
		}
	}
	if l.Env != nil {
		req.Env = l.Env
	}
	if l.Provenance != "" {
		if !slices.Contains(risk.Provenances(), l.Provenance) {
			return heed.Failed(req, fmt.Errorf("provenance %q is not known: want one of %s", l.Provenance, provenanceNames()))
		}
		req.Provenance = l.Provenance
	}
	a, _ := b.assessor.Assess(b.host.View(&req), req)
	return a
}

// idOf takes any JSON value as an id: a string as it is, others as written.
func idOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
