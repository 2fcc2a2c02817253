package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// An Act is one program that would start, as the sentence tells of it.
type Act struct {
	Argv []string
	Span risk.Span
	Dir  string // where it starts
	// Says is what it does in the words of its spec, "" where it has none.
	Says string
	// Does are the verbs of the effects that the same spec has for it.
	Does []risk.Verb
	// Summary is what the program is for, in words of its spec that name nothing, and
	// Gist the same where it is of the very subcommand. Reads is set where a command of
	// that gist can do no more than read.
	Summary, Gist string
	Reads         bool
	// Fed is set when its input comes from another program or a file.
	Fed bool
	// Placeholder is a word of it that stands for something else, "" for none; Sure is
	// set where it can be nothing else.
	Placeholder string
	Sure        bool
	// Script is the file of code that it runs, as it is written, or "".
	Script string
	// Otherwise is set for one that starts if what stands before it fails.
	Otherwise bool
	// Captured is set when its output becomes a word of the shell.
	Captured bool
	// Echoes is set for one that only prints its words.
	Echoes bool
	// Ends is how it ends, and Unreached how one ends that has to succeed before it
	// starts, where that is known; nil otherwise.
	Ends, Unreached *risk.Ending
	// Parent is the index of the act that starts it, -1 for the shell, and Passes set
	// for one that starts others and does nothing to tell of beside.
	Parent int
	Passes bool
	// Inner is set for what another program starts, but for those that only pass a
	// command on.
	Inner bool
}

