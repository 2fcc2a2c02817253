package explain

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// What a program does is told in the words of its spec where those of an effect name
// no more than a kind of thing: its phrase, and else the summary of the subcommand.

// said is what an effect's program does in the words of its spec; "" where those of the
// effect say more, or the spec has none.
func (in *Input) said(e *risk.Effect, at place) string {
	p := e.By.Process
	if p < 0 && e.Verb == risk.SecretRead { // what is shown by whoever prints it
		p = in.searcher(e)
	}
	if p < 0 || p >= len(in.Acts) {
		return ""
	}
	a := &in.Acts[p]
	if a.Ends != nil && a.Ends.Hollow && (e.Verb == risk.FSWrite || e.Verb == risk.FSCreate) {
		return hollow(e, at)
	}
	if a.spares(e) {
		text, _ := in.withoutRoot(e, at)
		return text
	}
	if a.sparesDot(e) {
		return "Would delete everything in " + at.path(e.Target) + loss(e, at) + tail + "; rm refuses . and .."
	}
	does := slices.Contains(a.Does, e.Verb) || e.Verb == risk.ExecShell && a.Passes ||
		e.Verb == risk.RemoteChange && e.Kind == risk.KindDeleteRequest && strings.Contains(a.Says, " to delete ") // at a service on this machine
	if _, word, ok := strings.Cut(e.Target, " "); ok && a.Of != "" && e.Kind == risk.KindNotUnderstood && e.Verb == risk.ExecKnown {
		return "Runs the command " + quote(word) + " of " + quote(a.Of) + tail + ", which heed does not know; it fails if there is none"
	}
	switch {
	case e.Kind == risk.KindSetuid && e.Verb == risk.FSAttr && a.setsGroupBit():
		return "Sets the group bit of " + acted(e, at) + tail + ": programs run with their group's rights, and directories give theirs to what is made in them"
	case e.Kind == risk.KindIncomplete && a.Says != "":
		return a.Says
	case e.Kind == risk.KindIncomplete && len(a.Argv) > 1:
		return "Most likely fails" + tail + ": a word is missing that " + a.command() + " needs"
	case e.Verb == risk.SecretSend && e.Kind == risk.KindPrivate:
		return in.sentPrivate(e, at)
	case e.Verb == risk.SecretRead && a.Seeks:
		return in.sought(a, e, at)
	case e.Kind == risk.KindCode && len(a.Uses) > 0 && e.Unresolved == "":
		return using(a.Uses, e)
	case e.Verb == risk.ExecKnown && e.Kind == risk.NoKind && e.Privileged:
		return in.raisedOne(p, e)
	case a.Says == "" && e.Target == "" && (e.Verb == risk.NetSend || e.Verb == risk.NetFetch || e.Verb == risk.NetConnect) && e.Kind == risk.NoKind && !vague(a.Summary) && !strings.Contains(a.Summary, " or "):
		return a.Summary
	case a.Says == "" && e.Kind == risk.KindDeleteRequest && deleteRequest(e) != "":
		return deleteRequest(e)
	case a.Says == "" && e.Verb == risk.NetSend && e.Kind == risk.NoKind:
		return in.sent(network(e, at), e, at)
	case a.Says == "" && does && e.Unresolved == "":
		return orElse(a.gist(e, at), in.called(e))
	case a.Says == "":
		return in.called(e)
	case !does || e.Unresolved != "" && !strings.Contains(a.Says, e.Unresolved) && !strings.Contains(a.Says, at.subject(e)):
		return ""
	}
	says := mainClause(a.Says)
	switch e.Verb {
	case risk.RemoteRead, risk.RemoteChange, risk.RemoteDestroy, risk.DBRead, risk.DBChange, risk.DBDestroy:
		if e.Kind == risk.KindDeleteRequest && !strings.Contains(says, "to delete ") && !strings.Contains(says, "a DELETE request") { // which only a look into the request told
			return ""
		}
		return insert(says, whereabouts(e))
	case risk.VCSLocal, risk.SysConfig, risk.SysPower, risk.FSMount:
		return says
	case risk.FSRead:
		if e.Privileged && e.Scope != risk.IsSecret && !strings.HasPrefix(a.Says, "Runs ") { // that it is read is no more than what is told
			return says
		}
	case risk.SecretRead:
		return inClear(says, e)
	case risk.PkgInstall, risk.PkgRemove, risk.PkgPublish, risk.ProcSignal:
		if e.Kind.Says(e.Verb) == "" || e.Kind == risk.KindAndRun || e.Kind == risk.KindSession {
			return says
		}
	case risk.PersistAdd, risk.DefenseEvade, risk.PrivGain:
		return graver(says, e, at)
	case risk.NetSend:
		if e.Target == "" || strings.Contains(says, at.named(e.Target)) || e.Kind == risk.KindDeleteRequest {
			return in.sent(says, e, at)
		}
	case risk.NetFetch, risk.NetConnect, risk.NetListen:
		if where := at.named(e.Target); e.Target != "" && !risk.IsNoun(e.Target) && !strings.Contains(says, where) {
			return says + " (" + where + ")"
		}
		return says
	case risk.FSWrite, risk.FSCreate:
		if e.Kind == risk.KindDownload && slices.Contains(a.Does, risk.NetFetch) && (e.Reversible == risk.NothingThere || e.Target == a.Dir) {
			return says + scopeNote(e)
		}
		missing, kept := in.makes(p)
		if times, ok := strings.CutSuffix(says, ", and makes what is missing"); ok && len(kept) > 0 && e.Kind == risk.NoKind && names(times, e.Target) {
			if len(missing) == 0 {
				return times + scopeNote(e)
			}
			return says + scopeNote(e)
		}
		if are := Words(kept, in.Dir, in.Home); e.Kind == risk.KindDirectory && are != "" {
			are += map[bool]string{true: " is there", false: " are there"}[len(kept) == 1]
			if len(missing) == 0 {
				return "Makes nothing new" + tail + ": " + are
			}
			if named := Words(missing, in.Dir, in.Home); named != "" {
				return "Creates " + named + scopeNote(e) + tail + "; " + are
			}
		}
		if in.replacesOwn(p) {
			return ""
		}
		if e.Verb == risk.FSCreate && (impersonal(e) || e.Target == a.Dir) && e.Kind == risk.NoKind { // which the effect has no name for
			return says
		}
		made := slices.Contains(a.Does, risk.FSRead) || slices.Contains(a.Does, risk.FSMove) || e.Kind == risk.KindSymlink || e.Kind == risk.KindHardLink || ofItsOwn(says)
		return ofFile(says, e, made, at)
	case risk.FSMove:
		if strings.Contains(says, base(e.Target)) || e.Kind == risk.KindRename && (strings.HasPrefix(says, "Renames ") || strings.HasPrefix(says, "Puts ")) {
			return says + scopeNote(e)
		}
	case risk.FSAttr:
		return says + scopeNote(e)
	case risk.FSDelete:
		if e.Recursive && !e.Many && strings.HasPrefix(says, "Deletes what ") { // a part of what is there
			return says + loss(e, at)
		}
	case risk.DiskWrite:
		return says
	case risk.ExecShell:
		if first, _, _ := strings.Cut(says, " "); first == "Attaches" || first == "Opens" || e.Kind == risk.KindInteractive {
			return says
		}
	case risk.ExecProject:
		if impersonal(e) || strings.Contains(says, at.named(e.Target)) {
			return ofProject(says)
		}
	case risk.ExecUnknown:
		if e.Kind == risk.KindAttackTool || e.Kind == risk.KindTypedIntoAWindow {
			return says
		}
	}
	return ""
}

