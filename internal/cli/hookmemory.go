package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// hookMemory is how much memory a hook may have in use, in bytes. A line that would take
// more waits for a person: a process that the system kills for its memory answers nothing,
// which some agents take for leave.
const hookMemory = 1 << 30

// hookLook is how often it is looked at.
const hookLook = 25 * time.Millisecond

// greedy is the cause where a line takes more memory than a hook may have.
type greedy struct{ limit uint64 }

func (g *greedy) Error() string {
	return fmt.Sprintf("judging it takes more than %d MiB of memory", g.limit>>20)
}

// sparing has the collector keep below what a hook may have, unless somebody has said
// otherwise.
func sparing(getenv func(string) string) {
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(hookMemory * 3 / 4)
	}
}

// spared is done, and says why, as soon as more memory than the limit is in use; never if
// that is 0. stop ends the looking.
func spared(ctx context.Context, limit uint64) (watched context.Context, stop func()) {
	watched, cancel := context.WithCancelCause(ctx)
	if limit == 0 {
		return watched, func() { cancel(nil) }
	}
	go func() {
		var in runtime.MemStats // package metrics works before main, in every heed
		tick := time.NewTicker(hookLook)
		defer tick.Stop()
		for {
			select {
			case <-watched.Done():
				return
			case <-tick.C:
			}
			if runtime.ReadMemStats(&in); in.HeapAlloc > limit {
				cancel(&greedy{limit})
				return
			}
		}
	}()
	return watched, func() { cancel(nil) }
}
