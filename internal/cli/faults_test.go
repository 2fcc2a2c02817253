package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/agent/agenttest"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// A fault is something that goes wrong when an agent calls heed.
type fault struct {
	kind string // the column of the table
	name string
	in   io.Reader // the payload; nil: a good one
	hook func(h *hook)
	out  io.Writer // nil: it is kept
	// stdout says that the answer is lost with it, and only the exit code is left.
	unwritten bool
}

// stopsAlways is a command that no agent may run.
const stopsAlways = "rm -rf /"

const (
	unreadable = "a payload that is no JSON"
	incomplete = "a field missing, twice, or of another kind"
	inside     = "a fault inside heed"
)

// spoiled are payloads in which each field in turn is absent, twice, or of another
// kind. What is asked to run is what no agent may, so that a field which does not matter
// changes nothing.
func spoiled(t *testing.T, text []byte) (all []fault) {
	t.Helper()
	var walk func(at []string, v any)
	add := func(at []string, what string, edit func(parent map[string]any, key string)) {
		var top map[string]any
		if err := json.Unmarshal(text, &top); err != nil {
			t.Fatal(err)
		}
		in := top
		for _, key := range at[:len(at)-1] {
			in = in[key].(map[string]any)
		}
		edit(in, at[len(at)-1])
		b, err := json.Marshal(top)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fault{kind: incomplete, name: strings.Join(at, ".") + " " + what, in: bytes.NewReader(b)})
	}
	walk = func(at []string, v any) {
		if len(at) > 0 {
			add(at, "absent", func(in map[string]any, key string) { delete(in, key) })
			for what, value := range map[string]any{"null": nil, "a number": 7.5, "a list": []any{map[string]any{}}, "an object": map[string]any{"x": 1}, "empty": ""} {
				if value == "" && v == stopsAlways {
					continue // that is a command, which does nothing
				}
				add(at, what, func(in map[string]any, key string) { in[key] = value })
			}
			key, _ := json.Marshal(at[len(at)-1])
			value, _ := json.Marshal(v)
			once := append(append(append([]byte{}, key...), ':'), value...)
			twice := bytes.Replace(text, once, append(append(append([]byte{}, once...), ','), once...), 1)
			if bytes.Equal(twice, text) {
				t.Fatalf("%s is not found in %s", once, text)
			}
			all = append(all, fault{kind: incomplete, name: strings.Join(at, ".") + " twice", in: bytes.NewReader(twice)})
		}
		if in, ok := v.(map[string]any); ok {
			for key, v := range in {
				walk(append(slices.Clone(at), key), v)
			}
		}
	}
	var top any
	if err := json.Unmarshal(text, &top); err != nil {
		t.Fatal(err)
	}
	walk(nil, top)
	return all
}

