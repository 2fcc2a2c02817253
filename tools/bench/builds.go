package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// builds measures what the profile build costs a real build with an empty build cache, over
// `heed run` without a box, in pairs of which now one and now the other goes first.
func builds(pairs int, heed, target string) error {
	if pairs < 1 {
		return errors.New("-pairs: want one or more")
	}
	dir, err := os.MkdirTemp("/var/tmp", "heed-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return fmt.Errorf("asking go where modules are: %w", err)
	}
	if heed == "" {
		heed = filepath.Join(dir, "heed")
		err = released(heed, "./cmd/heed")
	} else {
		heed, err = filepath.Abs(heed)
	}
	if err != nil {
		return err
	}
	env := []string{
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "USER=u", "SHELL=/bin/bash", "GOMODCACHE=" + strings.TrimSpace(string(modules)),
		"GOFLAGS=-trimpath -buildvcs=false", "GOPROXY=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0",
	}
	out := filepath.Join(dir, "out")
	var free, boxed []cost
	for i := range pairs + 1 {
		var pair [2]cost
		for turn := range 2 {
			at := (turn + i) % 2
			if err := emptied(filepath.Join(dir, ".cache"), out); err != nil {
				return err
			}
			args := []string{"run", "--workspace", out, "--", "go", "build", "-o", out + "/", target}
			if at == 1 {
				args = slices.Insert(args, 1, "--profile", "build")
			}
			if pair[at], err = build1(heed, args, env); err != nil {
				return err
			}
		}
		if i == 0 {
			continue // the first finds nothing in any cache of the machine's either
		}
		free, boxed = append(free, pair[0]), append(boxed, pair[1])
		fmt.Printf("%2d: unconfined %6.2f s, profile build %6.2f s, %+.2f %%; of the processors' time %+.2f %%\n", i, pair[0].wall.Seconds(), pair[1].wall.Seconds(),
			100*more(pair[1].wall, pair[0].wall), 100*more(pair[1].cpu, pair[0].cpu))
	}
	var wall, cpu []float64
	for i := range free {
		wall, cpu = append(wall, more(boxed[i].wall, free[i].wall)), append(cpu, more(boxed[i].cpu, free[i].cpu))
	}
	fmt.Printf("go build %s, %d pairs: median over unconfined %+.2f %% (quarters %+.2f and %+.2f), of the processors' time %+.2f %%\n", target, pairs,
		100*quantile(wall, 0.5), 100*quantile(wall, 0.25), 100*quantile(wall, 0.75), 100*quantile(cpu, 0.5))
	return nil
}

// more is how much more one duration is than another, as a part of that.
func more(a, than time.Duration) float64 { return float64(a)/float64(than) - 1 }

// emptied makes these directories anew.
func emptied(dirs ...string) error {
	for _, d := range dirs {
		if err := os.RemoveAll(d); err != nil {
			return err
		}
		if err := os.Mkdir(d, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// build1 runs heed once.
func build1(heed string, args, env []string) (cost, error) {
	run := exec.Command(heed, args...)
	run.Env = env
	var errs bytes.Buffer
	run.Stderr = &errs
	began := time.Now()
	err := run.Run()
	c := cost{wall: time.Since(began)}
	// A refusal would be a build that does less.
	if err != nil || strings.Contains(errs.String(), "heed run: ") {
		return c, fmt.Errorf("heed %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(errs.String()))
	}
	c.cpu = run.ProcessState.UserTime() + run.ProcessState.SystemTime()
	return c, nil
}