// using tells of code that imports modules and prints what they give.
func using(modules []string, e *risk.Effect) string {
	names := make([]string, len(modules))
	for i, m := range modules {
		names[i] = quote(m)
	}
	which := map[bool]string{true: "that is", false: "those are"}[len(names) == 1]
	return "Runs " + strings.Replace(quote(e.Target), "“python code”", "Python code", 1) + " that imports " + series(names) + " and prints" + tail + "; " + which + " not inspected"
}

// raisedOne is what a program does that does no more than read, with the rights that another
// gives it; "" where there are no words for it.
func (in *Input) raisedOne(p int, e *risk.Effect) string {
	for p+1 < len(in.Acts) && in.Acts[p].through() && in.Acts[p+1].Parent == p {
		p++
	}
	a := &in.Acts[p]
	says := a.words()
	if a.Passes || a.Ends != nil || a.Host != "" || strings.HasPrefix(says, "Runs ") {
		return ""
	}
	as := "with other rights"
	if len(e.Via) == 1 && e.Via[0] == "sudo" && in.asRoot("sudo") {
		as = "as root (sudo)"
	}
	return insert(strings.Replace(says, "; ", tail+"; ", 1), ", "+as)
}

// searcher is the search of a pipe through which all goes that the pipe shows, -1 if there
// is none.
func (in *Input) searcher(e *risk.Effect) int {
	for i, a := range slices.Backward(in.Acts) {
		if a.Span == e.Span && !a.Inner && (a.Ends == nil || a.Ends.How == risk.EndPartly) {
			if a.Seeks {
				return i
			}
			if !a.Narrows || !a.Fed {
				break
			}
		}
	}
	return -1
}

