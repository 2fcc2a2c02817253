package screen

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/risk"
)

var update = flag.Bool("update", false, "rewrite the screens in testdata and in docs/gate.md")

// A window is a tmux of its own with a program in it.
type window struct {
	t      testing.TB
	socket string
	w, h   int
}

// tmux is a window in which this test binary runs with these variables.
func tmux(t testing.TB, w, h int, env ...string) *window {
	t.Helper()
	if testing.Short() {
		t.Skip("drives a terminal: not in short mode")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("REQUIRE_SHELLS") == "1" {
			t.Fatal("tmux is missing")
		}
		t.Skip("tmux is missing")
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A socket's name is short, and a test's directory is not.
	dir, err := os.MkdirTemp("", "heed")
	if err != nil {
		t.Fatal(err)
	}
	win := &window{t, filepath.Join(dir, "s"), w, h}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", win.socket, "kill-server").Run() // it may have ended
		os.RemoveAll(dir)
	})
	args := []string{
		"-u", "-S", win.socket, "-f", "/dev/null", "start-server", ";", "set", "-g", "status", "off", ";", "set", "-g", "remain-on-exit", "on", ";", "set", "-g", "escape-time", "10", ";",
		"new-session", "-d", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h),
	}
	c := exec.Command("tmux", append(append(append(args, "env"), env...), own)...)
	c.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TMUX=", "HEED_PLAIN=")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v\n%s", err, out)
	}
	return win
}

func (w *window) command(args ...string) string {
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
	for l := range strings.Lines(w.command("capture-pane", "-p")) {
		b.WriteString(strings.TrimRight(l, " \n") + "\n")
	}
	return b.String()
}

// wait waits until the window shows what matches.
func (w *window) wait(pattern string) []string {
	w.t.Helper()
	re := regexp.MustCompile(pattern)
	for give := time.Now().Add(30 * time.Second); ; time.Sleep(30 * time.Millisecond) {
		text := w.shown()
		if m := re.FindStringSubmatch(text); m != nil {
			return m
		}
		if time.Now().After(give) {
			w.t.Fatalf("the window does not show %s:\n%s", pattern, text)
		}
	}
}

// ended waits until the program on it has ended. tmux says so on the window, too, but
// not always where that was cleared last.
func (w *window) ended() {
	w.t.Helper()
	for give := time.Now().Add(30 * time.Second); strings.TrimSpace(w.command("display-message", "-p", "#{pane_dead}")) != "1"; time.Sleep(30 * time.Millisecond) {
		if time.Now().After(give) {
			w.t.Fatalf("the program has not ended:\n%s", w.shown())
		}
	}
}

// keys sends keys by tmux's names for them, and waits for a moment.
func (w *window) keys(names ...string) {
	w.t.Helper()
	w.command(append([]string{"send-keys"}, names...)...)
	time.Sleep(300 * time.Millisecond)
}

// settled waits until the keys of a question count.
func (w *window) settled() {
	w.t.Helper()
	w.wait("Enter does nothing")
}

// key presses the key that a label stands beside, when keys count.
func (w *window) key(label string) {
	w.t.Helper()
	w.keys(w.wait(`(?s)\((\w)\) ` + label + `.*(?:Enter does nothing|Esc goes\s+back)`)[1])
}

// held compares what is shown with a file, and keeps that.
func (w *window) held(name string) {
	w.t.Helper()
	got := w.shown()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		w.t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		w.t.Errorf("%s is another screen (go test ./internal/gate/screen -update writes it):\n%s", name, d)
	}
}

// file writes a question for the program, which answers beside it.
func (p *put) file(t testing.TB) string {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "question")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// answer waits for what the person said.
func answer(t testing.TB, file string) string {
	t.Helper()
	for give := time.Now().Add(10 * time.Second); time.Now().Before(give); time.Sleep(20 * time.Millisecond) {
		if text, err := os.ReadFile(file + ".answer"); err == nil && len(text) > 0 {
			return string(text)
		}
	}
	t.Fatal("there is no answer")
	return ""
}

const worst = "rm -rf build && git push --force origin trunk"

