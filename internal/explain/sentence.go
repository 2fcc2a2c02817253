package explain

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// maxSentence is about how long a sentence may be, in characters.
const maxSentence = 140

// roomy is how long a sentence may be with a whole command in it as a condition,
// maxCondition how much of the command is told in a longer one.
const (
	roomy        = 120
	maxCondition = 24
)

// Input is what a sentence is made from.
type Input struct {
	Effects []risk.Effect
	Bands   []risk.Band
	Dir     string
	Home    string
	// Command is the text that is told of.
	Command string
	// Summary is the catalog's phrase for a command without effects that
	// matter: "Lists files". Programs names what runs.
	Summary  string
	Programs []string
	// Told is what the shell itself does, in its order.
	Told []Told
	// Loops are those of the shell, inner ones first.
	Loops []Loop
	// Refused is what the parser says of a text that it does not take, "" where it takes it.
	Refused string
	// Acts are the programs that would start, in the order of the invocations that
	// the makers of the effects name.
	Acts []Act
}

// A Told is what the shell itself does that is no effect: a clause, and the directory
// that it ends with, or "".
type Told struct {
	Text, Dir string
	Span      risk.Span
}

// Summarize writes the sentence: without what options make of what is shown, where that
// would take the room of something else.
func Summarize(in Input) string {
	if !slices.ContainsFunc(in.Acts, func(a Act) bool { return a.Plain != "" }) {
		return in.sentence()
	}
	plain := in
	plain.Acts, plain.Effects = slices.Clone(in.Acts), slices.Clone(in.Effects)
	for i := range plain.Acts {
		a := &plain.Acts[i]
		a.Says = orElse(a.Plain, a.Says)
	}
	text := plain.sentence()
	if full := in.sentence(); !lessThan(full, text) {
		return full
	}
	return text
}

func (in *Input) sentence() string { return in.withoutHoles(in.stays(in.looped())) }

// lessThan reports whether a sentence is too long, or lacks something that another one of
// the same command has.
func lessThan(full, plain string) bool {
	fewer := func(part string) bool { return strings.Count(full, part) < strings.Count(plain, part) }
	more := func(part string) bool { return strings.Count(full, part) > strings.Count(plain, part) }
	return length(full) > maxSentence || strings.HasPrefix(full, "Runs ") && !strings.HasPrefix(plain, "Runs ") ||
		slices.ContainsFunc([]string{"; ", ", then ", "changes nothing"}, fewer) ||
		slices.ContainsFunc([]string{"; and more", "the network", " runs "}, more)
}

// stays adds to a sentence that the directory is not there in which a line would go on.
func (in *Input) stays(text string) string {
	i := slices.IndexFunc(in.Acts, func(a Act) bool { return a.Astray })
	if i < 0 {
		return text
	}
	at := place{in.Dir, in.Home}
	more := "; " + absent(&risk.Ending{Missing: []string{in.Acts[i].Dir}}, at)
	last := "."
	if strings.HasSuffix(text, "; changes nothing.") {
		last = "; changes nothing."
	}
	if strings.Contains(text, at.path(in.Acts[i].Dir)) || strings.Contains(text, "” fails") || len([]rune(text+more)) > maxSentence {
		return text
	}
	return strings.TrimSuffix(text, last) + more + last
}

