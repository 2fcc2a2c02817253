//go:build linux && (amd64 || arm64)

package confine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/confine/grant"
)

// TestMain makes this program three more: "attempt NAME ARGS" tries to escape and says by
// its exit code whether it did, "box GRANT PROGRAM ARGS" runs a program confined, "observe"
// does so and prints what it needs.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case "attempt":
			os.Exit(attempt(os.Args[2]))
		case "dial":
			os.Exit(dial(os.Args[2], os.Args[len(os.Args)-1]))
		case "meet":
			os.Exit(meet(os.Args[2]))
		case "fetch":
			os.Exit(fetch(os.Args[2]))
		case "victim":
			os.Exit(victim(os.Args[2]))
		case "box":
			os.Exit(box(os.Args[2], os.Args[3:], nil))
		case "observe":
			os.Exit(box(os.Args[2], os.Args[3:], &confine.Observer{
				Saw:   func(r confine.Refusal) { fmt.Fprintf(os.Stderr, "saw: %s by %s\n", r.Tried(), r.Program) },
				Keeps: func(p string) bool { return filepath.Base(p) == ".bashrc" },
			}))
		}
	}
	os.Exit(m.Run())
}

// The exit codes of an attempt.
const (
	escaped = 0
	kept    = 33 // it was refused
	untried = 34 // it could not be tried
	unboxed = 35 // there was no box
)

func attempt(name string) int {
	var f facts
	a, ok := attempts()[name]
	if err := json.Unmarshal([]byte(os.Getenv("ESCAPE")), &f); err != nil || !ok {
		return untried
	}
	switch err := a(&f); {
	case err == nil:
		return escaped
	case errors.Is(err, errUnfit):
		fmt.Fprintln(os.Stderr, name+":", err)
		return untried
	default:
		fmt.Fprintln(os.Stderr, name+":", err)
		return kept
	}
}

var errUnfit = errors.New("it cannot be tried here")

// box runs a program confined, and prints what it was refused.
func box(text string, argv []string, o *confine.Observer) int {
	b := confine.Box{Observer: o, Refused: func(r confine.Refusal) { fmt.Fprintf(os.Stderr, "refused: %s by %s\n", r.Tried(), r.Program) }}
	if err := json.Unmarshal([]byte(text), &b.Grant); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return unboxed
	}
	// As heed does while it judges: for what SAFE is granted. The rest is added.
	likely := grant.Grant{Read: b.Grant.Read, Hidden: b.Grant.Hidden, Search: b.Grant.Search, Secrets: b.Grant.Secrets, Net: grant.NoNet, Terminal: b.Grant.Terminal}
	b.Ready = confine.Prepare(&likely, os.Getenv("HOME"))
	defer b.Ready.Close()
	dir, err := os.Getwd()
	if err != nil {
		dir = "/"
	}
	end, err := b.Run(&confine.Command{Program: argv[0], Argv: argv, Env: os.Environ(), Dir: dir, Home: os.Getenv("HOME")})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return unboxed
	}
	return end.Code
}

// dial connects to an address.
func dial(network, to string) int {
	c, err := net.Dial(network, to)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return kept
	}
	c.Close() // it was only tried
	return 0
}

// meet listens at an address and connects to it.
func meet(at string) int {
	l, err := net.Listen("tcp", at)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return kept
	}
	defer l.Close()
	return dial("tcp", at)
}

// A who is an account that tests run as.
type who struct {
	name string
	cred *syscall.Credential
}

// accounts are root, where the tests may be it, and a plain user.
func accounts() []who {
	if os.Getuid() != 0 {
		return []who{{name: "user"}}
	}
	return []who{{name: "root"}, {name: "user", cred: &syscall.Credential{Uid: 4711, Gid: 4711, Groups: []uint32{}}}}
}

// A place is a machine in small: a home with secrets, a workspace, and this program.
type place struct {
	who        who
	top, self  string
	home, work string
}