// faults are what goes wrong with a payload of an agent, and inside heed.
func faults(t *testing.T, good []byte) []fault {
	t.Helper()
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	answers := func(assess func(risk.Request) risk.Assessment) func(h *hook) {
		return func(h *hook) { h.guard = answering(t, assess).guard }
	}
	noState := func(h *hook) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		h.guard = func(*risk.Request) *guard.Guard {
			return own.Guard(service.New(service.Options{}), []string{"XDG_STATE_HOME=" + file})
		}
	}
	half := good[:len(good)/2]
	text := func(s string) io.Reader { return strings.NewReader(s) }
	return append(spoiled(t, good), []fault{
		{kind: unreadable, name: "nothing", in: text("")},
		{kind: unreadable, name: "blanks", in: text(" \n\t")},
		{kind: unreadable, name: "a command", in: text("rm -rf /")},
		{kind: unreadable, name: "cut off", in: bytes.NewReader(good[:len(good)-1])},
		{kind: unreadable, name: "half of it", in: bytes.NewReader(half)},
		{kind: unreadable, name: "two payloads", in: bytes.NewReader(slices.Concat(good, good))},
		{kind: unreadable, name: "text behind it", in: bytes.NewReader(slices.Concat(good, []byte("x")))},
		{kind: unreadable, name: "a list", in: text("[" + string(good) + "]")},
		{kind: unreadable, name: "null", in: text("null")},
		{kind: unreadable, name: "a number", in: text("1")},
		{kind: unreadable, name: "a text", in: text(`"ls"`)},
		{kind: unreadable, name: "invalid UTF-8", in: bytes.NewReader(bytes.Replace(good, []byte("rm -rf"), []byte("rm \xff-rf"), 1))},
		{kind: unreadable, name: "NUL bytes", in: bytes.NewReader(bytes.ReplaceAll(good, []byte(`"`), []byte("\"\x00")))},
		{kind: unreadable, name: "UTF-16", in: bytes.NewReader(bytes.ReplaceAll(good, []byte(`"`), []byte("\"\x00"))[1:])},
		{kind: unreadable, name: "a byte order mark", in: bytes.NewReader(append([]byte("\xef\xbb\xbf"), good...))},
		{kind: unreadable, name: "ten megabytes", in: io.MultiReader(bytes.NewReader(good), strings.NewReader(strings.Repeat(" ", 10<<20)))},
		{kind: unreadable, name: "a million brackets", in: text(strings.Repeat("[", 1<<20))},
		{kind: unreadable, name: "a comment", in: bytes.NewReader(append([]byte("// x\n"), good...))},
		{kind: unreadable, name: "single quotes", in: bytes.NewReader(bytes.ReplaceAll(good, []byte(`"`), []byte("'")))},
		{kind: unreadable, name: "a broken pipe", in: brokenReader{strings.NewReader(string(half))}},
		{kind: inside, name: "it panics", hook: answers(func(risk.Request) risk.Assessment { panic("oh") })},
		{kind: inside, name: "it panics with an error", hook: answers(func(risk.Request) risk.Assessment { panic(errors.New("\x1b[2J")) })},
		{kind: inside, name: "a nil pointer", hook: answers(func(risk.Request) risk.Assessment { var a *risk.Assessment; return *a })},
		{kind: inside, name: "it cannot assess", hook: answers(func(risk.Request) risk.Assessment { return risk.Assessment{Error: "blind"} })},
		{kind: inside, name: "it does not end", hook: func(h *hook) {
			answers(func(risk.Request) risk.Assessment { <-never; return risk.Assessment{} })(h)
			h.limit = 100 * time.Millisecond
		}},
		{kind: inside, name: "no log and no requests", hook: noState},
		{kind: inside, name: "no guard", hook: func(h *hook) { h.guard = func(*risk.Request) *guard.Guard { panic("none") } }},
		{kind: inside, name: "the answer cannot be written", out: brokenWriter{}, unwritten: true},
	}...)
}

// meets hands a fault to the hook of a name, and returns what it prints.
func meets(h hook, f *fault, name string, good []byte, env []string) agent.Output {
	if f.hook != nil {
		f.hook(&h)
	}
	in := f.in
	if in == nil {
		in = bytes.NewReader(good)
	}
	var out, errs bytes.Buffer
	s := Streams{In: in, Out: &out, Err: &errs, Env: append([]string{"HOME=/home/u", "PATH=/usr/bin:/bin"}, env...), Dir: "/"}
	if f.out != nil {
		s.Out = f.out
	}
	code := h.run([]string{name}, s)
	return agent.Output{Stdout: out.Bytes(), Stderr: errs.String(), Code: code}
}