func (in *Input) summarize() string {
	at := place{in.Dir, in.Home}
	lead := in.notAstray(leading(in.Effects, in.Bands))
	in.place(at)
	in.nameSecrets()
	if lead < 0 {
		return in.without(harmless(*in, at), -1, at)
	}
	if text := ending(in, lead, at); text != "" {
		return finish(text)
	}
	if instead, failed := in.happening(lead, at); failed != "" {
		return finish(beside(failed, *in, others(*in, lead, nil), at))
	} else if instead != lead {
		lead = instead
	}
	if there := in.there(lead); there >= 0 {
		lead = there
	}
	lead = in.making(in.inCode(lead))
	e := &in.Effects[lead]
	text, told := story(in.Effects, lead, at)
	if text == "" && (e.Reached.IsZero() || in.inSuccession()) {
		if together := in.together(at); together != "" {
			return finish(together)
		}
	}
	if text == "" && (e.Verb == risk.ExecKnown || e.Verb == risk.FSRead) && e.Privileged && len(e.Via) > 0 && e.Reached.IsZero() {
		if all := in.raised(lead, at); all != "" {
			return finish(all)
		}
	}
	if text == "" {
		text = in.inPart(orElse(in.opened(e, at), orElse(in.said(e, at), in.by(phrase(e, at), e))), e)
	}
	text = orElse(in.ofNothing(e, at), text)
	if a := in.actOf(e); a != nil && a.spares(e) {
		text, told = in.withoutRoot(e, at)
	}
	text = in.withReason(in.withOutput(in.withText(in.withVia(in.thenRun(text, e), e), e), e), e)
	if told == nil {
		text, told = in.into(text, e, at)
	}
	if until := in.untilMissing(text, e, at); until != "" {
		text = until
	} else if all, these := in.inNew(text, e, at); all != "" {
		text, told = all, append(told, these...)
	} else if !e.Reached.IsZero() && e.Certainty == risk.Possible {
		if e.By.Instead && e.Reached.Kind == risk.IfMissing {
			text += tail + "; " + Visible(e.Reached.Of) + " is not there, so " + quote(e.Reached.Unchecked) + " fails"
		} else {
			text = orElse(in.ifThatFails(text, e, at), onCondition(text, e.Reached))
		}
		if r := e.By.Unreached; r != nil && r.How == risk.EndFails {
			text += tail + "; now " + why(r, at)
		}
	}
	if a := in.actOf(e); a != nil && a.Ends != nil && a.Ends.How == risk.EndAsks {
		text += tail + "; it asks first"
	}
	if made := in.copied(e); made {
		text = strings.Replace(text, "; no copy is known", "; its copy stays", 1)
	}
	if all, these := in.deletesAll(lead, at); all != "" {
		text, told = all, these
	}
	text = in.standIn(in.without(in.aside(in.withAftermath(text, e), e, at), e.By.Process, at), e)
	text = withLines(in.alike(text, lead, at), e, at)
	return finish(in.denied(text, beside(text, *in, others(*in, lead, told), at), e, at))
}

// Rule writes the sentence for a request that a finding raised above what its
// effects, told in text, come to.
func Rule(f *risk.Finding, text string) string {
	lead := "Matches the rule " + quote(f.Title)
	if text = strings.TrimSuffix(text, "."); text != "" {
		lead += ": " + lower(text)
	}
	return finish(lead)
}

// Session writes the sentence for a request that means more than it says, because
// of what was done before in its session: the finding's title is the main clause, or
// all of it if it ends like a sentence.
func Session(f *risk.Finding, text string) string {
	lead := Visible(f.Title)
	if text = strings.TrimSuffix(text, "."); text != "" && !strings.HasSuffix(lead, ".") {
		lead += ": " + lower(text)
	}
	return finish(lead)
}

// Intent writes the sentence for a request that only the intent model raised
// above what its effects, told in text, come to.
func Intent(intent, text string) string {
	lead := "Looks like " + intent
	text = strings.TrimSuffix(text, ".")
	switch {
	case text == "":
		return finish(lead + " by its wording")
	case length(text+"; "+lead) < maxSentence:
		return finish(text + "; " + lower(lead))
	}
	return finish(lead + ": " + lower(text))
}

// lower makes a sentence a clause.
func lower(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && (s[1] < 'A' || s[1] > 'Z') {
		return string(s[0]+'a'-'A') + s[1:]
	}
	return s
}

