// Command pair measures how long the library takes for a command beside what
// other trees of heed take for it.
//
//	git worktree add --detach /tmp/before COMMIT
//	go run ./tools/bench/pair -beside /tmp/before
//	go run ./tools/bench/pair -beside /tmp/before -world DIR -rounds 5 suites/*.jsonl
//
// The trees' programs run at once and take turns, each answering some
// commands, so that a change in the machine's load meets all. Of all runs of a
// command the fastest fifth counts: what other programs took away is no matter
// of heed's. Without files it measures the typical commands in a small
// repository that it makes; with files, labelled commands in the work tree
// DIR/home/user/project, as `heed eval` does.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/eval"
	"github.com/heedsh/heed/tools/bench/typical"
)

// A turn is some commands that a worker answers before the other has its turn.
type turn struct {
	Requests []request         `json:"requests"`
	Env      map[string]string `json:"env"`
}

type request struct {
	Cmd   string `json:"cmd"`
	Shell string `json:"shell,omitempty"`
	Dir   string `json:"dir"`
}

// atOnce is how many commands make a turn: a few milliseconds.
const atOnce = 50

func main() {
	beside := flag.String("beside", "", "the other `TREES`, with commas between them")
	rounds := flag.Int("rounds", 1200, "how often each command is answered")
	each := flag.Bool("each", false, "print a line for each command")
	world := flag.String("world", "", "the fixture world, with files of labelled commands: `DIR`")
	flag.Parse()
	if err := measure(*beside, *world, *rounds, *each, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "pair:", err)
		os.Exit(1)
	}
}

func measure(beside, world string, rounds int, each bool, files []string) error {
	if beside == "" {
		return errors.New("which tree is to be compared? -beside TREE")
	}
	scratch, err := os.MkdirTemp("", "heed-pair-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	t, err := commands(scratch, world, files)
	if err != nil {
		return err
	}
	trees := append([]string{"."}, strings.Split(beside, ",")...)
	var workers []*worker
	for i, tree := range trees {
		w, err := start(tree, filepath.Join(scratch, fmt.Sprint("worker", i)))
		if err != nil {
			return err
		}
		defer w.stop()
		workers = append(workers, w)
	}
	took, err := race(workers, t, rounds)
	if err != nil {
		return err
	}
	fmt.Printf("%d commands, %d runs each\n", len(t.Requests), rounds)
	for i := 1; i < len(trees); i++ {
		fmt.Println("beside", trees[i])
		report(t, [2][][]int64{took[0], took[i]}, each)
	}
	return nil
}

// commands returns what is measured: the typical commands, or those of files.
func commands(scratch, world string, files []string) (turn, error) {
	if len(files) == 0 {
		dir, err := typical.Repository(scratch, 60)
		if err != nil {
			return turn{}, err
		}
		t := turn{Env: typical.Env(scratch)}
		for _, c := range typical.Commands() {
			t.Requests = append(t.Requests, request{Cmd: c, Dir: dir})
		}
		return t, nil
	}
	home := filepath.Join(world, "home", "user")
	t := turn{Env: typical.Env(home)}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return turn{}, err
		}
		cases, err := eval.Read(f, name)
		_ = f.Close()
		if err != nil {
			return turn{}, err
		}
		for _, c := range cases {
			r := request{Cmd: c.Cmd, Shell: c.Shell, Dir: filepath.Join(home, "project")}
			if c.Dir != nil {
				r.Dir = *c.Dir
			}
			t.Requests = append(t.Requests, r)
		}
	}
	return t, nil
}

// A worker is the running program of one tree.
type worker struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	to  *json.Encoder
	out *json.Decoder
}

