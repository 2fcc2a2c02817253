package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// How an act ends, and what does not happen then.

// why says why an act ends as it does: which files are not there, or what its spec
// says.
func why(e *risk.Ending, at place) string {
	if len(e.Missing) == 0 {
		return Cut(at.reason(e.Because), maxName*2)
	}
	if e.Because != "" {
		return absent(e, at) + ", as " + Cut(at.reason(e.Because), maxName)
	}
	return absent(e, at)
}

// reason shows what a spec says, with its files as path shows them.
func (p place) reason(text string) string {
	for _, short := range [...][2]string{{p.dir, "."}, {p.home, "~"}} {
		if dir := short[0]; dir != "" && dir != "/" {
			text = strings.ReplaceAll(text, " "+dir+"/", " "+short[1]+"/")
			if rest, ok := strings.CutPrefix(text, dir+"/"); ok {
				text = short[1] + "/" + rest
			}
		}
	}
	return Visible(text)
}

// absent says which files are not there.
func absent(e *risk.Ending, at place) string {
	names := make([]string, len(e.Missing))
	for i, m := range e.Missing {
		names[i] = at.path(m)
	}
	if len(names) == 1 && strings.ContainsAny(e.Missing[0], "*?[") {
		return "nothing matches " + names[0]
	}
	if len(names) == 1 {
		return names[0] + " is not there"
	}
	return series(names) + " are not there"
}

// ends says how an act ends, as the beginning of a sentence. idle is what it does
// nothing of.
func ends(e *risk.Ending, idle string, at place) string {
	switch e.How {
	case risk.EndWaits:
		if why := why(e, at); why != "" {
			return "Waits for input: " + why
		}
		return "Waits for input at the terminal"
	case risk.EndIdle:
		if e.Asked && e.Because != "" { // who asks may be told something
			return orElse(idle, "Goes no further") + ": " + why(e, at)
		}
		return orElse(idle, "Does nothing") + ": " + why(e, at)
	}
	return orElse(idle, "Fails") + ": " + why(e, at)
}

// untilMissing tells what runs before a line comes to a program that nobody knows; "" where
// that is not known, or nothing does.
func (in *Input) untilMissing(text string, e *risk.Effect, at place) string {
	n := slices.IndexFunc(in.Acts, func(a Act) bool { return a.Span.Start >= e.Span.Start })
	if n < 0 {
		n = len(in.Acts)
	}
	if _, ok := uninstalled(text); !ok || n == 0 || in.Acts[n-1].Piped || !e.Reached.IsZero() && e.Reached.Kind != risk.IfSucceeds ||
		slices.ContainsFunc(in.Acts[:n], func(a Act) bool {
			return a.Captured || a.Inner || a.Ends != nil || a.Unreached != nil || a.Background || a.Otherwise || a.Else || a.Span.End > e.Span.Start
		}) {
		return ""
	}
	before := joined(in.Acts[:n], at, true)
	if before == "" {
		return ""
	}
	return bracketed(before) + ", then " + lower(text)
}

// absence is the note that a program is not there, of what would be said of it alone; "" of
// all else.
func absence(says string) string {
	if program, ok := uninstalled(says); ok {
		return "; there is no program " + program + " here"
	}
	if missing, ok := strings.CutPrefix(says, "runs nothing now: "); ok {
		return "; " + missing
	}
	return ""
}

// uninstalled cuts from what is told of a program that is neither known nor here its name.
func uninstalled(text string) (program string, ok bool) {
	text, ok = strings.CutSuffix(plain(text), "; it is not installed now")
	if _, program, _ = strings.Cut(text, "uns the unknown program "); !ok || program == "" {
		return "", false
	}
	program, _, _ = strings.Cut(program, " as root")
	program, _, _ = strings.Cut(program, " if `")
	return program, true
}

