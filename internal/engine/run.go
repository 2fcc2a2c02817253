package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/pure"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/shell/posix"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Run implements [shell.Machine].
func (m *machine) Run(st *shell.State, inv *shell.Invocation) shell.Outcome {
	if m.depth >= maxNesting || !m.Spend(1) {
		m.trace.Spent = true
		return shell.Outcome{}
	}
	if len(inv.Argv) == 0 {
		return shell.Outcome{}
	}
	inv = spelled(inv)
	name, known := inv.Argv[0].Value.Known()
	if !known {
		return m.runUnknownWord(st, inv)
	}
	if name == "" {
		return shell.Outcome{Status: shell.Failed}
	}
	m.ownVariables(st, inv)
	parent := m.current
	recorded := m.invocation(st, inv)
	m.current = recorded
	deeds, _ := m.Deeds()
	out := m.runNamed(st, inv, name)
	m.current = parent
	if now, _ := m.Deeds(); now == deeds && inv.Piped && out.Stdout.IsKnown() {
		return out // it only computed
	}
	m.deeds++
	m.trace.Spent = m.trace.Spent || recorded < 0
	return out
}

func (m *machine) runNamed(st *shell.State, inv *shell.Invocation, name string) shell.Outcome {
	m.loader(st, inv)
	p := m.find(st, name)
	if p.spec != nil {
		before := len(m.trace.Effects)
		out := m.runKnown(st, inv, p)
		m.attended(st, inv, p, before)
		return out
	}
	m.deeds++
	m.describe(p, nil)
	if out, ok := m.typed(st, inv, name); ok {
		return out
	}
	out := m.runFile(st, inv, p)
	m.framework(st, inv, name)
	return out
}

// framework adds what a web framework's own script does with its words, by
// the script's name and place, to the run of the script itself.
func (m *machine) framework(st *shell.State, inv *shell.Invocation, name string) {
	program, ok := hooks.FrameworkProgram(name)
	if !ok || !strings.Contains(name, "/") || m.depth >= maxNesting {
		return
	}
	next := *inv
	next.Argv = slices.Clone(inv.Argv)
	next.Argv[0] = shell.Word{Value: value.Lit(program)}
	m.depth++
	m.argv(st.Clone(), &next)
	m.depth--
}

