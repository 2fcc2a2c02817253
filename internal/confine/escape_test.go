//go:build linux && (amd64 || arm64)

package confine_test

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"syscall"
	"testing"

	"github.com/heedsh/heed/internal/confine/grant"
	"golang.org/x/sys/unix"
)

// counted counts SIGUSR2 by the size of a file.
func counted(file string) {
	c := make(chan os.Signal, 16)
	signal.Notify(c, syscall.SIGUSR2)
	go func() {
		for range c {
			f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
			if err != nil {
				return
			}
			f.Write([]byte("x")) // the test would see that none arrived
			f.Close()            // as well
		}
	}()
}

// suffer starts a victim.
func (p *place) suffer(t *testing.T) *facts {
	t.Helper()
	p.file(t, "victim/f", "old", 0o644)
	p.own(t)
	c := p.command(p.self, "victim", p.top+"/victim")
	c.Env = append(c.Env, "ESCAPE=secret")
	c.SysProcAttr.Setpgid = true
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close() // it ends by that
		c.Wait()   // however it ends
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	f := &facts{}
	if err := json.Unmarshal(line, f); err != nil {
		t.Fatal(err)
	}
	f.Suid, f.Capable = suid(t, p), capable(t, p)
	for _, disk := range []string{"/dev/vda", "/dev/sda", "/dev/nvme0n1"} {
		if _, err := os.Stat(disk); err == nil {
			f.Disk = disk
		}
	}
	return f
}

// suid makes a program that whoever starts it runs as root, for as long as the test runs.
func suid(t *testing.T, p *place) string {
	if os.Getuid() != 0 {
		return ""
	}
	t.Helper()
	file := filepath.Join(p.top, "suid")
	text, err := os.ReadFile(p.self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o755|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	return file
}

// capable makes a program that may chroot, for whoever starts it.
func capable(t *testing.T, p *place) string {
	if os.Getuid() != 0 {
		return ""
	}
	t.Helper()
	file := filepath.Join(p.top, "capable")
	if out, err := exec.Command("cp", p.self, file).CombinedOutput(); err != nil {
		t.Fatalf("copying this program: %v\n%s", err, out)
	}
	// struct vfs_cap_data of uapi/linux/capability.h: version 2, effective, one capability
	// that is permitted.
	data := make([]byte, 20)
	binary.LittleEndian.PutUint32(data, 0x02000001)
	binary.LittleEndian.PutUint32(data[4:], 1<<unix.CAP_SYS_CHROOT)
	if err := unix.Setxattr(file, "security.capability", data, 0); err != nil {
		t.Logf("no capabilities of files: %v", err)
		return ""
	}
	return file
}

// terminal makes a terminal for an attempt, and makes it the one of its session.
func terminal(t *testing.T, c *exec.Cmd) {
	t.Helper()
	m, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() }) // nothing is lost
	n, err := unix.IoctlGetInt(int(m.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(m.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	in, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() }) // as above
	c.Stdin = in
	c.SysProcAttr.Setsid, c.SysProcAttr.Setctty = true, true
}

