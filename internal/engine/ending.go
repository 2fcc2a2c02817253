package engine

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// How an invocation ends is told of what its program needs: what its spec says of
// that, and else that the files which it is to read, delete, move or change are
// there. It is asked before anything of the invocation is done. What is not looked
// at, or not known, is no reason for anything.

// An outlook is how things are as an invocation begins.
type outlook struct {
	*machine
	st  *shell.State
	inv *shell.Invocation
	r   *catalog.Result
}

// ending says how an invocation ends, or nil where nothing is known to stand in
// its way, or what would start it does nothing.
func (o outlook) ending() *risk.Ending {
	if o.sc.Idle() {
		return nil
	}
	return o.behindStart(o.atOnce())
}

// behindStart is an ending of an interpreter whose script is not there: what its
// environment has it run first is run all the same, where it opens the script later.
func (o outlook) behindStart(e *risk.Ending) *risk.Ending {
	runs := o.r.Runs
	if e == nil || e.How != risk.EndFails || e.ByShell || len(e.Missing) == 0 || len(runs) < 2 {
		return e
	}
	script := slices.IndexFunc(runs, func(run catalog.Run) bool { return run.Kind == catalog.RunScript && o.missing(run.Text) })
	others := slices.ContainsFunc(runs, func(run catalog.Run) bool {
		return run.Kind != catalog.RunArgv && (run.Kind != catalog.RunScript || !o.missing(run.Text))
	})
	if script < 0 || !others || inline.OpensFirst(runs[script].Lang) {
		return e
	}
	runs[script].Gone = e
	return &risk.Ending{How: risk.EndPartly, Missing: e.Missing}
}

// atOnce is an ending as if the invocation did nothing before it.
func (o outlook) atOnce() *risk.Ending {
	inv, r := o.inv, o.r
	if !o.Settled() {
		return o.withoutEntries()
	}
	if inv.Stuck != nil {
		return inv.Stuck
	}
	if !o.understood() {
		return nil
	}
	if name, known := inv.Argv[0].Value.Known(); known && !slices.Contains(systemDirs, path.Dir(name)+"/") {
		if e := o.noProgram(name); e != nil {
			return e
		}
	}
	var stated []string // arguments
	var last *catalog.Need
	for n := range r.Needs() {
		if n.Kind.OfArgument() {
			stated = append(stated, n.Names...)
		}
		if n.Kind.Last() {
			last = n
		}
		if n.Kind.Aside() || n.Kind.Last() {
			continue
		}
		if e := o.unmet(n); e != nil {
			return e
		}
	}
	if o.incomplete() {
		return &risk.Ending{How: risk.EndFails, Because: "no " + strings.ReplaceAll(r.Match.Lacks, "-", " ") + " is given"}
	}
	if word, option, ok := r.Match.Refused(); ok && len(word) <= maxRefused {
		return &risk.Ending{How: risk.EndFails, Because: option + " takes no “" + word + "”"}
	}
	if r.Lacks != "" {
		return &risk.Ending{How: risk.EndFails, Because: r.Lacks, Never: r.Never}
	}
	if r.Spares != "" {
		return &risk.Ending{How: risk.EndIdle, Because: r.Spares}
	}
	if o.moved() {
		if r.Proceeds { // whose hook says where each file is
			return o.withoutFiles(stated)
		}
		return nil
	}
	if r.Traits.Has(catalog.Pardons) || r.Traits.Has(catalog.Editor) {
		return nil
	}
	if e := o.withoutScript(stated); e != nil {
		return e
	}
	if e, _ := o.withoutModule(); e != nil {
		return e
	}
	if e := o.withoutApp(); e != nil {
		return e
	}
	if e := o.withoutThings(stated); e != nil {
		return e
	}
	if e := o.withoutConfiguration(); e != nil {
		return e
	}
	if e := o.withoutFiles(stated); e != nil {
		return e
	}
	return o.withoutRights(last)
}

// withoutEntries says how an invocation ends for want of an entry of a manifest, where what
// ran before may have changed other files: nobody's build adds scripts to the manifest.
func (o outlook) withoutEntries() *risk.Ending {
	if o.inv.Stuck != nil || !o.understood() || o.sc.Awaited() || slices.ContainsFunc(o.sc.Trace.Effects, o.mayChangeManifest) || o.ranElsewhere() {
		return nil
	}
	for n := range o.r.Needs() {
		if _, ofRepository := catalog.RepositoryLists()[n.Of]; n.Kind != catalog.NeedsEntry || ofRepository {
			continue
		}
		if e := o.unmet(n); e != nil {
			return e
		}
	}
	return nil
}