// ofNothing tells of code that a command is to print which fails; "" where it may print
// some.
func (in *Input) ofNothing(e *risk.Effect, at place) string {
	if e.Verb != risk.ExecUnknown || e.Kind != risk.KindCode || e.Unresolved == "" || e.Cause != risk.CauseOutput && e.Cause != risk.CauseFile {
		return ""
	}
	printer := -1
	for i := range in.Acts {
		a := &in.Acts[i]
		switch {
		case a.Inner || !a.Captured && !a.Piped:
		case printer >= 0 || a.Ends == nil || a.Ends.How != risk.EndFails || a.Ends.Within || a.Unreached != nil:
			return ""
		default:
			printer = i
		}
	}
	if printer < 0 {
		return ""
	}
	return "Would run the output of " + in.Acts[printer].short() + ", unseen" + tail + "; that fails now: " + why(in.Acts[printer].Ends, at)
}

// denied tells what of an effect the system does not let the user do: text tells of it, and
// all of what happens beside it as well.
func (in *Input) denied(text, all string, e *risk.Effect, at place) string {
	if e.Verb == risk.FSMove && e.By.Denied == "" { // it is the place that is closed
		if i := slices.IndexFunc(in.Effects, func(x risk.Effect) bool { return x.By.Process == e.By.Process && x.By.Denied == "write" }); i >= 0 {
			e = &in.Effects[i]
		}
	}
	if e.By.Denied == "" || e.Kind == risk.KindMissing || strings.HasPrefix(text, "Fails") {
		return all
	}
	if e.Many {
		return strings.Replace(all, " (among ", " that you may "+e.By.Denied+" (among ", 1)
	}
	if e.Recursive {
		which := map[bool]string{true: " that you own", false: " that you may " + e.By.Denied}[e.Verb == risk.FSAttr]
		before, after, ok := strings.Cut(all, " and all in it")
		if !ok {
			return all
		}
		if strings.HasPrefix(after, " (") { // how much of it that is nobody has counted
			_, after, _ = strings.Cut(after, ")")
		}
		return before + " and all in it" + which + after
	}
	what := "it"
	switch e.Verb {
	case risk.SecretSend, risk.NetSend:
		what = at.path(e.Source.String())
	case risk.FSWrite, risk.FSCreate:
		what = "there"
	}
	would, may := wouldBe(text), "; you may not "+e.By.Denied+" "+what
	if !strings.Contains(text, may[len("; "):]) {
		would += tail + may
	}
	if more := strings.TrimPrefix(all, text); length(would+more) < maxSentence {
		return would + more
	}
	return would
}

// stopped returns the first act that ends otherwise than its effects say, or -1.
func stopped(acts []Act) int {
	return slices.IndexFunc(acts, func(a Act) bool {
		return a.Ends != nil && a.Ends.How != risk.EndAsks && a.Ends.How != risk.EndPartly && a.Unreached == nil && !a.Inner
	})
}

// goesOn reports whether something stands behind an act that fails and runs all the same.
func (in *Input) goesOn(failed int) bool {
	return slices.ContainsFunc(in.Acts[failed+1:], func(a Act) bool {
		return a.Span != in.Acts[failed].Span && a.Ends == nil && a.Unreached == nil && !a.Inner && !a.Captured && !a.Conditional
	})
}

// restRuns reports whether what stands behind && runs although one program of the pipeline
// before it fails so, which is not the last.
func (in *Input) restRuns(reason *risk.Ending) bool {
	i := slices.IndexFunc(in.Acts, func(a Act) bool { return a.Ends == reason })
	if i < 0 || i+1 >= len(in.Acts) || !in.Acts[i+1].Fed {
		return false
	}
	for i++; i < len(in.Acts) && (in.Acts[i].Fed || in.Acts[i].Inner); i++ {
	}
	for ; i < len(in.Acts); i++ {
		a := &in.Acts[i]
		within := slices.ContainsFunc(in.Acts[i+1:], func(b Act) bool { return b.Fed && b.around(a.Span) })
		if a.Unreached == nil && stops(a.Ends) != reason && !a.Inner && !a.Captured && !within {
			return true
		}
	}
	return false
}

// innermost returns the act that a command comes to through others that only start one
// each, if it fails; else -1.
func (in *Input) innermost() int {
	last := len(in.Acts) - 1
	for i := range in.Acts {
		if a := &in.Acts[i]; i < last && (!a.Passes || in.Acts[i+1].Parent != i) {
			return -1
		}
	}
	if last < 1 || in.Acts[last].Ends == nil || in.Acts[last].Ends.How != risk.EndFails || in.Acts[last].Host != "" {
		return -1
	}
	return last
}

