//go:build linux && (amd64 || arm64)

package preview

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mounted previews a script where a file system in memory is mounted on work/sub and a
// file on work/one, and prints what is there afterwards, which no one else sees.
func mounted(t *testing.T, p *place, e *errand) (outcome, string) {
	t.Helper()
	e.Where = Where{Workspaces: []string{p.work}, Home: p.home}
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	as := ""
	if c := p.who.cred; c != nil {
		as = "setpriv --reuid 4711 --regid 4711 --clear-groups "
	}
	c := exec.Command("unshare", "-m", "bash", "-ec", `
		mkdir sub; touch one; echo outer >two; mount -t tmpfs -o size=1m none sub; mount --bind two one; echo s >sub/s; chown -R 4711:4711 . sub
		`+as+`"$SELF" drive "$ERRAND"; echo; cat one two sub/*; ls -A . sub | grep heed-preview || true`)
	c.Dir = p.work
	c.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "SELF=" + os.Getenv(selfEnv), "ERRAND=" + string(text)}
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	var o outcome
	line, rest, _ := strings.Cut(string(out), "\n")
	if err := json.Unmarshal([]byte(line), &o); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return o, strings.TrimSpace(rest)
}

// TestMounts: what is mounted in the workspace is covered by itself where it is a file
// system with files, and else stays as it is, which is said; who is not root is told that
// the whole is not covered.
func TestMounts(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("mounting needs root")
	}
	for _, program := range []string{"unshare", "setpriv", "mount"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("no " + program)
		}
	}
	p := newPlace(t, accounts()[0])
	if o, after := mounted(t, p, &errand{Script: "head -c 3000000 /dev/zero >sub/big; echo x >two; rm sub/s", Apply: true}); !strings.Contains(o.Failed, "no space left") || after != "outer\nouter\ns" {
		t.Errorf("a full disk: failed: %q, after it: %q", o.Failed, after)
	}
	p.clean()
	const script = "echo more >>sub/s; echo n >sub/n; echo x >one; echo w >w; cat sub/s one"
	all := accounts()
	p = newPlace(t, all[0])
	o, after := mounted(t, p, &errand{Script: script})
	want := []string{"created file work/sub/n", "changed file work/sub/s", "created file work/w"}
	if d := cmp.Diff(want, lines(p, o.Changes)); d != "" {
		t.Errorf("%s\n%s", d, o.Error)
	}
	if o.Stdout.Text != "s\nmore\nouter\n" || after != "outer\nouter\ns" {
		t.Errorf("inside: %q, after it: %q", o.Stdout.Text, after)
	}
	if !slices.ContainsFunc(o.Plan.Notes, func(n string) bool {
		return strings.HasPrefix(n, p.work+"/one is not covered: it is a mount of its own")
	}) {
		t.Errorf("notes: %q", o.Plan.Notes)
	}
	p = newPlace(t, all[0])
	if o, after = mounted(t, p, &errand{Script: script, Apply: true}); o.Failed != "" || after != "outer\nouter\nn\ns\nmore" {
		t.Errorf("failed: %q, after it: %q", o.Failed, after)
	}
	p = newPlace(t, all[1])
	if o, after = mounted(t, p, &errand{Script: script}); !strings.Contains(o.Error, "is mounted in it, and only root can lay something over both") || after != "outer\nouter\ns" {
		t.Errorf("a plain user: %q, after it: %q", o.Error, after)
	}
}