// ranElsewhere reports whether the same command was looked at in another directory, where it
// did something: the shell may come to it there.
func (o outlook) ranElsewhere() bool {
	return slices.ContainsFunc(o.sc.Trace.Effects, func(e risk.Effect) bool {
		return e.Span == o.inv.Span && e.By.Process != o.sc.Current && !o.sc.Fails(&e)
	})
}

// mayChangeManifest reports whether the manifest of a project may be another after an effect.
func (o outlook) mayChangeManifest(e risk.Effect) bool {
	switch e.Verb {
	case risk.ExecProject, risk.PkgInstall, risk.NetListen, risk.NetSend, risk.RemoteChange, risk.DBChange:
		return false
	}
	return disturbs(&e) && !o.sc.Fails(&e)
}

// maxRefused is how long a word may be, in bytes, to be told as one that an option
// does not take.
const maxRefused = 40

// understood reports whether it is known what is asked of the program, and where on this
// machine it looks.
func (o outlook) understood() bool {
	return o.r.Match != nil && !o.r.Help && o.st.Here() && o.st.Dir.IsKnown()
}

// withoutScript says how an interpreter ends whose script is not there. Some look for
// a name without an extension elsewhere, or add one to it.
func (o outlook) withoutScript(stated []string) *risk.Ending {
	for i := range o.r.Runs {
		run := &o.r.Runs[i]
		text, known := run.Text.Known()
		arg, given := asGiven(o.r.Match, run.Arg, run.Text)
		if run.Kind == catalog.RunScript && known && given && !slices.Contains(stated, arg) && path.Ext(text) != "" && o.missing(run.Text) {
			return o.without(run.Text)
		}
	}
	return nil
}

// noProgram says how a command ends whose program is written as a path that leads
// nowhere, or nil.
func (o outlook) noProgram(name string) *risk.Ending {
	switch {
	case !o.Settled():
		return nil
	case o.inv.Stuck != nil:
		return o.inv.Stuck
	case !strings.Contains(name, "/") || !o.st.Here() || !o.st.Dir.IsKnown() || !o.missing(value.Lit(name)):
		return nil
	}
	return o.without(value.Lit(name))
}

// Settled implements [shell.Machine].
func (m *machine) Settled() bool {
	for i := range m.sc.Trace.Effects {
		if e := &m.sc.Trace.Effects[i]; disturbs(e) && !m.sc.Fails(e) {
			return false
		}
	}
	return !m.sc.Awaited()
}

// calm reports whether nothing that ran before surely acts on files by itself: what was asked
// for may be saved under a name that nobody sees, and a server of this machine may do
// something.
func calm(sc *flow.Scene) bool {
	return !sc.Awaited() && !slices.ContainsFunc(sc.Trace.Effects, func(e risk.Effect) bool {
		return disturbs(&e) && e.Verb != risk.NetFetch && e.Verb != risk.NetSend && !sc.Fails(&e)
	})
}

// disturbs reports whether things may be otherwise after an effect than the overlay
// has them.
func disturbs(e *risk.Effect) bool {
	switch e.Verb {
	case risk.FSRead, risk.SecretRead, risk.RemoteRead, risk.DBRead, risk.NetConnect, risk.ExecKnown, risk.ProcSignal, risk.PrivGain:
		return false
	case risk.ExecProject: // whose commands are looked at one by one
		return e.Kind != risk.KindInspectedScript
	case risk.FSCreate, risk.FSWrite, risk.FSDelete, risk.FSMove, risk.FSAttr:
		switch e.Kind {
		case risk.KindRename, risk.KindExchange, risk.KindReplacedByItsCompressedForm, risk.KindReplacedByItsDecompressedForm: // what is called what is not followed
			return true
		}
		return e.Many && e.Verb != risk.FSDelete || e.Recursive && e.Verb != risk.FSDelete && e.Verb != risk.FSAttr || e.Unresolved != ""
	}
	return true
}

// failing is an ending that is a failure, or nil.
func failing(e *risk.Ending) *risk.Ending {
	if e == nil || e.How != risk.EndFails && e.How != risk.EndPartly {
		return nil
	}
	return e
}

// nothing is why an invocation prints nothing: it fails, or it only passes on what it
// reads of one that does.
func (o outlook) nothing(ending *risk.Ending) *risk.Ending {
	switch {
	case ending != nil && ending.How == risk.EndFails:
		return ending
	case o.starved() && (o.r.ShowsStdin || o.r.Traits.Has(catalog.KeepsLines) || o.r.Traits.Has(catalog.Filters) || o.r.Traits.Has(catalog.Searches)):
		return o.inv.Starved
	}
	return nil
}

