package engine

import (
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/invisible"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/splice"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// nestedRuns performs the commands inside a command and returns what they print, or nil
// if there are none, and, of a command that ends as the one ends that it runs, its status and
// how it ends if that fails as things are now.
func (m *machine) nestedRuns(st *shell.State, inv *shell.Invocation, r *catalog.Result) (out *value.Value, status shell.Status, doomed *risk.Ending) {
	if len(r.Runs) == 0 {
		return nil, shell.Perhaps, nil
	}
	if m.depth >= maxNesting {
		m.sc.Trace.Spent = true
		return nil, shell.Perhaps, nil
	}
	m.depth++
	defer func() { m.depth-- }()
	var printed value.Builder
	for i := range r.Runs {
		run := &r.Runs[i]
		sub := m.substate(st, inv, r, run)
		if run.Gone != nil {
			sub.Unreached = run.Gone
		}
		told := len(m.sc.Trace.Effects)
		o := m.nested(sub, st, inv, r, run)
		if len(m.sc.Trace.Effects) == told {
			noPager(m, st, inv, run)
		}
		unfed(m.sc.Trace.Effects[told:], inv, run)
		own := ownStatus(m.fronts, r, run)
		if i == 0 && own {
			status = o.Status
		}
		if len(r.Runs) == 1 && (own || r.Traits.Has(catalog.PassesStatus)) && !run.Many && sub.Here() == st.Here() {
			doomed = o.Doomed
		}
		switch {
		case r.Spares != "": // nothing of it is done
		case sub.Maybe && !st.Maybe:
			st.FS.Join(sub.FS)
		default:
			st.FS.Follow(sub.FS)
		}
		printed.Add(o.Stdout)
	}
	v := printed.Value()
	return &v, status, doomed
}

// unfed says of effects that act on what a program is handed on standard input why they
// do not happen where it is handed nothing.
func unfed(effects []risk.Effect, inv *shell.Invocation, run *catalog.Run) {
	if inv.Starved == nil || !run.Open && !run.Many {
		return
	}
	for i := range effects {
		if e := &effects[i]; e.By.Unreached == nil && (e.Unresolved != "" || e.Many || !run.Open) {
			e.By.Unreached = inv.Starved
		}
	}
}

// unpacksNothing says of what is unpacked from standard input why it is nothing where the
// program fails whose output that would be.
func unpacksNothing(effects []risk.Effect, inv *shell.Invocation, r *catalog.Result) {
	for i := range effects {
		if e := &effects[i]; inv.Starved != nil && r.ReadsStdin && e.Kind == risk.KindExtract && e.By.Unreached == nil {
			e.By.Unreached = inv.Starved
		}
	}
}

// ownStatus reports whether a program ends with the status of what it runs: a
// shell does. A wrapper may fail beside it, so that its status is not known, though it
// surely fails where that does (catalog.PassesStatus); find does not care.
func ownStatus(fronts *shell.Fronts, r *catalog.Result, run *catalog.Run) bool {
	if r.Match == nil || run.Many || run.Wrap.Host != "" || run.Wrap.Container != "" {
		return false
	}
	_, isShell := fronts.Dialect(r.Match.Program.Names[0])
	return isShell && (run.Kind == catalog.RunShell || run.Kind == catalog.RunScript)
}

// substate is the state in which a nested command starts: a new process, in
// the circumstances that its wrapper makes.
func (m *machine) substate(st *shell.State, inv *shell.Invocation, r *catalog.Result, run *catalog.Run) *shell.State {
	sub := st.Clone()
	newProcess(sub)
	sub.Depth++
	for _, a := range inv.Assign {
		sub.Vars.Set(a.Name, shell.Var{Value: a.Value, Exported: true, Changed: true})
	}
	for _, a := range run.Setup {
		m.sc.OwnVariable(st, inv.Span, a.Name)
		sub.Vars.Set(a.Name, shell.Var{Value: a.Value, Exported: true, Changed: true})
	}
	w := run.Wrap
	label := w.Label
	if label == "" && r.Match != nil {
		label = r.Match.As()
	}
	if _, isShell := m.fronts.Dialect(label); label != "" && !isShell {
		sub.Context.Via = append(slices.Clip(sub.Context.Via), flow.Clip(label, 60))
	}
	sub.Context.Privileged = sub.Context.Privileged || w.Privileged
	sub.Context.Limited = sub.Context.Limited || r.Traits.Has(catalog.Limits)
	if w.Secrets { // under names that only the store knows
		sub.Sourced = value.Unknown(risk.CauseOutput, label).With(value.Credential)
	}
	if w.Host != "" {
		sub.Context.Host = w.Host
	}
	if w.Container != "" {
		sub.Context.Binds = binds(st, w.Binds)
		sub.Context.Container = w.Container
		if sub.Context.Host == "" {
			sub.Context.Host = w.Container
		}
	}
	if text, known := w.Workdir.Known(); known && strings.HasPrefix(text, "/") {
		sub.Dir = w.Workdir
	} else if run.Dir != nil {
		sub.Dir = flow.Absolute(st, *run.Dir)
	} else if r.Match != nil {
		for _, b := range r.Match.Args {
			if b.Arg.Role == catalog.Dir && !b.Default && run.Kind != catalog.RunExec {
				sub.Dir = flow.Absolute(st, b.Value)
			}
		}
	}
	if run.Many {
		sub.Maybe = true
	}
	return sub
}

// binds are the files of this machine that a container sees, where it is this
// one that starts it.
func binds(st *shell.State, given []catalog.Bind) (all []shell.Bind) {
	if !st.Here() {
		return nil
	}
	for _, b := range given {
		target, known := b.Target.Known()
		if known && strings.HasPrefix(target, "/") {
			all = append(all, shell.Bind{Source: flow.Absolute(st, b.Source), Target: path.Clean(target), ReadOnly: b.ReadOnly})
		}
	}
	return all
}

// newProcess takes from a state what a program that is started does not get: of
// variables and functions it gets those that are exported.
func newProcess(sub *shell.State) {
	sub.Alts, sub.Traps, sub.Aliases, sub.Frame = nil, nil, nil, nil
	sub.Own, sub.Stays = nil, false
	sub.Vars = sub.Vars.Exported()
	exportedOnly(sub)
}

func exportedOnly(sub *shell.State) {
	maps.DeleteFunc(sub.Funcs, func(_ string, f *shell.Func) bool { return !f.Exported })
}

func (m *machine) nested(sub, st *shell.State, inv *shell.Invocation, r *catalog.Result, run *catalog.Run) shell.Outcome {
	if inv.HasStdin && st.Here() && !sub.Here() { // a file of this machine that goes into a command elsewhere
		sent := *inv
		sent.Stdin = m.sc.Resolved(st, inv.Stdin)
		inv = &sent
	}
	if dialect, ok := m.fronts.Dialect(run.Lang); ok && run.Mode == catalog.RunTraced {
		sub.Shell = dialect
		m.eval(sub, inv, "set -x")
	}
	switch run.Kind {
	case catalog.RunArgv, catalog.RunExec:
		argv := run.Argv
		if run.Kind == catalog.RunExec {
			argv = append([]value.Value{run.Text}, run.Args...)
		}
		next := *inv
		next.Argv, next.Assign = nil, nil
		for _, v := range argv {
			next.Argv = append(next.Argv, shell.Word{Value: v})
		}
		if run.Open { // two words at least: a source and a destination
			more := shell.Word{Value: value.Of(value.Hole{Cause: risk.CauseInput, Name: "more arguments"}), Many: true}
			if last := argv[len(argv)-1]; last.HasCause(risk.CauseMatch) { // more of the files that were found
				more.Value = last
			}
			next.Argv = append(next.Argv, more, more)
		}
		exportedOnly(sub) // for a shell among the words; they themselves name programs
		return m.argv(sub, &next)
	case catalog.RunShell:
		text := run.Text
		if known, ok := text.Known(); ok && run.As == risk.KindTypedIntoAWindow && m.fronts.Parse(known, m.fronts.Default()) != nil { // for an editor, say
			m.sc.Note(inv.Span, risk.RoleCode, run.As.String())
			m.sc.Effect(sub, inv.Span, risk.Effect{Verb: risk.Blind, Kind: run.As})
			return shell.Outcome{}
		}
		if known, ok := text.Known(); ok && len(run.Parts) > 0 {
			text = value.Lit(spliced(sub, known, run.Parts)).With(text.Taint())
		}
		return m.shellText(sub, inv, text, run.Lang, run.Args)
	case catalog.RunScript:
		return m.script(sub, st, inv, run)
	case catalog.RunCode:
		return m.code(sub, inv, run)
	case catalog.RunPlugin:
		e := risk.Effect{Verb: risk.ExecUnknown, Target: run.Text.String(), Kind: risk.KindPlugin}
		m.sc.NotInspected(e.Target)
		m.sc.Effect(sub, inv.Span, e)
	case catalog.RunShellInteractive:
		m.interactive(sub, inv, run)
	}
	return shell.Outcome{}
}

// argv runs a command line in words. Words from a wrapper can name builtins
// only of the shell, so they are looked up as programs.
func (m *machine) argv(sub *shell.State, inv *shell.Invocation) shell.Outcome {
	if len(inv.Argv) == 0 {
		return shell.Outcome{}
	}
	if name, ok := inv.Argv[0].Value.Known(); ok {
		switch name {
		case "eval", "source", ".", "exec", "command", "builtin":
			var b value.Builder
			for i, w := range inv.Argv {
				if i > 0 {
					b.WriteString(" ")
				}
				b.Add(w.Value)
			}
			sub.Funcs = nil
			return m.shellText(sub, inv, b.Value(), sub.Shell, nil)
		}
	}
	return m.Run(sub, inv)
}

// shellText evaluates text in a shell of its own.
func (m *machine) shellText(sub *shell.State, inv *shell.Invocation, text value.Value, lang string, args []value.Value) shell.Outcome {
	if lang == "" {
		lang = "sh"
	}
	dialect, ok := m.fronts.Dialect(lang)
	if !ok {
		return m.code(sub, inv, &catalog.Run{Kind: catalog.RunShell, Text: text, Lang: lang, Args: args})
	}
	text = m.sc.Resolved(sub, text)
	known, ok := text.Known()
	if text.Taint().Has(value.Network) || !ok && !fillable(text) {
		m.Code(sub, inv.Span, text, dialect)
		if text.Taint().Has(value.Network) || !ok && len(text.Prefix()) == 0 {
			return shell.Outcome{}
		}
	}
	m.sc.Reveal(sub, inv.Span, text)
	if !ok {
		known = filled(sub, text)
	}
	sub.Shell = dialect
	sub.Params, sub.AnyArgs, sub.FewerArgs = nil, false, false
	if len(args) > 0 {
		sub.Zero = args[0]
		sub.Params = args[1:]
	}
	handStdin(sub, inv)
	return m.eval(sub, inv, known)
}

// spliced returns a text with parts as it stands in a state, which has them
// then beside those of the texts around it.
func spliced(sub *shell.State, text string, parts []value.Value) string {
	from := len(sub.Parts)
	sub.Parts = append(slices.Clip(sub.Parts), parts...)
	return splice.Rebase(text, len(parts), from)
}

// fillable reports whether every hole can stand in code without changing its
// structure: a plain word or a number, one of a few known strings, or what another
// program than a shell put there as data.
func fillable(v value.Value) bool {
	for _, h := range v.Holes() {
		if h.Written == "" && h.Shape != value.Word && h.Shape != value.Number && h.Cause != risk.CauseUnset && h.Shape != value.Below {
			return false
		}
	}
	return true
}

// filled is text whose holes stand in it as data of the shell that reads it.
func filled(sub *shell.State, text value.Value) string {
	var b splice.Builder
	for _, p := range text.Parts() {
		switch {
		case p.Hole == nil:
			b.Text(p.Lit)
		case p.Hole.Written != "":
			b.Data(value.Of(*p.Hole).With(text.Taint()))
		case p.Hole.Cause == risk.CauseUnset:
			b.Text("${" + p.Hole.Name + "}")
		default:
			b.Text(`"`)
			b.Data(value.Of(*p.Hole).With(text.Taint()))
			b.Text(`"`)
		}
	}
	return spliced(sub, b.String(), b.Parts())
}

func handStdin(sub *shell.State, inv *shell.Invocation) {
	sub.Stdin, sub.StdinSet, sub.StdinNet = inv.Stdin, inv.HasStdin, inv.StdinNet
	sub.Open = inv.Open
	if len(inv.Files) == 0 {
		return
	}
	sub.Open = map[string]shell.Connection{}
	maps.Copy(sub.Open, inv.Open)
	for fd, content := range inv.Files {
		sub.Open[fd] = shell.Connection{Path: value.Lit("/dev/fd/" + fd), In: content}
	}
}

func (m *machine) eval(sub *shell.State, inv *shell.Invocation, text string) shell.Outcome {
	var sink *shell.Sink
	if inv.Piped {
		sink = &shell.Sink{Net: inv.StdoutNet}
	}
	sub.Gone = false
	if what, _ := invisible.Find(text); what != "" && strings.Contains(text, "\r") { // a blank to the parser, and a letter to the shells
		m.sc.Effect(sub, inv.Span, risk.Effect{Verb: risk.ExecKnown, Kind: risk.KindConcealingCharacters, Target: what})
	}
	if err := m.fronts.Eval(m, sub, text, &inv.Span, sink); err != nil {
		why, language := risk.KindPartUnparsable, sub.Shell
		if errors.Is(err, shell.ErrTooComplex) {
			m.sc.Trace.Spent = true
			why, language = risk.KindTooComplex, ""
		}
		m.sc.Note(inv.Span, risk.RoleCode, why.Of(language))
		m.sc.Effect(sub, inv.Span, risk.Effect{Verb: risk.Blind, Kind: why, Target: language})
	}
	if sink != nil {
		return shell.Outcome{Stdout: sink.Value(), Status: sub.Status, Doomed: sub.Doomed}
	}
	return shell.Outcome{Status: sub.Status, Doomed: sub.Doomed}
}

// script runs a file of code, or standard input as code.
func (m *machine) script(sub, st *shell.State, inv *shell.Invocation, run *catalog.Run) shell.Outcome {
	if run.Stdin {
		if !inv.HasStdin {
			run.Kind = catalog.RunShellInteractive
			m.interactive(sub, inv, run)
			return shell.Outcome{}
		}
		text := m.sc.Resolved(st, inv.Stdin)
		if _, isShell := m.fronts.Dialect(run.Lang); isShell {
			quiet := *inv
			quiet.HasStdin = false
			args := append([]value.Value{inv.Argv[0].Value}, run.Args...)
			return m.shellText(sub, &quiet, text, run.Lang, args)
		}
		return m.code(sub, inv, &catalog.Run{Text: text, Lang: run.Lang})
	}
	name, ok := flow.Absolute(st, run.Text).Known()
	if !ok {
		e := risk.Effect{Verb: risk.ExecUnknown, Target: run.Text.String(), Kind: risk.KindScript}
		flow.DescribeHole(&e, run.Text)
		m.sc.Effect(sub, inv.Span, e)
		return shell.Outcome{}
	}
	switch fd, ok := flow.Descriptor(name); {
	case ok && fd == "0":
		again := *run
		again.Stdin = true
		return m.script(sub, st, inv, &again)
	case ok: // what another descriptor leads to is not known
		m.sc.Effect(sub, inv.Span, risk.Effect{Verb: risk.ExecUnknown, Target: name, Kind: risk.KindScript, Unresolved: name, Cause: risk.CauseInput})
		return shell.Outcome{}
	}
	p := program{name: path.Base(name), local: true}
	p.path, p.info = reached(st, name)
	args := append([]value.Value{run.Text}, run.Args...)
	return m.runScript(sub, inv, p, run.Lang, args)
}

// onlyHelp recognises a command whose only argument asks for its help or
// version: every program is expected to answer that and do nothing else.
func onlyHelp(inv *shell.Invocation) bool {
	if len(inv.Argv) != 2 {
		return false
	}
	s, _ := inv.Argv[1].Value.Known()
	return s == "--help" || s == "--version"
}

// taintedArgs records secrets that are handed to a program which heed does
// not know.
func (m *machine) taintedArgs(st *shell.State, inv *shell.Invocation, e risk.Effect) {
	for _, w := range inv.Argv[1:] {
		if w.Value.Taint().Has(value.Secret) {
			e.Verb, e.Source, e.Kind = risk.SecretSend, m.sc.SecretName(w.Value), risk.KindHandedToAProgram
			m.sc.Effect(st, inv.Span, e)
			return
		}
	}
}
