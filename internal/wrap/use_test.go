package wrap

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMake runs recipes through heed-sh, a make in a make included.
func TestMake(t *testing.T) {
	t.Parallel()
	needs(t, "make")
	p := newPlace(t)
	p.write(t, "Makefile", "all:\n\t@echo one; echo two\n\t@$(MAKE) -s inner\ninner:\n\t@cat three | wc -l\n\t@x=5; echo $$x\nfails:\n\t@exit 3\nblocked:\n\t@cat .env\n\t@echo never\n")
	p.write(t, "three", "1\n2\n3\n")
	p.write(t, ".env", "PASSWORD=x\n")
	for _, shell := range []string{p.sh(), filepath.Join(p.bin, "sh")} {
		got := p.start(t, "", "/usr/bin/make", "-s", "SHELL="+shell, "all")
		if got.out != "one\ntwo\n3\n5\n" || got.err != "" || got.status != 0 {
			t.Errorf("make all: %+v", got)
		}
		if got := p.start(t, "", "/usr/bin/make", "-s", "SHELL="+shell, "fails"); !strings.Contains(got.err, "Error 3") {
			t.Errorf("make fails: %+v", got)
		}
		got = p.start(t, "", "/usr/bin/make", "-s", "SHELL="+shell, "blocked")
		if got.out != "" || !strings.Contains(got.err, "Error 126") || !strings.Contains(got.err, "[REVIEW]") {
			t.Errorf("make blocked: %+v", got)
		}
	}
}

func TestNpm(t *testing.T) {
	t.Parallel()
	needs(t, "npm")
	if testing.Short() {
		t.Skip("npm is slow")
	}
	p := newPlace(t)
	p.write(t, "package.json", `{"name":"x","version":"1.0.0","scripts":{"hi":"echo hi from $npm_lifecycle_event","bad":"cat .env"}}`)
	p.write(t, ".env", "PASSWORD=x\n")
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Fatal(err)
	}
	p.env = append(p.env, "PATH="+os.Getenv("PATH"))
	if got := p.start(t, "", npm, "run", "-s", "--script-shell="+p.sh(), "hi"); got.out != "hi from hi\n" || got.status != 0 {
		t.Errorf("npm run hi: %+v", got)
	}
	if got := p.start(t, "", npm, "run", "-s", "--script-shell="+p.sh(), "bad"); got.status.ExitStatus() != ExitRefused || !strings.Contains(got.err, "[REVIEW]") {
		t.Errorf("npm run bad: %+v", got)
	}
}

