package audit

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/risk"
)

// BenchmarkAssessedRow is what a hook does for its row before it is written.
func BenchmarkAssessedRow(b *testing.B) {
	req := risk.Request{Command: "cd build && rm -rf ./* && git push origin main", Dir: "/home/u/p", Env: map[string]string{"PATH": "/bin", "GITHUB_TOKEN": "hunter2hunter2"}, Agent: "a", Session: "s"}
	a := risk.Assessment{Tier: risk.Review, Summary: strings.Repeat("x", 100), Command: req.Command}
	for range 5 {
		a.Invocations = append(a.Invocations, risk.Invocation{Argv: []string{"rm", "-rf", "./a", "./b"}, Dir: "/home/u/p/build"})
		a.Effects = append(a.Effects, risk.Effect{Target: "/home/u/p/build/a", Program: "rm"})
	}
	for b.Loop() {
		r, err := AssessedRow(&req, &a, true)
		if err == nil {
			_, err = fit(r)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// TestHugeCommand: a command of a megabyte is searched for secrets in bounded
// time, and only as much of it as is kept.
func TestHugeCommand(t *testing.T) {
	t.Parallel()
	req := risk.Request{Command: strings.Repeat(`A=b --password x "y": 'z' `, 50_000)}
	r, err := AssessedRow(&req, &risk.Assessment{Command: req.Command}, true)
	if err == nil {
		r, err = fit(r)
	}
	if err != nil || r.Whole != nil || len(r.Command) > maxCommand {
		t.Errorf("%d bytes, %v", len(r.Command), err)
	}
}
