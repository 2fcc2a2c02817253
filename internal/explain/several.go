package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// Several files that one program does the same to.

// inCode is what is known of code that was not read to its end, where the badge hangs on
// what is not known of it: that it is there is told beside.
func (in *Input) inCode(lead int) int {
	e := &in.Effects[lead]
	if e.Verb != risk.ExecUnknown || e.Kind != risk.KindCode || e.Unresolved != "" || !e.Reached.IsZero() {
		return lead
	}
	best := lead
	for i := range in.Effects {
		x := &in.Effects[i]
		if i == lead || x.By.Process != e.By.Process || len(x.Via) == 0 || x.Span != e.Span || reads(x.Verb) || in.Bands[i] < risk.BandCautionA || x.Unresolved != "" || x.Many {
			continue
		}
		if best == lead || in.Bands[i] > in.Bands[best] || in.Bands[i] == in.Bands[best] && weight(x) < weight(&in.Effects[best]) {
			best = i
		}
	}
	return best
}

// making is the effect that makes the file to which another, lead, only adds; else lead.
func (in *Input) making(lead int) int {
	e := &in.Effects[lead]
	if e.Verb != risk.FSWrite || e.Remedy != risk.RemedyMade {
		return lead
	}
	first := slices.IndexFunc(in.Effects, func(x risk.Effect) bool {
		return (x.Verb == risk.FSWrite || x.Verb == risk.FSCreate) && x.Target == e.Target && x.Reversible == risk.NothingThere && x.By.Unreached == nil
	})
	if first < 0 || in.Bands[first] != in.Bands[lead] {
		return lead
	}
	return first
}

// alike adds how many files more the same program does the same to, of those that are
// not told of by themselves.
func (in *Input) alike(text string, lead int, at place) string {
	e, n := &in.Effects[lead], 0
	if fresh := e.Verb == risk.FSCreate || e.Verb == risk.FSWrite; fresh && e.Reversible == risk.NothingThere && !e.Many && e.Unresolved == "" {
		return in.andMore(text, lead, at)
	}
	if !e.Many || e.Pattern != "" || e.Unresolved != "" {
		return text
	}
	for i := range in.Effects {
		x := &in.Effects[i]
		if i == lead || x.Verb != e.Verb || x.Kind != e.Kind || x.By.Process != e.By.Process || x.Target == e.Target || in.unmet(i) != nil || in.Bands[i] >= risk.BandCautionB {
			continue
		}
		if e.Verb == risk.FSAttr && strings.Contains(text, at.path(x.Target)) {
			continue // it is named
		}
		if e.Verb == risk.FSDelete && (x.Reversible != risk.Restorable || x.Remedy != risk.RemedyGit) {
			continue
		}
		n++
	}
	switch {
	case n == 0, e.Verb == risk.FSAttr && strings.Contains(text, " more"): // which it says
	case e.Verb == risk.FSAttr:
		return strings.Replace(text, at.path(e.Target), at.path(e.Target)+" and "+number(n)+" more", 1)
	case e.Verb == risk.FSDelete:
		return text + tail + "; also deletes " + number(n) + " more that git can restore"
	}
	return text
}

// deletesAll tells of the files that one program deletes, of more than can be named: how
// many, and which of them have no copy in git. these are their effects.
func (in *Input) deletesAll(lead int, at place) (text string, these []int) {
	e := &in.Effects[lead]
	if a := in.actOf(e); a == nil || a.Ends != nil && a.Ends.How == risk.EndAsks {
		return "", nil
	}
	lost := 0
	var all risk.Counts
	for i := range in.Effects {
		x := &in.Effects[i]
		if x.Verb != risk.FSDelete || x.By.Process != e.By.Process || in.unmet(i) != nil || x.Reversible == risk.NothingThere {
			continue
		}
		one := !x.Many || x.Counts != nil && x.Counts.Files == 1 && !x.Counts.AtLeast
		if !one || x.Recursive || x.Unresolved != "" || x.Root || x.Pattern != "" || x.Kind != risk.NoKind || x.Host != "" || x.Privileged || !x.Reached.IsZero() || x.Through != "" || scopeNote(x) != "" {
			return "", nil
		}
		if x.Counts != nil {
			all.Add(x.Counts)
		}
		if these = append(these, i); x.Reversible != risk.Restorable && x.Reversible != risk.Regenerable {
			lost++
		}
	}
	if len(these) < 4 || !slices.Contains(these, lead) {
		return "", nil
	}
	text = "Deletes " + at.path(e.Target) + " and " + number(len(these)-1) + " more files" + tail
	switch {
	case lost == 0:
	case named(&all) && len(all.Names) == lost:
		text += "; " + lacks(&all, at)
	case lost == 1:
		text += "; of one not all is in git"
	default:
		text += "; of " + number(lost) + " not all is in git"
	}
	return text, these
}

