package engine

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// credentialWords are what people search for who look for credentials
// (ATT&CK T1552.001, Unsecured Credentials: Credentials In Files).
var credentialWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)passw(or)?d|\bpwd\b|secret|token|api.?key|credential|passphrase|private.?key|access.?key|BEGIN.*PRIVATE`)
})

// searchers are the programs that print the lines that a pattern matches.
var searchers = []string{"grep", "rg", "ag", "ack"}

// hunt tells of a search for credentials: through directories outside the
// workspace, or through the environment. No single file that it reads needs to
// be a known secret.
func (m *machine) hunt(st *shell.State, inv *shell.Invocation, r *catalog.Result, before int) {
	if r.Match == nil || !slices.Contains(searchers, r.Match.Program.Names[0]) || r.Match.Help {
		return
	}
	wanted := slices.ContainsFunc(append(r.Match.Values("pattern"), r.Match.Values("expression")...), func(v value.Value) bool {
		text, ok := v.Known()
		return ok && credentialWords().MatchString(text)
	})
	if !wanted {
		return
	}
	if r.ShowsStdin && inv.HasStdin && isEnvironment(inv.Stdin) {
		m.effect(st, inv.Span, risk.Effect{Verb: risk.SecretRead, Source: risk.FromEnvironment(), Kind: risk.KindSearch, Program: r.Match.Program.Names[0]})
		return
	}
	for i := before; i < len(m.trace.Effects); i++ {
		e := &m.trace.Effects[i]
		outside := e.Scope == risk.InSystem || e.Scope == risk.InOtherHome || e.Scope == risk.InHome && m.space.OwnHome(e.Target)
		if e.Verb == risk.FSRead && e.Recursive && outside && !public(e.Target) {
			m.effect(st, inv.Span, risk.Effect{Verb: risk.SecretRead, Source: risk.From(e.Target), Kind: risk.KindSearch, Program: r.Match.Program.Names[0]})
		}
	}
}

// nameOptions are those of find whose value is a name to look for (find(1)).
var nameOptions = []string{"-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"}

// huntNames tells of a search for files of credentials by their names, outside
// the workspace (ATT&CK T1552.001 and T1552.004): what is found is read next.
func (m *machine) huntNames(st *shell.State, inv *shell.Invocation, r *catalog.Result, p program, before int) {
	var names []string
	for i, w := range inv.Argv[1:] {
		text, known := w.Value.Known()
		if known && (p.name == "locate" && !strings.HasPrefix(text, "-") || slices.Contains(nameOptions, inv.Argv[i].Value.String())) {
			names = append(names, text)
		}
	}
	i := slices.IndexFunc(names, m.credentialFile)
	if i < 0 || r.Match == nil || r.Match.Help {
		return
	}
	e := risk.Effect{Verb: risk.FSRead, Kind: risk.KindCredentialSearch, Named: names[i], Program: p.name, Target: "/", Scope: risk.InSystem}
	if p.name == "locate" {
		m.effect(st, inv.Span, e)
		return
	}
	for j := before; j < len(m.trace.Effects); j++ {
		x := &m.trace.Effects[j]
		outside := x.Scope == risk.InSystem || x.Scope == risk.InOtherHome || x.Scope == risk.InHome && m.space.OwnHome(x.Target)
		if x.Verb == risk.FSRead && outside && !public(x.Target) {
			e.Target, e.Scope = x.Target, x.Scope
			m.effect(st, inv.Span, e)
			return
		}
	}
}

// credentialFile reports whether a file of that name, or one that matches it
// as a pattern, would hold credentials.
func (m *machine) credentialFile(name string) bool {
	plain := strings.Trim(name, "*?")
	return plain != "" && (m.space.Scope(path.Join("/home/any", plain)) == risk.IsSecret || credentialWords().MatchString(plain) && !strings.Contains(plain, "."))
}

// isEnvironment reports whether text is what env, printenv, set or export
// print.
func isEnvironment(v value.Value) bool {
	for _, h := range v.Holes() {
		word, _, _ := strings.Cut(h.Name, " ")
		if h.Cause == risk.CauseOutput && slices.Contains([]string{"env", "printenv", "set", "export", "declare", "typeset"}, word) {
			return true
		}
	}
	return false
}

// public reports whether a directory holds only what was installed for
// everybody: documentation, sources and headers.
func public(dir string) bool {
	for _, d := range []string{"/usr/share", "/usr/include", "/usr/lib", "/usr/src", "/usr/local/lib", "/usr/local/share", "/usr/local/include", "/proc", "/sys"} {
		if dir == d || strings.HasPrefix(dir, d+"/") {
			return true
		}
	}
	return false
}

// passwordFiles hold the hashes of every account's password (shadow(5),
// opasswd(5), master.passwd(5)).
var passwordFiles = []string{"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/master.passwd", "/etc/security/opasswd"}

// talkers only print or compare the words that they are given.
var talkers = []string{"echo", "printf", "test", "[", "true", ":", "ls", "stat", "find", "git", "grep", "rg", "which", "basename", "dirname", "expr", "logger"}

// passwords tells of a program that is handed a file of password hashes, in
// whatever role: most programs show a line that they cannot use.
func (m *machine) passwords(st *shell.State, inv *shell.Invocation, p program, r *catalog.Result, before int) {
	wraps := func(run catalog.Run) bool { return run.Kind == catalog.RunArgv || run.Kind == catalog.RunShell }
	if r.Match == nil || slices.Contains(talkers, p.name) || slices.ContainsFunc(r.Runs, wraps) {
		return
	}
	m.handed(st, inv, p, before)
}

// handed records the files of password hashes among a program's words that no
// effect since before names.
func (m *machine) handed(st *shell.State, inv *shell.Invocation, p program, before int) {
	for _, w := range inv.Argv[1:] {
		text, known := w.Value.Known()
		at := strings.Index(text, "/etc/")
		if !known || at < 0 || !slices.Contains(passwordFiles, path.Clean(text[at:])) {
			continue
		}
		if at > 0 && !strings.ContainsAny(text[at-1:at], "=@:,/") {
			continue
		}
		seen := slices.ContainsFunc(m.trace.Effects[before:], func(e risk.Effect) bool { return e.Target == path.Clean(text[at:]) })
		if !seen {
			m.effect(st, inv.Span, risk.Effect{Verb: risk.FSRead, Target: path.Clean(text[at:]), Scope: risk.IsSecret, Program: p.name})
		}
	}
}
