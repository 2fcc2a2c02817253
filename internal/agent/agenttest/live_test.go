package agenttest

import (
	"bytes"
	"context"
	"flag"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/agent"
)

var update = flag.Bool("update", false, "write what was seen into seen.txt")

// A harness is how an agent is run without a person, against a model at an address.
type harness struct {
	program string
	args    []string
	env     []string
	files   map[string]string // below the home directory; @MODEL@ is its address
}

// trustsHooks stands for the person who trusts heed's hook in Codex' dialog.
const trustsHooks = "--dangerously-bypass-hook-trust"

func harnesses() map[string]harness {
	const prompt = "do the task"
	return map[string]harness{
		agent.ClaudeCode: {
			program: "claude", args: []string{"-p", "--permission-mode", "bypassPermissions", prompt},
			env:   []string{"ANTHROPIC_BASE_URL=@MODEL@", "ANTHROPIC_API_KEY=invented", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "IS_SANDBOX=1"},
			files: map[string]string{".claude.json": `{"hasCompletedOnboarding":true,"customApiKeyResponses":{"approved":["invented"]}}`},
		},
		"qwen-code": {
			program: "qwen", args: []string{"-y", "-p", prompt},
			env:   []string{"OPENAI_BASE_URL=@MODEL@/v1", "OPENAI_API_KEY=invented", "OPENAI_MODEL=stand-in"},
			files: map[string]string{".qwen/settings.json": `{"security":{"auth":{"selectedType":"openai"}},"privacy":{"usageStatisticsEnabled":false},"general":{"disableAutoUpdate":true}}`},
		},
		"codex": {
			program: "codex",
			args:    []string{"exec", "--dangerously-bypass-approvals-and-sandbox", trustsHooks, prompt},
			env:     []string{"STANDIN_KEY=invented"},
			files: map[string]string{".codex/config.toml": "model = \"gpt-5\"\nmodel_provider = \"standin\"\ncheck_for_update_on_startup = false\n[analytics]\nenabled = false\n" +
				"[model_providers.standin]\nname = \"standin\"\nbase_url = \"@MODEL@/v1\"\nenv_key = \"STANDIN_KEY\"\nwire_api = \"responses\"\n"},
		},
		"gemini-cli": {
			program: "gemini", args: []string{"--yolo", "--skip-trust", "--model", "gemini-2.5-flash", "-p", prompt},
			env:   []string{"GOOGLE_GEMINI_BASE_URL=@MODEL@", "GEMINI_API_KEY=invented"},
			files: map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false},"general":{"enableAutoUpdate":false}}`},
		},
		"copilot-cli": {
			program: "copilot", args: []string{"--allow-all-tools", "--no-auto-update", "-p", prompt},
			env: []string{
				"COPILOT_PROVIDER_BASE_URL=@MODEL@/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_API_KEY=invented", "COPILOT_MODEL=stand-in",
				"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false",
			},
		},
		"cline": {
			program: "cline", args: []string{"--auto-approve", "true", prompt},
			files: map[string]string{".cline/data/settings/providers.json": `{"version":1,"lastUsedProvider":"openai-compatible","modes":{},"providers":{"openai-compatible":{"settings":` +
				`{"provider":"openai-compatible","apiKey":"invented","model":"stand-in","baseUrl":"@MODEL@/v1"},"updatedAt":"2026-01-01T00:00:00.000Z","tokenSource":"manual"}}}`},
		},
		"opencode": {
			program: "opencode", args: []string{"run", "--model", "stand-in/stand-in", prompt},
			env: []string{
				"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
				// It gets a package for its plugins first, and tries that for more than a minute.
				"NPM_CONFIG_FETCH_RETRIES=0",
			},
			files: map[string]string{".config/opencode/opencode.json": `{"$schema":"https://opencode.ai/config.json","autoupdate":false,"share":"disabled",` +
				`"provider":{"stand-in":{"npm":"@ai-sdk/openai-compatible","name":"stand-in","options":{"baseURL":"@MODEL@/v1","apiKey":"invented"},"models":{"stand-in":{"name":"stand-in","tool_call":true}}}}}`},
		},
	}
}

// Whether a command ran is seen by what it leaves.
const (
	allowed = "mkdir made"
	asked   = "frobnicate made" // a program that nobody knows
	refused = "git push --force origin HEAD:made"
)

// Faults of one agent each: OpenCode's plugin is none, nobody has told Codex to trust the
// hook, and Cline has no hook any more.
const (
	unloaded   = "the plugin cannot be loaded"
	untrusted  = "the hook is not trusted (/hooks), or changed since"
	scriptGone = "the script is gone"
)

// inPlace are programs that stand in heed's place.
func inPlace() map[string]string {
	return map[string]string{
		agent.Killed:  "#!/bin/sh\nkill -9 $$\n",
		agent.TooSlow: "#!/bin/sh\nexec sleep 150\n",
		agent.Garbled: "#!/bin/sh\necho '{garbage'\n",
	}
}

const sightsFile = "seen.txt"

// TestLive runs the agents whose programs lie in the directories that HEED_AGENTS names,
// with the hooks that heed, the program that HEED names, installs for them, in homes of
// their own: what they do with a command that heed allows, asks about or refuses, and
// with one that it would refuse where it cannot answer. With -update it is written down.
//
//	HEED=$PWD/bin/heed HEED_AGENTS=/tmp/npm/bin go test ./internal/agent/agenttest -run Live -update
func TestLive(t *testing.T) {
	dirs, heed := os.Getenv("HEED_AGENTS"), os.Getenv("HEED")
	if dirs == "" || heed == "" {
		t.Skip("HEED_AGENTS and HEED are not set")
	}
	sights := Seen(t)
	if *update { // what an earlier run has seen since this was built
		text, err := os.ReadFile(sightsFile)
		if err != nil {
			t.Fatal(err)
		}
		sights = parse(t, string(text))
	}
	for name, h := range harnesses() {
		t.Run(name, func(t *testing.T) {
			program, version := "", ""
			for _, dir := range filepath.SplitList(dirs) {
				if file := filepath.Join(dir, h.program); syscall.Access(file, 1) == nil {
					program = file
				}
			}
			if program == "" {
				t.Skipf("%s is not in %s", h.program, dirs)
			}
			cases := []struct{ what, command string }{
				{Allowed, allowed},
				{Asked, asked},
				{Refused, refused},
				{agent.Killed, refused},
				{agent.Missing, refused},
				{agent.TooSlow, refused},
				{agent.Garbled, refused},
			}
			switch name {
			case "opencode":
				cases = append(cases, struct{ what, command string }{unloaded, refused})
			case "codex":
				cases = append(cases, struct{ what, command string }{untrusted, refused})
			case "cline":
				cases = append(cases, struct{ what, command string }{scriptGone, refused})
			}
			for _, c := range cases {
				t.Run(c.what, func(t *testing.T) {
					r := &room{t: t, name: name, harness: h, program: program, heed: heed, dirs: dirs, version: version}
					fate := r.run(c.what, c.command)
					version = r.version
					if want := expected(name, c.what); want != fate {
						t.Errorf("it %s, and the list says that it %s", fate, want)
					}
					if *update {
						sights = note(sights, Sight{name, r.version, time.Now().Format(time.DateOnly), c.what, fate, ""})
						r.must(os.WriteFile(sightsFile, []byte(Format(sights)), 0o644))
					}
				})
			}
		})
	}
}

// TestLiveTools runs the agents with a tool that writes a start-up file, one that shows a
// secret, and with the same tools on files of the project, as [TestLive] does.
func TestLiveTools(t *testing.T) {
	dirs, heed := os.Getenv("HEED_AGENTS"), os.Getenv("HEED")
	if dirs == "" || heed == "" {
		t.Skip("HEED_AGENTS and HEED are not set")
	}
	const secret = "little-known-to-nobody"
	write, read := []string{"Write", "write_file"}, []string{"Read", "read_file"}
	for _, name := range []string{agent.ClaudeCode, "qwen-code"} {
		for what, c := range map[string]struct {
			call  call
			stops bool
		}{
			"writes a start-up file":     {call{write, map[string]string{"file_path": "@HOME@/.bashrc", "content": "x\n"}}, true},
			"writes a file":              {call{write, map[string]string{"file_path": "@WORK@/made", "content": "x\n"}}, false},
			"shows a secret":             {call{read, map[string]string{"file_path": "@HOME@/.aws/credentials"}}, true},
			"shows a file of no secrets": {call{read, map[string]string{"file_path": "@HOME@/notes.txt"}}, false},
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				h, program := harnesses()[name], ""
				for _, dir := range filepath.SplitList(dirs) {
					if file := filepath.Join(dir, h.program); syscall.Access(file, 1) == nil {
						program = file
					}
				}
				if program == "" {
					t.Skipf("%s is not in %s", h.program, dirs)
				}
				h.files[".aws/credentials"] = "[default]\naws_secret_access_key = " + secret + "\n"
				h.files["notes.txt"] = "the word is " + secret + "\n"
				r := &room{t: t, name: name, harness: h, program: program, heed: heed, dirs: dirs, call: &c.call}
				fate := r.run(Allowed, "")
				_, err := os.Stat(filepath.Join(r.home, ".bashrc"))
				if did := fate == agent.Runs || err == nil || strings.Contains(r.told, secret); did == c.stops {
					t.Errorf("done: %v; told: %s", did, r.told)
				}
				if c.stops && !strings.Contains(r.told, "heed approve") {
					t.Errorf("the way on is not told: %s", r.told)
				}
			})
		}
	}
}

// expected is what should become of the command of a case.
func expected(name, what string) agent.Fate {
	switch what {
	case Allowed:
		return agent.Runs
	case Asked, Refused:
		return agent.Stops
	}
	for _, f := range agent.Failures(name) {
		if f.Fault == what {
			return f.Fate
		}
	}
	return agent.Unknown
}

// note puts a sight in the place of an older one of the same case, or at the end of its
// agent's. What was said of it stays.
func note(all []Sight, s Sight) []Sight {
	last := len(all)
	for i := range all {
		switch {
		case all[i].Agent != s.Agent:
		case all[i].Case == s.Case && all[i].Version == s.Version:
			s.Note = all[i].Note
			all[i] = s
			return all
		default:
			last = i + 1
		}
	}
	return slices.Insert(all, last, s)
}

// A room is a home directory, a repository with a remote, and heed.
type room struct {
	harness
	t                   *testing.T
	name, program, heed string
	dirs, version       string
	home, work, remote  string
	env                 []string
	call                *call  // in the shell's place
	told                string // what the agent told its model of the call
}

// run runs the agent, and says what became of the command.
func (r *room) run(what, command string) agent.Fate {
	t, model := r.t, &Model{Command: command, Call: r.call}
	server := httptest.NewServer(model)
	defer server.Close()
	top := t.TempDir()
	r.home, r.work, r.remote = filepath.Join(top, "home"), filepath.Join(top, "work"), filepath.Join(top, "remote.git")
	bin := filepath.Join(r.home, "bin")
	for _, dir := range []string{bin, r.work} {
		r.must(os.MkdirAll(dir, 0o755))
	}
	r.must(copyFile(filepath.Join(bin, "heed"), r.heed))
	r.must(copyFile(filepath.Join(bin, "frobnicate"), "/bin/touch"))
	for name, text := range r.files {
		file := filepath.Join(r.home, name)
		r.must(os.MkdirAll(filepath.Dir(file), 0o755))
		r.must(os.WriteFile(file, []byte(strings.ReplaceAll(text, "@MODEL@", server.URL)), 0o600))
	}
	if r.call != nil {
		for name, value := range r.call.input {
			r.call.input[name] = strings.NewReplacer("@HOME@", r.home, "@WORK@", r.work).Replace(value)
		}
	}
	r.env = []string{
		"HOME=" + r.home, "USER=u", "PATH=" + r.dirs + ":" + bin + ":/usr/local/bin:/usr/bin:/bin", "SHELL=/bin/bash", "LANG=C.UTF-8", "TERM=dumb",
		// Nothing but the model is reached, and nobody waits for a name server.
		"HTTPS_PROXY=http://127.0.0.1:9", "HTTP_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost",
		"GIT_AUTHOR_NAME=u", "GIT_AUTHOR_EMAIL=u@localhost", "GIT_COMMITTER_NAME=u", "GIT_COMMITTER_EMAIL=u@localhost",
	}
	for _, v := range r.harness.env {
		r.env = append(r.env, strings.ReplaceAll(v, "@MODEL@", server.URL))
	}
	r.tool("git", "init", "-q", "--bare", r.remote)
	r.tool("git", "init", "-q")
	r.tool("git", "commit", "-q", "--allow-empty", "-m", "first")
	r.tool("git", "remote", "add", "origin", r.remote)
	r.tool(filepath.Join(bin, "heed"), "install", r.name, "--yes")
	r.replace(what, filepath.Join(bin, "heed"))
	if r.version == "" { // some take half a minute to say it
		r.version = regexp.MustCompile(`\d+\.\d+\.\d+`).FindString(r.tool(r.program, "--version"))
	}

	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute) // Cline waits for a hook for two, whatever is set
	defer cancel()
	defer r.sweep()
	c := exec.CommandContext(ctx, r.program, r.args...)
	var out bytes.Buffer
	c.Dir, c.Env, c.Stdout, c.Stderr, c.WaitDelay = r.work, r.env, &out, &out, time.Second
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	begin := time.Now()
	err := c.Run()
	t.Logf("%s, %s: %v\n%s\nmodel: %v\ntold: %v", command, time.Since(begin).Round(time.Millisecond), err, out.Bytes(), model.Asked(), model.Told())
	r.told = strings.Join(model.Told(), "\n")
	switch {
	case ctx.Err() != nil:
		t.Fatal("it does not end")
	case len(model.Told()) == 0 && r.name != "cline" && r.ran():
		t.Fatal("it ran, and the model was not told")
	case len(model.Asked()) == 0:
		t.Fatal("it did not ask its model")
	}
	if r.ran() {
		return agent.Runs
	}
	return agent.Stops
}

// sweep ends what an agent has left behind, such as Cline's hub: all of this home.
func (r *room) sweep() {
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	r.must(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || !slices.Contains(strings.Split(string(text), "\x00"), "HOME="+r.home) {
			continue // it has ended, or is another's
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
	}
}

// ran reports whether the command has left something.
func (r *room) ran() bool {
	_, err := os.Stat(filepath.Join(r.work, "made"))
	return err == nil || strings.Contains(r.tool("git", "-C", r.remote, "branch", "--list", "made"), "made")
}

// replace puts another program in heed's place, or none, and shortens how long the agent
// waits where it is slow.
func (r *room) replace(what, heed string) {
	switch what {
	case unloaded:
		r.must(os.WriteFile(filepath.Join(r.home, ".config/opencode/plugin/heed.js"), []byte("export const Heed = async () => {"), 0o600))
	case untrusted:
		r.args = slices.DeleteFunc(r.args, func(arg string) bool { return arg == trustsHooks })
	case scriptGone:
		r.must(os.Remove(filepath.Join(r.home, ".cline/hooks/PreToolUse")))
	}
	text, other := inPlace()[what]
	if !other && what != agent.Missing {
		return
	}
	r.must(os.Remove(heed))
	if what != agent.Missing {
		r.must(os.WriteFile(heed, []byte(text), 0o755))
	}
	if what != agent.TooSlow || r.name == "cline" { // whose limit stands in no file
		return
	}
	targets, err := agent.Named(r.name).Install.Targets(&agent.Where{Dir: r.work, Getenv: func(name string) string {
		return map[string]string{"HOME": r.home}[name]
	}}, agent.User)
	r.must(err)
	for i := range targets {
		text, err := os.ReadFile(targets[i].File)
		r.must(err)
		short := regexp.MustCompile(`("timeout(?:Sec)?": *|LIMIT = )120(000)?\b`).ReplaceAll(text, []byte("${1}3$2"))
		if bytes.Equal(short, text) {
			r.t.Fatalf("%s has no limit: %s", targets[i].File, text)
		}
		r.must(os.WriteFile(targets[i].File, short, 0o600))
	}
}

// tool runs a program that has to succeed.
func (r *room) tool(name string, args ...string) string {
	r.t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Env = r.work, r.env
	out, err := c.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func (r *room) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Close()
}
