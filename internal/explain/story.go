package explain

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// story tells several effects as the one thing that they are, if the leading
// one is the end of something that began before: what was fetched is run, what
// was found is overwritten and deleted. It returns "" if there is nothing to
// join, and which effects it has told.
func story(effects []risk.Effect, lead int, at place) (text string, told []int) {
	switch e := &effects[lead]; {
	case e.Verb == risk.ExecRemote && e.Kind != risk.KindReverseShell && e.Kind != risk.KindSharedShell:
		return fetchedAndRun(effects, lead, at)
	case e.Verb == risk.ExecRemote && e.Kind == risk.KindReverseShell:
		return orElse(shellListening(effects, lead), phrase(e, at)), append(sameProcess(effects, lead, risk.NetConnect, risk.NetListen, risk.ExecShell, risk.ExecUnknown), fedBy(effects, lead)...)
	case e.Verb == risk.ExecUnknown && e.Kind == risk.KindCode && e.Cause == risk.CauseInput && !handed(e.Unresolved):
		return shellFed(effects, lead, at)
	case e.Verb == risk.PrivGain && e.Kind == risk.KindKeepsSetIdRights:
		return shellKept(effects, lead, at)
	case e.Verb == risk.ExecShell && e.Host == "" && e.By.Process >= 0 && isShell(e.Target) && !e.Privileged:
		return shellGiven(effects, lead, at)
	case e.Verb == risk.FSDelete && e.Program == "shred":
		return shredded(effects, lead, at)
	case (e.Verb == risk.ExecProject || e.Verb == risk.ExecUnknown) && e.Unresolved == "" && strings.HasPrefix(e.Target, "/"):
		return writtenAndRun(effects, lead, at)
	}
	return "", nil
}

// fetchedAndRun names where the code comes from, and the file that it was put
// into on its way.
func fetchedAndRun(effects []risk.Effect, lead int, at place) (string, []int) {
	run := &effects[lead]
	var from []string
	var told []int
	file := ""
	for i := range effects[:lead] {
		switch e := &effects[i]; {
		case e.Verb == risk.NetFetch && e.Target != "" && e.Unresolved == "" && e.Program != "git": // which runs nothing of it
			from, told = append(from, e.Target), append(told, i)
		case e.Verb == risk.FSWrite && e.Kind == risk.KindDownload && e.Target == run.Target:
			file, told = " to "+at.path(e.Target), append(told, i)
		case e.Verb == risk.FSAttr && e.Target == run.Target:
			told = append(told, i)
		}
	}
	switch len(from) {
	case 0:
		return sentAndRun(effects, at)
	case 1:
		return "Downloads " + quote(from[0]) + file + " and runs it" + tail + ", unseen", told
	}
	return "Downloads " + quote(from[0]) + " and " + number(len(from)-1) + " more, and runs code from there" + tail + ", unseen", told
}

// fedBy are the effects of code that a program runs which is read from what it is connected to.
func fedBy(effects []risk.Effect, lead int) (told []int) {
	for i := range effects {
		if e := &effects[i]; i != lead && e.Span == effects[lead].Span && (e.Verb == risk.ExecUnknown && e.Kind == risk.KindCode || e.Verb == risk.NetConnect || e.Verb == risk.NetSend && e.Target == effects[lead].Target) {
			told = append(told, i)
		}
	}
	return told
}

// shellFed tells of code that connects to a machine, runs what comes in and sends back what
// that prints; "" where it does only a part of that.
func shellFed(effects []risk.Effect, lead int, at place) (string, []int) {
	for i := range effects {
		e := &effects[i]
		if e.Verb != risk.NetConnect || e.Span != effects[lead].Span || e.Target == "" || e.Unresolved != "" || risk.IsNoun(e.Target) || strings.ContainsAny(e.Target, "<$") {
			continue
		}
		for j := range effects {
			if x := &effects[j]; x.Verb == risk.NetSend && x.Span == e.Span && x.Target == e.Target {
				return "Connects to " + at.subject(e) + " and gives that host a shell as you" + tail + ": runs what it sends", append(fedBy(effects, lead), i, j)
			}
		}
		return "Connects to " + at.subject(e) + " and runs what comes in" + tail + ", unseen", append(fedBy(effects, lead), i)
	}
	return "", nil
}

// sentAndRun names the one machine that a shell takes its commands from.
func sentAndRun(effects []risk.Effect, at place) (text string, told []int) {
	for i := range effects {
		switch e := &effects[i]; {
		case e.Verb != risk.NetConnect:
		case text != "" || e.Target == "" || e.Unresolved != "":
			return "", nil
		default:
			text, told = "Connects to "+at.subject(e)+" and runs what it sends"+tail+", unseen", []int{i}
		}
	}
	return text, told
}

