package audit

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// headName is the file that says where the log ended.
const headName = "head"

// A tail is where a log ends. The zero value is a log without rows.
type tail struct {
	last    Row    // the last row
	segment uint64 // the last segment; 0 if there is none
	size    int64  // how long it is
	torn    *Torn  // what stands behind the last row
}

// tail looks where the log ends. Whoever calls it has the lock, if rows are to be
// appended. Everything since the row that the head file names is held against its
// hashes; without a head file, the last segment is.
func (l *Log) tail(root *os.Root, doing string) (tail, error) {
	all, err := segments(root)
	if err != nil {
		return tail{}, wrap(doing, l.dir, err)
	}
	head, known, err := l.readHead(root, doing)
	if err != nil {
		return tail{}, err
	}
	r := tailReader{log: l, root: root, doing: doing, chain: chain{broken: true}}
	first, offset := 0, int64(0)
	switch {
	case known:
		if first = slices.Index(all, head.segment); first < 0 {
			return tail{}, l.short(doing, segmentName(head.segment), fmt.Sprintf("the segment is gone, and row %d was in it", head.Seq))
		}
		r.want, offset = &head, head.start
	case len(all) == 0:
		return tail{}, nil
	default:
		if first, err = l.lastFilled(root, doing, all); err != nil {
			return tail{}, err
		}
	}
	for i, name := range all[first:] {
		if err := r.read(name, offset, i == len(all)-1-first); err != nil {
			return tail{}, err
		}
		offset = 0
	}
	if r.text == nil { // there are segments, and all are empty
		if all[0] == 1 && len(all) == 1 {
			return r.tail, nil
		}
		return tail{}, l.short(doing, segmentName(all[len(all)-1]), "it is empty")
	}
	last := line{text: r.text, seq: r.chain.last.seq}
	if r.tail.last, err = last.row(); err != nil {
		return tail{}, damage(doing, filepath.Join(l.dir, segmentName(r.tail.segment)), "%v", err)
	}
	return r.tail, nil
}

func (l *Log) short(doing, segment, what string) error {
	return &Fault{Trouble: Truncated, Doing: doing, Where: filepath.Join(l.dir, segment), What: what}
}

// readHead reads the head file. One that is not there, or is damaged, is as none:
// a log can be used without.
func (l *Log) readHead(root *os.Root, doing string) (headFile, bool, error) {
	f, _, err := l.openOwn(root, doing, headName, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return headFile{}, false, nil
	}
	if err != nil {
		return headFile{}, false, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, headSize+1))
	if err != nil {
		return headFile{}, false, wrap(doing, filepath.Join(l.dir, headName), err)
	}
	h, ok := parseHeadFile(text)
	return h, ok, nil
}

// lastFilled is the index of the last segment that has something in it, or 0.
func (l *Log) lastFilled(root *os.Root, doing string, all []uint64) (int, error) {
	for i, first := range slices.Backward(all) {
		info, err := root.Lstat(segmentName(first))
		if err != nil {
			return 0, wrap(doing, filepath.Join(l.dir, segmentName(first)), err)
		}
		if info.Size() > 0 {
			return i, nil
		}
	}
	return 0, nil
}

// A tailReader follows a log to its end.
type tailReader struct {
	log   *Log
	root  *os.Root
	doing string
	chain chain
	want  *headFile // the row that comes first, if known
	text  []byte    // the last row
	tail  tail
}

// read follows one segment from an offset on.
func (r *tailReader) read(first uint64, from int64, final bool) error {
	name := segmentName(first)
	where := filepath.Join(r.log.dir, name)
	f, info, err := r.log.openOwn(r.root, r.doing, name, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	size := info.Size()
	if size > maxRead {
		return damage(r.doing, where, "it has %d bytes, and no segment has more than %d", size, maxRead)
	}
	if w := r.want; w != nil && size < w.end {
		return r.log.short(r.doing, name, fmt.Sprintf("it ends before the end of row %d", w.Seq))
	}
	text, err := io.ReadAll(io.NewSectionReader(f, from, size-from))
	if err != nil {
		return wrap(r.doing, where, err)
	}
	if len(text) == 0 && r.chain.rows > 0 && r.chain.last.seq+1 != first {
		return damage(r.doing, where, "it is empty, and the segment before it ends with row %d", r.chain.last.seq)
	}
	named := from > 0 // whether a row that the segment is named by was seen
	at := from
	for row := range bytes.Lines(text) {
		s, ok := r.chain.add(row, at)
		at += int64(len(row))
		if w := r.want; w != nil {
			if !ok || s.line.seq != w.Seq || s.line.hash != w.Hash || at != w.end {
				return damage(r.doing, where, "row %d is not where it was written, at byte %d", w.Seq, from)
			}
			r.want = nil
		}
		if s.problem != "" {
			return damage(r.doing, where, "byte %d: %s", at-int64(len(row)), s.problem)
		}
		if !ok {
			continue
		}
		if !named && s.line.seq != first {
			return damage(r.doing, where, "it begins with row %d", s.line.seq)
		}
		r.text, named = s.line.text, true
	}
	r.tail.segment, r.tail.size, r.tail.torn = first, size, nil
	if r.chain.torn > 0 {
		if !final || r.chain.ended {
			return damage(r.doing, where, "byte %d: %v", r.chain.whyAt, r.chain.why)
		}
		// The next row ends the torn bytes with a newline.
		h := r.chain.sum
		h.Write([]byte("\n"))
		r.tail.torn = &Torn{Bytes: r.chain.torn + 1, Sum: hex.EncodeToString(h.Sum(nil))}
	}
	return nil
}
