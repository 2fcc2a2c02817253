package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/caller"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/pin"
)

// The accounts of the tests, which need not have names.
const keeper, alice, bob = 64001, 64002, 64003

// TestMain is the daemon where a test has started it as one.
func TestMain(m *testing.M) {
	state := os.Getenv("HEED_DAEMON_STATE")
	if state == "" {
		os.Exit(m.Run())
	}
	s := &Server{State: state, Who: person}
	l, done, err := s.Listen(context.Background(), os.Getenv("HEED_DAEMON_SOCKET"))
	if err == nil {
		defer done()
		_, _ = os.Stdout.WriteString("ready\n")
		err = s.Serve(context.Background(), l)
	}
	_, _ = os.Stderr.WriteString(err.Error())
	os.Exit(1)
}

func person(int) caller.Finding { return caller.Finding{} }

// A place is a directory in which a daemon of its own account runs.
type place struct {
	t                  *testing.T
	dir, state, socket string
	daemon             *exec.Cmd
}

func newPlace(t *testing.T) *place {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can be other accounts")
	}
	dir, err := os.MkdirTemp("", "heed-daemon")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	p := &place{t: t, dir: dir, state: dir + "/state", socket: dir + "/run/s"}
	for _, d := range []string{p.state, dir + "/run"} {
		must(t, os.Mkdir(d, 0o755))
		must(t, os.Chown(d, keeper, keeper))
	}
	must(t, os.Chmod(dir, 0o755))
	self, err := os.ReadFile("/proc/self/exe")
	must(t, err)
	must(t, os.WriteFile(dir+"/daemon", self, 0o755)) // where others may run it
	must(t, os.Chmod(dir+"/daemon", 0o755))
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// command is the daemon, as its account.
func (p *place) command() *exec.Cmd {
	c := exec.Command(p.dir + "/daemon")
	c.Env = []string{"HEED_DAEMON_STATE=" + p.state, "HEED_DAEMON_SOCKET=" + p.socket}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: keeper, Gid: keeper}, Pdeathsig: syscall.SIGKILL}
	c.Dir = "/"
	return c
}

func (p *place) start() {
	p.t.Helper()
	c := p.command()
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.StdoutPipe()
	must(p.t, err)
	must(p.t, c.Start())
	p.daemon = c
	p.t.Cleanup(func() { p.kill() })
	if _, err := io.ReadFull(out, make([]byte, 6)); err != nil {
		p.t.Fatalf("the daemon does not start: %v: %s", err, &errs)
	}
}

func (p *place) kill() {
	_ = p.daemon.Process.Kill() // it may be gone
	_ = p.daemon.Wait()         // it was killed
}

func (p *place) client() *Client { return &Client{Socket: p.socket, UID: keeper} }

// as does something on a thread of another account. The thread ends with it.
func as(t *testing.T, uid int, do func()) {
	t.Helper()
	if e := become(uid, do); e != 0 {
		t.Fatal(e)
	}
}

// become does something as another account, on a thread that ends with it.
func become(uid int, do func()) syscall.Errno {
	done := make(chan syscall.Errno)
	go func() {
		runtime.LockOSThread() // and never unlocked
		_, _, e := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0))
		if e == 0 {
			do()
		}
		done <- e
	}()
	return <-done
}

func ask(command string) approval.Request {
	return approval.Request{Front: approval.FrontHook, Facts: approval.Facts{Command: command, Job: approval.Job{Dir: "/"}}}
}

// keeps keeps a request of an account.
func (p *place) keeps(uid int, command string) (r *approval.Request) {
	p.t.Helper()
	var err error
	as(p.t, uid, func() { r, err = p.client().Keep(ask(command)) })
	must(p.t, err)
	return r
}

func yes() approval.Answer { return approval.Answer{State: approval.Approved, By: "person"} }

