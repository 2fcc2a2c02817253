package doctor

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/self"
)

const installAgain = "heed install " + agent.ClaudeCode

// claude checks the settings of Claude Code: is the hook there, whole, not
// switched off, and can others undo its answers? asking are the other agents that ask
// heed.
func (d *doctor) claude(ctx context.Context, own string, asking []string) {
	sources := d.sources()
	d.switches(sources)
	netted := d.nets(sources, own)
	found := 0
	for i := range sources {
		for j := range sources[i].Hooks {
			h := &sources[i].Hooks[j]
			if words := h.Runs(); h.Event == "PreToolUse" && words != nil {
				found++
				d.own(ctx, &sources[i], h, words, own)
			}
		}
	}
	if found == 0 && len(asking) > 0 {
		d.missing(agent.Named(agent.ClaudeCode))
		return
	}
	if found == 0 {
		d.problem("hook", installAgain, "Claude Code does not ask heed: no settings file that counts here has the hook")
		return
	}
	for _, name := range asking {
		if slices.Contains([]string{"copilot-cli", "vscode", "cursor", "devin-cli"}, name) {
			d.note("hook", "%s may read Claude Code's settings too and then asks heed twice; a yes counts once: if what was approved is refused again, take heed out of one of them", agent.Named(name).Title)
		}
	}
	d.others(sources)
	d.without(agent.Named(agent.ClaudeCode))
	if !netted {
		d.net(agent.Named(agent.ClaudeCode))
	}
}

// nets checks the second nets that settings name, and reports whether there is one.
func (d *doctor) nets(sources []source, own string) (there bool) {
	for i := range sources {
		src := &sources[i]
		if src.Net == "" {
			continue
		}
		there = true
		if err := self.Executable(src.Net); err != nil {
			again := "ln -s heed-sh " + src.Net + ", or take it out: " + installAgain + " --uninstall"
			d.problem("net", again, "%s: the second net %s cannot be started, and no command can: %v", src.file, src.Net, err)
			continue
		}
		if own == "" || !self.Same(src.Net, filepath.Join(filepath.Dir(own), agent.NetName)) {
			d.note("net", "%s: %s is not the second net beside this heed; it is not run here", src.file, src.Net)
			continue
		}
		d.ok("net", "%s: %s stands between Claude Code and its shell", src.file, src.Net)
	}
	return there
}

// switches looks for settings that switch hooks off.
func (d *doctor) switches(sources []source) {
	managedOnly := false
	for i := range sources {
		src := &sources[i]
		if src.DisableAllHooks {
			d.problem("switched", "remove disableAllHooks from that file", "%s has disableAllHooks: no hook runs", src.file)
		}
		if src.kind == "managed" && src.ManagedOnly {
			managedOnly = true
		}
	}
	if !managedOnly {
		return
	}
	for i := range sources {
		for j := range sources[i].Hooks {
			if sources[i].kind == "managed" && sources[i].Hooks[j].Runs() != nil {
				return
			}
		}
	}
	d.problem("switched", "ask the administrator to put heed's hook into the managed settings (docs/agents.md)",
		"the administrator allows managed hooks only, and heed's is not among them")
}

// own checks one hook that calls heed.
func (d *doctor) own(ctx context.Context, src *source, h *agent.Hook, words []string, own string) {
	name := "hook"
	program := words[0]
	if len(words) != 3 {
		d.note(name, "%s: heed is called through %s; that is not looked into", src.file, words[0])
		return
	}
	if !filepath.IsAbs(program) {
		if len(h.Args) > 0 || self.OnPath(d.getenv("PATH"), program) == "" {
			d.problem(name, installAgain, "%s: %s is no absolute path", src.file, program)
			return
		}
		d.note(name, "%s: %s is looked up on PATH, which an agent may change", src.file, program)
		program = self.OnPath(d.getenv("PATH"), program)
	}
	if err := self.Executable(program); err != nil {
		d.problem(name, installAgain+", or put heed back there", "%s: %s cannot be started: %v", src.file, program, err)
		return
	}
	whole := d.whole(src, h)
	if own == "" || !self.Same(program, own) {
		d.note(name, "%s: it is another program than this one: %s", src.file, program)
		if !src.trusted() {
			d.problem(name, installAgain+" --"+src.kind, "%s: %s comes with the project and is not this heed; it is not run here", src.file, program)
			return
		}
	} else if whole {
		d.ok(name, "%s: runs this program before %s", src.file, strings.Join(shellTools(), ", "))
	}
	d.try(ctx, agent.Named(agent.ClaudeCode), program)
}

