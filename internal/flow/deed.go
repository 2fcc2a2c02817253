package flow

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// A Deed is one program that is run: who it is, with which words and streams,
// and what the catalog says of that.
type Deed struct {
	*Scene
	State   *shell.State
	Inv     *shell.Invocation
	Program string // the name by which it is called
	Result  *catalog.Result
	// Hook, if set, runs a repository's hook as the script that it is, and
	// reports whether it could.
	Hook func(file string) bool

	from int // where its effects begin in the trace
	// finds is the secret among what it finds, if it shows that.
	finds string
}

// Begin begins a deed.
func (sc *Scene) Begin(st *shell.State, inv *shell.Invocation, program string, r *catalog.Result) *Deed {
	return &Deed{Scene: sc, State: st, Inv: inv, Program: program, Result: r, from: len(sc.Trace.Effects)}
}

// effects are those of the deed so far.
func (d *Deed) effects() []risk.Effect { return d.Trace.Effects[min(d.from, len(d.Trace.Effects)):] }

// tell records an effect of the deed's program.
func (d *Deed) tell(e risk.Effect) {
	if e.Program == "" {
		e.Program = d.Program
	}
	if e.By.Rule == "" {
		e.By.Rule = "flow"
	}
	d.Effect(d.State, d.Inv.Span, e)
}

// Apply records what a program does by its own grammar, and what follows from
// that, and returns the sources of what it prints.
func (d *Deed) Apply() value.Taint {
	printed := d.stated()
	fetched := d.takesFetched()
	if !d.steps() {
		for i := range d.Result.Effects { // only now: the effects happened to the files as they were
			d.play(&d.Result.Effects[i])
		}
	}
	d.brings()
	d.trees()
	for _, dir := range fetched {
		d.State.FS.Fetch(dir)
	}
	d.fetchedDirs()
	d.recipes()
	d.committed()
	d.hoards()
	d.swarms()
	for _, u := range d.Result.Unknowns {
		d.Note(d.Inv.Span, u.Role, u.What)
		d.tell(risk.Effect{Verb: risk.ExecKnown, Target: u.What, Kind: risk.KindNotUnderstood})
	}
	return d.prints(printed)
}

// steps reports whether the effects are those of statements, each of which finds
// the files as those before it left them.
func (d *Deed) steps() bool { return d.Result.Match == nil }

func (d *Deed) play(x *catalog.Effect) {
	if !strings.HasPrefix(string(x.Verb), "fs.") {
		return
	}
	carried, _ := d.carried(x)
	content, known := d.written(x)
	d.Play(d.on(x).State, x, content.With(carried).Without(value.Endless), known)
}

// Follow records what only shows once all of the deed's own effects are known.
func (d *Deed) Follow() {
	d.privileged()
	d.incomplete()
	d.variables()
	d.hunt()
	d.huntNames()
	d.passwords()
	d.lookalikes()
}

// fedNothing reports whether what is written is what the program reads, and that is nothing
// (`tee log </dev/null`).
func (d *Deed) fedNothing(x *catalog.Effect) bool {
	return len(x.Carries) == 1 && x.Carries[0].Stdin && d.Inv.HasStdin && d.Inv.Stdin.Empty() && d.Inv.Stdin.Taint() == 0
}

