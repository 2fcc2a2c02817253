package wrap

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/gate/approval"
	"golang.org/x/sys/unix"
)

// A pty is a terminal with a program on it: what was written there, and a
// keyboard.
type pty struct {
	t    *testing.T
	main *os.File
	cmd  *exec.Cmd

	mu   sync.Mutex
	text string
	news chan struct{}
}

// on starts a program as the session leader of a terminal of its own.
func on(t *testing.T, p *place, env []string, argv ...string) *pty {
	t.Helper()
	return ahead(t, p, "", env, argv...)
}

// ahead is on with keys that were typed before the program begins.
func ahead(t *testing.T, p *place, keys string, env []string, argv ...string) *pty {
	t.Helper()
	return sized(t, p, unix.Winsize{}, keys, env, argv...)
}

// sized is ahead on a terminal of this size.
func sized(t *testing.T, p *place, size unix.Winsize, keys string, env []string, argv ...string) *pty {
	t.Helper()
	ptmx, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals: %v", err)
	}
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
	if err := unix.IoctlSetWinsize(int(ptmx.Fd()), unix.TIOCSWINSZ, &size); err != nil {
		t.Fatal(err)
	}
	s := &pty{t: t, main: ptmx, news: make(chan struct{}, 1)}
	s.keys(keys)
	s.cmd = exec.Command(argv[0], argv[1:]...)
	s.cmd.Env, s.cmd.Dir = append(append([]string{"TERM=dumb"}, p.env...), env...), p.work
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = side, side, side
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	side.Close()
	go s.read()
	t.Cleanup(func() {
		s.cmd.Process.Kill()
		ptmx.Close()
	})
	return s
}

func (s *pty) read() {
	b := make([]byte, 4096)
	for {
		n, err := s.main.Read(b)
		s.mu.Lock()
		s.text += string(b[:n])
		s.mu.Unlock()
		select {
		case s.news <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (s *pty) shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text
}

// wait waits until the screen shows what matches.
func (s *pty) wait(pattern string) []string {
	s.t.Helper()
	re := regexp.MustCompile(pattern)
	give := time.After(30 * time.Second)
	for {
		if m := re.FindStringSubmatch(s.shown()); m != nil {
			return m
		}
		select {
		case <-s.news:
		case <-give:
			s.t.Fatalf("the screen does not show %s:\n%s", pattern, s.shown())
		}
	}
}

func (s *pty) keys(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.main, text); err != nil {
		s.t.Fatal(err)
	}
}

// end waits for the program and returns its exit code.
func (s *pty) end() int {
	s.t.Helper()
	_ = s.cmd.Wait() // the exit code says all
	return s.cmd.ProcessState.ExitCode()
}

const theWord = `type the [a-z ]+, (\S+), and Enter`

// blocked is a place with a command that is refused, and that counts its runs.
func blocked(t *testing.T) (p *place, text string) {
	p = newPlace(t)
	p.write(t, ".env", "PASSWORD=x\n")
	p.write(t, "show.sh", "cat .env\necho ran >> count\n")
	return p, "sh show.sh"
}

func (p *place) count() int {
	text, err := os.ReadFile(filepath.Join(p.work, "count"))
	if err != nil {
		return 0
	}
	return strings.Count(string(text), "ran")
}

// refused runs the command without a terminal and returns the digest.
func refused(t *testing.T, p *place, argv ...string) string {
	t.Helper()
	got := p.start(t, "", argv...)
	m := regexp.MustCompile(`heed run --approve ([0-9a-f-]+)`).FindStringSubmatch(got.err)
	if got.status.ExitStatus() != ExitRefused || m == nil {
		t.Fatalf("not refused: %+v", got)
	}
	return m[1]
}

func TestAsk(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, answer string
		runs           bool
	}{
		"the word":      {"", "WORD\n", true},
		"with spaces":   {"", " WORD \n", true},
		"yes":           {"", "y\n", false},
		"the whole yes": {"", "yes\n", false},
		"nothing":       {"", "\n", false},
		"too much":      {"", "WORD" + strings.Repeat("x", 300) + "\n", false},
		"end of file":   {"", "\x04", false},
		"interrupt":     {"", "\x03", false},
		"typed ahead":   {".env\n", "no\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, text := blocked(t)
			s := ahead(t, p, c.before, nil, p.sh(), "-c", text)
			word := s.wait(theWord)[1]
			if !strings.Contains(s.shown(), "[REVIEW]") || !strings.Contains(s.shown(), "command: sh show.sh") {
				t.Errorf("shown: %s", s.shown())
			}
			s.keys(strings.ReplaceAll(c.answer, "WORD", word))
			code := s.end()
			if want := map[bool]int{true: 1}[c.runs]; p.count() != want || c.runs != (code == 0) {
				t.Errorf("it ran %d times, exit code %d:\n%s", p.count(), code, s.shown())
			}
		})
	}
}

