package witness

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/risk"
)

// A seenBy is what is known of the place where a command ran.
type seenBy struct {
	home  string // of the world
	plan  *preview.Plan
	shell string // that ran the line
}

// hold holds what a command did against its assessment, both ways.
func hold(x *Example, a *risk.Assessment, r *preview.Result, by *seenBy) {
	changes := changesOf(r)
	talked := false
	for _, c := range changes {
		told := slices.ContainsFunc(a.Effects, func(e risk.Effect) bool { return Covers(&e, c) })
		if told || !IsRecord(c, by.home) {
			x.Done = append(x.Done, Done{verbOf(c), c.Path, told})
		}
	}
	for _, f := range r.Refused {
		verb, covers := other(confine.Deed(f.Deed))
		if verb == "" {
			continue
		}
		talked = talked || verb == risk.NetConnect
		told := slices.ContainsFunc(a.Effects, func(e risk.Effect) bool { return covers(e.Verb) })
		if told || confine.Deed(f.Deed) != confine.LookUp || !isQuestion(f.Target, a) {
			x.Done = append(x.Done, Done{verb, strings.TrimSpace(f.Deed + " " + f.Target), told})
		}
	}
	started := execs(x, a, r, by)
	for i := range a.Effects {
		e := &a.Effects[i]
		again := slices.ContainsFunc(a.Effects[:i], func(o risk.Effect) bool { return o.Verb == e.Verb && o.Target == e.Target && sure(a, &o) })
		if sure(a, e) && !again {
			if seen, can := visible(e, changes, talked, by); seen || can && !leavesNoTrace(a, e) {
				x.Said = append(x.Said, Said{e.Verb, e.Target, seen})
			}
		}
	}
	line := words(x.Run)
	for i := range a.Invocations {
		inv := &a.Invocations[i]
		name := programOf(inv)
		if name == "" {
			continue
		}
		// What a script runs that was read depends on how it goes.
		if slices.Contains(line, inv.Argv[0]) && inv.Reached == "" && inv.Ends == nil && inv.Unreached == nil && inv.Host == "" && !handed(inv) && !builtin(name) && !both(name) {
			if s := (Said{VerbExec, name, started[name]}); !slices.Contains(x.Said, s) {
				x.Said = append(x.Said, s)
			}
		}
	}
}

// sure reports whether an effect is said to happen without a condition, here, by a
// program of which nothing is said to keep it from its work.
func sure(a *risk.Assessment, e *risk.Effect) bool {
	if p := e.By.Process; p >= 0 && p < len(a.Invocations) && a.Invocations[p].Ends != nil {
		return false
	}
	return e.Certainty == risk.Certain && e.Reached == (risk.Condition{}) && e.Unresolved == "" && e.Host == "" && !e.By.Undone && !e.By.Refused && e.By.Unreached == nil
}

// changesOf are the files of a preview that changed, and those that a command tried to
// change where it may not.
func changesOf(r *preview.Result) (all []Change) {
	add := func(kind, path string) { all = append(all, Change{kind, path}) }
	for i := range r.Changes {
		switch c := &r.Changes[i]; {
		case c.Kind == preview.Created && c.Type == "directory":
			add(Made, c.Path)
		case c.Kind == preview.Created:
			add(Created, c.Path)
		case c.Kind == preview.Deleted:
			add(Deleted, c.Path)
		case c.Kind == preview.Attributes && c.Times && c.Type == "directory": // something in it came or went
		case c.Kind == preview.Attributes:
			add(Attributes, c.Path)
		default:
			add(Written, c.Path)
		}
	}
	kinds := map[confine.Deed]string{confine.Write: Written, confine.Make: Made, confine.Delete: Deleted, confine.Move: Deleted, confine.Metadata: Attributes}
	for _, f := range r.Refused {
		if kind := kinds[confine.Deed(f.Deed)]; kind != "" && filepath.IsAbs(f.Target) {
			add(kind, f.Target)
		}
	}
	return all
}

// verbOf is the verb of an effect that tells of a change most plainly.
func verbOf(c Change) risk.Verb {
	switch c.Kind {
	case Deleted:
		return risk.FSDelete
	case Attributes:
		return risk.FSAttr
	case Written:
		return risk.FSWrite
	}
	return risk.FSCreate
}

// other is of which verb something is that was tried beside changing files, and which
// verbs of effects tell of it. What reaches nobody is of none.
func other(d confine.Deed) (verb risk.Verb, covers func(risk.Verb) bool) {
	switch d {
	case confine.Network, confine.Connect, confine.Reach, confine.Hide, confine.LookUp:
		return risk.NetConnect, talks
	case confine.Socket:
		return risk.NetConnect, func(v risk.Verb) bool { return talks(v) || family(v, "sys", "proc", "persist", "agent", "priv") }
	case confine.Signal:
		return risk.ProcSignal, func(v risk.Verb) bool { return family(v, "proc", "sys") || runsOther(v) }
	case confine.Mount:
		return risk.FSMount, func(v risk.Verb) bool { return family(v, "priv", "sys") || v == risk.FSMount || runsOther(v) }
	case confine.Machine:
		return risk.SysConfig, func(v risk.Verb) bool { return family(v, "sys", "disk", "net", "proc", "defense") || runsOther(v) }
	}
	return "", nil
}