// TestFaults: nothing that goes wrong in what an agent sends, or inside heed, is what
// that agent takes for leave to run the command. The table of docs/agents.md is made
// here; what agents do without heed stands in agent.Failures.
func TestFaults(t *testing.T) {
	t.Parallel()
	kinds := []string{unreadable, incomplete, inside}
	var table strings.Builder
	fmt.Fprintf(&table, "| agent | %s | %s | what else lets commands pass |\n|---|---|---|---|---|---|---|---|---|\n",
		strings.Join(kinds, " | "), strings.Join(agent.Faults(), " | "))
	for _, name := range agent.Names() {
		a := agent.Named(name)
		good, env := a.Probe(stopsAlways, "/")
		counts, h := map[string]int{}, realHook(t)
		all := faults(t, good)
		for i := range all {
			f := &all[i]
			text := ""
			if f.in != nil && f.kind == incomplete {
				b, _ := io.ReadAll(f.in)
				text, f.in = string(b), bytes.NewReader(b)
			}
			out := meets(*h, f, name, good, env)
			if out.Code != 0 && out.Code != 2 && name != agent.Amp {
				t.Errorf("%s, %s: exit code %d", name, f.name, out.Code)
			}
			heard, err := a.Heard(out)
			if f.unwritten && name == "cline" {
				continue // it goes by what is printed alone: docs/agents.md says so
			}
			if err == nil && heard.Decision == policy.Leave && told(a, text, env) {
				continue // it does not say that anything is about to run
			}
			if err != nil || heard.Decision != policy.Deny && heard.Decision != policy.Ask {
				t.Errorf("%s, %s: it hears %s, %v of %+v %s", name, f.name, heard.Decision, err, out, text)
			}
			counts[f.kind]++
		}
		if n := counts[unreadable] + counts[incomplete] + counts[inside]; n < 40 {
			t.Errorf("%s: %d faults, want 40", name, n)
		}
		fmt.Fprintf(&table, "| %s |", a.Title)
		for _, kind := range kinds {
			fmt.Fprintf(&table, " stops (%d) |", counts[kind])
		}
		var also []string
		for _, f := range agent.Failures(name) {
			if slices.Contains(agent.Faults(), f.Fault) {
				fmt.Fprintf(&table, " %s%s |", f.Fate, bracketed(f.Note))
			} else {
				also = append(also, f.Fault+bracketed(f.Note))
			}
		}
		fmt.Fprintf(&table, " %s |\n", strings.Join(also, "; "))
	}
	documented(t, "outcomes", table.String())
}

// TestSights makes the table of what agents were seen to do.
func TestSights(t *testing.T) {
	t.Parallel()
	sights := agenttest.Seen(t)
	var table strings.Builder
	cases := append([]string{agenttest.Allowed, agenttest.Asked, agenttest.Refused}, agent.Faults()...)
	fmt.Fprintf(&table, "| agent | %s |\n|---|---|---|---|---|---|---|---|\n", strings.Join(cases, " | "))
	for _, name := range agent.Names() {
		row, any := "| "+agent.Named(name).Title+" |", false
		for _, what := range cases {
			var cell []string
			for i := range sights {
				if s := &sights[i]; s.Agent == name && s.Case == what {
					note := s.Version + ", " + s.Date
					if s.Note != "" {
						note += ": " + s.Note
					}
					cell = append(cell, string(s.Fate)+bracketed(note))
				}
			}
			any = any || len(cell) > 0
			row += " " + strings.Join(cell, "; ") + " |"
		}
		if any {
			table.WriteString(row + "\n")
		}
	}
	documented(t, "sights", table.String())
}

