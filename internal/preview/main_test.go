//go:build linux && (amd64 || arm64)

package preview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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
	"github.com/heedsh/heed/internal/confine"
)

// TestMain makes this program two more: "drive" previews a script and prints what came of
// it, and what a preview starts of itself.
func TestMain(m *testing.M) {
	if IsInside(os.Args[1:]) {
		os.Exit(Inside())
	}
	if len(os.Args) == 3 && os.Args[1] == "drive" {
		os.Exit(drive(os.Args[2]))
	}
	os.Exit(run(m))
}

// selfEnv names this program where plain users can execute it.
const selfEnv = "HEED_PREVIEW_TEST"

// run copies this program before anything is started: a file that is open for writing
// cannot be executed.
func run(m *testing.M) int {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	text, err := os.ReadFile(exe)
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "preview-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	self := dir + "/self"
	for _, err := range []error{os.Chmod(dir, 0o755), os.WriteFile(self, text, 0o755), os.Chmod(self, 0o755), os.Setenv(selfEnv, self)} {
		if err != nil {
			panic(err)
		}
	}
	return m.Run()
}

// An errand is what drive is told.
type errand struct {
	Script  string
	Where   Where
	Limits  *Limits
	Between string // a script that is run, unseen, before the changes are applied
	Apply   bool
	Resume  bool // only that
	KillAt  int  // at which point of applying the process ends itself
}

// What drive prints.
type outcome struct {
	Result
	Plan   *Plan
	Error  string // of the preview
	Failed string // of applying
	Paths  []string
	Did    []string
	Points int
}

func drive(text string) int {
	var e errand
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		panic(err)
	}
	var o outcome
	if e.Resume {
		did, err := Resume(context.Background(), os.Getenv)
		o.Did = did
		o.fail(err)
	} else if err := o.preview(&e); err != nil {
		o.Error = err.Error()
	}
	if err := json.NewEncoder(os.Stdout).Encode(&o); err != nil {
		panic(err)
	}
	return 0
}