// sought is what a search shows in a place that has secrets: lines that match, which may be
// none of them; "" where it has no words for that.
func (in *Input) sought(a *Act, e *risk.Effect, at place) string {
	rest, shows := strings.CutPrefix(a.Says, "Shows the lines ")
	piped, isPiped := strings.CutPrefix(rest, "of standard input ")
	from := orElse(holder(e, at), in.secretRead(e, at))
	switch {
	case !shows || from == "" || e.Kind != risk.NoKind && e.Kind != risk.KindShown && e.Source != risk.FromEnvironment():
	case isPiped && e.Source == risk.FromEnvironment():
		return "Shows the variables of the environment " + piped + tail + ", credentials among them"
	case isPiped:
		return "Shows the lines of " + from + " " + piped + tail + "; it holds secrets"
	default:
		return a.Says + tail + "; " + from + " holds secrets"
	}
	return ""
}

// secretRead is the one file with secrets that is read in the pipe of an effect, "" where
// it is not one.
func (in *Input) secretRead(e *risk.Effect, at place) (file string) {
	for i := range in.Effects {
		x := &in.Effects[i]
		if x.Verb != risk.FSRead || x.Span != e.Span || x.Scope != risk.IsSecret {
			continue
		}
		if file != "" || x.Many || x.Unresolved != "" {
			return ""
		}
		file = at.path(x.Target)
	}
	return file
}

// inClear is what a program does that shows a secret which the effect has no name for;
// "" where the effect knows more.
func inClear(says string, e *risk.Effect) string {
	if e.Target != "" && !risk.IsNoun(e.Target) || !e.Source.IsZero() || e.Kind.Says(e.Verb) != "" {
		return ""
	}
	switch first, _, _ := strings.Cut(says, " "); first {
	case "Shows", "Prints", "Lists":
		return insert(says, ", in clear")
	case "Saves", "Records", "Takes":
		return says
	}
	return insert(says, ", and shows what is secret in it")
}

// ofFile is what a program does where it makes a new file, of others or of its own, or
// changes one and its words say so; "" where what is lost there is to be told. made is set
// for one that says what it makes the file of.
func ofFile(says string, e *risk.Effect, made bool, at place) string {
	near := e.Scope == risk.InWorkspace || e.Scope == risk.InTemp
	if e.Many || !names(says, e.Target) || e.Unresolved != "" {
		return ""
	}
	first, _, _ := strings.Cut(says, " ")
	switch {
	case first == "Asks" && e.Verb == risk.FSCreate && e.Reversible == risk.NothingThere: // what is asked is made first
		return "Creates " + target(e, at) + tail + ", then " + lower(says)
	case e.Reversible == risk.NothingThere && made && (near || handsOver(first) && !strings.Contains(says, "standard input")):
		return says + scopeNote(e)
	case !near || e.Recursive || e.Verb != risk.FSWrite:
	case handsOver(first):
		if from, to, ok := strings.Cut(says, " to "); ok {
			return strings.Replace(from, "Renames", "Moves", 1) + " over " + to + loss(e, at)
		}
	case e.Reversible == risk.NothingThere && (first == "Changes" || first == "Removes"):
	case slices.Contains([]string{"Adds", "Removes", "Changes", "Sets", "Updates", "Brings", "Sorts"}, first):
		return says + loss(e, at)
	case (made || e.Kind == risk.KindDownload) && turnedInto(says, e.Target):
		return says + ", over what is there" + loss(e, at)
	}
	return ""
}

