package flow

import (
	"path"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Streams without end, and what they do to a disk or to memory.

// endlessDevice reports whether a file gives bytes for as long as it is read
// (null(4), full(4), random(4)).
func endlessDevice(name string) bool {
	switch name {
	case "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom":
		return true
	}
	return false
}

// oneLine reports whether a device never gives a line's end.
func oneLine(name string) bool { return name == "/dev/zero" || name == "/dev/full" }

// unended is what a program prints, given the sources of it, without what
// never ends if the program itself does.
func (d *Deed) unended(printed value.Taint) value.Taint {
	if d.Result.Traits.Has(catalog.Unending) {
		printed |= value.Endless
	}
	if d.Result.Traits.Has(catalog.Ends) || d.State.Context.Limited {
		printed &^= value.Endless
	}
	return printed
}

// Fills tells of content without end that goes to a file.
func (sc *Scene) Fills(st *shell.State, at risk.Span, target value.Value, content value.Taint) {
	if !content.Has(value.Endless) || st.Context.Limited {
		return
	}
	p := sc.Place(st, target, true)
	if p.Scope == risk.IsNull || p.Scope == risk.IsDevice || p.Scope == risk.ScopeUnknown && p.Unread {
		return
	}
	sc.Effect(st, at, risk.Effect{Verb: risk.Exhaust, Target: p.Path, Kind: risk.KindEndlessOutput})
}

// loops tells of loops without end in a program's own code, and returns what
// that adds to what it prints.
func (d *Deed) loops() value.Taint {
	if d.State.Context.Limited {
		return 0
	}
	u := d.Result.Unbounded
	if u.Kind != risk.NoKind {
		d.tell(risk.Effect{Verb: risk.Exhaust, Kind: u.Kind})
	}
	if u.Prints {
		return value.Endless
	}
	return 0
}

// hoards tells of a program that keeps in memory what never ends.
func (d *Deed) hoards() {
	r := d.Result
	hoarder := r.Traits.Has(catalog.Hoards)
	if !hoarder && !r.Traits.Has(catalog.KeepsLines) || d.State.Context.Limited || d.onlyHelp() {
		return
	}
	endless := false
	if r.ReadsStdin || r.ShowsStdin {
		never := d.Inv.Stdin.Taint().Has(value.Endless)
		endless = hoarder && d.Inv.HasStdin && never
		for _, h := range d.Inv.Stdin.Holes() {
			endless = endless || h.Cause == risk.CauseFile && oneLine(h.Name) && never
		}
	}
	for i := range r.Effects {
		x := &r.Effects[i]
		if s, ok := x.Target.Known(); ok && x.Verb == risk.FSRead && x.Arg != "random" {
			endless = endless || oneLine(path.Clean(s)) || hoarder && endlessDevice(path.Clean(s))
		}
	}
	if endless {
		d.tell(risk.Effect{Verb: risk.Exhaust, Target: d.Program, Kind: risk.KindEndlessInput})
	}
}

// swarms tells of a program that starts others for every word of an input
// without end, as many at a time as it can.
func (d *Deed) swarms() {
	if d.Result.Traits.Has(catalog.Swarms) && !d.State.Context.Limited && d.Inv.HasStdin && d.Inv.Stdin.Taint().Has(value.Endless) {
		d.tell(risk.Effect{Verb: risk.Exhaust, Target: d.Program, Kind: risk.KindProcessesWithoutEnd})
	}
}

// Mark returns where the record of what was done stands now.
func (rec *Record) Mark() shell.Mark {
	return shell.Mark{Effects: len(rec.Trace.Effects), Programs: len(rec.Trace.Processes), Repeats: len(rec.repeat)}
}

// Forever records that all that was done since a mark is done again and again
// ([shell.Machine.Forever]).
func (rec *Record) Forever(st *shell.State, span risk.Span, since shell.Mark, deeper bool) (busy bool) {
	if st.Context.Limited {
		return false
	}
	busy = true
	if since.Programs > len(rec.Trace.Processes) || since.Effects > len(rec.Trace.Effects) {
		return false // a record that began anew
	}
	for i := since.Programs; i < len(rec.Trace.Processes); i++ {
		t := rec.traits[i]
		busy = busy && t.Has(catalog.Instant)
		if t.Has(catalog.Detaches) {
			rec.Effect(st, span, risk.Effect{Verb: risk.Exhaust, Program: path.Base(rec.Trace.Processes[i].Argv[0]), Kind: risk.KindContainersWithoutEnd})
		}
	}
	if !busy {
		return false
	}
	made := rec.Trace.Effects[since.Effects:]
	for i := range made {
		if made[i].Verb == risk.FSDelete || made[i].Verb == risk.FSMove {
			return busy // what is made may go again
		}
	}
	for i := range made {
		if kind := grows(&made[i], deeper); kind != risk.NoKind {
			rec.Effect(st, span, risk.Effect{Verb: risk.Exhaust, Kind: kind, Target: path.Dir(made[i].Target)})
			break
		}
	}
	return busy
}

// grows says what an effect makes more of each time it is had.
func grows(e *risk.Effect, deeper bool) risk.Kind {
	if e.Scope == risk.IsNull || e.Scope == risk.IsDevice {
		return risk.NoKind
	}
	fresh := e.Unresolved != "" && e.Cause != risk.CauseUnset // another name each time
	switch e.Verb {
	case risk.FSCreate:
		if e.Kind == risk.KindDirectory && (fresh || deeper) {
			return risk.KindDirectoriesWithoutEnd
		}
		if fresh || deeper {
			return risk.KindFilesWithoutEnd
		}
	case risk.FSWrite:
		switch {
		case fresh || deeper:
			return risk.KindFilesWithoutEnd
		case e.Kind == risk.KindAppend:
			return risk.KindOutputWithoutEnd
		}
	}
	return risk.NoKind
}

// onlyHelp reports whether the program was only asked for its help.
func (d *Deed) onlyHelp() bool {
	m := d.Result.Match
	return m != nil && (m.Help || m.Has("help"))
}