// ending is the sentence of a command that does not get where its effects say,
// because something that it needs is not there; "" if it does. lead is the effect
// that decided, or -1.
func ending(in *Input, lead int, at place) string {
	reason, behind := halt(in, lead)
	if reason == nil {
		return ""
	}
	if reason.Asked {
		if text := in.otherWay(reason, lead, behind, at); text != "" {
			return text
		}
	}
	if text := in.fallback(reason, lead, at); text != "" {
		return text
	}
	if text := in.andRuns(reason, behind, lead, at); text != "" {
		return text
	}
	idle := ""
	if lead >= 0 && in.Effects[lead].Verb == risk.FSDelete && in.Effects[lead].By.Unreached == nil && len(reason.Missing) > 0 && reason.How != risk.EndWaits {
		idle = "Deletes nothing"
	}
	if lead < 0 && len(behind) == 0 {
		if nothing := in.doesNothing(reason); nothing != "" {
			return ends(reason, nothing, at)
		}
	}
	text := ends(reason, idle, at)
	if rest, ok := strings.CutPrefix(text, "Fails: "); ok {
		if i := stopped(in.Acts); i >= 0 && in.Acts[i].Ends == reason && (apart(in.Acts, 0, i) || in.goesOn(i)) {
			text = "Fails at " + in.Acts[i].short() + ": " + rest
		}
	} else if rest, ok := strings.CutPrefix(text, "Does nothing: "); ok {
		if i := stopped(in.Acts); i >= 0 && in.Acts[i].Ends == reason && (apart(in.Acts, 0, i) || in.goesOn(i)) {
			text = in.Acts[i].short() + " does nothing: " + rest
		}
	}
	if reason.How == risk.EndWaits && reason.Because == "" && len(reason.Missing) == 0 && (lead < 0 || in.Bands[lead] < risk.BandReview) {
		text += in.onceFed(reason)
	}
	bare := text
	if reason.How != risk.EndWaits {
		text += in.notReached(behind)
	}
	// brief says it with what comes last, where that leaves room for it.
	brief := func(last string) string {
		for _, s := range []string{text + last, bare + ", so the rest does not run" + last, bare + last, text} {
			if length(s) < maxSentence && (len(behind) > 0 || !strings.Contains(s, ", so the rest")) {
				return s
			}
		}
		return bare
	}
	switch {
	case lead < 0:
		if reason.How == risk.EndWaits && reason.Because == "" && len(reason.Missing) == 0 && len(in.Acts) == 1 && strings.Contains(in.Acts[0].Says, "standard input") {
			if with := text + ", then " + strings.ReplaceAll(lower(in.Acts[0].Says), "standard input", "it"); length(with+"; changes nothing.") <= maxSentence {
				text = with
			}
		}
		if len(behind) == 0 && in.restRuns(reason) {
			if all := brief("; what follows runs; changes nothing"); strings.HasSuffix(all, "nothing") {
				return all
			}
		}
		return brief("; changes nothing")
	case idle != "":
		return in.thenFails(text, reason, at)
	case in.Bands[lead] < risk.BandReview && !reason.Rightless && (in.Effects[lead].By.Unreached == nil || in.Bands[lead] < risk.BandCautionB):
		if len(behind) == 0 && reason.How == risk.EndFails && !in.goesOnFrom(reason) && (!reason.Within || strings.HasPrefix(string(in.Effects[lead].Verb), "fs.")) {
			text += in.undone(reason, in.Effects[lead].Verb)
		}
		return text
	}
	e := &in.Effects[lead]
	if !wouldMatter(e) {
		if len(behind) == 0 && reason.How == risk.EndFails && !reason.Within {
			text += in.undone(reason, e.Verb)
		}
		return text
	}
	if reason.Never {
		return text + in.undone(reason, e.Verb)
	}
	// What would be done is why it was asked about.
	for _, would := range in.would(e, at) {
		if text = brief(would); strings.HasSuffix(text, would) {
			return text
		}
	}
	if text == bare && reason.How == risk.EndFails && !reason.Within {
		text += in.undone(reason, e.Verb)
	}
	return text
}

