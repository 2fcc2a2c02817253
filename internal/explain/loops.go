package explain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/risk"
)

// A Loop is how often a loop of the shell runs what is in it.
type Loop struct {
	Span  risk.Span
	Times int // 0 where that is not known
	// Turns are the first act of each turn, where all were walked one by one, and Words what
	// the loop's variable was in each.
	Turns           []int
	Words           []string
	AtMost, Forever bool // something may leave it before; nothing does
	// Until is the condition that ends it, as soon as that succeeds or, with Holds, fails.
	Until risk.Span
	Holds bool
}

// looped tells of a command and of how often a loop in it runs what is in it.
func (in *Input) looped() string {
	for i := range in.Loops {
		if l := &in.Loops[i]; in.whole(l.Span) {
			return in.ofLoop(l)
		}
	}
	in.repeated()
	return in.summarize()
}

// whole reports whether a statement is all of the command, but for how it is started.
func (in *Input) whole(s risk.Span) bool {
	if s.Start < 0 || s.End > len(in.Command) || s.Start >= s.End {
		return false
	}
	before, after := strings.TrimSpace(in.Command[:s.Start]), strings.Trim(in.Command[s.End:], " \t\n;&")
	return (before == "" || before == "(" || before == "{") && strings.Trim(after, " \t\n;&)}") == ""
}

// ofLoop tells of a command that is one loop.
func (in *Input) ofLoop(l *Loop) string {
	if l.Times > 1 && len(l.Turns) == l.Times && !in.same(l) {
		if text := in.firstTurn(l); text != "" {
			return text
		}
		return in.summarize()
	}
	text := in.summarize()
	if lead := leading(in.Effects, in.Bands); lead >= 0 && in.Effects[lead].Verb == risk.Exhaust {
		return text // which says so
	}
	first, _, _ := strings.Cut(text, " ")
	if first == "Waits" && l.Forever {
		return insertBefore(strings.TrimSuffix(text, "."), "; ", " over and over, until it is stopped") + "."
	}
	if slices.Contains([]string{"Fails", "Does", "Would", "Uses", "Runs", "Stops", "Goes", "Is", "Most", "Cannot", "Changes", "Waits"}, strings.TrimSuffix(first, ":")) && !strings.HasPrefix(text, "Runs the unknown program") {
		if first != "Waits" || l.Until == (risk.Span{}) {
			return text
		}
	}
	rest, apart := in.pause(l, strings.TrimSuffix(text, "."))
	often := ""
	switch {
	case l.Forever, in.waitsFor(l):
		often = "Over and over"
	case l.Until != (risk.Span{}):
		return orElse(in.until(l, rest, apart), text)
	case l.Times < 2, slices.Contains([]string{"Creates", "Prints", "Deletes", "Adds", "Empties", "Moves", "Copies"}, first):
		return text
	case l.AtMost:
		often = "Up to " + number(l.Times) + " times"
	default:
		often = number(l.Times) + " times"
	}
	for _, begin := range []string{often + apart, often} {
		if told := begin + ": " + lower(rest) + "."; length(told) <= maxSentence {
			return told
		}
	}
	return text
}

// same reports whether each turn of a loop runs the same.
func (in *Input) same(l *Loop) bool {
	turn := func(i int) []Act {
		end := len(in.Acts)
		if i+1 < len(l.Turns) {
			end = min(l.Turns[i+1], end)
		}
		return in.Acts[min(l.Turns[i], end):end]
	}
	for i := 1; i < len(l.Turns); i++ {
		if !slices.EqualFunc(turn(0), turn(i), func(a, b Act) bool { return slices.Equal(a.Argv, b.Argv) }) {
			return false
		}
	}
	return true
}

// firstTurn tells of the first turn of a loop that does the same with other words in each, where
// what it does is told by its programs alone.
func (in *Input) firstTurn(l *Loop) string {
	end := l.Turns[1]
	if l.Turns[0] != 0 || end <= 0 || end >= len(in.Acts) || len(in.Acts) != end*l.Times || leading(in.Effects, in.Bands) >= end {
		return ""
	}
	for i := range in.Acts {
		if a := &in.Acts[i]; a.Span != in.Acts[i%end].Span || (a.Ends == nil) != (in.Acts[i%end].Ends == nil) {
			return ""
		}
	}
	one := *in
	one.Acts, one.Loops = in.Acts[:end], nil
	one.Effects, one.Bands = nil, nil
	for i := range in.Effects {
		switch e := &in.Effects[i]; {
		case e.By.Process < 0:
			return ""
		case e.By.Process < end:
			one.Effects, one.Bands = append(one.Effects, *e), append(one.Bands, in.Bands[i])
		}
	}
	if lead := leading(in.Effects, in.Bands); lead >= 0 {
		e := &in.Effects[lead]
		if e.Verb == risk.FSCreate || e.Verb == risk.FSWrite || e.Verb == risk.FSDelete || e.By.Process >= end {
			return "" // which are named together
		}
	}
	first, _ := one.pause(l, strings.TrimSuffix(one.summarize(), "."))
	first, tells, _ := strings.Cut(first, "; ")
	whole := in.summarize()
	if !strings.Contains(whole, ", then ") && !strings.Contains(whole, "; also ") && !strings.HasPrefix(whole, "Runs ") {
		return whole
	}
	more := strconv.Itoa(l.Times-1) + " more times"
	if l.Times == 2 {
		more = "once more"
	}
	if len(l.Words) == l.Times && !slices.Contains(l.Words, "") {
		if words := Words(l.Words[1:], in.Dir, in.Home); words != "" {
			more = "for " + words
		}
	}
	if tells != "" {
		tells = "; " + tells
	}
	if text := first + "; the same " + more + tells + "."; length(text) <= maxSentence {
		return text
	}
	return whole
}

