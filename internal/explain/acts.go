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
	Host string // the machine or container that it runs on, "" for this one
	// Sends is the text that it sends as it stands among its words, "" where that is not
	// one, or may be a secret.
	Sends string
	// Says is what it does in the words of its spec, "" where it has none.
	Says string
	// Thing is what Says tells is acted on, where that is made of the words of the command
	// line; Kind is the same of one, and Several is set where more than one is named.
	Thing, Kind string
	Several     bool
	// Plain is the same without what its options make of what it shows; "" where they make
	// nothing of it.
	Plain string
	// Does are the verbs of the effects that the same spec has for it.
	Does []risk.Verb
	// Summary is what the program is for, in words of its spec that name nothing, and
	// Gist the same where it is of the very subcommand. Reads is set where a command of
	// that gist can do no more than read.
	Summary, Gist string
	Reads         bool
	// Grouped is set for a program that does nothing without a subcommand.
	Grouped bool
	// Fed is set when its input comes from another program or a file, and Takes when it
	// works on its input, which then stands for what it would look for here.
	Fed, Takes bool
	// Placeholder is a word of it that stands for something else, "" for none; Sure is
	// set where it can be nothing else.
	Placeholder string
	Sure        bool
	// Lost are files that its words name and that are not there, by their names.
	Lost []string
	// Aside is what else is not there, as a clause, or "". Wanting is set where the program
	// needs it.
	Aside   string
	Wanting bool
	// Script is the file of code that it runs, as it is written, or "".
	Script string
	// Otherwise is set for one that starts if what stands before it fails.
	Otherwise bool
	// Else is set for one that starts if the condition of a clause does not hold.
	Else bool
	// Captured is set when its output becomes a word of the shell.
	Captured bool
	// Echoes is set for one that only prints its words.
	Echoes bool
	// Prints is the text that it surely prints and nothing else, nil where that is not
	// known. Piped is set when that goes to another program, a variable or a file.
	Prints *string
	Piped  bool
	// Unseen is set when its output goes nowhere.
	Unseen bool
	// Of is the program with the subcommands of it that stand before one that nobody knows.
	Of string
	// Uses are the modules of which its code only prints what they give.
	Uses []string
	// Conditional is set for one that starts only if something else comes out well or ill.
	Conditional bool
	// Tested is set for one that a test of the line decides about: if, while, case.
	Tested bool
	// Astray is set for one that would start in a directory that is not there, and so does
	// not, and Instead for one that starts elsewhere for that.
	Astray, Instead bool
	// Background is set when the shell does not wait for it.
	Background bool
	// Shell is set where the shell itself acts.
	Shell bool
	// Seeks is set for one that looks for what matches.
	Seeks bool
	// Narrows is set for one that prints less of its input, or the same in another way.
	Narrows bool
	// Each is for what it runs others, as they are told of by it: files below src. "" for one
	// that runs none for each of some.
	Each string
	// Found is how those files are told of in Says that a search finds, "" for none.
	Found string
	// Handed is set for one that another starts on the words of its own input, and
	// Idle where it is handed none.
	Handed, Idle bool
	// Ends is how it ends, and Unreached how one ends that has to succeed before it
	// starts, where that is known; nil otherwise.
	Ends, Unreached *risk.Ending
	// Parent is the index of the act that starts it, -1 for the shell, and Passes set
	// for one that starts others and does nothing to tell of beside.
	Parent int
	Passes bool
	// Applet is set for what is a part of the program that starts it, and no program of its own.
	Applet bool
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

// short is a command as it is named in a sentence about another one: whole, or its first
// words.
func (a *Act) short() string { return a.firstWords(4, 40) }

// command is a command as it is named where nothing else says what it does.
func (a *Act) command() string { return a.firstWords(6, 60) }

// firstWords are the first words of a command, at most n and so many bytes.
func (a *Act) firstWords(n, size int) string {
	words := slices.DeleteFunc(slices.Clone(a.Argv), func(w string) bool { return w == Rest })
	for i, w := range words {
		if w == "" {
			words[i] = "''"
		}
	}
	n = min(n, len(words))
	first := func() string {
		if n < len(words) {
			return strings.Join(words[:n], " ") + " …"
		}
		return strings.Join(words, " ")
	}
	text := first()
	for ; len(text) > size && n > 1; text = first() {
		n--
	}
	text = strings.NewReplacer("<xargs>", "{}", "<parallel>", "{}").Replace(text)
	return "`" + strings.ReplaceAll(Visible(Cut(text, size)), "`", "'") + "`"
}