// stated records the effects that the catalog states, and returns the sources
// of what reaches standard output.
func (d *Deed) stated() value.Taint {
	inv, r := d.Inv, d.Result
	var printed value.Taint
	d.mayRead()
	args, secretArg := d.words()
	screen := d.writesScreen()
	r.ShowsStdin = r.ShowsStdin || screen && r.ReadsStdin
	filesOnly := slices.ContainsFunc(r.Effects, func(x catalog.Effect) bool { return x.Verb == risk.FSDelete }) && d.filesOnly()
	for i := range r.Effects {
		x := &r.Effects[i]
		x.Recursive = x.Recursive || d.takesAll(x)
		x.FilesOnly = x.Verb == risk.FSDelete && filesOnly
		if x.Verb == risk.FSWrite && x.Kind == risk.NoKind && d.fedNothing(x) {
			x.Kind = risk.KindTruncate
		}
		x.Shown = x.Shown && !d.passes(x) || d.quotes(x) || screen && x.Verb == risk.FSRead
		carried, name := d.carried(x)
		at := d.on(x)
		st := at.State
		switch {
		case strings.HasPrefix(string(x.Verb), "fs.") || x.Verb == risk.DiskWrite && strings.HasPrefix(x.Target.Prefix(), "/"):
			d.FileEffect(st, inv.Span, x, value.Value{}, d.Program)
			if x.Verb == risk.FSRead && x.Shown {
				printed |= d.Contents(st, x.Target).Taint()
				if !x.Recursive && d.shaped(st, x.Target) {
					printed |= value.Secret
				}
				if x.Recursive && d.seeksSecrets(x.Target, r.Sought) {
					printed |= value.Secret
				}
				if d.happens(x.Target, x.Recursive || x.Arg == "member") {
					printed |= value.Secret
					d.finds = d.found
				}
				if x.Arg == "member" && d.HoldsSecrets(st, x.Target) { // an archive on standard output
					printed |= value.Secret
				}
			}
			if x.Verb == risk.FSWrite && !x.Recursive && !r.Traits.Has(catalog.Ends) {
				d.Fills(st, inv.Span, x.Target, carried)
			}
			if x.Verb == risk.FSWrite && carried.Has(value.Secret) {
				d.ToFile(st, inv.Span, x.Target, value.Unknown(risk.CauseFile, name.String()).With(carried))
			}
		case x.Verb == risk.Exhaust && st.Context.Limited:
		default:
			at.otherEffect(x, carried|args&^value.Credential, name, secretArg)
			if x.Verb == risk.NetFetch {
				printed |= value.Network
			}
		}
		if d.steps() {
			d.play(x)
		}
	}
	return printed
}

// mayRead adds the files that may be operands of the program, where its grammar
// cannot tell.
func (d *Deed) mayRead() {
	if d.Result.Match == nil || d.Result.Help {
		return
	}
	for v := range d.Result.Match.Ambiguous {
		if p := d.Place(d.State, v, true); p.Unread || p.Info.Kind == world.Regular {
			d.Result.Effects = append(d.Result.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Shown: true, Rule: "spec"})
		}
	}
}

// on is the deed on the machine that an effect happens on: another one, if the
// program has one do it.
func (d *Deed) on(x *catalog.Effect) *Deed {
	if x.Host == "" || x.Host == d.State.Context.Host {
		return d
	}
	away := *d
	away.State = d.State.Clone()
	away.State.Context.Host = x.Host
	return &away
}

// words returns the sources of the program's words, and the last of them that
// holds a secret.
func (d *Deed) words() (all value.Taint, secret value.Value) {
	for _, w := range d.Inv.Argv[1:] {
		all |= w.Value.Taint()
		if w.Value.Taint().Has(value.Secret) {
			secret = w.Value
		}
	}
	return all, secret
}

