package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/session"
	"github.com/heedsh/heed/risk"
)

// A retry is an agent that tries again, and the person who approves.
type retry struct {
	t     *testing.T
	hook  *hook
	guard *guard.Guard
	env   []string
}

func newRetry(t *testing.T, env ...string) *retry {
	t.Helper()
	h := realHook(t)
	return &retry{t: t, hook: h, guard: h.guard(&risk.Request{}), env: env}
}

// sends hands a payload to the hook of an agent.
func (r *retry) sends(name string, payload []byte, env ...string) agent.Answer {
	r.t.Helper()
	var out, errs bytes.Buffer
	s := Streams{In: bytes.NewReader(payload), Out: &out, Err: &errs, Env: append(append([]string{"HOME=/home/u", "PATH=/usr/bin:/bin"}, r.env...), env...), Dir: "/"}
	code := r.hook.run([]string{name}, s)
	heard, err := agent.Named(name).Heard(agent.Output{Stdout: out.Bytes(), Stderr: errs.String(), Code: code})
	if err != nil {
		r.t.Errorf("%s: %v of %q, %q, %d", name, err, &out, &errs, code)
	}
	return heard
}

// approves says yes to what a refusal names.
func (r *retry) approves(reason string) {
	r.t.Helper()
	m := regexp.MustCompile(`heed approve ([0-9a-f-]+)`).FindStringSubmatch(reason)
	if m == nil {
		r.t.Fatalf("no digest in %q", reason)
	}
	prefix, err := approval.Clean(m[1])
	if err != nil {
		r.t.Fatal(err)
	}
	found, err := r.guard.Store.Find(prefix)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := r.guard.Store.Answer(found.Digest, approval.Answer{State: approval.Approved, By: "person"}); err != nil {
		r.t.Fatal(err)
	}
}