// start builds the worker of a tree and starts it. Its source is this tree's,
// laid over the other, which is not written to.
func start(tree, program string) (*worker, error) {
	source, err := filepath.Abs("tools/bench/pair/worker/main.go")
	if err != nil {
		return nil, err
	}
	there, err := filepath.Abs(filepath.Join(tree, "tools/bench/pair/worker/main.go"))
	if err != nil {
		return nil, err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{there: source}})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(program+".json", overlay, 0o600); err != nil {
		return nil, err
	}
	build := exec.Command("go", "build", "-overlay", program+".json", "-o", program, "./tools/bench/pair/worker")
	build.Dir = tree
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the worker of %s: %w\n%s", tree, err, out)
	}
	w := &worker{cmd: exec.Command(program)}
	w.cmd.Stderr = os.Stderr
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.to, w.out = json.NewEncoder(w.in), json.NewDecoder(out)
	return w, w.cmd.Start()
}

func (w *worker) stop() {
	_ = w.in.Close()
	_ = w.cmd.Wait()
}

func (w *worker) answer(t turn) ([]int64, error) {
	if err := w.to.Encode(t); err != nil {
		return nil, fmt.Errorf("asking a worker: %w", err)
	}
	var took []int64
	if err := w.out.Decode(&took); err != nil {
		return nil, fmt.Errorf("hearing a worker: %w", err)
	}
	if len(took) != len(t.Requests) {
		return nil, fmt.Errorf("a worker answered %d of %d", len(took), len(t.Requests))
	}
	return took, nil
}

// race lets the workers answer all commands so many times, in turns, and
// returns what each run of each command took: [worker][command][run].
func race(workers []*worker, all turn, rounds int) ([][][]int64, error) {
	took := make([][][]int64, len(workers))
	for i := range took {
		took[i] = make([][]int64, len(all.Requests))
	}
	// The first round, in which specs are decoded, does not count.
	for round := range rounds + 1 {
		for from := 0; from < len(all.Requests); from += atOnce {
			t := turn{Requests: all.Requests[from:min(from+atOnce, len(all.Requests))], Env: all.Env}
			for turn := range workers {
				who := (round + turn) % len(workers)
				ns, err := workers[who].answer(t)
				if err != nil {
					return took, err
				}
				for i, n := range ns {
					if round > 0 {
						took[who][from+i] = append(took[who][from+i], n)
					}
				}
			}
		}
	}
	return took, nil
}

// report prints two trees' mean, median and 99th percentile over the fastest
// fifth of the runs of every command, then over all runs.
func report(t turn, took [2][][]int64, each bool) {
	var fast, all [2][]int64
	for i := range t.Requests {
		var ratio [2]float64
		for who := range took {
			runs := slices.Sorted(slices.Values(took[who][i]))
			fifth := runs[:max(1, len(runs)/5)]
			fast[who], all[who] = append(fast[who], fifth...), append(all[who], runs...)
			ratio[who] = mean(fifth)
		}
		if each {
			fmt.Printf("%9.1f %9.1f µs %5.2f  %.100q\n", ratio[0]/1e3, ratio[1]/1e3, ratio[0]/ratio[1], t.Requests[i].Cmd)
		}
	}
	line("fastest fifth", fast)
	line("all runs", all)
}

func line(name string, took [2][]int64) {
	for who := range took {
		slices.Sort(took[who])
	}
	fmt.Printf("%-14s", name)
	for _, f := range []struct {
		name string
		of   func([]int64) float64
	}{
		{"mean", mean},
		{"p50", func(ns []int64) float64 { return float64(ns[len(ns)/2]) }},
		{"p99", func(ns []int64) float64 { return float64(ns[len(ns)*99/100]) }},
	} {
		here, there := f.of(took[0]), f.of(took[1])
		fmt.Printf("  %s %.0f beside %.0f µs: %.3f", f.name, here/1e3, there/1e3, here/there)
	}
	fmt.Println()
}

func mean(ns []int64) float64 {
	sum := int64(0)
	for _, n := range ns {
		sum += n
	}
	return float64(sum) / float64(len(ns))
}