// turnedInto reports whether a sentence ends with the name of a file, as that which something is
// turned into.
func turnedInto(says, file string) bool {
	i := strings.LastIndexByte(says, ' ')
	return i > 0 && base(says[i+1:]) == base(file) && (strings.HasSuffix(says[:i], " to") || strings.HasSuffix(says[:i], " into") || strings.HasSuffix(says[:i], " as"))
}

// ofItsOwn reports whether a sentence says what a program makes of nothing that is here: a
// picture of the screen, a new project.
func ofItsOwn(says string) bool {
	first, _, _ := strings.Cut(says, " ")
	return slices.Contains([]string{"Takes", "Records", "Saves", "Exports"}, first) || strings.HasPrefix(says, "Creates a new ")
}

// names reports whether a sentence has the name of a file, and no absolute path that ends
// like it and is another's: that of a container, where the file is mounted.
func names(says, file string) bool {
	name, found := base(file), false
	for word := range strings.FieldsSeq(says) {
		if word = strings.Trim(word, ",;“”"); base(word) != name {
			continue
		}
		if found = true; strings.HasPrefix(word, "/") && path.Clean(word) != file {
			return false
		}
	}
	return found || strings.Contains(says, name)
}

// replacesOwn reports whether another program of the line hands something over to the
// same name: what is replaced there is then what one of them has made.
func (in *Input) replacesOwn(p int) bool {
	to := func(a *Act) string {
		first, _, _ := strings.Cut(a.Says, " ")
		if !handsOver(first) {
			return ""
		}
		return a.Says[strings.LastIndexByte(a.Says, ' ')+1:]
	}
	own := to(&in.Acts[p])
	for i := range in.Acts {
		if i != p && own != "" && to(&in.Acts[i]) == own && in.Acts[i].Dir == in.Acts[p].Dir && !strings.Contains(in.Acts[i].Says, " into ") {
			return true
		}
	}
	return false
}

// handsOver reports whether a sentence by its verb is about a file that gets another's
// content or name.
func handsOver(verb string) bool {
	return verb == "Copies" || verb == "Moves" || verb == "Renames"
}

// madeOf reports whether a new file is told in text by the words of the program that
// makes it.
func (in *Input) madeOf(e *risk.Effect, text string) bool {
	a := in.actOf(e)
	if a == nil || e.Reversible != risk.NothingThere || e.Verb != risk.FSCreate && e.Verb != risk.FSWrite {
		return false
	}
	return a.Says != "" && strings.Contains(text, a.Says) && strings.Contains(a.Says, base(e.Target))
}

// graver adds to what a program does why that weighs, which only the effect knows; ""
// where the effect is about something that is not told.
func graver(says string, e *risk.Effect, at place) string {
	told := e.Target == "" || e.Target == "-" || e.Verb == risk.DefenseEvade && risk.IsNoun(e.Target) || strings.Contains(says, at.named(e.Target))
	kind := e.Kind.String()
	switch {
	case !told:
		return ""
	case e.Verb == risk.PrivGain && (e.Kind == risk.KindAccount || e.Kind == risk.KindAttackTool):
		return says
	case e.Verb == risk.PrivGain && kind == "":
		return insert(says, ", which grants rights")
	case e.Kind == risk.KindService && e.Verb == risk.DefenseEvade:
		return insert(says, ", a defence of this machine")
	case kind != "" && !strings.Contains(says, strings.TrimSuffix(kind, "s")):
		return insert(says, " ("+kind+")")
	}
	return says
}