// TestAccounts: a request is seen, answered and used by who made it, and seen and answered
// by root.
func TestAccounts(t *testing.T) {
	p := newPlace(t)
	p.start()
	r := p.keeps(alice, "rm -rf \xff")
	as(t, bob, func() {
		c := p.client()
		if all, _, err := c.List(); err != nil || len(all) != 0 {
			t.Errorf("bob is shown %d requests: %v", len(all), err)
		}
		for name, err := range map[string]error{
			"answer": c.Answer(r.Digest, yes()), "use": c.Use(r.Digest, approval.Pending),
			"get": second(c.Get(r.Digest)), "find": second(c.Find(r.Digest[:12])),
		} {
			if !errors.Is(err, approval.ErrGone) {
				t.Errorf("bob: %s: %v", name, err)
			}
		}
		if err := c.Use(r.Digest, approval.Approved); !errors.Is(err, approval.ErrGone) {
			t.Error(err)
		}
	})
	all, _, err := p.client().List()
	if err != nil || len(all) != 1 || all[0].Owner != alice || all[0].Facts.Command != r.Facts.Command {
		t.Fatalf("root is shown %+v, %v", all, err)
	}
	as(t, alice, func() {
		c := p.client()
		if err := c.Use(r.Digest, approval.Approved); !errors.Is(err, approval.ErrGone) {
			t.Errorf("used without an answer: %v", err)
		}
		must(t, c.Answer(r.Digest, yes()))
		var twice *approval.AnsweredError
		if err := c.Answer(r.Digest, approval.Answer{State: approval.Denied}); !errors.As(err, &twice) || twice.State != approval.Approved {
			t.Errorf("answered twice: %v", err)
		}
		must(t, c.Use(r.Digest, approval.Approved))
		if err := c.Use(r.Digest, approval.Approved); !errors.Is(err, approval.ErrGone) {
			t.Errorf("used twice: %v", err)
		}
		for _, place := range []string{p.state + "/64002/heed/pending", p.state + "/64002"} {
			if f, err := syscall.Open(place, syscall.O_RDONLY, 0); err == nil {
				_ = syscall.Close(f)
				t.Errorf("alice can read %s", place)
			}
		}
	})
	if again := p.keeps(alice, "rm y"); p.client().Answer(again.Digest, yes()) != nil {
		t.Error("root cannot answer")
	}
}

func second[T any](_ T, err error) error { return err }

// TestPIN: with a PIN every yes takes it, once for one request; wrong tries count over a
// restart.
func TestPIN(t *testing.T) {
	p := newPlace(t)
	p.start()
	one, other := p.keeps(alice, "rm 1"), p.keeps(alice, "rm 2")
	as(t, alice, func() {
		c := p.client()
		by := &PIN{c}
		must(t, by.Set(nil, []byte("826401")))
		if err := c.Answer(one.Digest, yes()); err == nil {
			t.Error("approved without the PIN")
		}
		must(t, by.CheckFor(t.Context(), one.Digest, []byte("826401")))
		c.tickets[other.Digest] = c.tickets[one.Digest]
		if err := c.Answer(other.Digest, yes()); err == nil {
			t.Error("the PIN for one request does for another")
		}
		must(t, by.CheckFor(t.Context(), one.Digest, []byte("826401")))
		must(t, c.Answer(one.Digest, yes()))
		if r, err := c.Get(one.Digest); err != nil || r.Answer.By != "pin" {
			t.Errorf("%+v, %v", r, err)
		}
		var wrong pin.Wrong
		for i := range 5 {
			if err := by.Check(t.Context(), []byte("111112")); !errors.As(err, &wrong) {
				t.Fatalf("try %d: %v", i, err)
			}
		}
	})
	p.kill()
	p.start() // over the socket that was left behind
	as(t, alice, func() {
		var wait pin.Wait
		if err := (&PIN{p.client()}).Check(t.Context(), []byte("826401")); !errors.As(err, &wait) || time.Until(wait.Until) <= 0 {
			t.Errorf("after five wrong tries and a restart: %v", err)
		}
		must(t, p.client().Answer(other.Digest, approval.Answer{State: approval.Denied})) // a no takes none
	})
}

// TestKept: what was acknowledged is there after kill -9, and logs are apart.
func TestKept(t *testing.T) {
	p := newPlace(t)
	p.start()
	r := p.keeps(alice, "rm x")
	as(t, alice, func() {
		must(t, p.client().Answer(r.Digest, yes()))
		got, err := (&Log{p.client()}).AppendAll(t.Context(), []audit.Row{{Kind: audit.Decided, Command: "a"}, {Kind: audit.Asked, Command: "b"}})
		if err != nil || len(got) != 2 {
			t.Fatalf("%v, %v", got, err)
		}
	})
	p.kill()
	as(t, alice, func() {
		c := p.client()
		if c.Use(r.Digest, approval.Approved) == nil || c.Attended() || second(c.Keep(ask("rm y"))) == nil || second((&Log{c}).AppendAll(t.Context(), nil)) == nil {
			t.Error("something is done though the daemon is gone")
		}
	})
	p.start()
	count := func(uid int) (rows []string) {
		as(t, uid, func() {
			for r, err := range (&Log{p.client()}).Rows(t.Context(), audit.Filter{}) {
				if err != nil {
					if !isMissing(err) {
						t.Error(err)
					}
					return
				}
				rows = append(rows, r.Command)
			}
		})
		return rows
	}
	if got := count(alice); strings.Join(got, ",") != ",a,b" { // the first row begins the log
		t.Errorf("alice's log: %q", got)
	}
	if got := count(bob); len(got) > 0 {
		t.Errorf("bob's log: %q", got)
	}
	as(t, alice, func() { must(t, p.client().Use(r.Digest, approval.Approved)) })
}

