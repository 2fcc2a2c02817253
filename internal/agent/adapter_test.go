package agent_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/agent/agenttest"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// sent is a payload as an adapter gets it; Amp names the tool in the environment.
func sent(t testing.TB, text []byte, env ...string) *agent.Payload {
	t.Helper()
	p, err := agent.NewPayload(text, func(name string) string {
		for _, kv := range env {
			if n, value, ok := strings.Cut(kv, "="); ok && n == name {
				return value
			}
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Dir = "/where/the/hook/runs"
	return p
}

// TestRecordedPayloads finds out whose the payloads are that agents really sent
// (testdata/payload, named by agent and version, recorded in November 2026), or that
// their documentation shows, and reads them: testdata/payload.golden.
func TestRecordedPayloads(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/payload/*.json")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var got strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(filepath.Base(name), ".json")
		var env []string
		if strings.HasPrefix(base, "amp-") {
			env = []string{"AGENT=amp", "AGENT_TOOL_NAME=Bash"}
		}
		p := sent(t, text, env...)
		a, err := agent.Of(p)
		if err != nil || !strings.HasPrefix(base, a.Name+"-") {
			t.Errorf("%s is taken for one of %v, %v", name, a, err)
			continue
		}
		seen[a.Name] = true
		c, err := a.Read(p)
		fmt.Fprintf(&got, "%s: ", base)
		switch {
		case err != nil:
			fmt.Fprintf(&got, "error: %v\n", err)
			continue
		case c.Event == agent.Ended:
			got.WriteString("ended, ")
		case c.Event == agent.Paused:
			got.WriteString("paused, ")
		case c.Event == agent.Other:
			got.WriteString("nothing to do, ")
		case c.Event == agent.After && c.Outcome == nil:
			got.WriteString("after, ")
		case c.Event == agent.After:
			fmt.Fprintf(&got, "after: %+v, ", *c.Outcome)
		}
		if c.Shown != "" {
			fmt.Fprintf(&got, "shows %q, ", c.Shown)
		}
		fmt.Fprintf(&got, "tool %q, command %q in %q, session %q\n", c.Tool, c.Command, c.Dir, c.Session)
	}
	golden(t, "testdata/payload.golden", got.String())
	for _, name := range agent.Names() {
		if !seen[name] {
			t.Errorf("there is no payload of %s", name)
		}
	}
}

// TestProbes: every agent's own payload is known as its, read as it was meant, and
// judged where it would run.
func TestProbes(t *testing.T) {
	t.Parallel()
	for _, a := range agent.Adapters() {
		text, env := a.Probe("git status", "/p")
		p := sent(t, text, env...)
		if whose, err := agent.Of(p); err != nil || whose.Name != a.Name {
			t.Errorf("%s: taken for %v, %v", a.Name, whose, err)
		}
		c, err := a.Read(p)
		if err != nil || c.Command != "git status" || c.Dir != "/p" || c.Language != agent.POSIX || c.Event != agent.Before || c.Agent != a.Name {
			t.Errorf("%s: %+v, %v", a.Name, c, err)
		}
	}
}

// TestAnswers writes every kind of answer in every agent's words
// (testdata/answers.golden), and reads it as that agent does: what is refused or
// asked never lets the command run.
func TestAnswers(t *testing.T) {
	t.Parallel()
	as := risk.Assessment{Tier: risk.Caution, Level: risk.B, Summary: "Does <it>."}
	var got strings.Builder
	for _, a := range agent.Adapters() {
		text, env := a.Probe("x", "/p")
		c, err := a.Read(sent(t, text, env...))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []policy.Action{policy.Leave, policy.Allow, policy.Ask, policy.Deny} {
			out, err := a.Write(&c, a.Answer(&c, &as, &policy.Decision{Action: d}, &agent.Note{Digest: "ab-cd"}))
			if err != nil {
				t.Fatal(err)
			}
			show(&got, a.Name, d.String(), out)
			heard, err := a.Heard(out)
			if err != nil {
				t.Errorf("%s: its %s is not understood: %v", a.Name, d, err)
			}
			want := d
			if d == policy.Ask && !a.AsksAbout(&c) {
				want = policy.Deny
			}
			if stops(want) && heard.Decision != want {
				t.Errorf("%s: %s is heard as %s", a.Name, want, heard.Decision)
			}
			if !stops(want) && stops(heard.Decision) && want == policy.Allow {
				t.Errorf("%s: %s is heard as %s", a.Name, want, heard.Decision)
			}
		}
		if a.TellsAt != agent.Before {
			out, err := a.Tell("two\nlines\x1b[2J")
			if err != nil {
				t.Fatal(err)
			}
			show(&got, a.Name, "tells", out)
			// OpenCode's plugin stops whatever is not allowed, and asks for this at another event.
			if heard, err := a.Heard(out); err == nil && stops(heard.Decision) && a.Name != "opencode" {
				t.Errorf("%s: what it tells is heard as %s", a.Name, heard.Decision)
			}
		}
		out := a.RefuseWith("heed: why\n")
		show(&got, a.Name, "refuse", out)
		if heard, err := a.Heard(out); err != nil || heard.Decision != policy.Deny {
			t.Errorf("%s: a refusal is heard as %s, %v", a.Name, heard.Decision, err)
		}
	}
	golden(t, "testdata/answers.golden", got.String())
}

func stops(a policy.Action) bool { return a == policy.Ask || a == policy.Deny }

func show(b *strings.Builder, name, what string, out agent.Output) {
	fmt.Fprintf(b, "%s %s: code %d", name, what, out.Code)
	if len(out.Stdout) > 0 {
		fmt.Fprintf(b, ", prints %s", bytes.TrimSpace(out.Stdout))
	}
	if out.Stderr != "" {
		fmt.Fprintf(b, ", says %q", out.Stderr)
	}
	b.WriteByte('\n')
}

// TestReasonsAreClean: nothing that a command brings reaches a terminal raw.
func TestReasonsAreClean(t *testing.T) {
	t.Parallel()
	as := risk.Assessment{Tier: risk.Review, Level: risk.C, Summary: "a\x1b[2J\u009b1m\rb"}
	for _, a := range agent.Adapters() {
		got := a.Answer(&agent.Call{}, &as, &policy.Decision{Action: policy.Ask, Consent: policy.Typed}, &agent.Note{Reason: "\x07", Denied: true})
		if strings.ContainsAny(got.Reason, "\x1b\r\x07\u009b") {
			t.Errorf("%s: %q", a.Name, got.Reason)
		}
	}
}

// TestToolsOfAgents reads tools that agents have beside their shells.
func TestToolsOfAgents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tool, input string
		language    agent.Language
		command     string
	}{
		{"write_stdin", `{"session_id":1,"chars":"touch x\n"}`, agent.Typed, "touch x\n"},
		{"write_stdin", `{"session_id":1,"chars":""}`, agent.None, ""},
		{"write_stdin", `{"session_id":1,"chars":"\u0003"}`, agent.None, ""},
		{"write_bash", `{"shellId":"0","input":"y"}`, agent.Typed, "y"},
		{"send_keys", `{"keys":["l","s"]}`, agent.Typed, `["l","s"]`},
		{"apply_patch", `{"command":"*** Begin Patch\n*** Add File: a b\n+x\n*** Delete File: c\n*** Update File: d\n*** Move to: e\n*** End Patch"}`, agent.Files, "rm -- c; tee -- 'a b' d e"},
		{"Write", `{"file_path":"/x/.claude/settings.json","content":"{}"}`, agent.Files, "tee -- /x/.claude/settings.json"},
		{"Edit", `{"file_path":"/x"}`, agent.Files, "tee -- /x"},
		{"NotebookEdit", `{"notebook_path":"/x"}`, agent.Files, "tee -- /x"},
		{"create_file", `{"filePath":"/x"}`, agent.Files, "tee -- /x"},
		{"multi_replace_string_in_file", `{"replacements":[{"filePath":"/x"},{"filePath":"/y"}]}`, agent.Files, "tee -- /x /y"},
		{"replace", `{"file_path":"/x","old_string":"a","new_string":"b"}`, agent.Files, "tee -- /x"},
		{"write_to_file", `{"TargetFile":"/x"}`, agent.Files, "tee -- /x"},
		{"developer__text_editor", `{"command":"write","path":"/x","file_text":"y"}`, agent.Files, "tee -- /x"},
		{"developer__text_editor", `{"command":"view","path":"/x"}`, agent.None, ""},
		{"str_replace_editor", `{"command":"create","path":"/x"}`, agent.Files, "tee -- /x"},
		{"mcp__files__move_file", `{"source":"/x","destination":"/y"}`, agent.Files, "tee -- /y /x"},
		{"Read", `{"file_path":"/x"}`, agent.None, ""},
		{"Grep", `{"pattern":"command","path":"/x"}`, agent.None, ""},
		{"Task", `{"prompt":"rm -rf /"}`, agent.None, ""},
		{"mcp__it__run", `{"commandLine":"ls"}`, agent.POSIX, "ls"},
		{"mcp__it__run", `{"arguments":{"command":["bash","-c","rm -rf /"]}}`, agent.POSIX, "bash -c 'rm -rf /'"},
		{"mcp__it__run", `"{\"command\":\"ls\"}"`, agent.POSIX, "ls"},
		{"pwsh", `{"command":"ls"}`, agent.PowerShell, "ls"},
		{"run_commands", `{"commands":["cat <<X","rm -rf /"]}`, agent.POSIX, "bash -c 'cat <<X'\nbash -c 'rm -rf /'"},
	} {
		text, err := json.Marshal(map[string]any{"session_id": "s", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_name": c.tool, "tool_input": json.RawMessage(c.input)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := readClaude(text, nil)
		command := got.Command
		if got.Language == agent.Files {
			command = got.Look
			if !strings.HasPrefix(got.Command, got.Look+" # "+c.tool+" {") || strings.ContainsAny(got.Command, "\r\n") {
				t.Errorf("%s %s: the yes would be to %q", c.tool, c.input, got.Command)
			}
		}
		if err != nil || got.Language != c.language || command != c.command {
			t.Errorf("%s %s: language %d, %q, %v; want %d, %q", c.tool, c.input, got.Language, command, err, c.language, c.command)
		}
	}
	// Two of one name in a tool of any name: which one counts is not known.
	if c, err := readClaude([]byte(`{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"mcp__x","tool_input":{"command":"rm","command":"ls"}}`), nil); err == nil {
		t.Errorf("read as %+v", c)
	}
}

// TestToolsThatShow: what a tool shows to its agent is read as a command would that
// prints it, and what it brings from elsewhere is told by its name.
func TestToolsThatShow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tool, input, shown string
		read               risk.Provenance
	}{
		{"Read", `{"file_path":"/x"}`, "cat -- /x", ""},
		{"Read", `{"file_path":"a b/$(rm -rf x)"}`, "cat -- 'a b/$(rm -rf x)'", ""},
		{"NotebookRead", `{"notebook_path":"/x"}`, "cat -- /x", ""},
		{"Grep", `{"pattern":"KEY","path":"/x/.env","output_mode":"content"}`, "cat -- /x/.env", ""},
		{"Grep", `{"pattern":"KEY"}`, "", ""},
		{"Glob", `{"pattern":"*","path":"/x"}`, "", ""},
		{"Read", `{"file_path":"~/.ssh/a b"}`, "cat -- ~/'.ssh/a b'", ""},
		{"view", `{"path":"-n"}`, "cat -- -n", ""},
		{"str_replace_based_edit_tool", `{"command":"view","path":"/x"}`, "cat -- /x", ""},
		{"fs_read", `{"operations":[{"path":"/x"},{"path":"/y"}]}`, "cat -- /x /y", ""},
		{"read_many_files", `{"paths":["a","b"]}`, "cat -- a b", ""},
		{"open_file", `{"uri":"file:///x"}`, "cat -- /x", ""},
		{"readResource", `{"uri":"https://example.org/x"}`, "", ""},
		{"mcp__filesystem__read_file", `{"path":"/x"}`, "cat -- /x", risk.ToolOutput},
		{"Edit", `{"file_path":"/x"}`, "", ""},
		{"Bash", `{"command":"cat /x","path":"/x"}`, "", ""},
		{"Task", `{"prompt":"read /x"}`, "", ""},
		{"WebFetch", `{"url":"https://example.org"}`, "", risk.WebContent},
		{"google_web_search", `{"query":"x"}`, "", risk.WebContent},
		{"mcp__github__get_issue", `{"number":1}`, "", risk.WebContent},
		{"mcp__github__create_issue", `{"title":"x"}`, "", risk.ToolOutput},
		{"mcp__playwright__browser_navigate", `{"url":"x"}`, "", risk.WebContent},
		{"mcp__gmail__read", `{"id":"x"}`, "", risk.WebContent},
		{"mcp__db__rows", `{"table":"x"}`, "", risk.ToolOutput},
		{"@slack/list_messages", `{}`, "", risk.WebContent},
		{"use_mcp_tool", `{"server_name":"x"}`, "", risk.ToolOutput},
		{"ReadMcpResourceTool", `{"server":"x","uri":"y://z"}`, "", risk.ToolOutput},
	} {
		text, err := json.Marshal(map[string]any{"session_id": "s", "cwd": "/p", "hook_event_name": "PostToolUse", "tool_name": c.tool, "tool_input": json.RawMessage(c.input)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := readClaude(text, nil)
		if err != nil || got.Shown != c.shown || got.Read != c.read || got.Shown != "" && got.Dir != "/p" {
			t.Errorf("%s %s: shows %q in %q, brings %q, %v; want %q, %q", c.tool, c.input, got.Shown, got.Dir, got.Read, err, c.shown, c.read)
		}
	}
}

// TestCursorAsks only of versions that do.
func TestCursorAsks(t *testing.T) {
	t.Parallel()
	a := agent.Named("cursor")
	for version, want := range map[string]bool{"3.2.16": false, "3.2.17": true, "3.10.0": true, "2.9.99": false, "x.y.z": false, "": false, "4.0.0-nightly": true} {
		text, _ := json.Marshal(map[string]any{"hook_event_name": "beforeShellExecution", "cursor_version": version, "command": "ls", "cwd": "/p"})
		c, err := a.Read(sent(t, text))
		if err != nil || a.AsksAbout(&c) != want {
			t.Errorf("%s: %v, %v", version, a.AsksAbout(&c), err)
		}
	}
	text, _ := json.Marshal(map[string]any{"hook_event_name": "preToolUse", "cursor_version": "9.0.0", "tool_name": "Shell", "tool_input": map[string]string{"command": "ls"}, "cwd": "/p"})
	if c, err := a.Read(sent(t, text)); err != nil || a.AsksAbout(&c) {
		t.Errorf("preToolUse asks: %v", err)
	}
}

// FuzzAdapters reads arbitrary bytes as each agent's: what is accepted is an event of a
// tool, and a tool that runs commands has a command and a directory.
func FuzzAdapters(f *testing.F) {
	names, err := filepath.Glob("testdata/payload/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"/","tool_input":{"command":"\ud800\u0000"}}`))
	f.Add([]byte(`{"a":{"a":1},"a":2}`))
	f.Add([]byte(`{"tool_input":[{}],"tool_name":"edit"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := agent.NewPayload(text, func(string) string { return "" })
		if err != nil {
			return
		}
		if !json.Valid(text) {
			t.Errorf("accepted %q, which is not JSON", text)
		}
		_, _ = agent.Of(p) // must not panic
		for _, a := range agent.Adapters() {
			c, err := a.Read(p)
			if err != nil {
				continue
			}
			if c.Event <= agent.After && c.Language != agent.None && !strings.HasPrefix(c.Dir, "/") {
				t.Errorf("%s: %q: directory %q", a.Name, text, c.Dir)
			}
			if c.Shown != "" && (c.Language != agent.None || c.Event <= agent.After && !strings.HasPrefix(c.Dir, "/")) {
				t.Errorf("%s: %q: shows %q in %q", a.Name, text, c.Shown, c.Dir)
			}
			if (c.Language == agent.Files) != (c.Look != "") || !strings.HasPrefix(c.Command, c.Look) {
				t.Errorf("%s: %q: %+v", a.Name, text, c)
			}
			if req := c.Request(nil); !slices.Contains(risk.Provenances(), req.Provenance) {
				t.Errorf("provenance %q", req.Provenance)
			}
		}
	})
}

// TestFormsOfOneAgent: an agent whose events come in several forms is answered in that
// of the event.
func TestFormsOfOneAgent(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"copilot-cli-1.0.102":                `{"permissionDecision":"deny",`,
		"copilot-cli-documented-pascal-case": `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",`,
		"cursor-documented-mcp":              `{"permission":"deny","user_message":"no","agent_message":"no"}`,
	} {
		text, err := os.ReadFile(filepath.Join("testdata/payload", file+".json"))
		if err != nil {
			t.Fatal(err)
		}
		p := sent(t, text)
		a, err := agent.Of(p)
		if err != nil {
			t.Fatal(err)
		}
		c, err := a.Read(p)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := a.Write(&c, agent.Answer{Decision: policy.Deny, Reason: "no"}); err != nil || !strings.HasPrefix(string(out.Stdout), want) {
			t.Errorf("%s: %s, %v", file, out.Stdout, err)
		}
	}
	// A hook of Claude Code's settings that Cursor runs may be read either way.
	text := []byte(`{"cursor_version":"9.0.0","hook_event_name":"PreToolUse","tool_name":"Shell","tool_input":{"command":"ls"},"cwd":"/p"}`)
	c, err := agent.Named("cursor").Read(sent(t, text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := agent.Named("cursor").Write(&c, agent.Answer{Decision: policy.Deny, Reason: "no"})
	if err != nil || !bytes.Contains(out.Stdout, []byte(`"permission":"deny"`)) || !bytes.Contains(out.Stdout, []byte(`"permissionDecision":"deny"`)) {
		t.Errorf("%s, %v", out.Stdout, err)
	}
}

// TestWithoutHeed: every agent has an account of what it does without heed. What it says
// of what was seen is what agenttest/seen.txt says, cell by cell, and nothing that was seen
// to let a command pass is left out of it.
func TestWithoutHeed(t *testing.T) {
	t.Parallel()
	seen := map[string]map[string]agent.Fate{}
	for _, s := range agenttest.Seen(t) {
		if agent.Named(s.Agent) == nil {
			t.Errorf("%s is no agent", s.Agent)
		}
		if seen[s.Agent] == nil {
			seen[s.Agent] = map[string]agent.Fate{}
		}
		seen[s.Agent][s.Case] = s.Fate
	}
	for _, name := range agent.Names() {
		told := map[string]agent.Fate{}
		for _, f := range agent.Failures(name) {
			if _, twice := told[f.Fault]; twice {
				t.Errorf("%s: the case that %s is told twice", name, f.Fault)
			}
			told[f.Fault] = f.Fate
			fate, direct := seen[name][f.Fault]
			switch {
			case direct && fate != f.Fate:
				t.Errorf("%s: %s: it was seen that it %s, and the list says %s", name, f.Fault, fate, f.Fate)
			case direct && !f.Seen():
				t.Errorf("%s: %s: it was seen, and the list says %q", name, f.Fault, f.Note)
			case !direct && f.Ours() && f.Seen() && seen[name][agenttest.Refused] != agent.Stops:
				t.Errorf("%s: %s: nobody has seen that its refusals stop a command", name, f.Fault)
			case !direct && !f.Ours() && f.Seen():
				t.Errorf("%s: %s: nobody has seen it", name, f.Fault)
			}
		}
		for _, fault := range agent.Faults() {
			if _, ok := told[fault]; !ok {
				t.Errorf("%s: nothing is said of the case that %s", name, fault)
			}
		}
		for what, fate := range seen[name] {
			want := agent.Stops
			switch what {
			case agenttest.Allowed:
				want = agent.Runs
			case agenttest.Refused, agenttest.Asked:
			default:
				if _, ok := told[what]; !ok {
					t.Errorf("%s: it was seen what happens where %s, and the list does not say it", name, what)
				}
				continue
			}
			if fate != want {
				t.Errorf("%s: %s %s", name, what, fate)
			}
		}
	}
	if n := len(agent.FailsOpen("codex")); n != 4 {
		t.Errorf("Codex lets commands pass in %d cases, want 4", n)
	}
}
