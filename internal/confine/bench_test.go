//go:build linux && (amd64 || arm64)

package confine_test

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/confine/grant"
)

// BenchmarkOverhead starts /bin/true by turns without a box, in one without namespaces
// and in one with them, and reports the medians of what each takes more.
func BenchmarkOverhead(b *testing.B) {
	if s := confine.Probe(); s.Landlock < 6 || !s.Seccomp {
		b.Skipf("this kernel cannot confine: %+v", s)
	}
	home, work := b.TempDir(), b.TempDir()
	least := grant.Least(grant.Where{Home: home, Workspaces: []string{work}, Secrets: confine.Secrets(home)})
	wide := least
	wide.Write, wide.Net, wide.Sockets = []string{work}, grant.AnyNet, true
	box := func(g grant.Grant) func() error {
		return func() error {
			bx := confine.Box{Grant: g, Refused: func(confine.Refusal) {}}
			_, err := bx.Run(&confine.Command{Program: "/bin/true", Argv: []string{"true"}, Env: os.Environ(), Dir: work, Home: home})
			return err
		}
	}
	ways := []func() error{func() error { return exec.Command("/bin/true").Run() }, box(least), box(wide)}
	took := make([][]time.Duration, len(ways))
	for b.Loop() {
		for i, way := range ways {
			start := time.Now()
			if err := way(); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], time.Since(start))
		}
	}
	var median [3]time.Duration
	for i := range took {
		slices.Sort(took[i])
		median[i] = took[i][len(took[i])/2]
	}
	b.ReportMetric(float64(median[0].Microseconds())/1000, "ms-free")
	b.ReportMetric(float64((median[1]-median[0]).Microseconds())/1000, "ms-more-safe")
	b.ReportMetric(float64((median[2]-median[0]).Microseconds())/1000, "ms-more-namespaces")
}
