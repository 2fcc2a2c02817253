package audit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// verifying is what Verify does, for messages.
const verifying = "verifying the log"

// An Anchor is a head that the log must have, and where it was kept.
type Anchor struct {
	Name string
	Head Head
}

// A Report is what Verify found.
type Report struct {
	Rows, Bytes int64
	Segments    int
	First, Last uint64 // the numbers of the first and the last row
	Head        Head   // of the log as it is
	From, To    Stamp  // the times of the first and the last row
	// Pruned is the number of the last row that was removed under a checkpoint; 0
	// if none was.
	Pruned uint64
	// Torn counts places where a writer was killed in the middle of a row. Nobody
	// was told that those were kept.
	Torn int
	// Held are the anchors that the log has: of each name the youngest.
	Held []Anchor
	// Problems is what is wrong, in the order of the log.
	Problems []Problem
	// Unlisted counts problems beyond the most that are listed.
	Unlisted int
}

// A Problem is one place where a log is not what was written.
type Problem struct {
	Segment string `json:"segment,omitempty"`
	Offset  int64  `json:"offset"`
	What    string `json:"what"`
	// Mended says that the log told of it itself and went on.
	Mended bool `json:"mended,omitempty"`
}

// maxProblems is how many problems are listed.
const maxProblems = 100

// Whole reports whether nothing is wrong.
func (r *Report) Whole() bool { return len(r.Problems) == 0 }