// spelled returns inv with the names in it as the shell would spell them: a
// variable that is not set, in the midst of a program's or an option's name,
// is only a way to break the name up.
func spelled(inv *shell.Invocation) *shell.Invocation {
	out := inv
	for i, w := range inv.Argv {
		if w.Value.IsKnown() {
			continue
		}
		v := w.Value.WithoutUnset(i == 0)
		if v.Len() == w.Value.Len() && len(v.Parts()) == len(w.Value.Parts()) {
			continue
		}
		if out == inv {
			c := *inv
			c.Argv = slices.Clone(inv.Argv)
			out = &c
		}
		out.Argv[i].Value = v
	}
	return out
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// runUnknownWord handles a program name that is not known.
func (m *machine) runUnknownWord(st *shell.State, inv *shell.Invocation) shell.Outcome {
	word := inv.Argv[0].Value
	if all, ok := word.Candidates(8); ok {
		for _, name := range all {
			sub := st.Clone()
			sub.Maybe = true
			one := *inv
			argv := []shell.Word{}
			for _, f := range strings.Fields(name) {
				argv = append(argv, shell.Word{Value: value.Lit(f)})
			}
			one.Argv = append(argv, inv.Argv[1:]...)
			m.Run(sub, &one)
		}
		return shell.Outcome{Stdout: value.Unknown(risk.CauseOutput, word.String())}
	}
	if rest, ok := droppable(inv); ok { // $SUDO cmd, $EMPTY cmd: the word may vanish
		sub := st.Clone()
		sub.Maybe = true
		m.depth++
		m.Run(sub, rest)
		m.depth--
	}
	e := risk.Effect{Verb: risk.ExecUnknown, Kind: risk.KindProgram, Target: word.String()}
	describeHole(&e, word)
	if word.Taint().Has(value.Network) {
		e.Verb, e.Source = risk.ExecRemote, risk.FromNetwork()
	}
	m.note(inv.Span, risk.RoleProgram, word.String())
	m.effect(st, inv.Span, e)
	return shell.Outcome{Stdout: value.Unknown(risk.CauseOutput, word.String())}
}

func droppable(inv *shell.Invocation) (*shell.Invocation, bool) {
	hs := inv.Argv[0].Value.Holes()
	if len(inv.Argv) < 2 || len(hs) != 1 || inv.Argv[0].Value.Len() > 0 || hs[0].Cause != risk.CauseUnset {
		return nil, false
	}
	rest := *inv
	rest.Argv = inv.Argv[1:]
	return &rest, true
}

// loader notices variables that put foreign code into every program.
func (m *machine) loader(st *shell.State, inv *shell.Invocation) {
	for _, name := range []string{"LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"} {
		if v, set, changed := m.env(st, inv, name); set && changed && !v.Empty() {
			m.effect(st, inv.Span, risk.Effect{Verb: risk.ExecUnknown, Target: v.String(), Kind: risk.KindPreload})
		}
	}
}

// env looks up an environment variable of an invocation.
func (m *machine) env(st *shell.State, inv *shell.Invocation, name string) (v value.Value, set, changed bool) {
	for _, a := range inv.Assign {
		if a.Name == name {
			return a.Value, true, true
		}
	}
	if x := st.Vars.Get(name); x != nil && (x.Exported || x.Changed) {
		return x.Value, true, x.Changed
	}
	return value.Value{}, false, false
}

// program is what a command word leads to.
type program struct {
	name string // base name
	path string // resolved, if it was found or written as a path
	spec *catalog.Program
	info world.Info
	// local is set for a file in the workspace, temp or made by this command.
	local bool
}

var systemDirs = []string{"/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/opt/homebrew/bin/", "/home/linuxbrew/.linuxbrew/bin/", "/usr/libexec/", "/snap/bin/", "/opt/", "/usr/lib/", "/System/", "/Library/", "/Applications/", "/nix/store/", "/usr/games/", "/usr/share/", "/lib/", "/lib64/", "/usr/local/"}

// find resolves a command word: a path as written, a name along PATH.
func (m *machine) find(st *shell.State, name string) program {
	p := program{name: path.Base(name)}
	if !strings.Contains(name, "/") {
		p.path, p.info = m.shadow(st, name)
		p.local = p.path != ""
		if !p.local {
			p.spec, _ = m.catalog.Lookup(trimExe(name))
		}
		return p
	}
	full, ok := absolute(st, value.Lit(name)).Known()
	if !ok {
		return p
	}
	p.path, _ = world.Resolve(st.FS, path.Clean(full), true)
	p.info, _ = st.FS.Lstat(p.path)
	system := false
	for _, d := range systemDirs {
		system = system || strings.HasPrefix(full, d)
	}
	if st.Context.Host != "" || st.Context.Container != "" {
		system = true
	}
	venv := strings.Contains(full, "/venv/bin/") || strings.Contains(full, "/.venv/bin/") || strings.Contains(full, "/node_modules/.bin/")
	wrapper := p.name == "gradlew" || p.name == "mvnw"
	if (system || venv && !st.FS.Touched(p.path) || wrapper) && !st.FS.Touched(p.path) {
		p.spec, _ = m.catalog.Lookup(p.name)
		return p
	}
	p.local = true
	return p
}

func trimExe(name string) string {
	if s, ok := strings.CutSuffix(strings.ToLower(name), ".exe"); ok {
		return s
	}
	return name
}

// shadow looks for a program in the directories that the command itself put
// into PATH: what is found there is run instead of the known program.
func (m *machine) shadow(st *shell.State, name string) (string, world.Info) {
	v := st.Vars.Get("PATH")
	if v == nil || st.Context.Host != "" {
		return "", world.Info{}
	}
	text, known := v.Value.Known()
	if !known {
		return "", world.Info{}
	}
	looked := 0
	for d := range strings.SplitSeq(text, ":") {
		if looked++; isSystemDir(d) || looked > maxPathDirs {
			return "", world.Info{}
		}
		if !v.Changed && !m.plantable(d) {
			continue
		}
		full, ok := absolute(st, value.Lit(path.Join(d, name))).Known()
		if !ok {
			continue
		}
		resolved, _ := world.Resolve(st.FS, path.Clean(full), true)
		info, err := st.FS.Lstat(resolved)
		if err == nil && info.Kind == world.Regular && (info.Mode&0o111 != 0 || st.FS.Touched(resolved)) {
			return resolved, info
		}
	}
	return "", world.Info{}
}

// plantable reports whether a directory of the session's own PATH is one where
// the workspace, or anybody, can put a program.
func (m *machine) plantable(d string) bool {
	if !path.IsAbs(d) {
		return true
	}
	return m.space.Loose(path.Clean(d)) && !strings.Contains(d, "node_modules/.bin") && !strings.HasSuffix(d, "venv/bin")
}

func isSystemDir(d string) bool {
	d = path.Clean(d)
	return slices.ContainsFunc(systemDirs, func(s string) bool { return s[:len(s)-1] == d })
}

// hijack notices a PATH whose first directory is one where anybody, or the
// command itself, can put a program.
func (m *machine) hijack(st *shell.State, inv *shell.Invocation) {
	v, set, changed := m.env(st, inv, "PATH")
	if !set || !changed {
		return
	}
	text, known := v.Known()
	first, _, _ := strings.Cut(text, ":")
	if !known || first == "" && text == "" || isSystemDir(first) {
		return
	}
	if path.IsAbs(first) && m.space.Scope(path.Clean(first)) != risk.InTemp {
		if _, odd := posix.OddPath(st, v); odd {
			m.effect(st, inv.Span, risk.Effect{Verb: risk.ExecUnknown, Target: first, Kind: risk.KindSearchPath})
		}
		return
	}
	if strings.Contains(first, "node_modules/.bin") || strings.HasSuffix(first, "venv/bin") {
		return
	}
	m.effect(st, inv.Span, risk.Effect{Verb: risk.ExecUnknown, Target: first, Kind: risk.KindPATH})
}

// runKnown runs a program that the catalog describes.
func (m *machine) runKnown(st *shell.State, inv *shell.Invocation, p program) shell.Outcome {
	m.hijack(st, inv)
	out, computed := m.compute(st, inv, p)
	site := &catalog.Site{
		World: m.hookWorld(st), Name: p.name, Stdin: inv.Stdin, HasStdin: inv.HasStdin,
		Env:       func(name string) (value.Value, bool, bool) { return m.env(st, inv, name) },
		Installed: m.installed,
	}
	if dir, ok := st.Dir.Known(); ok {
		site.Dir = dir
	}
	words := inv.Words()[1:]
	r := m.catalog.Describe(p.spec, words, site)
	m.describe(p, r.Match)
	before := len(m.trace.Effects)
	taint := m.apply(st, inv, p, r)
	m.privileged(st, inv, p, r, before)
	m.incomplete(st, inv, p, r, before)
	m.hunt(st, inv, r, before)
	if p.name == "find" || p.name == "locate" {
		m.huntNames(st, inv, r, p, before)
	}
	m.passwords(st, inv, p, r, before)
	stdout, status := m.nestedRuns(st, inv, r)
	switch {
	case computed:
		return out
	case stdout != nil:
		if plainName(p.name) == "timeout" {
			return shell.Outcome{Stdout: stdout.With(taint).Without(value.Endless), Status: status}
		}
		return shell.Outcome{Stdout: stdout.With(taint), Status: status}
	}
	return shell.Outcome{Stdout: m.printed(st, inv, p, r, taint), Status: statusFor(p.name)}
}

// installed names the programs that install packages before what runs now.
func (m *machine) installed() (programs []string) {
	for i := range m.trace.Effects {
		if e := &m.trace.Effects[i]; e.Verb == risk.PkgInstall && e.Host == "" {
			programs = append(programs, e.Program)
		}
	}
	return programs
}

// statusFor knows the programs that always succeed.
func statusFor(name string) shell.Status {
	switch name {
	case "echo", "printf", "true", ":":
		return shell.OK
	case "false":
		return shell.Failed
	}
	return shell.Perhaps
}

// hookWorld is the world as hooks see it: with this command's own changes.
func (m *machine) hookWorld(st *shell.State) *world.World {
	if st.Context.Host != "" || st.Context.Container != "" {
		return nil
	}
	w := *m.world
	w.FS = st.FS
	return &w
}

// compute works out in process what a pure program prints.
func (m *machine) compute(st *shell.State, inv *shell.Invocation, p program) (shell.Outcome, bool) {
	if !inv.Piped || !pure.Known(p.name) || p.local {
		return shell.Outcome{}, false
	}
	in := pure.Input{Argv: []string{p.name}, HasStdin: inv.HasStdin, Limit: 1 << 20, Shell: st.Shell, Interp: true}
	var taint value.Taint
	for _, w := range inv.Argv[1:] {
		s, ok := w.Value.Known()
		if !ok || w.Many {
			return m.echo(inv, p)
		}
		taint |= w.Value.Taint()
		in.Argv = append(in.Argv, s)
	}
	if inv.HasStdin {
		stdin := m.resolved(st, inv.Stdin)
		if s, ok := stdin.Known(); ok {
			taint |= stdin.Taint()
			in.Stdin = []byte(s)
		} else {
			in.HasStdin = false // a program that asks for it cannot be computed
		}
	}
	dir, ok := st.Dir.Known()
	if !ok {
		return shell.Outcome{}, false
	}
	in.Dir = dir
	in.Env = func(name string) (string, bool) {
		v, set, _ := m.env(st, inv, name)
		s, ok := v.Known()
		return s, set && ok
	}
	in.ReadFile = func(name string) ([]byte, error) {
		b, t, err := m.readFile(st, name)
		taint |= t
		return b, err
	}
	in.RealPath = func(name string) (string, bool) { return world.Resolve(st.FS, path.Clean(name), true) }
	if !m.Spend(1 + len(in.Stdin)/4096) {
		return shell.Outcome{}, false
	}
	out, ok := pure.Run(in)
	if !ok {
		return shell.Outcome{}, false
	}
	if out.Decoded {
		taint |= value.Decoded
	}
	status := shell.OK
	if out.Status != 0 {
		status = shell.Failed
	}
	return shell.Outcome{Stdout: value.Lit(string(out.Stdout)).With(taint), Status: status}, true
}

// echo computes echo and printf %s over words that are only partly known.
func (m *machine) echo(inv *shell.Invocation, p program) (shell.Outcome, bool) {
	words := inv.Argv[1:]
	end := "\n"
	switch p.name {
	case "echo":
		for len(words) > 0 {
			s, ok := words[0].Value.Known()
			if !ok || s != "-n" && s != "-e" && s != "-ne" && s != "-en" && s != "-E" {
				break
			}
			if strings.Contains(s, "n") {
				end = ""
			}
			words = words[1:]
		}
	case "printf":
		if len(words) == 0 {
			return shell.Outcome{}, false
		}
		switch format, _ := words[0].Value.Known(); format {
		case "%s":
			end = ""
		case `%s\n`:
		default:
			if words[0].Value.IsKnown() {
				return shell.Outcome{}, false
			}
			end = ""
			words = append([]shell.Word{{}}, words...)
		}
		words = words[1:]
	default:
		return shell.Outcome{}, false
	}
	var b value.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(" ")
		}
		b.Add(w.Value)
	}
	b.WriteString(end)
	return shell.Outcome{Stdout: b.Value(), Status: shell.OK}, true
}

