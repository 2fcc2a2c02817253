package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/session"
	"github.com/heedsh/heed/risk"
)

// oneWrite remembers how often it was written to.
type oneWrite struct {
	bytes.Buffer
	writes int
}

func (w *oneWrite) Write(p []byte) (int, error) {
	w.writes++
	return w.Buffer.Write(p)
}

// recorded is the payload of Claude Code 2.1.329 for a command.
func recorded(t testing.TB, command, dir string) []byte {
	t.Helper()
	text, err := os.ReadFile("../agent/testdata/payload/claude-code-2.1.329.json")
	if err != nil {
		t.Fatal(err)
	}
	var p map[string]any
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	p["cwd"] = dir
	p["tool_input"].(map[string]any)["command"] = command
	if text, err = json.Marshal(p); err != nil {
		t.Fatal(err)
	}
	return text
}

// answered runs the hook and checks what holds for every answer: it is code 0
// and one whole answer or nothing, or code 2 and nothing.
func answered(t *testing.T, h *hook, in io.Reader, env ...string) (a agent.Answer, code int, errs string) {
	t.Helper()
	var out oneWrite
	var stderr bytes.Buffer
	s := Streams{In: in, Out: &out, Err: &stderr, Env: append([]string{"HOME=/home/u", "PATH=/usr/bin:/bin"}, env...), Dir: "/"}
	code = h.run([]string{agent.ClaudeCode}, s)
	if out.writes > 1 {
		t.Errorf("the answer came in %d pieces", out.writes)
	}
	switch code {
	case ExitOK:
		if stderr.Len() > 0 {
			t.Errorf("code 0 and a message: %s", &stderr)
		}
	case ExitUsage:
		if out.Len() > 0 || !strings.HasPrefix(stderr.String(), "heed: ") {
			t.Errorf("code 2 with output %q and message %q", &out, &stderr)
		}
		return a, code, stderr.String()
	default:
		t.Errorf("exit code %d", code)
	}
	a, err := agent.Named(agent.ClaudeCode).Heard(agent.Output{Stdout: out.Bytes()})
	if err != nil {
		t.Errorf("%q: %v", &out, err)
	}
	return a, code, stderr.String()
}

// realHook is the hook with a log and requests of its own.
func realHook(t testing.TB) *hook {
	t.Helper()
	state := "XDG_STATE_HOME=" + t.TempDir()
	return &hook{limit: time.Minute, guard: func(*risk.Request) *guard.Guard { return own.Guard(service.New(service.Options{}), []string{state}) }}
}

// answering is a hook that answers with what a function says.
func answering(t testing.TB, assess func(risk.Request) risk.Assessment) *hook {
	t.Helper()
	h := realHook(t)
	real := h.guard
	h.guard = func(req *risk.Request) *guard.Guard {
		g := real(req)
		g.Decide = func(_ context.Context, _ *session.State, req risk.Request, front policy.Front) (service.Answer, policy.Decision, error) {
			a := service.Answer{Assessment: assess(req)}
			if a.Error != "" {
				return a, policy.Decision{}, &service.Failure{Reason: a.Error}
			}
			return a, policy.Decide(&a.Assessment, policy.Session{Front: front, Home: req.Env["HOME"]}), nil
		}
		return g
	}
	return h
}

// TestHookAnswers puts commands into the recorded payload.
func TestHookAnswers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for command, c := range map[string]struct {
		want policy.Action
		says string
	}{
		"ls":               {policy.Allow, "[SAFE] Lists this directory; changes nothing."},
		"mkdir -p out":     {policy.Allow, "[CAUTION] Creates ./out."},
		"./no-such-script": {policy.Leave, ""},
		"git push --force": {policy.Deny, "orce-pushes to the remote and replaces its history.\nNot run yet: a person has to agree, in a terminal of their own: heed approve "},
		"rm -rf /":         {policy.Deny, "heed lets no agent delete the root directory or the home directory.\nNot run yet: a person has to agree"},
		":(){ :|:& };:":    {policy.Deny, "[REVIEW] Uses up the machine: fork bomb.\nheed lets no agent start a fork bomb."},
	} {
		got, code, errs := answered(t, realHook(t), bytes.NewReader(recorded(t, command, dir)))
		if code != ExitOK || got.Decision != c.want || !strings.Contains(got.Reason, c.says) || c.want != policy.Deny && got.Reason != c.says {
			t.Errorf("%s: code %d %s\n got %+v\nwant %+v", command, code, errs, got, c)
		}
	}
}