// Verify reads the whole log and holds every row against its hash, its number and
// the row before it, and the log against anchors: heads that were kept elsewhere.
// Without one, rows that are missing at the end are found only by the head file,
// which whoever may write the log may write too. progress, if not nil, is told the
// bytes that were read. The error says why the log could not be read; what is wrong
// with it is in the report.
func (l *Log) Verify(ctx context.Context, anchors []Anchor, progress func(done, total int64)) (Report, error) {
	v := verifier{log: l, anchors: map[uint64][]Anchor{}, progress: progress}
	for _, a := range anchors {
		v.anchors[a.Head.Seq] = append(v.anchors[a.Head.Seq], a)
	}
	root, err := l.directory(verifying, false)
	if err != nil {
		return v.report, err
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	if err := v.snapshot(ctx, root); err != nil {
		return v.report, err
	}
	for _, s := range v.parts {
		if err := v.segment(ctx, root, s); err != nil {
			return v.report, err
		}
	}
	v.end()
	return v.report, nil
}

type verifier struct {
	log      *Log
	anchors  map[uint64][]Anchor // that no row has met, by their numbers
	progress func(done, total int64)
	report   Report
	parts    []part
	total    int64
	chain    chain
	claim    Head // what the first row says it follows
	pruned   []*Pruning
	each     func(Stamp) // told the time of each row, if not nil
}

// A part is a segment as long as it was when verifying began.
type part struct {
	first uint64
	size  int64
}

// snapshot sees how long the log is, between two writers. Where no lock can be
// had, because nothing can be written there, nobody writes.
func (v *verifier) snapshot(ctx context.Context, root *os.Root) error {
	lock, err := v.log.lock(ctx, root, verifying, true)
	var f *Fault
	switch {
	case err == nil:
		defer lock.Close()
	case !errors.As(err, &f) || f.Trouble != ReadOnly:
		return err
	}
	all, err := segments(root)
	if err != nil {
		return wrap(verifying, v.log.dir, err)
	}
	for _, first := range all {
		i, err := root.Lstat(segmentName(first))
		if err != nil {
			return wrap(verifying, filepath.Join(v.log.dir, segmentName(first)), err)
		}
		v.parts = append(v.parts, part{first, i.Size()})
		v.total += i.Size()
	}
	head, ok, err := v.log.readHead(root, verifying)
	switch {
	case err != nil:
		return err
	case ok:
		v.anchors[head.Seq] = append(v.anchors[head.Seq], Anchor{"the head file", head.Head})
	default:
		if i, err := root.Lstat(headName); err == nil {
			v.problem(headName, 0, "it is damaged (%d bytes)", i.Size())
		} else if v.total > 0 {
			v.problem(headName, 0, "it is gone: rows that are missing at the end are not noticed without it; the next row makes a new one")
		}
	}
	return nil
}

func (v *verifier) problem(segment string, offset int64, format string, args ...any) {
	v.add(Problem{Segment: segment, Offset: offset, What: fmt.Sprintf(format, args...)})
}

func (v *verifier) add(p Problem) {
	if len(v.report.Problems) == maxProblems {
		v.report.Unlisted++
		return
	}
	v.report.Problems = append(v.report.Problems, p)
}

// segment reads one segment.
func (v *verifier) segment(ctx context.Context, root *os.Root, p part) error {
	name := segmentName(p.first)
	where := filepath.Join(v.log.dir, name)
	f, _, err := v.log.openOwn(root, verifying, name, os.O_RDONLY)
	if err != nil {
		var fault *Fault
		if errors.As(err, &fault) && fault.Trouble == Missing {
			fault.Trouble, fault.What = Broken, "it was pruned meanwhile: verify again"
		}
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(io.LimitReader(f, p.size), maxLine+2)
	at, named := int64(0), false
	for {
		text, err := in.ReadSlice('\n')
		if len(text) > 0 {
			v.row(name, text, at, p.first, &named)
			at += int64(len(text))
			v.tell(int64(len(text)))
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return wrap(verifying, where, err)
		}
		if err := ctx.Err(); err != nil {
			return wrap(verifying, where, err)
		}
	}
	if at < p.size {
		v.problem(name, at, "it became shorter while it was read")
	}
	final := p == v.parts[len(v.parts)-1]
	if p.size == 0 && (!final || v.report.Rows == 0 && p.first != 1 || v.report.Rows > 0 && p.first != v.report.Last+1) {
		v.problem(name, 0, "it is empty")
	}
	v.flush(name, final)
	v.report.Segments++
	return nil
}

// tell counts bytes.
func (v *verifier) tell(n int64) {
	const step = 1 << 20
	before := v.report.Bytes
	v.report.Bytes += n
	if v.progress != nil && (before/step != v.report.Bytes/step || v.report.Bytes == v.total) {
		v.progress(v.report.Bytes, v.total)
	}
}

// row takes one line.
func (v *verifier) row(name string, text []byte, at int64, first uint64, named *bool) {
	whyAt := v.chain.whyAt
	s, ok := v.chain.add(text, at)
	if !ok {
		return
	}
	if v.report.Rows == 0 {
		v.report.First, v.claim = s.line.seq, Head{s.line.seq - 1, s.line.prev}
		if s.row != nil && s.row.Mended != nil {
			v.claim.Seq = s.row.Mended.Good
		}
		v.report.From = v.stamp(s.line.stamp)
	}
	v.report.Rows++
	v.report.Last, v.report.Head, v.report.To = s.line.seq, Head{s.line.seq, s.line.hash}, v.stamp(s.line.stamp)
	if v.each != nil {
		v.each(v.report.To)
	}
	if s.torn {
		v.report.Torn++
	}
	if s.problem != "" {
		from := at
		if whyAt > 0 && whyAt < at {
			from = whyAt
		}
		v.problem(name, from, "%s", s.problem)
	}
	if !*named && s.line.seq != first {
		v.problem(name, at, "it begins with row %d", s.line.seq)
	}
	*named = true
	if r := s.row; r != nil {
		switch {
		case r.Pruned != nil:
			v.pruned = append(v.pruned, r.Pruned)
		case r.Mended != nil:
			v.add(Problem{Segment: name, Offset: at, Mended: true, What: fmt.Sprintf("row %d goes on after damage in %s: rows %d to %d are not vouched for (%s)", r.Seq, r.Mended.Segment, r.Mended.Good+1, max(r.Mended.Lost, r.Seq-1), r.Mended.Problem)})
		case r.Kind == Begun && r.Seq != 1:
			v.problem(name, at, "row %d begins another log", r.Seq)
		}
	}
	v.hold(s.line.seq, s.line.hash)
}

// hold holds a row against the anchors.
func (v *verifier) hold(seq uint64, hash string) {
	for _, a := range v.anchors[seq] {
		if a.Head.Hash == hash {
			v.held(a)
		} else {
			v.problem("", 0, "row %d is not the one that %s names", seq, a.Name)
		}
	}
	delete(v.anchors, seq)
}

// held notes an anchor that the log has.
func (v *verifier) held(a Anchor) {
	i := slices.IndexFunc(v.report.Held, func(b Anchor) bool { return b.Name == a.Name })
	switch {
	case i < 0:
		v.report.Held = append(v.report.Held, a)
	case v.report.Held[i].Head.Seq < a.Head.Seq:
		v.report.Held[i] = a
	}
}

func (v *verifier) stamp(text []byte) Stamp {
	var s Stamp
	_ = s.UnmarshalText(text) // the row's hash is right: so it was written
	return s
}

// flush tells of bytes at the end of a segment that are no row.
func (v *verifier) flush(name string, final bool) {
	c := &v.chain
	switch {
	case c.torn == 0:
		return
	case final && (c.ended || c.unended):
		v.problem(name, c.whyAt, "%v", c.why)
	case final:
		v.report.Torn++ // a writer was killed, and none came after
	default:
		v.problem(name, c.whyAt, "%v", c.why)
	}
	c.torn, c.why, c.broken = 0, nil, true
}

// end holds the beginning against the checkpoints, and tells of anchors that no
// row met.
func (v *verifier) end() {
	r := &v.report
	vouched := r.Rows == 0 || v.claim == Head{0, none()}
	for _, p := range v.pruned {
		if v.claim == (Head{p.Last, p.Sum}) {
			vouched, r.Pruned = true, p.Last
		}
	}
	if !vouched {
		v.problem("", 0, "rows 1 to %d are missing, and no checkpoint vouches for them", v.claim.Seq)
	}
	for _, a := range v.unmet() {
		switch {
		case a.Head.Seq > r.Last:
			v.problem("", 0, "the log is cut off: it ends with row %d, and %s names row %d", r.Last, a.Name, a.Head.Seq)
		case slices.ContainsFunc(v.pruned, func(p *Pruning) bool { return a.Head == Head{p.Last, p.Sum} }):
			v.held(a)
		case a.Head.Seq <= v.claim.Seq:
			v.problem("", 0, "row %d, which %s names, was pruned: nothing can be held against it; take a younger head", a.Head.Seq, a.Name)
		default:
			v.problem("", 0, "row %d, which %s names, is missing", a.Head.Seq, a.Name)
		}
	}
}

// unmet are the anchors that no row has met, in the order of their numbers.
func (v *verifier) unmet() []Anchor {
	var all []Anchor
	for _, seq := range slices.Sorted(maps.Keys(v.anchors)) {
		all = append(all, v.anchors[seq]...)
	}
	return all
}
