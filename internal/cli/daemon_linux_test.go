package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/heedsh/heed/internal/own"
)

// TestDaemonFiles installs the daemon below a root of its own, and takes it away: all that
// was there before is there again.
func TestDaemonFiles(t *testing.T) {
	t.Parallel()
	const account, service = "/etc/sysusers.d/heed.conf", "/etc/systemd/system/heed.service"
	for name, c := range map[string]struct {
		before, installed string // root's settings; "" for none
		fails             string
	}{
		"no settings":       {"", "daemon: heed\n", ""},
		"settings":          {"preset: careful\nrules: []\n", "daemon: heed\npreset: careful\nrules: []\n", ""},
		"it is named":       {"preset: careful\ndaemon: heed\n", "daemon: heed\npreset: careful\n", ""},
		"another is named":  {"daemon: other\n", "", "names another account"},
		"no end of a line":  {"preset: careful", "daemon: heed\npreset: careful", ""},
		"only in a comment": {"# daemon: other\n", "daemon: heed\n# daemon: other\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			settings := filepath.Join(root, own.ManagedPolicy)
			if c.before != "" {
				if err := errors.Join(os.MkdirAll(filepath.Dir(settings), 0o755), os.WriteFile(settings, []byte(c.before), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			order := func(uninstall bool) (names []string) {
				t.Helper()
				all, err := daemonFiles(root, "/usr/local/bin/heed", uninstall)
				if err != nil {
					t.Fatal(err)
				}
				for i := range all {
					names = append(names, strings.TrimPrefix(all[i].name, root))
					if err := all[i].write(); err != nil {
						t.Fatal(err)
					}
				}
				return names
			}
			if c.fails != "" {
				if all, err := daemonFiles(root, "/usr/local/bin/heed", false); err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("%+v, %v", all, err)
				}
				return
			}
			// The settings come last, and go first.
			if got := strings.Join(order(false), " "); got != account+" "+service+" "+own.ManagedPolicy {
				t.Errorf("installed: %s", got)
			}
			text, err := os.ReadFile(settings)
			if err != nil || string(text) != c.installed {
				t.Errorf("settings: %q, %v, want %q", text, err, c.installed)
			}
			unit, err := os.ReadFile(filepath.Join(root, service))
			if err != nil || !strings.Contains(string(unit), "\nExecStart=/usr/local/bin/heed daemon --system\nUser=heed\n") {
				t.Errorf("%s, %v", unit, err)
			}
			if again := order(false); len(again) > 0 {
				t.Errorf("installed twice: %q", again)
			}
			if got := strings.Join(order(true), " "); got != own.ManagedPolicy+" "+service+" "+account {
				t.Errorf("taken away: %s", got)
			}
			want := strings.TrimPrefix(c.installed, "daemon: heed\n")
			if text, err := os.ReadFile(settings); string(text) != want || want == "" && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("settings afterwards: %q, %v, want %q", text, err, want)
			}
			for _, file := range []string{account, service} {
				if _, err := os.Stat(filepath.Join(root, file)); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("%s is still there: %v", file, err)
				}
			}
		})
	}
}

// throwaway makes a system of copies and empty places, of which nothing remains: /etc, /run,
// /var/lib and /tmp are its own.
const throwaway = `
set -eu
new=$1
cp -a /etc "$new/etc"
mkdir "$new/tmp"
chmod 1777 "$new/tmp"
cp "$2" "$new/tmp/heed"
chmod 755 "$new/tmp/heed"
mount --bind "$new/etc" /etc
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/lib
mount --bind "$new/tmp" /tmp
rm -rf /etc/heed /etc/systemd/system/heed.service /etc/sysusers.d/heed.conf
echo 'heed:x:64001:64001::/var/lib/heed:/usr/sbin/nologin' >>/etc/passwd
echo 'alice:x:64002:64002::/tmp/alice:/bin/sh' >>/etc/passwd
mkdir /tmp/alice /tmp/alice/ws
chown -R 64002:64002 /tmp/alice
export PATH=/tmp:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
as() { id=$1; shift; (cd /tmp/alice/ws; setpriv --reuid "$id" --regid "$id" --clear-groups env -i PATH=/tmp:/usr/bin:/bin HOME=/tmp/alice USER=alice LC_ALL=C.UTF-8 "$@"); }
hook() { printf '{"session_id":"s","transcript_path":"/t","cwd":"/tmp/alice/ws","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"%s"},"tool_use_id":"t"}' "$1" | as 64002 heed hook claude-code; }
begin() {
	as 64001 sh -c 'echo $$ >/tmp/daemon.pid; exec heed daemon --system' 2>/tmp/daemon.err &
	for i in $(seq 200); do [ -S /run/heed/heed.sock ] && as 64002 heed pending >/dev/null 2>&1 && return; sleep 0.05; done
	echo 'it does not start:'; cat /tmp/daemon.err; exit 1
}
end() { pid=$(cat /tmp/daemon.pid); kill -9 $pid; while kill -0 $pid 2>/dev/null; do sleep 0.02; done; rm /tmp/daemon.pid; }
trap 'if [ -e /tmp/daemon.pid ]; then kill -9 $(cat /tmp/daemon.pid) 2>/dev/null || true; fi' EXIT
say() { echo "## $*"; }
`