// sameProcess are the effects with some verbs that a program has beside another.
func sameProcess(effects []risk.Effect, lead int, verbs ...risk.Verb) (told []int) {
	for i := range effects {
		if e := &effects[i]; i != lead && (e.By.Process == effects[lead].By.Process || e.Program != "" && e.Program == effects[lead].Program) && slices.Contains(verbs, e.Verb) {
			told = append(told, i)
		}
	}
	return told
}

// shellKept tells of a shell that keeps the rights of a set-id program that started it
// (bash(1), -p).
func shellKept(effects []risk.Effect, lead int, at place) (string, []int) {
	for i := range effects {
		if e := &effects[i]; e.Verb == risk.ExecShell && e.Host == effects[lead].Host && e.Reached == effects[lead].Reached {
			return insert(phrase(e, at), " that keeps the rights of a set-id program"), []int{i}
		}
	}
	return "", nil
}

// shellGiven tells of a shell that the program starts which connects to another machine:
// what that sends is typed into it.
func shellGiven(effects []risk.Effect, lead int, at place) (string, []int) {
	for i := range effects {
		e := &effects[i]
		if e.Verb == risk.NetConnect && e.By.Process == effects[lead].By.Process && e.Target != "" && e.Unresolved == "" && !risk.IsNoun(e.Target) && e.Program == effects[lead].Program {
			to := "Gives a shell to " + at.subject(e)
			if strings.Trim(e.Target, "0123456789") == "" {
				to = "Gives a shell away over the network, at port " + e.Target
			}
			return to, sameProcess(effects, lead, risk.NetConnect, risk.ExecShell)
		}
	}
	return "", nil
}

// shellListening tells of a program that waits for others to connect, and gives them a
// shell: "" where it is the one that connects.
func shellListening(effects []risk.Effect, lead int) string {
	text := ""
	for i := range effects {
		e := &effects[i]
		switch {
		case e.By.Process != effects[lead].By.Process:
		case e.Verb == risk.NetConnect:
			return ""
		case e.Verb == risk.NetListen:
			text = "Listens on the network"
			if port := e.Target[strings.LastIndexByte(e.Target, ':')+1:]; port != "" && strings.Trim(port, "0123456789") == "" && e.Unresolved == "" {
				text = "Listens on port " + port
			}
			text += " and gives whoever connects a shell"
		}
	}
	return text
}

// writtenAndRun names the file that is written first and then run.
func writtenAndRun(effects []risk.Effect, lead int, at place) (string, []int) {
	for i := range effects[:lead] {
		e := &effects[i]
		if (e.Verb == risk.FSWrite || e.Verb == risk.FSCreate) && e.Target == effects[lead].Target && e.Reached.IsZero() && e.Kind == risk.NoKind && !e.Many {
			verb := "Writes "
			if e.Reversible == risk.NothingThere {
				verb = "Creates "
			}
			return verb + at.path(e.Target) + " and runs it" + tail + ", not inspected", []int{i}
		}
	}
	return "", nil
}

// thenRun adds to what is told of a new file that it is run, where that was read and
// does nothing to tell of.
func (in *Input) thenRun(text string, e *risk.Effect) string {
	if e.Verb != risk.FSWrite && e.Verb != risk.FSCreate || strings.Contains(text, tail) {
		return text
	}
	for i := range in.Acts {
		if a := &in.Acts[i]; a.Script != "" && a.Span.Start > e.Span.Start && (a.Script == e.Target || path.Join(a.Dir, a.Script) == e.Target) && a.Ends == nil && a.Unreached == nil {
			return text + " and runs it"
		}
	}
	return text
}

// copied reports whether what is deleted was copied elsewhere before, by the same command.
func (in *Input) copied(e *risk.Effect) bool {
	return e.Verb == risk.FSDelete && slices.ContainsFunc(in.Acts, func(a Act) bool {
		return len(a.Argv) > 2 && base(a.Argv[0]) == "cp" && a.Span.Start < e.Span.Start && stops(a.Ends) == nil && a.Unreached == nil && slices.ContainsFunc(a.Argv[1:len(a.Argv)-1], func(w string) bool {
			return path.Clean(w) == e.Target || path.Join(a.Dir, w) == e.Target
		})
	})
}

// shredded joins the overwriting and the deleting of one target.
func shredded(effects []risk.Effect, lead int, at place) (string, []int) {
	for i := range effects {
		if e := &effects[i]; e.Verb == risk.FSWrite && e.Target == effects[lead].Target && e.Named == effects[lead].Named {
			if rest, ok := strings.CutPrefix(phrase(&effects[lead], at), "Deletes "); ok {
				return "Overwrites and deletes " + rest, []int{i}
			}
		}
	}
	return "", nil
}