// shellTools are the tools of Claude Code that run commands.
func shellTools() []string { return strings.Split(agent.Matcher, "|") }

// whole checks that a hook is called for every command, waited for, and that
// its failure counts.
func (d *doctor) whole(src *source, h *agent.Hook) bool {
	before := len(d.checks)
	for _, tool := range shellTools() {
		if hit, known := matches(h.Matcher, tool); !known {
			d.note("matcher", "%s: heed cannot tell what the pattern %q matches", src.file, h.Matcher)
			break
		} else if !hit {
			d.problem("matcher", installAgain, "%s: the matcher %q leaves out %s", src.file, h.Matcher, tool)
		}
	}
	switch {
	case h.Async:
		d.problem("hook", installAgain, "%s: it is async, so nobody waits for its answer", src.file)
	case h.Once:
		d.problem("hook", installAgain, "%s: it has once, so only the first command is judged", src.file)
	case h.If != "":
		d.problem("hook", installAgain, "%s: it runs only if %q", src.file, h.If)
	case h.Timeout != 0 && h.Timeout <= agent.HookLimit:
		d.problem("hook", installAgain, "%s: its timeout of %g s is too short: heed takes up to %s, and after the timeout the command runs", src.file, h.Timeout, agent.HookLimit*time.Second)
	}
	if h.OnFailure != "block" {
		d.note("hook", "%s: without \"onFailure\": \"block\" a command runs when the hook cannot start; %s adds it", src.file, installAgain)
	}
	return len(d.checks) == before
}

// matches reports whether a matcher of Claude Code hits a tool: a list of
// names, or a regular expression that may match anywhere. known is false for
// an expression that Go reads differently. Source:
// https://code.claude.com/docs/en/hooks, "Matcher patterns".
func matches(matcher, tool string) (hit, known bool) {
	if matcher == "" || matcher == "*" {
		return true, true
	}
	plain := func(r rune) bool {
		return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("|, ", r)
	}
	if strings.IndexFunc(matcher, func(r rune) bool { return !plain(r) }) < 0 {
		for _, name := range strings.FieldsFunc(matcher, func(r rune) bool { return strings.ContainsRune("|, ", r) }) {
			if name == tool {
				return true, true
			}
		}
		return false, true
	}
	re, err := regexp.Compile(matcher)
	if err != nil {
		return false, false
	}
	return re.MatchString(tool), true
}

// others looks for hooks that can undo what heed's answers. Across PreToolUse
// hooks deny and ask win over allow, but of PermissionRequest hooks the first
// to answer decides, so that an allow satisfies heed's ask; only its deny is
// final (seen with Claude Code 2.1.329).
func (d *doctor) others(sources []source) {
	plugins, clean := 0, true
	for i := range sources {
		src := &sources[i]
		plugins += src.Plugins
		for j := range src.Hooks {
			h := &src.Hooks[j]
			switch {
			case h.Runs() != nil:
			case h.Event == "PermissionRequest" && anyShell(h.Matcher):
				clean = false
				d.note("others", "%s: a PermissionRequest hook (%s) can answer heed's questions in your place", src.file, what(h))
			case h.Event == "PreToolUse" && anyShell(h.Matcher):
				clean = false
				d.note("others", "%s: another PreToolUse hook (%s) can change a command after heed has read it", src.file, what(h))
			}
		}
	}
	if plugins > 0 {
		clean = false
		d.note("others", "%d plugins are enabled; the hooks that they bring are not looked at", plugins)
	}
	if clean {
		d.ok("others", "no other hook can answer for you or change a command")
	}
}

func anyShell(matcher string) bool {
	for _, tool := range shellTools() {
		if hit, known := matches(matcher, tool); hit || !known {
			return true
		}
	}
	return false
}

// what names a foreign hook.
func what(h *agent.Hook) string {
	if h.Command == "" {
		return "of type " + h.Type
	}
	return h.Command
}
