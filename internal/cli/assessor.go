package cli

import (
	"time"

	"github.com/heedsh/heed/internal/assess"
)

// newAssessor returns the assessor of this process: heed's own knowledge and
// what the person has added to it.
func newAssessor(s Streams) *assess.Assessor {
	return assess.New(specDirs(s.Env)...).With(assess.Detectors{Clock: monotonic()})
}

// monotonic returns a clock that counts nanoseconds from now on.
func monotonic() func() int64 {
	start := time.Now()
	return func() int64 { return int64(time.Since(start)) }
}
