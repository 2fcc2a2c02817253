package explain

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// What is sent, by the file that it is read from.

// sentPrivate names the one file that a line reads, where that is what it sends; "" if
// there is none.
func (in *Input) sentPrivate(e *risk.Effect, at place) string {
	file := ""
	for i := range in.Effects {
		x := &in.Effects[i]
		switch {
		case x.Verb != risk.FSRead:
		case file != "" || x.Many || x.Recursive || x.Unresolved != "" || x.Target == "" || !in.hands(x, e.By.Process):
			return ""
		default:
			file = at.path(x.Target)
		}
	}
	if file == "" || !strings.Contains(phrase(e, at), " private data ") {
		return ""
	}
	return strings.Replace(phrase(e, at), " private data ", " "+file+" ", 1)
}

// hands reports whether what an effect reads is what an act works on: it reads it itself,
// or has it from its standard input.
func (in *Input) hands(read *risk.Effect, to int) bool {
	from := read.By.Process
	if from < 0 && to >= 0 && to < len(in.Acts) { // a redirection
		return in.Acts[to].Span.Start <= read.Span.Start && read.Span.End <= in.Acts[to].Span.End
	}
	if from < 0 || to >= len(in.Acts) || from > to {
		return false
	}
	for i := from; i < to; i++ {
		if in.Acts[i].Ends != nil || !in.Acts[i].Piped && in.Acts[i+1].Parent != i {
			return false
		}
	}
	return true
}

// sent names in what a program sends the one file that it reads for it.
func (in *Input) sent(says string, e *risk.Effect, at place) string {
	rest, ok := strings.CutPrefix(says, "Sends data ")
	literal := ""
	if a := in.actOf(e); a != nil && a.Sends != "" {
		literal = "“" + Cut(Visible(a.Sends), maxText) + "”"
	}
	if !ok && literal != "" && strings.Contains(says, " request to ") && e.Kind == risk.NoKind {
		return insert(says, " with "+literal)
	}
	if !ok {
		return says
	}
	file := ""
	for i := range in.Effects {
		x := &in.Effects[i]
		switch {
		case x.Verb != risk.FSRead || x.By.Process != e.By.Process:
		case file != "" || x.Many || x.Unresolved != "":
			return says
		default:
			file = at.path(x.Target)
		}
	}
	return "Sends " + orElse(file, orElse(literal, "data")) + " " + rest
}