// talks reports whether an effect of a verb may come with a connection.
func talks(v risk.Verb) bool {
	return family(v, "net", "pkg", "remote", "db") || v == risk.VCSPush || v == risk.VCSForce || v == risk.SecretSend || runsOther(v)
}

// runsOther reports whether an effect of a verb runs what is not known.
func runsOther(v risk.Verb) bool { return family(v, "exec") && v != risk.ExecKnown }

func family(v risk.Verb, names ...string) bool {
	of, _, _ := strings.Cut(string(v), ".")
	return slices.Contains(names, of)
}

// execs notes the programs that were started, and answers their names. One that is
// neither said to run nor of a kind that an effect speaks of was started by its program:
// that is a miss where it lies in the world or the line names it, else it is told.
func execs(x *Example, a *risk.Assessment, r *preview.Result, by *seenBy) (started map[string]bool) {
	started = map[string]bool{}
	said := map[string]bool{}
	for i := range a.Invocations {
		if name := programOf(&a.Invocations[i]); name != "" {
			said[name] = true
		}
	}
	open := slices.ContainsFunc(a.Effects, func(e risk.Effect) bool { return runsOther(e.Verb) || e.Verb == risk.PkgInstall })
	for i, file := range r.Files {
		name := filepath.Base(file)
		started[name] = true
		_, inWorld := strings.CutPrefix(file, by.home+"/")
		switch {
		case i == 0 && name == filepath.Base(by.shell) && !said[name]:
		case said[name] || open:
			x.Done = append(x.Done, Done{VerbExec, file, true})
		case inWorld || slices.Contains(words(x.Run), name):
			x.Done = append(x.Done, Done{VerbExec, file, false})
		default:
			x.Also = append(x.Also, name)
		}
	}
	return started
}

// handed reports whether a program runs on what another one finds or reads, which may be
// nothing.
func handed(inv *risk.Invocation) bool {
	return len(inv.Via) > 0 && slices.ContainsFunc(inv.Argv, func(w string) bool { return strings.HasPrefix(w, "<") && strings.HasSuffix(w, ">") })
}

// leavesNoTrace reports whether nothing need be seen of an effect where it happens: what is
// made sure of is there already, and what goes is made again.
func leavesNoTrace(a *risk.Assessment, e *risk.Effect) bool {
	switch e.Verb {
	case risk.FSCreate:
		_, err := os.Lstat(e.Target)
		return err == nil
	case risk.FSDelete:
		return slices.ContainsFunc(a.Effects, func(o risk.Effect) bool {
			return (o.Verb == risk.FSCreate || o.Verb == risk.FSWrite) && o.Target == e.Target
		})
	}
	return false
}

// words are the words of a line, and of the texts in it.
func words(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n'\"=;|&()`", r) })
}

// programOf is the name of the program of an invocation, without a directory.
func programOf(i *risk.Invocation) string {
	if len(i.Argv) == 0 || i.Argv[0] == "" {
		return ""
	}
	return filepath.Base(i.Argv[0])
}

// visible reports whether an effect was seen, and whether it could be.
func visible(e *risk.Effect, changes []Change, talked bool, by *seenBy) (seen, can bool) {
	kinds := map[risk.Verb][]string{
		risk.FSCreate: {Created, Made, Written, Attributes}, risk.FSWrite: {Written, Created, Made, Attributes, Deleted}, risk.FSDelete: {Deleted},
		risk.FSMove: {Deleted, Written}, risk.FSAttr: {Attributes, Written, Created, Made},
	}[e.Verb]
	switch {
	case e.Verb == risk.NetFetch, e.Verb == risk.NetSend, e.Verb == risk.NetConnect:
		return talked, true
	case kinds == nil || e.Scope == risk.IsNull || e.Scope == risk.IsDevice || e.Reversible == risk.NothingThere && e.Verb == risk.FSDelete,
		!filepath.IsAbs(e.Target) || !watched(by.plan, e.Target):
		return false, false
	}
	only := *e
	only.Unresolved = ""
	return slices.ContainsFunc(changes, func(c Change) bool {
		if !slices.Contains(kinds, c.Kind) && !(c.Kind == Made && strings.HasPrefix(e.Target, c.Path+"/")) {
			return false
		}
		whole := (c.Kind == Made || c.Kind == Deleted) && strings.HasPrefix(e.Target, c.Path+"/") // what it holds is not listed
		return whole || Covers(&only, c)
	}), true
}
