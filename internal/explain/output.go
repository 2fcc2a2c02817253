package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// Files that the shell writes, and what prints into them.

// withOutput adds to a file that the shell writes what prints into it.
func (in *Input) withOutput(text string, e *risk.Effect) string {
	if e.By.Rule != risk.RuleOutput {
		return text
	}
	printer := in.printer(e.Span)
	main, rest, more := strings.Cut(text, tail)
	if in.unfed(e.Span) {
		if file, ok := strings.CutPrefix(main, "Changes "); ok {
			return "Empties " + file + tail + rest
		}
		if strings.HasPrefix(main, "Creates ") && !strings.Contains(main, " with ") {
			return main + " with nothing in it" + tail + rest
		}
	}
	for _, form := range [][2]string{
		{"Creates ", "Creates %f with what %p prints"}, {"Adds to ", "Adds what %p prints to %f"}, {"Overwrites ", "Overwrites %f with what %p prints"}, {"Changes ", "Overwrites %f with what %p prints"},
	} {
		file, ok := strings.CutPrefix(main, form[0])
		if !ok || printer == "" || strings.Contains(file, " ") {
			continue
		}
		with := strings.NewReplacer("%f", file, "%p", printer).Replace(form[1])
		if more {
			with += tail + rest
		}
		if length(with) < maxSentence {
			return with
		}
	}
	return text
}

// withLines adds to one file that the shell writes how many lines it then has.
func withLines(text string, e *risk.Effect, at place) string {
	main, rest, more := strings.Cut(text, tail)
	if more {
		rest = tail + rest
	}
	lines, name := count(e.By.Lines, "line", "lines"), at.path(e.Target)
	switch {
	case e.By.Lines == 0 || length(text)+len(lines)+len("Replaces all of  by ") > maxSentence:
	case main == "Creates "+name:
		return main + " with " + lines + rest
	case main == "Changes "+name && e.Kind == risk.NoKind:
		return "Replaces all of " + name + " by " + lines + rest
	}
	return text
}

// into adds to what a command reads, which is told in text, that it goes to a new file; and
// told is that effect. An effect of another command is left alone.
func (in *Input) into(text string, e *risk.Effect, at place) (more string, told []int) {
	if e.Verb != risk.NetFetch && e.Verb != risk.RemoteRead && e.Verb != risk.DBRead && e.Verb != risk.FSRead {
		return text, nil
	}
	if verb, _, _ := strings.Cut(text, " "); !slices.Contains([]string{"Fetches", "Downloads", "Reads", "Lists", "Shows", "Prints"}, verb) {
		return text, nil
	}
	for i := range in.Effects {
		x := &in.Effects[i]
		near := x.Scope == risk.InWorkspace || x.Scope == risk.InTemp
		if x.By.Rule != risk.RuleOutput || x.Reversible != risk.NothingThere || !near || x.Unresolved != "" || in.printer(x.Span) == "" || !in.feeds(e.By.Process, x.Span) {
			continue
		}
		if more := insertBefore(text, tail, " into the new file "+at.path(x.Target)); length(more) < maxSentence {
			return more, []int{i}
		}
	}
	return text, nil
}

// unfed reports whether what would print into the file of a redirection fails.
func (in *Input) unfed(redirection risk.Span) bool {
	i := slices.IndexFunc(in.Acts, func(a Act) bool { return !a.Inner && !a.Captured && a.around(redirection) })
	return i >= 0 && in.Acts[i].Ends != nil && in.Acts[i].Ends.How == risk.EndFails && !in.Acts[i].Passes
}

// feeds reports whether an act, or the pipeline that it stands in, is what a redirection
// takes the output of.
func (in *Input) feeds(act int, redirection risk.Span) bool {
	for i := max(act, 0); act >= 0 && i < len(in.Acts); i++ {
		if in.Acts[i].around(redirection) {
			return true
		}
		if !in.Acts[i].Piped {
			break
		}
	}
	return false
}

// printer names the command or pipeline whose output a redirection takes; "" where that
// prints nothing, or all that it is given.
func (in *Input) printer(redirection risk.Span) string {
	last := slices.IndexFunc(in.Acts, func(a Act) bool { return !a.Inner && !a.Captured && a.around(redirection) })
	if last < 0 {
		return ""
	}
	for i := last + 1; i < len(in.Acts) && in.Acts[i].Parent >= last; i++ {
		if in.Acts[i].Ends != nil { // what it starts
			return ""
		}
	}
	var names []string
	for i := last; i >= 0; i-- {
		a := &in.Acts[i]
		switch {
		case a.Ends == nil && a.Unreached == nil && a.Parent != in.Acts[last].Parent: // what another one starts
			continue
		case a.Ends != nil || a.Unreached != nil || a.Host != in.Acts[last].Host || a.Echoes && len(names) == 0 || a.Fed && len(a.Argv) == 1 && (i == 0 || !in.Acts[i-1].Piped):
			return ""
		}
		names = append(names, strings.Trim(a.command(), "`"))
		if !a.Fed || i > 0 && !in.Acts[i-1].Piped {
			break
		}
	}
	slices.Reverse(names)
	text := strings.Join(names, " | ")
	if strings.Contains(text, "<") { // a word that is not known
		return ""
	}
	if len(names) > 1 && len(text) > maxPiped {
		text = names[0] + " | … | " + names[len(names)-1]
	}
	return "`" + text + "`"
}

// maxPiped is how long the commands of a pipeline may be to be named all.
const maxPiped = 50

// around reports whether something stands in the words of an act, behind its first: a
// redirection, or a command that is substituted there.
func (a *Act) around(span risk.Span) bool {
	return a.Span.Start < span.Start && span.End <= a.Span.End
}
