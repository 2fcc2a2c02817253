//go:build linux && (amd64 || arm64)

package preview

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/confine"
)

// BenchmarkBigTree changes one file in a tree of 100,000, from the plan to the finished
// difference, and reports the median and the slowest.
func BenchmarkBigTree(b *testing.B) {
	if s := confine.Probe(); s.Landlock < 6 || !s.Seccomp {
		b.Skipf("this kernel cannot confine: %+v", s)
	}
	home := b.TempDir()
	work := home + "/work"
	for d := range 100 {
		dir := fmt.Sprintf("%s/%d", work, d)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		for f := range 1000 {
			if err := os.WriteFile(fmt.Sprintf("%s/%d", dir, f), []byte("one\ntwo\n"), 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	l := DefaultLimits()
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		plan, err := NewPlan(&Where{Workspaces: []string{work}, Home: home})
		if err != nil {
			b.Fatal(err)
		}
		v, err := Run(&Command{Program: "/bin/sh", Argv: []string{"sh", "-c", "echo three >>50/500"}, Env: os.Environ(), Dir: work}, plan, &l)
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
		if len(v.Changes) != 1 || v.Changes[0].Diff == "" {
			b.Fatalf("%+v", v.Result)
		}
		if err := v.Close(); err != nil {
			b.Fatal(err)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "ms-slowest")
}
