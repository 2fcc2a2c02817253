package audit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/heedsh/heed/internal/ownfile"
)

// recording is what Append does, for messages.
const recording = "recording what happens"

// maxBatch is how much is written at once, in bytes.
const maxBatch = 4 << 20

// Append keeps a row. When it returns a receipt, the row is on the disk; with an
// error, a [*Fault], nothing may run on the strength of it.
func (l *Log) Append(ctx context.Context, row Row) (Receipt, error) {
	all, err := l.AppendAll(ctx, []Row{row})
	if err != nil {
		return Receipt{}, err
	}
	return all[0], nil
}

// AppendAll keeps rows, in this order and with no other between them, for about
// the price of one. With an error those that have a receipt are kept.
func (l *Log) AppendAll(ctx context.Context, rows []Row) ([]Receipt, error) {
	if l.managed.Off {
		out := make([]Receipt, len(rows))
		for i := range out {
			out[i].Off = true
		}
		return out, nil
	}
	fitting := make([]Row, len(rows))
	for i := range rows {
		var err error
		if fitting[i], err = fit(rows[i]); err != nil {
			return nil, err
		}
	}
	return l.append(ctx, fitting)
}

// append keeps rows that are fit.
func (l *Log) append(ctx context.Context, rows []Row) ([]Receipt, error) {
	if err := ctx.Err(); err != nil {
		return nil, wrap(recording, l.dir, err)
	}
	root, err := l.directory(recording, true)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	lock, err := l.lock(ctx, root, recording, false)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	t, err := l.tail(root, recording)
	if err != nil {
		return nil, err
	}
	return l.appendAt(root, &t, rows)
}

// appendAt keeps rows behind a tail. The lock is held.
func (l *Log) appendAt(root *os.Root, t *tail, rows []Row) ([]Receipt, error) {
	if t.last.Seq == 0 {
		begun := Row{Kind: Begun, Chain: fmt.Sprintf("%016x", l.random()), V: version}
		if _, err := l.put(root, t, []Row{begun}); err != nil {
			return nil, err
		}
	}
	var out []Receipt
	for len(rows) > 0 {
		done, err := l.put(root, t, rows)
		out = append(out, done...)
		if err != nil {
			return out, err
		}
		rows = rows[len(done):]
	}
	return out, nil
}

// put writes as many rows as are written at once, at least one, and moves the tail
// behind them.
func (l *Log) put(root *os.Root, t *tail, rows []Row) ([]Receipt, error) {
	var (
		text    []byte
		out     []Receipt
		last    = t.last
		lastLen int
	)
	if last.Seq == 0 {
		last.Hash, last.Chain = none(), rows[0].Chain
	}
	for i := range rows {
		r := rows[i]
		r.Time, r.Seq, r.Prev, r.Chain = StampOf(l.now()), last.Seq+1, last.Hash, last.Chain
		r.ID = newID(last.ID, r.Time, r.Seq, uint32(l.random())%(1<<(5*idRandom)))
		if i == 0 && t.torn != nil {
			r.Torn = t.torn
			text = append(text, '\n')
		}
		line, err := r.line()
		if err != nil {
			return nil, err
		}
		if len(out) > 0 && len(text)+len(line) > maxBatch {
			break
		}
		text, last, lastLen = append(text, line...), r, len(line)
		out = append(out, Receipt{ID: r.ID, Seq: r.Seq, Time: r.Time, Hash: r.Hash})
	}
	segment, size := t.segment, t.size
	fresh := size+int64(len(text)) > l.segment || period(out[0].Time) > period(t.last.Time)
	if segment == 0 || t.torn == nil && size > 0 && fresh {
		segment, size = out[0].Seq, 0
	}
	if err := l.writeTo(root, segment, size, text); err != nil {
		return nil, err
	}
	end := size + int64(len(text))
	l.writeHead(root, headFile{Head: Head{last.Seq, last.Hash}, segment: segment, start: end - int64(lastLen), end: end})
	*t = tail{last: last, segment: segment, size: end}
	return out, nil
}

// period counts weeks. A segment is begun each week, however short the last one is,
// so that old rows can go.
func period(at Stamp) int64 { return int64(at) / (7 * 24 * 3600 * 1000) }

// writeTo appends to a segment, which is made if it is new. What could not be
// written whole is taken away again: it was acknowledged to nobody.
func (l *Log) writeTo(root *os.Root, segment uint64, size int64, text []byte) error {
	name := segmentName(segment)
	where := filepath.Join(l.dir, name)
	flag := os.O_WRONLY | os.O_APPEND
	if size == 0 {
		flag |= os.O_CREATE
	}
	f, _, err := l.openOwn(root, recording, name, flag)
	if err != nil {
		return err
	}
	if err = l.write(f, text); err != nil {
		// What cannot be taken away either is seen, and told of, by the next writer.
		_ = f.Truncate(size)
	}
	if err = errors.Join(err, f.Close()); err == nil && size == 0 {
		err = ownfile.SyncDir(root)
	}
	if err != nil {
		return wrap(recording, where, err)
	}
	return nil
}

// writeHead says where the log ends now. The row is on the disk already: a head
// that could not be written is only too old.
func (l *Log) writeHead(root *os.Root, h headFile) {
	f, i, err := l.openOwn(root, recording, headName, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return
	}
	_, _ = f.WriteAt([]byte(h.String()), 0) // see above
	if i.Size() > headSize {
		_ = f.Truncate(headSize) // somebody wrote there
	}
	_ = f.Close()
}
