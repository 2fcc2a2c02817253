package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/install"
	"github.com/heedsh/heed/internal/self"
)

// agents checks the agents beside Claude Code, whose settings are read in more depth:
// is the hook there, may it run, does it answer, who else answers, and what does the
// agent do without an answer? It returns which ask heed.
func (d *doctor) agents(ctx context.Context, own string) (asking []string) {
	w := &agent.Where{Getenv: d.getenv, Dir: d.Dir, Root: d.Root}
	for _, name := range agent.Names() {
		a := agent.Named(name)
		if name == agent.ClaudeCode {
			continue
		}
		hooked := false
		for _, scope := range agent.Scopes() {
			targets, err := a.Install.Targets(w, scope)
			if err != nil {
				continue // it has no such settings
			}
			for i := range targets {
				hooked = d.target(ctx, a, scope, &targets[i], own, i == 0) || hooked
			}
		}
		if !hooked {
			d.missing(a)
			continue
		}
		asking = append(asking, name)
		d.without(a)
		d.net(a)
	}
	return asking
}

// missing tells of an agent that is here and does not ask heed.
func (d *doctor) missing(a *agent.Adapter) {
	w := &agent.Where{Getenv: d.getenv, Dir: d.Dir}
	if found := a.Install.Found(w, func(p string) string { return self.OnPath(d.getenv("PATH"), p) }, self.IsDir); found != "" {
		d.note(a.Name, "%s is here (%s) and does not ask heed: heed install %s", a.Title, found, a.Name)
	}
}

// target checks one file that the hook of an agent may be in, and reports whether it is
// there.
func (d *doctor) target(ctx context.Context, a *agent.Adapter, scope agent.Scope, t *agent.Target, own string, first bool) bool {
	text, err := os.ReadFile(t.File)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if i, statErr := os.Stat(t.File); err == nil && statErr == nil && i.Size() > install.MaxSize {
		err = errors.New("it is too large for settings")
	}
	if err != nil {
		d.problem(a.Name, "correct the file", "%s: %v", t.File, err)
		return false
	}
	again := "heed install " + a.Name
	if scope != agent.User {
		again += " --" + scope.String()
	}
	program := t.Program(text)
	if program == "" {
		return false
	}
	if !first {
		return true // it belongs to one that was tried
	}
	if err := self.Executable(program); err != nil {
		d.problem(a.Name, again+", or put heed back there", "%s: %s cannot be started: %v", t.File, program, err)
		return true
	}
	d.switched(a, t, text)
	if now, err := t.Add(text, program); err != nil || !bytes.Equal(now, text) {
		d.problem(a.Name, again, "%s: the hook is not as heed writes it: tools may be left out", t.File)
	} else {
		d.ok(a.Name, "%s (%s): %s asks %s", t.File, scope, a.Title, program)
	}
	d.foreign(a, t, text)
	if own == "" || !self.Same(program, own) {
		d.note(a.Name, "%s: it is another program than this one: %s", t.File, program)
		if scope == agent.Project || scope == agent.Local {
			d.problem(a.Name, again, "%s: %s comes with the project and is not this heed; it is not run here", t.File, program)
			return true
		}
	}
	d.try(ctx, a, program)
	return true
}

// without tells in which cases the agent lets commands pass, whatever heed does.
func (d *doctor) without(a *agent.Adapter) {
	for _, f := range agent.FailsOpen(a.Name) {
		what := "lets the command run"
		if f.Fate == agent.Unknown {
			what = "may let the command run: it is not known"
		}
		if f.Note != "" {
			what += " (" + f.Note + ")"
		}
		d.note(a.Name, "%s: %s %s", f.Fault, a.Title, what)
	}
}

// net tells of the second net, where an agent lets commands pass and can have one.
func (d *doctor) net(a *agent.Adapter) {
	how := agent.SecondNet(a.Name)
	switch {
	case how == "" || len(agent.FailsOpen(a.Name)) == 0:
	case agent.IsNet(d.getenv):
		d.ok(a.Name, "a second net is set up here: what is REVIEW does not run unasked then either")
	default:
		d.note(a.Name, "a second net stops REVIEW then (heed init bash-env, docs/shells.md): %s", how)
	}
}

// switched looks for what keeps a hook from running: a word that switches hooks off, and
// the trust that Codex wants.
func (d *doctor) switched(a *agent.Adapter, t *agent.Target, text []byte) {
	dir := filepath.Dir(t.File)
	for _, file := range []string{t.File, filepath.Join(dir, "settings.json"), filepath.Join(dir, "config.toml"), filepath.Join(filepath.Dir(dir), "settings.json")} {
		in := text
		if file != t.File {
			var err error
			if in, err = os.ReadFile(file); err != nil || len(in) > install.MaxSize {
				continue
			}
		}
		if off := switchedOff().FindString(string(in)); off != "" {
			d.problem(a.Name, "remove it there", "%s has %s: hooks do not run", file, strings.TrimSpace(off))
		}
	}
	if a.Name == "codex" {
		d.trust(t.File, filepath.Join(dir, "config.toml"))
	}
}

// switchedOff is what switches hooks off, in JSON and in Codex's TOML.
func switchedOff() *regexp.Regexp {
	return regexp.MustCompile(`(?m)"disableAllHooks"\s*:\s*true|"hooksConfig"\s*:\s*\{\s*"enabled"\s*:\s*false|^\s*(codex_)?hooks\s*=\s*false|^\s*allow_managed_hooks_only\s*=\s*true`)
}

// trust looks whether Codex runs the hooks of a file: it keeps the state of each, by the
// file, the event and the places, and skips what is not trusted.
func (d *doctor) trust(hooks, config string) {
	text, err := os.ReadFile(config)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.note("codex", "%s: %v", config, err)
		return
	}
	state := `"` + hooks + `:pre_tool_use:`
	at := strings.Index(string(text), state)
	if at < 0 || !strings.Contains(strings.SplitN(string(text[at:])+"\n[", "\n[", 2)[0], "trusted_hash") {
		d.problem("codex", "start codex, type /hooks, and trust heed's hooks", "Codex skips the hooks of %s without a word: they are not trusted", hooks)
		return
	}
	d.ok("codex", "the hooks of %s were trusted; Codex asks again when they change", hooks)
}

// foreign lists hooks of others in a file of settings that could out-vote heed's or
// change a command behind its back.
func (d *doctor) foreign(a *agent.Adapter, t *agent.Target, text []byte) {
	rest, err := t.Remove(text)
	if err != nil {
		return
	}
	var top map[string]json.RawMessage
	if json.Unmarshal(rest, &top) != nil {
		return // a file of heed's own, or with comments
	}
	lists := top
	if hooks, ok := top["hooks"]; ok {
		var inner map[string]json.RawMessage
		if json.Unmarshal(hooks, &inner) == nil {
			lists = inner
		}
	}
	for _, event := range slices.Sorted(maps.Keys(lists)) {
		low := strings.ToLower(event)
		if !strings.Contains(low, "permission") && !strings.HasPrefix(low, "pre") && !strings.HasPrefix(low, "before") {
			continue
		}
		var list []json.RawMessage
		if json.Unmarshal(lists[event], &list) == nil && len(list) > 0 {
			d.note(a.Name, "%s: %d hooks or rules of others at %s can change a command after heed has read it, or answer in your place", t.File, len(list), event)
		}
	}
}