// readFile reads a file for its contents to be computed with. Secrets are not
// read, and neither is anything large.
func (m *machine) readFile(st *shell.State, name string) ([]byte, value.Taint, error) {
	p := m.space.Locate(st.FS, name, true)
	if content, known, ok := st.FS.Content(p.Path); ok && known {
		if s, whole := content.Known(); whole {
			return []byte(s), content.Taint(), nil
		}
		return nil, content.Taint(), world.ErrNotRead
	}
	if p.Scope == risk.IsSecret || p.Scope == risk.IsDevice || st.Context.Host != "" || st.Context.Container != "" {
		return nil, sources(p.Scope), world.ErrNotRead
	}
	b, err := st.FS.ReadFile(p.Path, 64<<10)
	return b, sources(p.Scope), err
}

// resolved replaces a lone hole that stands for a file's contents by those
// contents, where they may be read.
func (m *machine) resolved(st *shell.State, v value.Value) value.Value {
	hs := v.Holes()
	if len(hs) != 1 || len(v.Parts()) != 1 || hs[0].Cause != risk.CauseFile || !strings.HasPrefix(hs[0].Name, "/") {
		return v
	}
	b, t, err := m.readFile(st, hs[0].Name)
	if err != nil {
		return v
	}
	return value.Lit(string(b)).With(v.Taint() | t)
}

