//go:build linux

package throwaway_test

import (
	"os"
	"slices"
	"testing"

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
	if err := os.WriteFile(file, []byte("1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Try(&risk.Request{Command: "true", Dir: dir}); err != nil {
		t.Skip(err) // a machine without overlayfs, or one whose temp directory is another file system
	}
	for command, want := range map[string][]throwaway.Change{
		"cat a; touch a":                {},
		"echo 2 > a":                    {{Kind: "written", Path: file}},
		"rm a":                          {{Kind: "deleted", Path: file}},
		"chmod 600 a":                   {{Kind: "attributes", Path: file}},
		"mkdir d; echo 2 > d/b":         {{Kind: "made", Path: dir + "/d"}, {Kind: "created", Path: dir + "/d/b"}},
		"sleep 60":                      {},
		"exit 9":                        {},
		"mknod z b 8 0":                 {},
		"mount -t tmpfs none . && >b":   {},
		"echo 2 > /dev/tcp/127.0.0.1/9": {},
	} {
		trial, err := l.Try(&risk.Request{Command: command, Dir: dir, Env: map[string]string{"PATH": "/usr/bin:/bin"}})
		if err != nil {
			t.Errorf("%s: %v", command, err)
		}
		changes := slices.DeleteFunc(trial.Changes, func(c throwaway.Change) bool { return throwaway.IsRecord(c.Path) })
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
