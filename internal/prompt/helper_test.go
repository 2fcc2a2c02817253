package prompt

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/caller"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/service"
)

var update = flag.Bool("update", false, "rewrite the screens in testdata and in docs/shells.md")

// TestMain makes this test binary also the heed that shells ask.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "shell-helper" {
		if err := helperMain(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == "preview" {
		previewMain(os.Args[2:])
		os.Exit(0)
	}
	code := m.Run()
	if *update && code == 0 {
		if err := writePage(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// previewMain stands for heed preview: it shows what it was given, and asks at the terminal.
func previewMain(args []string) {
	fmt.Printf("previewed %q\napply? ", args)
	answer := ""
	if _, err := fmt.Scanln(&answer); err != nil {
		answer = err.Error()
	}
	fmt.Printf("answered %s\n", answer)
}

// helperMain is heed shell-helper. Whoever runs these tests, an agent too, does not count.
func helperMain(args []string) error {
	f := flag.NewFlagSet("shell-helper", flag.ContinueOnError)
	shell, dir, pid, once := f.String("shell", "", ""), f.String("dir", "", ""), f.Int("for", 0, ""), f.Bool("once", false, "")
	if err := f.Parse(args); err != nil {
		return err
	}
	env := os.Environ()
	h := &Helper{Previews: os.Getenv("PREVIEWS") == "1", Shell: *shell, Env: env, Guard: own.Guard(service.New(own.Options(env)), env), Who: func() caller.Finding {
		return caller.Variables(os.Getenv)
	}}
	h.now = func() time.Time { // in the middle of an answer about a line that waits
		if os.Remove(filepath.Join(os.Getenv("HOME"), "stop")) == nil {
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		}
		return time.Now()
	}
	if *once {
		return h.Once(context.Background(), os.Stdin, os.Stdout)
	}
	return h.Serve(context.Background(), *dir, *pid, func() {})
}

// shells are those that are driven.
func shells() []string { return []string{"bash", "zsh", "fish"} }

// A window is a tmux of its own with a shell in it.
type window struct {
	t      testing.TB
	shell  string
	socket string
	home   string // the shell's
	work   string // where it stands
	heed   string
}

// needs skips a test where programs are missing.
func needs(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("REQUIRE_SHELLS") == "1" {
				t.Fatalf("%s is missing", name)
			}
			t.Skipf("%s is missing", name)
		}
	}
}

// open starts a shell with heed in it; more is set in its environment.
func open(t testing.TB, shell string, more ...string) *window {
	t.Helper()
	if testing.Short() {
		t.Skip("drives a terminal: not in short mode")
	}
	needs(t, "tmux", shell)
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A socket's name is short, and a test's directory is not.
	top, err := os.MkdirTemp("", "heed")
	if err != nil {
		t.Fatal(err)
	}
	w := &window{t, shell, filepath.Join(top, "s"), filepath.Join(top, "home"), filepath.Join(top, "w"), filepath.Join(top, "heed")}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", w.socket, "kill-server").Run() // it may have ended
		os.RemoveAll(top)
	})
	for _, dir := range []string{w.home, w.work, filepath.Join(w.work, "keep"), filepath.Join(w.home, ".config/fish"), filepath.Join(w.home, ".config/nushell")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.write(filepath.Join(w.work, "keep/file"), "x\n")
	if err := os.Symlink(me, w.heed); err != nil {
		t.Fatal(err)
	}
	text, err := Script(shell, w.heed)
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath(shell)
	if err != nil {
		t.Fatal(err)
	}
	argv := []string{program}
	stays := shell != "nu" // a helper
	for _, kv := range more {
		if args, ok := strings.CutPrefix(kv, "HEED_TEST_ARGS="); ok {
			argv, stays = append(argv, args), false
		}
		if more, ok := strings.CutPrefix(kv, "HEED_TEST_RC="); ok {
			text += "\n" + more + "\n"
		}
	}
	switch shell {
	case "bash":
		w.write(filepath.Join(w.home, ".bashrc"), "PS1='p> ' PS2='> '\n"+text)
	case "zsh":
		w.write(filepath.Join(w.home, ".zshrc"), "PS1='p> ' PS2='> '\nunsetopt prompt_sp\n"+text)
	case "fish":
		w.write(filepath.Join(w.home, ".config/fish/config.fish"), "function fish_prompt; echo -n 'p> '; end\nset -g fish_greeting\nset -g fish_autosuggestion_enabled 0\n"+text)
	}
	if shell == "nu" {
		w.write(filepath.Join(w.home, ".config/nushell/config.nu"), "$env.config.show_banner = false\n$env.PROMPT_COMMAND = {|| 'p' }\n$env.PROMPT_INDICATOR = '> '\n$env.PROMPT_COMMAND_RIGHT = {|| '' }\n"+text)
	}
	env := append([]string{"env", "-i", "HOME=" + w.home, "USER=u", "PATH=/usr/bin:/bin", "TERM=screen", "LC_ALL=C.UTF-8", "NO_COLOR=1", "HISTFILE=" + filepath.Join(w.home, "hist"), "HISTSIZE=100"}, more...)
	args := []string{
		"-u", "-S", w.socket, "-f", "/dev/null", "start-server", ";", "set", "-g", "status", "off", ";", "set", "-g", "remain-on-exit", "on", ";", "set", "-g", "escape-time", "10", ";",
		"new-session", "-d", "-x", "80", "-y", "24", "-c", w.work,
	}
	c := exec.Command("tmux", append(append(args, env...), argv...)...)
	c.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TMUX=")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v\n%s", err, out)
	}
	w.wait(`(?m)^p>`)
	if stays {
		w.until("a helper is there", func() bool { return w.helper() != "" })
	}
	return w
}

