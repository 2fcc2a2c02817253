package prompt

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// BenchmarkEnter measures, in each shell at a pseudo-terminal, how long it takes from
// Enter to the next prompt after a line that does nothing, and to the badge of one that
// waits: with heed's helper, with a process for each line, and, the former, without heed.
// HEED names the program (go build ./cmd/heed); without it this test binary is it.
//
//	HEED=$PWD/bin/heed go test ./internal/prompt -run - -bench Enter -benchtime 200x
func BenchmarkEnter(b *testing.B) {
	for _, shell := range shells() {
		for _, how := range []string{"none", "helper", "process"} {
			for _, c := range []struct{ name, line, until string }{{"safe", ":", "p> "}, {"review", "rm -rf keep", "Enter does nothing."}} {
				if how == "none" && c.name == "review" {
					continue
				}
				b.Run(fmt.Sprintf("%s/%s/%s", shell, how, c.name), func(b *testing.B) { enter(b, shell, how, c.line, c.until) })
			}
		}
	}
}

func enter(b *testing.B, shell, how, line, until string) {
	needs(b, shell)
	top := b.TempDir()
	home, work := filepath.Join(top, "home"), filepath.Join(top, "w")
	for _, dir := range []string{filepath.Join(home, ".config/fish"), filepath.Join(work, "keep")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			b.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(work, "keep/file"), []byte("x"), 0o600); err != nil {
		b.Fatal(err)
	}
	heed := os.Getenv("HEED")
	if heed == "" {
		me, err := os.Executable()
		if err != nil {
			b.Fatal(err)
		}
		heed = me
	}
	text, err := Script(shell, heed)
	if err != nil {
		b.Fatal(err)
	}
	switch {
	case how == "none":
		text = ""
	case how == "process":
		text += map[string]string{"bash": "_heed_lives() { return 1; }\n", "zsh": "_heed-lives() { return 1; }\n", "fish": "\nfunction _heed_lives; return 1; end\n"}[shell]
	}
	file := map[string]string{"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}[shell]
	first := "PS1='p> '\n"
	if shell == "fish" {
		first = "function fish_prompt; echo -n 'p> '; end\nset -g fish_greeting\n"
	}
	if err := os.WriteFile(filepath.Join(home, file), []byte(first+text), 0o600); err != nil {
		b.Fatal(err)
	}
	t := terminal(b, work, []string{"HOME=" + home, "USER=u", "PATH=/usr/bin:/bin", "TERM=xterm", "NO_COLOR=1", "LC_ALL=C.UTF-8", "XDG_RUNTIME_DIR="}, shell)
	t.wait("p> ")
	time.Sleep(time.Second) // the helper is there
	var took []time.Duration
	for range max(b.N, 2) {
		t.send(line)
		time.Sleep(20 * time.Millisecond)
		t.forget()
		since := time.Now()
		t.send("\r")
		t.wait(until)
		took = append(took, time.Since(since))
		time.Sleep(60 * time.Millisecond)
		if until != "p> " {
			t.send("\x03")
			t.wait("p> ")
			time.Sleep(100 * time.Millisecond)
		}
	}
	slices.Sort(took)
	ms := func(q int) float64 { return float64(took[(len(took)-1)*q/100].Microseconds()) / 1000 }
	b.ReportMetric(ms(10), "ms-p10")
	b.ReportMetric(ms(50), "ms-p50")
	b.ReportMetric(ms(99), "ms-p99")
	b.ReportMetric(0, "ns/op")
}

// A pty is a terminal with a shell on it.
type pty struct {
	b    *testing.B
	main *os.File
	text []byte
	news chan []byte
}

func terminal(b *testing.B, dir string, env []string, shell string) *pty {
	main, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		b.Skipf("no pseudo-terminals: %v", err)
	}
	n, err := unix.IoctlGetInt(int(main.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(main.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		b.Fatal(err)
	}
	side, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		b.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(main.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}); err != nil {
		b.Fatal(err)
	}
	c := exec.Command(shell)
	c.Env, c.Dir, c.Stdin, c.Stdout, c.Stderr = env, dir, side, side, side
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	side.Close()
	t := &pty{b: b, main: main, news: make(chan []byte, 1024)}
	go func() {
		for {
			p := make([]byte, 4096)
			n, err := main.Read(p)
			if err != nil {
				return
			}
			t.news <- p[:n]
		}
	}()
	b.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
		main.Close()
	})
	return t
}

func (t *pty) send(keys string) {
	if _, err := t.main.WriteString(keys); err != nil {
		t.b.Fatal(err)
	}
}

func (t *pty) forget() {
	for {
		select {
		case <-t.news:
		default:
			t.text = nil
			return
		}
	}
}

func (t *pty) wait(text string) {
	give := time.After(20 * time.Second)
	for !bytes.Contains(t.text, []byte(text)) {
		select {
		case p := <-t.news:
			t.text = append(t.text, p...)
		case <-give:
			t.b.Fatalf("never: %q in %q", text, t.text)
		}
	}
	t.text = nil
}