// wouldMatter reports whether what an effect would do is to be told where it does not happen: not
// that some code would run which is not there.
func wouldMatter(e *risk.Effect) bool {
	return (e.Reversible != risk.NothingThere || e.Verb != risk.FSDelete) && e.Verb != risk.ExecUnknown && e.Verb != risk.ExecProject
}

// fallback tells of a line that fails at something and has something else to do then, with
// what the first would do where that matters; "" where it has not.
func (in *Input) fallback(reason *risk.Ending, lead int, at place) string {
	failed := stopped(in.Acts)
	if reason.How != risk.EndFails || failed < 0 || in.Acts[failed].Ends != reason || !fallsBack(in.Acts[failed+1:]) {
		return ""
	}
	text := joined(in.Acts, at, true)
	if text == "" || strings.HasPrefix(text, "Fails") {
		return ""
	}
	if lead >= 0 && in.Bands[lead] >= risk.BandReview {
		for _, would := range in.would(&in.Effects[lead], at) {
			if length(text+would) < maxSentence {
				return text + would
			}
		}
	}
	return text
}

// onceFed says what is run once a program has what it waits for; "" where it starts nothing.
func (in *Input) onceFed(reason *risk.Ending) string {
	for i := range in.Acts {
		if in.Acts[i].Ends != reason || !in.Acts[i].Passes {
			continue
		}
		if next := i + 1; next < len(in.Acts) && in.Acts[next].Parent == i {
			return ", then runs " + in.Acts[next].short()
		}
	}
	return ""
}

// otherWay tells of a line that asks for what is not there and does something else than
// what depends on that, which is behind; "" where it does nothing else.
func (in *Input) otherWay(reason *risk.Ending, lead int, behind []int, at place) string {
	behind = slices.DeleteFunc(slices.Clone(behind), func(i int) bool { return in.Acts[i].Captured })
	if len(behind) == 0 || !in.goesElsewhere(reason, behind[0]) {
		return ""
	}
	because, skipped := why(reason, at), in.Acts[behind[0]].short()
	ways := []string{joined(in.Acts, at, true)}
	switch {
	case ways[0] == "":
		ways[0] = "Skips " + skipped + ": " + because
	case !strings.Contains(ways[0], because):
		because = "; " + because
		ways = []string{ways[0] + tail + because + ", so " + skipped + " does not run", ways[0] + tail + because, ways[0]}
	}
	if lead >= 0 && in.Bands[lead] >= risk.BandCautionB && in.Effects[lead].By.Unreached != nil {
		for _, would := range in.would(&in.Effects[lead], at) {
			for _, text := range ways {
				if length(text+would) < maxSentence {
					return text + would
				}
			}
		}
	}
	for _, text := range ways {
		if length(text) < maxSentence {
			return text
		}
	}
	return ways[len(ways)-1]
}

// goesElsewhere reports whether something runs that does not hang on what a line asks for
// in vain: behind what does, or before it where no program asks.
func (in *Input) goesElsewhere(reason *risk.Ending, skipped int) bool {
	for i := range in.Acts {
		a := &in.Acts[i]
		if a.Unreached == nil && stops(a.Ends) == nil && !a.Inner && !a.Captured && (i > skipped || reason.Because == "") {
			return true
		}
	}
	return false
}

// thenFails adds to what an act does nothing of how one behind it fails, which starts all
// the same.
func (in *Input) thenFails(text string, idle *risk.Ending, at place) string {
	if idle.How != risk.EndIdle {
		return text
	}
	for i := range in.Acts {
		a := &in.Acts[i]
		if a.Ends == nil || a.Ends.How != risk.EndFails || a.Inner || a.Unreached != nil {
			continue
		}
		if more := ", then fails at " + a.short() + ": " + why(a.Ends, at); length(text+more) < maxSentence {
			return text + more
		}
		break
	}
	return text
}

// goesOnFrom reports whether something runs all the same behind the act that ends so.
func (in *Input) goesOnFrom(reason *risk.Ending) bool {
	i := slices.IndexFunc(in.Acts, func(a Act) bool { return a.Ends == reason })
	return i >= 0 && in.goesOn(i)
}

