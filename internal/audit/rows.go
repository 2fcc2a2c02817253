package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// reading is what the readers do, for messages.
const reading = "reading the log"

// Rows gives the rows that a filter wants, in the order in which they were
// written. A row that is not what was written comes as an error of kind Damaged,
// and the next follows; after any other error nothing does. What writers append
// meanwhile may come or not.
func (l *Log) Rows(ctx context.Context, f Filter) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		root, all, err := l.look()
		if err != nil {
			yield(Row{}, err)
			return
		}
		defer root.Close() //nolint:errcheck // closing a directory loses nothing
		r := rowReader{log: l, root: root, filter: f, sieve: f.sieve()}
		r.all(ctx, all, yield)
	}
}

// all gives what is wanted of these segments, and reports whether more may follow.
func (r *rowReader) all(ctx context.Context, segments []uint64, yield func(Row, error) bool) bool {
	if r.filter.Last > 0 {
		return r.last(ctx, segments, yield)
	}
	for i, first := range segments {
		if i+1 < len(segments) && segments[i+1] <= r.filter.After+1 {
			continue // all its rows come before
		}
		from := int64(0)
		if first == r.segmentAt {
			from = r.offset
		}
		x := r.segment(ctx, first, from)
		if !x.give(yield) {
			return false
		}
	}
	return true
}

// give hands on what was found, and reports whether more may follow.
func (out *found) give(yield func(Row, error) bool) bool {
	for _, x := range out.rows {
		if !yield(x.row, x.err) {
			return false
		}
	}
	if out.err != nil {
		yield(Row{}, out.err)
	}
	return out.err == nil
}

// look opens a log that is there, and lists its segments.
func (l *Log) look() (*os.Root, []uint64, error) {
	root, err := l.directory(reading, false)
	if err != nil {
		return nil, nil, err
	}
	all, err := segments(root)
	if err != nil {
		_ = root.Close() // it is not used
		return nil, nil, wrap(reading, l.dir, err)
	}
	return root, all, nil
}

type rowReader struct {
	log    *Log
	root   *os.Root
	filter Filter
	sieve  sieve
	// segmentAt and offset are where the last whole line ends that was read.
	segmentAt uint64
	offset    int64
}

// found is what one segment gives.
type found struct {
	rows []foundRow
	err  error
	end  int64 // behind the last whole line
}

type foundRow struct {
	row Row
	err error
}

// segment reads one segment from an offset on. A line without its newline is
// still being written.
func (r *rowReader) segment(ctx context.Context, first uint64, from int64) (out found) {
	out.end = from
	name := segmentName(first)
	where := filepath.Join(r.log.dir, name)
	if err := ctx.Err(); err != nil {
		out.err = wrap(reading, where, err)
		return out
	}
	f, info, err := r.log.openOwn(r.root, reading, name, os.O_RDONLY)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return out // it was pruned meanwhile
		}
		out.err = err
		return out
	}
	defer f.Close()
	if info.Size() > maxRead {
		out.err = &Fault{Trouble: Damaged, Doing: reading, Where: where, What: fmt.Sprintf("it has %d bytes, and no segment has more than %d", info.Size(), maxRead)}
		return out
	}
	text := make([]byte, max(info.Size()-from, 0))
	n, err := f.ReadAt(text, from)
	if err != nil && !errors.Is(err, io.EOF) {
		out.err = wrap(reading, where, err)
		return out
	}
	out.scan(where, text[:n], &r.filter, &r.sieve)
	if first >= r.segmentAt {
		r.segmentAt, r.offset = first, out.end
	}
	return out
}

// maxRead is the longest segment that is read, in bytes. None that was written here is a
// quarter as long: a segment is closed at 16 MiB, unless its owner chose another bound.
const maxRead = 1 << 30

// scan finds the rows in a part of a segment.
func (out *found) scan(where string, text []byte, f *Filter, s *sieve) {
	var junk []foundRow // lines that are no rows, until it is known whose they are
	for row := range bytes.Lines(text) {
		body, ended := bytes.CutSuffix(row, []byte("\n"))
		if !ended {
			break
		}
		at := out.end
		out.end += int64(len(row))
		lets := s.lets(body)
		if !lets && len(junk) == 0 {
			continue
		}
		x, err := parseLine(body)
		if err != nil {
			junk = append(junk, foundRow{err: damage(reading, where, "byte %d: %v", at, err)})
			continue
		}
		if !bytes.Contains(body, ownKinds[3]) { // else a writer that was killed left them, as the row says
			out.rows = append(out.rows, junk...)
		}
		junk = nil
		if !lets || x.seq <= s.after {
			continue
		}
		switch got, err := x.row(); {
		case err != nil:
			out.rows = append(out.rows, foundRow{err: damage(reading, where, "byte %d: %v", at, err)})
		case f.Wants(&got):
			out.rows = append(out.rows, foundRow{row: got})
		}
	}
	out.rows = append(out.rows, junk...)
}

// last gives the last rows that are wanted, reading no more segments than it must.
func (r *rowReader) last(ctx context.Context, all []uint64, yield func(Row, error) bool) bool {
	var parts []found
	n := 0
	for _, first := range slices.Backward(all) {
		x := r.segment(ctx, first, 0)
		parts = append(parts, x)
		if n += len(x.rows); n >= r.filter.Last || x.err != nil {
			break
		}
	}
	skip := max(n-r.filter.Last, 0)
	for _, x := range slices.Backward(parts) {
		here := min(skip, len(x.rows))
		x.rows, skip = x.rows[here:], skip-here
		if !x.give(yield) {
			return false
		}
	}
	return true
}

// ErrNoRow says that there is no row of this name.
var ErrNoRow = errors.New("there is no such row (heed log lists them; old ones are pruned)")

// Find returns the row with an id, or a number.
func (l *Log) Find(ctx context.Context, name string) (Row, error) {
	seq, err := rowNumber(name)
	if err != nil {
		return Row{}, err
	}
	root, all, err := l.look()
	if err != nil {
		return Row{}, err
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	at, exact := slices.BinarySearch(all, seq)
	if !exact {
		at--
	}
	if at < 0 {
		return Row{}, ErrNoRow
	}
	r := rowReader{log: l, root: root, sieve: sieve{needles: [][]byte{[]byte(`"seq":` + strconv.FormatUint(seq, 10) + `,`)}}}
	x := r.segment(ctx, all[at], 0)
	for _, got := range x.rows {
		if got.err != nil {
			x.err = got.err // if none of the others is it
			continue
		}
		if got.row.Seq == seq && (len(name) != idLength || got.row.ID == name) {
			return got.row, nil
		}
	}
	if x.err != nil {
		return Row{}, x.err
	}
	return Row{}, ErrNoRow
}

// rowNumber is the number that an id holds, or that was given itself.
func rowNumber(name string) (uint64, error) {
	if n, err := strconv.ParseUint(name, 10, 64); err == nil && len(name) < idLength && n > 0 {
		return n, nil
	}
	if len(name) == idLength {
		if n, err := idNumber(name, idTime, idSeq); err == nil {
			return n, nil
		}
	}
	return 0, errors.New("it is no id and no number of a row: copy one as heed log shows it")
}