// apply records what a program does by its own grammar and returns the
// sources of what it prints.
func (m *machine) apply(st *shell.State, inv *shell.Invocation, p program, r *catalog.Result) value.Taint {
	var printed value.Taint
	var args value.Taint
	secretArg := value.Value{}
	for _, w := range inv.Argv[1:] {
		args |= w.Value.Taint()
		if w.Value.Taint().Has(value.Secret) {
			secretArg = w.Value
		}
	}
	for i := range r.Effects {
		x := &r.Effects[i]
		carried, name := m.carried(st, inv, x)
		switch {
		case strings.HasPrefix(string(x.Verb), "fs.") || x.Verb == risk.DiskWrite && strings.HasPrefix(x.Target.Prefix(), "/"):
			m.fsEffect(st, inv.Span, x, value.Value{}, p.name)
			if x.Verb == risk.FSRead && x.Shown {
				printed |= m.contents(st, x.Target).Taint()
				if x.Arg == "member" && m.holdsSecrets(st, x.Target) { // an archive on standard output
					printed |= value.Secret
				}
			}
			if x.Verb == risk.FSWrite && !x.Recursive && !ends(plainName(p.name), inv, r) {
				m.fills(st, inv.Span, x.Target, carried)
			}
			if x.Verb == risk.FSWrite && carried.Has(value.Secret) {
				m.flowToFile(st, inv.Span, x.Target, value.Unknown(risk.CauseFile, name.String()).With(carried))
			}
		case x.Verb == risk.Exhaust && limited(st):
		default:
			m.otherEffect(st, inv, p, x, carried|args&^value.Credential, name, secretArg)
			if x.Verb == risk.NetFetch {
				printed |= value.Network
			}
		}
	}
	for i := range r.Effects { // only now: the effects happened to the files as they were
		if x := &r.Effects[i]; strings.HasPrefix(string(x.Verb), "fs.") {
			carried, _ := m.carried(st, inv, x)
			content, known := m.written(st, inv, p.name, x)
			m.overlayEffect(st, x, content.With(carried).Without(value.Endless), known)
		}
	}
	m.fetchedDirs(st, inv, p, r)
	m.recipes(st, inv, p, r)
	m.committed(st, inv, p, r)
	m.hoards(st, inv, p, r)
	m.reserves(st, inv, p, r)
	m.starts(st, inv, p)
	for _, u := range r.Unknowns {
		u.Span = inv.Span
		m.note(u.Span, u.Role, u.What)
		m.effect(st, inv.Span, risk.Effect{Verb: risk.ExecKnown, Target: u.What, Kind: risk.KindNotUnderstood, Program: p.name})
	}
	if r.ShowsStdin {
		printed |= inv.Stdin.Taint()
	}
	if p.name == "echo" || p.name == "printf" || p.name == "print" {
		printed |= args &^ value.Endless
	}
	printed = m.flowing(st, inv, p, r, printed) | m.unbounded(st, inv, p, r)
	switch r.Prints {
	case catalog.PrintsNetwork:
		printed |= value.Network
	case catalog.PrintsSecret:
		printed |= value.Secret
	case catalog.PrintsPrivate:
		printed |= value.Private
	}
	return printed
}