func newPlace(t *testing.T, w who) *place {
	t.Helper()
	top, err := os.MkdirTemp("", "confine-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(top) }) // a temp directory
	p := &place{who: w, top: top, self: filepath.Join(top, "self"), home: filepath.Join(top, "home"), work: filepath.Join(top, "home", "work")}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Another process writes it: a test beside this one that starts something meanwhile
	// would hand the open file down, and what is open for writing cannot be run.
	if out, err := exec.Command("cp", exe, p.self).CombinedOutput(); err != nil {
		t.Fatalf("copying this program: %v\n%s", err, out)
	}
	p.file(t, "home/.ssh/id_ed25519", "KEY", 0o600)
	p.file(t, "home/.ssh/known_hosts", "hosts", 0o644)
	p.file(t, "home/.npmrc", "token", 0o600)
	p.file(t, "home/notes", "notes", 0o644)
	p.file(t, "home/work/a", "a", 0o644)
	p.file(t, "home/work/.env", "TOKEN=1", 0o600)
	p.own(t)
	return p
}

func (p *place) file(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	file := filepath.Join(p.top, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, mode); err != nil {
		t.Fatal(err)
	}
}

// own gives all to the account.
func (p *place) own(t *testing.T) {
	t.Helper()
	if err := os.Chmod(p.top, 0o755); err != nil {
		t.Fatal(err)
	}
	p.ownTree(t, p.top)
}

func (p *place) ownTree(t *testing.T, top string) {
	t.Helper()
	if p.who.cred == nil {
		return
	}
	err := filepath.WalkDir(top, func(name string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(name, int(p.who.cred.Uid), int(p.who.cred.Gid))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// safe is the grant of a SAFE command here.
func (p *place) safe() grant.Grant {
	return grant.Least(grant.Where{Home: p.home, Workspaces: []string{p.work}, Secrets: []string{p.home + "/.ssh", p.home + "/.npmrc"}})
}

// command makes a command as the account, in the workspace.
func (p *place) command(argv ...string) *exec.Cmd {
	c := exec.Command(argv[0], argv[1:]...)
	c.Dir = p.work
	c.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "TMPDIR=/tmp"}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: p.who.cred}
	if os.Getuid() == 0 {
		// What an attempt mounts or names, it mounts and names for itself.
		c.SysProcAttr.Unshareflags = syscall.CLONE_NEWNS | syscall.CLONE_NEWUTS
	}
	return c
}

// confined makes a command that runs another one in a box.
func (p *place) confined(t *testing.T, g grant.Grant, argv ...string) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	return p.command(append([]string{p.self, "box", string(text)}, argv...)...)
}

// ran runs a command and returns its exit code and what it printed.
func ran(t *testing.T, c *exec.Cmd) (int, string) {
	t.Helper()
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, string(out)
	case errors.As(err, &exit):
		return exit.ExitCode(), string(out)
	}
	t.Fatalf("%q: %v", c.Args, err)
	return unboxed, ""
}

// A try is a script in a box: the code with which it ends and what it prints.
type try struct {
	name, script string
	code         int
	want         string
}

// run holds a command against what was wanted of the try.
func (test *try) run(t *testing.T, c *exec.Cmd) (code int, out string) {
	t.Helper()
	if code, out = ran(t, c); code != test.code || !strings.Contains(out, test.want) {
		t.Errorf("%s: code %d, printed %q, want %d and %q", test.name, code, out, test.code, test.want)
	}
	return code, out
}

// needs skips a test where the kernel cannot confine.
func needs(t *testing.T) {
	t.Helper()
	if s := confine.Probe(); s.Landlock < 6 || !s.Seccomp {
		t.Skipf("this kernel cannot confine: %+v", s)
	}
}

func TestBox(t *testing.T) {
	t.Parallel()
	needs(t)
	for _, w := range accounts() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, w)
			for _, test := range []try{
				{"reads", "cat a; cat ~/notes; cat ~/.ssh/known_hosts", 0, "anoteshosts"},
				{"null", "echo x >/dev/null && echo y", 0, "y"},
				{"temp", "echo t >$TMPDIR/t && cat $TMPDIR/t", 0, "t"},
				{"exit code", "exit 7", 7, ""},
				{"pipe", "echo a | cat | tr a b", 0, "b"},
				{"write", "echo x >b", 2, "refused: write " + p.work + "/b by sh"},
				{"secret", "cat ~/.ssh/id_ed25519", 1, "Permission denied"},
				{"secret of the workspace", "cat .env", 1, "Permission denied"},
				{"delete", "rm -f a", 1, "refused: delete " + p.work + "/a by rm"},
				{"environment", "echo [$LD_PRELOAD$SSH_AUTH_SOCK]", 0, "[]"},
				{"signal", "kill -9 $$", 137, ""},
				{"signal its own", "sleep 9 & kill $! && wait; echo done", 0, "done"},
				{"signal an orphan", "sh -c 'sleep 9 & echo $!' >$TMPDIR/p; kill $(cat $TMPDIR/p) && echo done", 0, "done"},
				{"signal another", "kill " + strconv.Itoa(os.Getpid()), 1, "refused: signal process " + strconv.Itoa(os.Getpid())},
				{"lock of an index", "echo x >index.lock; echo went on", 0, "went on"},
				{"lock of an index that was needed", "echo x >index.lock", 2, "refused: write " + p.work + "/index.lock by sh"},
				{"own priority", "nice -n 3 ionice -c 3 taskset 1 echo nice", 0, "nice"},
				{"terminals", "stty -a </dev/null", 1, "Inappropriate ioctl"},
			} {
				test.run(t, p.confined(t, p.safe(), "/bin/sh", "-c", test.script))
			}
		})
	}
}