// TestGit lets git start heed-sh: as a hook's interpreter, in an alias and as
// the command of ssh.
func TestGit(t *testing.T) {
	t.Parallel()
	needs(t, "git")
	p := newPlace(t)
	p.env = append(p.env, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=u", "GIT_AUTHOR_EMAIL=u@x", "GIT_COMMITTER_NAME=u", "GIT_COMMITTER_EMAIL=u@x")
	git := func(words ...string) outcome { return p.start(t, "", append([]string{"/usr/bin/git"}, words...)...) }
	git("init", "-q")
	hook := p.write(t, ".git/hooks/pre-commit", "#!"+p.sh()+"\necho hook ran >&2\nexit 1\n")
	if err := os.Chmod(hook, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := git("commit", "--allow-empty", "-m", "x"); !strings.Contains(got.err, "hook ran") || got.status.ExitStatus() != 1 {
		t.Errorf("hook: %+v", got)
	}
	git("config", "alias.hi", "!"+p.sh()+` -c 'echo hi "$@"' --`)
	if got := git("hi", "a b"); got.out != "hi a b\n" {
		t.Errorf("alias: %+v", got)
	}
	p.env = append(p.env, "GIT_SSH_COMMAND="+p.sh()+` -c 'echo "asked for $3" >&2; exit 9' ssh`)
	if got := git("ls-remote", "ssh://host.invalid/r"); !strings.Contains(got.err, "asked for") {
		t.Errorf("ssh: %+v", got)
	}
}

// TestInTheShellsPlace calls heed-sh by the name of a shell that it hides.
func TestInTheShellsPlace(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env = append(p.env[:2:2], "PATH="+p.bin+":/usr/bin:/bin", "LC_ALL=C")
	bash := filepath.Join(p.bin, "bash")
	if got := p.startAs(t, bash, "", nil, "bash", "-c", "echo $0 $BASH_VERSION"); got.status != 0 || !strings.HasPrefix(got.out, "bash 5") && !strings.HasPrefix(got.out, "bash 3") {
		t.Errorf("bash: %+v", got)
	}
	if got := p.startAs(t, bash, "", nil, "-bash", "-c", "shopt login_shell; echo $0"); !strings.Contains(got.out, "on") || !strings.Contains(got.out, "-bash") {
		t.Errorf("-bash: %+v", got)
	}
	// A shell in a shell is guarded too, and ends.
	if got := p.startAs(t, bash, "", nil, "bash", "-c", "bash -c 'bash -c \"echo deep\"; exit 3'; echo $?"); got.out != "deep\n3\n" {
		t.Errorf("nested: %+v", got)
	}
	script := p.write(t, "s", "#!/usr/bin/env bash\necho script $1\nexit 2\n")
	if err := os.Chmod(script, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := p.start(t, "", script, "x"); got.out != "script x\n" || got.status.ExitStatus() != 2 {
		t.Errorf("env bash: %+v", got)
	}
}

// TestNotItself gives heed-sh as the real shell in every way.
func TestNotItself(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"copy/bash": string(whole), "script/bash": "#!" + p.sh() + "\n", "empty/bash": "", "open/bash": "program"} {
		file := filepath.Join(p.work, name)
		mode := os.FileMode(0o700)
		if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if name == "open/bash" {
			mode = 0o777
		}
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if got := p.start(t, "", p.sh(), "--real", file, "-c", "echo ran"); got.status.ExitStatus() != ExitRefused || got.out != "" {
			t.Errorf("%s: %+v", name, got)
		}
		// On PATH it is passed over.
		if got := p.startAs(t, filepath.Join(p.bin, "bash"), "", []string{"PATH=" + filepath.Dir(file) + ":/usr/bin:/bin"}, "bash", "-c", "echo ran"); got.out != "ran\n" {
			t.Errorf("%s on PATH: %+v", name, got)
		}
	}
	if got := p.start(t, "", p.sh(), "--real", filepath.Join(p.bin, "bash"), "-c", "echo ran"); got.status.ExitStatus() != ExitRefused {
		t.Errorf("link: %+v", got)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(t, ".env", "PASSWORD=x\n")
	p.write(t, "evil.sh", "touch ran\ncat .env\n")
	evil := filepath.Join(p.work, "evil.sh")
	other := filepath.Join(p.work, "home")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	p.write(t, "home/.bash_profile", "touch ran\ncat .env\n")
	p.write(t, "home/.bashrc", "touch ran\ncat .env\n")
	for name, c := range map[string]struct {
		in   string
		env  []string
		args []string
		code int
	}{
		"text":             {args: []string{"-c", "touch ran; cat .env"}},
		"after operands":   {args: []string{"-c", "$0; touch ran; cat .env", "true"}},
		"parameters":       {args: []string{"-c", "touch ran; cat $1", "n", ".env"}},
		"script":           {args: []string{"evil.sh"}},
		"standard input":   {in: "touch ran\ncat .env\n"},
		"input with -s":    {in: "touch ran\ncat $1\n", args: []string{"-s", ".env"}},
		"code from stdin":  {in: "touch ran", args: []string{"-c", "bash"}},
		"code for a host":  {in: "touch ran", args: []string{"-c", "ssh host.invalid"}},
		"hidden verb":      {in: "x", args: []string{"-c", "touch ran; kubectl $(echo delete) service web"}},
		"python in script": {in: "python3\nopen('ran', 'w')\n"},
		"BASH_ENV":         {env: []string{"BASH_ENV=" + evil}, args: []string{"-c", "true"}},
		"BASH_ENV expands": {env: []string{"BASH_ENV=$(touch ran; rm -rf /etc/heed-none)"}, args: []string{"-c", "true"}},
		"PS4":              {env: []string{"PS4=$(touch ran; rm -rf /etc/heed-none)"}, args: []string{"-xc", "true"}},
		"SHELLOPTS":        {env: []string{"PS4=$(touch ran; rm -rf /etc/heed-none)", "SHELLOPTS=xtrace"}, args: []string{"-c", "true"}},
		"function":         {env: []string{"BASH_FUNC_ls%%=() { touch ran; cat .env\n}"}, args: []string{"-c", "ls"}},
		"broken function":  {env: []string{"BASH_FUNC_ls%%=() { :; }; set -n"}, args: []string{"-c", "touch ran; cat .env"}},
		"login":            {env: []string{"HOME=" + other}, args: []string{"-lc", "true"}},
		"interactive":      {env: []string{"HOME=" + other}, args: []string{"-ic", "true"}},
		"rcfile":           {args: []string{"--rcfile", evil, "-ic", "true"}},
		"init-file":        {args: []string{"-init-file", evil, "-ic", "true"}},
		"noexec and -i":    {args: []string{"-nic", "touch ran; cat .env"}},
		"plus c":           {args: []string{"+c", "touch ran"}},
		"unknown letter":   {args: []string{"-Zc", "touch ran"}},
		"unknown word":     {args: []string{"--frob", "-c", "touch ran"}},
		"unknown -o":       {args: []string{"-o", "frob", "-c", "touch ran"}},
		"keyword":          {args: []string{"-kc", "touch ran"}},
		"no text":          {args: []string{"-c"}, code: ExitUsage},
		"not text":         {args: []string{"-c", "touch ran \xff"}},
		"long input":       {in: "touch ran #" + strings.Repeat("x", maxScriptInput)},
		"relative shell":   {args: []string{"--real", "bash", "-c", "touch ran"}},
		"denied":           {args: []string{"-c", "touch ran; rm -rf ~"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := p.startAs(t, p.sh(), c.in, c.env, append([]string{p.sh()}, c.args...)...)
			if got.status.ExitStatus() != cmp.Or(c.code, ExitRefused) {
				t.Errorf("exit %d: %s", got.status.ExitStatus(), got.err)
			}
			if _, err := os.Stat(filepath.Join(p.work, "ran")); err == nil {
				t.Errorf("it ran: %+v", got)
				os.Remove(filepath.Join(p.work, "ran"))
			}
			if got.out != "" || got.err == "" {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	run := filepath.Join(p.bin, "heed-run")
	for _, c := range []struct {
		words []string
		out   string
		code  int
	}{
		{[]string{"echo", "a b", "*", "$x", "'"}, "a b * $x '\n", 0},
		{[]string{"sh", "-c", "exit 9"}, "", 9},
		{[]string{"nosuchprogram"}, "", ExitNotFound},
		{[]string{"./nosuchprogram"}, "", ExitNotFound},
		{[]string{p.home}, "", ExitRefused},
		{[]string{"cat", ".env"}, "", ExitRefused},
	} {
		got := p.start(t, "", append([]string{run}, c.words...)...)
		if got.out != c.out || got.status.ExitStatus() != c.code {
			t.Errorf("%q: %+v", c.words, got)
		}
	}
}

// TestSignal stops the program that heed-sh has become.
func TestSignal(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := exec.Command(p.sh(), "-c", "echo ready; exec sleep 100")
	c.Env, c.Dir = p.env, p.work
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	if err := c.Process.Signal(syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if st, ok := c.ProcessState.Sys().(syscall.WaitStatus); !ok || st.Signal() != syscall.SIGUSR1 {
		t.Errorf("%v", c.ProcessState)
	}
}

// TestDescriptors passes open files beyond standard error on.
func TestDescriptors(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(p.sh(), "-c", "echo through three >&3; cat <&4")
	c.Env, c.Dir = p.env, p.work
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.WriteString("from four")
	w.Close()
	c.ExtraFiles = []*os.File{f, r}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(f.Name())
	if err != nil || string(text) != "through three\n" || string(out) != "from four" {
		t.Errorf("%q, %q, %v", text, out, err)
	}
}

// TestFaults makes heed fail in every way: nothing runs.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]struct {
		assess func() error
		want   string
	}{
		"panic": {func() error { panic("broken") }, "a fault inside heed: broken"},
		"slow":  {func() error { time.Sleep(time.Hour); return nil }, "took longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, out, errs := inProcess(t)
			s.limit = 50 * time.Millisecond
			s.assess = assessFunc(f.assess)
			job, err := s.Program([]string{"true"})
			if err != nil {
				t.Fatal(err)
			}
			if code := s.Run(job); code != ExitRefused || out.Len() > 0 || !strings.Contains(errs.String(), f.want) {
				t.Errorf("exit %d: %q %q", code, out, errs)
			}
		})
	}
}
