package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/caller"
	"golang.org/x/sys/unix"
)

// atTerminal runs heed at a terminal of its own, types keys once a text is shown, and
// returns what was shown and the exit code.
func atTerminal(t *testing.T, dir string, args []string, wait, keys string) (string, int) {
	t.Helper()
	ptmx, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals: %v", err)
	}
	defer ptmx.Close()
	n, err := unix.IoctlGetInt(int(ptmx.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(ptmx.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	side, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("heed", args...)
	c.Dir, c.Env = dir, []string{"TERM=dumb", "HOME=" + filepath.Dir(dir), "PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8"}
	c.Stdin, c.Stdout, c.Stderr = side, side, side
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	side.Close()
	timer := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
	defer timer.Stop()
	var shown strings.Builder
	for buf, typed := make([]byte, 4096), false; ; {
		n, err := ptmx.Read(buf)
		shown.Write(buf[:n])
		if err != nil {
			break // the terminal ends with who has it
		}
		if !typed && strings.Contains(shown.String(), wait) {
			if _, err := ptmx.WriteString(keys); err != nil {
				t.Fatal(err)
			}
			typed = true
		}
	}
	c.Wait()
	return shown.String(), c.ProcessState.ExitCode()
}

// TestPreviewAsks: at a terminal a person decides, about what policy asks about by the
// decisive word.
func TestPreviewAsks(t *testing.T) {
	t.Parallel()
	if err := previews(); err != nil {
		t.Skip(err)
	}
	if err := caller.Refuse(nil); err != nil {
		t.Skip(err)
	}
	const plain, word = "Type yes and Enter; anything else leaves it: ", "and Enter; anything else leaves it: "
	for _, test := range []struct {
		name       string
		args       []string
		wait, keys string
		applied    bool
		code       int
	}{
		{"yes", []string{"preview", "-c", "touch new"}, plain, "yes\n", true, 0},
		{"no", []string{"preview", "-c", "touch new"}, plain, "\n", false, 0},
		{"no, though wanted", []string{"preview", "--apply", "-c", "touch new"}, plain, "no\n", false, ExitNotApplied},
		{"a plain yes for a REVIEW", []string{"preview", "-c", "rm -r tree; touch new"}, word, "yes\n", false, 0},
		{"the word", []string{"preview", "-c", "rm -r tree; touch new"}, word, "tree\n", true, 0},
		{"a command that failed", []string{"preview", "--apply", "-c", "touch new; exit 3"}, plain, "yes\n", true, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "work")
			if err := os.MkdirAll(dir+"/tree", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(dir+"/tree/x", []byte("x"), 0o644); err != nil {
				t.Fatal(err)
			}
			shown, code := atTerminal(t, dir, test.args, test.wait, test.keys)
			_, err := os.Lstat(dir + "/new")
			if applied := err == nil; applied != test.applied || code != test.code || !strings.Contains(shown, test.wait) || !strings.Contains(shown, "created    new") {
				t.Errorf("applied: %t, code %d\n%s", applied, code, shown)
			}
		})
	}
}
