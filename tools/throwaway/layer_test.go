//go:build linux

package throwaway_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/risk"
	"github.com/heedsh/heed/tools/throwaway"
)

func TestMain(m *testing.M) {
	throwaway.Inside(os.Args)
	os.Exit(m.Run())
}

// TestTry runs commands in a layer: their changes are seen, and none stays.
func TestTry(t *testing.T) {
	l, err := throwaway.NewLayer()
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	dir := t.TempDir()
	file := dir + "/a"
	full := filepath.Dir(dir) + "/full"
	if err := errors.Join(os.WriteFile(file, []byte("1\n"), 0o644), os.Mkdir(full, 0o755), os.WriteFile(full+"/b", nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Try(&risk.Request{Command: "true", Dir: dir}); err != nil {
		t.Skip(err) // a machine without overlayfs, or one whose temp directory is another file system
	}
	for command, want := range map[string][]witness.Change{
		"cat a; touch a":                {},
		"echo 2 > a":                    {{Kind: "written", Path: file}},
		"rm a":                          {{Kind: "deleted", Path: file}},
		"chmod 600 a":                   {{Kind: "attributes", Path: file}},
		"mkdir d; echo 2 > d/b":         {{Kind: "made", Path: dir + "/d"}, {Kind: "created", Path: dir + "/d/b"}},
		"sleep 60":                      {},
		"mkdir e":                       {{Kind: "made", Path: dir + "/e"}},
		"cd ..; rm -r full; mkdir full": {{Kind: "deleted", Path: full + "/b"}},
		"exit 9":                        {},
		"mknod z b 8 0":                 {},
		"mount -t tmpfs none . && >b":   {},
		"echo 2 > /dev/tcp/127.0.0.1/9": {},
	} {
		trial, err := l.Try(&risk.Request{Command: command, Dir: dir, Env: map[string]string{"PATH": "/usr/bin:/bin"}})
		if err != nil {
			t.Errorf("%s: %v", command, err)
		}
		changes := slices.DeleteFunc(trial.Changes, func(c witness.Change) bool { return witness.IsRecord(c, "") })
		if trial.Stopped != (command == "sleep 60") {
			t.Errorf("%s: stopped is %v", command, trial.Stopped)
		}
		if !slices.Equal(changes, want) {
			t.Errorf("%s: changed %v, want %v", command, changes, want)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != "1\n" {
			t.Fatalf("%s: the real file is %q now: %v", command, text, err)
		}
	}
}

// TestTryHears: what is printed and what is sent comes back.
func TestTryHears(t *testing.T) {
	l, err := throwaway.NewLayer()
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	req := risk.Request{Dir: "/", Env: map[string]string{"PATH": "/usr/bin:/bin"}, Command: "echo said; echo wrong >&2; echo sent > /dev/tcp/" + throwaway.RemoteName + "/80; (sleep 0.1; echo late) &"}
	trial, err := l.Try(&req)
	if err != nil {
		t.Skip(err)
	}
	if string(trial.Output) != "said\nwrong\nlate\n" || string(trial.Received) != "sent\n" {
		t.Errorf("printed %q, sent %q", trial.Output, trial.Received)
	}
}

// TestTryHarmsNobody: what reaches out of other namespaces does not out of these.
func TestTryHarmsNobody(t *testing.T) {
	l, err := throwaway.NewLayer()
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	dir := t.TempDir()
	service, err := net.Listen("unix", dir+"/socket")
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	try := func(command string) throwaway.Trial {
		trial, err := l.Try(&risk.Request{Command: command, Dir: dir, Env: map[string]string{"PATH": "/usr/bin:/bin"}})
		if err != nil {
			t.Skip(err)
		}
		return trial
	}
	for _, command := range []string{
		"kill -9 0", "kill -9 -1", "kill -9 -- -$$", "trap '' TERM; kill 0; kill -9 1; exit 1",
		"echo 1 >/proc/sys/kernel/panic_on_oops", "echo h >/proc/sysrq-trigger && test -s /proc/sysrq-trigger", "rm /dev/null", "mv /etc/hosts /dev/x",
		"f() { f | f & }; f; sleep 1; exit 1",
		"python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"socket\")'",
	} {
		if trial := try(command); trial.Exit == 0 && !trial.Stopped {
			t.Errorf("%s: succeeded, and printed %q", command, trial.Output)
		}
	}
	if trial := try("echo x >/dev/null; echo x >/etc/hosts; cat /etc/hosts"); trial.Exit != 0 || string(trial.Output) != "x\n" {
		t.Errorf("ordinary writes: status %d, %q", trial.Exit, trial.Output)
	}
	if trial := try("cat /etc/hosts"); !strings.Contains(string(trial.Output), throwaway.RemoteName) {
		t.Errorf("hosts stay as the command before has left them: %q", trial.Output)
	}
	if trial := try("kill -9 0"); trial.Exit == 0 {
		t.Error("kill -9 0 does not end the shell")
	}
}
