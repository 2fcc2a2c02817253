package system

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// sudo takes NAME=VALUE words before the command as its environment, and
// starts a shell where -i or -s is given no command (sudo(8)).
func sudo(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if files := m.Values("file"); m.Has("edit") || s.Name == "sudoedit" {
		r.Runs = nil
		for _, v := range append(files, m.Values("command")...) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: v, Arg: "file", Kind: risk.KindEdit})
		}
		return
	}
	for i := range r.Runs {
		run := &r.Runs[i]
		words := len(run.Argv)
		TakeAssignments(run)
		// Its options go on behind assignments, and so they can end there (parse_args.c).
		if len(run.Argv) < words && len(run.Argv) > 1 && s.Name != "doas" && site.IsLiteral(run.Argv[0], "--") {
			run.Argv = run.Argv[1:]
		}
	}
	if m.Has("login") && len(m.Values("command")) == 0 && !m.Has("list") {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, Wrap: catalog.Wrapped{Label: "sudo", Privileged: true}})
	}
	if user, ok := m.Value("user"); ok {
		runAs(r, "sudo", user)
	}
}

// runAs names in the label of what a program runs the user whose rights it has then, where
// that is known.
func runAs(r *catalog.Result, program string, user value.Value) {
	name, known := user.Known()
	if !known || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") != "" {
		return
	}
	for i := range r.Runs {
		r.Runs[i].Wrap.Label = program + " " + name
	}
}

// TakeAssignments moves leading NAME=VALUE words of a command line into the
// variables that are set for it.
func TakeAssignments(run *catalog.Run) {
	for len(run.Argv) > 0 {
		name, _, ok := strings.Cut(run.Argv[0].Prefix(), "=")
		if !ok || name == "" || strings.ContainsAny(name, "/-. ") {
			return
		}
		run.Setup = append(run.Setup, catalog.Assignment{Name: name, Value: run.Argv[0].Cut(len(name) + 1)})
		run.Argv = run.Argv[1:]
	}
}

// su runs -c in a shell of another user, or starts that shell (su(1)). What
// stands behind the user is given to the shell as it is.
func su(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	wrap := catalog.Wrapped{Label: s.Name, Privileged: true}
	for i := range r.Runs {
		if r.Runs[i].Wrap.None() {
			r.Runs[i].Wrap = wrap
		}
	}
	words := m.Values("word")
	if len(words) > 0 && site.IsLiteral(words[0], "-") {
		words = words[1:]
	}
	user := value.Lit("root")
	defer func() { runAs(r, s.Name, user) }()
	if s.Name == "runuser" && m.Has("user") {
		user, _ = m.Value("user")
		if len(words) > 0 {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunArgv, Argv: words, Wrap: wrap})
			return
		}
	} else if len(words) > 0 {
		user, words = words[0], words[1:]
		m.Bind("user", user)
	}
	if m.Has("text") {
		return
	}
	if len(words) > 0 { // su USER -- SHELL-ARGUMENTS
		argv := append([]value.Value{value.Lit("sh")}, words...)
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunArgv, Argv: argv, Wrap: wrap})
		return
	}
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, Wrap: wrap})
}

// sg runs a command with another group, given with -c or as one word; without
// one, and for newgrp always, it starts a shell (sg(1), newgrp(1)).
func sg(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	if len(words) > 0 && site.IsLiteral(words[0], "-") {
		words = words[1:]
	}
	words = words[min(1, len(words)):]
	if len(words) > 1 && site.IsLiteral(words[0], "-c") {
		words = words[1:]
	}
	if len(words) == 0 || s.Name == "newgrp" {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive})
		return
	}
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: words[0]})
}

// orShell starts a shell where a wrapper is given no command.
func orShell(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(r.Runs) > 0 || m.Has("no-shell") {
		return
	}
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, Wrap: catalog.Wrapped{
		Label: s.Name, Privileged: m.Node().Wrap.Privileged,
	}})
}

// nsenter enters the namespaces of a process, or those that files stand for. Without
// either it runs its command as it is started itself (nsenter(1)).
func nsenter(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	orShell(m, s, r)
	if m.MayHave("target") || len(m.Unknown) > 0 || slices.ContainsFunc([]string{"-S", "-G", "-N", "-W"}, m.Given) || slices.ContainsFunc(s.Args, namesNamespace) {
		return
	}
	for i := range r.Runs {
		r.Runs[i].Wrap.Privileged = false
	}
}

// namesNamespace reports whether a word of nsenter may be an option with a file in it.
func namesNamespace(v value.Value) bool {
	text, known := v.Known()
	return !known || strings.HasPrefix(text, "-") && strings.ContainsAny(text, "=/")
}

// capsh gives everything behind "--" or "==" to a shell (capsh(1)).
func capsh(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	shell, ok := m.Value("shell")
	if !ok {
		shell = value.Lit("/bin/bash")
	}
	for i, a := range s.Args {
		if site.IsLiteral(a, "--") || site.IsLiteral(a, "==") {
			argv := append([]value.Value{shell}, s.Args[i+1:]...)
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunArgv, Argv: argv})
			return
		}
	}
}

// bwrapArity is how many words follow an option of bwrap (bwrap(1) 0.9).
func bwrapArity(name string) int {
	switch name {
	case "--help", "--version", "--unshare-all", "--share-net", "--unshare-user", "--unshare-user-try", "--unshare-ipc", "--unshare-pid",
		"--unshare-net", "--unshare-uts", "--unshare-cgroup", "--unshare-cgroup-try", "--clearenv", "--new-session", "--die-with-parent",
		"--as-pid-1", "--disable-userns", "--assert-userns-disabled":
		return 0
	case "--bind", "--bind-try", "--dev-bind", "--dev-bind-try", "--ro-bind", "--ro-bind-try", "--symlink", "--setenv", "--file",
		"--bind-data", "--ro-bind-data", "--chmod", "--bind-fd", "--ro-bind-fd":
		return 2
	case "--overlay":
		return 3
	}
	return 1
}

// bwrap skips the options, several of which take two words.
func bwrap(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	args := s.Args
	for len(args) > 0 {
		name := args[0].Prefix()
		if !strings.HasPrefix(name, "-") {
			break
		}
		args = args[1:]
		if name == "--" {
			break
		}
		args = args[min(bwrapArity(name), len(args)):]
	}
	if len(args) > 0 {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunArgv, Argv: args})
	}
}
