package wrap

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/caller"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/undo/preimage"
	"github.com/heedsh/heed/risk"
)

// TestMain makes this test binary also the programs that tests start: heed-sh,
// a shell that it stands for, and heed-run, a heed that knows run only.
func TestMain(m *testing.M) {
	if preimage.IsWatch(os.Args[1:]) {
		os.Exit(preimage.Watch(os.Args[1:]))
	}
	switch name := strings.TrimPrefix(filepath.Base(os.Args[0]), "-"); {
	case name == "heed-run":
		os.Exit(heedRun(os.Args[1:]))
	case !strings.HasSuffix(name, ".test"):
		os.Exit(session("heed-sh").Shell(os.Args))
	}
	os.Exit(m.Run())
}

// session is that of a process. Whoever runs these tests, an agent too, does not
// count.
func session(name string) *Session {
	return &Session{Name: name, Env: os.Environ(), Dir: here(), Out: os.Stdout, Err: os.Stderr, Guard: own.Guard(service.New(own.Options(os.Environ())), os.Environ()), who: caller.Variables}
}

// heedRun is `heed run`: --approve DIGEST and how many steps, or words.
func heedRun(args []string) int {
	s := session("heed run")
	if len(args) >= 2 && args[0] == "--approve" {
		steps := 0
		if len(args) > 2 {
			steps, _ = strconv.Atoi(args[2])
		}
		return s.Approve(args[1], steps)
	}
	job, err := s.Program(args)
	if err != nil {
		return s.Failed(err)
	}
	return s.Run(job)
}

// A place is a directory with programs of heed, a home, and a directory to
// work in.
type place struct {
	bin, home, work string
	env             []string
}

// newPlace makes a place. The programs are links to this test binary.
func newPlace(t *testing.T) *place {
	t.Helper()
	top := tempDir(t)
	p := &place{filepath.Join(top, "bin"), filepath.Join(top, "home"), filepath.Join(top, "work"), nil}
	for _, dir := range []string{p.bin, p.home, p.work} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"heed-sh", "heed-net", "heed-run", "bash", "sh"} {
		if err := os.Symlink(own, filepath.Join(p.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	p.env = []string{"HOME=" + p.home, "USER=u", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TMPDIR=" + top}
	return p
}

// tempDir is a directory that goes with the test. A process that keeps what a command
// replaces outlives the command (undo/preimage), so what is in it may still grow.
func tempDir(t *testing.T) string {
	t.Helper()
	top, err := os.MkdirTemp("", "heed-wrap-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := os.RemoveAll(top)
		for range 100 {
			if err == nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
			err = os.RemoveAll(top)
		}
		t.Error(err)
	})
	return top
}

func (p *place) sh() string      { return filepath.Join(p.bin, "heed-sh") }
func (p *place) pending() string { return filepath.Join(p.home, ".local/state/heed/pending") }

// kept lists the digests of the requests that wait for an approval.
func (p *place) kept(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(p.pending())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok {
			out = append(out, name)
		}
	}
	return out
}

func (p *place) write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(p.work, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// An outcome is all that can be seen of a process.
type outcome struct {
	out, err string
	status   syscall.WaitStatus
}

// start runs a program in the place's directory.
func (p *place) start(t *testing.T, in string, argv ...string) outcome {
	t.Helper()
	return p.startAs(t, argv[0], in, nil, argv...)
}

// startAs runs a file under another name, with more variables.
func (p *place) startAs(t *testing.T, file, in string, env []string, argv ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	c := &exec.Cmd{Path: file, Args: argv, Env: append(slices.Clone(p.env), env...), Dir: p.work, Stdout: &out, Stderr: &errs}
	if in != "" {
		c.Stdin = strings.NewReader(in)
	}
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	status, ok := c.ProcessState.Sys().(syscall.WaitStatus)
	if !ok {
		t.Fatal("no wait status")
	}
	return outcome{out.String(), errs.String(), status}
}

// needs skips a test where a program is missing.
func needs(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("needs %s", name)
		}
	}
}

// inProcess is a session of this process that may not get as far as to
// execute something.
func inProcess(t *testing.T) (s *Session, out, errs *bytes.Buffer) {
	t.Helper()
	p := newPlace(t)
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	return &Session{Name: "heed run", Env: p.env, Dir: p.work, Out: out, Err: errs, Guard: own.Guard(service.New(own.Options(os.Environ())), os.Environ()), who: caller.Variables}, out, errs
}

// assessFunc is an assessment that does something first.
func assessFunc(f func() error) func(context.Context, risk.Request) (risk.Assessment, error) {
	return func(_ context.Context, req risk.Request) (risk.Assessment, error) {
		return risk.Assessment{Command: req.Command}, f()
	}
}