// written is what an effect puts into its target, as far as it can be told.
func (m *machine) written(st *shell.State, inv *shell.Invocation, program string, x *catalog.Effect) (value.Value, bool) {
	if x.Kind == risk.KindDownload {
		return value.Unknown(risk.CauseInput, "network").With(value.Network), true
	}
	if len(x.Carries) == 1 {
		if x.Carries[0].Stdin {
			return inv.Stdin, inv.HasStdin
		}
		return m.contents(st, x.Carries[0].Path), true
	}
	if x.Verb == risk.FSCreate && (program == "touch" || program == "mktemp") {
		return value.Value{}, true
	}
	return value.Value{}, false
}

// carried returns the sources of what flows into an effect's target, and the
// name of the first secret among them.
func (m *machine) carried(st *shell.State, inv *shell.Invocation, x *catalog.Effect) (value.Taint, risk.Source) {
	var t value.Taint
	var name risk.Source
	for _, s := range x.Carries {
		v := inv.Stdin
		if !s.Stdin {
			v = m.contents(st, s.Path)
			if homes := path.Dir(worst(st, s.Path)); homes == "/home" || homes == "/Users" { // all that somebody has
				v = v.With(value.Private)
			}
			if m.holdsSecrets(st, s.Path) {
				v = value.Unknown(risk.CauseFile, s.Path.String()).With(v.Taint() | value.Secret)
			}
		}
		if v.Taint().Has(value.Secret) && name.IsZero() {
			name = m.secretName(v)
		}
		t |= v.Taint()
	}
	return t, name
}

