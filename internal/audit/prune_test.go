package audit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestPrune(t *testing.T) {
	t.Parallel()
	l := testLog(t, func(o *Options) { o.SegmentBytes = 8 << 10 })
	var middle, last Receipt
	for i := range 100 {
		last = appendRows(t, l, sample(i))[0]
		if i == 50 {
			middle = last
		}
	}
	dry, err := l.Prune(t.Context(), middle.Time.Time(), true)
	if err != nil || dry.Rows == 0 || dry.Last >= middle.Seq || dry.Checkpoint.Seq != 0 {
		t.Fatalf("%+v, %v", dry, err)
	}
	mustBeWhole(t, l)
	done, err := l.Prune(t.Context(), middle.Time.Time(), false)
	if err != nil || done.Rows != dry.Rows || done.Checkpoint.Seq != last.Seq+1 {
		t.Fatalf("%+v, %v", done, err)
	}
	r := mustBeWhole(t, l, Anchor{"before", last.Head()}, Anchor{"middle", middle.Head()})
	if r.First != done.Last+1 || r.Pruned != done.Last || len(r.Held) != 3 {
		t.Errorf("%+v", r)
	}
	// Again: the checkpoint itself goes one day, and a younger one vouches.
	for i := range 100 {
		last = appendRows(t, l, sample(i))[0]
	}
	if _, err := l.Prune(t.Context(), last.Time.Time(), false); err != nil {
		t.Fatal(err)
	}
	r = mustBeWhole(t, l, Anchor{"last", last.Head()})
	// A head of what was removed cannot be held against anything.
	r = verify(t, l, Anchor{"old paper", middle.Head()})
	if r.Whole() || !strings.Contains(r.Problems[0].What, "was pruned") {
		t.Errorf("%+v", r)
	}
	// Segments that go without a checkpoint are missed.
	all, err := filepath.Glob(filepath.Join(l.Dir(), "*.jsonl"))
	if err != nil || len(all) < 1 {
		t.Fatal(all, err)
	}
	for i := range 100 {
		appendRows(t, l, sample(i))
	}
	if err := os.Remove(all[0]); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, l); r.Whole() {
		t.Errorf("%+v", r)
	}
}

// TestWeeks: a log of few rows is pruned too, because each week has segments of its
// own.
func TestWeeks(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	l := testLog(t, func(o *Options) { o.Now = func() time.Time { return now } })
	for range 200 {
		appendRows(t, l, sample(1))
		now = now.Add(24 * time.Hour)
	}
	r, err := l.Prune(t.Context(), now.Add(-90*24*time.Hour), false)
	if err != nil || r.Rows < 100 || r.Rows > 111 || r.Segments < 14 {
		t.Errorf("%+v, %v", r, err)
	}
	mustBeWhole(t, l)
}
