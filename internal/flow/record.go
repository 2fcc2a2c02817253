package flow

import (
	"iter"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A Record is what is told while a request is evaluated.
type Record struct {
	Trace *Trace
	// Current is the index of the invocation that runs now, -1 for the shell itself.
	Current int

	seen   map[string]int  // effects by what makes them the same
	repeat []int           // effects that were had once more, each time
	traits []catalog.Trait // of the trace's processes
}

// First reports whether no program did anything before the one that runs now but those that
// started it.
func (rec *Record) First() bool {
	n := 0
	for i := rec.Current; i >= 0 && i < len(rec.Trace.Processes); i = rec.Trace.Processes[i].Parent {
		n++
	}
	for i := range rec.Trace.Invocations {
		if e := rec.Trace.Invocations[i].Ends; e != nil && e.How == risk.EndFails && i < rec.Current {
			n++
		}
	}
	return n == len(rec.Trace.Processes)
}

// Idle reports whether one of those that started the invocation that runs now does nothing.
func (rec *Record) Idle() bool {
	for i := rec.Current; i >= 0 && i < len(rec.Trace.Invocations); i = rec.Trace.Processes[i].Parent {
		if e := rec.Trace.Invocations[i].Ends; e != nil && e.How == risk.EndIdle {
			return true
		}
	}
	return false
}

// NewRecord begins a record.
func NewRecord() *Record { return &Record{Trace: &Trace{}, Current: -1, seen: map[string]int{}} }

// Anew directs what is told from now on to another trace, which may hold something
// already: a statement is reached more than once.
func (rec *Record) Anew(t *Trace) {
	rec.Trace, rec.seen, rec.repeat, rec.traits = t, map[string]int{}, nil, make([]catalog.Trait, len(t.Processes))
	for i := range rec.traits {
		if i < len(t.Starts) && t.Starts[i].Result != nil {
			rec.traits[i] = t.Starts[i].Result.Traits
		}
	}
}

// The bounds of a record.
const (
	maxInvocations  = 400
	maxEffects      = 1000
	maxUnknowns     = 100
	maxNotInspected = 50
)

// Blind records that heed could not see what a command does, and why: for
// reading it in what language, if there is one.
func (rec *Record) Blind(span risk.Span, why risk.Kind, language string) {
	rec.Trace.Unknowns = append(rec.Trace.Unknowns, risk.Unknown{What: why.Of(language), Role: risk.RoleCode, Span: span})
	rec.keep(risk.Effect{Verb: risk.Blind, Kind: why, Target: language, Certainty: risk.Certain, Span: span})
}

// Note records something that is not known.
func (rec *Record) Note(span risk.Span, role risk.Role, what string) {
	u := risk.Unknown{What: what, Role: role, Span: span}
	if len(rec.Trace.Unknowns) < maxUnknowns && !slices.Contains(rec.Trace.Unknowns, u) {
		rec.Trace.Unknowns = append(rec.Trace.Unknowns, u)
	}
}

// NotInspected records something that would run and was not read.
func (rec *Record) NotInspected(what string) {
	if len(rec.Trace.NotInspected) < maxNotInspected && !slices.Contains(rec.Trace.NotInspected, what) {
		rec.Trace.NotInspected = append(rec.Trace.NotInspected, what)
	}
}

// Effect completes an effect with the circumstances of the state.
func (rec *Record) Effect(st *shell.State, span risk.Span, e risk.Effect) {
	e.Span = span
	if e.Certainty == "" {
		e.Certainty = risk.Certain
	}
	if st.Maybe || e.Unresolved != "" {
		e.Certainty = risk.Possible
	}
	if len(st.Reached) > 0 {
		e.Reached = st.Reached[len(st.Reached)-1]
		for _, r := range st.Reached {
			if r.Kind == risk.IfMissing {
				e.Reached = r
			}
		}
	}
	e.Via = st.Context.Via
	e.Privileged = e.Privileged || st.Context.Privileged
	if e.Host == "" {
		e.Host = st.Context.Host
	}
	e.By.Process, e.By.Statement, e.By.Unreached = rec.Current, st.Statement, st.Unreached
	if dir, known := st.Dir.Known(); known && st.Astray {
		e.By.Unreached = &risk.Ending{How: risk.EndFails, Missing: []string{dir}}
	}
	e.By.Astray, e.By.Instead = st.Astray, st.Instead
	e.By.Undone = rec.undone(st)
	rec.keep(e)
}

// undone reports whether the shell surely stops before what is done now.
func (rec *Record) undone(st *shell.State) bool {
	end := st.Unreached
	if end == nil && rec.Current >= 0 && rec.Current < len(rec.Trace.Invocations) {
		end = rec.Trace.Invocations[rec.Current].Ends
	}
	return end != nil && end.How == risk.EndFails && end.ByShell
}

// maxAlso is how many other statements are kept that have an effect.
const maxAlso = 32

// Awaited reports whether something ran before that ends when others have done something.
func (rec *Record) Awaited() bool {
	for i, t := range rec.traits {
		if t.Has(catalog.Awaits) && i != rec.Current {
			return true
		}
	}
	return false
}

// keep keeps an effect once, at its most certain.
func (rec *Record) keep(e risk.Effect) {
	key := identity(&e)
	if i, ok := rec.seen[key]; ok {
		old := &rec.Trace.Effects[i]
		other := e.By.Statement
		if len(rec.repeat) < maxEffects {
			rec.repeat = append(rec.repeat, i)
		}
		if rec.Fails(old) && !rec.Fails(&e) || old.By.Astray && !e.By.Astray { // told of what happens
			undone, also := old.By.Undone, old.By.Also
			other = old.By.Statement
			old.By, old.Span = e.By, e.Span
			old.By.Undone, old.By.Also = undone, also
		}
		if other != old.By.Statement && len(old.By.Also) < maxAlso && !slices.Contains(old.By.Also, other) {
			old.By.Also = append(old.By.Also, other)
		}
		again(old, &e)
		return
	}
	if len(rec.Trace.Effects) >= maxEffects {
		rec.Trace.Spent = true
		if e.Verb != risk.Blind { // that the budget is spent is always told
			return
		}
	}
	rec.seen[key] = len(rec.Trace.Effects)
	rec.Trace.Effects = append(rec.Trace.Effects, e)
}

// Since returns what was done since a mark, what was done before as well included.
func (rec *Record) Since(m shell.Mark) iter.Seq[*risk.Effect] {
	return func(yield func(*risk.Effect) bool) {
		made := rec.Trace.Effects
		for i := min(m.Effects, len(made)); i < len(made); i++ {
			if !yield(&made[i]) {
				return
			}
		}
		for _, i := range rec.repeat[min(m.Repeats, len(rec.repeat)):] {
			if !yield(&made[i]) {
				return
			}
		}
	}
}

// Fails reports whether what does something fails as things are.
func (rec *Record) Fails(e *risk.Effect) bool {
	end, p := e.By.Unreached, e.By.Process
	if end == nil && p >= 0 && p < len(rec.Trace.Invocations) {
		end = rec.Trace.Invocations[p].Ends
	}
	return end != nil && (end.How == risk.EndFails || end.Asked)
}

// identity is what makes two effects the same.
func identity(e *risk.Effect) string {
	key := strings.Join([]string{string(e.Verb), e.Target, e.Kind.String(), e.Source.String(), e.Host, e.Where, e.Unresolved, e.Pattern, e.Named, strings.Join(e.Via, "/")}, "\x00")
	if e.Recursive {
		key += "r"
	}
	return key
}

// again notes that an effect is had once more: it counts at its most certain,
// and with what it loses most.
func again(old, e *risk.Effect) {
	if e.Certainty == risk.Certain {
		old.Certainty, old.Reached = risk.Certain, e.Reached
	}
	old.By.Undone, old.By.Refused = old.By.Undone && e.By.Undone, old.By.Refused && e.By.Refused
	old.Forced, old.Many = old.Forced || e.Forced, old.Many || e.Many
	if e.LosesMore(old) {
		old.Reversible, old.Remedy, old.Counts = e.Reversible, e.Remedy, e.Counts
	}
}

// DescribeHole names the first unknown part of a value in an effect.
func DescribeHole(e *risk.Effect, v value.Value) {
	hs := v.Holes()
	if len(hs) == 0 {
		return
	}
	h := hs[0]
	for _, x := range hs {
		if x.Shape == value.AnyText && len(x.OneOf) == 0 {
			h = x
			break
		}
	}
	if h.Cause == risk.CauseGiven { // what nobody gives counts for more
		for _, x := range hs {
			if x.Shape == value.AnyText && len(x.OneOf) == 0 && x.Cause != risk.CauseGiven && x.Cause != risk.CauseUnset {
				h = x
				break
			}
		}
	}
	e.Unresolved = value.Of(*h).String()
	if len(h.OneOf) > 0 {
		e.Unresolved = strings.Join(h.OneOf[:min(3, len(h.OneOf))], " or ")
	}
	e.Cause = h.Cause
	switch {
	case h.Cause == risk.CauseGiven && e.Verb == risk.ExecUnknown && strings.Contains(h.Name, " "): // a program makes it of what is given
		e.Cause = risk.CauseOutput
	case h.Cause == risk.CauseOutput && h.Shape == value.Setup:
		e.Cause = risk.CauseSetup
	case h.Cause > risk.CauseOther: // told of values only
		e.Cause = risk.CauseOther
	}
	if h.Shape != value.AnyText && e.Cause != risk.CauseUnset && e.Cause != risk.CausePlaceholder && e.Cause != risk.CauseSetup && e.Kind != risk.KindCode && e.Kind != risk.KindProgram {
		e.Cause = risk.CauseWord
	}
}

// maxArgv is how many words of an invocation are recorded, and maxWord how
// many bytes of each.
const (
	maxArgv = 64
	maxWord = 400
)

// last is the kind of the condition on which what starts now does so, if any.
func last(st *shell.State) risk.ConditionKind {
	if n := len(st.Reached); n > 0 {
		return st.Reached[n-1].Kind
	}
	return risk.Condition{}.Kind
}

// tested reports whether a state is reached only as a test comes out.
func tested(st *shell.State) bool {
	return slices.ContainsFunc(st.Reached, func(c risk.Condition) bool { return c.Kind == risk.IfTrue || c.Kind == risk.IfNotTrue })
}

// Invocation records an invocation, as the child of the one that runs now, and
// returns its index; -1 if there is no room for it.
func (rec *Record) Invocation(st *shell.State, inv *shell.Invocation) int {
	if len(rec.Trace.Invocations) >= maxInvocations {
		return -1
	}
	argv := make([]string, 0, min(len(inv.Argv), maxArgv))
	for _, w := range inv.Argv {
		if len(argv) == maxArgv {
			argv = append(argv, "…")
			break
		}
		argv = append(argv, Clip(w.Value.String(), maxWord))
	}
	dir := st.Dir.String()
	rec.Trace.Invocations = append(rec.Trace.Invocations, risk.Invocation{
		Argv: argv, Span: inv.Span, Dir: dir, Reached: reached(st),
		Via: append([]string(nil), st.Context.Via...), Host: st.Context.Host,
		Unreached: st.Unreached,
	})
	rec.Trace.Processes = append(rec.Trace.Processes, detect.Process{
		Path: argv[0], Argv: argv, Parent: rec.Current, Span: inv.Span, Dir: dir,
		Host: st.Context.Host, Container: st.Context.Container != "", Privileged: st.Context.Privileged,
	})
	rec.Trace.Starts = append(rec.Trace.Starts, Start{Fed: inv.HasStdin, Piped: inv.Piped, Unseen: inv.Unseen, Captured: st.Captured, Background: st.Behind, Otherwise: last(st) == risk.IfFails, Else: last(st) == risk.IfNotTrue, Tested: tested(st), Astray: st.Astray, Instead: st.Instead})
	rec.traits = append(rec.traits, 0)
	return len(rec.Trace.Processes) - 1
}

// maxTold is how much of what the shell itself does is recorded.
const maxTold = 16

// Tell records what the shell itself does that is no effect.
func (rec *Record) Tell(t Told) {
	switch to := &rec.Trace.Told; {
	case t.Loop != nil && len(rec.Trace.Loops) < maxTold:
		rec.Trace.Loops = append(rec.Trace.Loops, t)
	case t.Loop == nil && len(*to) < maxTold:
		*to = append(*to, t)
	}
}

// reached tells the conditions under which a state is reached.
func reached(st *shell.State) string {
	var b strings.Builder
	for i, c := range st.Reached {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(c.String())
	}
	return b.String()
}

// Describe completes the record of the program that runs now: where it lies, if
// it was found, and what the catalog says of its words, if it knows it.
func (rec *Record) Describe(path string, r *catalog.Result) {
	if rec.Current < 0 || rec.Current >= len(rec.Trace.Processes) {
		return
	}
	p := &rec.Trace.Processes[rec.Current]
	if path != "" {
		p.Path = path
	}
	if r == nil {
		return
	}
	rec.traits[rec.Current], rec.Trace.Starts[rec.Current].Result = r.Traits, r
	p.Summary = r.Summary
	if r.Match != nil {
		p.Program = r.Match.Program.Names[0]
		p.Flags = r.Match.Flags()
		p.Argv, p.Data = maskData(p.Argv, r.Match)
		if rec.Current < len(rec.Trace.Invocations) {
			inv := &rec.Trace.Invocations[rec.Current]
			inv.Subcommand, inv.Options = r.Match.Called(), r.Match.Named()
		}
	}
}

// Ends records how the program that runs now ends, if that is known.
func (rec *Record) Ends(e *risk.Ending) {
	if e != nil && rec.Current >= 0 && rec.Current < len(rec.Trace.Invocations) {
		rec.Trace.Invocations[rec.Current].Ends = e
	}
}

// Ended is how the program that runs now ends, nil where that is not known.
func (rec *Record) Ended() *risk.Ending {
	if rec.Current < 0 || rec.Current >= len(rec.Trace.Invocations) {
		return nil
	}
	return rec.Trace.Invocations[rec.Current].Ends
}

// maxPrinted is how much of a text is recorded that a program prints, in bytes.
const maxPrinted = 4 << 10

// Prints records the text that the program which runs now surely prints, where it is no
// secret and not long.
func (rec *Record) Prints(text value.Value) {
	s, known := text.Known()
	secret := s != "" && (text.Taint().Has(value.Secret) || text.Taint().Has(value.Credential))
	if !known || len(s) > maxPrinted || secret || rec.Current < 0 || rec.Current >= len(rec.Trace.Starts) {
		return
	}
	rec.Trace.Starts[rec.Current].Prints = &s
}

// FindsNothing records that the program which runs now finds nothing as the files are.
func (rec *Record) FindsNothing() {
	if rec.Current >= 0 && rec.Current < len(rec.Trace.Starts) {
		rec.Trace.Starts[rec.Current].Nothing = true
	}
}

// Uses records of which modules the code of the program that runs now only prints what
// they give.
func (rec *Record) Uses(modules []string) {
	if rec.Current >= 0 && rec.Current < len(rec.Trace.Starts) {
		rec.Trace.Starts[rec.Current].Uses = modules
	}
}

// Lost records words of the program that runs now that look like files and are none, and
// what else is not there, as a clause, or "".
func (rec *Record) Lost(names []string, aside string) {
	if rec.Current >= 0 && rec.Current < len(rec.Trace.Starts) {
		rec.Trace.Starts[rec.Current].Lost, rec.Trace.Starts[rec.Current].Aside = names, aside
	}
}

// Wants records what the program that runs now needs and does not find, as a clause.
func (rec *Record) Wants(what string) {
	if rec.Current >= 0 && rec.Current < len(rec.Trace.Starts) {
		rec.Trace.Starts[rec.Current].Aside, rec.Trace.Starts[rec.Current].Wanting = what, true
	}
}

// maskData replaces the words of an argument vector that mean nothing to the
// machine, and returns them: patterns, and texts unless they are one plain word.
func maskData(argv []string, match *catalog.Match) (out, data []string) {
	out = argv
	next := 1 // words come mostly in the order of the grammar
	for i := range match.Args {
		b := &match.Args[i]
		if b.Default || b.Arg.Role != catalog.Data && b.Arg.Role != catalog.Pattern {
			continue
		}
		whole := b.Value.String()
		text := Clip(whole, maxWord)
		if text == "" {
			continue
		}
		at, cut := findWord(argv, text, next)
		if at < 0 {
			continue
		}
		next = at + 1
		if b.Arg.Role == catalog.Data && plain(text) {
			continue
		}
		if &out[0] == &argv[0] {
			out = append([]string(nil), argv...)
		}
		out[at] = argv[at][:cut] + detect.Mask
		data = append(data, whole)
	}
	return out, data
}

// findWord returns the index of the word that is text, or an option with text
// attached from the byte cut on, looking from next on first.
func findWord(argv []string, text string, next int) (at, cut int) {
	for i := 1; i < len(argv); i++ {
		at := 1 + (next-1+i-1)%(len(argv)-1)
		w := argv[at]
		if w == text {
			return at, 0
		}
		if len(w) > len(text) && w[0] == '-' && strings.HasSuffix(w, text) {
			return at, len(w) - len(text)
		}
	}
	return -1, 0
}

// plain reports whether a text is one short word without any meaning to a shell.
func plain(text string) bool {
	if len(text) > 40 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("_.:,=+%@-", rune(c)) {
			return false
		}
	}
	return true
}
