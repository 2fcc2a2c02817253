//go:build linux && (amd64 || arm64)

package preview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// label is what "label" gives a file as an extended attribute.
const label = "\x00\xff\x01"

// TestMain makes this program four more: "drive" previews a script and prints what came of
// it, "connect" connects to a socket, "label" gives a file an extended attribute, and what a
// preview starts of itself.
func TestMain(m *testing.M) {
	if IsInside(os.Args[1:]) {
		os.Exit(Inside())
	}
	if len(os.Args) == 3 {
		switch os.Args[1] {
		case "drive":
			os.Exit(drive(os.Args[2]))
		case "connect":
			os.Exit(connect(os.Args[2]))
		case "label":
			if err := setXattr(os.Args[2], "user.heed", label); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(run(m))
}

// connect connects to a socket and says so by its exit code.
func connect(name string) int {
	c, err := net.Dial("unix", name)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	c.Close()
	return 0
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
	if o, _ := p.drive(&errand{Script: ":"}); strings.HasPrefix(o.Error, ErrNotHere.Error()) {
		t.Skip(o.Error)
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