// finish cuts a sentence to its length and ends it.
func finish(s string) string {
	s = Cut(smooth(strings.TrimSpace(strings.ReplaceAll(s, tail, ""))), maxSentence+60)
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// notAstray is, for an effect in a directory that is not there, the same in the one where the
// shell stays; else the effect itself.
func (in *Input) notAstray(lead int) int {
	if lead < 0 || !in.Effects[lead].By.Astray {
		return lead
	}
	best := lead
	for i := range in.Effects {
		e := &in.Effects[i]
		if e.Verb == in.Effects[lead].Verb && e.Span == in.Effects[lead].Span && !e.By.Astray && (best == lead || in.Bands[i] > in.Bands[best]) {
			best = i
		}
	}
	return best
}

// weight orders effects of one band: what is lost or run comes before what is
// merely touched.
func weight(e *risk.Effect) int {
	order := []risk.Verb{
		risk.Blind, risk.DiskWrite, risk.Exhaust, risk.ExecRemote, risk.SecretSend, risk.FSDelete, risk.DBDestroy, risk.RemoteDestroy, risk.VCSForce,
		risk.VCSDiscard, risk.VCSRewrite, risk.AgentConfig, risk.SecretRead, risk.PrivGain, risk.PersistAdd, risk.DefenseEvade, risk.SysPower,
		risk.FSWrite, risk.FSMove, risk.FSAttr, risk.ExecShell, risk.ExecUnknown, risk.ProcSignal, risk.PkgPublish, risk.VCSPush, risk.PkgInstall, risk.PkgRemove,
		risk.NetSend, risk.DBChange, risk.RemoteChange, risk.SysConfig, risk.FSMount, risk.ExecProject, risk.NetListen, risk.NetConnect, risk.NetFetch, risk.VCSLocal,
		risk.FSCreate, risk.ExecKnown, risk.DBRead, risk.RemoteRead, risk.FSRead,
	}
	if e.Kind == risk.KindLookalikeName || e.Kind == risk.KindConcealingCharacters {
		return -1 // what the eye misses is said first
	}
	w := slices.Index(order, e.Verb) * 8
	if e.Root {
		w -= 4
	}
	if e.Recursive {
		w -= 2
	}
	if lost := e.Reversible == risk.Lost || e.Reversible == risk.Partly; lost && e.Verb != risk.FSMove { // before what can be brought back
		w -= 3
	}
	if e.Certainty == risk.Possible {
		w++
	}
	if e.Reversible == risk.NothingThere {
		w += 1000 // what is really lost comes before what is not there
	}
	return w
}

// Lead returns the index of the effect that a sentence leads with, or -1 if
// none matters.
func Lead(effects []risk.Effect, bands []risk.Band) int { return leading(effects, bands) }

// leading picks the effect that decided the tier, or -1 if none matters.
func leading(effects []risk.Effect, bands []risk.Band) int {
	best := -1
	for i := range effects {
		if bands[i] == risk.BandSafe {
			continue
		}
		if best < 0 || bands[i] > bands[best] || bands[i] == bands[best] && weight(&effects[i]) < weight(&effects[best]) {
			best = i
		}
	}
	return present(effects, bands, best)
}

// present picks, where the deciding effect would meet nothing now, one of the
// same kind that meets something, if that is worth a click: `cd build; rm -rf *`
// without a build is about what lies here. But what would go outside the
// workspace leads before what can be brought back.
func present(effects []risk.Effect, bands []risk.Band, lead int) int {
	if lead < 0 || effects[lead].Reversible != risk.NothingThere {
		return lead
	}
	best := lead
	near := effects[lead].Scope == risk.InWorkspace || effects[lead].Scope == risk.InTemp
	for i := range effects {
		e := &effects[i]
		alike := bands[i] == bands[lead] || bands[i] >= risk.BandCautionB && (near || base(e.Target) == base(effects[lead].Target))
		if e.Verb == effects[lead].Verb && e.Reversible != risk.NothingThere && alike && (best == lead || weight(e) < weight(&effects[best])) {
			best = i
		}
	}
	return best
}

// beside adds what else happens, the weightiest first: as it would be told alone while
// there is room, and then by the programs that do it.
func beside(text string, in Input, more []int, at place) string {
	slices.SortStableFunc(more, func(i, j int) int {
		return cmp.Or(int(in.Bands[j])-int(in.Bands[i]), weight(&in.Effects[i])-weight(&in.Effects[j]))
	})
	also, rest := "", []int{}
	for _, i := range more {
		e := &in.Effects[i]
		says := lower(plain(in.withVia(in.inPart(orElse(in.said(e, at), phrase(e, at)), e), e)))
		if e.Kind == risk.KindMissing && in.mayMake(e) {
			says = "runs " + at.path(e.Target) + ", not inspected"
		}
		if e.Reversible == risk.NothingThere && e.Verb == risk.FSDelete || in.unmet(i) != nil {
			continue // it meets nothing, or does not happen as things are
		}
		if e.Verb == risk.SecretRead && (e.Target == "" || e.Target == "a secret") && (strings.Contains(text, ", in clear") || strings.Contains(text, "what is secret in it") || strings.HasPrefix(text, "Shows the secret ")) {
			continue // what is shown is told, and that it is a secret
		}
		if e.Verb == risk.FSRead && in.Bands[i] < risk.BandReview && e.Target != "" && strings.Contains(text, base(e.Target)+" is not there") {
			continue // nothing is read of it
		}
		if e.Verb == risk.FSRead && in.Bands[i] < risk.BandReview && strings.HasPrefix(text, "Sends "+at.path(e.Target)+" to ") {
			continue
		}
		if e.Verb == risk.FSRead && e.Scope == risk.IsSecret && in.shownOf(e, text, at) {
			continue
		}
		if e.Kind == risk.KindCodingAgent && strings.Contains(text, approvalsOff) {
			continue // that it is started is told
		}
		if a := in.actOf(e); e.Verb == risk.FSRead && a != nil && a.Placeholder != "" && strings.Contains(text, "a placeholder") && strings.HasSuffix(e.Target, a.Placeholder) {
			continue // which is no file
		}
		if e.Target == Rest {
			continue // the words of the same list, of which the first says where they come from
		}
		if a := in.actOf(e); in.Bands[i] < risk.BandReview && a != nil && a.Says != "" && strings.Contains(lower(plain(text)), lower(a.Says)) {
			continue // in the words of its program
		}
		if _, what, _ := strings.Cut(says, " "); strings.HasPrefix(text, "Would ") && what != "" && strings.Contains(plain(text), " "+what) && in.Bands[i] < risk.BandReview {
			continue // in the same words, as what would be
		}
		if in.reaches(e) && strings.Contains(text, "on "+quote(e.Target)) {
			continue // what is done there says so
		}
		if in.madeOf(e, plain(text)) || e.Verb == risk.FSMove && replacing(text, says) {
			continue // that it is made, or what it replaces, is told
		}
		if e.Verb == risk.FSWrite && e.Reversible == risk.NothingThere && strings.Contains(also, "secret in ") && strings.HasSuffix(also, " to "+at.path(e.Target)) {
			continue // as the copy of a secret
		}
		if main, rest, ok := strings.Cut(says, ", running "); ok && strings.Contains(lower(plain(text)), main) {
			says = "runs " + rest
		}
		note := absence(says)
		switch {
		case note != "" && len(rest) == 0 && length(text+also+note) < maxSentence:
			also += note
		case strings.Contains(lower(plain(text))+also, says):
		case len(rest) == 0 && length(text+also+"; also "+says) < maxSentence:
			also += map[bool]string{true: "; also ", false: "; "}[also == ""] + says
		default:
			rest = append(rest, i)
		}
	}
	acts, all := in.inShort(rest)
	acts = slices.DeleteFunc(acts, func(act string) bool { return strings.Contains(also, act) })
	for n := len(acts); n > 0; n-- { // the weightiest first, while there is room
		more := map[bool]string{true: "; also ", false: "; "}[also == ""] + series(slices.Clone(acts[:n]))
		if n < len(acts) || !all {
			more += ", and more"
		}
		if n <= 3 && length(text+also+more) < maxSentence {
			return text + also + more
		}
	}
	if (len(acts) > 0 || !all) && length(text+also+"; and more") < maxSentence {
		also += "; and more"
	}
	return text + also
}

// mayMake reports whether the line makes a file whose name is not known where one is that
// was not there.
func (in *Input) mayMake(e *risk.Effect) bool {
	return slices.ContainsFunc(in.Effects, func(x risk.Effect) bool {
		return (x.Verb == risk.FSWrite || x.Verb == risk.FSCreate) && x.Unresolved != "" && x.Span.Start < e.Span.Start && path.Dir(x.Target) == path.Dir(e.Target)
	})
}

// replacing reports whether a text tells what is lost by a move, and with that of the move.
func replacing(text, says string) bool {
	over := strings.Replace(strings.Replace(says, "renames", "moves", 1), " to ", " over ", 1)
	return strings.Contains(text, " onto one name") || strings.Contains(lower(plain(text)), over)
}

// inShort says what some effects do by their acts alone, each once: how many files more
// are deleted, that the network is used. all is set if there are words for each.
func (in *Input) inShort(rest []int) (acts []string, all bool) {
	all = true
	files, n := map[risk.Verb][]string{}, map[risk.Verb]int{}
	for _, i := range rest {
		if e := &in.Effects[i]; !slices.Contains(files[e.Verb], e.Target) {
			files[e.Verb] = append(files[e.Verb], e.Target)
			n[e.Verb]++
			if c := e.Counts; e.Verb == risk.FSDelete && c != nil && c.Files > 1 && !oneIn(e) { // what a directory holds
				n[e.Verb] += c.Files - 1
			}
		}
	}
	for _, i := range rest {
		e := &in.Effects[i]
		act := shortly(e, n[e.Verb])
		if all = all && act != ""; act != "" && !slices.Contains(acts, act) {
			acts = append(acts, act)
		}
	}
	return acts, all
}

// shortly is the act of an effect without its target, "" if that says nothing; n is how
// many targets there are of its verb.
func shortly(e *risk.Effect, n int) string {
	some := "1 more file"
	if n > 1 {
		some = number(n) + " more files"
	}
	switch e.Verb {
	case risk.FSDelete:
		return "deletes " + some
	case risk.FSWrite:
		return "changes " + some
	case risk.FSCreate:
		return "creates " + some
	case risk.FSMove:
		return "moves " + some
	case risk.FSAttr:
		return "changes the rights of " + some
	case risk.FSRead:
		return "reads " + some
	case risk.NetFetch, risk.NetConnect:
		return "uses the network"
	case risk.NetSend:
		return "sends data"
	case risk.NetListen:
		return "accepts connections"
	case risk.PkgInstall:
		return "installs packages"
	case risk.PkgRemove:
		return "removes packages"
	case risk.SecretRead:
		return "shows secrets"
	case risk.SecretSend:
		return "sends secrets"
	case risk.SysConfig:
		return "changes settings"
	case risk.PrivGain:
		return "grants rights"
	case risk.PersistAdd:
		return "arranges to run later"
	case risk.ProcSignal:
		return "signals processes"
	case risk.DBChange, risk.DBDestroy:
		return "changes the database"
	case risk.RemoteChange, risk.RemoteDestroy:
		return "changes what a service holds"
	case risk.VCSLocal, risk.VCSDiscard, risk.VCSRewrite:
		return "changes the repository"
	case risk.VCSPush, risk.VCSForce:
		return "pushes"
	case risk.ExecKnown:
		switch e.Kind {
		case risk.KindConcealedCommand, risk.KindConcealingCharacters:
			return "does not read as it runs"
		case risk.KindNotUnderstood:
			return "has words that heed does not know"
		}
	}
	if e.Verb == risk.ExecProject || e.Verb == risk.ExecUnknown || e.Verb == risk.ExecShell || e.Verb == risk.ExecRemote {
		return "runs more code"
	}
	return ""
}

// inPart says of a script that was read, of which what was understood is told as well,
// that not all of it was.
func (in *Input) inPart(text string, e *risk.Effect) string {
	a := in.actOf(e)
	if e.Kind != risk.KindScript || e.Verb != risk.ExecProject || a == nil || a.Script == "" || base(a.Script) != base(e.Target) {
		return text
	}
	for i := range in.Effects {
		if x := &in.Effects[i]; x != e && x.By.Process == e.By.Process && x.Verb != risk.FSRead && x.Kind != risk.KindScript && x.Span == e.Span {
			return strings.Replace(text, ", not inspected", ", not all of it understood", 1)
		}
	}
	return text
}

// others are the further effects that matter as much as a click, or as the leading one if
// another program has them, without those that the sentence tells, and without what the
// same program would meet nothing with.
func others(in Input, lead int, told []int) (n []int) {
	for i := range in.Effects {
		e, first := &in.Effects[i], &in.Effects[lead]
		nothing := e.Reversible == risk.NothingThere && first.Reversible != risk.NothingThere && e.Verb == first.Verb && e.Span == first.Span
		apart := e.By.Process != first.By.Process && (e.Verb != first.Verb || e.Kind != first.Kind)
		if a := in.actOf(first); e.Verb == first.Verb && e.Pattern == first.Pattern && ofAll(first) && (a == nil || !a.spares(first)) {
			continue // it is part of all
		}
		if i != lead && (in.Bands[i] >= risk.BandCautionB || in.Bands[i] == in.Bands[lead] && apart) && e.Target != first.Target && !nothing && !slices.Contains(told, i) {
			n = append(n, i)
		}
	}
	return n
}

// withVia says through which wrapper, machine or account something happens.
func (in *Input) withVia(text string, e *risk.Effect) string {
	if e.Host != "" {
		return insert(text, " on "+quote(e.Host))
	}
	if e.Scope == risk.InImage {
		return insert(text, " in the image")
	}
	if !e.Privileged || e.Verb == risk.ExecKnown {
		return text
	}
	for _, v := range slices.Backward(e.Via) { // the innermost has the last word
		name, who, _ := strings.Cut(v, " ")
		switch name = base(name); name {
		case "sudo", "doas", "su", "pkexec", "run0", "runuser", "sudoedit":
			if who != "" {
				return insert(text, " as "+quote(who)+" ("+name+")")
			}
			if in.asRoot(name) {
				return insert(text, " as root ("+name+")")
			}
			return insert(text, " as another user ("+name+")")
		}
	}
	return insert(text, " with other rights")
}

// asRoot reports whether a program that gives other rights gives those of root each time
// that it runs: sudo and doas do, if no option names another (sudo(8), doas(1)).
func (in *Input) asRoot(program string) bool {
	if program != "sudo" && program != "doas" {
		return false
	}
	some := false
	for i := range in.Acts {
		argv := in.Acts[i].Argv
		if len(argv) == 0 || base(argv[0]) != program {
			continue
		}
		some = true
		for _, w := range argv[1:] {
			if !strings.HasPrefix(w, "-") {
				break
			}
			if long := strings.HasPrefix(w, "--"); long && (strings.HasPrefix(w, "--user") || strings.HasPrefix(w, "--group")) || !long && strings.ContainsAny(w, "ug") {
				return false
			}
		}
	}
	return some
}