// prints adds to the sources of what is printed those that are not from files.
func (d *Deed) prints(printed value.Taint) value.Taint {
	r := d.Result
	if r.ShowsStdin {
		printed |= d.Inv.Stdin.Taint()
	}
	if r.Traits.Has(catalog.Echoes | catalog.Repeats) {
		args, _ := d.words()
		printed |= args &^ value.Endless
	}
	if host := d.State.Context.Host; host != "" && r.Traits.Has(catalog.Environment) && len(r.Match.Values("name")) == 0 {
		d.Effect(d.State, d.Inv.Span, risk.Effect{Verb: risk.RemoteRead, Target: host, Program: d.Program, Kind: risk.KindVariablesOfAnotherMachine})
	}
	if t := d.environment(); r.Traits.Has(catalog.Reports) {
		d.Show(d.State, d.Inv.Span, value.Unknown(risk.CauseOutput, d.Program).With(t))
	} else {
		printed |= t
	}
	printed |= d.leaks()
	printed = d.unended(printed) | d.loops()
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
func (d *Deed) written(x *catalog.Effect) (value.Value, bool) {
	st, inv := d.State, d.Inv
	if x.Kind == risk.KindDownload {
		return value.Unknown(risk.CauseInput, "network").With(value.Network), true
	}
	if len(x.Carries) == 1 {
		if x.Carries[0].Stdin {
			return inv.Stdin, inv.HasStdin
		}
		return d.Contents(st, x.Carries[0].Path), true
	}
	if x.Verb == risk.FSCreate && d.Result.Traits.Has(catalog.MakesEmpty) {
		return value.Value{}, true
	}
	return value.Value{}, false
}

// carried returns the sources of what flows into an effect's target, and the
// name of the first secret among them.
func (d *Deed) carried(x *catalog.Effect) (value.Taint, risk.Source) {
	st, inv := d.State, d.Inv
	var t value.Taint
	var name risk.Source
	for _, s := range x.Carries {
		v := inv.Stdin
		if !s.Stdin {
			v = d.Contents(st, s.Path)
			if homes := path.Dir(Worst(st, s.Path)); homes == "/home" || homes == "/Users" { // all that somebody has
				v = v.With(value.Private)
			}
			if d.HoldsSecrets(st, s.Path) {
				v = value.Unknown(risk.CauseFile, s.Path.String()).With(v.Taint() | value.Secret)
			}
		}
		if v.Taint().Has(value.Secret) && name.IsZero() {
			name = d.SecretName(v)
		}
		t |= v.Taint()
	}
	return t, name
}

// databaseFiles are the extensions of databases that are one file.
var databaseFiles = []string{".db", ".db3", ".sqlite", ".sqlite3", ".duckdb"}

// otherEffect records an effect on anything but a path.
func (d *Deed) otherEffect(x *catalog.Effect, t value.Taint, secret risk.Source, arg value.Value) {
	st, inv := d.State, d.Inv
	e := risk.Effect{Verb: x.Verb, Target: x.Target.String(), Kind: x.Kind, Recursive: x.Recursive, Forced: x.Forced, Many: x.Many, Program: d.Program, Where: x.Where, By: risk.Maker{Rule: x.Rule}}
	switch {
	case strings.HasPrefix(string(x.Verb), "net."):
		e.Scope = scopeOf(e.Target)
		if e.Verb == risk.NetFetch && rawProtocol(e.Target) {
			e.Verb = risk.NetSend
		}
	case x.Verb == risk.RemoteDestroy && (strings.Contains(e.Target, "://") || d.Result.Traits.Has(catalog.Requests)):
		if scopeOf(e.Target) == risk.IsLoopback { // no remote state
			e.Verb, e.Scope = risk.RemoteChange, risk.IsLoopback
		}
	case strings.HasPrefix(string(x.Verb), "db."): // NAME at HOST, a URL, or a host
		switch where := e.Target[strings.LastIndexByte(e.Target, ' ')+1:]; {
		case scopeOf(where) == risk.IsLoopback:
			e.Scope = risk.IsLoopback
		case where == ":memory:":
			e.Scope = risk.InTemp
		case slices.Contains(databaseFiles, path.Ext(where)):
			e.Scope = d.Place(st, value.Lit(where), true).Scope
		}
	}
	if x.Kind == risk.KindMoreRoomThanThereIs {
		e.Target = d.Place(st, x.Target, true).Path
	}
	if strings.HasPrefix(string(x.Verb), "vcs.") {
		e.By.Dir, _ = st.Dir.Known()
		if x.Repo != "" {
			e.By.Dir = x.Repo
		}
	}
	d.LookUp(st, &e, x.Repo, x.Rev)
	if x.Loses != nil {
		e.Counts, e.Reversible = x.Loses, risk.Restorable
		if !x.Loses.IsZero() {
			e.Reversible = risk.Lost
		}
	}
	if (e.Verb == risk.VCSDiscard || e.Verb == risk.VCSRewrite) && !x.Target.IsKnown() {
		DescribeHole(&e, x.Target)
		e.Reversible = risk.Lost // which files or branches it names is not known
	}
	if x.Verb == risk.ExecProject && x.Kind == risk.KindHook && d.Hook != nil && d.Hook(e.Target) {
		return
	}
	d.Effect(st, inv.Span, e)
	d.sends(&e)
	if x.Verb == risk.NetSend || x.Verb == risk.NetConnect || x.Verb == risk.NetFetch || x.Verb == risk.RemoteChange {
		if secret.IsZero() {
			secret = d.SecretName(arg)
		}
		if x.Verb != risk.NetSend {
			t &= value.Secret | value.Private
			if !arg.Taint().Has(value.Secret) && t.Has(value.Secret) && x.Verb != risk.RemoteChange {
				t &^= value.Private
			}
		}
		if name, ok := spelledOut(x.Target); ok && x.Verb != risk.RemoteChange {
			t, secret = t|value.Credential, risk.From("$"+name)
		}
		d.ToNet(st, inv.Span, e, t, secret)
	}
}

// incomplete tells of a command that lacks a word: it fails as it is written,
// or the word was meant to come from elsewhere. Where force is asked for, as of
// rm -f, no word is no error.
func (d *Deed) incomplete() {
	st, inv, r := d.State, d.Inv, d.Result
	if r.Match == nil || !r.Match.Incomplete || r.Match.Help || r.Match.Has("help") || r.Match.Has("dry") || r.Match.Has("done") || r.Match.Has("force") || len(r.Runs) > 0 || len(d.effects()) > 0 {
		return
	}
	d.Effect(st, inv.Span, risk.Effect{Verb: risk.ExecKnown, Target: d.Program, Program: d.Program, Kind: risk.KindIncomplete})
}

// privileged adds what sudo and its like mean beside the command they run.
func (d *Deed) privileged() {
	st, inv, r := d.State, d.Inv, d.Result
	if !st.Context.Privileged || len(r.Runs) > 0 || len(d.effects()) > 0 {
		return
	}
	if r.Match != nil && (r.Match.Help || r.Match.Has("help")) {
		return
	}
	d.Effect(st, inv.Span, risk.Effect{Verb: risk.ExecKnown, Target: d.Program, Program: d.Program})
}

// foundAnywhere is where a program may be that is looked for in a file that runs
// anywhere: in one of the directories of programs (Filesystem Hierarchy Standard
// 3.0, 4.4 and 4.9).
func (d *Deed) foundAnywhere(command string) (value.Value, bool) {
	if d.State.Absent == nil || d.Result.Match == nil {
		return value.Value{}, false
	}
	names := d.Result.Match.Operands()
	if len(names) != 1 {
		return value.Value{}, false
	}
	name, known := names[0].Known()
	if !known || name == "" || strings.ContainsAny(name, "/ \t\n") {
		return value.Value{}, false
	}
	return value.OneOf(risk.CauseGiven, command, "/usr/bin/"+name, "/usr/local/bin/"+name), true
}

// Printed is what a program prints when that cannot be computed.
func (d *Deed) Printed(t value.Taint) value.Value {
	st, inv, r := d.State, d.Inv, d.Result
	names := d.namesFiles()
	if names && d.looksFor(credentialWords.Get()) { // these files are what it was asked for
		t |= value.Found | value.Picked
	}
	if r.Stdout != nil {
		if inv.Turns {
			return eachTurn(*r.Stdout, CommandText(inv)).With(t)
		}
		return r.Stdout.With(t)
	}
	if !inv.Piped && !t.Has(value.Secret|value.Credential) {
		return value.Value{}
	}
	h := value.Hole{Cause: risk.CauseOutput, Name: CommandText(inv)}
	if t.Has(value.Secret | value.Credential) {
		for _, w := range inv.Argv[1:] {
			if !w.Value.Taint().Has(value.Secret | value.Credential) {
				continue
			}
			h.Cause, h.Name = risk.CauseFile, d.SecretName(w.Value).String()
			if variable, is := strings.CutPrefix(h.Name, "$"); is {
				h.Cause, h.Name = risk.CauseUnknown, variable
			}
		}
	}
	if d.finds != "" {
		h.Cause, h.Name = risk.CauseFile, d.finds
	}
	h.Lists = d.lists()
	if h.Lists.Of == value.OfProcesses {
		h.Name = h.Lists.String()
	}
	prints := r.Prints
	if names {
		prints = catalog.PrintsPaths
	}
	switch prints {
	case catalog.PrintsNothing:
		return value.Value{}.With(t & (value.Secret | value.Credential))
	case catalog.PrintsWord:
		h.Shape = value.Word
	case catalog.PrintsNumber:
		h.Shape = value.Number
	case catalog.PrintsSetup:
		h.Shape = value.Setup
	case catalog.PrintsProgram:
		if v, ok := d.foundAnywhere(h.Name); ok {
			return v.With(t)
		}
	case catalog.PrintsTemp:
		h.Shape, h.Base = value.Below, risk.NewTemp
		st.FS.Create(risk.NewTemp, value.Value{}, true)
	case catalog.PrintsPaths, catalog.PrintsNames, catalog.PrintsTargets:
		h.Edited = prints == catalog.PrintsTargets
		if r.Match != nil && r.Match.Node().Flag("hidden") && !r.Match.Has("hidden") {
			h.Lists = value.Listing{Of: value.OfPlainFiles}
		}
		h.Shape, h.Base, h.Cause = value.Below, ".", risk.CauseMatch
		if len(r.Sought) == 1 {
			h.Last = r.Sought[0]
		}
		h.Base = readBelow(r)
	}
	if r.ShowsStdin && inv.HasStdin { // a filter: lines of what came in, or what it makes of them
		if hs := inv.Stdin.Holes(); len(hs) > 0 && h.Shape == value.AnyText {
			h.Edited = hs[0].Shape == value.Below && (hs[0].Edited || !r.Traits.Has(catalog.WholeLines) && !hs[0].None)
			h.Shape, h.Base = hs[0].Shape, hs[0].Base
			h.Last, h.None = hs[0].Last, hs[0].None
			if l := hs[0].Lists; l.Of == value.OfPlainFiles || l.Of == value.OfService {
				h.Lists = l
			}
			if hs[0].Cause == risk.CauseMatch {
				h.Cause = risk.CauseMatch
				if glob, ok := d.asksFor(); ok && h.Last == "" {
					h.Last = glob
					t |= value.Found | value.Picked
				}
			}
		}
	}
	secret := false
	for i := range r.Effects {
		x := &r.Effects[i]
		if x.Verb == risk.FSRead && x.Shown {
			v := d.Contents(st, x.Target)
			if hs := v.Holes(); len(hs) == 1 && (r.Traits.Has(catalog.Verbatim) && !secret || v.Taint().Has(value.Secret)) {
				h.Cause, h.Name, secret = hs[0].Cause, hs[0].Name, v.Taint().Has(value.Secret)
			} else if len(hs) == 0 && r.Traits.Has(catalog.Verbatim) && len(r.Effects) == 1 {
				return v.With(t)
			}
		}
	}
	return value.Of(h).With(t)
}

// CommandText is a command as people read it, cut.
func CommandText(inv *shell.Invocation) string {
	var parts []string
	for _, w := range inv.Argv[:min(len(inv.Argv), 6)] {
		parts = append(parts, w.Value.String())
	}
	return Clip(strings.Join(parts, " "), 40)
}

// lists is the list that what is printed is of: the program's own, or the one
// that it reads and leaves some lines of.
func (d *Deed) lists() value.Listing {
	r := d.Result
	switch {
	case r.Traits.Has(catalog.Environment):
		return value.Listing{Of: value.OfEnvironment}
	case r.Lists.Of != value.NoListing:
		return r.Lists
	case slices.ContainsFunc(r.Effects, func(e catalog.Effect) bool { return e.Verb == risk.RemoteRead }):
		return value.Listing{Of: value.OfService, Named: d.Program}
	case r.Traits.Has(catalog.Filters):
		if of := d.Inv.Stdin.Lists(value.OfProcesses); of.Of != value.NoListing {
			return of
		}
	}
	if r.ShowsStdin && d.onlyFilters() {
		return d.Inv.Stdin.Lists(value.OfRefs)
	}
	return value.Listing{}
}

// onlyFilters reports whether nothing but standard input can be in what a filter
// prints: it has no words that are computed, and reads no file.
func (d *Deed) onlyFilters() bool {
	for _, w := range d.Inv.Argv[1:] {
		if !w.Value.IsKnown() || w.Value.Taint() != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(d.Result.Effects, func(e catalog.Effect) bool { return e.Verb == risk.FSRead })
}

// Clip cuts a text to n bytes.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
