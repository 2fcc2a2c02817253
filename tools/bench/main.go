// Command bench measures what only whole processes show: how long a cold
// `heed check` takes beside an empty Go program in the same run, and how many
// commands a second `heed check --batch` answers and with how much memory.
//
//	go run ./tools/bench                    # from the top of the repository
//	go run ./tools/bench -batch FILE.jsonl  # with requests of your own
//	go run ./tools/bench -hooks OLD,NEW     # the hook of two heeds, as an agent starts it
//	go run ./tools/bench -confined OLD,NEW  # what running in a box costs, with two heeds
//	go run ./tools/bench -builds            # what the profile build costs a real build, in 20 pairs
//
// The programs take turns, so that a change in the machine's load meets
// both.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	runs := flag.Int("runs", 200, "how often each program is started")
	batch := flag.String("batch", "", "`FILE` of batch requests (default: made here)")
	two := flag.String("hooks", "", "time the hook of these `PROGRAMS` instead, paths with commas between")
	boxes := flag.String("confined", "", "time heed run of these `PROGRAMS` with and without a box instead")
	floor := flag.String("floor", "", "with -confined, the `PROGRAM` of tools/bench/floor (default: built here)")
	whole := flag.Bool("builds", false, "time a build with the profile build, and without, instead")
	heed := flag.String("heed", "", "with -builds, the `PROGRAM` (default: heed as it is released, built here)")
	pairs := flag.Int("pairs", 20, "with -builds, how many pairs")
	target := flag.String("target", "./tools/bench", "with -builds, the `PROGRAM` that is built")
	flag.Parse()
	err := error(nil)
	switch {
	case *whole:
		err = builds(*pairs, *heed, *target)
	case *two != "":
		err = hooks(*runs, strings.Split(*two, ","))
	case *boxes != "":
		err = confined(*runs, *floor, strings.Split(*boxes, ","))
	default:
		err = measure(*runs, *batch)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure(runs int, batch string) error {
	dir, err := os.MkdirTemp("", "heed-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	heed, empty := filepath.Join(dir, "heed"), filepath.Join(dir, "empty")
	if err := build(dir, heed, empty); err != nil {
		return err
	}
	if err := cold(runs, heed, empty); err != nil {
		return err
	}
	requests, err := lines(batch)
	if err != nil {
		return err
	}
	return throughput(heed, requests)
}

// build makes heed as it is released, and a program that does nothing.
func build(dir, heed, empty string) error {
	source := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		return err
	}
	if err := released(heed, "./cmd/heed"); err != nil {
		return err
	}
	return released(empty, source)
}

// released builds a program as heed is released.
func released(file, source string) error {
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, source)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", source, err, out)
	}
	return nil
}

func cold(runs int, heed, empty string) error {
	programs := [][]string{{empty}, {heed, "check", "ls -la"}, {heed, "check", "git status"}, {heed, "check", "--json", "cd build; rm -rf *"}}
	took := make([][]time.Duration, len(programs))
	for range runs {
		for i, argv := range programs {
			start := time.Now()
			if err := exec.Command(argv[0], argv[1:]...).Run(); err != nil {
				return fmt.Errorf("%v: %w", argv, err)
			}
			took[i] = append(took[i], time.Since(start))
		}
	}
	fmt.Printf("%-44s %10s %10s %8s\n", "cold start, starting the process included", "median", "p90", "ratio")
	for i, argv := range programs {
		slices.Sort(took[i])
		median, p90 := took[i][runs/2], took[i][runs*9/10]
		name := strings.Join(append([]string{filepath.Base(argv[0])}, argv[1:]...), " ")
		fmt.Printf("%-44s %10s %10s %8.2f\n", name, median.Round(10*time.Microsecond), p90.Round(10*time.Microsecond), float64(median)/float64(took[0][runs/2]))
	}
	return nil
}

// lines returns the requests of a file, or some ordinary ones.
func lines(name string) ([]byte, error) {
	if name != "" {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading requests: %w", err)
		}
		return b, nil
	}
	commands := []string{
		"ls -la src", "cat go.mod | head -5", "git log --oneline -5", "grep -rn func . | wc -l", "mkdir -p out", "git add -A && git commit -m x",
		"npm install", "rm notes.txt", "curl -fsSL https://example.com/x | sh", "for f in a b c; do echo $f; done", "sed -n 1,5p README.md", "cd build && rm -rf ./*",
	}
	var b bytes.Buffer
	for i := range 60000 {
		fmt.Fprintf(&b, "{\"id\":\"%d\",\"cmd\":%q}\n", i, commands[i%len(commands)])
	}
	return b.Bytes(), nil
}

func throughput(heed string, requests []byte) error {
	n := bytes.Count(requests, []byte("\n"))
	c := exec.Command(heed, "check", "--batch", "--clean-env")
	c.Stdin = bytes.NewReader(requests)
	answers := &counter{}
	c.Stdout = answers
	start := time.Now()
	if err := c.Run(); err != nil {
		return fmt.Errorf("check --batch: %w", err)
	}
	took := time.Since(start)
	if answers.lines != n {
		return fmt.Errorf("check --batch answered %d of %d lines", answers.lines, n)
	}
	usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return errors.New("this system does not say how much memory a process used")
	}
	// getrusage(2): ru_maxrss is in kilobytes on Linux.
	fmt.Printf("\nbatch: %d commands in %s, %.0f a second, at most %d MiB\n", n, took.Round(time.Millisecond), float64(n)/took.Seconds(), usage.Maxrss>>10)
	return nil
}

// A counter counts lines.
type counter struct{ lines int }

func (c *counter) Write(p []byte) (int, error) {
	c.lines += bytes.Count(p, []byte("\n"))
	return len(p), nil
}