func (w *window) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// helper is the process of the shell's helper, "" if there is none.
func (w *window) helper() string {
	files, _ := filepath.Glob(filepath.Join(w.home, ".local/state/heed/shell-*/pid"))
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			pid, _, _ := strings.Cut(string(text), "\n")
			return pid
		}
	}
	return ""
}

func (w *window) tmux(args ...string) string {
	w.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", w.socket}, args...)...).CombinedOutput()
	if err != nil {
		w.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// shown is what stands in the window.
func (w *window) shown() string {
	w.t.Helper()
	var b strings.Builder
	for l := range strings.Lines(w.tmux("capture-pane", "-p")) {
		b.WriteString(strings.TrimRight(l, " \n") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func (w *window) until(what string, is func() bool) {
	w.t.Helper()
	for give := time.Now().Add(40 * time.Second); !is(); time.Sleep(30 * time.Millisecond) {
		if time.Now().After(give) {
			w.t.Fatalf("never: %s\n%s", what, w.shown())
		}
	}
}

// wait waits until the window shows what matches.
func (w *window) wait(pattern string) {
	w.t.Helper()
	re := regexp.MustCompile(pattern)
	w.until("the window shows "+pattern, func() bool { return re.MatchString(w.shown()) })
}

// keys presses keys by tmux's names for them.
func (w *window) keys(names ...string) {
	w.t.Helper()
	w.tmux(append([]string{"send-keys"}, names...)...)
}

// typed types a text, and waits until it stands there.
func (w *window) typed(text string) {
	w.t.Helper()
	w.tmux("send-keys", "-l", text)
	lines := strings.Split(text, "\n")
	w.wait(regexp.QuoteMeta(lines[len(lines)-1]))
}

// line types a line and presses Enter.
func (w *window) line(text string) {
	w.t.Helper()
	w.typed(text)
	w.keys("Enter")
}

// paste pastes a text as a terminal does, bracketed or as if it was typed.
func (w *window) paste(text string, bracketed bool) {
	w.t.Helper()
	w.tmux("set-buffer", text)
	if bracketed {
		w.tmux("paste-buffer", "-p")
	} else {
		w.tmux("paste-buffer")
	}
}

// settled waits until the prompt stands alone at the end: nothing is running.
func (w *window) settled() {
	w.t.Helper()
	w.wait(`(?m)^p>\n*\z`)
}

func (w *window) there(name string) bool {
	_, err := os.Stat(filepath.Join(w.work, name))
	return err == nil
}

// confirm presses the second key when the badge has stood for long enough.
func (w *window) confirm() {
	w.t.Helper()
	time.Sleep(settles + 100*time.Millisecond)
	w.keys("C-x", "o")
}

// without fails if the window shows a text.
func (w *window) without(text string) {
	w.t.Helper()
	if s := w.shown(); strings.Contains(s, text) {
		w.t.Errorf("the window shows %s:\n%s", text, s)
	}
}

// kept is the log as it lies there.
func (w *window) kept() string {
	var b strings.Builder
	_ = filepath.WalkDir(filepath.Join(w.home, ".local/state/heed/log"), func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, _ := os.ReadFile(name)
			b.Write(text)
		}
		return nil
	})
	return b.String()
}