// would are the ways to say what an effect would do, the best first.
func (in *Input) would(e *risk.Effect, at place) (ways []string) {
	told := ""
	if i := slices.IndexFunc(in.Effects, func(x risk.Effect) bool {
		return x.Span == e.Span && x.Verb == e.Verb && x.Target == e.Target && x.Kind == e.Kind
	}); i >= 0 && e.Verb == risk.ExecShell {
		told, _ = story(in.Effects, i, at)
	}
	for _, text := range []string{told, in.said(e, at), phrase(e, at)} {
		if text = strings.TrimSuffix(text, tail+"; there are none now"); text != "" { // it was said why
			ways = append(ways, "; else "+lower(plain(in.withVia(text, e))))
		}
		if main, _, ok := strings.Cut(text, tail+";"); ok && !strings.HasPrefix(main, "Runs nothing") { // without what becomes of it
			ways = append(ways, "; else "+lower(plain(in.withVia(main, e))))
		}
		if main, _, ok := strings.Cut(text, tail+":"); ok && !strings.HasPrefix(main, "Runs nothing") { // without what it means
			ways = append(ways, "; else "+lower(plain(in.withVia(main, e))))
		}
	}
	return ways
}

// plain is a sentence without the marks where main clauses end, and length how long it
// is then, in characters.
func plain(s string) string { return strings.ReplaceAll(s, tail, "") }

func length(s string) int { return len([]rune(plain(s))) }

// unmet says why an effect surely does not happen as things are: nil where it may.
func (in *Input) unmet(i int) *risk.Ending {
	by := &in.Effects[i].By
	if by.Unreached != nil {
		return by.Unreached
	}
	if by.Refused {
		return &risk.Ending{How: risk.EndFails, Because: "it is a directory"}
	}
	if p := by.Process; p >= 0 {
		for p >= 0 && p < len(in.Acts) {
			end := in.Acts[p].Ends
			if stops(end) != nil || end != nil && end.Hollow && in.Effects[i].Verb != risk.FSWrite && in.Effects[i].Verb != risk.FSCreate {
				return end
			}
			p = in.Acts[p].Parent
		}
		return nil
	}
	if e := &in.Effects[i]; e.Verb == risk.SecretRead { // what is shown by whoever prints it
		for j := range in.Acts {
			for k := j; k >= 0 && in.Acts[j].Span == e.Span; k-- {
				if end := stops(in.Acts[k].Ends); end != nil {
					return end
				}
				if !in.Acts[k].Fed {
					break
				}
			}
		}
	}
	return nil
}

// stops is an ending of an act that does nothing of what its effects say, or nil.
func stops(e *risk.Ending) *risk.Ending {
	if e != nil && (e.How == risk.EndFails || e.How == risk.EndIdle) {
		return e
	}
	return nil
}