func (o *outcome) preview(e *errand) error {
	plan, err := NewPlan(&e.Where)
	if err != nil {
		return err
	}
	o.Plan = plan
	l := DefaultLimits()
	if e.Limits != nil {
		l = *e.Limits
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	v, err := Run(&Command{Program: "/bin/bash", Argv: []string{"bash", "-c", e.Script}, Env: os.Environ(), Dir: dir}, plan, &l)
	if err != nil {
		return err
	}
	defer v.Close()
	o.Result = v.Result
	if e.Between != "" {
		if out, err := exec.Command("/bin/bash", "-c", e.Between).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	if !e.Apply {
		return nil
	}
	v.killed = func() {
		if o.Points++; o.Points == e.KillAt {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	}
	o.fail(v.Apply(context.Background(), os.Getenv))
	return nil
}

func (o *outcome) fail(err error) {
	if err != nil {
		o.Failed = err.Error()
	}
	var c *Conflict
	if errors.As(err, &c) {
		o.Paths = c.Paths
	}
}

// An account is who tests run as.
type account struct {
	name string
	cred *syscall.Credential
}

// accounts are root, where the tests may be it, and a plain user.
func accounts() []account {
	if os.Getuid() != 0 {
		return []account{{name: "user"}}
	}
	return []account{{name: "root"}, {name: "user", cred: &syscall.Credential{Uid: 4711, Gid: 4711, Groups: []uint32{}}}}
}

// A place is a home with a workspace, and this program.
type place struct {
	t               *testing.T
	who             account
	top, home, work string
}

func newPlace(t *testing.T, who account) *place {
	t.Helper()
	if s := confine.Probe(); s.Landlock < 6 || !s.Seccomp {
		t.Skipf("this kernel cannot confine: %+v", s)
	}
	top, err := os.MkdirTemp("", "preview-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(top) })
	p := &place{t: t, who: who, top: top, home: top + "/home", work: top + "/home/work"}
	for _, dir := range []string{p.top, p.home, p.work} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		p.own(dir)
	}
	return p
}

func (p *place) own(name string) {
	if p.who.cred == nil {
		return
	}
	if err := os.Lchown(name, int(p.who.cred.Uid), int(p.who.cred.Gid)); err != nil {
		p.t.Fatal(err)
	}
}

// command makes a command as the account, in the workspace.
func (p *place) command(argv ...string) *exec.Cmd {
	c := exec.Command(argv[0], argv[1:]...)
	c.Dir = p.work
	c.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8"}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: p.who.cred}
	return c
}

// sh runs a script for real.
func (p *place) sh(script string) {
	p.t.Helper()
	if out, err := p.command("/bin/bash", "-ec", script).CombinedOutput(); err != nil {
		p.t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// drive previews; ended is whether it came to its end.
func (p *place) drive(e *errand) (o outcome, ended bool) {
	p.t.Helper()
	if e.Where.Home == "" {
		e.Where = Where{Workspaces: []string{p.work}, Home: p.home, Secrets: e.Where.Secrets, Targets: e.Where.Targets}
	}
	text, err := json.Marshal(e)
	if err != nil {
		p.t.Fatal(err)
	}
	c := p.command(os.Getenv(selfEnv), "drive", string(text))
	var errs strings.Builder
	c.Stderr = &errs
	timer := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
	defer timer.Stop()
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL && e.KillAt > 0 {
		return o, false
	}
	if err != nil {
		p.t.Fatalf("%v\n%s", err, errs.String())
	}
	if err := json.Unmarshal(out, &o); err != nil {
		p.t.Fatalf("%v: %q", err, out)
	}
	return o, true
}

// preview drives and wants no error.
func (p *place) preview(e *errand) outcome {
	p.t.Helper()
	o, _ := p.drive(e)
	if o.Error != "" {
		p.t.Fatalf("%s: %s", e.Script, o.Error)
	}
	return o
}

// tree describes all files of the home but heed's own, by their names.
func (p *place) tree() map[string]string {
	p.t.Helper()
	out, inodes := map[string]string{}, map[uint64]string{}
	err := filepath.WalkDir(p.home, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(p.home, name)
		if err != nil {
			return err
		}
		if rel == ".local" {
			return fs.SkipDir
		}
		s, err := look(name)
		if err != nil || s == nil {
			return fmt.Errorf("%s went: %w", name, err)
		}
		attrs, err := xattrs(name)
		if err != nil {
			return err
		}
		text := fmt.Sprintf("%s %04o %d:%d %v", s.typeName(), s.perm(), s.UID, s.GID, attrs)
		switch {
		case s.file():
			content, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			first, ok := inodes[s.Ino]
			if !ok {
				first, inodes[s.Ino] = rel, rel
			}
			text += fmt.Sprintf(" %q %d names, of %s", content, s.Links, first)
		case s.Target != "":
			text = "link " + s.Target
		}
		out[rel] = text
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

// each runs a test as each account.
func each(t *testing.T, test func(t *testing.T, who account)) {
	t.Helper()
	for _, who := range accounts() {
		t.Run(who.name, func(t *testing.T) {
			t.Parallel()
			test(t, who)
		})
	}
}

// lines are changes in short.
func lines(p *place, changes []Change) []string {
	var out []string
	for _, c := range changes {
		if c.Path == p.home {
			c.Path = "{home}"
		}
		text := string(c.Kind) + " " + c.Type + " " + strings.TrimPrefix(c.Path, p.home+"/")
		if c.Was != "" {
			text += " was " + c.Was
		}
		if c.Files > 0 {
			text += " " + strconv.Itoa(c.Files) + " files"
		}
		for _, s := range []string{c.Mode, c.Owner, strings.TrimPrefix(c.Names, p.home+"/")} {
			if s != "" {
				text += " " + s
			}
		}
		out = append(out, text)
	}
	return out
}

// world makes what the tests begin with.
const world = `
printf 'one\ntwo\nthree\n' >a; printf 'b\n' >b; chmod 640 b; printf 'x' >x.sh
mkdir -p d/e/f g empty; printf 1 >d/1; printf 2 >d/e/2; printf 3 >d/e/f/3; printf g >g/g
printf h >h1; ln h1 h2; ln -s a s; ln -s nowhere dangling; ln -s d dl
mkfifo pipe; printf 'A\000B' >bin; setfattr -n user.note -v n b 2>/dev/null || true
`

// TestSameAsForReal runs each script for real in one place, and previews and applies it in
// another: the preview leaves everything as it was, and both are the same then.
func TestSameAsForReal(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, who account) {
		for _, test := range []struct {
			name, script string
			want         []string
		}{
			{"nothing", "cat a >/dev/null; ls", nil},
			{"made and gone", "echo x >y; rm y; mkdir z; rmdir z", nil},
			{"create", "echo x >n; mkdir -p m/o; echo p >m/o/p; echo q >m/q; chmod 600 n; mkdir -m 700 v", []string{"created directory work/m 2 files", "created file work/n", "created directory work/v"}},
			{"change", "sed -i s/two/TWO/ a; echo more >>b; printf 'A\\000C' >bin", []string{"changed file work/a", "changed file work/b", "changed file work/bin"}},
			{"delete", "rm a; rm -r d; rmdir empty; rm s pipe", []string{"deleted file work/a", "deleted directory work/d 3 files", "deleted directory work/empty", "deleted pipe work/pipe", "deleted link work/s"}},
			{"rename a file", "mv a z", []string{"deleted file work/a", "created file work/z"}},
			{"rename over", "mv a b", []string{"deleted file work/a", "changed file work/b 0640 -> 0644"}},
			{"rename a directory", "mv d z", []string{"deleted directory work/d 3 files", "created directory work/z 3 files"}},
			{"replace a directory", "rm -r d; mkdir d; echo 1 >d/1; echo n >d/n", []string{"changed file work/d/1", "deleted directory work/d/e 2 files", "created file work/d/n"}},
			{"replace below", "rm -r d/e; mkdir -p d/e/f; printf 3 >d/e/f/3", []string{"deleted file work/d/e/2", "attributes file work/d/e/f/3"}},
			{"a directory for a file", "rm a; mkdir a; echo x >a/x", []string{"replaced directory work/a was file 1 files"}},
			{"a file for a directory", "rm -r d; echo d >d", []string{"replaced file work/d was directory 3 files"}},
			{"a link for a directory", "rm -r g; ln -s d g", []string{"replaced link work/g was directory 1 files d"}},
			{"a directory for a link", "rm dl; mkdir dl", []string{"replaced directory work/dl was link"}},
			{"a link for a file", "ln -sf b a", []string{"replaced link work/a was file b"}},
			{"links", "ln -sfn b s; ln -s a t; rm dangling", []string{"deleted link work/dangling", "changed link work/s b", "created link work/t a"}},
			{"through a link", "echo new >>s; echo 4 >dl/4", []string{"changed file work/a", "created file work/d/4"}},
			{"modes", "chmod 755 x.sh; chmod 700 d; chmod 2755 g; chmod 000 b; umask 077; echo s >n", []string{"attributes file work/b 0640 -> 0000", "attributes directory work/d 0755 -> 0700", "attributes directory work/g 0755 -> 2755", "created file work/n", "attributes file work/x.sh 0644 -> 0755"}},
			{"a closed directory", "mkdir -p c/d; echo x >c/d/x; chmod 000 c/d/x c/d; chmod 500 c", []string{"created directory work/c 1 files"}},
			{"closed after a change", "echo 5 >d/5; chmod 555 d", []string{"attributes directory work/d 0755 -> 0555", "created file work/d/5"}},
			{"a read-only tree goes", "chmod -R u-w d; chmod -R u+w d; rm -r d", []string{"deleted directory work/d 3 files"}},
			{"the top", "chmod 700 ~", []string{"attributes directory {home} 0755 -> 0700"}},
			{"times", "touch -d 2020-01-01 a", []string{"attributes file work/a"}},
			{"a new name", "ln b z", []string{"created file work/z work/b"}},
			{"new names of a new file", "echo x >y; ln y z; mkdir m; echo 1 >m/1; ln m/1 m/2", []string{"created directory work/m 2 files", "created file work/y", "created file work/z work/y"}},
			{"a new name of what changed", "echo x >>b; ln b z", []string{"changed file work/b", "created file work/z work/b"}},
			{"one of two names deleted", "rm h1", []string{"deleted file work/h1"}},
			{"both deleted", "rm h1 h2", []string{"deleted file work/h1", "deleted file work/h2"}},
			{"pipes", "mkfifo q", []string{"created pipe work/q"}},
			{"the home", "echo x >~/new; mkdir -p ~/.config/x; echo y >~/.config/x/y", []string{"created directory .config 1 files", "created file new"}},
			{"odd names", "echo x >$'a\\nb'; echo x >'c:d,e=f'; mkdir -- '-r'; echo x >'-r/\"'", []string{"created directory work/-r 1 files", "created file work/a\nb", "created file work/c:d,e=f"}},
			{"git", "git init -q; git add a; git -c user.name=u -c user.email=e@x commit -qm m --date=@0 >/dev/null; rm -rf .git", nil},
		} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				really, p := newPlace(t, who), newPlace(t, who)
				really.sh(world)
				p.sh(world)
				before := p.tree()
				really.command("/bin/bash", "-c", test.script).Run()
				o := p.preview(&errand{Script: test.script})
				if d := cmp.Diff(before, p.tree()); d != "" {
					t.Fatalf("the preview changed what is there:\n%s", d)
				}
				got := lines(p, o.Changes)
				if d := cmp.Diff(test.want, got); d != "" {
					t.Errorf("changes, wanted (-) and got (+):\n%s", d)
				}
				if o = p.preview(&errand{Script: test.script, Apply: true}); o.Failed != "" {
					t.Fatalf("applying: %s", o.Failed)
				}
				want, applied := really.tree(), p.tree()
				if d := cmp.Diff(want, applied); d != "" {
					t.Errorf("for real (-) and applied (+):\n%s", d)
				}
			})
		}
	})
}

// TestOverwritten: a file of several names keeps them, which is the one change that is not
// made in one step.
func TestOverwritten(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, who account) {
		p := newPlace(t, who)
		p.sh(world)
		o := p.preview(&errand{Script: "echo longer >h1", Apply: true})
		if len(o.Changes) != 1 || o.Changes[0].Linked != 1 || o.Failed != "" {
			t.Errorf("%+v", o)
		}
		tree := p.tree()
		if tree["work/h1"] != tree["work/h2"] || !strings.Contains(tree["work/h2"], "longer") {
			t.Errorf("%s\n%s", tree["work/h1"], tree["work/h2"])
		}
	})
}

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
			exec 3<>/dev/tcp/192.0.2.1/80
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
		for _, want := range []string{"write /etc/heed-preview-test bash", "connect to 192.0.2.1:80 bash", "mount something  mount"} {
			if want = strings.TrimSpace(want); !slices.Contains(got, want) {
				t.Errorf("%q is not among %q", want, got)
			}
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

// TestMoved: where somebody else changed what a command changes, nothing is applied.
func TestMoved(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, who account) {
		const script = "sed -i s/two/TWO/ a; rm -r d; rm b; mkdir m; echo n >n; chmod 700 g; rm s; echo x >empty/new"
		for _, test := range []struct{ name, between, path string }{
			{"content", "echo y >>a", "a"},
			{"content of the same size and time", "touch -r a t; printf 'one\\nTWO\\nthree\\n' >a; touch -r t a; rm t", "a"},
			{"another file", "cp -p a t; mv t a", "a"},
			{"gone", "rm b", "b"},
			{"mode", "chmod 600 b", "b"},
			{"in a directory", "echo y >d/e/new", "d"},
			{"changed in a directory", "echo y >d/e/2", "d"},
			{"made", "echo y >n", "n"},
			{"made as a directory", "mkdir m", "m"},
			{"mode of a directory", "chmod 711 g", "g"},
			{"a link", "ln -sfn b s", "s"},
			{"its directory", "mkdir e2; mv e2 moved; mv empty e2; mv moved empty", "empty/new"},
		} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t, who)
				p.sh(world)
				o := p.preview(&errand{Script: script, Between: test.between, Apply: true})
				if d := cmp.Diff([]string{p.work + "/" + test.path}, o.Paths); d != "" {
					t.Errorf("%s: %s", o.Failed, d)
				}
				after := p.tree()
				q := newPlace(t, who)
				q.sh(world + test.between)
				if d := cmp.Diff(q.tree(), after); d != "" {
					t.Errorf("something was applied:\n%s", d)
				}
			})
		}
	})
}