// databaseFiles are the extensions of databases that are one file.
var databaseFiles = []string{".db", ".db3", ".sqlite", ".sqlite3", ".duckdb"}

// requesters are the programs whose targets are addresses of the web.
var requesters = []string{"curl", "wget", "http", "https", "xh", "xhs", "httpie", "curlie"}

// otherEffect records an effect on anything but a path.
func (m *machine) otherEffect(st *shell.State, inv *shell.Invocation, p program, x *catalog.Effect, t value.Taint, secret risk.Source, arg value.Value) {
	e := risk.Effect{Verb: x.Verb, Target: x.Target.String(), Kind: x.Kind, Recursive: x.Recursive, Forced: x.Forced, Many: x.Many, Program: p.name, Where: x.Where}
	switch {
	case strings.HasPrefix(string(x.Verb), "net."):
		e.Scope = hostScope(urlHost(e.Target))
	case x.Verb == risk.RemoteDestroy && (strings.Contains(e.Target, "://") || slices.Contains(requesters, p.name)):
		if hostScope(urlHost(e.Target)) == risk.IsLoopback { // no remote state
			e.Verb, e.Scope = risk.RemoteChange, risk.IsLoopback
		}
	case strings.HasPrefix(string(x.Verb), "db."): // NAME at HOST, a URL, or a host
		switch where := e.Target[strings.LastIndexByte(e.Target, ' ')+1:]; {
		case hostScope(urlHost(where)) == risk.IsLoopback:
			e.Scope = risk.IsLoopback
		case where == ":memory:":
			e.Scope = risk.InTemp
		case slices.Contains(databaseFiles, path.Ext(where)):
			e.Scope = m.place(st, value.Lit(where), true).Scope
		}
	}
	if x.Verb == risk.ProcSignal && x.Arg == inline.NamedProcess {
		named := *x
		hooks.NamedProcesses(&named)
		e.Verb, e.Kind = named.Verb, named.Kind
	}
	m.lookUp(st, &e)
	if e.Verb == risk.VCSDiscard && !x.Target.IsKnown() {
		describeHole(&e, x.Target)
		e.Reversible = risk.Lost // which files it names is not known
	}
	if x.Verb == risk.ExecProject && x.Kind == risk.KindHook && m.hook(st, inv, e.Target) {
		return
	}
	m.effect(st, inv.Span, e)
	if x.Verb == risk.NetSend || x.Verb == risk.NetConnect || x.Verb == risk.NetFetch || x.Verb == risk.RemoteChange {
		if secret.IsZero() {
			secret = m.secretName(arg)
		}
		if x.Verb != risk.NetSend {
			t &= value.Secret | value.Private
			if !arg.Taint().Has(value.Secret) && t.Has(value.Secret) && x.Verb != risk.RemoteChange {
				t &^= value.Private
			}
		}
		m.flowToNet(st, inv.Span, e, t, secret)
	}
}

// hook runs a repository's hook as the script that it is, and reports whether
// it could.
func (m *machine) hook(st *shell.State, inv *shell.Invocation, name string) bool {
	resolved, ok := world.Resolve(st.FS, name, true)
	info, err := st.FS.Lstat(resolved)
	if !ok || err != nil || info.Kind != world.Regular || m.depth >= maxNesting || !strings.HasPrefix(name, "/") {
		return false
	}
	m.depth++
	defer func() { m.depth-- }()
	quiet := *inv
	quiet.Piped, quiet.HasStdin = false, false
	p := program{name: path.Base(name), path: resolved, info: info, local: true}
	m.runScript(st.Clone(), &quiet, p, "", []value.Value{value.Lit(name)})
	return true
}

