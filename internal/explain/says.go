package explain

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// says fills the declared phrase of an effect's kind, and returns which one it
// was, or "" if none can be filled. A slot that nothing fills takes what stands
// behind its colon; where it has nothing there, the phrase behind the bar
// serves.
func says(e *risk.Effect, at place) (text, as string) {
	phrases := e.Kind.Says(e.Verb)
	if phrases == "" {
		return "", ""
	}
	for phrase := range strings.SplitSeq(phrases, " | ") {
		if text, ok := fill(phrase, func(slot string) string { return filler(e, at, slot) }); ok {
			return text, phrase
		}
	}
	return "", ""
}

// fill replaces the slots of a phrase; ok is false if one stays empty.
func fill(phrase string, slots func(name string) string) (text string, ok bool) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(phrase, "{")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		slot, after, _ := strings.Cut(rest, "}")
		name, otherwise, _ := strings.Cut(slot, ":")
		with := orElse(slots(name), otherwise)
		if with == "" {
			return "", false
		}
		b.WriteString(with)
		phrase = after
	}
}

// filler is what the slot of a declared phrase stands for ([risk.Slots]), or ""
// where there is nothing for it.
func filler(e *risk.Effect, at place, slot string) string {
	isFile := strings.HasPrefix(string(e.Verb), "fs.") || e.Verb == risk.DiskWrite
	switch slot {
	case "target":
		if e.Target == "-" && e.Verb == risk.PersistAdd {
			return "standard input"
		}
		return acted(e, at)
	case "end":
		return tail
	case "who":
		switch {
		case risk.IsNoun(e.Target):
			return e.Target
		case e.Program != "" || e.Target != "":
			return at.named(orElse(e.Program, e.Target))
		}
	case "named":
		if e.Named != "" {
			return quote(e.Named)
		}
	case "where":
		if isFile || strings.HasPrefix(e.Target, "/") {
			return target(e, at)
		}
	case "new":
		if isFile && e.Reversible == risk.NothingThere {
			return target(e, at)
		}
	default:
		return ofVerb(e, at, slot)
	}
	return ""
}

// ofVerb is what a slot stands for that only some verbs have.
func ofVerb(e *risk.Effect, at place, slot string) string {
	switch e.Verb {
	case risk.ExecProject, risk.ExecUnknown:
		if slot == "name" && e.Target != "" && e.Target != "." && !risk.IsNoun(e.Target) {
			return at.named(e.Target)
		}
	case risk.ProcSignal:
		if slot == "name" && byName(e.Target) {
			return at.subject(e)
		}
	case risk.SecretRead, risk.SecretSend:
		switch {
		case slot == "secret":
			return secret(e, at)
		case slot == "file" && !e.Source.IsZero():
			return at.path(e.Target)
		}
	case risk.RemoteRead, risk.RemoteChange, risk.RemoteDestroy, risk.DBRead, risk.DBChange, risk.DBDestroy:
		if slot == "what" {
			return kept(e, at)
		}
	}
	return ""
}

// acted names what an effect acts on, or returns "" if that has no name.
func acted(e *risk.Effect, at place) string {
	switch e.Verb {
	case risk.FSDelete:
		return doomed(e, at)
	case risk.FSWrite:
		return written(e, target(e, at))
	case risk.FSAttr:
		if e.Many && !e.Recursive && (e.Named != "" || e.Unresolved != "" || e.Root) {
			return "files" + map[bool]string{true: " named " + quote(e.Named)}[e.Named != ""] + " found in " + target(e, at)
		}
		if e.Recursive {
			return target(e, at) + " and all in it"
		}
		return target(e, at)
	case risk.FSRead, risk.FSMove, risk.FSCreate, risk.FSMount, risk.DiskWrite:
		return target(e, at)
	}
	switch {
	case e.Verb == risk.SecretRead:
		return holder(e, at)
	case strings.HasPrefix(string(e.Verb), "db.") && strings.Contains(e.Target, " ") && !risk.IsNoun(e.Target):
		return inDatabase(e.Target)
	case e.Target == "":
		return ""
	case e.Verb == risk.ExecRemote && strings.ContainsAny(e.Target, "<$"):
		return ""
	case e.Verb == risk.NetListen && strings.Trim(e.Target, "0123456789") == "":
		return "port " + e.Target
	}
	return at.subject(e)
}

// inDatabase names an object, the database that it is in and the machine of that, which
// are one target: "users in shop at db.prod".
func inDatabase(target string) string {
	words := strings.Split(target, " ")
	for i, w := range words {
		if i%2 == 0 {
			words[i] = quote(w)
		} else if w != "in" && w != "at" {
			return quote(target)
		}
	}
	return strings.Join(words, " ")
}

// note says what a declared phrase leaves open: what is lost, what kind of
// place it is, that nobody has looked. A phrase that goes on behind its main
// clause has said so itself.
func note(e *risk.Effect, at place, phrase, text string) string {
	if strings.Contains(text, tail) {
		return ""
	}
	acts := strings.Contains(phrase, "{target}")
	switch e.Verb {
	case risk.FSDelete:
		switch {
		case e.Remedy == risk.RemedyDir: // told of rmdir, and the phrase is of something else
			return ""
		case acts:
			return gone(e, at)
		}
		return among(e, at)
	case risk.FSWrite:
		if acts {
			return changed(e, at)
		}
		return scopeNote(e)
	case risk.FSRead, risk.FSMove, risk.FSCreate, risk.FSAttr:
		return scopeNote(e)
	case risk.ExecProject, risk.ExecUnknown:
		return tail + ", not inspected"
	case risk.PkgInstall:
		return installNote
	case risk.VCSForce:
		return whereabouts(e) + replaced(e)
	case risk.VCSPush, risk.RemoteRead, risk.RemoteChange, risk.RemoteDestroy, risk.DBRead, risk.DBChange, risk.DBDestroy:
		return whereabouts(e)
	}
	return ""
}
