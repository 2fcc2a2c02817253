package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/argv"
	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/caller"
	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/risk"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

// TestMain makes this test binary also the heed and heed-sh that scripts run.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"heed": func() {
			words, erase := argv.Take()
			s := System()
			s.Erase = erase
			// Whoever runs these tests, an agent too, does not count.
			s.refuse = func([]string) error { return caller.Variables(envOf(s)).Refuse() }
			if args, ok := IsHook(os.Args[1:], os.Getenv); ok { // as cmd/heed does
				os.Exit(Hook(args, s))
			}
			os.Exit(Main(words[1:], s))
		},
		// A program of which heed knows nothing.
		"a-tool": func() {
			c := exec.Command("/bin/sh", "job")
			c.Stdout, c.Stderr = os.Stdout, os.Stderr
			if err := c.Run(); err != nil {
				os.Exit(c.ProcessState.ExitCode())
			}
		},
		// The question of heed run, where nobody looks who is at the terminal.
		"heed-asks": func() { os.Exit(asksAbout(os.Args[1], System())) },
		// Not beside heed by its own name, where it would be found.
		"as-heed-sh": func() { os.Exit(Shell(append([]string{"heed-sh"}, os.Args[1:]...), System())) },
	})
}

// TestScript runs the command line as a user would: testdata/script holds a
// file for every verb. Scripts start in a workspace without git, with a home
// of their own.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			for _, dir := range []string{"home/user", "ws"} {
				if err := os.MkdirAll(filepath.Join(e.WorkDir, dir), 0o755); err != nil {
					return fmt.Errorf("making the script's world: %w", err)
				}
			}
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home/user"))
			e.Setenv("USER", "user")
			e.Setenv("LC_ALL", "C.UTF-8")
			e.Cd = filepath.Join(e.WorkDir, "ws")
			return nil
		},
		Condition: func(name string) (bool, error) {
			// Where an agent runs these tests, nobody may do what only people may.
			if name == "person" {
				return caller.Refuse(nil) == nil, nil
			}
			// Where there are no namespaces or overlays, nothing can be previewed.
			if name == "previews" {
				return previews() == nil, nil
			}
			// Where the kernel cannot confine, nothing can be run confined.
			if name == "confines" {
				s := confine.Probe()
				return s.Landlock >= 6 && s.Seccomp, nil
			}
			return false, fmt.Errorf("there is no condition %s", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":         cmdExits,
			"valid":         cmdValid,
			"valid-preview": cmdValidPreview,
			"valid-scan":    cmdValidScan,
			"valid-sarif":   cmdValidSARIF,
			"answers":       cmdAnswers,
			"unquote-bytes": cmdUnquoteBytes,
			"long-line":     cmdLongLine,
			"keep-rows":     cmdKeepRows,
			"snap":          cmdSnap,
			"same":          cmdSame,
			"newest":        cmdNewest,
			"waitsealed":    cmdWaitSealed,
			"damage":        cmdDamage,
			"lost":          cmdLost,
			"valid-undo":    cmdValidUndo,
			"valid-pending": cmdValidPending,
			"digest":        cmdDigest,
			"action-step":   cmdActionStep,
		},
	})
}

// cmdExits runs a program that must end with an exit code: exits CODE program
// [args...].
func cmdExits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// cmdValid checks every line of a file against the published schema.
func cmdValid(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.TrimSuffix(ts.ReadFile(args[0]), "\n")
	if text == "" {
		ts.Fatalf("%s is empty", args[0])
	}
	for i, line := range strings.Split(text, "\n") {
		if err := validate([]byte(line)); err != nil {
			ts.Fatalf("%s, line %d: %v", args[0], i+1, err)
		}
	}
}

// cmdAnswers prints the id, tier and error of every assessment in a file, one
// a line.
func cmdAnswers(ts *testscript.TestScript, _ bool, args []string) {
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var a risk.Assessment
		ts.Check(json.Unmarshal([]byte(line), &a))
		text := fmt.Sprintf("%q %s", a.ID, a.Tier)
		if a.Error != "" {
			text += ": " + a.Error
		}
		_, err := fmt.Fprintln(ts.Stdout(), text)
		ts.Check(err)
	}
}

// cmdUnquoteBytes replaces \xNN, \0, \r and \\ in a file by what they stand
// for: scripts are text and cannot hold such bytes.
func cmdUnquoteBytes(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		text := strings.ReplaceAll(ts.ReadFile(name), "\n", `\n`)
		plain, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(plain), 0o644))
	}
}

// cmdLongLine writes a batch line with a command of so many bytes: long-line
// FILE ID BYTES.
func cmdLongLine(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	line := fmt.Sprintf("{\"id\":%q,\"cmd\":%q}\n", args[1], strings.Repeat("a", n))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(line), 0o644))
}

// cmdKeepRows keeps rows in the log of the script's account: keep-rows FILE [BYTES].
// The file holds rows as JSON, one a line, with their times; a segment of the log
// is so many bytes long.
func cmdKeepRows(ts *testscript.TestScript, _ bool, args []string) {
	var at audit.Stamp
	opt := audit.Options{Now: func() time.Time { return at.Time() }, Random: func() uint64 { return 7 }}
	if len(args) > 1 {
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		opt.SegmentBytes = int64(n)
	}
	dir, err := audit.Dir(ts.Getenv)
	ts.Check(err)
	l, err := audit.Open(dir, opt)
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var r audit.Row
		ts.Check(json.Unmarshal([]byte(line), &r))
		at = r.Time
		_, err := l.Append(context.Background(), r)
		ts.Check(err)
	}
}
