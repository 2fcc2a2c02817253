package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A way is one way to run a command that does nothing.
type way struct {
	name string
	args []string
}

// ways are those that are compared: the first is the one without a box.
func ways() []way {
	return []way{
		{"unconfined", []string{"run", "--", "true"}},
		{"confined, nothing is granted", []string{"run", "--confined", "--", "true"}},
		{"confined, one name is granted", []string{"run", "--confined", "--", "touch", "made"}},
		{"profile build", []string{"run", "--profile", "build", "--", "true"}},
	}
}

// confined measures what a box costs over `heed run` without one, for each heed, in turns.
// The home is not below /tmp: what stands beside it would be granted name by name.
func confined(runs int, programs []string) error {
	dir, err := os.MkdirTemp("/var/tmp", "heed-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	home := filepath.Join(dir, "home")
	work := filepath.Join(home, "work")
	for _, d := range []string{work, filepath.Join(home, ".ssh"), filepath.Join(home, ".cache")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	for _, f := range []string{filepath.Join(home, ".bashrc"), filepath.Join(home, ".ssh", "id_ed25519"), filepath.Join(work, ".env")} {
		if err := os.WriteFile(f, []byte("x\n"), 0o600); err != nil {
			return err
		}
	}
	if out, err := exec.Command("git", "init", "-q", work).CombinedOutput(); err != nil {
		return fmt.Errorf("making a repository: %w: %s", err, out)
	}
	took := make([][][]time.Duration, len(programs))
	for i := range took {
		took[i] = make([][]time.Duration, len(ways()))
	}
	for i := range runs {
		for turn := range programs {
			at := (turn + i) % len(programs)
			for j, w := range ways() {
				d, err := once(programs[at], w.args, home, work)
				if err != nil {
					return err
				}
				if i > 0 { // the first finds nothing in any cache
					took[at][j] = append(took[at][j], d)
				}
			}
		}
	}
	fmt.Printf("%d runs of each, in turns\n", runs-1)
	for at, program := range programs {
		fmt.Println(program)
		for j, w := range ways() {
			// Pair by pair: what the machine did in that turn met both.
			over := make([]time.Duration, len(took[at][j]))
			for i := range over {
				over[i] = took[at][j][i] - took[at][0][i]
			}
			fmt.Printf("  %-32s median %8s, over unconfined %8s (fastest tenth %s)\n", w.name, ms(quantile(took[at][j], 0.5)), ms(quantile(over, 0.5)), ms(quantile(over, 0.1)))
		}
	}
	return nil
}

// once runs one way and waits for its end.
func once(program string, args []string, home, work string) (time.Duration, error) {
	run := exec.Command(program, args...)
	run.Dir = work
	run.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "USER=u", "SHELL=/bin/bash"}
	var errs bytes.Buffer
	run.Stderr = &errs
	began := time.Now()
	err := run.Run()
	d := time.Since(began)
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, strings.TrimSpace(errs.String()))
	}
	return d, nil
}