// incomplete tells of a command that lacks a word: it fails as it is written,
// or the word was meant to come from elsewhere. Where force is asked for, as of
// rm -f, no word is no error.
func (m *machine) incomplete(st *shell.State, inv *shell.Invocation, p program, r *catalog.Result, before int) {
	if r.Match == nil || !r.Match.Incomplete || r.Match.Help || r.Match.Has("help") || r.Match.Has("dry") || r.Match.Has("done") || r.Match.Has("force") || len(r.Runs) > 0 || len(m.trace.Effects) > before {
		return
	}
	m.effect(st, inv.Span, risk.Effect{Verb: risk.ExecKnown, Target: p.name, Program: p.name, Kind: risk.KindIncomplete})
}

// privileged adds what sudo and its like mean beside the command they run.
func (m *machine) privileged(st *shell.State, inv *shell.Invocation, p program, r *catalog.Result, before int) {
	if !st.Context.Privileged || len(r.Runs) > 0 || len(m.trace.Effects) > before {
		return
	}
	if r.Match != nil && (r.Match.Help || r.Match.Has("help")) {
		return
	}
	m.effect(st, inv.Span, risk.Effect{Verb: risk.ExecKnown, Target: p.name, Program: p.name})
}

// printed is what a program prints when that cannot be computed.
func (m *machine) printed(st *shell.State, inv *shell.Invocation, p program, r *catalog.Result, t value.Taint) value.Value {
	if r.Stdout != nil {
		return r.Stdout.With(t)
	}
	if !inv.Piped && !t.Has(value.Secret|value.Credential) {
		return value.Value{}
	}
	h := value.Hole{Cause: risk.CauseOutput, Name: commandText(inv)}
	if t.Has(value.Secret | value.Credential) {
		for _, w := range inv.Argv[1:] {
			if w.Value.Taint().Has(value.Credential) {
				h.Cause, h.Name = risk.CauseUnknown, strings.TrimPrefix(m.secretName(w.Value).String(), "$")
			}
			if w.Value.Taint().Has(value.Secret) {
				h.Cause, h.Name = risk.CauseFile, m.secretName(w.Value).String()
			}
		}
	}
	if list := hooks.Processes(p.name, inv.Words()[1:], inv.Stdin); list != "" {
		h.Name = list
	}
	switch r.Prints {
	case catalog.PrintsNothing:
		return value.Value{}.With(t & value.Secret)
	case catalog.PrintsWord:
		h.Shape = value.Word
	case catalog.PrintsNumber:
		h.Shape = value.Number
	case catalog.PrintsSetup:
		h.Shape = value.Setup
	case catalog.PrintsTemp:
		h.Shape, h.Base = value.Below, risk.NewTemp
		st.FS.Create(risk.NewTemp, value.Value{}, true)
	case catalog.PrintsPaths, catalog.PrintsNames:
		h.Shape, h.Base, h.Cause = value.Below, ".", risk.CauseMatch
		for i := range r.Effects {
			if r.Effects[i].Verb == risk.FSRead {
				if s, ok := r.Effects[i].Target.Known(); ok {
					h.Base = s
				}
				break
			}
		}
	}
	if r.ShowsStdin && inv.HasStdin { // a filter: lines of what came in
		if hs := inv.Stdin.Holes(); len(hs) > 0 && h.Shape == value.AnyText {
			h.Shape, h.Base = hs[0].Shape, hs[0].Base
			if hs[0].Cause == risk.CauseMatch {
				h.Cause = risk.CauseMatch
			}
		}
	}
	for i := range r.Effects {
		x := &r.Effects[i]
		if x.Verb == risk.FSRead && x.Shown {
			v := m.contents(st, x.Target)
			if hs := v.Holes(); len(hs) == 1 && (p.name == "cat" || v.Taint().Has(value.Secret)) {
				h.Cause, h.Name = hs[0].Cause, hs[0].Name
			} else if len(hs) == 0 && p.name == "cat" && len(r.Effects) == 1 {
				return v.With(t)
			}
		}
	}
	return value.Of(h).With(t)
}

func commandText(inv *shell.Invocation) string {
	var parts []string
	for _, w := range inv.Argv[:min(len(inv.Argv), 6)] {
		parts = append(parts, w.Value.String())
	}
	return clip(strings.Join(parts, " "), 40)
}
