//go:build linux && (amd64 || arm64)

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A row is one command of a file.
type row struct {
	Cmd   string  `json:"cmd"`
	Shell string  `json:"shell"`
	Cwd   *string `json:"cwd"`
	Setup string  `json:"setup"`
}

// A job is what is told to the process that becomes a room.
type job struct {
	Row   row    `json:"row"`
	Heed  string `json:"heed"`
	World string `json:"world"`
	Least bool   `json:"least"`
}

// A result is what it answers.
type result struct {
	// Skip says why nothing was compared, "" where something was.
	Skip string `json:"skip,omitempty"`
	// Differs says how the two runs differ, "" where they do not.
	Differs string `json:"differs,omitempty"`
	// Free and Boxed are the canaries that tripped.
	Free  []string `json:"free,omitempty"`
	Boxed []string `json:"boxed,omitempty"`
}

// longest is how long one room may last.
const longest = 90 * time.Second

func main() {
	if len(os.Args) == 2 {
		switch os.Args[1] {
		case roomArg:
			exit(room())
		case leastArg:
			os.Exit(least())
		}
	}
	var j job
	var workers int
	flag.StringVar(&j.Heed, "heed", "", "`PROGRAM` to run commands with")
	flag.StringVar(&j.World, "world", "", "`SCRIPT` that makes a world")
	flag.BoolVar(&j.Least, "least", false, "run everything with what SAFE is granted, and watch canaries")
	flag.IntVar(&workers, "workers", 2, "how many run at once")
	flag.Parse()
	ok, err := compare(context.Background(), j, flag.Args(), workers)
	if err == nil && !ok {
		os.Exit(1)
	}
	exit(err)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "refusals:", err)
		os.Exit(2)
	}
	os.Exit(0)
}

// compare runs the commands of all files and prints what differs.
func compare(ctx context.Context, j job, files []string, workers int) (ok bool, err error) {
	for _, p := range []*string{&j.Heed, &j.World} {
		if *p, err = filepath.Abs(*p); err != nil {
			return false, err
		}
	}
	var rows []row
	for _, f := range files {
		more, err := read(f)
		if err != nil {
			return false, err
		}
		rows = append(rows, more...)
	}
	t := tally{skipped: map[string]int{}}
	jobs := make(chan row)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for r := range jobs {
				one := j
				one.Row = r
				t.add(&r, one.try(ctx))
			}
		})
	}
	for _, r := range rows {
		jobs <- r
	}
	close(jobs)
	wg.Wait()
	return t.print(j.Least), nil
}

// read takes the commands of a file, those of a directory of their own left out.
func read(file string) (rows []row, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("reading commands: %w", err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		var r row
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("reading commands of %s: %w", file, err)
		}
		if r.Cwd == nil {
			rows = append(rows, r)
		}
	}
	return rows, s.Err()
}

// try runs a job in a room of its own.
func (j *job) try(ctx context.Context) (r result) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	text, err := json.Marshal(j)
	if err != nil {
		return result{Skip: "not run: " + err.Error()}
	}
	c := exec.CommandContext(ctx, "/proc/self/exe", roomArg)
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
		Pdeathsig:  syscall.SIGKILL, Setsid: true,
	}
	c.WaitDelay = time.Second
	c.Stdin = bytes.NewReader(text)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err = c.Run()
	if ctx.Err() != nil {
		return result{Skip: "not run: took too long"}
	}
	if err = errors.Join(err, json.Unmarshal(out.Bytes(), &r)); err != nil {
		return result{Skip: fmt.Sprintf("not run: %v: %s", err, bytes.TrimSpace(errs.Bytes()))}
	}
	return r
}

// A tally counts results.
type tally struct {
	mu                          sync.Mutex
	skipped                     map[string]int
	n, differ, tripped, unboxed int
}

func (t *tally) add(r *row, got result) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if got.Skip != "" {
		t.skipped[got.Skip]++
		return
	}
	t.n++
	if len(got.Free) > 0 {
		t.unboxed++
	}
	if len(got.Boxed) > 0 {
		t.tripped++
		fmt.Printf("%q\n\ttripped %q\n", r.Cmd, got.Boxed)
	}
	if got.Differs != "" {
		t.differ++
		fmt.Printf("%q\n\t%s\n", r.Cmd, got.Differs)
	}
}

// print prints the counts and reports whether all was well.
func (t *tally) print(least bool) bool {
	for why, n := range t.skipped {
		fmt.Printf("left out: %d %s\n", n, why)
	}
	if least {
		fmt.Printf("%d run; a canary tripped without a box for %d, in a box with what SAFE is granted for %d\n", t.n, t.unboxed, t.tripped)
	} else {
		fmt.Printf("%d compared, %d differ (%.2f %%)\n", t.n, t.differ, 100*float64(t.differ)/float64(max(t.n, 1)))
	}
	return t.n > 0 && t.differ+t.tripped == 0
}
