package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/pure"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Run implements [shell.Machine].
func (m *machine) Run(st *shell.State, inv *shell.Invocation) shell.Outcome {
	if m.depth >= maxNesting || !m.Spend(1) {
		m.sc.Trace.Spent = true
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
	for _, a := range inv.Assign {
		m.sc.OwnVariable(st, inv.Span, a.Name)
	}
	parent := m.sc.Current
	recorded := m.sc.Invocation(st, inv)
	m.sc.Current = recorded
	deeds, _ := m.Deeds()
	out := m.runNamed(st, inv, name)
	m.sc.Current = parent
	if now, _ := m.Deeds(); now == deeds && inv.Piped && out.Stdout.IsKnown() {
		return out // it only computed
	}
	m.deeds++
	m.sc.Trace.Spent = m.sc.Trace.Spent || recorded < 0
	return out
}

func (m *machine) runNamed(st *shell.State, inv *shell.Invocation, name string) shell.Outcome {
	m.loader(st, inv)
	p := m.find(withPath(st, inv), name)
	if p.spec != nil {
		return m.runKnown(st, inv, p)
	}
	m.deeds++
	m.sc.Describe(p.path, nil)
	if out, ok := m.typed(st, inv, name); ok {
		return out
	}
	gone := p.path == "" && m.Settled() && m.absent(withPath(st, inv), name)
	ending := outlook{machine: m, st: st, inv: inv}.noProgram(name)
	m.sc.Ends(ending)
	out := m.runFile(st, inv, p)
	out.Doomed = failing(ending)
	if ending != nil && len(ending.Missing) > 0 || gone {
		out.Nothing = &risk.Ending{How: risk.EndFails}
	}
	m.framework(st, inv, name)
	return out
}

// withPath is the session as the shell looks for the command in it: with the PATH
// that is set for the command alone (POSIX.1-2024 Shell 2.9.1.4).
func withPath(st *shell.State, inv *shell.Invocation) *shell.State {
	for _, a := range inv.Assign {
		if a.Name == "PATH" {
			st = st.Clone()
			st.Vars.Set("PATH", shell.Var{Value: a.Value, Exported: true, Changed: true})
		}
	}
	return st
}

// framework adds what a web framework's own script does with its words, by
// the script's name and place, to the run of the script itself.
func (m *machine) framework(st *shell.State, inv *shell.Invocation, name string) {
	program, ok := catalog.ScriptProgram(name)
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
	if file, ok := absentFile(m.sc, st, word); ok {
		m.missingScript(st, inv.Span, file)
		return shell.Outcome{Stdout: value.Unknown(risk.CauseOutput, word.String())}
	}
	ending := outlook{machine: m, st: st, inv: inv}.nowhere()
	if ending != nil {
		defer func(parent int) { m.sc.Current = parent }(m.sc.Current)
		m.sc.Current = m.sc.Invocation(st, inv)
		m.sc.Ends(ending)
	}
	e := risk.Effect{Verb: risk.ExecUnknown, Kind: risk.KindProgram, Target: word.String()}
	flow.DescribeHole(&e, word)
	if word.Taint().Has(value.Network) {
		e.Verb, e.Source = risk.ExecRemote, risk.FromNetwork()
	}
	m.sc.Note(inv.Span, risk.RoleProgram, word.String())
	m.sc.Effect(st, inv.Span, e)
	return shell.Outcome{Stdout: value.Unknown(risk.CauseOutput, word.String()), Doomed: ending, Nothing: ending}
}

// nowhere says how a command ends whose program is a path once what prints nothing as things
// are is taken out of it, where that leads nowhere; nil else.
func (o outlook) nowhere() *risk.Ending {
	one := *o.inv
	one.Argv = o.inv.Argv[:1]
	left, ok := empty(&one, nil)
	if !ok || len(left.silent) == 0 {
		return nil
	}
	return o.noProgram(left.name)
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
		if v, set, changed := flow.Env(st, inv, name); set && changed && !v.Empty() {
			m.Effect(st, inv.Span, shell.Effect{Verb: risk.ExecUnknown, Target: v, Kind: risk.KindPreload})
		}
	}
}