// TestKilledInside: whenever the daemon is killed while it is asked, what it acknowledged is
// there afterwards: requests, answers and rows. What it did not acknowledge may be there or
// not, and the next daemon goes on.
func TestKilledInside(t *testing.T) {
	p := newPlace(t)
	const rounds, most = 12, 15
	kept := map[string]bool{} // and whether it was answered
	rows := map[string]bool{}
	cut := 0
	for round := range rounds {
		p.start()
		begun := make(chan struct{})
		over := make(chan bool)
		one := func() {
			c := p.client()
			for i := range most {
				name := fmt.Sprintf("rm %d-%d", round, i)
				r, err := c.Keep(ask(name))
				if i == 0 {
					close(begun)
				}
				if err != nil {
					break
				}
				kept[r.Digest] = false
				if _, err := (&Log{c}).AppendAll(context.Background(), []audit.Row{{Kind: audit.Decided, Command: name}}); err != nil {
					break
				}
				rows[name] = true
				if c.Answer(r.Digest, yes()) != nil {
					break
				}
				kept[r.Digest] = true
				if i == most-1 {
					over <- false
					return
				}
			}
			over <- true
		}
		go func() {
			if e := become(alice, one); e != 0 {
				t.Error(e)
				close(begun)
				over <- false
			}
		}()
		<-begun
		time.Sleep(time.Duration(round) * 4 * time.Millisecond)
		p.kill()
		if <-over {
			cut++
		}
	}
	if cut == 0 {
		t.Skip("the daemon was never killed inside of a request: this machine is too fast, or too slow")
	}
	p.start()
	as(t, alice, func() {
		c := p.client()
		for digest, answered := range kept {
			r, err := c.Get(digest)
			if err != nil || answered && r.State != approval.Approved {
				t.Errorf("%s (answered: %v) is lost: %v", digest, answered, err)
			}
		}
		for r, err := range (&Log{c}).Rows(context.Background(), audit.Filter{}) {
			if err != nil {
				t.Error(err)
				return
			}
			delete(rows, r.Command)
		}
		if len(rows) > 0 {
			t.Errorf("rows that were acknowledged are lost: %v", rows)
		}
		if second((&Log{c}).AppendAll(context.Background(), []audit.Row{{Kind: audit.Decided, Command: "after"}})) != nil {
			t.Error("nothing can be recorded any more")
		}
	})
	t.Logf("%d of %d daemons were killed inside of a request; %d requests were acknowledged", cut, rounds, len(kept))
}

// TestTwo: of two daemons one runs, and the first keeps its socket.
func TestTwo(t *testing.T) {
	p := newPlace(t)
	p.start()
	out, err := p.command().CombinedOutput()
	if err == nil || !strings.Contains(string(out), "another daemon runs") {
		t.Errorf("%v: %s", err, out)
	}
	p.keeps(alice, "rm x")
}

// TestForeignSocket: a daemon takes no socket that is not its own away, and a client
// believes none that another account listens on.
func TestForeignSocket(t *testing.T) {
	p := newPlace(t)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: p.socket, Net: "unix"}) // root's
	must(t, err)
	defer l.Close()
	if out, err := p.command().CombinedOutput(); err == nil || !strings.Contains(string(out), "no socket of this account") {
		t.Errorf("%v: %s", err, out)
	}
	if err := p.client().Use("x", approval.Approved); err == nil || !strings.Contains(err.Error(), "the account 0 listens there") {
		t.Errorf("a yes from root's socket: %v", err)
	}
}

