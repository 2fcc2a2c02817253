package wrap

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/wrap/shellargs"
)

// netPlace is a place with a secret and a second net, in an agent's environment.
func netPlace(t *testing.T) *place {
	t.Helper()
	p := newPlace(t)
	p.write(t, ".env", "PASSWORD=x\n")
	p.write(t, "show.sh", "echo \"args $*\"\ncat .env\n")
	p.write(t, "fine.sh", "echo \"args $*\"\n")
	if err := os.MkdirAll(filepath.Join(p.home, ".claude/shell-snapshots"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(snapshot(p), []byte("alias ll='ls -l'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	net := filepath.Join(p.home, "net.bash")
	if err := os.WriteFile(net, []byte(Net(p.sh())), 0o600); err != nil {
		t.Fatal(err)
	}
	p.env = append(p.env, "BASH_ENV="+net, "CLAUDECODE=1")
	return p
}

// pass lets a command through, as a hook does.
func (p *place) pass(t *testing.T, command string) {
	t.Helper()
	s, err := approval.Open(own.Getenv(p.env))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Pass(approval.Pass{Command: command, Dir: p.work}); err != nil {
		t.Fatal(err)
	}
}

func snapshot(p *place) string {
	return filepath.Join(p.home, ".claude/shell-snapshots/snapshot-bash-1.sh")
}

// claude is a command as Claude Code 2.1.329 gives it to its shell.
func claude(p *place, command string) string {
	return "source " + snapshot(p) + " 2>/dev/null || true && shopt -u extglob 2>/dev/null || true && eval " + shellargs.Quote(command) + " < /dev/null && pwd -P >| /tmp/claude-1a2b-cwd"
}

// TestNet: what no hook has answered for is judged; what one has passes once.
func TestNet(t *testing.T) {
	t.Parallel()
	const secret = "cat .env"
	for name, c := range map[string]struct {
		pass string
		argv func(p *place) []string
		out  string // "" if it is refused
	}{
		"prefix":             {"", func(p *place) []string { return []string{p.bin + "/heed-net", "echo hi"} }, "hi\n"},
		"prefix, REVIEW":     {"", func(p *place) []string { return []string{p.bin + "/heed-net", secret} }, ""},
		"prefix, passed":     {secret, func(p *place) []string { return []string{p.bin + "/heed-net", secret} }, "PASSWORD=x\n"},
		"prefix, two words":  {secret, func(p *place) []string { return []string{p.bin + "/heed-net", "echo", "hi"} }, ""},
		"Claude's":           {"", func(p *place) []string { return []string{p.bin + "/heed-net", claude(p, "echo hi")} }, "hi\n"},
		"Claude's, REVIEW":   {"", func(p *place) []string { return []string{p.bin + "/heed-net", claude(p, secret)} }, ""},
		"Claude's, passed":   {secret, func(p *place) []string { return []string{p.bin + "/heed-net", claude(p, secret)} }, "PASSWORD=x\n"},
		"Claude's, and more": {secret, func(p *place) []string { return []string{p.bin + "/heed-net", claude(p, secret) + "; cat .env"} }, ""},
		"another was passed": {"cat .env.example", func(p *place) []string { return []string{p.bin + "/heed-net", secret} }, ""},
		"a part was passed":  {"cat", func(p *place) []string { return []string{p.bin + "/heed-net", secret} }, ""},
		"elsewhere": {secret, func(p *place) []string {
			return []string{p.bin + "/heed-net", "ssh prod " + shellargs.Quote("eval 'cat .env'")}
		}, ""},
		"Gemini's, passed": {secret, func(p *place) []string {
			return []string{"/bin/bash", "-c", "shopt -u nullglob; (\n" + secret + "\n)\n"}
		}, "PASSWORD=x\n"},
		"BASH_ENV":              {"", func(*place) []string { return []string{"/bin/bash", "-c", "echo $1-$0", "a", "b"} }, "b-a\n"},
		"BASH_ENV, REVIEW":      {"", func(*place) []string { return []string{"/bin/bash", "-c", secret} }, ""},
		"BASH_ENV, options":     {"", func(*place) []string { return []string{"/bin/bash", "-euo", "pipefail", "-c", secret} }, ""},
		"BASH_ENV, passed":      {secret, func(*place) []string { return []string{"/bin/bash", "-c", secret} }, "PASSWORD=x\n"},
		"a script":              {"", func(*place) []string { return []string{"/bin/bash", "fine.sh", "a", "b c"} }, "args a b c\n"},
		"a script, REVIEW":      {"", func(*place) []string { return []string{"/bin/bash", "show.sh", "a"} }, ""},
		"what a script starts":  {"", func(*place) []string { return []string{"/bin/bash", "-c", "bash -c 'cat .env'"} }, ""},
		"a shell in its place":  {"", func(p *place) []string { return []string{p.sh(), "-c", secret} }, ""},
		"one, and what is fine": {"", func(p *place) []string { return []string{p.sh(), "-c", "echo hi"} }, "hi\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := netPlace(t)
			if c.pass != "" {
				p.pass(t, c.pass)
			}
			got := p.start(t, "", c.argv(p)...)
			switch {
			case c.out == "" && (got.status.ExitStatus() == 0 || strings.Contains(got.out, "PASSWORD")):
				t.Errorf("it ran: %+v", got)
			case c.out != "" && (got.status != 0 || got.out != c.out):
				t.Errorf("%+v", got)
			case c.out != "" && c.pass != "":
				if again := p.start(t, "", c.argv(p)...); again.status.ExitStatus() != ExitRefused || again.out != "" {
					t.Errorf("it passed twice: %+v", again)
				}
			}
		})
	}
}

// TestNetIsGone: bash runs nothing where the net names a heed-sh that is not there.
func TestNetIsGone(t *testing.T) {
	t.Parallel()
	p := netPlace(t)
	if err := os.Remove(p.sh()); err != nil {
		t.Fatal(err)
	}
	if got := p.start(t, "", "/bin/bash", "-c", "echo hi"); got.status.ExitStatus() != ExitRefused || got.out != "" {
		t.Errorf("%+v", got)
	}
}