// Words writes the words in a slot of a spec's phrase: each quoted where it must be,
// joined. There is none where one of them is no word to tell.
func Words(words []string, dir, home string) string {
	at := place{dir, home}
	var out []string
	for _, text := range words {
		if long := len(text) > maxName && (strings.Contains(text, " ") || len(text) > maxLongName); text == "" || long || strings.ContainsAny(text, "\n\r") {
			return ""
		}
		if s := at.named(text); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return series(out)
}

// maxLongName is how long one word may be, as that of an address, to be shown cut.
const maxLongName = 300

// series joins names as a person does: a, b and 3 more.
func series(names []string) string {
	switch n := len(names); {
	case n == 0:
		return ""
	case n == 1:
		return names[0]
	case n <= 3:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	default:
		return names[0] + ", " + names[1] + " and " + number(n-2) + " more"
	}
}

// why says why an act ends as it does: which files are not there, or what its spec
// says.
func why(e *risk.Ending, at place) string {
	if len(e.Missing) == 0 {
		return Cut(Visible(e.Because), maxName*2)
	}
	names := make([]string, len(e.Missing))
	for i, m := range e.Missing {
		names[i] = at.path(m)
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
		return orElse(idle, "Does nothing") + ": " + why(e, at)
	}
	return orElse(idle, "Fails") + ": " + why(e, at)
}

// stopped returns the first act that ends otherwise than its effects say, or -1.
func stopped(acts []Act) int {
	return slices.IndexFunc(acts, func(a Act) bool {
		return a.Ends != nil && a.Ends.How != risk.EndAsks && a.Ends.How != risk.EndPartly && a.Unreached == nil && !a.Inner
	})
}

// short is a command as it is named in a sentence about another one.
func (a *Act) short() string {
	words := a.Argv[:min(len(a.Argv), 4)]
	text := strings.Join(words, " ")
	if len(a.Argv) > len(words) || len(text) > 40 {
		text = Cut(text, 36)
		if !strings.HasSuffix(text, "…") {
			text += " …"
		}
	}
	return "`" + strings.ReplaceAll(Visible(text), "`", "'") + "`"
}

// ending is the sentence of a command that does not get where its effects say,
// because something that it needs is not there; "" if it does. lead is the effect
// that decided, or -1.
func ending(in *Input, lead int, at place) string {
	reason, behind := halt(in, lead)
	if reason == nil {
		return ""
	}
	idle := ""
	if lead >= 0 && in.Effects[lead].Verb == risk.FSDelete && in.Effects[lead].By.Unreached == nil && len(reason.Missing) > 0 && reason.How != risk.EndWaits {
		idle = "Deletes nothing"
	}
	text := ends(reason, idle, at)
	if rest, ok := strings.CutPrefix(text, "Fails: "); ok {
		if i := stopped(in.Acts); i > 0 && in.Acts[i].Ends == reason && apart(in.Acts, 0, i) {
			text = "Fails at " + in.Acts[i].short() + ": " + rest
		}
	}
	bare := text
	if len(behind) > 0 && reason.How != risk.EndWaits {
		text += ", so " + in.Acts[behind[0]].short()
		if apart(in.Acts, behind[0], behind[len(behind)-1]) {
			text += " and what follows do not run"
		} else {
			text += " does not run"
		}
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
		return brief("; changes nothing")
	case idle != "":
		return text
	case in.Bands[lead] < risk.BandReview && (in.Effects[lead].By.Unreached == nil || in.Bands[lead] < risk.BandCautionB):
		if len(behind) == 0 && reason.How == risk.EndFails {
			text += undone(in.Effects[lead].Verb)
		}
		return text
	}
	e := &in.Effects[lead]
	if e.Reversible == risk.NothingThere && e.Verb == risk.FSDelete || e.Verb == risk.ExecUnknown || e.Verb == risk.ExecProject {
		if len(behind) == 0 && reason.How == risk.EndFails {
			text += undone(e.Verb)
		}
		return text
	}
	// What would be done is why it was asked about.
	return brief("; else " + lower(plain(withVia(orElse(in.said(e, at), phrase(e, at)), e))))
}

// plain is a sentence without the marks where main clauses end, and length how long it
// is then, in characters.
func plain(s string) string { return strings.ReplaceAll(s, tail, "") }

func length(s string) int { return len([]rune(plain(s))) }

// undone says what an act that does not get on does not do.
func undone(verb risk.Verb) string {
	switch verb {
	case risk.ExecProject, risk.ExecUnknown, risk.ExecKnown, risk.ExecShell, risk.ExecRemote:
		return ", so nothing runs"
	case risk.FSWrite, risk.FSCreate:
		return ", so nothing is written"
	case risk.FSDelete:
		return ", so nothing is deleted"
	case risk.FSMove:
		return ", so nothing is moved"
	case risk.PkgInstall:
		return ", so nothing is installed"
	case risk.PkgPublish:
		return ", so nothing is published"
	case risk.VCSPush, risk.VCSForce:
		return ", so nothing is pushed"
	case risk.NetFetch:
		return ", so nothing is downloaded"
	case risk.NetSend:
		return ", so nothing is sent"
	}
	return ", so nothing changes"
}

// unmet says why an effect surely does not happen as things are: nil where it may.
func (in *Input) unmet(i int) *risk.Ending {
	by := &in.Effects[i].By
	if by.Unreached != nil {
		return by.Unreached
	}
	if p := by.Process; p >= 0 {
		for p >= 0 && p < len(in.Acts) {
			if end := stops(in.Acts[p].Ends); end != nil {
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
// if there is something that weighs as much; else text is what to say of it first.
func (in *Input) happening(lead int, at place) (instead int, text string) {
	reason := in.unmet(lead)
	if reason == nil {
		return lead, ""
	}
	best := -1
	for i := range in.Effects {
		if in.Bands[i] != in.Bands[lead] || in.unmet(i) != nil || in.Effects[i].Reversible == risk.NothingThere && in.Effects[i].Verb == risk.FSDelete {
			continue
		}
		if best < 0 || weight(&in.Effects[i]) < weight(&in.Effects[best]) {
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
		return lead, "Deletes nothing: " + why(&risk.Ending{Missing: in.spared()}, at)
	case e.By.Unreached == nil && named:
		return lead, ends(reason, map[bool]string{true: "Fails at " + in.Acts[p].short()}[reason.How == risk.EndFails], at)
	case named:
		return lead, "Fails: " + why(reason, at) + ", so " + in.Acts[p].short() + " does not run"
	}
	return lead, "Fails: " + why(reason, at) + undone(e.Verb)
}

// spared are the files that are not there for deletions to delete.
func (in *Input) spared() (missing []string) {
	for i := range in.Effects {
		if e := in.unmet(i); e != nil && in.Effects[i].Verb == risk.FSDelete {
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

// place names, in what acts say of the directory that they are in, that directory.
func (in *Input) place(at place) {
	for i := range in.Acts {
		if a := &in.Acts[i]; a.Dir != in.Dir && strings.HasPrefix(a.Dir, "/") {
			a.Says = strings.ReplaceAll(a.Says, "this directory", at.path(a.Dir))
		}
	}
}

// maxJoined is how long what several acts do may be in one sentence, in characters.
const maxJoined = maxSentence - len("; changes nothing.")

// joined tells what several acts do, one after the other or one with what the other
// prints; "" where that is too long, or one of them is nothing to tell.
func joined(acts []Act, at place) string {
	var parts []string
	covered := make([]bool, len(acts)) // told by what starts it
	seen, since := 0, ""
	for i := range acts {
		if !acts[i].Captured {
			seen++
		}
	}
	for i := range acts {
		a := &acts[i]
		if covered[i] || a.Captured {
			continue
		}
		if p := a.Parent; p >= 0 && p < i && (covered[p] || !acts[p].Passes || acts[p].Says != "") {
			covered[i] = true
			continue
		}
		if a.Passes && a.Says == "" {
			if i+1 == len(acts) || acts[i+1].Parent != i { // what it runs is no program
				return ""
			}
			continue
		}
		if a.Unreached != nil {
			return ""
		}
		if e := a.Ends; e != nil && e.How == risk.EndFails {
			covered[i] = true
			next := i + 1
			for ; next < len(acts) && (acts[next].Fed || acts[next].Parent != a.Parent); next++ {
				covered[next] = true // which has nothing to work on
			}
			if next < len(acts) && acts[next].Otherwise && acts[next].Ends == nil {
				since = why(e, at) // what is done instead says so
				continue
			}
			parts = append(parts, "fails at "+a.short()+": "+why(e, at))
			continue
		} else if e != nil && e.How != risk.EndPartly {
			return ""
		}
		if a.Echoes && !a.Fed && seen > 1 && !a.Otherwise && (i+1 == len(acts) || !acts[i+1].Fed) { // a heading
			continue
		}
		says := a.words()
		if says == "" {
			return ""
		}
		if a.Fed && len(parts) > 0 {
			says = strings.ReplaceAll(says, "standard input", "it")
		}
		says = lower(says)
		if a.Ends != nil {
			says += " (" + why(a.Ends, at) + ")"
		}
		switch {
		case since != "":
			says, since = bracketed(says)+", since "+since, ""
		case a.Otherwise && !a.Fed && len(parts) > 0:
			says = otherwise + says
		}
		feeds := i+1 < len(acts) && acts[i+1].Fed
		again := len(parts) > 0 && parts[len(parts)-1] == says
		if !again && (feeds || !slices.Contains(parts, says)) {
			parts = append(parts, says)
		}
	}
	if len(parts) == 1 && strings.HasPrefix(parts[0], "fails at ") { // which is told better alone
		return ""
	}
	text := upper(inOrder(parts))
	if len([]rune(text)) > maxJoined {
		return ""
	}
	return text
}

// toldWhole reports whether the words of an effect's program are all that there is to
// say of it.
func (in *Input) toldWhole(e *risk.Effect, at place) bool {
	said := strings.ReplaceAll(in.said(e, at), tail, "")
	return said != "" && said == in.Acts[e.By.Process].Says
}

// words are those for what an act does: of its spec's phrase or summary, and else its
// own command.
func (a *Act) words() string {
	says := orElse(a.Says, a.inWords())
	if says == "" && len(a.Argv) > 0 {
		return "Runs " + a.short()
	}
	return says
}

// inOrder joins what several acts do, one after the other.
func inOrder(parts []string) string {
	for i := range parts {
		if len(parts) > 1 {
			parts[i] = bracketed(parts[i])
		}
	}
	return strings.ReplaceAll(strings.Join(parts, ", then "), ", then "+otherwise, ", "+otherwise)
}

// otherwise begins the clause of what is done if what stands before it fails.
const otherwise = "or else "

// bracketed puts what stands behind a semicolon into brackets, so that a sentence can go on.
func bracketed(says string) string {
	if main, rest, ok := strings.Cut(says, "; "); ok {
		return main + " (" + rest + ")"
	}
	return says
}

// upper makes a clause begin a sentence.
func upper(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

// aside tells of an act that does not get on beside what is told in text, where there
// is room for it.
func (in *Input) aside(text string, e *risk.Effect, at place) string {
	for i := range in.Acts {
		a := &in.Acts[i]
		if a.Ends == nil || a.Inner || a.Unreached != nil || a.Ends.How != risk.EndFails && a.Ends.How != risk.EndPartly {
			continue
		}
		more := "; " + why(a.Ends, at)
		if a.Ends.How == risk.EndFails {
			more = "; " + a.short() + " fails: " + why(a.Ends, at)
		}
		if e.By.Unreached == nil && len([]rune(text+more)) < maxSentence && !strings.Contains(text, why(a.Ends, at)) {
			return text + tail + more
		}
		break
	}
	return text
}

// standIn tells of a word that a sentence names and that only stands for something.
func (in *Input) standIn(text string, e *risk.Effect) string {
	p := e.By.Process
	if p < 0 || p >= len(in.Acts) || in.Acts[p].Placeholder == "" || in.Acts[p].Echoes {
		return text
	}
	a := &in.Acts[p]
	more := "; " + quote(a.Placeholder) + map[bool]string{true: " is only a placeholder", false: " looks like a placeholder"}[a.Sure]
	if len([]rune(text+more)) >= maxSentence {
		return text
	}
	return text + tail + more
}

// together tells all that several acts do, where each act that does more than read has
// words of its own for it; else "".
func (in *Input) together(at place) string {
	if len(in.Acts) < 2 {
		return ""
	}
	for i := range in.Effects {
		e := &in.Effects[i]
		if in.Bands[i] != risk.BandSafe && (!in.toldWhole(e, at) || e.Privileged || e.Host != "" || e.Where != "") {
			return ""
		}
	}
	return joined(in.Acts, at)
}

// matters reports whether an act does more than read.
func (in *Input) matters(i int) bool {
	return slices.ContainsFunc(in.Effects, func(e risk.Effect) bool { return e.By.Process == i && e.Verb != risk.FSRead })
}