// starved reports whether an invocation works on the output of one that prints nothing.
func (o outlook) starved() bool {
	return o.inv.Starved != nil && o.r.ReadsStdin && len(o.r.Effects) == 0 && (len(o.r.Runs) == 0 || o.r.PerInput) && o.Settled()
}

// doomed is how an invocation fails, or nil: a search in what holds nothing finds nothing.
func (o outlook) doomed(ending *risk.Ending) *risk.Ending {
	if e := failing(ending); e != nil || !o.starved() || !o.r.Traits.Has(catalog.Searches) {
		return e
	}
	return o.inv.Starved
}

// ends maps what specs say to what is told.
var ends = [...]risk.End{catalog.Fails: risk.EndFails, catalog.DoesNothing: risk.EndIdle, catalog.Waits: risk.EndWaits, catalog.Asks: risk.EndAsks}

// unmet says how an invocation ends because of a need that is surely not met, or
// nil.
func (o outlook) unmet(n *catalog.Need) *risk.Ending {
	words := o.r.Match.Needed(n)
	if n.Kind == catalog.NeedsGiven {
		if slices.ContainsFunc(n.Names, o.isGiven) {
			return nil
		}
		return o.because(n, nil)
	}
	if n.Kind == catalog.NeedsThere {
		words = slices.DeleteFunc(words, o.mayBeValue)
	}
	var failed []value.Value
	if len(words) > maxAsked {
		words = nil
	}
	for _, w := range words {
		if o.fails(n, w) {
			if n.Kind == catalog.NeedsRef {
				w = o.unfound(n, w)
			}
			failed = append(failed, w)
		}
	}
	switch {
	case n.Kind.OfArgument():
		if len(failed) == 0 || len(failed) < len(words) && !n.All && (n.Kind != catalog.NeedsThere && n.Kind != catalog.NeedsFile || n.Or != catalog.Fails) {
			return nil
		}
	case !o.lacking(n):
		return nil
	}
	e := &risk.Ending{How: ends[n.Or]}
	if n.Kind == catalog.NeedsThere {
		if len(failed) < len(words) && !n.All {
			e.How = risk.EndPartly
		}
		for _, w := range failed {
			if name := o.sc.Place(o.st, o.ofRepository(w), true).Written; !slices.Contains(e.Missing, name) {
				e.Missing = append(e.Missing, name)
			}
		}
		return e
	}
	if n.Kind == catalog.NeedsInput && n.Or == catalog.Waits {
		return e // that says it all
	}
	if e = o.because(n, failed); e != nil && n.Kind == catalog.NeedsFile && len(failed) < len(words) {
		e.How = risk.EndPartly
	}
	return e
}

// isGiven reports whether an argument may be given, or what stands for one: a variable,
// $NAME, or a file of settings, ~/NAME.
func (o outlook) isGiven(name string) bool {
	if variable, ok := strings.CutPrefix(name, "$"); ok {
		return o.isSet(variable)
	}
	if file, ok := strings.CutPrefix(name, "~/"); ok {
		home := o.home()
		return home == "" || o.st.Context.Privileged || !o.missing(value.Lit(path.Join(home, file)))
	}
	if strings.HasPrefix(name, "--") && slices.ContainsFunc(o.inv.Words(), func(w value.Value) bool { return !w.IsKnown() || strings.HasPrefix(w.Prefix(), name) }) {
		return true
	}
	return o.r.Match.MayHave(name)
}

// because is the ending with the words of the spec for it, or nil where they cannot be
// told.
func (o outlook) because(n *catalog.Need, failed []value.Value) *risk.Ending {
	because, ok := o.r.Without(n, failed, spoken)
	if !ok {
		return nil
	}
	return &risk.Ending{
		How: ends[n.Or], Because: because, Rightless: n.Kind == catalog.NeedsUnmanaged || n.Kind == catalog.NeedsRoot && n.Else == catalog.NotRoot,
		// What a variable or a file of settings may give as well is there in another shell.
		Never: n.Kind == catalog.NeedsGiven && !slices.ContainsFunc(n.Names, func(name string) bool { return strings.HasPrefix(name, "$") || strings.HasPrefix(name, "~") }),
	}
}

