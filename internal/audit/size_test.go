package audit

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// TestManyRows holds how long a log of many rows takes to verify and to search: 20
// microseconds a row, which is 20 seconds for a million. HEED_AUDIT_ROWS says how
// many.
func TestManyRows(t *testing.T) {
	if testing.Short() {
		t.Skip("writes many rows: not in short mode")
	}
	n := 50_000
	if v, err := strconv.Atoi(os.Getenv("HEED_AUDIT_ROWS")); err == nil {
		n = v
	}
	l := testLog(t, func(o *Options) { o.SegmentBytes = 0 })
	const batch = 1000
	rows := samples(batch)
	took := func(what string, f func()) time.Duration {
		from := time.Now()
		f()
		d := time.Since(from)
		t.Logf("%-40s %8.3f s", what, d.Seconds())
		return d
	}
	took("appending by the thousand", func() {
		for range n / batch {
			appendRows(t, l, rows...)
		}
	})
	var r Report
	limit := time.Duration(n) * 20 * time.Microsecond
	if d := took("verifying", func() { r = mustBeWhole(t, l) }); d > limit && !raceDetector {
		t.Errorf("it takes %v, want at most %v", d, limit)
	}
	t.Logf("%d rows, %d segments, %.0f MB", r.Rows, r.Segments, float64(r.Bytes)/1e6)
	count := func(f Filter) int {
		got := 0
		for _, err := range l.Rows(t.Context(), f) {
			if err != nil {
				t.Fatal(err)
			}
			got++
		}
		return got
	}
	took("the last 50", func() { count(Filter{Last: 50}) })
	took("one session that is not there", func() { count(Filter{Session: "none"}) })
	took("a session of the last hour", func() { count(Filter{Session: "s1", Since: r.To.Time().Add(-time.Hour)}) })
	took("all that was denied", func() { count(Filter{Kinds: []Kind{Denied}}) })
	took("every row", func() {
		if got := count(Filter{}); got != int(r.Rows) {
			t.Errorf("%d rows of %d", got, r.Rows)
		}
	})
	took("one row by its number", func() {
		if _, err := l.Find(t.Context(), strconv.Itoa(n/2)); err != nil {
			t.Fatal(err)
		}
	})
	took("one more row", func() { appendRows(t, l, sample(1)) })
}

func BenchmarkAppend(b *testing.B) {
	l := testLog(b, func(o *Options) { o.SegmentBytes = 0 })
	for b.Loop() {
		appendRows(b, l, sample(1))
	}
}