// inThrowaway runs a script in a throwaway system, as root of it, and returns what it says.
func inThrowaway(t *testing.T, script string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can be other accounts")
	}
	for _, name := range []string{"setpriv", "mount"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("needs %s", name)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	c := exec.Command("/bin/sh", "-c", throwaway+script, "sh", dir, self)
	c.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"}
	// Mounts, processes and the network are its own; what it started ends with it.
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC, Unshareflags: syscall.CLONE_NEWNS}
	out, err := c.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skip("no namespaces here")
	}
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return string(out)
}

// TestDaemonWired: root's settings alone choose the daemon. Then requests lie with it and
// not with the account; where it is gone nothing runs unasked; what it acknowledged is there
// when it comes back; and without the settings all is as it was.
func TestDaemonWired(t *testing.T) {
	t.Parallel()
	out := inThrowaway(t, `
say without
hook ls
say installed
heed daemon --system --install --yes
cat /etc/heed/policy.yaml
say missing
hook ls
as 64002 heed run -- touch /tmp/alice/ran || echo "ended with $?"
[ ! -e /tmp/alice/ran ] && echo 'not run'
as 64002 env HEED_DAEMON=off heed pending || echo "ended with $?"
say running
install -d -o 64001 -g 64001 /run/heed
install -d -m 700 -o 64001 -g 64001 /var/lib/heed
begin
hook ls
hook 'rm -rf ~/.ssh /tmp/alice/ws'
as 64002 heed pending
[ -d /tmp/alice/.local/state/heed/pending ] && echo 'kept with the account'
find /var/lib/heed/64002 -name '*.json' | wc -l
as 64002 ls /var/lib/heed || true
say killed
end
hook ls
begin
as 64002 heed pending
as 64002 heed log --json | wc -l
end
say removed
heed daemon --system --uninstall --yes
ls /etc/heed /etc/systemd/system/heed.service /etc/sysusers.d/heed.conf 2>&1 || true
hook ls
as 64002 heed pending
`)
	parts := map[string]string{}
	for _, part := range strings.Split(out, "## ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		parts[name] = text
	}
	for name, wants := range map[string][]string{
		"without":   {`"permissionDecision":"allow"`},
		"installed": {"would change /etc/heed/policy.yaml", "daemon: heed\n", "systemctl enable --now heed"},
		"missing":   {`"permissionDecision":"ask"`, "heed cannot record this, so it is not run unasked", "/run/heed/heed.sock", "ended with 126", "not run", "ended with 2"},
		"running":   {`"permissionDecision":"allow"`, `"permissionDecision":"deny"`, "rm -rf", "\n1\n", "Permission denied"},
		"killed":    {`"permissionDecision":"ask"`, "rm -rf"},
		"removed":   {"would change /etc/heed/policy.yaml", "What was kept stays in /var/lib/heed", `"permissionDecision":"allow"`, "Nothing waits for you."},
	} {
		for _, want := range wants {
			if !strings.Contains(parts[name], want) {
				t.Errorf("%s: no %q in\n%s", name, want, parts[name])
			}
		}
	}
	if strings.Contains(parts["running"], "kept with the account") {
		t.Errorf("requests lie with the account:\n%s", parts["running"])
	}
}
