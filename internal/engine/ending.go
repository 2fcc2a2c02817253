package engine

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
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
// its way.
func (o outlook) ending() *risk.Ending { return o.behindStart(o.atOnce()) }

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
		return nil
	}
	if inv.Stuck != "" {
		return &risk.Ending{How: risk.EndFails, Missing: []string{inv.Stuck}, ByShell: true}
	}
	if r.Help || r.Match == nil || !o.st.Here() || !o.st.Dir.IsKnown() {
		return nil
	}
	if name, known := inv.Words()[0].Known(); known && !slices.Contains(systemDirs, path.Dir(name)+"/") {
		if e := o.noProgram(name); e != nil {
			return e
		}
	}
	var stated map[string]bool
	for n := range r.Match.Needs() {
		for _, name := range n.Names {
			if stated == nil {
				stated = make(map[string]bool)
			}
			stated[name] = n.Kind.OfArgument() || stated[name]
		}
		if n.Kind.Aside() {
			continue
		}
		if e := o.unmet(n); e != nil {
			return e
		}
	}
	if o.incomplete() {
		return &risk.Ending{How: risk.EndFails, Because: "no " + strings.ReplaceAll(r.Match.Lacks, "-", " ") + " is given"}
	}
	if r.Lacks != "" {
		return &risk.Ending{How: risk.EndFails, Because: r.Lacks}
	}
	if o.moved() {
		return nil
	}
	if r.Traits.Has(catalog.Pardons) || r.Traits.Has(catalog.Editor) {
		return nil
	}
	if e := o.withoutScript(stated); e != nil {
		return e
	}
	if e := o.withoutThings(stated); e != nil {
		return e
	}
	return o.withoutFiles(stated)
}

// withoutThings says how an invocation ends whose device, local package, chart or image
// is not there ([catalog.Arg.IsFile]), whatever is done with it.
func (o outlook) withoutThings(stated map[string]bool) *risk.Ending {
	if len(o.r.Match.Args) > maxAsked {
		return nil
	}
	for i := range o.r.Effects {
		for _, s := range o.r.Effects[i].Carries {
			text, known := s.Path.Known()
			if known && !s.Stdin && slices.ContainsFunc(o.inv.Words(), func(w value.Value) bool { return w.String() != text && sameFile(w.String(), text) }) && o.missing(s.Path) {
				return &risk.Ending{How: risk.EndFails, Missing: []string{o.sc.Place(o.st, s.Path, true).Written}}
			}
		}
	}
	for i := range o.r.Match.Args {
		b := &o.r.Match.Args[i]
		if text, known := b.Value.Known(); known && !b.Default && !stated[b.Arg.Name] && (b.Arg.IsFile(text) || o.onDisk(text)) && !o.makes(b.Value) && o.missing(b.Value) {
			return &risk.Ending{How: risk.EndFails, Missing: []string{o.sc.Place(o.st, b.Value, true).Written}}
		}
	}
	return nil
}

// onDisk reports whether a word is a disk, or a part of one, that something is done with.
func (o outlook) onDisk(text string) bool {
	if !catalog.IsDisk(text) {
		return false
	}
	for i := range o.r.Effects {
		e := &o.r.Effects[i]
		if target, _ := e.Target.Known(); (e.Verb == risk.DiskWrite || e.Verb == risk.SysConfig || e.Verb == risk.FSMount) && target == text {
			return true
		}
	}
	return false
}

