//go:build linux && (amd64 || arm64)

package preview

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestDiff: differences of texts, and none of what is none, or a secret.
func TestDiff(t *testing.T) {
	t.Parallel()
	p := newPlace(t, accounts()[0])
	p.sh(world + "printf 'TOKEN=very-secret\\n' >.env; chmod 600 .env")
	l := DefaultLimits()
	l.Diff = 100
	o := p.preview(&errand{Limits: &l, Script: "sed -i s/two/TWO/ a; printf 'A\\000C' >bin; rm b; echo n >n; head -c 101 /dev/zero | tr '\\0' a >long; echo x >.env"})
	got := map[string]Change{}
	for _, c := range o.Changes {
		got[filepath.Base(c.Path)] = c
	}
	if d := cmp.Diff("--- a"+p.work+"/a\n+++ b"+p.work+"/a\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n", got["a"].Diff); d != "" {
		t.Error(d)
	}
	if c := got["bin"]; c.Diff != "" || !c.Binary || c.Size != 3 {
		t.Errorf("%+v", c)
	}
	if c := got["b"]; !strings.Contains(c.Diff, "+++ /dev/null\n@@ -1,1 +0,0 @@\n-b\n") {
		t.Errorf("%+v", c)
	}
	if c := got["n"]; !strings.Contains(c.Diff, "--- /dev/null\n") || !strings.Contains(c.Diff, "\n+n\n") {
		t.Errorf("%+v", c)
	}
	if c := got["long"]; c.Diff != "" || c.Binary || c.Size != 101 {
		t.Errorf("%+v", c)
	}
	if c := got[".env"]; c.Diff != "" || c.Kind != Changed {
		t.Errorf("a secret: %+v", c)
	}
}

// TestSecrets: a secret is not read, but moved, deleted and overwritten as itself; what
// depends on it is not applied.
func TestSecrets(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, who account) {
		for _, test := range []struct {
			name, script string
			hidden       int
			failed       string
			secrets      []string
		}{
			{"read", "cat .env ~/.ssh/id_ed25519", 2, "read", nil},
			{"copied", "cp .env copy", 1, "read", nil},
			{"moved", "mv .env moved", 0, "holds a placeholder", nil},
			{"appended", "echo A=1 >>.env", 0, "holds a placeholder", nil},
			{"deleted", "rm .env; rm -r ~/.ssh", 0, "", nil},
			{"overwritten", "echo A=1 >.env", 0, "", nil},
			{"its mode", "chmod 400 .env", 0, "", nil},
			{"no secret", "cat ~/.ssh/known_hosts ~/.ssh/id_ed25519.pub", 0, "", nil},
			{"granted", "cp .env copy; grep very copy", 0, "", []string{"work/.env"}},
		} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t, who)
				p.sh("umask 077; echo TOKEN=very-secret >.env; mkdir ~/.ssh; echo very-secret >~/.ssh/id_ed25519; echo k >~/.ssh/known_hosts; echo p >~/.ssh/id_ed25519.pub")
				e := &errand{Script: test.script, Apply: true}
				for _, s := range test.secrets {
					e.Where.Secrets = append(e.Where.Secrets, p.home+"/"+s)
				}
				o := p.preview(e)
				text, err := json.Marshal(o.Result)
				if err != nil {
					t.Fatal(err)
				}
				if len(test.secrets) == 0 && strings.Contains(string(text), "very-secret") {
					t.Errorf("the secret is shown: %s", text)
				}
				if len(o.Secrets) != test.hidden {
					t.Errorf("hidden: %v, want %d", o.Secrets, test.hidden)
				}
				if (o.Failed == "") != (test.failed == "") || !strings.Contains(o.Failed, test.failed) {
					t.Errorf("applying: %q, want %q; %+v", o.Failed, test.failed, lines(p, o.Changes))
				}
			})
		}
	})
}

// TestRefused: what lies outside is refused and told, and what a preview takes away is not
// there.
func TestRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, who account) {
		p := newPlace(t, who)
		o := p.preview(&errand{Script: `
			echo x >/etc/heed-preview-test
			for to in tcp/192.0.2.1/80 tcp/2001:db8::1/443 udp/192.0.2.2/53 tcp/127.0.0.1/9; do bash -c "exec 3<>/dev/$to"; done
			getent hosts heed-preview.example
			kill -0 ` + strconv.Itoa(os.Getpid()) + ` && echo reached
			mount -t tmpfs x /mnt
			ls /proc/self/fd >/dev/null; echo $$; tty; sleep 50 & exit 3`})
		if o.Exit != 3 || o.Left != 1 || strings.Contains(o.Stdout.Text, "reached") || !strings.Contains(o.Stdout.Text, "not a tty") {
			t.Errorf("%+v", o.Result)
		}
		var got []string
		for _, r := range o.Refused {
			got = append(got, r.Deed+" "+r.Target+" "+r.Program)
		}
		for _, want := range []string{"write /etc/heed-preview-test bash", "connect to 192.0.2.1:80 bash", "connect to [2001:db8::1]:443 bash", "look up the host heed-preview.example ", "connect to 192.0.2.2:53 bash", "mount something  mount"} {
			if !slices.Contains(got, want) {
				t.Errorf("%q is not among %q", want, got)
			}
		}
		if strings.Contains(strings.Join(got, " "), "127.0.0.1") {
			t.Errorf("its own loopback is among %q", got)
		}
		if !slices.Contains(o.Programs, "mount") || !slices.Contains(o.Programs, "bash") {
			t.Errorf("programs: %v", o.Programs)
		}
		if _, err := os.Lstat("/etc/heed-preview-test"); err == nil {
			t.Error("it was written")
		}
	})
}

