package caller

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestMain makes this test binary also the programs that tests start: one that
// looks who runs it, one that is called like an agent and starts what it is told,
// one that makes a pseudo-terminal.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case "look-into":
			lookInto(os.Args[2])
			return
		case "start":
			cmd := exec.Command(os.Args[2], os.Args[3:]...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
			if err := cmd.Run(); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
			time.Sleep(linger()) // what it left behind is still looking
			return
		case "on-terminal":
			onTerminal(os.Args[2:])
			return
		}
	}
	os.Exit(m.Run())
}

func linger() time.Duration {
	d, _ := time.ParseDuration(os.Getenv("LINGER")) // none is none
	return d
}

func lookInto(file string) {
	time.Sleep(linger())
	text, err := json.Marshal(Look(os.Getenv))
	if err == nil {
		if err = os.WriteFile(file+".new", text, 0o600); err == nil {
			err = os.Rename(file+".new", file)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// onTerminal runs a program on a pseudo-terminal whose other end it keeps.
func onTerminal(argv []string) {
	ptmx, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	fatal(err)
	n, err := unix.IoctlGetInt(int(ptmx.Fd()), unix.TIOCGPTN)
	fatal(err)
	fatal(unix.IoctlSetPointerInt(int(ptmx.Fd()), unix.TIOCSPTLCK, 0))
	side, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	fatal(err)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = side, side, side
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	fatal(cmd.Start())
	side.Close()
	io.Copy(io.Discard, ptmx)
	cmd.Wait()
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A stage is a directory with programs: an agent, and heed.
type stage struct{ agent, heed, dir string }

// newStage copies this test binary: a link would be followed.
func newStage(t *testing.T, agent string) stage {
	t.Helper()
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(me)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := stage{filepath.Join(dir, agent), filepath.Join(dir, "heed"), dir}
	for _, name := range []string{s.agent, s.heed} {
		if err := os.WriteFile(name, text, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// found waits for what heed has found.
func (s stage) found(t *testing.T) Finding {
	t.Helper()
	for range 600 {
		text, err := os.ReadFile(filepath.Join(s.dir, "found"))
		if err == nil {
			var f Finding
			if err := json.Unmarshal(text, &f); err != nil {
				t.Fatal(err)
			}
			return f
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("nobody looked")
	return Finding{}
}

// bare is the environment of processes that no variable gives away.
func bare() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "TERM=xterm"}
}

func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed", p)
		}
	}
}

// TestAgentsAreSeen has a program that is called like an agent run heed in ways
// that hide it, with no variable to tell.
func TestAgentsAreSeen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		needs []string
		run   string // by sh; HEED looks who runs it
		env   []string
	}{
		"a child":          {nil, "HEED", nil},
		"no variables":     {[]string{"env"}, "env -i HEED", []string{"CLAUDECODE=1"}},
		"setsid":           {[]string{"setsid"}, "setsid -w env -i HEED", nil},
		"script":           {[]string{"script"}, "script -qec 'env -i HEED' /dev/null", nil},
		"python":           {[]string{"python3"}, `python3 -c 'import pty; pty.spawn(["env", "-i", HEEDWORDS])'`, nil},
		"a terminal":       {nil, "AGENT on-terminal env -i HEED", nil},
		"a double fork":    {[]string{"setsid"}, "(setsid sh -c 'HEED & ' &)", []string{"CLAUDECODE=1"}},
		"left a terminal":  {[]string{"setsid"}, "AGENT on-terminal sh -c 'trap \"\" HUP; (setsid env -i LINGER=1s HEED &); sleep 2'", nil},
		"tmux of its own":  {[]string{"tmux"}, "tmux -S DIR/socket -f /dev/null new -d HEED", []string{"CLAUDECODE=1"}},
		"tmux, and script": {[]string{"tmux", "script"}, "script -qec 'tmux -S DIR/socket -f /dev/null new env -i HEED' /dev/null", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needs(t, c.needs...)
			s := newStage(t, "claude")
			heed := []string{s.heed, "look-into", filepath.Join(s.dir, "found")}
			text := strings.NewReplacer("HEEDWORDS", `"`+strings.Join(heed, `", "`)+`"`, "HEED", strings.Join(heed, " "), "AGENT", s.agent, "DIR", s.dir).Replace(c.run)
			cmd := exec.Command(s.agent, "start", "sh", "-c", text)
			cmd.Env = append(bare(), c.env...)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			f := s.found(t)
			t.Logf("%+v", f)
			if f.Agent != "Claude Code" || f.Refuse() == nil {
				t.Errorf("%+v", f)
			}
		})
	}
}

// TestNobodyIsSeen: terminals at whose end nobody sits, made by processes that
// have left every trace of an agent.
func TestNobodyIsSeen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		needs []string
		run   string
		want  string
	}{
		"tmux":   {[]string{"tmux"}, "env -i PATH=$PATH TERM=xterm tmux -S DIR/socket -f /dev/null new -d HEED", "attached to tmux"},
		"python": {[]string{"python3", "setsid"}, `(setsid env -i PATH=$PATH python3 -c 'import pty; pty.spawn(["sh", "-c", "sleep 1; HEED"])' </dev/null >/dev/null 2>&1 &)`, "has made it"},
		"script": {[]string{"script", "setsid"}, `(setsid env -i PATH=$PATH script -qec 'sleep 1; HEED' /dev/null </dev/null >/dev/null 2>&1 &)`, "has made it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needs(t, c.needs...)
			s := newStage(t, "claude")
			heed := []string{s.heed, "look-into", filepath.Join(s.dir, "found")}
			cmd := exec.Command(s.agent, "start", "sh", "-c", strings.NewReplacer("HEED", strings.Join(heed, " "), "DIR", s.dir).Replace(c.run))
			cmd.Env = bare()
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if f := s.found(t); !strings.Contains(f.Nobody, c.want) && f.Agent == "" {
				// Where tests run below a person's login, orphans may find a way in.
				t.Errorf("%+v", f)
			} else {
				t.Logf("%+v", f)
			}
		})
	}
}