// TestNames: what is named may be made, replaced and removed, and what stands beside it
// stays as it is.
func TestNames(t *testing.T) {
	t.Parallel()
	needs(t)
	for _, w := range accounts() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, w)
			p.file(t, "home/work/beside", "b", 0o644)
			p.file(t, "home/work/tree/x", "x", 0o644)
			p.file(t, "home/work/other/x", "x", 0o644)
			p.own(t)
			g := p.safe()
			g.Names = []string{p.work + "/a", p.work + "/new/deep", p.work + "/tree"}
			for _, test := range []try{
				{"make", "mkdir -p new && echo n >new/deep && cat new/deep", 0, "n"},
				{"change", "echo c >a && chmod 600 a && touch -d 2020-01-01 a && cat a", 0, "c"},
				{"replace", "sed -i s/c/d/ a && cat a", 0, "d"},
				{"beside", "echo x >beside", 2, "refused: write " + p.work + "/beside by sh"},
				{"mode beside", "chmod 777 beside", 1, "Read-only file system"},
				{"times beside", "touch -c -d 2020-01-01 other", 1, ""},
				{"remove beside", "rm -f beside", 1, "refused: delete"},
				{"below another", "echo x >other/x", 2, "refused: write " + p.work + "/other/x by sh"},
				{"move another", "mv other away", 1, "refused: move " + p.work + "/other by mv"},
				{"the home", "echo x >~/x", 2, "refused: write " + p.home + "/x by sh"},
				{"modes elsewhere", "chmod 600 ~/notes", 1, "Read-only file system"},
				{"secret of the workspace", "cat .env | grep TOKEN", 1, ""},
				{"remove", "rm -r tree a && ls", 0, "beside"},
				{"quiet", "rm -f nothing && mkdir -p new", 0, ""},
			} {
				if code, out := test.run(t, p.confined(t, g, "/bin/sh", "-c", test.script)); code == 0 && strings.Contains(out, "refused") {
					t.Errorf("%s: it ended well, and printed %q", test.name, out)
				}
			}
		})
	}
}

// TestTree: in what may be written everything works that a build needs, but for what is
// kept, and a private loopback is one.
func TestTree(t *testing.T) {
	t.Parallel()
	needs(t)
	for _, w := range accounts() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, w)
			p.file(t, "home/work/.git/hooks/pre-commit", "old", 0o755)
			p.own(t)
			g := p.safe()
			g.Write, g.Keep, g.Net, g.Sockets = []string{p.work}, []string{p.work + "/.git/hooks", p.work + "/none/hooks"}, grant.Loopback, true
			for _, test := range []try{
				{"files", "mkdir d && echo x >d/y && mv d/y d/z && ln d/z l && ln -s l s && chmod 755 d/z && cp -p d/z w && rm -r d && cat w", 0, "x"},
				{"hooks", "echo x >.git/hooks/pre-commit", 2, "refused: write " + p.work + "/.git/hooks/pre-commit"},
				{"the repository moved", "mv .git away", 1, "refused: move " + p.work + "/.git by mv"},
				{"hooks moved", "mv .git/hooks .git/other", 1, "refused: move"},
				{"a directory moved there", "mkdir -p x/hooks && mv x none", 1, "refused: move " + p.work + "/none by mv"},
				{"a link there", "ln -s x none", 1, "refused: make " + p.work + "/none by ln"},
				{"a directory there", "mkdir none && echo x >none/y && cat none/y", 0, "x"},
				{"temp", "mktemp >/dev/null && echo made", 0, "made"},
				{"the home", "touch ~/.bashrc", 1, "refused: write " + p.home + "/.bashrc"},
				{"words of any bytes", "printf '\xff' | od -An -tx1", 0, "ff"},
				{"loopback", p.self + " attempt 'listening'", 0, ""},
			} {
				c := p.confined(t, g, "/bin/sh", "-c", test.script)
				c.Env = append(c.Env, "ESCAPE={}")
				test.run(t, c)
			}
		})
	}
}