// TestLimits: each limit ends the command, says so, and nothing is applied.
func TestLimits(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, who account) {
		for _, test := range []struct {
			limit, script string
			change        func(*Limits)
		}{
			{"time", "echo x >n; sleep 50", func(l *Limits) { l.Time = 300 * time.Millisecond }},
			{"size", "echo x >n; head -c 9000000 /dev/zero >big", func(l *Limits) { l.Bytes = 4 << 20 }},
			{"processes", "echo x >n; for i in {1..60}; do sleep 50 & done; wait", func(l *Limits) { l.Processes = 20 }},
		} {
			t.Run(test.limit, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t, who)
				l := DefaultLimits()
				test.change(&l)
				o := p.preview(&errand{Script: test.script, Limits: &l, Apply: true})
				if o.Limit != test.limit || !strings.Contains(o.Failed, "limit of "+test.limit) || !slices.Contains(lines(p, o.Changes), "created file work/n") {
					t.Errorf("%+v, failed: %q", o.Result, o.Failed)
				}
			})
		}
		p := newPlace(t, who)
		l := DefaultLimits()
		l.Output = 10
		if o := p.preview(&errand{Script: "printf 123456789012; printf e >&2", Limits: &l}); o.Stdout != (Output{"1234567890", 2}) || o.Stderr != (Output{"e", 0}) {
			t.Errorf("%+v", o.Result)
		}
	})
}

// TestWorktree: in a git worktree the repository is covered, wherever it is.
func TestWorktree(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, who account) {
		if _, err := exec.LookPath("git"); err != nil {
			t.Skip("no git")
		}
		p := newPlace(t, who)
		repo := p.top + "/repo"
		os.Mkdir(repo, 0o755)
		p.own(repo)
		p.sh("cd " + repo + "; git init -q; echo a >a; git add a; git -c user.name=u -c user.email=e@x commit -qm m; git worktree add -q " + p.work + "/tree -b side")
		p.work += "/tree"
		e := &errand{Script: "echo b >b; git add b; git -c user.name=u -c user.email=e@x commit -qm n", Where: Where{Workspaces: []string{p.work}, Home: p.home}}
		o := p.preview(e)
		if o.Exit != 0 || len(o.Refused) > 0 {
			t.Errorf("%+v", o.Result)
		}
		e.Apply = true
		if o = p.preview(e); o.Failed != "" {
			t.Error(o.Failed)
		}
		p.sh("git log --oneline side | grep -q n && git fsck --strict && git status --porcelain | wc -l | grep -qx 0")
	})
}

// TestPlan: what is covered, and what is said of the rest.
func TestPlan(t *testing.T) {
	t.Parallel()
	if _, err := NewPlan(&Where{Workspaces: []string{"/"}}); !errors.Is(err, ErrNotHere) {
		t.Errorf("the root: %v", err)
	}
	p := newPlace(t, accounts()[0])
	other := t.TempDir()
	plan, err := NewPlan(&Where{Workspaces: []string{p.work}, Home: p.home, Targets: []string{other + "/x/y", "/etc2"}})
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, tree := range plan.Trees {
		if !tree.Scratch {
			kept = append(kept, tree.Path)
		}
	}
	want := []string{p.home, other}
	slices.Sort(want)
	if d := cmp.Diff(want, kept); d != "" {
		t.Error(d)
	}
	if !slices.Contains(plan.Notes, "/ is not covered: what is written there is refused") {
		t.Errorf("notes: %q", plan.Notes)
	}
}

// TestForeign: what belongs to others cannot be changed, and that is said.
func TestForeign(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("giving files to others needs root")
	}
	p := newPlace(t, accounts()[1])
	p.sh("echo a >a; chmod 660 a")
	for _, name := range []string{p.work, p.work + "/a"} {
		if err := os.Lchown(name, 4711, 4712); err != nil {
			t.Fatal(err)
		}
	}
	o := p.preview(&errand{Script: "echo n >n; chmod 711 .; echo x >>a", Where: Where{Workspaces: []string{p.work}}})
	if o.Exit != 1 || !strings.Contains(o.Stderr.Text, "Value too large") || !slices.Contains(lines(p, o.Changes), "created file work/n") {
		t.Errorf("%+v", o.Result)
	}
	if want := p.work + " belongs to another account or group: what is not yours alone cannot be changed in a preview"; !slices.Contains(o.Plan.Notes, want) {
		t.Errorf("notes: %q", o.Plan.Notes)
	}
}

// TestInhabited: who listens in what is covered is not reached, nor is heed's own process.
func TestInhabited(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, who account) {
		p := newPlace(t, who)
		sock := p.work + "/sock"
		l, err := net.Listen("unix", sock)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if err := os.Chmod(sock, 0o777); err != nil {
			t.Fatal(err)
		}
		self := os.Getenv(selfEnv)
		p.sh("mkfifo pipe; " + self + " connect sock") // without a preview it is reached
		pipe, err := os.OpenFile(p.work+"/pipe", os.O_RDWR|syscall.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer pipe.Close()
		o := p.preview(&errand{Script: self + ` connect sock && echo connected
			(exec 3<>pipe; echo to-the-pipe >&3)
			ls /proc/1/root/ 2>/dev/null | grep . && echo looked; readlink /proc/1/fd/* && echo read; cat /proc/1/environ && echo shown
			echo x >/proc/sys/kernel/hostname && echo written; kill -9 1 && sleep 0.1; echo done`})
		if o.Stdout.Text != "done\n" {
			t.Errorf("it printed %q", o.Stdout.Text)
		}
		if err := pipe.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if n, err := pipe.Read(make([]byte, 100)); err == nil {
			t.Errorf("%d bytes came through the pipe", n)
		}
	})
}
