package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A way is one way to run a command that does nothing.
type way struct {
	name, program string
	args          []string
}

// ways are those of one heed that are compared: the first is the one without a box.
func ways(heed string) []way {
	return []way{
		{"unconfined", heed, []string{"run", "--", "true"}},
		{"confined, nothing is granted", heed, []string{"run", "--confined", "--", "true"}},
		{"confined, one name is granted", heed, []string{"run", "--confined", "--", "touch", "made"}},
		{"profile build", heed, []string{"run", "--profile", "build", "--", "true"}},
	}
}

// least are the ways of a program that makes the least box there is (tools/bench/floor).
func least(floor string) []way {
	return []way{
		{"no box", floor, []string{"exec", "/bin/true"}},
		{"Landlock and seccomp, one rule", floor, []string{"box", "/bin/true"}},
		{"the same, and waits for its end", floor, []string{"child", "/bin/true"}},
	}
}

// A cost is what one run took.
type cost struct {
	wall, cpu time.Duration
	faults    float64
}

// confined measures what a box costs over `heed run` without one, for each heed, and what the
// least box costs, in turns. The home is not below /tmp: what stands beside it would be
// granted name by name.
func confined(runs int, floor string, programs []string) error {
	dir, err := os.MkdirTemp("/var/tmp", "heed-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if floor == "" {
		floor = filepath.Join(dir, "floor")
		if err := released(floor, "./tools/bench/floor"); err != nil {
			return err
		}
	}
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
	sets := [][]way{least(floor)}
	for _, p := range programs {
		sets = append(sets, ways(p))
	}
	took := make([][][]cost, len(sets))
	for i := range took {
		took[i] = make([][]cost, len(sets[i]))
	}
	for i := range runs {
		for turn := range sets {
			at := (turn + i) % len(sets)
			for j, w := range sets[at] {
				c, err := once(&w, home, work)
				if err != nil {
					return err
				}
				if i > 0 { // the first finds nothing in any cache
					took[at][j] = append(took[at][j], c)
				}
			}
		}
	}
	fmt.Printf("%d runs of each, in turns\n", runs-1)
	for at, set := range sets {
		fmt.Println(set[0].program)
		for j, w := range set {
			printOver(w.name, took[at][j], took[at][0])
		}
	}
	return nil
}

// printOver prints what runs cost over others, pair by pair: what the machine did in that
// turn met both.
func printOver(name string, of, than []cost) {
	var wall, first, over, cpu []time.Duration
	var faults []float64
	for i := range of {
		wall, first = append(wall, of[i].wall), append(first, than[i].wall)
		over = append(over, of[i].wall-than[i].wall)
		cpu = append(cpu, of[i].cpu-than[i].cpu)
		faults = append(faults, of[i].faults-than[i].faults)
	}
	// Where others use the machine, the fastest runs of each tell more than pairs do.
	fmt.Printf("  %-32s median %8s, over the first %8s (of the fastest tenth %8s), of the processors' time %8s, page faults %.0f\n",
		name, ms(quantile(wall, 0.5)), ms(quantile(over, 0.5)), ms(quantile(wall, 0.1)-quantile(first, 0.1)), ms(quantile(cpu, 0.5)), quantile(faults, 0.5))
}

// once runs one way and waits for its end.
func once(w *way, home, work string) (cost, error) {
	run := exec.Command(w.program, w.args...)
	run.Dir = work
	run.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "USER=u", "SHELL=/bin/bash"}
	var errs bytes.Buffer
	run.Stderr = &errs
	began := time.Now()
	err := run.Run()
	c := cost{wall: time.Since(began)}
	if err != nil {
		return c, fmt.Errorf("%s %s: %w: %s", w.program, strings.Join(w.args, " "), err, strings.TrimSpace(errs.String()))
	}
	c.cpu = run.ProcessState.UserTime() + run.ProcessState.SystemTime()
	if u, ok := run.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.faults = float64(u.Minflt)
	}
	return c, nil
}