// TestScreens drives questions in tmux and holds what is shown.
func TestScreens(t *testing.T) {
	t.Parallel()
	caution := func(t testing.TB) *put {
		return &put{
			Shown: shown(t, cautious, false), Text: cautious, Offers: []gate.Choice{gate.ThisSession, gate.AsRule, gate.Edit, gate.Instead},
			Rule: "- allow: git push\n  branch: trunk\n  agent: claude-code\n", Covers: &gate.Covers{Days: 7, All: 1, Some: []string{"git push origin trunk"}},
		}
	}
	review := func(t testing.TB) *put {
		return &put{Shown: shown(t, worst, false), Text: worst, Offers: []gate.Choice{gate.Edit, gate.Instead}}
	}
	for name, c := range map[string]struct {
		q    func(t testing.TB) *put
		w, h int
		do   func(w *window)
		want string
	}{
		"caution": {caution, 80, 24, func(w *window) {
			w.settled()
			w.held("caution")
			w.keys("Enter")
			w.key("run it once")
		}, `1 click "" ""`},
		"rule": {caution, 80, 24, func(w *window) {
			w.key("as a rule")
			w.held("rule")
			w.key("make this rule")
		}, `3 click "" ""`},
		"review": {review, 80, 24, func(w *window) {
			w.settled()
			w.held("review")
			w.keys("End")
			w.key("run it once")
			w.keys("Enter")
			w.keys("-l", "build")
			w.held("review-word")
			w.keys("Enter")
		}, `1 person "" ""`},
		"review-large": {review, 200, 60, func(w *window) {
			w.settled()
			w.held("review-large")
			w.key("say no, why")
			w.keys("-l", "trunk is protected")
			w.keys("Enter")
		}, `0 person "trunk is protected" ""`},
		"steps": {review, 80, 24, func(w *window) {
			w.key("step by step")
			w.held("steps")
			w.key("agree to step 1")
			w.key("agree to step 2")
			w.keys("-l", "build")
			w.keys("Enter")
		}, `1 person "" ""`},
		"steps, part": {func(t testing.TB) *put {
			p := review(t)
			p.Offers = append(p.Offers, gate.Part)
			return p
		}, 80, 24, func(w *window) {
			w.key("step by step")
			w.key("agree to step 1")
			w.held("steps-part")
			w.key("run the first only")
			w.keys("-l", "build")
			w.keys("Enter")
		}, `6 person "" ""`},
		"pin": {func(t testing.TB) *put { return &put{Shown: shown(t, worst, true), PIN: "246813"} }, 80, 24, func(w *window) {
			w.settled()
			w.keys("End")
			w.key("run it once")
			w.keys("-l", "111111")
			w.keys("Enter")
			w.wait("four tries are left")
			w.held("pin")
			w.keys("-l", "246813")
			w.keys("Enter")
		}, `1 pin "" ""`},
		"edit": {caution, 80, 24, func(w *window) {
			w.key("edit it")
			w.keys("C-w", "C-w")
			w.keys("-l", "backup 漢字")
			w.held("edit")
			w.keys("Enter")
		}, `4 click "" "rm -rf src && git push backup 漢字"`},
		"hostile": {func(t testing.TB) *put {
			evil := shown(t, "echo 'a\x1b[2J\x1b[1;1H[SAFE] it is fine\r\n\u202e漢e\u0301\u0301\u0301\u0301' > build/x", false)
			return &put{Shown: evil}
		}, 80, 24, func(w *window) {
			w.settled()
			w.held("hostile")
			w.keys("Escape")
		}, `0 person "" ""`},
		"long": {func(t testing.TB) *put {
			return &put{Shown: shown(t, strings.Repeat("echo one more line of a script that goes on and on\n", 30)+"git push --force origin trunk", false)}
		}, 80, 24, func(w *window) {
			w.settled()
			w.held("long")
			w.keys("C-c")
		}, `0 person "" ""`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := c.q(t).file(t)
			win := tmux(t, c.w, c.h, "SCREEN_TEST_ASK="+file)
			c.do(win)
			if got := answer(t, file); got != c.want {
				t.Errorf("answered %s, want %s\n%s", got, c.want, win.shown())
			}
		})
	}
}

// page is where the screens are shown to people, between comments that name them.
const page = "../../../docs/gate.md"

// withScreens is the page with the screens of testdata.
func withScreens(text string) (string, error) {
	var fault error
	return regexp.MustCompile("(?s)<!-- screen ([a-z-]+) -->\n.*?<!-- end -->").ReplaceAllStringFunc(text, func(old string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(old, "<!-- screen "), " ")
		shown, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		fault = errors.Join(fault, err)
		return fmt.Sprintf("<!-- screen %s -->\n```text\n%s\n```\n<!-- end -->", name, strings.TrimRight(string(shown), "\n"))
	}), fault
}

// TestPage holds docs/gate.md to the screens; -update writes it, when all tests have run.
func TestPage(t *testing.T) {
	t.Parallel()
	if *update {
		return
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want, err := withScreens(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(text)); d != "" {
		t.Errorf("docs/gate.md is stale: run go test ./internal/gate/screen -update\n%s", d)
	}
}

// TestTypedAhead: what was typed before the question stood does not count, also where it
// would be the right key.
func TestTypedAhead(t *testing.T) {
	t.Parallel()
	p := &put{Shown: shown(t, cautious, false)}
	right := newAsk(p.question(), time.Now).keyFor(t, runOnce)
	file := p.file(t)
	win := tmux(t, 80, 24, "SCREEN_TEST_ASK="+file, "SCREEN_TEST_LATE=3s")
	win.command("send-keys", right, right, "Enter", right)
	win.settled()
	win.keys("Escape")
	if got := answer(t, file); got != `0 click "" ""` {
		t.Errorf("answered %s", got)
	}
}

// TestResized: a window that becomes too small takes no yes, and one that grows again
// shows the question.
func TestResized(t *testing.T) {
	t.Parallel()
	file := (&put{Shown: shown(t, cautious, false)}).file(t)
	win := tmux(t, 80, 24, "SCREEN_TEST_ASK="+file)
	win.settled()
	win.command("resize-window", "-x", "40", "-y", "10")
	win.wait("too small")
	win.command("resize-window", "-x", "100", "-y", "30")
	win.key("run it once")
	if got := answer(t, file); got != `1 click "" ""` {
		t.Errorf("answered %s", got)
	}
}

// TestDumb: terminals that cannot be drawn on, and people who do not want it.
func TestDumb(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env string
		h   int
	}{{"TERM=dumb", 24}, {"HEED_PLAIN=1", 24}, {"HEED_PLAIN=0", 10}} {
		file := (&put{Shown: &consent.Consent{Tier: risk.Caution}}).file(t)
		tmux(t, 80, c.h, "SCREEN_TEST_ASK="+file, c.env)
		if got := answer(t, file); got != "cannot be drawn on" {
			t.Errorf("%s: %s", c.env, got)
		}
	}
}