// called tells of an effect on a service by what was called, where the effect names
// nothing and the spec has no words for it.
func (in *Input) called(e *risk.Effect) string {
	a := in.actOf(e)
	if a == nil || a.Says != "" || e.Target != "" || e.Kind != risk.NoKind || e.Unresolved != "" || containers(base(e.Program)) {
		return ""
	}
	if len(a.Argv) < 2 || base(a.Argv[0]) != base(e.Program) {
		return ""
	}
	// The words before the options are those of subcommands; behind them may stand a
	// password.
	words := *a
	if n := slices.IndexFunc(a.Argv, func(w string) bool { return strings.HasPrefix(w, "-") }); n > 0 {
		words.Argv = a.Argv[:n]
	}
	switch e.Verb {
	case risk.RemoteRead:
		return "Asks a service with " + words.command() + whereabouts(e)
	case risk.RemoteChange:
		return "Calls a service with " + words.command() + tail + ", which may change what it holds" + whereabouts(e)
	case risk.RemoteDestroy:
		return "Deletes what a service holds with " + words.command() + whereabouts(e)
	}
	return ""
}

// by adds the command to what an effect's kind alone says of it, where nothing of the
// command is named: many programs change the desktop or listen.
func (in *Input) by(text string, e *risk.Effect) string {
	a := in.actOf(e)
	if a == nil || e.Target != "" && e.Verb != risk.ExecShell || e.Unresolved != "" || strings.Contains(text, "`") {
		return text
	}
	if rest, ok := strings.CutPrefix(text, "Runs "+quote(base(e.Program))+tail+" and, through it,"); ok && len(a.Argv) > 1 && a.called(e.Program) {
		return "Runs " + a.openly() + tail + " and, through it," + rest
	}
	switch e.Verb {
	case risk.SysConfig, risk.NetListen, risk.NetFetch, risk.NetConnect, risk.PkgInstall, risk.PkgRemove, risk.PkgPublish, risk.DBRead, risk.DBChange:
	case risk.ExecShell:
		if e.Kind == risk.KindInteractive && strings.HasPrefix(text, "Opens ") && len(a.Argv) > 0 && a.called(e.Program) {
			return text + " with " + a.openly()
		}
		return text
	default:
		return text
	}
	if statement := a.statement(); statement != "" && (e.Verb == risk.DBRead || e.Verb == risk.DBChange) && e.Kind == risk.NoKind {
		return "Runs " + statement + " on the database"
	}
	if len(a.Argv) > 1 && !a.mentioned(text) {
		if main, rest, ok := strings.Cut(text, ", which "); ok && !strings.Contains(text, tail) {
			text = main + tail + ", which " + rest
		}
		return insert(text, " with "+a.openly())
	}
	return text
}

// called reports whether an act is that of a program of a name, where it has one.
func (a *Act) called(program string) bool { return program == "" || base(a.Argv[0]) == base(program) }

// makes are the files that an act makes unless they are there: those that are not, and those
// that are. There are none where one of them is not known.
func (in *Input) makes(p int) (missing, kept []string) {
	for i := range in.Effects {
		e := &in.Effects[i]
		switch {
		case e.By.Process != p || e.Verb != risk.FSCreate:
		case e.Many || e.Unresolved != "":
			return nil, nil
		case e.Reversible == risk.NothingThere:
			missing = append(missing, e.Target)
		case there(e):
			kept = append(kept, e.Target)
		}
	}
	return missing, kept
}