// TestMovedMeanwhile: the same while the command runs.
func TestMovedMeanwhile(t *testing.T) {
	t.Parallel()
	p := newPlace(t, accounts()[0])
	p.sh(world)
	go func() {
		time.Sleep(400 * time.Millisecond)
		os.WriteFile(p.work+"/a", []byte("other\n"), 0o644)
	}()
	o := p.preview(&errand{Script: "sleep 1; echo x >>b; rm a", Apply: true})
	if d := cmp.Diff([]string{p.work + "/a"}, o.Paths); d != "" {
		t.Errorf("%s: %s", o.Failed, d)
	}
}

// TestKilled ends an apply at every point of it. Each file is then as it was or as it will
// be, and who resumes makes all of them one or all of them the other.
func TestKilled(t *testing.T) {
	t.Parallel()
	const script = `
		sed -i s/two/TWO/ a; echo more >>b; chmod 600 b; rm -r d; rm s; mkdir -p m/o; echo p >m/o/p; chmod 500 m/o; echo n >n; ln n n2; rm x.sh; mkdir x.sh
		chmod 700 g; rm g/g; mv bin moved; ln -sfn b dl; rmdir empty; echo in-place >h1; touch -d 2020-01-01 pipe; ln -s a t; echo >y; chmod 000 y
		for i in 1 2 3 4 5 6; do echo $i >new$i; done`
	each(t, func(t *testing.T, who account) {
		old, all := newPlace(t, who), newPlace(t, who)
		old.sh(world)
		all.sh(world)
		whole := all.preview(&errand{Script: script, Apply: true})
		if whole.Failed != "" || whole.Points < 50 {
			t.Fatalf("%d points, failed: %q", whole.Points, whole.Failed)
		}
		was, want := old.tree(), all.tree()
		finished := 0
		for at := 1; at <= whole.Points; at++ {
			p := newPlace(t, who)
			p.sh(world)
			if _, ended := p.drive(&errand{Script: script, Apply: true, KillAt: at}); ended {
				t.Fatalf("point %d was not reached", at)
			}
			for name, is := range p.tree() {
				base := filepath.Base(name)
				if is == was[name] || is == want[name] || strings.HasPrefix(base, temporary) || strings.Contains(name, "/"+temporary) {
					continue
				}
				// A staged name counts among the names of its file, and an overwritten file is the exception.
				if base == "h1" || base == "h2" || base == "n" || base == "n2" {
					continue
				}
				t.Errorf("point %d: %s is %s", at, name, is)
			}
			o := p.preview(&errand{Resume: true})
			if o.Failed != "" {
				t.Fatalf("point %d: resuming: %s", at, o.Failed)
			}
			got := p.tree()
			switch {
			case cmp.Equal(got, want):
				finished++
			case !cmp.Equal(got, was):
				t.Fatalf("point %d, did %v: neither as it was nor as it will be:\n%s", at, o.Did, cmp.Diff(want, got))
			}
			p.clean()
			os.RemoveAll(p.top)
		}
		t.Logf("%d points, finished from %d of them, taken back from the others", whole.Points, finished)
		if finished < whole.Points/3 || finished == whole.Points {
			t.Errorf("%d of %d were finished", finished, whole.Points)
		}
	})
}