// place names, in what acts say of the directory that they are in, that directory. Where
// one works on another machine is not known here.
func (in *Input) place(at place) {
	for i := range in.Acts {
		switch a := &in.Acts[i]; {
		case a.Host != "":
			a.Says = strings.ReplaceAll(a.Says, "this directory", "the working directory")
		case a.Dir != in.Dir && strings.HasPrefix(a.Dir, "/"):
			a.Says = strings.ReplaceAll(a.Says, "this directory", at.path(a.Dir))
		}
		if made := in.makesOnly(i, at); made != "" && strings.HasSuffix(in.Acts[i].Says, ", and makes what is missing") {
			in.Acts[i].Says = "Creates " + made
		}
	}
}

// makesOnly names the files that an act makes, where all of them are new and it does nothing
// else; else "".
func (in *Input) makesOnly(p int, at place) string {
	var files []string
	for i := range in.Effects {
		switch e := &in.Effects[i]; {
		case e.By.Process != p:
		case e.Verb != risk.FSCreate || e.Reversible != risk.NothingThere || e.Many || e.Unresolved != "" || e.Kind != risk.NoKind || scopeNote(e) != "":
			return ""
		default:
			files = append(files, at.path(e.Target))
		}
	}
	return series(files)
}

// maxJoined is how long what several acts do may be in one sentence, in characters.
const maxJoined = maxSentence - len(".")

// through reports whether an act is nothing to tell of beside what it starts.
func (a *Act) through() bool { return a.Passes && a.Says == "" && a.Prints == nil }

// shownActs counts the acts whose output somebody may see: it is no word of the shell and goes
// somewhere.
func shownActs(acts []Act) (n int) {
	for i := range acts {
		if !acts[i].Captured && !acts[i].Astray && !acts[i].through() && !acts[i].Unseen && !acts[i].Shell {
			n++
		}
	}
	return n
}

// actOf is the act that has an effect, or nil where that is the shell itself, as in a
// redirection, or is not known.
func (in *Input) actOf(e *risk.Effect) *Act {
	if p := e.By.Process; p >= 0 && p < len(in.Acts) {
		return &in.Acts[p]
	}
	return nil
}

// toldWhole reports whether the words of an effect's program are all that there is to
// say of it.
func (in *Input) toldWhole(e *risk.Effect, at place) bool {
	a := in.actOf(e)
	if a == nil || a.Says == "" {
		return false
	}
	near := e.Scope == risk.InWorkspace || e.Scope == risk.InTemp
	fresh := (e.Verb == risk.FSCreate || e.Verb == risk.FSWrite) && e.Reversible == risk.NothingThere && near && !e.Many && e.Unresolved == "" && (e.Kind == risk.NoKind || e.Kind == risk.KindDirectory)
	return a.Says == strings.ReplaceAll(in.said(e, at), tail, "") || fresh && strings.HasPrefix(a.Says, "Creates ") && names(a.Says, e.Target)
}

// program names what starts.
func (a *Act) program() string {
	if len(a.Argv) == 0 {
		return "more"
	}
	return base(Visible(a.Argv[0]))
}

// printed is what an act that only prints its words does, with the beginning of them;
// "" where they are not known, or are a format.
func (a *Act) printed() string {
	if !a.Echoes || len(a.Argv) == 0 || base(a.Argv[0]) != "echo" {
		return ""
	}
	words := a.Argv[1:]
	if len(words) > 1 && words[0] == "-n" {
		words = words[1:]
	}
	text := strings.TrimSpace(strings.Join(words, " "))
	if i := strings.IndexByte(text, '<'); i >= 0 && !strings.ContainsAny(text[:i], "$`\n") && !strings.HasPrefix(text, "-") {
		from := risk.CauseOutput
		if strings.HasPrefix(text[i:], "</") {
			from = risk.CauseFile
		}
		switch what := Gap(text[i:], from, "", ""); {
		case what == "":
		case i == 0:
			return "Prints " + what
		default:
			return "Prints “" + Cut(Visible(strings.TrimSpace(text[:i])), maxText) + "” and " + what
		}
	}
	switch {
	case text == "":
		return "Prints an empty line"
	case strings.ContainsAny(text, "<$`") || strings.HasPrefix(text, "-"):
		return ""
	}
	line, _, more := strings.Cut(text, "\n")
	if more {
		line += "…"
	}
	return "Prints “" + Cut(Visible(line), maxText) + "”"
}

// words are those for what an act does: of its spec's phrase or summary, and else its
// own command.
func (a *Act) words() string {
	if a.Prints != nil {
		return printsText(*a.Prints)
	}
	says := orElse(a.Says, orElse(a.printed(), a.inWords()))
	if len(a.Uses) > 0 && a.Says == "" {
		return "Runs Python code that imports " + series(slices.Clone(a.Uses)) + " and prints"
	}
	if says == "" && len(a.Argv) > 0 {
		return "Runs " + a.command()
	}
	return says
}