func TestApprove(t *testing.T) {
	t.Parallel()
	p, text := blocked(t)
	run := filepath.Join(p.bin, "heed-run")
	digest := refused(t, p, p.sh(), "-c", text)
	if other := refused(t, p, p.sh(), "-c", text); other != digest {
		t.Errorf("the same command has the digests %s and %s", digest, other)
	}

	// Nobody at a terminal, however it is asked for.
	for _, env := range [][]string{nil, {"HEED_APPROVE=1", "HEED_APPROVE=" + digest}} {
		if got := p.startAs(t, run, digest[:4]+"\n", env, run, "--approve", digest); got.status.ExitStatus() != ExitRefused || p.count() != 0 {
			t.Errorf("approved without a terminal: %+v", got)
		}
	}
	// An agent's session.
	if s := on(t, p, []string{"CLAUDECODE=1"}, run, "--approve", digest); s.end() != ExitRefused || p.count() != 0 {
		t.Errorf("approved in an agent's session: %s", s.shown())
	}
	// No, then yes, from another directory.
	s := on(t, p, nil, run, "--approve", digest)
	s.wait(theWord)
	s.keys("no\n")
	if s.end() != ExitRefused || p.count() != 0 {
		t.Errorf("said no, and it ran: %s", s.shown())
	}
	elsewhere := *p
	elsewhere.work = p.home
	s = on(t, &elsewhere, nil, run, "--approve", strings.ReplaceAll(digest, "-", "")[:12])
	s.keys(s.wait(theWord)[1] + "\n")
	if s.end() != 0 || p.count() != 1 {
		t.Errorf("ran %d times: %s", p.count(), s.shown())
	}
	s.wait("PASSWORD=x")
	// Once.
	s = on(t, p, nil, run, "--approve", digest)
	if s.end() != ExitRefused || p.count() != 1 {
		t.Errorf("approved twice: %s", s.shown())
	}
	s.wait("the request is used")
}

// TestApproveUpToAStep: what was agreed to runs, and no more; the rest has a request of its
// own.
func TestApproveUpToAStep(t *testing.T) {
	t.Parallel()
	p, text := blocked(t)
	run := filepath.Join(p.bin, "heed-run")
	line := text + "; cat .env && touch rest"
	digest := refused(t, p, p.sh(), "-c", line)
	s := on(t, p, nil, run, "--approve", digest, "3")
	if s.wait("step 3 is its last|name one of the first 2"); s.end() != ExitRefused || p.count() != 0 {
		t.Errorf("ran up to the end: %s", s.shown())
	}
	s = on(t, p, nil, run, "--approve", digest, "1")
	s.keys(s.wait(theWord)[1] + "\n")
	rest := s.wait("what follows waits for another yes: heed run --approve ([0-9a-f-]+)")[1]
	if s.end() != 0 || p.count() != 1 || !strings.Contains(s.shown(), "command: sh show.sh\r\n") {
		t.Errorf("ran %d times: %s", p.count(), s.shown())
	}
	if _, err := os.Stat(filepath.Join(p.work, "rest")); err == nil {
		t.Error("what follows ran as well")
	}
	s = on(t, p, nil, run, "--approve", digest, "1")
	if s.wait("the request is used"); s.end() != ExitRefused {
		t.Errorf("ran twice: %s", s.shown())
	}
	s = on(t, p, nil, run, "--approve", rest)
	s.wait("follows: sh show.sh")
	s.keys(s.wait(theWord)[1] + "\n")
	if s.end() != 0 || p.count() != 1 {
		t.Errorf("the rest: %s", s.shown())
	}
	if _, err := os.Stat(filepath.Join(p.work, "rest")); err != nil {
		t.Errorf("the rest did not run: %v", err)
	}
}