// program is what a command word leads to.
type program struct {
	name string // base name
	path string // resolved, if it was found or written as a path
	spec *catalog.Program
	info world.Info
	// local is set for a file in the workspace, temp or made by this command.
	local bool
	// planted is set for a known program's name in a place where the workspace,
	// or anybody, can have put something else under it.
	planted bool
}

var systemDirs = []string{"/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/opt/homebrew/bin/", "/home/linuxbrew/.linuxbrew/bin/", "/usr/libexec/", "/snap/bin/", "/opt/", "/usr/lib/", "/System/", "/Library/", "/Applications/", "/nix/store/", "/usr/games/", "/usr/share/", "/lib/", "/lib64/", "/usr/local/"}

// find resolves a command word: a path as written, a name along PATH.
func (m *machine) find(st *shell.State, name string) program {
	p := program{name: path.Base(name)}
	if !strings.Contains(name, "/") {
		p.path, p.info = m.shadow(st, name)
		p.local = p.path != ""
		if !p.local {
			short := trimExe(name)
			if p.spec, _ = m.catalog.Lookup(short); p.spec == nil && short != name { // what only Windows has
				p.spec, _ = m.catalog.Lookup(short + ".exe")
			}
		}
		return p
	}
	full, ok := flow.Absolute(st, value.Lit(name)).Known()
	if !ok {
		return p
	}
	p.path, p.info = reached(st, full)
	system := false
	for _, d := range systemDirs {
		system = system || strings.HasPrefix(full, d)
	}
	if st.Context.Host != "" || st.Context.Container != "" {
		system = true
	}
	venv := strings.Contains(full, "/venv/bin/") || strings.Contains(full, "/.venv/bin/") || strings.Contains(full, "/node_modules/.bin/")
	spec, _ := m.catalog.Lookup(p.name)
	wrapper := spec != nil && spec.Always(p.name).Has(catalog.Wrapper)
	if (system || venv || wrapper) && !st.FS.Touched(p.path) {
		p.spec = spec
		p.planted = !system && planted(m.sc.Space, p)
		return p
	}
	p.local = true
	return p
}

// planted reports whether a program that is known by its name is a file that the
// workspace, or anybody, can have put there: an environment's interpreter is one
// unless it is a link to the system's.
func planted(space *workspace.Space, p program) bool {
	return p.info.Kind == world.Regular && !slices.ContainsFunc(systemDirs, func(d string) bool { return strings.HasPrefix(p.path, d) }) && space.Loose(p.path)
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
	if text, known := v.Value.Known(); known { // as it mostly is
		if first, _, _ := strings.Cut(text, ":"); isSystemDir(first) {
			return "", world.Info{}
		}
	}
	for looked, part := range v.Value.Split(":") {
		d, known := part.Known()
		if known && isSystemDir(d) || looked >= maxPathDirs {
			return "", world.Info{}
		}
		if !known { // hijack tells of it
			continue
		}
		if !v.Changed && !plantable(m.sc.Space, d) {
			continue
		}
		full, ok := flow.Absolute(st, value.Lit(path.Join(d, name))).Known()
		if !ok {
			continue
		}
		resolved, info := reached(st, full)
		if info == notKnown || info.Kind == world.Regular && (info.Mode&0o111 != 0 || st.FS.Touched(resolved)) {
			return resolved, info
		}
	}
	return "", world.Info{}
}

// notKnown describes a file that could not be looked at.
var notKnown = world.Info{Kind: world.Other}

// reached is the file that a path leads to; notKnown if that cannot be told.
func reached(st *shell.State, name string) (string, world.Info) {
	resolved, ok := world.Resolve(st.FS, path.Clean(name), true)
	info, err := st.FS.Lstat(resolved)
	if !ok || err != nil {
		return resolved, notKnown
	}
	return resolved, info
}