// happening picks what leads instead of an effect that does not happen as things are,
// if there is something that weighs as much, or that changes something where nothing is
// to be stopped; else text is what to say of it first.
func (in *Input) happening(lead int, at place) (instead int, text string) {
	reason := in.unmet(lead)
	if reason == nil {
		return lead, ""
	}
	best := -1
	for i := range in.Effects {
		if in.Bands[i] != in.Bands[lead] && (in.Bands[i] == risk.BandSafe || in.Bands[lead] >= risk.BandReview || in.Effects[lead].By.Unreached != nil) || in.unmet(i) != nil || in.Effects[i].Reversible == risk.NothingThere && in.Effects[i].Verb == risk.FSDelete {
			continue
		}
		if x := &in.Effects[i]; x.Verb == risk.ExecKnown && x.Kind == risk.KindNotUnderstood && strings.HasPrefix(x.Target, "$") || x.Kind == risk.KindInspectedScript && in.starts(x.By.Process, in.Effects[lead].By.Process) {
			continue // a variable is no act, and of a script what is in it is told
		}
		if best < 0 || in.Bands[i] > in.Bands[best] || in.Bands[i] == in.Bands[best] && weight(&in.Effects[i]) < weight(&in.Effects[best]) {
			best = i
		}
	}
	if best >= 0 {
		return best, ""
	}
	e := &in.Effects[lead]
	p := e.By.Process
	named := p >= 0 && p < len(in.Acts)
	switch {
	case e.By.Unreached == nil && e.Verb == risk.FSDelete && len(reason.Missing) > 0:
		return lead, in.thenFails("Deletes nothing: "+why(&risk.Ending{Missing: in.spared()}, at), reason, at)
	case e.By.Unreached == nil && named:
		idle := map[bool]string{true: "Fails at " + in.Acts[p].short()}[reason.How == risk.EndFails]
		if i := stopped(in.Acts); reason.How == risk.EndIdle && i >= 0 && in.Acts[i].Ends == reason && (apart(in.Acts, 0, i) || in.goesOn(i)) {
			idle = in.Acts[i].short() + " does nothing"
		}
		text = ends(reason, idle, at)
		for _, would := range in.would(e, at) {
			if in.Bands[lead] >= risk.BandReview && (reason.How == risk.EndFails || reason.Hollow) && length(text+would) < maxSentence {
				return lead, text + would
			}
		}
		return lead, text
	case named && in.Acts[p].Unreached == nil && in.Acts[p].Parent < 0 && !in.Acts[p].Passes: // what it would read is not there
		return lead, "Fails: " + why(reason, at) + ", so " + in.Acts[p].short() + " gets nothing"
	case named && (in.Acts[p].Unreached != nil || !in.Acts[p].Passes):
		return lead, "Fails: " + why(reason, at) + ", so " + in.Acts[p].short() + " does not run"
	}
	return lead, "Fails: " + why(reason, at) + in.undone(reason, e.Verb)
}

// starts reports whether one act starts another, by itself or through others.
func (in *Input) starts(p, act int) bool {
	for act > p && act < len(in.Acts) {
		act = in.Acts[act].Parent
	}
	return act == p && p >= 0
}

// spared are the files that are not there for deletions to delete.
func (in *Input) spared() (missing []string) {
	for i := range in.Effects {
		if e := in.unmet(i); e != nil && in.Effects[i].Verb == risk.FSDelete && !in.Effects[i].By.Astray {
			for _, m := range e.Missing {
				if !slices.Contains(missing, m) {
					missing = append(missing, m)
				}
			}
		}
	}
	return missing
}

// halt finds what the command as a whole ends at: the act that ends otherwise than
// its effects say, if all that matters is its own or behind it. behind are the acts
// that do not start then.
func halt(in *Input, lead int) (reason *risk.Ending, behind []int) {
	first := stopped(in.Acts)
	if lead >= 0 && in.Effects[lead].By.Unreached != nil {
		reason = in.Effects[lead].By.Unreached
	} else if first >= 0 {
		reason = in.Acts[first].Ends
	} else {
		for i := range in.Acts {
			if reason = in.Acts[i].Unreached; reason != nil {
				break
			}
		}
	}
	if reason == nil {
		return nil, nil
	}
	for i := range in.Acts {
		a := &in.Acts[i]
		switch {
		case a.Unreached == reason:
			if !a.Inner {
				behind = append(behind, i)
			}
		case a.Ends != reason && i < first, a.Ends != reason && !a.Inner && apart(in.Acts, i, first):
			if in.matters(i) {
				return nil, nil // it does something beside
			}
		}
	}
	for i := range in.Effects {
		e := &in.Effects[i]
		if in.Bands[i] == risk.BandSafe || e.By.Unreached == reason {
			continue
		}
		if p := e.By.Process; in.unmet(i) == nil && (p < 0 || p >= len(in.Acts) || in.Acts[p].Ends != reason && !in.under(p, reason)) {
			return nil, nil
		}
	}
	return reason, behind
}

// under reports whether an act is started by one that ends so.
func (in *Input) under(p int, reason *risk.Ending) bool {
	a := &in.Acts[p]
	return a.Inner && slices.ContainsFunc(in.Acts, func(b Act) bool { return b.Ends == reason && b.Span == a.Span })
}

// apart reports whether two acts stand in different statements or pipes.
func apart(acts []Act, i, j int) bool { return j >= 0 && acts[i].Span != acts[j].Span }