// withoutScript says how an interpreter ends whose script is not there. Some look for
// a name without an extension elsewhere, or add one to it.
func (o outlook) withoutScript(stated map[string]bool) *risk.Ending {
	for i := range o.r.Runs {
		run := &o.r.Runs[i]
		text, known := run.Text.Known()
		arg, given := asGiven(o.r.Match, run.Arg, run.Text)
		if run.Kind == catalog.RunScript && known && given && !stated[arg] && path.Ext(text) != "" && o.missing(run.Text) {
			return &risk.Ending{How: risk.EndFails, Missing: []string{o.sc.Place(o.st, run.Text, true).Written}}
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
	case o.inv.Stuck != "":
		return &risk.Ending{How: risk.EndFails, Missing: []string{o.inv.Stuck}, ByShell: true}
	case !strings.Contains(name, "/") || !o.st.Here() || !o.st.Dir.IsKnown() || !o.missing(value.Lit(name)):
		return nil
	}
	return &risk.Ending{How: risk.EndFails, Missing: []string{o.sc.Place(o.st, value.Lit(name), true).Written}}
}

// Settled implements [shell.Machine].
func (m *machine) Settled() bool {
	for i := range m.sc.Trace.Effects {
		if e := &m.sc.Trace.Effects[i]; disturbs(e) && !m.sc.Fails(e) {
			return false
		}
	}
	return true
}

// disturbs reports whether things may be otherwise after an effect than the overlay
// has them.
func disturbs(e *risk.Effect) bool {
	switch e.Verb {
	case risk.FSRead, risk.SecretRead, risk.RemoteRead, risk.DBRead, risk.NetConnect, risk.ExecKnown, risk.ProcSignal, risk.PrivGain:
		return false
	case risk.FSCreate, risk.FSWrite, risk.FSDelete, risk.FSMove, risk.FSAttr:
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
	return o.inv.Starved != nil && o.r.ReadsStdin && len(o.r.Effects) == 0 && o.Settled()
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
		if slices.ContainsFunc(n.Names, o.r.Match.MayHave) {
			return nil
		}
		return o.because(n, nil)
	}
	var failed []value.Value
	if len(words) > maxAsked {
		words = nil
	}
	for _, w := range words {
		if o.fails(n, w) {
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
			e.Missing = append(e.Missing, o.sc.Place(o.st, o.ofRepository(w), true).Written)
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

// because is the ending with the words of the spec for it, or nil where they cannot be
// told.
func (o outlook) because(n *catalog.Need, failed []value.Value) *risk.Ending {
	because, ok := o.r.Without(n, failed, spoken)
	if !ok {
		return nil
	}
	return &risk.Ending{How: ends[n.Or], Because: because}
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

// missing reports whether a path surely leads nowhere now.
func (o outlook) missing(w value.Value) bool {
	text, known := w.Known()
	if !known || !o.Spend(1) {
		return false
	}
	name, known := flow.Absolute(o.st, w).Known()
	if known && w.Pattern() != "" && w.Pattern() == text {
		return o.unmatched(path.Clean(name))
	}
	if !known || !isPath(text) || strings.HasPrefix(name, shell.SubstPath) || !world.Absent(o.st.FS, name) {
		return false
	}
	link, err := o.st.FS.Lstat(path.Clean(name)) // one that leads nowhere can be deleted and moved
	return err == nil && link.Kind == world.Missing
}

// unmatched reports whether a pattern that the shell left as it is surely leads nowhere,
// for a program that takes it for a path, or for a pattern of its own.
func (o outlook) unmatched(pattern string) bool {
	if fixed, _, deep := strings.Cut(pattern, "/**"); deep && !strings.ContainsAny(fixed, "{}()@!+|%,;=:\\\n\x00*?[") { // below what is not there is nothing, however deep
		return len(pattern) <= maxPathWord && world.Absent(o.st.FS, fixed)
	}
	if len(pattern) > maxPathWord || strings.Contains(pattern, "**") || strings.ContainsAny(pattern, "{}()@!+|%,;=:\\\n\x00") || !strings.ContainsAny(pattern, "*[") {
		return false
	}
	at := []string{"/"}
	for part := range strings.SplitSeq(strings.Trim(pattern, "/"), "/") {
		var next []string
		for _, dir := range at {
			if !o.Spend(1) || len(next) > maxAsked {
				return false
			}
			if !strings.ContainsAny(part, "*?[") {
				if !world.Absent(o.st.FS, path.Join(dir, part)) {
					next = append(next, path.Join(dir, part))
				}
				continue
			}
			entries, err := o.st.FS.ReadDir(dir, maxRefs)
			if err != nil && !errors.Is(err, fs.ErrNotExist) || len(entries) >= maxRefs {
				if info, err := world.Stat(o.st.FS, dir); err != nil || info.Kind == world.Dir {
					return false
				}
				continue
			}
			for _, e := range entries {
				if ok, err := path.Match(part, e.Name); err != nil {
					return false
				} else if ok {
					next = append(next, path.Join(dir, e.Name))
				}
			}
		}
		at = next
	}
	return len(at) == 0
}

// maxPathWord is the longest word that is told as a path, in bytes.
const maxPathWord = 250

// isPath reports whether a word is surely a path and nothing that a program
// understands otherwise: a place on another machine, a list, a pattern of its own.
func isPath(text string) bool {
	return text != "" && len(text) <= maxPathWord && !strings.ContainsAny(text, ":@*?[{%,;=\n\x00") && !strings.Contains(text, "...") && text[0] != '-' && text[0] != '~' && text[0] != '+' && text[0] != '#'
}

// withoutFiles says how an invocation ends whose files are not there, where its spec
// does not say so itself (stated): it fails, or has nothing to delete.
func (o outlook) withoutFiles(stated map[string]bool) *risk.Ending {
	var groups []fileGroup
	if len(o.r.Effects) > maxAsked {
		return nil
	}
	for i := range o.r.Effects {
		e := &o.r.Effects[i]
		switch e.Verb {
		case risk.FSRead, risk.FSDelete, risk.FSMove, risk.FSAttr:
		case risk.FSWrite:
			if !mends(e.Kind) {
				continue
			}
		default:
			continue
		}
		arg, given := asGiven(o.r.Match, e.Arg, e.Target)
		if e.Verb != risk.FSWrite && o.makes(e.Target) || e.Own || e.Host != "" || stated[arg] || e.Kind == risk.KindConfiguration {
			continue
		}
		if text, _ := e.Target.Known(); o.r.Match.Loose() && !strings.ContainsAny(text, "./") {
			continue // it may be the value of an option that is not listed
		}
		at := slices.IndexFunc(groups, func(g fileGroup) bool { return g.arg == arg })
		if at < 0 {
			at = len(groups)
			groups = append(groups, fileGroup{arg: arg})
		}
		g := &groups[at]
		if e.Many || !given && !e.Needed || !o.missing(e.Target) {
			g.there = true
			continue
		}
		g.forced = g.forced || e.Verb == risk.FSDelete && e.Forced
		if name, ok := flow.Absolute(o.st, e.Target).Known(); ok && !slices.Contains(g.missing, path.Clean(name)) {
			g.missing = append(g.missing, path.Clean(name))
		}
	}
	var partly *risk.Ending
	for i := range groups {
		switch g := &groups[i]; {
		case len(g.missing) == 0:
		case g.there && !g.forced:
			partly = &risk.Ending{How: risk.EndPartly, Missing: g.missing}
		case !g.there && g.forced:
			return &risk.Ending{How: risk.EndIdle, Missing: g.missing}
		case !g.there:
			return &risk.Ending{How: risk.EndFails, Missing: g.missing}
		}
	}
	return partly
}

// mends reports whether what is written so is a change of a file that is there.
func mends(k risk.Kind) bool {
	switch k {
	case risk.KindFixed, risk.KindFormatted, risk.KindInPlace, risk.KindMembersChanged, risk.KindMembersRemoved, risk.KindMetadata, risk.KindNamesHashed,
		risk.KindOneHostRemoved, risk.KindOverwrittenForGood, risk.KindPassphrase, risk.KindRepair, risk.KindReplacedByItsCompressedForm,
		risk.KindReplacedByItsDecompressedForm, risk.KindRewritten, risk.KindComment:
		return true
	}
	return false
}

// A fileGroup is what became of the files that one argument names.
type fileGroup struct {
	arg     string
	missing []string
	there   bool
	forced  bool
}

// makes reports whether the invocation itself makes what a path names.
func (o outlook) makes(path value.Value) bool {
	for i := range o.r.Effects {
		if e := &o.r.Effects[i]; (e.Verb == risk.FSCreate || e.Verb == risk.FSWrite) && e.Target.String() == path.String() {
			return true
		}
	}
	return false
}

// asGiven reports whether a path is a word of the command line, as it was given and
// no default, and of which argument: the one that is named, if the grammar has it and
// not only a hook. Of what options name only that is asked for which the work is done
// on ([catalog.Arg.IsInput]).
func asGiven(m *catalog.Match, name string, path value.Value) (arg string, given bool) {
	text, known := path.Known()
	arg = name
	for i := range m.Args {
		b := &m.Args[i]
		if word, ok := b.Value.Known(); ok && known && sameFile(word, text) && !b.Default && (m.IsOperand(b) || b.Arg.IsInput() && plainly(m, text) || word != text) {
			if given = true; b.Arg.Name == name {
				return name, true
			}
			arg = b.Arg.Name
		}
	}
	if name != "" {
		arg = name
	}
	return arg, given
}

// sameFile reports whether a word of the command line is a path, or the mark of a file
// before one, which programs that know it fail without: file://FILE.
func sameFile(word, text string) bool {
	if word == text {
		return true
	}
	mark, ok := strings.CutSuffix(word, text)
	return ok && text != "" && (mark == "file://" || mark == "fileb://")
}

// plainly reports whether the word of an option is written as a file is, where the spec
// is of many programs: to some of them the letter may mean another thing, as a number.
func plainly(m *catalog.Match, text string) bool {
	return strings.Trim(text, "0123456789") != "" && (len(m.Program.Names) < 4 || strings.ContainsAny(text, "./"))
}

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
	if o.r.Match == nil || o.r.Help || !o.Settled() || !o.st.Here() || !o.st.Dir.IsKnown() {
		return ""
	}
	for n := range o.r.Match.Needs() {
		if n.Kind.Aside() {
			if e := o.unmet(n); e != nil {
				return e.Because
			}
		}
	}
	return ""
}

// lost are the words that look like names of files by what they end with, that nothing
// is known to be made or looked for by, and that are not there.
func (o outlook) lost() (names []string) {
	m := o.r.Match
	if m == nil || o.r.Help || !o.Settled() || !o.st.Here() || !o.st.Dir.IsKnown() || o.moved() || len(m.Args) > maxAsked {
		return nil
	}
	for n := range m.Needs() {
		if n.Kind == catalog.NeedsRepository { // history may have it
			return nil
		}
	}
	look := func(w value.Value) {
		text, known := w.Known()
		if !known || len(names) == 2 || !catalog.LooksLikeFile(text) || o.makes(w) || !o.missing(w) {
			return
		}
		if name := o.sc.Place(o.st, w, true).Written; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	pardons := o.r.Traits.Has(catalog.Pardons)
	for i := range m.Args {
		b := &m.Args[i]
		if b.Default || !m.IsOperand(b) {
			continue
		}
		switch b.Arg.Role {
		case catalog.Data:
			look(b.Value)
		case catalog.Reads, catalog.Shows:
			if pardons {
				look(b.Value)
			}
		}
	}
	for _, w := range m.Extra {
		look(w)
	}
	return names
}