// plantable reports whether a directory of the session's own PATH is one where
// the workspace, or anybody, can put a program.
func plantable(space *workspace.Space, d string) bool {
	if !path.IsAbs(d) {
		return true
	}
	return space.Loose(path.Clean(d)) && !strings.Contains(d, "node_modules/.bin") && !strings.HasSuffix(d, "venv/bin")
}

func isSystemDir(d string) bool {
	d = path.Clean(d)
	return slices.ContainsFunc(systemDirs, func(s string) bool { return s[:len(s)-1] == d })
}

// hijack notices a PATH whose first directory is one where anybody, or the
// command itself, can put a program.
func (m *machine) hijack(st *shell.State, inv *shell.Invocation) {
	v, set, changed := flow.Env(st, inv, "PATH")
	if !set || !changed {
		return
	}
	parts := v.Split(":")
	first, known := parts[0].Known()
	if hs := parts[0].Holes(); !known && len(hs) == 1 && hs[0].Name == "PATH" && hs[0].Cause == risk.CauseGiven {
		return // it stays what whoever runs the file has
	}
	if !known {
		m.sc.Effect(st, inv.Span, risk.Effect{Verb: risk.ExecUnknown, Target: parts[0].String(), Kind: risk.KindSearchPath})
		return
	}
	if first == "" && len(parts) == 1 || isSystemDir(first) {
		return
	}
	if path.IsAbs(first) && m.sc.Space.Scope(path.Clean(first)) != risk.InTemp {
		if _, odd := st.OddPath(v); odd {
			m.sc.Effect(st, inv.Span, risk.Effect{Verb: risk.ExecUnknown, Target: first, Kind: risk.KindSearchPath})
		}
		return
	}
	if strings.Contains(first, "node_modules/.bin") || strings.HasSuffix(first, "venv/bin") {
		return
	}
	m.sc.Effect(st, inv.Span, risk.Effect{Verb: risk.ExecUnknown, Target: first, Kind: risk.KindPATH})
}