// A shown is a process of a procfs made of files.
type shown struct {
	stat, argv, env, exe, cgroup, mounts string
	fds                                  map[string]string // number: link, and after a space the fdinfo's tty-index
}

// procfsOf makes a directory that reads like /proc.
func procfsOf(t *testing.T, self string, all map[string]shown) *procfs {
	t.Helper()
	root := t.TempDir()
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.Symlink(self, filepath.Join(root, "self")))
	for pid, p := range all {
		dir := filepath.Join(root, pid)
		for _, d := range []string{"fd", "fdinfo", "ns"} {
			check(os.MkdirAll(filepath.Join(dir, d), 0o700))
		}
		name := p.stat[strings.IndexByte(p.stat, '(')+1 : strings.LastIndexByte(p.stat, ')')]
		for file, text := range map[string]string{
			"stat": p.stat, "comm": name + "\n", "cmdline": strings.ReplaceAll(p.argv, " ", "\x00") + "\x00", "environ": strings.ReplaceAll(p.env, " ", "\x00"), "cgroup": p.cgroup,
		} {
			check(os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
		}
		if p.exe != "" {
			check(os.Symlink(p.exe, filepath.Join(dir, "exe")))
		}
		check(os.Symlink("mnt:["+p.mounts+"]", filepath.Join(dir, "ns", "mnt")))
		for n, fd := range p.fds {
			to, index, _ := strings.Cut(fd, " ")
			check(os.Symlink(to, filepath.Join(dir, "fd", n)))
			check(os.WriteFile(filepath.Join(dir, "fdinfo", n), []byte("pos:\t0\nflags:\t02\ntty-index:\t"+index+"\n"), 0o600))
		}
	}
	m, _, err := at(root)
	check(err)
	return m
}

