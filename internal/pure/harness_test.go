package pure

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A row is one run: a command line in a small quoting language (blanks, '…'
// and "…" without expansion) and its standard input.
type row struct {
	cmd   string
	stdin string
}

// words splits a command line of a row.
func words(t testing.TB, cmd string) []string {
	t.Helper()
	var out []string
	var b strings.Builder
	open, quote := false, byte(0)
	for i := range len(cmd) {
		c := cmd[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b.WriteByte(c)
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ':
			if open {
				out = append(out, b.String())
				b.Reset()
				open = false
			}
		default:
			b.WriteByte(c)
			open = true
		}
	}
	if quote != 0 {
		t.Fatalf("unbalanced quote in %q", cmd)
	}
	if open {
		out = append(out, b.String())
	}
	return out
}

// A setting is where and how rows are run.
type setting struct {
	dir    string
	locale string
	shell  string            // run as this shell's built-in
	names  map[string]string // other program to compare with
}

// testFiles are in the directory of every run.
func testFiles() map[string]string {
	return map[string]string{
		"abc":   "alpha\nbeta\ngamma\n",
		"num":   "3\n1\n2\n",
		"noeol": "one\ntwo",
		"empty": "",
		"prog":  "s/a/A/\np\n",
		"pats":  "eta\nmma\n",
	}
}

func testDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range testFiles() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../sub/nowhere", filepath.Join(dir, "lnk")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (s setting) input(argv []string, stdin string) Input {
	return Input{
		Argv:     argv,
		Stdin:    []byte(stdin),
		HasStdin: true,
		Dir:      s.dir,
		Env: func(name string) (string, bool) {
			switch name {
			case "LC_ALL":
				return s.locale, true
			case "PATH":
				return os.Getenv("PATH"), true
			case "GREETING":
				return "hello", true
			}
			return "", false
		},
		ReadFile: os.ReadFile,
		Exists: func(p string) (bool, bool) {
			info, err := os.Stat(p)
			return err == nil && info.IsDir(), err == nil
		},
		RealPath: func(p string) (string, bool) {
			r, err := filepath.EvalSymlinks(p)
			return r, err == nil
		},
		ReadLink: func(p string) (string, bool) {
			text, err := os.Readlink(p)
			return text, err == nil
		},
		Shell:  s.shell,
		Interp: s.shell != "",
	}
}

// real runs the row for real; ok is false if the program is not installed.
func (s setting) real(t testing.TB, argv []string, stdin string) (out []byte, status int, ok bool) {
	t.Helper()
	if other := s.names[argv[0]]; other != "" {
		argv = append([]string{other}, argv[1:]...)
	}
	if s.shell != "" {
		shell := s.shell
		run := []string{shell, "-c", `"$@"`, shell}
		if shell == "zsh" {
			run = []string{shell, "-fc", `"$@"`, shell}
		}
		argv = append(run, argv...)
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return nil, 0, false
	}
	cmd := exec.Command(path, argv[1:]...)
	cmd.Args[0] = argv[0]
	cmd.Dir = s.dir
	cmd.Env = []string{"LC_ALL=" + s.locale, "PATH=" + os.Getenv("PATH"), "GREETING=hello"}
	cmd.Stdin = strings.NewReader(stdin)
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%q: %v", argv, err)
	}
	return stdout.Bytes(), cmd.ProcessState.ExitCode(), true
}

// check computes a row, insists that it can be computed, and compares it with
// the real program. If that is not installed it returns its name.
func (s setting) check(t *testing.T, r row) (missing string) {
	t.Helper()
	argv := words(t, r.cmd)
	got, ok := Run(s.input(argv, r.stdin))
	if !ok {
		t.Errorf("%s: not computed", r.cmd)
		return ""
	}
	want, status, ok := s.real(t, argv, r.stdin)
	if !ok {
		return s.program(argv[0])
	}
	if diff := cmp.Diff(string(want), string(got.Stdout)); diff != "" {
		t.Errorf("%s on %q (-real +computed):\n%s", r.cmd, r.stdin, diff)
	}
	if got.Status != status {
		t.Errorf("%s on %q: status %d, computed %d", r.cmd, r.stdin, status, got.Status)
	}
	return ""
}

// checkAll checks rows, as a test of their own that says which programs it had
// to do without.
func (s setting) checkAll(t *testing.T, rows []row) {
	t.Helper()
	if len(rows) == 0 {
		t.Error("no rows")
	}
	t.Run(s.program(words(t, rows[0].cmd)[0]), func(t *testing.T) {
		var missing []string
		for _, r := range rows {
			if name := s.check(t, r); name != "" && !slices.Contains(missing, name) {
				missing = append(missing, name)
			}
		}
		if len(missing) > 0 {
			lacks(t, missing...)
		}
	})
}

// lacks skips the rest of a test that needs programs, unless it is shells that
// must be there.
func lacks(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if os.Getenv("REQUIRE_SHELLS") == "1" && slices.Contains([]string{"bash", "dash", "mksh", "zsh"}, p) {
			t.Fatalf("%s is not installed, and REQUIRE_SHELLS=1", p)
		}
	}
	t.Skipf("not compared with %s: not installed", strings.Join(programs, ", "))
}

// program is what really runs for a name.
func (s setting) program(name string) string {
	switch other := s.names[name]; {
	case s.shell != "":
		return s.shell
	case other != "":
		return other
	}
	return name
}

// refuse insists that rows are not computed.
func (s setting) refuse(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		if out, ok := Run(s.input(words(t, r.cmd), r.stdin)); ok {
			t.Errorf("%s on %q: computed %q, want unknown", r.cmd, r.stdin, out.Stdout)
		}
	}
}