// runKnown runs a program that the catalog describes.
func (m *machine) runKnown(st *shell.State, inv *shell.Invocation, p program) shell.Outcome {
	m.hijack(st, inv)
	out, computed := compute(m, st, inv, p)
	foresee(m, st, inv, p)
	site := &catalog.Site{
		World: hookWorld(m.sc.World, st), Name: p.name, Stdin: inv.Stdin, HasStdin: inv.HasStdin,
		Env:       func(name string) (value.Value, bool, bool) { return flow.Env(st, inv, name) },
		EnvKept:   flow.EnvKept(st, inv),
		Installed: func() []string { return installed(m.sc.Trace.Effects) },
		Walk:      func(dir string, entries int) bool { return m.looks.in(m.sc.Space, dir, entries) },
		Read: func(name string) ([]byte, error) {
			b, _, err := m.sc.ReadFile(st, name)
			return b, err
		},
		Unread:  !inv.Piped,
		AsFound: m.sc.Current == 0 && !inv.Turns && !inv.Background && m.Settled(),
	}
	if dir, ok := st.Dir.Known(); ok {
		site.Dir = dir
	}
	words := inv.Words()[1:]
	r := m.catalog.Describe(p.spec, words, site)
	if !computed && inv.Piped && r.Echoed != nil {
		out, computed = shell.Outcome{Stdout: *r.Echoed, Status: shell.OK}, true
	}
	o := outlook{m, st, inv, r}
	o.configured()
	m.sc.Describe(p.path, r)
	ending, aside := o.ending(), ""
	if ending == nil {
		ending, aside = o.unset(p, site)
	}
	m.sc.Ends(ending)
	if ending == nil {
		o.keeps(p)
	}
	switch {
	case ending != nil || inv.Stuck != nil:
	case pure.Known(p.name) && m.Settled():
		m.sc.Lost(nil, aside)
	default:
		m.sc.Lost(o.lost(), aside)
		if also := o.aside(); also != "" {
			m.sc.Wants(also)
		}
	}
	before := len(m.sc.Trace.Effects)
	if p.planted {
		m.sc.NotInspected(p.path)
		m.sc.Effect(st, inv.Span, risk.Effect{Verb: risk.ExecProject, Target: p.path, Scope: m.sc.Space.Scope(p.path), Kind: risk.KindScript, Program: p.name})
	}
	deed := m.sc.Begin(st, inv, p.name, r)
	deed.Hook = func(file string) bool { return m.hook(st, inv, file) }
	taint := deed.Apply()
	deed.Follow()
	unpacksNothing(m.sc.Trace.Effects[before:], inv, r)
	stdout, status, doomed := m.nestedRuns(st, inv, r)
	m.attended(st, inv, p, r, before)
	if ending == nil {
		deny(m, st, before)
	}
	out.Doomed, out.Nothing = o.doomed(ending), o.nothing(ending)
	if e := m.sc.Ended(); ending == nil && e != nil { // by what its code needs
		out.Doomed = failing(e)
	}
	if ending == nil && out.Doomed == nil {
		out.Doomed = doomed
	}
	if inv.Asks && ending == nil && out.Doomed == nil && !p.local {
		out.Doomed, out.Met = o.answer(p)
	}
	if !inv.Asks && !inv.Piped && !computed && ending == nil && r.Traits.Has(catalog.Searches) && len(r.Effects) > 0 && !p.local {
		if unmet, _ := o.answer(p); unmet != nil {
			m.sc.FindsNothing()
		}
	}
	out.Sure = ending == nil && o.passesOn()
	switch {
	case computed:
		return out
	case stdout != nil:
		if r.Traits.Has(catalog.Limits) {
			taint, *stdout = taint&^value.Endless, stdout.Without(value.Endless)
		}
		out.Stdout, out.Status = stdout.With(taint), status
		return out
	}
	out.Stdout, out.Status = deed.Printed(taint), statusOf(r)
	if v, ok := derived(st, inv, p); ok && !out.Stdout.IsKnown() {
		out.Stdout = v.With(out.Stdout.Taint())
	}
	return out
}

// installed names the programs that install packages, by these effects.
func installed(effects []risk.Effect) (programs []string) {
	for i := range effects {
		if e := &effects[i]; e.Verb == risk.PkgInstall && e.Host == "" {
			programs = append(programs, e.Program)
		}
	}
	return programs
}

// statusOf knows the programs that always end the same way.
func statusOf(r *catalog.Result) shell.Status {
	switch {
	case r.Traits.Has(catalog.Succeeds):
		return shell.OK
	case r.Traits.Has(catalog.FailsAlways):
		return shell.Failed
	}
	return shell.Perhaps
}

// passesOn reports whether an invocation only passes on, or counts, what it reads of a pipe,
// and obeys no code that may have it fail.
func (o outlook) passesOn() bool {
	r := o.r
	if !o.inv.HasStdin || !r.ReadsStdin || r.Match == nil || len(r.Effects) > 0 || len(r.Runs) > 0 || len(r.Unknowns) > 0 || r.Traits.Has(catalog.Searches) {
		return false
	}
	return r.Traits.Has(catalog.Filters|catalog.KeepsLines|catalog.Instant|catalog.Ends) && !slices.ContainsFunc(r.Match.Args, func(b catalog.Bound) bool { return b.Arg.Role == catalog.Code || b.Arg.Role == catalog.Pattern })
}

// hookWorld is the world as hooks see it: with this command's own changes.
func hookWorld(of *world.World, st *shell.State) *world.World {
	if st.Context.Host != "" || st.Context.Container != "" {
		return nil
	}
	w := *of
	w.FS = st.FS
	return &w
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