func TestProcfs(t *testing.T) {
	t.Parallel()
	terminal3 := strconv.Itoa(136<<8 | 3)
	base := map[string]shown{
		"1":   {stat: "1 (systemd) S 0 1 1 0 -1 x", argv: "/sbin/init"},
		"10":  {stat: "10 (a) b (claude) S 1 10 10 0 -1 x", argv: "a", exe: "/usr/bin/x"},
		"20":  {stat: "20 (bash) S 1 20 20 " + terminal3 + " -1 x", argv: "-bash", exe: "/usr/bin/bash"},
		"100": {stat: "100 (heed) S 20 20 20 " + terminal3 + " -1 x", argv: "heed approve"},
	}
	for name, c := range map[string]struct {
		change func(map[string]shown)
		agent  string
		nobody string
		unseen bool
	}{
		"a name with parentheses": {func(m map[string]shown) {}, "", "", true},
		"the other end": {func(m map[string]shown) {
			m["11"] = shown{stat: "11 (codex) S 1 11 11 0 -1 x", fds: map[string]string{"5": "/dev/ptmx 3"}}
		}, "Codex", "", false},
		"the other end, in devpts": {func(m map[string]shown) {
			m["11"] = shown{stat: "11 (codex) S 1 11 11 0 -1 x", fds: map[string]string{"5": "/dev/pts/ptmx 3"}}
		}, "Codex", "", false},
		"another terminal's other end": {func(m map[string]shown) {
			m["11"] = shown{stat: "11 (codex) S 1 11 11 0 -1 x", fds: map[string]string{"5": "/dev/ptmx 33"}}
		}, "", "", true},
		"another container's": {func(m map[string]shown) {
			m["11"] = shown{stat: "11 (codex) S 1 11 11 0 -1 x", mounts: "2", fds: map[string]string{"5": "/dev/ptmx 3"}}
		}, "", "", true},
		"streams without a terminal of control": {func(m map[string]shown) {
			m["100"] = shown{stat: "100 (heed) S 1 20 20 0 -1 x", fds: map[string]string{"0": "/dev/pts/3"}}
			m["11"] = shown{stat: "11 (codex) S 1 11 11 0 -1 x", fds: map[string]string{"5": "/dev/ptmx 3"}}
		}, "Codex", "", false},
		"a console": {func(m map[string]shown) {
			m["100"] = shown{stat: "100 (heed) S 1 20 20 1025 -1 x"}
		}, "", "", false},
		"an orphan of a session": {func(m map[string]shown) {
			m["100"] = shown{stat: "100 (heed) S 1 20 20 0 -1 x", cgroup: "0::/user.slice/user-1000.slice/session-3.scope\n"}
		}, "", "cut it off", false},
		"a unit": {func(m map[string]shown) {
			m["100"] = shown{stat: "100 (heed) S 1 20 20 0 -1 x", cgroup: "0::/system.slice/setup.service\n"}
		}, "", "", false},
		"no systemd": {func(m map[string]shown) {
			m["1"] = shown{stat: "1 (tini) S 0 1 1 0 -1 x"}
			m["100"] = shown{stat: "100 (heed) S 1 20 20 0 -1 x"}
		}, "", "", false},
	} {
		all := map[string]shown{}
		for pid, p := range base {
			all[pid] = p
		}
		c.change(all)
		w := walk{machine: procfsOf(t, "100", all)}
		f := w.finding(100)
		if f.Agent != c.agent || !strings.Contains(f.Nobody, c.nobody) || (f.Nobody != "") != (c.nobody != "") || (f.Unknown != "") != c.unseen {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// BenchmarkLook says what a look at this machine costs.
func BenchmarkLook(b *testing.B) {
	for b.Loop() {
		Look(func(string) string { return "" })
	}
}