// TestAskUpToAStep: at the terminal it is the same.
func TestAskUpToAStep(t *testing.T) {
	t.Parallel()
	p, text := blocked(t)
	s := on(t, p, nil, p.sh(), "-c", text+" && cat .env; touch rest")
	s.wait(`step 3: +\[CAUTION\] ; touch rest`)
	s.wait(theWord)
	s.keys("step 2\n")
	s.wait("Only the first 2 of 3 steps")
	s.keys(regexp.MustCompile(theWord).FindAllStringSubmatch(s.wait("(?s)" + theWord + ".*" + theWord)[0], -1)[1][1] + "\n")
	if s.end() != 0 || p.count() != 1 {
		t.Errorf("ran %d times: %s", p.count(), s.shown())
	}
	s.wait("what follows was not run: touch rest|what follows waits for another yes")
	if _, err := os.Stat(filepath.Join(p.work, "rest")); err == nil {
		t.Error("what follows ran as well")
	}
}

// TestAgreedPart: a line that a person agreed to in part elsewhere is not run, and its
// first steps are, once, if nothing changed.
func TestAgreedPart(t *testing.T) {
	t.Parallel()
	p, text := blocked(t)
	digest := refused(t, p, p.sh(), "-c", text+" && cat .env")
	agree := func() {
		t.Helper()
		store, err := approval.Open(func(name string) string { return map[string]string{"HOME": p.home}[name] })
		if err != nil {
			t.Fatal(err)
		}
		r, err := store.Find(strings.ReplaceAll(digest, "-", ""))
		if err == nil {
			err = store.Answer(r.Digest, approval.Answer{State: approval.Partly, Steps: 1, By: "person"})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	agree()
	if got := p.start(t, "", p.sh(), "-c", text+" && cat .env"); got.status.ExitStatus() != ExitRefused || !strings.Contains(got.err, "a person agreed to its first steps only, as a command of their own: sh show.sh") {
		t.Errorf("the whole line: %+v", got)
	}
	if got := p.start(t, "", p.sh(), "-c", "cat .env"); got.status.ExitStatus() != ExitRefused {
		t.Errorf("the rest: %+v", got)
	}
	if got := p.start(t, "", p.sh(), "-c", text); got.status != 0 || p.count() != 1 || !strings.Contains(got.err, "what follows waits for another yes") {
		t.Errorf("the first step: %+v", got)
	}
	if got := p.start(t, "", p.sh(), "-c", text); got.status.ExitStatus() != ExitRefused || p.count() != 1 {
		t.Errorf("twice: %+v", got)
	}
	digest = refused(t, p, p.sh(), "-c", text+" && cat .env")
	agree()
	p.write(t, "show.sh", "cat .env\necho ran >> count\necho ran >> count\n")
	if got := p.start(t, "", p.sh(), "-c", text); got.status.ExitStatus() != ExitRefused || p.count() != 1 {
		t.Errorf("in another world: %+v", got)
	}
}

// TestApproveAtOnce has two people approve the same request at the same time.
func TestApproveAtOnce(t *testing.T) {
	t.Parallel()
	p, text := blocked(t)
	run := filepath.Join(p.bin, "heed-run")
	digest := refused(t, p, p.sh(), "-c", text)
	a, b := on(t, p, nil, run, "--approve", digest), on(t, p, nil, run, "--approve", digest)
	word := a.wait(theWord)[1]
	b.wait(theWord)
	a.keys(word + "\n")
	b.keys(word + "\n")
	x, y := a.end(), b.end()
	if p.count() != 1 || x == y {
		t.Errorf("it ran %d times, exit codes %d and %d\n%s\n%s", p.count(), x, y, a.shown(), b.shown())
	}
}

func TestApproveWhatChanged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(t *testing.T, p *place)
		env    []string
		want   string
	}{
		"file":      {change: func(t *testing.T, p *place) { p.write(t, "show.sh", "cat .env\necho ran >> count\n#\n") }, want: "the file .*/show.sh"},
		"target":    {change: func(t *testing.T, p *place) { os.Remove(filepath.Join(p.work, ".env")) }, want: "the file .*/.env"},
		"variable":  {env: []string{"V=other"}, want: "the variable V"},
		"unset":     {env: []string{"W=now set"}, want: "the variable W"},
		"path":      {env: []string{"PATH=/bin:/usr/bin"}, want: "the variable PATH"},
		"directory": {change: func(t *testing.T, p *place) { os.Rename(p.work, p.work+"-old") }, want: "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, text := blocked(t)
			p.env = append(p.env, "V=one")
			digest := refused(t, p, p.sh(), "-c", "echo $V $W; "+text)
			if c.change != nil {
				c.change(t, p)
			}
			at := *p
			at.work = p.home
			s := on(t, &at, c.env, filepath.Join(p.bin, "heed-run"), "--approve", digest)
			code := s.end()
			s.wait(c.want)
			if code != ExitRefused || p.count() != 0 {
				t.Errorf("exit code %d, ran %d times: %s", code, p.count(), s.shown())
			}
		})
	}
}