// otherwise begins the clause of what is done if what stands before it fails.
const otherwise = "or else "

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
			if length(text+more) >= maxSentence {
				more = "; " + quote(a.program()) + " fails: " + why(a.Ends, at)
			}
		}
		if e.By.Unreached == nil && len([]rune(text+more)) < maxSentence && !strings.Contains(text, why(a.Ends, at)) {
			return text + tail + more
		}
		break
	}
	return text
}

// without tells what the words of an act name that is not there, where nothing is known of
// whether it needs it. process is whose, -1 for the first that has some.
func (in *Input) without(text string, process int, at place) string {
	for i := range in.Acts {
		a := &in.Acts[i]
		if process >= 0 && i != process || a.Inner || a.Echoes || a.Unreached != nil || a.Ends != nil || strings.HasPrefix(text, "Fails") {
			continue
		}
		because := a.Aside
		if because == "" && len(a.Lost) > 0 && process < 0 { // of one that changes something it may be what it makes
			because = why(&risk.Ending{Missing: a.Lost}, at)
		}
		if because == "" {
			continue
		}
		if i == process && a.Wanting {
			text = wouldBe(text)
		}
		bare, stop := text, false
		if process < 0 {
			bare, stop = strings.CutSuffix(text, ".")
		}
		more := "; " + because
		if name := lostName(a, text, at); name != "" && process < 0 {
			return strings.Replace(text, name, name+" (not there now)", 1)
		}
		switch {
		case length(bare+more) >= maxSentence || strings.Contains(text, because):
			return text
		case stop && strings.HasSuffix(bare, "; changes nothing"):
			return strings.TrimSuffix(bare, "; changes nothing") + more + "; changes nothing."
		case stop:
			return bare + more + "."
		}
		return text + tail + more
	}
	return text
}

// lostName is the name of the one file that an act does not find, as a text tells it; "" where
// it does not, or tells of more.
func lostName(a *Act, text string, at place) string {
	if a.Aside != "" || len(a.Lost) != 1 {
		return ""
	}
	for _, name := range []string{at.path(a.Lost[0]), strings.TrimPrefix(at.path(a.Lost[0]), "./")} {
		if i := strings.Index(text, name); i > 0 && text[i-1] == ' ' && (i+len(name) == len(text) || strings.ContainsRune(" ,;.", rune(text[i+len(name)]))) {
			return name
		}
	}
	return ""
}

// standIn tells of a word that a sentence names and that only stands for something.
func (in *Input) standIn(text string, e *risk.Effect) string {
	a := in.actOf(e)
	if a == nil || a.Placeholder == "" || a.Echoes {
		return text
	}
	if a.Sure && elsewhere(e.Verb) && (strings.Contains(e.Target, a.Placeholder) || a.Placeholder == "..." || a.Placeholder == "…") {
		text = wouldBe(text)
	}
	more := "; " + quote(a.Placeholder) + map[bool]string{true: " is only a placeholder", false: " looks like a placeholder"}[a.Sure]
	if len([]rune(text+more)) >= maxSentence {
		return text
	}
	return text + tail + more
}

// elsewhere reports whether an effect is on what a server, the network or a disk has, and
// so on nothing where only a placeholder names it.
func elsewhere(v risk.Verb) bool {
	for _, of := range []string{"remote.", "net.", "db.", "pkg.", "disk.", "vcs.push", "vcs.force"} {
		if strings.HasPrefix(string(v), of) {
			return true
		}
	}
	return v == risk.ExecRemote
}

// together tells all that several acts do, where each act that does more than read has
// words of its own for it; else "".
func (in *Input) together(at place) string {
	told := 0
	for i := range in.Acts {
		if i+1 == len(in.Acts) || in.Acts[i].program() != echoFor(in.Acts, i+1) {
			told++
		}
	}
	if told < 2 {
		return ""
	}
	if slices.ContainsFunc(in.Acts, func(a Act) bool { return a.Captured && a.Ends != nil }) {
		return "" // which is told beside the rest
	}
	for i := range in.Effects {
		e := &in.Effects[i]
		if in.Bands[i] == risk.BandSafe || in.reaches(e) {
			continue
		}
		if a := in.actOf(e); !in.toldWhole(e, at) || e.Privileged || e.Host != a.Host || e.Where != "" || a.Captured || in.beneath(e.By.Process) {
			return ""
		}
	}
	text := joined(in.Acts, at, false)
	for i := range in.Acts { // what the first of them lacks; a loop's end needs the room
		if a := &in.Acts[i]; text != "" && len(in.Loops) == 0 && a.Wanting && a.Aside != "" && !a.Inner && a.Unreached == nil && length(text+"; "+a.Aside) < maxSentence {
			return text + "; " + a.Aside
		}
	}
	return text
}