// TestAgent: an agent's processes keep and use requests, and answer none.
func TestAgent(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be other accounts")
	}
	dir := t.TempDir()
	s := &Server{State: filepath.Join(dir, "state"), Who: func(int) caller.Finding { return caller.Finding{Agent: "an agent", How: "it says so"} }}
	l, done, err := s.Listen(t.Context(), filepath.Join(dir, "s"))
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan error)
	go func() { over <- s.Serve(ctx, l) }()
	c := &Client{Socket: filepath.Join(dir, "s")}
	r, err := c.Keep(ask("rm x"))
	must(t, err)
	for name, err := range map[string]error{
		"approve": c.Answer(r.Digest, yes()), "deny": c.Answer(r.Digest, approval.Answer{State: approval.Denied}), "watch": c.Attend(),
		"set": (&PIN{c}).Set(nil, []byte("826401")), "try": (&PIN{c}).Check(t.Context(), []byte("826401")), "remove": (&PIN{c}).Remove([]byte("826401")),
		"record": second((&Log{c}).AppendAll(t.Context(), []audit.Row{{Kind: audit.Approved, By: "person"}})),
	} {
		if err == nil || !strings.Contains(err.Error(), "an agent is at work here") {
			t.Errorf("%s: %v", name, err)
		}
	}
	stop()
	must(t, <-over)
	done()
}

// TestFrames: what is no whole call of this version does nothing, and the daemon goes on.
func TestFrames(t *testing.T) {
	p := newPlace(t)
	p.start()
	for name, c := range map[string]struct{ send, want string }{
		"cut":             {`{"v":1,"do":"li`, "unexpected EOF"},
		"nothing":         {"", "EOF"},
		"no JSON":         {"hello\n", "is not a JSON object"},
		"another version": {`{"v":2,"do":"list"}` + "\n", "version 2"},
		"no version":      {`{"do":"list"}` + "\n", "version 0"},
		"unknown call":    {`{"v":1,"do":"run"}` + "\n", "does not know"},
		"unknown member":  {`{"v":1,"do":"list","uid":0}` + "\n", "does not know it"},
		"twice":           {`{"v":1,"do":"list","do":"use"}` + "\n", "twice"},
		"another case":    {`{"v":1,"Do":"list"}` + "\n", "does not know it"},
		"two objects":     {`{"v":1,"do":"list"}{}` + "\n", "more than one"},
		"no answer":       {`{"v":1,"do":"answer","name":"x"}` + "\n", "there is no answer"},
		"another answer":  {`{"v":1,"do":"answer","name":"x","answer":{"state":"used","by":"","at":0}}` + "\n", "there is no answer"},
		"no request":      {`{"v":1,"do":"keep"}` + "\n", "damaged"},
		"too long":        {strings.Repeat(" ", maxLine+100) + "\n", "longer than"},
	} {
		conn, err := net.Dial("unix", p.socket)
		must(t, err)
		u := conn.(*net.UnixConn)
		_, _ = io.WriteString(u, c.send) // what is too long is not read to its end
		_ = u.CloseWrite()
		got, _ := io.ReadAll(u)
		if !strings.Contains(string(got), c.want) || !strings.Contains(string(got), `"fault"`) {
			t.Errorf("%s: %.300s", name, got)
		}
		_ = conn.Close()
	}
	p.keeps(alice, "rm x")
}

// TestSlow: who does not send, or does not read, keeps nobody else waiting.
func TestSlow(t *testing.T) {
	p := newPlace(t)
	p.start()
	var slow []net.Conn
	for range maxOfOne {
		as(t, bob, func() {
			c, err := net.Dial("unix", p.socket)
			must2(t, err)
			slow = append(slow, c)
		})
	}
	defer func() {
		for _, c := range slow {
			_ = c.Close()
		}
	}()
	p.keeps(alice, "rm x")
	got, err := io.ReadAll(slow[0]) // until the daemon gives it up
	if !strings.Contains(string(got), "timeout") {
		t.Errorf("%q, %v", got, err)
	}
	p.keeps(bob, "rm x")
}

func must2(t *testing.T, err error) {
	if err != nil {
		t.Error(err)
	}
}

// TestLyingDaemon: what a daemon of the right account sends that is no whole answer is no
// yes.
func TestLyingDaemon(t *testing.T) {
	for name, answer := range map[string]string{
		"nothing": "", "cut": `{"v":1,"done":true`, "no end": `{"v":1,"done":true}`, "another version": `{"v":2,"done":true}` + "\n",
		"unknown": `{"v":1,"done":true,"ok":1}` + "\n", "not done": `{"v":1}` + "\n", "too long": strings.Repeat(" ", maxLine+100) + "\n",
	} {
		socket := filepath.Join(t.TempDir(), "s")
		l, err := net.Listen("unix", socket)
		must(t, err)
		go func() {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 4096))
			_, _ = io.WriteString(c, answer)
			_ = c.Close()
		}()
		c := &Client{Socket: socket, UID: os.Geteuid()}
		if err := c.Use("x", approval.Approved); err == nil {
			t.Errorf("%s: a yes", name)
		}
		_ = l.Close()
	}
}