// TestChangedWhileAsked changes a file between the question and the answer.
func TestChangedWhileAsked(t *testing.T) {
	t.Parallel()
	p, text := blocked(t)
	run := filepath.Join(p.bin, "heed-run")
	for _, argv := range [][]string{{p.sh(), "-c", text}, {run, "--approve"}} {
		if digest := refused(t, p, p.sh(), "-c", text); len(argv) == 2 {
			argv = append(argv, digest)
		}
		s := on(t, p, nil, argv...)
		word := s.wait(theWord)[1]
		before, err := os.ReadFile(filepath.Join(p.work, "show.sh"))
		if err != nil {
			t.Fatal(err)
		}
		p.write(t, "show.sh", "cat .env\necho ran twice >> count\n")
		s.keys(word + "\n")
		if code := s.end(); code != ExitRefused || p.count() != 0 {
			t.Errorf("%q: exit code %d, ran %d times: %s", argv, code, p.count(), s.shown())
		}
		s.wait("the file .*/show.sh")
		p.write(t, "show.sh", string(before))
	}
}

// TestApproveScript approves a script that came on standard input, and a
// command that was given data there.
func TestApproveScript(t *testing.T) {
	t.Parallel()
	p, _ := blocked(t)
	run := filepath.Join(p.bin, "heed-run")
	for _, c := range []struct {
		in, want string
		argv     []string
	}{
		{"cat .env\necho \"got $1\"\n", "got a b", []string{p.sh(), "-s", "a b"}},
		{"data", `read \[\]`, []string{p.sh(), "-c", "cat .env; read x; echo \"read [$x]\""}},
	} {
		got := p.start(t, c.in, c.argv...)
		m := regexp.MustCompile(`heed run --approve ([0-9a-f-]+)`).FindStringSubmatch(got.err)
		if m == nil {
			t.Fatalf("%+v", got)
		}
		s := on(t, p, nil, run, "--approve", m[1])
		s.keys(s.wait(theWord)[1] + "\n")
		if code := s.end(); code != 0 {
			t.Errorf("exit code %d: %s", code, s.shown())
		}
		s.wait(c.want)
	}
}

// TestInteractive hands a terminal over to the real shell.
func TestInteractive(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := on(t, p, nil, p.sh(), "--norc")
	s.wait(`(?s)\[CAUTION\] Starts an interactive shell.*type yes.* and Enter`)
	s.keys("yes\n")
	s.keys("echo in-$((1+1)); tty -s && echo terminal; exit 5\n")
	s.wait("in-2\r\nterminal")
	if code := s.end(); code != 5 {
		t.Errorf("exit code %d: %s", code, s.shown())
	}
}