// TestHookSession: home, the roots and the shell are those of the session, and
// variables that only hooks have are not the command's.
func TestHookSession(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	for name, c := range map[string]struct {
		command, dir string
		env          []string
		want         policy.Action
	}{
		"home":                        {"rm -rf ~", project, []string{"HOME=" + project}, policy.Deny},
		"the project is the root":     {"touch ../new", project + "/sub", []string{"CLAUDE_PROJECT_DIR=" + project}, policy.Allow},
		"a variable of the session":   {`mkdir "$OUT"`, project, []string{"OUT=" + project + "/out"}, policy.Allow},
		"a variable of hooks only":    {`rm -rf "$CLAUDE_PROJECT_DIR"/*`, project, []string{"CLAUDE_PROJECT_DIR=" + project}, policy.Deny},
		"zsh runs what bash does not": {`() { rm -rf / }`, project, []string{"SHELL=/bin/zsh"}, policy.Deny},
	} {
		got, _, errs := answered(t, realHook(t), bytes.NewReader(recorded(t, c.command, c.dir)), c.env...)
		if got.Decision != c.want {
			t.Errorf("%s: `%s`: %s (%s), want %s; %s", name, c.command, got.Decision, got.Reason, c.want, errs)
		}
	}
}

// TestHookUnread: nobody may take silence for leave where the answer is lost.
func TestHookUnread(t *testing.T) {
	t.Parallel()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	var errs bytes.Buffer
	if code := realHook(t).run([]string{agent.ClaudeCode}, Streams{In: bytes.NewReader(recorded(t, "ls", "/")), Out: null, Err: &errs}); code != ExitUsage || !strings.Contains(errs.String(), "thrown away") {
		t.Errorf("code %d, %s", code, errs.String())
	}
}

func TestHookLeavesOtherTools(t *testing.T) {
	t.Parallel()
	h := answering(t, func(risk.Request) risk.Assessment { panic("it was assessed") })
	p := []byte(`{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Write","cwd":"/","tool_input":{"file_path":"/tmp/x","content":"rm -rf /"}}`)
	if got, code, _ := answered(t, h, bytes.NewReader(p)); code != ExitOK || got.Decision != policy.Leave {
		t.Errorf("Write: code %d, %s", code, got.Decision)
	}
	p = bytes.Replace(p, []byte("Write"), []byte("PowerShell"), 1)
	p = bytes.Replace(p, []byte("content"), []byte("command"), 1)
	if got, code, _ := answered(t, h, bytes.NewReader(p)); code != ExitOK || got.Decision != policy.Deny || !strings.Contains(got.Reason, "heed approve") {
		t.Errorf("PowerShell: code %d, %+v", code, got)
	}
}

// TestHookFaultInside: a command that could not be assessed waits for a person.
func TestHookFaultInside(t *testing.T) {
	t.Parallel()
	for name, assess := range map[string]func(risk.Request) risk.Assessment{
		"a fault":       func(risk.Request) risk.Assessment { panic("oh") },
		"an odd fault":  func(risk.Request) risk.Assessment { panic(errors.New("\x1b[2J")) },
		"no assessment": func(risk.Request) risk.Assessment { return risk.Assessment{Error: "blind"} },
	} {
		got, code, errs := answered(t, answering(t, assess), bytes.NewReader(recorded(t, "ls", "/")))
		if code != ExitOK || got.Decision != policy.Deny || !strings.Contains(got.Reason, "heed approve") || strings.Contains(got.Reason, "\x1b") {
			t.Errorf("%s: code %d %s, %+v", name, code, errs, got)
		}
	}
}