// TestInput: who reads on after a command goes on where it stopped, though it had another
// file open, and its mode stays.
func TestInput(t *testing.T) {
	t.Parallel()
	needs(t)
	for _, w := range accounts() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, w)
			p.file(t, "home/input", "12\n34\n56\n", 0o640)
			p.file(t, "home/work/own", "12\n34\n56\n", 0o640)
			p.own(t)
			named := p.safe()
			named.Names = []string{p.work + "/own"}
			for _, test := range []struct {
				try
				grant grant.Grant
				file  string
				left  string
			}{
				{try{"nothing is granted", "read a; echo $a", 0, "34"}, p.safe(), "input", "56\n"},
				{try{"a name", "read a; echo $a", 0, "34"}, named, "input", "56\n"},
				{try{"all is read", "cat", 0, "34\n56"}, named, "input", ""},
				{try{"mode", "chmod 777 /dev/stdin 2>/dev/null || { read a; echo kept $a; }", 0, "kept 34"}, named, "input", "56\n"},
				{try{"what is granted", "chmod 644 /dev/stdin && read a; echo $a", 0, "34"}, named, "work/own", "56\n"},
			} {
				in, err := os.Open(filepath.Join(p.home, test.file))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := in.Seek(3, io.SeekStart); err != nil {
					t.Fatal(err)
				}
				c := p.confined(t, test.grant, "/bin/sh", "-c", test.script)
				c.Stdin = in
				test.run(t, c)
				if left, err := io.ReadAll(in); err != nil || string(left) != test.left {
					t.Errorf("%s: left of the input: %q, %v", test.name, left, err)
				}
				in.Close() // nothing was written
			}
		})
	}
}

// TestNotConfined: what cannot be kept is not started.
func TestNotConfined(t *testing.T) {
	t.Parallel()
	needs(t)
	p := newPlace(t, accounts()[0])
	for name, change := range map[string]func(*grant.Grant){
		"all may be written": func(g *grant.Grant) { g.Write = []string{"/"} },
		"a relative path":    func(g *grant.Grant) { g.Names = []string{"a"} },
	} {
		g := p.safe()
		change(&g)
		if code, out := ran(t, p.confined(t, g, "/bin/echo", "ran")); code != unboxed || !strings.Contains(out, confine.ErrNotConfined.Error()) {
			t.Errorf("%s: code %d, printed %q", name, code, out)
		}
	}
	c := p.confined(t, p.safe(), "/bin/echo", "ran")
	dir, err := os.Open(p.work)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	c.Stdin = dir
	if code, out := ran(t, c); code != unboxed || !strings.Contains(out, "is a directory") {
		t.Errorf("a directory as standard input: code %d, printed %q", code, out)
	}
}

// TestRefusal: the words and the grant of each refusal.
func TestRefusal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		r            confine.Refusal
		tried, grant string
	}{
		{confine.Refusal{Deed: confine.Write, Path: "/a"}, "write /a", "write=/a"},
		{confine.Refusal{Deed: confine.Network}, "use the network", "net=any"},
		{confine.Refusal{Deed: confine.Connect, Path: "192.0.2.1:80"}, "connect to 192.0.2.1:80", "net=any"},
		{confine.Refusal{Deed: confine.Socket}, "use a Unix socket", "sockets"},
		{confine.Refusal{Deed: confine.Signal, Path: "process 1 (x)"}, "signal process 1 (x)", "signals"},
		{confine.Refusal{Deed: confine.Trace}, "look into another process", ""},
	} {
		if test.r.Tried() != test.tried || test.r.Grant() != test.grant {
			t.Errorf("%+v: %q, %q", test.r, test.r.Tried(), test.r.Grant())
		}
		if test.grant == "" {
			continue
		}
		var g grant.Grant
		if err := confine.Add(&g, test.grant, "/"); err != nil {
			t.Errorf("%s cannot be granted: %v", test.grant, err)
		}
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	got := confine.Clean([]string{"PATH=/bin", "LD_PRELOAD=x", "SSH_AUTH_SOCK=x", "DBUS_SESSION_BUS_ADDRESS=x", "API_TOKEN=x", "DOCKER_HOST=x", "EDITOR=vi", "broken"}, func(name string) bool { return name == "API_TOKEN" })
	if strings.Join(got, " ") != "PATH=/bin EDITOR=vi" {
		t.Errorf("what stays: %q", got)
	}
}