func bracketed(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// told reports whether a payload, as its agent would mean it, asks for nothing: it tells
// of something that is over, or of a tool that runs no command.
func told(a *agent.Adapter, text string, env []string) bool {
	p, err := agent.NewPayload([]byte(text), Streams{Env: env}.value)
	if err != nil {
		return false
	}
	p.Dir = "/"
	c, err := a.Read(p)
	return err == nil && (c.Event != agent.Before || c.Language == agent.None)
}

// documented compares a part of docs/agents.md between marks with what it should be.
func documented(t *testing.T, mark, want string) {
	t.Helper()
	const name = "../../docs/agents.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+mark+" -->\n", "<!-- end -->"
	head, rest, found := strings.Cut(string(text), begin)
	got, tail, ends := strings.Cut(rest, end)
	if !found || !ends {
		t.Fatalf("%s has no part %s", name, mark)
	}
	if *update {
		if err := os.WriteFile(name, []byte(head+begin+want+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// TestClicksAreKept: where an agent cannot ask its person, a click is a plain yes given
// elsewhere. It lets the command run once.
func TestClicksAreKept(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	h := &hook{limit: time.Minute, guard: func(*risk.Request) *guard.Guard {
		env := []string{"XDG_STATE_HOME=" + state, "HOME=/home/u"}
		return own.Guard(service.New(own.Options(env)), env)
	}}
	for _, name := range []string{"codex", "windsurf", "cline", "opencode", "goose", "kiro", "devin-cli"} {
		a := agent.Named(name)
		call := func() agent.Answer {
			text, env := a.Probe("frobnicate --for "+name, "/")
			var out, errs bytes.Buffer
			code := h.run([]string{name}, Streams{In: bytes.NewReader(text), Out: &out, Err: &errs, Env: append(env, "HOME=/home/u", "PATH=/usr/bin:/bin"), Dir: "/"})
			heard, err := a.Heard(agent.Output{Stdout: out.Bytes(), Stderr: errs.String(), Code: code})
			if err != nil {
				t.Fatal(err)
			}
			return heard
		}
		if got := call(); got.Decision != policy.Deny || !strings.Contains(got.Reason, "heed approve ") || !strings.HasPrefix(got.Reason, "[CAUTION] ") {
			t.Fatalf("%s: %+v", name, got)
		}
		store := h.guard(nil).Store
		all, _, err := store.List()
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(all, func(r *approval.Request) bool { return r.State == approval.Pending })
		if at < 0 || all[at].Shown.Confirm.By != "click" || all[at].Shown.Agent != name {
			t.Fatalf("%s: %+v", name, all)
		}
		if err := store.Answer(all[at].Digest, approval.Answer{State: approval.Approved, By: "person"}); err != nil {
			t.Fatal(err)
		}
		if got := call(); stopped(got) {
			t.Errorf("%s: approved, and %+v", name, got)
		}
		if got := call(); !stopped(got) {
			t.Errorf("%s: a yes counts twice: %+v", name, got)
		}
	}
}

func stopped(a agent.Answer) bool { return a.Decision == policy.Deny || a.Decision == policy.Ask }

// TestDocumentedAgents makes the list of agents in docs/agents.md.
func TestDocumentedAgents(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	table.WriteString("| agent | name | what a click would do for | yours | a project's | root's (Linux) |\n|---|---|---|---|---|---|\n")
	w := &agent.Where{Dir: "/p", Getenv: func(name string) string { return map[string]string{"HOME": "/h"}[name] }}
	for _, name := range agent.Names() {
		a := agent.Named(name)
		asks := "is refused until it is approved"
		if a.Asks {
			asks = "is asked in its dialog"
		}
		if name == "cursor" {
			asks += ", for shell commands from 3.2.17 on; else refused"
		}
		fmt.Fprintf(&table, "| %s | `%s` | %s |", a.Title, name, asks)
		for _, scope := range []agent.Scope{agent.User, agent.Project, agent.Managed} {
			var files []string
			if targets, err := a.Install.Targets(w, scope); err == nil {
				for _, target := range targets {
					files = append(files, "`"+strings.NewReplacer("/h/", "~/", "/p/", "").Replace(target.File)+"`")
				}
			}
			fmt.Fprintf(&table, " %s |", strings.Join(files, ", "))
		}
		table.WriteByte('\n')
	}
	if runtime.GOOS == "linux" { // managed files lie elsewhere on other systems
		documented(t, "agents", table.String())
	}
}
