package agent_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/policy"
)

// entryLine finds what the first entry of a file of settings, which is the one before a
// tool is used, has a shell run.
var entryLine = regexp.MustCompile(`"(?:command|bash)": "((?:[^"\\]|\\.)*)"`)

// called runs what an agent's settings call before a command, as the agent would.
func called(t *testing.T, a *agent.Adapter, text []byte, heed string) agent.Output {
	t.Helper()
	words := []string{heed, "hook", a.Name}
	switch m := entryLine.FindSubmatch(text); {
	case bytes.HasPrefix(text, []byte("#!")):
		script := filepath.Join(t.TempDir(), "hook")
		if err := os.WriteFile(script, text, 0o700); err != nil {
			t.Fatal(err)
		}
		words = []string{"/bin/sh", script}
	case m != nil && strings.Contains(string(m[1]), " hook "):
		words = []string{"/bin/sh", "-c", string(m[1])}
	}
	c := exec.Command(words[0], words[1:]...)
	payload, env := a.Probe("rm -rf /", "/")
	var out, errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr, c.Env = bytes.NewReader(payload), &out, &errs, append(os.Environ(), env...)
	err := c.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) { // an agent starts it without a shell
		return agent.Output{Code: 127, Stderr: err.Error()}
	}
	return agent.Output{Stdout: out.Bytes(), Stderr: errs.String(), Code: c.ProcessState.ExitCode()}
}

// TestInstalledWithoutHeed runs what each agent's settings call where heed is killed, gets
// no memory, or is missing. What heed puts there refuses, in the agent's words, wherever
// the account of it says so; elsewhere it is a failure that the agent can see, and is told
// to take for a refusal where it can be told.
func TestInstalledWithoutHeed(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	faults := map[string]string{agent.Missing: "", agent.Killed: "kill -9 $$", "heed gets no memory": "ulimit -v 65536; exec '" + me + "' -test.run='^$'"}
	for name, body := range faults {
		program := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		faults[name] = program
		if body == "" {
			continue
		}
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	told := []string{`"onFailure": "block"`, `"failClosed": true`, `"on_failure": "block"`}
	for _, name := range agent.Names() {
		a := agent.Named(name)
		scope := agent.User
		if name == "devin-cli" {
			scope = agent.Project
		}
		target := targets(a, scope)[0]
		if name == "opencode" {
			continue // its plugin is JavaScript, and throws: TestPlugin
		}
		for fault, program := range faults {
			text, err := target.Add(nil, program)
			if err != nil {
				t.Fatal(err)
			}
			out := called(t, a, text, program)
			heard, err := a.Heard(out)
			refused := err == nil && heard.Decision == policy.Deny
			cell := agent.Failure{Fate: agent.Unknown}
			if at := slices.IndexFunc(agent.Failures(name), func(f agent.Failure) bool { return f.Fault == fault }); at >= 0 {
				cell = agent.Failures(name)[at]
			}
			says := fmt.Sprintf("%s, %s: it hears %s, %v of code %d %q; the list says: %s", name, fault, heard.Decision, err, out.Code, out.Stdout, cell.Fate)
			switch {
			case cell.Ours() && !refused:
				t.Error(says)
			case refused && cell.Fate == agent.Runs:
				t.Error(says)
			case !refused && (out.Code == 0 || len(out.Stdout) > 0):
				t.Error(says + ": nothing tells the agent that it failed")
			case !refused && cell.Fate == agent.Stops && !slices.ContainsFunc(told, func(s string) bool { return bytes.Contains(text, []byte(s)) }):
				t.Error(says + ": nothing tells the agent to stop")
			}
		}
	}
}