// TestSecretsAreNotKept looks for secrets in all that a refusal writes.
func TestSecretsAreNotKept(t *testing.T) {
	t.Parallel()
	const secret = "hunter2-and-more"
	p, text := blocked(t)
	p.env = append(p.env, "API_TOKEN="+secret, "DATABASE_URL=postgres://u:"+secret+"@host/db")
	p.write(t, "show.sh", "cat .env\necho ran $API_TOKEN $DATABASE_URL >> count\nT=ghp_0123456789abcdefghijklmnop\n")
	refused(t, p, p.sh(), "-c", text)
	names := p.kept(t)
	if len(names) != 1 {
		t.Fatalf("kept: %q", names)
	}
	kept, err := os.ReadFile(filepath.Join(p.pending(), names[0]+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(kept), "hunter2") || strings.Contains(string(kept), "ghp_") || !strings.Contains(string(kept), `"API_TOKEN":"set"`) {
		t.Errorf("kept: %s", kept)
	}
	for _, text := range []string{"cat .env; echo " + secret, "cat .env; echo ghp_0123456789abcdefghijklmnop", "cat .env; psql postgres://u:hunter2other@h/d"} {
		got := p.start(t, "", p.sh(), "-c", text)
		if got.status.ExitStatus() != ExitRefused || !strings.Contains(got.err, "heed approve ") {
			t.Errorf("%+v", got)
		}
	}
	// Of these what tells them apart is kept, and not the secret.
	err = filepath.WalkDir(filepath.Join(p.home, ".local/state"), func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if strings.Contains(string(text), "hunter2") || strings.Contains(string(text), "ghp_") {
			t.Errorf("%s holds a secret: %s", name, text)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if n := len(p.kept(t)); n != 4 {
		t.Errorf("%d requests are kept", n)
	}
}

// TestNoPlaceToKeep takes the store away in every way: the refusal stays.
func TestNoPlaceToKeep(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(p *place) error{
		"a file in the way": func(p *place) error { return os.WriteFile(filepath.Join(p.home, ".local"), nil, 0o600) },
		"a link in the way": func(p *place) error {
			if err := os.MkdirAll(filepath.Join(p.home, ".local/state"), 0o700); err != nil {
				return err
			}
			return os.Symlink(p.work, filepath.Join(p.home, ".local/state/heed"))
		},
		"others may write": func(p *place) error {
			if err := os.MkdirAll(p.pending(), 0o700); err != nil {
				return err
			}
			return os.Chmod(p.pending(), 0o777)
		},
		"no home": func(p *place) error { p.env[0] = "HOME="; return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, text := blocked(t)
			if err := spoil(p); err != nil {
				t.Fatal(err)
			}
			got := p.start(t, "", p.sh(), "-c", text)
			if got.status.ExitStatus() != ExitRefused || !strings.Contains(got.err, "cannot be approved later") || strings.Contains(got.err, "--approve") || p.count() != 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestCovered: a yes covers what the command starts through heed-sh, but for what is
// REVIEW itself; and a variable covers nothing.
func TestCovered(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(t, ".env", "PASSWORD=x\n")
	p.write(t, "tool", "#!/usr/bin/env no-such-language\n")
	inner := p.sh() + " -c './tool; echo inner-$((1+1))'"
	for name, c := range map[string]struct {
		text  string
		asked int // questions, the first one answered with its word
		runs  bool
	}{
		"covered":         {"cat .env; " + inner, 1, true},
		"review inside":   {"cat .env; " + p.sh() + " -c 'cat .env; echo inner-$((1+1))'", 2, false},
		"not by variable": {"HEED_COVERED=1 " + inner, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := on(t, p, nil, p.sh(), "-c", c.text)
			word := s.wait(`type (?:the [a-z ]+, )?(\S+?),? and Enter`)[1]
			if c.asked == 2 && !strings.Contains(c.text, ".env") {
				s.keys("no\n") // asked at once: nothing covers it
			} else {
				s.keys(word + "\n")
			}
			if c.asked == 2 && strings.Contains(c.text, ".env") {
				s.wait(`(?s)and Enter.*and Enter`)
				s.keys("no\n")
			}
			if c.runs {
				s.wait("inner-2")
			}
			s.end()
			if !c.runs && strings.Contains(s.shown(), "inner-2") {
				t.Errorf("it ran:\n%s", s.shown())
			}
		})
	}
}

// TestRulesAreGiven: what a person wants for later runs unasked then: in this terminal's
// session, or always; and its neighbours do not.
func TestRulesAreGiven(t *testing.T) {
	t.Parallel()
	for word, again := range map[string]struct{ here, elsewhere bool }{"yes": {}, "session": {here: true}, "always": {true, true}} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			ask, next, done := "type yes.* and Enter", p.sh()+" -c 'truncate -s 0 /heed-test-none/x'", "echo end-$((1+1))"
			// The outer shell is one session, in which the same command is tried twice.
			s := on(t, p, nil, "/bin/bash", "-c", next+"; echo mid-$((1+1)); "+next+"; "+done)
			s.wait(ask)
			s.keys(word + "\n")
			s.wait("mid-2")
			if !again.here {
				s.wait("(?s)mid-2.*" + ask)
				s.keys("no\n")
			}
			s.wait("end-2")
			other := on(t, p, nil, "/bin/bash", "-c", next+"; "+done)
			if !again.elsewhere {
				other.wait(ask)
				other.keys("no\n")
			}
			other.wait("end-2")
		})
	}
}

// TestAskDrawn answers at terminals that can be drawn on.
func TestAskDrawn(t *testing.T) {
	t.Parallel()
	const slowly = 300 * time.Millisecond
	for _, size := range []unix.Winsize{{Col: 80, Row: 24}, {Col: 200, Row: 60}} {
		for name, c := range map[string]struct {
			key  string // what stands beside the key
			then string
			env  []string
			runs int
			out  string
			code int
		}{
			"the word":          {"run it once", "WORD\r", nil, 1, "PASSWORD=x", 0},
			"the word, no hues": {"run it once", "WORD\r", []string{"NO_COLOR=1"}, 1, "PASSWORD=x", 0},
			"another word":      {"run it once", "yes\r\x1b", nil, 0, "", ExitRefused},
			"no":                {"say no, why", "because\r", nil, 0, "you said: because", ExitRefused},
			"edited":            {"edit it", "\x15echo $((40+2))-edited\r", nil, 0, "42-edited", 0},
			"edited for worse":  {"edit it", "\x15cat .env; echo ran >> count\r", nil, 0, "", ExitRefused},
		} {
			t.Run(fmt.Sprintf("%s %d", name, size.Col), func(t *testing.T) {
				t.Parallel()
				p, text := blocked(t)
				s := sized(t, p, size, "\r\r", append([]string{"TERM=xterm-256color"}, c.env...), p.sh(), "-c", text)
				letter := s.wait(`\((\w)\) ` + c.key)[1]
				s.wait("Enter does nothing")
				if shown := s.shown(); !strings.Contains(shown, "[REVIEW]") || !strings.Contains(shown, "sh show.sh") || (c.env != nil) == strings.Contains(shown, "\x1b[31;1;7m") {
					t.Errorf("shown: %q", shown)
				}
				s.keys("\x1b[F" + letter)
				word := ""
				if c.key == "run it once" {
					word = s.wait(theWord)[1]
				}
				time.Sleep(time.Second)
				for _, key := range strings.SplitAfter(strings.ReplaceAll(c.then, "WORD", word), "\r") {
					s.keys(key)
					time.Sleep(slowly)
				}
				if c.runs == 0 && c.code == ExitRefused {
					s.keys("\x1b") // back, or a no
					time.Sleep(slowly)
					s.keys("\x03")
				}
				code := s.end()
				if code != c.code || p.count() != c.runs {
					t.Errorf("exit code %d, ran %d times: %q", code, p.count(), s.shown())
				}
				s.wait(c.out)
			})
		}
	}
}
