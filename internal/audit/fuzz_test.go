package audit

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzDamagedLog reads a segment and a head file that hold anything. What is not
// whole must not be written to, what was whole before must be found, and nothing
// may go on for ever.
func FuzzDamagedLog(f *testing.F) {
	l := testLog(f)
	appendRows(f, l, samples(3)...)
	segment, err := os.ReadFile(filepath.Join(l.Dir(), segmentName(1)))
	if err != nil {
		f.Fatal(err)
	}
	head, err := os.ReadFile(filepath.Join(l.Dir(), headName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(segment, head)
	f.Add(segment, []byte{})
	f.Add(segment[:len(segment)-7], []byte{})
	f.Add(append(bytes.Clone(segment), "{\"torn\":{\n"...), head)
	f.Add(bytes.Replace(segment, []byte("rm -rf"), []byte("rm -rg"), 1), []byte{})
	f.Add([]byte("\n\n{\"\"hash\":\""), []byte("heed-log-head/1 1:"))
	f.Fuzz(func(t *testing.T, text, head []byte) {
		l := testLog(t)
		if err := os.MkdirAll(l.Dir(), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string][]byte{segmentName(1): text, headName: head} {
			if err := os.WriteFile(filepath.Join(l.Dir(), name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		before, err := l.Verify(t.Context(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for _, err := range l.Rows(t.Context(), Filter{}) {
			if err == nil {
				rows++
			}
		}
		if rows > int(before.Rows) {
			t.Fatalf("%d rows are read, and %d verified", rows, before.Rows)
		}
		r, err := l.Append(t.Context(), sample(1))
		now, rerr := os.ReadFile(filepath.Join(l.Dir(), segmentName(1)))
		if rerr != nil || !bytes.HasPrefix(now, text) {
			t.Fatalf("what was there is changed: %v", rerr)
		}
		if err != nil {
			if !bytes.Equal(now, text) {
				t.Fatalf("it is written to, with %v", err)
			}
			if m, err := l.Mend(t.Context()); err == nil {
				if r, err = l.Append(t.Context(), sample(1)); err != nil || r.Seq != m.Seq+1 {
					t.Fatalf("mended with row %d: %+v, %v", m.Seq, r, err)
				}
			}
			return
		}
		if got, err := l.Find(t.Context(), r.ID); err != nil || got.Hash != r.Hash {
			t.Fatalf("%+v, %v", got, err)
		}
	})
}