// statement is the one short statement of SQL among the words of a command.
func (a *Act) statement() string {
	for i, w := range a.Argv {
		if _, of, ok := strings.Cut(w, "="); ok && strings.HasPrefix(w, "--") {
			w = of
		}
		first, _, more := strings.Cut(strings.TrimSpace(w), " ")
		if i > 0 && (more || slices.Contains([]string{"VACUUM", "ANALYZE", "CHECKPOINT"}, w)) && len(w) <= maxName && slices.Contains([]string{"SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "SHOW", "DESCRIBE", "EXPLAIN", "SET", "WITH", "GRANT", "REVOKE", "COMMENT", "ANALYZE", "VACUUM", "REINDEX", "REFRESH", "CLUSTER", "CALL", "PRAGMA"}, strings.ToUpper(first)) {
			return quote(w)
		}
	}
	return ""
}

// openly is a command up to its first option: behind that may stand a password.
func (a *Act) openly() string {
	b := *a
	if n := slices.IndexFunc(a.Argv, func(w string) bool { return strings.HasPrefix(w, "-") }); n > 0 {
		name, _, _ := strings.Cut(a.Argv[n], "=")
		if b.Argv = append(slices.Clone(a.Argv[:n]), name); n+1 < len(a.Argv) {
			b.Argv = append(b.Argv, "…")
		}
	}
	return b.command()
}

// setsGroupBit reports whether the mode that a command sets has the bit for the group alone of
// those that give rights: g+s, 2755 (chmod(1)).
func (a *Act) setsGroupBit() bool {
	return slices.ContainsFunc(a.Argv[min(1, len(a.Argv)):], func(w string) bool {
		if number := strings.TrimLeft(w, "0"); len(number) == 4 && strings.Trim(number, "01234567") == "" {
			return number[0] == '2' || number[0] == '3'
		}
		return strings.HasPrefix(w, "g+") && strings.Trim(w[2:], "rwxXs") == "" && strings.Contains(w, "s")
	})
}

// mentioned reports whether a text names the program or any word that it is given.
func (a *Act) mentioned(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(a.Argv, func(w string) bool {
		w = strings.ToLower(base(strings.TrimLeft(w, "-")))
		return len(w) > 1 && strings.Contains(text, w)
	})
}

// withoutRoot tells of the root directory that rm refuses, and of what else it deletes, told,
// by the numbers of the effects.
func (in *Input) withoutRoot(root *risk.Effect, at place) (text string, told []int) {
	const refuses = "; GNU rm refuses / without --no-preserve-root"
	var others []string
	for i := range in.Effects {
		if e := &in.Effects[i]; e.By.Process == root.By.Process && e.Verb == risk.FSDelete && e.Target != "/" && e.Reversible != risk.NothingThere && e.Unresolved == "" && !e.Many && e.Certainty != risk.Possible {
			others, told = append(others, e.Target), append(told, i)
		}
	}
	switch named := Words(others, in.Dir, in.Home); {
	case root.Host != "":
		return "Would delete everything" + tail + refuses, nil
	case len(told) == 1:
		return phrase(&in.Effects[told[0]], at) + refuses, told
	case named != "":
		return "Deletes " + named + tail + refuses, told
	}
	return "Would delete everything on this machine" + tail + refuses, nil
}

// spares reports whether rm itself refuses what is deleted: the root directory, named
// as such and not by a pattern (GNU coreutils manual, "Treating / specially"; POSIX.1-2024
// rm). It lowers nothing: other versions of rm do as they are told.
func (a *Act) spares(e *risk.Effect) bool {
	if e.Verb != risk.FSDelete || e.Target != "/" || e.Pattern != "" || e.Through != "" || e.Many || e.Unresolved != "" || e.Kind != risk.NoKind || base(e.Program) != "rm" || a.Applet {
		return false
	}
	return !slices.ContainsFunc(a.Argv, func(w string) bool { return strings.HasPrefix(w, "--no-p") })
}

// sparesDot reports whether rm itself refuses what is deleted: a directory that is named
// as . or .., or by a path that ends so (POSIX.1-2024 rm).
func (a *Act) sparesDot(e *risk.Effect) bool {
	if e.Verb != risk.FSDelete || !e.Recursive || e.Many || e.Unresolved != "" || e.Host != "" || base(e.Program) != "rm" || len(a.Argv) == 0 || base(a.Argv[0]) != "rm" {
		return false
	}
	dots := func(w string) bool {
		last := strings.TrimRight(w, "/")
		last = last[strings.LastIndexByte(last, '/')+1:]
		return last == "." || last == ".."
	}
	return slices.ContainsFunc(a.Argv[1:], func(w string) bool {
		return dots(w) && (path.IsAbs(w) && path.Clean(w) == e.Target || path.Join(a.Dir, w) == e.Target)
	}) && !slices.ContainsFunc(a.Argv[1:], func(w string) bool { return !dots(w) && !strings.HasPrefix(w, "-") && path.Join(a.Dir, w) == e.Target })
}

// impersonal reports whether an effect has no target but the catalog's own name for one.
func impersonal(e *risk.Effect) bool {
	return e.Target == "" || e.Target == "." || risk.IsNoun(e.Target)
}

// ofProject adds to what a program does that it runs code of the project for it.
func ofProject(says string) string {
	switch {
	case strings.Contains(says, "this project"):
		return says
	case strings.HasPrefix(says, "Runs "):
		return insert(says, ", code of this project")
	}
	return insert(says, ", running code of this project")
}

// gist is what an effect's program does by the summary of its subcommand, where the
// effect has no phrase that knows more.
func (a *Act) gist(e *risk.Effect, at place) string {
	if a.Gist == "" || vague(a.Gist) || strings.Contains(a.Gist, " or ") {
		return ""
	}
	switch e.Verb {
	case risk.ExecProject:
		if !impersonal(e) || e.Kind != risk.NoKind {
			return ""
		}
		return ofProject(a.Gist)
	case risk.SysConfig:
		if !changing(a.Gist) || strings.HasPrefix(a.Gist, "Changes ") && e.Kind.Says(e.Verb) != "" {
			return ""
		}
		return a.of(e, at)
	case risk.RemoteRead, risk.RemoteChange, risk.RemoteDestroy:
		if lacks := e.Kind.String(); e.Verb == risk.RemoteDestroy && strings.HasPrefix(lacks, "what ") && changing(a.Gist) {
			return a.of(e, at) + whereabouts(e) + tail + ": " + lacks + " goes"
		}
		if e.Kind != risk.NoKind || e.Verb != risk.RemoteRead && !changing(a.Gist) || e.Verb == risk.RemoteDestroy && !destroying(a.Gist) {
			return ""
		}
		return a.of(e, at) + whereabouts(e)
	}
	return ""
}

// of is the summary of an act, with what the effect is on.
func (a *Act) of(e *risk.Effect, at place) string {
	if impersonal(e) {
		return a.Gist
	}
	return a.Gist + ": " + at.subject(e)
}

// destroying reports whether a summary says that something goes.
func destroying(summary string) bool {
	first, _, _ := strings.Cut(summary, " ")
	return slices.Contains([]string{"Deletes", "Removes", "Destroys", "Drops", "Empties", "Withdraws", "Purges", "Revokes", "Terminates", "Uninstalls", "Wipes"}, first)
}

// vague reports whether a summary says no more than what a program is about.
func vague(summary string) bool {
	first, of, _ := strings.Cut(summary, " ")
	if first == "Changes" && (of == "a hosted service" || of == "what a service holds") {
		return true
	}
	return slices.Contains([]string{"Manages", "Works", "Controls", "Handles", "Administers", "Maintains", "Uses", "Does", "Configures"}, first)
}

// inWords is what an act that changes nothing does, in the summary of its spec; "" where
// that may be about what the program does otherwise.
func (a *Act) inWords() string {
	if a.Reads && !vague(a.Gist) {
		return a.Gist
	}
	if !changing(a.Summary) && !strings.Contains(a.Summary, " or ") {
		return a.Summary
	}
	return ""
}

// mainClause marks where the main clause of a phrase ends: what follows is what comes of it,
// or whether it asks.
func mainClause(says string) string {
	at := len(says)
	for _, end := range []string{"; ", ", asking first", ", without asking", " without asking"} {
		i := strings.Index(says, end)
		if i >= 0 && (end == "; " || i+len(end) == len(says) || strings.HasPrefix(says[i+len(end):], "; ") || strings.HasPrefix(says[i+len(end):], " at a terminal")) {
			at = min(at, i)
		}
	}
	if at == len(says) {
		return says
	}
	return says[:at] + tail + says[at:]
}