// TestHookFaults: whatever goes wrong ends with 2 and prints nothing.
func TestHookFaults(t *testing.T) {
	t.Parallel()
	good := recorded(t, "ls", "/")
	safe := func(risk.Request) risk.Assessment { return risk.Assessment{Summary: "Fine."} }
	for name, c := range map[string]struct {
		assess func(risk.Request) risk.Assessment
		in     io.Reader
		want   string
	}{
		"no input":          {safe, strings.NewReader(""), "empty"},
		"bad JSON":          {safe, strings.NewReader("{,"), "not JSON"},
		"a cut payload":     {safe, bytes.NewReader(good[:len(good)-1]), "ends too early"},
		"a broken pipe":     {safe, brokenReader{strings.NewReader(string(good))}, "the disk is gone"},
		"too long":          {safe, io.MultiReader(bytes.NewReader(good), strings.NewReader(strings.Repeat(" ", maxPayload))), "longer than"},
		"a field is absent": {safe, strings.NewReader(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}`), `"command" is missing`},
	} {
		h := answering(t, c.assess)
		if _, code, errs := answered(t, h, c.in); code != ExitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%s: code %d, %q, want %q", name, code, errs, c.want)
		}
	}
	s, out, errs := streams(t, string(good))
	for _, args := range [][]string{nil, {"claude"}, {"claude-code", "more"}} {
		if code := answering(t, safe).run(args, s); code != ExitUsage || out.Len() > 0 || !strings.Contains(errs.String(), "heed hook amp | antigravity | claude-code") {
			t.Errorf("%q: code %d, %q, %q", args, code, out, errs)
		}
	}
}

func TestIsHook(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"hook claude-code": "claude-code", "hook": "", "hook x y": "x y", "hook --nope": "--nope",
		"": "no", "check ls": "no", "hook --help": "no", "hook -h": "no", "hooks": "no",
	} {
		args, ok := IsHook(strings.Fields(line), func(string) string { return "" })
		if got := strings.Join(args, " "); ok != (want != "no") || ok && got != want {
			t.Errorf("heed %s: %q, %v; want %q", line, got, ok, want)
		}
	}
	in := func(variable string) func(string) string {
		return func(name string) string { return map[bool]string{true: "x"}[name == variable] }
	}
	// A permission of Amp's names a program alone.
	if args, ok := IsHook(nil, in("AGENT_TOOL_NAME")); !ok || len(args) != 1 || args[0] != agent.Amp {
		t.Errorf("heed without arguments, called by Amp: %q, %v", args, ok)
	}
	// An agent that leaves out the arguments.
	if args, ok := IsHook(nil, in("CLAUDE_PROJECT_DIR")); !ok || len(args) != 1 || args[0] != agent.ClaudeCode {
		t.Errorf("heed without arguments, called by an agent: %q, %v", args, ok)
	}
	if _, ok := IsHook([]string{"check"}, in("CLAUDE_PROJECT_DIR")); ok {
		t.Error("heed check in a hook's environment is taken for the hook")
	}
}

// brokenWriter takes nothing.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestHookCannotAnswer(t *testing.T) {
	t.Parallel()
	s, _, errs := streams(t, string(recorded(t, "ls", "/")))
	s.Out = brokenWriter{}
	if code := realHook(t).run([]string{agent.ClaudeCode}, s); code != ExitUsage || errs.Len() == 0 {
		t.Errorf("code %d, %q", code, errs)
	}
}

// TestHookWatchdog: an assessment that does not end is asked about, and a
// payload that does not come is a fault.
func TestHookWatchdog(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	defer close(never)
	h := answering(t, func(risk.Request) risk.Assessment { <-never; return risk.Assessment{} })
	h.limit = 300 * time.Millisecond
	got, code, _ := answered(t, h, bytes.NewReader(recorded(t, "ls", "/")))
	if code != ExitOK || got.Decision != policy.Deny || !strings.Contains(got.Reason, "heed approve") {
		t.Errorf("code %d, %+v", code, got)
	}
	in, w := io.Pipe()
	defer w.Close()
	if _, code, errs := answered(t, h, in); code != ExitUsage || !strings.Contains(errs, "no whole payload") {
		t.Errorf("code %d, %q", code, errs)
	}
	if agent.HookLimit > agent.HookTimeout/2 {
		t.Errorf("heed's own limit %d s is not far below the agent's %d s", agent.HookLimit, agent.HookTimeout)
	}
	if hookEnd >= agent.HookTimeout*time.Second {
		t.Errorf("a hook may take %s, and the agent waits %d s", hookEnd, agent.HookTimeout)
	}
}

// TestHookBlocks: whatever of the work does not end, no agent hears leave, and each hears
// it in time. An assessment that blocks is REVIEW; where what comes after it blocks too, it
// is refused.
func TestHookBlocks(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	defer close(never)
	for _, a := range agent.Adapters() {
		for what, want := range map[string]string{"the assessment": "heed took longer than", "all": "heed"} {
			h := answering(t, func(risk.Request) risk.Assessment { <-never; return risk.Assessment{} })
			h.limit = 200 * time.Millisecond
			if what == "all" {
				h.guard = func(*risk.Request) *guard.Guard { <-never; return nil }
			}
			payload, env := a.Probe("ls", "/")
			var out, errs bytes.Buffer
			begin := time.Now()
			code := h.run([]string{a.Name}, Streams{In: bytes.NewReader(payload), Out: &out, Err: &errs, Env: append(env, "HOME=/home/u", "PATH=/usr/bin:/bin"), Dir: "/"})
			heard, err := a.Heard(agent.Output{Stdout: out.Bytes(), Stderr: errs.String(), Code: code})
			if took := time.Since(begin); err != nil || heard.Decision != policy.Deny && heard.Decision != policy.Ask || took > 30*time.Second {
				t.Errorf("%s, %s blocks: it hears %s, %v after %s: %q %q", a.Name, what, heard.Decision, err, took, &out, &errs)
			}
			if said := out.String() + errs.String(); !strings.Contains(said, want) {
				t.Errorf("%s, %s blocks: it is not told why: %s", a.Name, what, said)
			}
		}
	}
}

// FuzzHook hands arbitrary bytes to the hook of any agent: never a panic, never another
// code than 0 and 2, and nothing is allowed that was not assessed.
func FuzzHook(f *testing.F) {
	f.Add(recorded(f, "ls", "/"))
	f.Add(recorded(f, "rm -rf /", "/p"))
	f.Add([]byte(`{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"PowerShell","cwd":"/","tool_input":{"command":"\ud800\u0000"}}`))
	f.Add([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Read"}`))
	f.Add([]byte(`{"hook_event_name":1}`))
	for _, a := range agent.Adapters() {
		text, _ := a.Probe("ls", "/")
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		assessed := false
		h := answering(t, func(r risk.Request) risk.Assessment {
			assessed = true
			band := risk.Band(len(r.Command) % 4)
			return risk.Assessment{Tier: band.Tier(), Level: band.Level(), Summary: "x"}
		})
		var out, errs oneWrite
		code := h.run([]string{anyAgent}, Streams{In: bytes.NewReader(text), Out: &out, Err: &errs, Env: []string{"HOME=/home/u"}, Dir: "/"})
		if code != ExitOK && code != ExitUsage || out.writes > 1 || code == ExitUsage && (out.Len() > 0 || errs.Len() == 0) {
			t.Errorf("%q: code %d, %q, %q", text, code, &out, &errs)
		}
		p, err := agent.NewPayload(text, func(string) string { return "" })
		if err != nil || code != ExitOK {
			return
		}
		p.Dir = "/"
		a, err := agent.Of(p)
		if err != nil {
			t.Fatalf("%q: answered, though nobody is known to have asked", text)
		}
		c, err := a.Read(p)
		if err != nil {
			if heard, err := a.Heard(agent.Output{Stdout: out.Bytes(), Stderr: errs.String(), Code: code}); err != nil || heard.Decision != policy.Deny {
				t.Errorf("%q is not understood, and %s hears %s, %v", text, a.Name, heard.Decision, err)
			}
			return
		}
		if c.Event != agent.Before || out.Len() == 0 {
			return
		}
		if heard, err := a.Heard(agent.Output{Stdout: out.Bytes(), Stderr: errs.String(), Code: code}); err != nil || heard.Decision == policy.Allow && !assessed && c.Language != agent.None && c.Language != agent.Files {
			t.Errorf("%q: %s hears %s, %v; it was not assessed", text, a.Name, heard.Decision, err)
		}
	})
}