// pause takes from a text that a loop waits in each turn, and returns for how long.
func (in *Input) pause(l *Loop, text string) (rest, apart string) {
	for i := range in.Acts {
		a := &in.Acts[i]
		if a.Span.Start < l.Span.Start || a.Span.End > l.Span.End {
			continue
		}
		span, waits := strings.CutPrefix(a.Says, "Waits ")
		if !waits {
			continue
		}
		if apart != "" && apart != span {
			return text, ""
		}
		rest, apart = strings.Replace(text, ", then waits "+span, "", 1), span
	}
	if apart == "" {
		return text, ""
	}
	return rest, ", " + apart + " apart"
}

// until tells of a loop that ends as its condition says; "" where there is no room.
func (in *Input) until(l *Loop, text, apart string) string {
	if l.Until.End > len(in.Command) || l.Until.Start >= l.Until.End {
		return ""
	}
	succeeds := " until that succeeds"
	if l.Holds {
		succeeds = " as long as that succeeds"
	}
	inside := func(a Act) bool {
		return a.Span.Start >= l.Until.Start && a.Span.End <= l.Until.End || strings.HasPrefix(a.Says, "Waits ")
	}
	condition := " until “" + Cut(Visible(strings.Join(strings.Fields(strings.TrimRight(in.Command[l.Until.Start:l.Until.End], " ;\n")), " ")), maxName) + "”"
	if l.Holds {
		condition += " fails"
	} else {
		condition += " succeeds"
	}
	waitsOnly := !slices.ContainsFunc(in.Acts, func(a Act) bool { return !inside(a) })
	tests := slices.ContainsFunc(in.Acts, func(a Act) bool { return inside(a) && !strings.HasPrefix(a.Says, "Waits ") })
	if !waitsOnly || !tests {
		succeeds = condition
	}
	ways := []string{", over and over" + apart + "," + succeeds, ", over and over" + succeeds}
	if waitsOnly && !tests {
		ways = nil
	}
	for _, way := range ways {
		if told := insertBefore(text, "; ", way) + "."; length(told) <= maxSentence {
			return told
		}
	}
	if waitsOnly {
		_, changes, _ := strings.Cut(text, "; ")
		if told := strings.TrimSuffix("Waits"+condition+apart+"; "+changes, "; ") + "."; length(told) <= maxSentence {
			return told
		}
	}
	return ""
}

// repeated says of what a loop of one program repeats how often, where there is more in the
// command.
func (in *Input) repeated() {
	for i := range in.Loops {
		l := &in.Loops[i]
		if l.Times < 2 || len(l.Turns) > 0 && !in.same(l) {
			continue
		}
		var some []int
		for j := range in.Acts {
			if a := &in.Acts[j]; a.Span.Start >= l.Span.Start && a.Span.End <= l.Span.End {
				some = append(some, j)
			}
		}
		if len(some) == 0 {
			continue
		}
		first := &in.Acts[some[0]]
		if slices.ContainsFunc(some, func(j int) bool {
			return in.Acts[j].Span != first.Span || in.Acts[j].Fed || in.Acts[j].Piped || in.Acts[j].Ends != nil
		}) || len(first.Does) == 0 {
			continue
		}
		times := ", " + number(l.Times) + " times"
		if l.AtMost {
			times = ", up to " + number(l.Times) + " times"
		}
		in.Acts = slices.Clone(in.Acts)
		for _, j := range some {
			if a := &in.Acts[j]; a.Says != "" {
				a.Says = insertBefore(a.Says, "; ", times)
			}
		}
	}
}

// waitsFor reports whether the condition of a loop only waits.
func (in *Input) waitsFor(l *Loop) bool {
	waits := false
	for i := range in.Acts {
		a := &in.Acts[i]
		if a.Span.Start >= l.Until.Start && a.Span.End <= l.Until.End {
			if waits = strings.HasPrefix(a.Says, "Waits "); !waits {
				return false
			}
		}
	}
	return waits && l.Holds
}
