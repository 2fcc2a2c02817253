package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// hooked are commands of an agent's day: what is read, what is run, what is asked about.
func hooked() []string {
	return []string{"ls -la", "git status", "grep -rn foo src", "go test ./...", "cat README.md", "npm install left-pad", "mkdir -p out && cp a b", "sed -n 1,20p x.go"}
}

// hooks measures how long the hook of each heed takes, as Claude Code would start it,
// with settings, log and sessions of its own. One that is given with arguments is another
// program's.
func hooks(runs int, programs []string) error {
	dir, err := os.MkdirTemp("", "heed-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	work := filepath.Join(dir, "work")
	if err := os.MkdirAll(filepath.Join(work, "src"), 0o755); err != nil {
		return err
	}
	if out, err := exec.Command("git", "init", "-q", work).CombinedOutput(); err != nil {
		return fmt.Errorf("making a repository: %w: %s", err, out)
	}
	took := make([][]time.Duration, len(programs))
	for i := range runs {
		command := hooked()[i%len(hooked())]
		for turn := range programs {
			at := (turn + i) % len(programs)
			d, err := hook(programs[at], filepath.Join(dir, fmt.Sprint("home", at)), work, command, i)
			if err != nil {
				return err
			}
			took[at] = append(took[at], d)
		}
	}
	fmt.Printf("%d calls of the hook each, in turns\n", runs)
	for i, program := range programs {
		fmt.Printf("  %-40s fastest %s, median %s, p99 %s\n", program, ms(quantile(took[i], 0)), ms(quantile(took[i], 0.5)), ms(quantile(took[i], 0.99)))
	}
	for i := 1; i < len(programs); i++ {
		fmt.Printf("  beside the first: fastest %.2f, median %.2f, p99 %.2f times\n",
			ratio(took[i], took[0], 0), ratio(took[i], took[0], 0.5), ratio(took[i], took[0], 0.99))
	}
	return nil
}

// hook starts one hook and waits for its answer.
func hook(program, home, work, command string, n int) (time.Duration, error) {
	payload, err := json.Marshal(map[string]any{
		"session_id": "bench", "transcript_path": "/dev/null", "cwd": work, "permission_mode": "default", "hook_event_name": "PreToolUse",
		"tool_name": "Bash", "tool_input": map[string]string{"command": command}, "tool_use_id": fmt.Sprint("toolu_", n),
	})
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return 0, err
	}
	argv := strings.Fields(program)
	if len(argv) == 1 {
		argv = append(argv, "hook", "claude-code")
	}
	run := exec.Command(argv[0], argv[1:]...)
	run.Dir, run.Stdin = work, bytes.NewReader(payload)
	run.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "USER=u", "SHELL=/bin/bash", "CLAUDE_PROJECT_DIR=" + work}
	var out, errs bytes.Buffer
	run.Stdout, run.Stderr = &out, &errs
	began := time.Now()
	err = run.Run()
	d := time.Since(began)
	if err != nil {
		return 0, fmt.Errorf("%s: %s: %w: %s", program, command, err, strings.TrimSpace(errs.String()))
	}
	return d, nil
}

func quantile[T cmp.Ordered](all []T, q float64) T {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

func ratio(a, b []time.Duration, q float64) float64 {
	return float64(quantile(a, q)) / float64(quantile(b, q))
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond)) }