// TestRetries: in the words of every agent, what was refused and then approved runs once,
// and exactly that, where it was asked.
func TestRetries(t *testing.T) {
	t.Parallel()
	for _, name := range agent.Names() {
		a := agent.Named(name)
		dir, other := t.TempDir(), t.TempDir()
		for _, d := range []string{dir, other} {
			if err := os.WriteFile(filepath.Join(d, ".env"), []byte("text"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r := newRetry(t)
		sends := func(command, dir string) agent.Answer {
			payload, env := a.Probe(command, dir)
			return r.sends(name, payload, env...)
		}
		first := sends("cat .env", dir)
		if first.Decision != policy.Deny || !strings.HasPrefix(first.Reason, "[REVIEW] ") {
			t.Errorf("%s: %+v", name, first)
			continue
		}
		r.approves(first.Reason)
		for _, c := range []struct{ what, command, dir string }{
			{"two blanks", "cat  .env", dir}, {"a blank behind", "cat .env ", dir}, {"a newline behind", "cat .env\n", dir}, {"another directory", "cat .env", other},
		} {
			if got := sends(c.command, c.dir); !stopped(got) {
				t.Errorf("%s, %s: %+v", name, c.what, got)
			}
		}
		if got := sends("cat .env", dir); stopped(got) {
			t.Errorf("%s: approved, and %+v", name, got)
		}
		if got := sends("cat .env", dir); !stopped(got) {
			t.Errorf("%s: a yes counts twice: %+v", name, got)
		}
	}
}

// toolUse is Claude Code's payload for a tool that is about to be used.
func toolUse(t *testing.T, dir, tool string, input map[string]any) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"session_id": "s", "transcript_path": "/dev/null", "cwd": dir, "permission_mode": "default", "hook_event_name": "PreToolUse",
		"tool_name": tool, "tool_input": input, "tool_use_id": "u",
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// someHome is a home with a project in it.
func someHome(t *testing.T) (home, dir string) {
	t.Helper()
	home = t.TempDir()
	dir = filepath.Join(home, "project")
	for name, text := range map[string]string{
		".bashrc": "x\n", ".ssh/id_ed25519": "x\n", "bin/tool": "x\n", "notes.txt": "x\n",
		"project/.git/HEAD": "ref: refs/heads/main\n", "project/.git/config": "[core]\n", "project/.git/hooks/x": "", "project/.git/objects/x": "", "project/.git/refs/heads/x": "",
		"project/README.md": "x\n", "project/src/main.go": "package main\n", "project/.env": "KEY=x\n", "project/package.json": "{}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home, dir
}

// TestApprovedTools: tools of agents that write what is obeyed later, keys or the system's
// files, and those that show a secret, wait for a person; the tool that was approved
// passes once, and with other contents it does not.
func TestApprovedTools(t *testing.T) {
	t.Parallel()
	home, dir := someHome(t)
	for name, c := range map[string]struct {
		tool  string
		input map[string]any
		also  map[string]any // another input, to which the yes is none
	}{
		"a start-up file":        {"Write", map[string]any{"file_path": home + "/.bashrc", "content": "a"}, map[string]any{"file_path": home + "/.bashrc", "content": "b"}},
		"a start-up file by ~":   {"Write", map[string]any{"file_path": "~/.bashrc", "content": "a"}, nil},
		"a git hook":             {"Write", map[string]any{"file_path": dir + "/.git/hooks/pre-commit", "content": "a"}, nil},
		"git's settings":         {"Edit", map[string]any{"file_path": dir + "/.git/config", "old_string": "a", "new_string": "b"}, map[string]any{"file_path": dir + "/.git/config", "old_string": "a", "new_string": "c"}},
		"keys that let in":       {"MultiEdit", map[string]any{"file_path": home + "/.ssh/authorized_keys", "edits": []any{}}, nil},
		"settings of ssh":        {"Write", map[string]any{"file_path": home + "/.ssh/config", "content": "a"}, nil},
		"a key":                  {"Write", map[string]any{"file_path": home + "/.ssh/id_ed25519", "content": "a"}, map[string]any{"file_path": home + "/.ssh/id_ed25519", "content": "b"}},
		"a cron job":             {"Write", map[string]any{"file_path": "/etc/cron.d/x", "content": "a"}, nil},
		"a unit":                 {"Write", map[string]any{"file_path": home + "/.config/systemd/user/x.service", "content": "a"}, nil},
		"rights":                 {"Write", map[string]any{"file_path": "/etc/sudoers.d/x", "content": "a"}, nil},
		"accounts":               {"Edit", map[string]any{"file_path": "/etc/passwd", "old_string": "a", "new_string": "b"}, nil},
		"a device":               {"Write", map[string]any{"file_path": "/dev/sda", "content": "a"}, nil},
		"the system":             {"Write", map[string]any{"file_path": "/etc/hosts", "content": "a"}, nil},
		"a program that is run":  {"Write", map[string]any{"file_path": home + "/bin/tool", "content": "a"}, nil},
		"a patch":                {"apply_patch", map[string]any{"command": "*** Begin Patch\n*** Update File: .git/hooks/pre-push\n+a\n*** End Patch"}, nil},
		"a server's tool":        {"mcp__files__write_file", map[string]any{"path": home + "/.profile", "content": "a"}, nil},
		"agents' settings":       {"Write", map[string]any{"file_path": dir + "/.claude/settings.json", "content": "a"}, nil},
		"a repository's files":   {"delete_file", map[string]any{"path": dir + "/.git/config"}, nil},
		"a secret that is shown": {"Read", map[string]any{"file_path": dir + "/.env"}, map[string]any{"file_path": home + "/.ssh/id_ed25519"}},
		"a secret's lines":       {"Grep", map[string]any{"pattern": "KEY", "path": dir + "/.env", "output_mode": "content"}, nil},
		"a server that reads":    {"mcp__files__read_file", map[string]any{"path": home + "/.ssh/id_ed25519"}, nil},
	} {
		r := newRetry(t, "HOME="+home, "PATH="+home+"/bin:/usr/bin:/bin")
		payload := toolUse(t, dir, c.tool, c.input)
		first := r.sends(agent.ClaudeCode, payload)
		if first.Decision != policy.Deny || !strings.HasPrefix(first.Reason, "[REVIEW] ") {
			t.Errorf("%s: %+v", name, first)
			continue
		}
		r.approves(first.Reason)
		if c.also != nil {
			if got := r.sends(agent.ClaudeCode, toolUse(t, dir, c.tool, c.also)); !stopped(got) {
				t.Errorf("%s: something else passes: %+v", name, got)
			}
		}
		if got := r.sends(agent.ClaudeCode, payload); stopped(got) {
			t.Errorf("%s: approved, and %+v", name, got)
		}
		if got := r.sends(agent.ClaudeCode, payload); !stopped(got) {
			t.Errorf("%s: a yes counts twice: %+v", name, got)
		}
	}
}

// TestKeysAreNotKept: what a tool would write into a file of secrets stands in no request.
func TestKeysAreNotKept(t *testing.T) {
	t.Parallel()
	home, dir := someHome(t)
	r := newRetry(t, "HOME="+home)
	r.sends(agent.ClaudeCode, toolUse(t, dir, "Write", map[string]any{"file_path": dir + "/.env", "content": "LITTLE=known-to-nobody"}))
	all, _, err := r.guard.Store.List()
	if err != nil || len(all) != 1 {
		t.Fatalf("%d requests, %v", len(all), err)
	}
	text, err := json.Marshal(all)
	if err != nil || bytes.Contains(text, []byte("known-to-nobody")) || !bytes.Contains(text, []byte("input sha256:")) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestOrdinaryTools: of files that a project has anyway heed says nothing.
func TestOrdinaryTools(t *testing.T) {
	t.Parallel()
	home, dir := someHome(t)
	r := newRetry(t, "HOME="+home, "PATH="+home+"/bin:/usr/bin:/bin")
	for name, c := range map[string]struct {
		tool  string
		input map[string]any
	}{
		"a new file":              {"Write", map[string]any{"file_path": dir + "/src/new.go", "content": "a"}},
		"a file":                  {"Edit", map[string]any{"file_path": dir + "/src/main.go", "old_string": "a", "new_string": "b"}},
		"a file by its name":      {"Edit", map[string]any{"file_path": "README.md", "old_string": "a", "new_string": "b"}},
		"a manifest":              {"Write", map[string]any{"file_path": dir + "/package.json", "content": "{}"}},
		"a Makefile":              {"Write", map[string]any{"file_path": dir + "/Makefile", "content": "all:\n"}},
		"a sample":                {"Write", map[string]any{"file_path": dir + "/.env.example", "content": "KEY="}},
		"text about a key":        {"Write", map[string]any{"file_path": dir + "/docs/ssh.md", "content": "cat ~/.ssh/id_ed25519; rm -rf /"}},
		"a patch":                 {"apply_patch", map[string]any{"command": "*** Begin Patch\n*** Update File: src/main.go\n+a\n*** Add File: b\n+x\n*** End Patch"}},
		"a file that goes":        {"delete_file", map[string]any{"path": dir + "/src/main.go"}},
		"a temporary file":        {"Write", map[string]any{"file_path": "/tmp/heed-no-such/x", "content": "a"}},
		"nowhere":                 {"Write", map[string]any{"file_path": "/dev/null", "content": "a"}},
		"reading":                 {"Read", map[string]any{"file_path": dir + "/src/main.go"}},
		"reading the start-up":    {"Read", map[string]any{"file_path": home + "/.bashrc"}},
		"a secret that is not":    {"Read", map[string]any{"file_path": dir + "/sub/.env"}},
		"a search":                {"Grep", map[string]any{"pattern": "secret", "path": dir}},
		"a search by a word":      {"Grep", map[string]any{"pattern": "id_ed25519"}},
		"a place that is no file": {"mcp__web__open_page", map[string]any{"uri": "https://h.example/.env"}},
	} {
		if got := r.sends(agent.ClaudeCode, toolUse(t, dir, c.tool, c.input)); got.Decision != policy.Leave {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestGreedy: judging that would eat the memory of the machine ends as REVIEW, which a
// person can approve, before anybody kills heed for it.
func TestGreedy(t *testing.T) {
	t.Parallel()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	never := make(chan struct{})
	defer close(never)
	h := realHook(t)
	real := h.guard
	h.memory = now.HeapAlloc + 192<<20
	h.guard = func(req *risk.Request) *guard.Guard {
		g := real(req)
		g.Decide = func(ctx context.Context, _ *session.State, _ risk.Request, _ policy.Front) (a service.Answer, d policy.Decision, err error) {
			var held [][]byte
			for range 256 { // it does not look whether anybody waits
				held = append(held, bytes.Repeat([]byte("x"), 4<<20))
				if ctx.Err() != nil {
					break
				}
			}
			<-never
			runtime.KeepAlive(held)
			return a, d, ctx.Err()
		}
		return g
	}
	began := time.Now()
	got, code, errs := answered(t, h, bytes.NewReader(recorded(t, "ls", "/")))
	if code != ExitOK || got.Decision != policy.Deny || !strings.HasPrefix(got.Reason, "[REVIEW] ") || !strings.Contains(got.Reason, "heed approve ") {
		t.Errorf("code %d %s, %+v", code, errs, got)
	}
	if took := time.Since(began); took > 50*time.Second {
		t.Errorf("it took %s", took)
	}
	// What takes little is answered as ever.
	h = realHook(t)
	h.memory = 1 << 40
	if got, _, errs := answered(t, h, bytes.NewReader(recorded(t, "ls", t.TempDir()))); got.Decision != policy.Allow {
		t.Errorf("%+v %s", got, errs)
	}
}

// TestSpared: where there is no limit nobody looks, and what is stopped is no greed.
func TestSpared(t *testing.T) {
	t.Parallel()
	for _, limit := range []uint64{0, 1 << 50} {
		ctx, stop := spared(context.Background(), limit)
		time.Sleep(3 * hookLook)
		if ctx.Err() != nil {
			t.Errorf("%d: %v", limit, context.Cause(ctx))
		}
		stop()
		if !errors.Is(context.Cause(ctx), context.Canceled) {
			t.Errorf("%d: %v", limit, context.Cause(ctx))
		}
	}
	ctx, stop := spared(context.Background(), 1)
	defer stop()
	select {
	case <-ctx.Done():
	case <-time.After(time.Minute):
		t.Error("it is not looked at")
	}
	if got := context.Cause(ctx).Error(); got != "judging it takes more than 0 MiB of memory" {
		t.Error(got)
	}
}
