package heed_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/heedsh/heed"
	"github.com/heedsh/heed/internal/eval"
	"github.com/heedsh/heed/risk"
	"github.com/heedsh/heed/tools/bench/typical"
)

// BenchmarkAssess answers the typical commands in a small repository and
// reports the median and the 99th percentile of single answers.
func BenchmarkAssess(b *testing.B) {
	dir, env := repository(b, 60)
	engine := heed.New(heed.Options{})
	commands := typical.Commands()
	took := make([]time.Duration, 0, 1<<16)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		start := time.Now()
		assess(b, engine, commands[i%len(commands)], dir, env)
		if len(took) < cap(took) {
			took = append(took, time.Since(start))
		}
		i++
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// suites are the labelled commands; they are no part of this repository.
const suites = "../shared/eval"

// BenchmarkDev answers each labelled command once in the fixture world, as
// `heed eval` does, and reports the median and the 99th percentile.
func BenchmarkDev(b *testing.B) {
	files, _ := filepath.Glob(filepath.Join(suites, "dev", "*.jsonl"))
	if len(files) == 0 {
		b.Skip("there are no labelled commands beside this repository")
	}
	dir := b.TempDir()
	if out, err := exec.Command("bash", filepath.Join(suites, "world.sh"), dir).CombinedOutput(); err != nil {
		b.Fatalf("making the fixture world: %v\n%s", err, out)
	}
	home := filepath.Join(dir, "home", "user")
	project := filepath.Join(home, "project")
	env := map[string]string{"HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin", "USER": "user", "LANG": "C.UTF-8"}
	var cases []eval.Case
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		more, err := eval.Read(f, name)
		f.Close()
		if err != nil {
			b.Fatal(err)
		}
		cases = append(cases, more...)
	}
	engine := heed.New(heed.Options{})
	var took []time.Duration
	for b.Loop() {
		took = took[:0]
		for i := range cases {
			at := project
			if cases[i].Dir != nil {
				at = *cases[i].Dir
			}
			start := time.Now()
			_, _ = engine.Assess(context.Background(), risk.Request{Command: cases[i].Cmd, Shell: cases[i].Shell, Dir: at, Env: env})
			took = append(took, time.Since(start))
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkParallel is BenchmarkAssess on all processors, as check --batch
// works: what is reported is the throughput.
func BenchmarkParallel(b *testing.B) {
	dir, env := repository(b, 60)
	engine := heed.New(heed.Options{})
	commands := typical.Commands()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			assess(b, engine, commands[i%len(commands)], dir, env)
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commands/s")
}

// BenchmarkRepo asks what would be lost in repositories of different sizes.
// Every answer comes from a new engine, as in a process of its own: nothing is
// cached but by the kernel.
func BenchmarkRepo(b *testing.B) {
	for _, files := range []int{3000, 100000} {
		b.Run(fmt.Sprintf("files=%d", files), func(b *testing.B) {
			if testing.Short() {
				b.Skip("makes a large repository: not in short mode")
			}
			dir, env := repository(b, files)
			for _, command := range []string{"git reset --hard", "git clean -fd", "rm -rf node_modules"} {
				b.Run(strings.ReplaceAll(command, " ", "_"), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						assess(b, heed.New(heed.Options{}), command, dir, env)
					}
				})
			}
		})
	}
}

// hostile returns inputs of a size that no person writes, each of which is
// meant to take more than linear time.
func hostile(size int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	return map[string]string{
		"substitutions": "echo " + fill("$("),
		"closed":        "echo " + strings.Repeat("$(", size/3) + strings.Repeat(")", size/3),
		"braces":        "echo " + fill("{a,b}"),
		"nestedBraces":  "echo " + strings.Repeat("{a,", size/4) + strings.Repeat("}", size/4),
		"quotes":        "echo " + fill(`"'`),
		"backquotes":    "echo " + fill("`\\"),
		"pipes":         "a" + fill("|a"),
		"ands":          "a" + fill("&&a"),
		"subshells":     fill("("),
		"heredocs":      fill("cat <<E;"),
		"globs":         "rm " + fill("*/"),
		"arithmetic":    "echo $((" + fill("1+") + "1))",
		"words":         "rm" + fill(" a"),
		"functions":     fill("f(){ f|f& };f;"),
	}
}

// review lists the hostile inputs that must end in REVIEW; the others are long
// but can be understood.
func review() []string {
	return []string{"substitutions", "closed", "braces", "nestedBraces", "quotes", "backquotes", "pipes", "ands", "subshells", "heredocs", "functions"}
}

// BenchmarkHostile answers 1 MiB of each hostile input.
func BenchmarkHostile(b *testing.B) {
	dir, env := repository(b, 10)
	engine := heed.New(heed.Options{})
	inputs := hostile(1 << 20)
	for _, name := range sorted(inputs) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a := assess(b, engine, inputs[name], dir, env)
				if slices.Contains(review(), name) && a.Tier != risk.Review {
					b.Fatalf("%s: %s", a.Tier, a.Summary)
				}
			}
		})
	}
}

// TestHostile answers the hostile inputs: what cannot be inspected is REVIEW.
func TestHostile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	engine := heed.New(heed.Options{})
	size := 1 << 20
	if testing.Short() {
		size = 1 << 14
	}
	for name, command := range hostile(size) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := assess(t, engine, command, dir, map[string]string{"HOME": dir, "PATH": "/usr/bin:/bin"})
			if a.Error != "" {
				t.Errorf("a fault: %s", a.Error)
			}
			if slices.Contains(review(), name) && a.Tier != risk.Review {
				t.Errorf("%s: %s", a.Tier, a.Summary)
			}
		})
	}
}

func assess(tb testing.TB, engine *heed.Engine, command, dir string, env map[string]string) risk.Assessment {
	a, err := engine.Assess(context.Background(), risk.Request{Command: command, Dir: dir, Env: env})
	if err != nil {
		tb.Error(err)
	}
	return a
}

// repository makes a git work tree with so many tracked files.
func repository(tb testing.TB, files int) (dir string, env map[string]string) {
	tb.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		tb.Skipf("makes a repository: %v", err)
	}
	home := tb.TempDir()
	dir, err := typical.Repository(home, files)
	if err != nil {
		tb.Fatal(err)
	}
	return dir, typical.Env(home)
}

func sorted(m map[string]string) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
