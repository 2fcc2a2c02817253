package audit

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func background() context.Context { return context.Background() }

// self starts this test binary in a role.
func self(role, dir string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "HEED_AUDIT_ROLE="+role, "HEED_AUDIT_DIR="+dir)
	return c
}

// said is what a writer prints, and when it begins to.
type said struct {
	bytes.Buffer
	first chan struct{}
}

func (s *said) Write(p []byte) (int, error) {
	if s.Len() == 0 && len(p) > 0 {
		close(s.first)
	}
	return s.Buffer.Write(p)
}

// TestKilledWriters lets eight writers append at once, kills each with SIGKILL at
// random points and starts another, and looks for all that was acknowledged.
// HEED_AUDIT_SECONDS says for how long.
func TestKilledWriters(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts and kills programs for seconds: not in short mode")
	}
	seconds := 4
	if n, err := strconv.Atoi(os.Getenv("HEED_AUDIT_SECONDS")); err == nil {
		seconds = n
	}
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	dir := filepath.Join(t.TempDir(), "heed", "log")
	var (
		all   sync.WaitGroup
		mu    sync.Mutex
		acked []Head
		kills int
	)
	for n := range 8 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(n), 1))
			enough := func() bool {
				mu.Lock()
				defer mu.Unlock()
				return len(acked) >= 20 && kills >= 20 || time.Now().After(end.Add(2*time.Minute))
			}
			for time.Now().Before(end) || !enough() {
				role := "writer"
				if random.IntN(4) == 0 {
					role = "slow writer"
				}
				c := self(role, dir)
				var errs bytes.Buffer
				out := said{first: make(chan struct{})}
				c.Stdout, c.Stderr = &out, &errs
				if err := c.Start(); err != nil {
					t.Error(err)
					return
				}
				if random.IntN(2) == 0 { // some are killed before they have written, whatever the machine does beside
					select {
					case <-out.first:
					case <-time.After(20 * time.Second):
					}
				}
				time.Sleep(time.Duration(20+random.IntN(200)) * time.Millisecond)
				_ = c.Process.Kill()
				_ = c.Wait() // it was killed
				if errs.Len() > 0 {
					t.Errorf("a writer says: %s", errs.String())
				}
				mu.Lock()
				kills++
				for line := range strings.Lines(out.String()) {
					if h, err := ParseHead(line); err == nil && strings.HasSuffix(line, "\n") {
						acked = append(acked, h)
					}
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	l, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Append(t.Context(), sample(1)); err != nil {
		t.Fatal(err)
	}
	found := map[Head]bool{}
	torn := 0
	for r, err := range l.Rows(t.Context(), Filter{}) {
		if err != nil {
			t.Error(err)
		}
		if r.Torn != nil {
			torn++
		}
		found[Head{r.Seq, r.Hash}] = true
	}
	for _, h := range acked {
		if !found[h] {
			t.Errorf("row %d was acknowledged, and is lost", h.Seq)
		}
	}
	r := mustBeWhole(t, l)
	if r.Torn != torn {
		t.Errorf("%d places are torn, and Verify found %d", torn, r.Torn)
	}
	if len(acked) < 20 || kills < 20 {
		t.Errorf("only %d rows and %d kills", len(acked), kills)
	}
	t.Logf("%d s, 8 writers, %d kills, %d rows acknowledged, %d in the log, %d torn, 0 lost", seconds, kills, len(acked), r.Rows, torn)
}

// TestWritersOfOneProcess lets goroutines write through one log.
func TestWritersOfOneProcess(t *testing.T) {
	t.Parallel()
	l := testLog(t, func(o *Options) { o.SegmentBytes, o.Wait, o.Now = 32<<10, 30*time.Second, nil })
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 50 {
				if _, err := l.Append(t.Context(), sample(i)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if r := mustBeWhole(t, l); r.Rows != 401 {
		t.Errorf("%d rows", r.Rows)
	}
}