// spoken writes words into the reason that a spec gives. Who tells of it makes them
// safe to show.
func spoken(_ string, words []value.Value) string {
	var out []string
	room := 60
	for _, w := range words {
		text, known := w.Known()
		if !known || len(out) == 0 && len(text) > room {
			return ""
		}
		if room -= len(text); room < 0 || len(out) == 3 {
			return strings.Join(out, ", ") + " and " + strconv.Itoa(len(words)-len(out)) + " more"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// maxAsked is how many arguments are looked at for how an invocation ends; of more
// of them, as a search hands them over, it is not known.
const maxAsked = 64

// incomplete reports whether a word is missing that the program does nothing without: it
// is then all that is known of the invocation ([flow.Deed]).
func (o outlook) incomplete() bool {
	m := o.r.Match
	if !m.Incomplete || telling(m.Lacks) == "" || o.r.Traits.Has(catalog.Editor) || m.Loose() || len(m.Unknown) > 0 || len(o.r.Effects) > 0 || len(o.r.Runs) > 0 || !m.Missing.Empty() {
		return false
	}
	return !m.Excused()
}

// telling is what the grammar calls a word, where that says what it is.
func telling(name string) string {
	switch name {
	case "word", "words", "arg", "args", "operand", "what", "thing", "object", "value", "rest", "target":
		return ""
	}
	return name
}

// aside says what is not there that is no reason to say that the program fails
// ([catalog.NeedKind.Aside]), or "".
func (o outlook) aside() string {
	if !o.Settled() || !o.understood() {
		return ""
	}
	for n := range o.r.Needs() {
		if n.Kind.Aside() {
			if e := o.unmet(n); e != nil {
				return e.Because
			}
		}
	}
	if _, aside := o.withoutModule(); aside != "" {
		return aside
	}
	if aside := o.misprinted(); aside != "" {
		return aside
	}
	return o.withoutSettings()
}

// misprinted says which word only looks like an option, or quoted, as in text that a word
// processor has set: no program takes another dash, and no shell other quotes.
func (o outlook) misprinted() string {
	for i := range o.inv.Argv[1:] {
		text, _ := o.inv.Argv[i+1].Value.Known()
		c, size := utf8.DecodeRuneInString(text)
		switch {
		case text == "" || c < utf8.RuneSelf || len(text) > maxRefused:
		case strings.ContainsRune("‐‑‒–—−", c) && len(text) > size && text[size] >= 'A' && text[size] <= 'z':
			return text + " is no option, since its dash is another character"
		case strings.ContainsRune("“”‘’„«", c):
			return text + " is not quoted, since its quotes are other characters"
		}
	}
	return ""
}

// withoutConfiguration says how a program ends whose file of settings, that an option names
// as such, is not there. Who names one has no other used; what makes do without has the
// trait pardons.
func (o outlook) withoutConfiguration() *risk.Ending {
	if len(o.r.Match.Args) > maxAsked || len(o.r.Match.Program.Names) >= manyPrograms && !o.spelledOut("conf") {
		return nil
	}
	for i := range o.r.Match.Args {
		b := &o.r.Match.Args[i]
		role := b.Arg.Role == catalog.Config || b.Arg.Role == catalog.Reads
		if role && (b.Arg.Name == "config" || b.Arg.Name == "configuration") && o.namesNoFile(b) {
			return o.without(b.Value)
		}
	}
	return nil
}

// namesNoFile reports whether the value of an option surely is the name of a file that is not
// there, and that nothing makes.
func (o outlook) namesNoFile(b *catalog.Bound) bool {
	text, _ := b.Value.Known()
	return !b.Default && !o.r.Match.IsOperand(b) && catalog.LooksLikeFile(text) && !o.makes(b.Value, "") && o.missing(b.Value)
}

// spelledOut reports whether a long option is given that has a word in its name.
func (o outlook) spelledOut(word string) bool {
	return slices.ContainsFunc(o.inv.Words(), func(w value.Value) bool {
		name, _, _ := strings.Cut(w.Prefix(), "=")
		return strings.HasPrefix(name, "--") && strings.Contains(name, word)
	})
}

// manyPrograms is how many programs share a spec before it is not sure of each what an
// option means to it.
const manyPrograms = 4

// withoutSettings says which file of settings, that an option names, is not there. What a
// program does then, is not known of all.
func (o outlook) withoutSettings() string {
	if len(o.r.Match.Args) > maxAsked || o.moved() {
		return ""
	}
	for i := range o.r.Match.Args {
		b := &o.r.Match.Args[i]
		if b.Arg.Role == catalog.Config && o.namesNoFile(b) {
			return spoken("", []value.Value{b.Value}) + " is not there"
		}
	}
	return ""
}
