package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/child"
	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/screen"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/heedsh/heed/risk"
)

// asksAbout puts the question about a line on the terminal, as heed run does where a person
// is there, with the preview that heed run has. It returns 1 where that person says no.
func asksAbout(text string, s Streams) int {
	session := &wrap.Session{Name: "heed run", Env: s.Env, Dir: s.Dir, Out: s.Out, Err: s.Err}
	job, err := session.ShellLine("bash", "bash", "/bin/bash", []string{"-c", text})
	if err != nil {
		fmt.Fprintln(s.Err, err)
		return 2
	}
	req := &risk.Request{Command: text, Shell: "bash", Dir: s.Dir, Env: child.Pairs(s.Env), Workspaces: []string{s.Dir}}
	service := ServiceFor(s, req)
	a, err := service.Assess(context.Background(), *req)
	if err != nil {
		fmt.Fprintln(s.Err, err)
		return 2
	}
	d := service.Decision(&a.Assessment, req, policy.Run)
	q := &gate.Question{Shown: consent.New(req, &a.Assessment, &d, strings.Repeat("3f9a", 16), false), Text: text, Preview: func() (string, error) {
		return previewFor(s, session)(job, req, &a.Assessment)
	}}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		fmt.Fprintln(s.Err, err)
		return 2
	}
	answer, err := screen.Ask(context.Background(), tty, q)
	switch {
	case err != nil:
		fmt.Fprintln(s.Err, err)
		return 2
	case answer.Choice == gate.No:
		return 1
	}
	return 0
}

// TestPreviewKey presses Tab in a question, in tmux: the command is run on top of the files
// for real, what it would change is shown, nothing of it lasts, and Esc leads back to the
// question, which can be answered as before.
func TestPreviewKey(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("drives a terminal: not in short mode")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is missing")
	}
	if err := previews(); err != nil {
		t.Skip(err)
	}
	for name, c := range map[string]struct {
		line string
		want []string
	}{
		"changes": {"echo more >> kept; mkdir out; echo said", []string{"changed", "kept", "+more", "created", "out/", "said"}},
		"fails":   {"touch new; false", []string{"ended with 1", "new"}},
		"quiet":   {"mkdir -p tree", []string{"ended with 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "work")
			if err := os.MkdirAll(dir+"/tree", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(dir+"/kept", []byte("first\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			w := onTmux(t, dir, "heed-asks", c.line)
			w.wait("Enter does nothing")
			w.send("Tab")
			shown := w.wait("nothing was changed")
			for _, want := range c.want {
				if !strings.Contains(shown, want) {
					t.Errorf("%q is not shown:\n%s", want, shown)
				}
			}
			if text, err := os.ReadFile(dir + "/kept"); err != nil || string(text) != "first\n" {
				t.Errorf("it lasted: %q, %v", text, err)
			}
			for _, made := range []string{"/out", "/new"} {
				if _, err := os.Lstat(dir + made); err == nil {
					t.Errorf("%s lasted", made)
				}
			}
			w.send("Escape")
			w.wait("Tab shows what it would change")
			w.send("Escape")
			w.wait(`(?m)^left 1$`)
		})
	}
}

// A pane is a tmux of its own with a program in it.
type pane struct {
	t      *testing.T
	socket string
}

// onTmux starts a program in a tmux of its own, which prints how it ended.
func onTmux(t *testing.T, dir string, words ...string) *pane {
	t.Helper()
	short, err := os.MkdirTemp("", "heed") // a socket's name is short
	if err != nil {
		t.Fatal(err)
	}
	p := &pane{t, filepath.Join(short, "s")}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", p.socket, "kill-server").Run() // it may have ended
		os.RemoveAll(short)
	})
	args := []string{
		"-u", "-S", p.socket, "-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "40", "-c", dir, "env", "-i",
		"HOME=" + filepath.Dir(dir), "PATH=" + os.Getenv("PATH"), "TERM=screen-256color", "LC_ALL=C.UTF-8", "sh", "-c", `"$@"; echo "left $?"; sleep 60`, "sh",
	}
	c := exec.Command("tmux", append(args, words...)...)
	c.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TMUX=")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v\n%s", err, out)
	}
	return p
}

func (p *pane) send(key string) {
	p.t.Helper()
	if out, err := exec.Command("tmux", "-S", p.socket, "send-keys", key).CombinedOutput(); err != nil {
		p.t.Fatalf("%v\n%s", err, out)
	}
}

// wait waits until the pane shows a text, or what matches, and returns all of it.
func (p *pane) wait(pattern string) string {
	p.t.Helper()
	re := regexp.MustCompile(pattern)
	for give := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		out, err := exec.Command("tmux", "-S", p.socket, "capture-pane", "-p").CombinedOutput()
		if err == nil && re.Match(out) {
			return string(out)
		}
		if time.Now().After(give) {
			p.t.Fatalf("it does not show %s: %v\n%s", pattern, err, out)
		}
	}
}