// clean fails if a journal is left.
func (p *place) clean() {
	p.t.Helper()
	left, err := filepath.Glob(p.home + "/.local/state/heed/preview/*" + suffix)
	if err != nil || len(left) > 0 {
		p.t.Errorf("left: %v, %v", left, err)
	}
}

// TestResumed: another apply finishes what was left, and a conflict on the way is named.
func TestResumed(t *testing.T) {
	t.Parallel()
	p := newPlace(t, accounts()[0])
	p.sh(world)
	const script = "echo A >a; echo B >b; echo C >x.sh"
	whole := newPlace(t, accounts()[0])
	whole.sh(world)
	points := whole.preview(&errand{Script: script, Apply: true}).Points
	// Behind the journal's removal and three times cleaning up: before the third rename.
	if _, ended := p.drive(&errand{Script: script, Apply: true, KillAt: points - 4}); ended {
		t.Fatal("it was not killed")
	}
	p.sh("echo other >x.sh")
	o := p.preview(&errand{Resume: true})
	if !strings.Contains(o.Failed, "all was applied but for these") || !slices.Equal(o.Paths, []string{p.work + "/x.sh"}) {
		t.Errorf("%+v", o)
	}
	p.sh("test $(cat a) = A && test $(cat b) = B && test $(cat x.sh) = other && ! ls -A | grep heed-preview")
	p.clean()
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