// andMore adds to a file that is made how many others the same program makes, of those
// that the sentence does not name.
func (in *Input) andMore(text string, lead int, at place) string {
	e, name := &in.Effects[lead], ""
	if name = at.path(e.Target); !strings.Contains(text, name) {
		return text
	}
	var more []string
	for i := range in.Effects {
		x := &in.Effects[i]
		same := x.By.Process == e.By.Process && x.By.Astray == e.By.Astray || strings.HasPrefix(text, "Creates "+name) && x.Reached == e.Reached && in.unmet(i) == nil && x.Scope == e.Scope && x.Kind == e.Kind
		if x.Verb == e.Verb && same && x.Reversible == e.Reversible && x.Target != e.Target && !x.Many && in.Bands[i] < risk.BandCautionB && !strings.Contains(text, at.path(x.Target)) && !slices.Contains(more, x.Target) {
			more = append(more, x.Target)
		}
	}
	switch len(more) {
	case 0:
		return text
	case 1:
		return strings.Replace(text, name, name+" and "+at.path(more[0]), 1)
	}
	return strings.Replace(text, name, name+" and "+number(len(more))+" more", 1)
}

// inNew tells of files that are made in a directory that the command makes as well, which surely
// can be: "Creates ./a and in it b and c"; "" elsewhere. told are their effects.
func (in *Input) inNew(text string, e *risk.Effect, at place) (all string, told []int) {
	fresh := func(i int) bool {
		x := &in.Effects[i]
		return (x.Verb == risk.FSCreate || x.Verb == risk.FSWrite) && x.Reversible == risk.NothingThere && !x.Many && x.Unresolved == "" && x.Host == "" && in.unmet(i) == nil
	}
	if !strings.HasPrefix(text, "Creates "+at.path(e.Target)) || e.Kind == risk.KindDirectory {
		return "", nil
	}
	for i := range in.Effects {
		d := &in.Effects[i]
		a := in.actOf(d)
		if d.Kind != risk.KindDirectory || a == nil || !fresh(i) || !d.Reached.IsZero() || !strings.HasPrefix(e.Target, d.Target+"/") || len(a.Does) != 1 {
			continue
		}
		if !e.Reached.IsZero() && (e.Reached.Kind != risk.IfSucceeds || e.Reached.Of != strings.Join(a.Argv, " ")) {
			continue
		}
		var names []string
		told = nil
		for j := range in.Effects {
			x := &in.Effects[j]
			name, inside := strings.CutPrefix(x.Target, d.Target+"/")
			if inside = inside && fresh(j) && x.Reached == e.Reached; inside && !slices.Contains(names, quote(name)) {
				names = append(names, quote(name))
			}
			if inside || j == i {
				told = append(told, j)
			}
		}
		begin := "Creates " + at.path(d.Target) + " and in it "
		if len(names) == 1 {
			if e.By.Lines > 0 && !strings.Contains(text, tail) {
				names[0] += " with " + count(e.By.Lines, "line", "lines")
			}
			return strings.Replace(text, "Creates "+at.path(e.Target), begin+names[0], 1), told
		}
		return begin + series(names), told
	}
	return "", nil
}