// scene makes what one attempt is made on, and returns the command that makes it.
func (p *place) scene(t *testing.T, name, attempt string, f facts, argv ...string) *exec.Cmd {
	t.Helper()
	at := filepath.Join(p.top, name)
	for file, mode := range map[string]os.FileMode{"out/f": 0o644, "out/lease": 0o644, "home/.ssh/id_ed25519": 0o600, "home/work/.env": 0o600, "tmp/x": 0o644} {
		text := "old"
		if strings.HasSuffix(file, "ed25519") {
			text = "KEY"
		}
		p.file(t, filepath.Join(name, file), text, mode)
	}
	if err := os.Mkdir(at+"/out/d", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("f", at+"/out/link"); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setxattr(at+"/out/f", "user.set", []byte("x"), 0); err != nil {
		t.Logf("%s: no attributes: %v", name, err)
	}
	p.ownTree(t, at)
	f.Home, f.Out = at+"/home", at+"/out"
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	c := p.command(append(argv, p.self, "attempt", attempt)...)
	c.Dir = f.Home + "/work"
	c.Env = []string{"HOME=" + f.Home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + at + "/tmp", "ESCAPE=" + string(text), "GITHUB_TOKEN=x", "SSH_AUTH_SOCK=/x"}
	files := make([]*os.File, 7)
	for fd, name := range map[int]string{9: f.Out + "/f", 8: f.Out, 7: f.secret()} {
		flags := os.O_RDONLY
		if fd == 9 {
			flags = os.O_RDWR
		}
		if files[fd-3], err = os.OpenFile(name, flags, 0); err != nil {
			t.Fatal(err)
		}
		defer func() { t.Cleanup(func() { files[fd-3].Close() }) }() // nothing is lost
	}
	c.ExtraFiles = files
	if strings.HasPrefix(attempt, "terminal: ") {
		terminal(t, c)
		return c
	}
	if strings.HasPrefix(attempt, "device: ") {
		return c // its input is /dev/null
	}
	in, err := os.Open(f.Out + "/f")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() }) // nothing is lost
	c.Stdin = in
	return c
}

// A boxing is one kind of box that all attempts are made in, with those that it lets
// through because they were granted.
type boxing struct {
	name    string
	grant   func(home string) grant.Grant
	granted []string
	// verb is box if it is "": see TestMain.
	verb string
}

func boxings() []boxing {
	network := []string{"TCP", "TCP of IPv6", "UDP", "UDP of IPv6", "TCP by fast open", "multipath TCP", "listening", "listening for datagrams", "ping"}
	least := func(home string) grant.Grant {
		return grant.Least(grant.Where{Home: home, Workspaces: []string{home + "/work"}, Secrets: []string{home + "/.ssh"}})
	}
	return []boxing{
		{name: "safe", grant: least},
		{name: "names", grant: func(home string) grant.Grant {
			g := least(home)
			g.Names = []string{home + "/work/new"}
			return g
		}},
		{name: "open", grant: func(home string) grant.Grant {
			g := least(home)
			g.Write, g.Net, g.Sockets = []string{home + "/work"}, grant.AnyNet, true
			return g
		}, granted: network},
		{name: "observed", verb: "observe", grant: func(home string) grant.Grant {
			g := least(home)
			g.Write, g.Net, g.Sockets = []string{home}, grant.AnyNet, true
			return g
		}, granted: network},
	}
}

// TestEscapes makes every attempt unconfined, where it has to do what it should not, and
// then in each box, where it may not.
func TestEscapes(t *testing.T) {
	t.Parallel()
	needs(t)
	var names []string
	for name := range attempts() {
		if name != "is root" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	tried := map[string]bool{}
	for _, w := range accounts() {
		t.Run(w.name, func(t *testing.T) {
			p := newPlace(t, w)
			f := p.suffer(t)
			count := 0
			var not []string
			for i, name := range names {
				code, out := ran(t, p.scene(t, fmt.Sprintf("free-%d", i), name, *f))
				if code != escaped {
					not = append(not, fmt.Sprintf("%s (%s)", name, strings.TrimSpace(out)))
					continue
				}
				count++
				tried[name] = true
				for _, b := range boxings() {
					at := fmt.Sprintf("%s-%d", b.name, i)
					text, err := json.Marshal(b.grant(filepath.Join(p.top, at, "home")))
					if err != nil {
						t.Fatal(err)
					}
					code, out := ran(t, p.scene(t, at, name, *f, p.self, cmp.Or(b.verb, "box"), string(text)))
					if granted := slices.Contains(b.granted, name); granted != (code == escaped) || !granted && code != kept {
						t.Errorf("%s, in the box %s: code %d: %s", name, b.name, code, out)
					}
				}
			}
			t.Logf("%d of %d attempts escape as %s without a box; not: %s", count, len(names), w.name, strings.Join(not, "; "))
		})
	}
	if len(tried) < 80 {
		t.Errorf("only %d attempts work here without a box", len(tried))
	}
	t.Logf("%d attempts work without a box for one account or the other", len(tried))
}