// raised tells all that several programs do that no more than read, all of them with the
// rights that one has given them; else "".
func (in *Input) raised(lead int, at place) string {
	e := &in.Effects[lead]
	if shownActs(in.Acts) < 2 {
		return ""
	}
	for i := range in.Effects {
		x := &in.Effects[i]
		if in.Bands[i] != risk.BandSafe && (x.Verb != risk.ExecKnown && x.Verb != risk.FSRead || x.Kind != risk.NoKind || x.Scope == risk.IsSecret || !x.Privileged || len(x.Via) == 0 || x.Via[0] != e.Via[0]) {
			return ""
		}
	}
	text := joined(in.Acts, at, false)
	if text == "" {
		return ""
	}
	if e.Via[0] == "sudo" && in.asRoot("sudo") {
		return text + ", as root (sudo)"
	}
	return text + ", with other rights"
}

// inSuccession reports whether all that is on a condition is done once what stands before it
// has succeeded: a && b && c.
func (in *Input) inSuccession() bool {
	return !slices.ContainsFunc(in.Effects, func(e risk.Effect) bool {
		return !e.Reached.IsZero() && e.Reached.Kind != risk.IfSucceeds
	}) && !slices.ContainsFunc(in.Acts, func(a Act) bool {
		return a.Otherwise || a.Else || a.Tested || strings.HasPrefix(a.Says, "Would ")
	})
}

// beneath reports whether an act is started by one that is told in words of its own, and
// would not be told beside it.
func (in *Input) beneath(p int) bool {
	for q := in.Acts[p].Parent; q >= 0 && q < p; p, q = q, in.Acts[q].Parent {
		if !in.Acts[q].Passes || in.Acts[q].Says != "" {
			return true
		}
	}
	return false
}

// maxOpened is of how many programs in a script a sentence about the script tells.
const maxOpened = 3

// opened tells of a script that was read by what the few programs in it do; "" where
// that is too much, or depends on something.
func (in *Input) opened(e *risk.Effect, at place) string {
	p := e.By.Process
	if e.Kind != risk.KindInspectedScript || e.Target == "" || p < 0 || p >= len(in.Acts) || in.Acts[p].Ends != nil {
		return ""
	}
	var inside []Act
	for i := p + 1; i < len(in.Acts) && in.Acts[i].Parent >= p; i++ {
		a := in.Acts[i]
		if a.Parent = a.Parent - p - 1; a.Echoes && a.Says == "" || a.Ends != nil && a.Ends.How != risk.EndFails {
			return ""
		}
		inside = append(inside, a)
	}
	conditional := slices.ContainsFunc(in.Effects, func(x risk.Effect) bool {
		return x.By.Process > p && x.By.Process <= p+len(inside) && !x.Reached.IsZero()
	})
	if len(inside) == 0 || len(inside) > maxOpened || conditional {
		return ""
	}
	does := joined(inside, at, false)
	if len(inside) == 1 && inside[0].Ends != nil {
		does = "fails at " + inside[0].short() + ": " + why(inside[0].Ends, at)
	}
	if does == "" {
		return ""
	}
	says := "Runs " + thing(e) + at.named(e.Target) + tail + ": " + lower(does)
	if length(says) >= maxSentence {
		return ""
	}
	return says
}

// thing is what a script is called that is no file of its own.
func thing(e *risk.Effect) string {
	switch {
	case strings.HasPrefix(e.Target, "/"), risk.IsNoun(e.Target):
		return ""
	case slices.Contains([]string{"make", "gmake", "just", "rake", "task", "mage"}, base(e.Program)):
		return "the target "
	}
	return "the script "
}

// there is what is done on the machine that an effect only gets to, where that is more
// than reading; -1 where it is not.
func (in *Input) there(lead int) int {
	if !in.reaches(&in.Effects[lead]) {
		return -1
	}
	host, best := in.Acts[in.Effects[lead].By.Process+1].Host, -1
	for i := range in.Effects {
		if e := &in.Effects[i]; e.Host == host && in.Bands[i] != risk.BandSafe && (best < 0 || weight(e) < weight(&in.Effects[best])) {
			best = i
		}
	}
	return best
}

// reaches reports whether an effect is that of getting to a machine, by a program that
// does nothing but start others there: what those do is told with its name.
func (in *Input) reaches(e *risk.Effect) bool {
	p := e.By.Process
	if e.Verb != risk.NetConnect || p < 0 || p+1 >= len(in.Acts) {
		return false
	}
	next := &in.Acts[p+1]
	return in.Acts[p].Passes && next.Parent == p && next.Host != "" && strings.HasSuffix(e.Target, next.Host)
}

// matters reports whether an act does more than read.
func (in *Input) matters(i int) bool {
	return slices.ContainsFunc(in.Effects, func(e risk.Effect) bool { return e.By.Process == i && e.Verb != risk.FSRead })
}