// TestFaultsAtTheEnd: whatever goes wrong where an agent only tells that it is done, it is
// refused nothing, and nothing is said.
func TestFaultsAtTheEnd(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	for name, c := range map[string]struct {
		limit time.Duration
		guard func(*guard.Guard) *guard.Guard
	}{
		"a panic":     {time.Minute, func(*guard.Guard) *guard.Guard { panic("no") }},
		"too late":    {200 * time.Millisecond, func(g *guard.Guard) *guard.Guard { time.Sleep(time.Second); return g }},
		"no log":      {time.Minute, func(g *guard.Guard) *guard.Guard { g.Records.Log, g.Records.Err = nil, gone; return g }},
		"no sessions": {time.Minute, func(g *guard.Guard) *guard.Guard { g.Sessions, g.SessionsErr = nil, gone; return g }},
		"no store":    {time.Minute, func(g *guard.Guard) *guard.Guard { g.Store, g.StoreErr = nil, gone; return g }},
	} {
		for _, event := range []string{"Stop", "SessionEnd"} {
			h := realHook(t)
			real := h.guard
			h.limit, h.guard = c.limit, func(req *risk.Request) *guard.Guard { return c.guard(real(req)) }
			a, code, errs := answered(t, h, strings.NewReader(`{"session_id":"s","transcript_path":"/t","cwd":"/","hook_event_name":"`+event+`"}`))
			if code != ExitOK || errs != "" || a.Reason != "" {
				t.Errorf("%s at %s: code %d, %+v, %q", name, event, code, a, errs)
			}
		}
	}
}
