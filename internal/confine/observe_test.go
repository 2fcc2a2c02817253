//go:build linux && (amd64 || arm64)

package confine_test

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/confine/grant"
)

// observed makes a command that runs another one in a box, and prints what it needs.
func (p *place) observed(t *testing.T, g grant.Grant, argv ...string) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	return p.command(append([]string{p.self, "observe", string(text)}, argv...)...)
}

// TestObserve: what a command needs goes on and is told; what stays as it is does not,
// and what fails by itself is no need.
func TestObserve(t *testing.T) {
	t.Parallel()
	needs(t)
	for _, w := range accounts() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, w)
			p.file(t, "home/work/.git/hooks/pre-commit", "old", 0o755)
			p.file(t, "home/tool/x", "x", 0o644)
			p.own(t)
			g := p.safe()
			g.Write, g.Keep, g.Net, g.Sockets = []string{p.home}, []string{p.work + "/.git/hooks", p.home + "/.config/autostart"}, grant.AnyNet, true
			for _, test := range []try{
				{"write", "echo y >~/tool/x && cat ~/tool/x", 0, "saw: write " + p.home + "/tool/x by sh"},
				{"make", "mkdir ~/new && echo made", 0, "saw: make " + p.home + "/new by mkdir"},
				{"mode", "chmod 600 ~/tool/x && echo done", 0, "saw: change the mode, owner, times or attributes of " + p.home + "/tool/x by chmod"},
				{"move", "mv ~/tool/x ~/tool/y && cat ~/tool/y", 0, "saw: move " + p.home + "/tool/y by mv"},
				{"delete", "rm ~/tool/y && echo done", 0, "saw: delete " + p.home + "/tool/y by rm"},
				{"secret", "cat ~/.npmrc | grep token", 1, "saw: read " + p.home + "/.npmrc by cat"},
				{"a hook", "echo x >.git/hooks/pre-commit", 2, "refused: write " + p.work + "/.git/hooks/pre-commit by sh"},
				{"a start-up file that is not there", "echo x >~/.bashrc", 2, "refused: write " + p.home + "/.bashrc by sh"},
				{"a directory with one", "mkdir -p ~/away/autostart && mv ~/away ~/.config", 1, "refused: move " + p.home + "/.config by mv"},
				{"elsewhere", "echo x >" + p.top + "/victim", 2, "refused: write " + p.top + "/victim by sh"},
			} {
				test.run(t, p.observed(t, g, "/bin/sh", "-c", test.script))
			}
			for _, script := range []string{"cat a ~/notes", "rm -f nothing; mkdir ~/new 2>/dev/null; echo x >nodir/x; :", "echo x >$TMPDIR/x; echo y >/dev/null", "cat ~/.ssh/none; :"} {
				if code, out := ran(t, p.observed(t, g, "/bin/sh", "-c", script)); code != 0 || strings.Contains(out, "saw:") || strings.Contains(out, "refused:") {
					t.Errorf("%s: code %d, printed %q", script, code, out)
				}
			}
			for name, want := range map[string]string{"~/.bashrc": "", ".git/hooks/pre-commit": "old"} {
				file := strings.Replace(name, "~", p.home, 1)
				if file == name {
					file = p.work + "/" + name
				}
				if text, err := os.ReadFile(file); string(text) != want || want == "" && err == nil {
					t.Errorf("%s holds %q, %v", name, text, err)
				}
			}
		})
	}
}

// TestObserveSockets: hosts are told, and sockets of others are masked though they lie in
// what may be written.
func TestObserveSockets(t *testing.T) {
	t.Parallel()
	needs(t)
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	for _, w := range accounts() {
		t.Run(w.name, func(t *testing.T) {
			p := newPlace(t, w)
			unix, err := net.Listen("unix", p.home+"/daemon")
			if err != nil {
				t.Fatal(err)
			}
			defer unix.Close()
			p.own(t)
			g := p.safe()
			g.Write, g.Net, g.Sockets = []string{"/tmp"}, grant.AnyNet, true
			if code, out := ran(t, p.confined(t, g, p.self, "dial", "unix", p.home+"/daemon")); code != kept {
				t.Errorf("temp may be written: code %d, printed %q", code, out)
			}
			g.Write = []string{p.home}
			if code, out := ran(t, p.confined(t, g, p.self, "dial", "unix", p.home+"/daemon")); code != 0 {
				t.Errorf("it lies in what may be written: code %d, printed %q", code, out)
			}
			for _, test := range []struct{ kind, to, want string }{
				{"tcp", tcp.Addr().String(), "saw: use the network 127.0.0.1 by self"},
				{"unix", p.home + "/daemon", "refused: use a Unix socket " + p.home + "/daemon by self"},
			} {
				code, out := ran(t, p.observed(t, g, p.self, "dial", test.kind, test.to))
				if !strings.Contains(out, test.want) || (code == 0) != (test.kind == "tcp") {
					t.Errorf("%s: code %d, printed %q, want %q", test.kind, code, out, test.want)
				}
			}
		})
	}
}

// TestObserveNothing: where nothing may be written there is nothing to observe with.
func TestObserveNothing(t *testing.T) {
	t.Parallel()
	needs(t)
	p := newPlace(t, accounts()[0])
	if code, out := ran(t, p.observed(t, p.safe(), "/bin/echo", "ran")); code != unboxed || !strings.Contains(out, confine.ErrNotConfined.Error()) {
		t.Errorf("code %d, printed %q", code, out)
	}
}
