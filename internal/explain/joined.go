package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// Acts told in their order, as one sentence.

// joined tells what several acts do, one after the other or one with what the other
// prints; "" where one of them is nothing to tell, or where it is too long and may not end
// with the names of programs (short).
func joined(acts []Act, at place, short bool) string {
	var parts, names []string          // what is told, and the programs that do it
	var between []bool                 // which parts a shorter sentence can do without
	var made []string                  // what the last part is about, where that only creates files
	covered := make([]bool, len(acts)) // told by what starts it
	seen, since := shownActs(acts), ""
	if text := textsOf(acts); text != "" {
		return text
	}
	coverComputed(acts, covered)
	for i := range acts {
		a := &acts[i]
		if covered[i] || a.Captured || a.Astray {
			continue
		}
		if p := a.Parent; p >= 0 && p < i && (covered[p] || !acts[p].Passes || acts[p].Says != "") {
			covered[i] = true
			continue
		}
		if failsItself := a.Ends != nil && a.Ends.How == risk.EndFails && (i+1 == len(acts) || acts[i+1].Parent != i); a.Passes && a.Says == "" && !failsItself {
			if a.Ends != nil && a.Ends.How == risk.EndWaits {
				return ""
			}
			if i+1 == len(acts) || acts[i+1].Parent != i { // what it runs is no program
				if language, ok := strings.CutSuffix(a.Summary, " code"); ok && a.Fed && len(parts) > 0 && a.Ends == nil && strings.HasPrefix(language, "Runs ") {
					parts, names, between = append(parts, lower(language)+" code on it"), append(names, a.program()), append(between, false)
					continue
				}
				return ""
			}
			continue
		}
		if a.Unreached != nil {
			if !a.Unreached.Asked {
				return ""
			}
			next := instead(acts, i)
			if next < 0 && a.Unreached.Because != "" { // the one that asks says it all
				return ""
			}
			if next >= 0 && (acts[next].Otherwise || acts[next].Else) {
				since = why(a.Unreached, at)
			}
			continue
		}
		if e := a.Ends; e != nil && e.How == risk.EndFails {
			part, because := failed(acts, i, covered, at)
			if last := len(parts) - 1; last >= 0 && names[last] == echoFor(acts, i) { // which nobody sees
				parts, names, between = parts[:last], names[:last], between[:last]
			}
			if since = because; part != "" {
				parts, names, between = append(parts, part), append(names, a.program()), append(between, false)
			}
			continue
		} else if e != nil && e.How != risk.EndPartly {
			return ""
		}
		if a.Echoes && !a.Fed && seen > 1 && !a.Otherwise && since == "" && (i+1 == len(acts) || !acts[i+1].Fed && !(acts[i+1].Otherwise && acts[i+1].Echoes)) { // a heading
			continue
		}
		says := orElse(forEach(acts, i, at), a.words())
		if says == "" {
			return ""
		}
		if n := turnsFrom(acts, i); n > 2 {
			for k := range n {
				covered[i+k] = true
			}
			says = insertBefore(says, "; ", ", and the same for "+number(n-1)+" more")
		}
		if a.Fed && a.Takes {
			says = strings.ReplaceAll(says, " below this directory", " of standard input")
		}
		last := len(parts) - 1
		shown := "" // what another prints for it alone
		if last >= 0 && names[last] == echoFor(acts, i) {
			shown = inQuotes(strings.TrimPrefix(parts[last], "prints "))
		}
		if a.Handed && a.Says != "" {
			says = strings.ReplaceAll(says, "standard input", map[bool]string{true: "nothing", false: "the files that it names"}[a.Idle])
		} else if a.Fed && last >= 0 {
			if a.Says == "" && a.Narrows {
				says = strings.Replace(says, " files", " standard input", 1)
			}
			onIt := strings.ReplaceAll(says, "standard input", "it")
			switch {
			case shown == "":
			case narrowing(lower(onIt)) != "" || printedAs(parts[last], lower(onIt)) != "":
				shown = ""
			case onIt != says:
				onIt = strings.ReplaceAll(says, "standard input", shown)
			case a.Says == "" && !strings.HasPrefix(says, "Runs `"):
				onIt = "gives " + shown + " to " + a.command() + ", which " + lower(says)
			case a.Says == "":
				onIt = "gives " + shown + " to " + a.command()
			}
			says = onIt
		}
		if shown != "" {
			parts, names, between = parts[:last], names[:last], between[:last]
		}
		if first, _, _ := strings.Cut(says, " "); a.Unseen && (first == "Prints" || first == "Shows" || first == "Lists" || first == "prints") {
			says = insertBefore(says, "; ", " to /dev/null, unseen")
		}
		if says = lower(says); a.Background {
			says = insertBefore(says, "; ", " in the background")
		}
		if a.Host != "" && (!a.Fed || i == 0 || acts[i-1].Host != a.Host) {
			main, rest, more := strings.Cut(says, "; ")
			says = main + " on " + orElse(Gap(a.Host, risk.CauseOutput, at.dir, at.home), at.named(a.Host))
			if more {
				says += "; " + rest
			}
		}
		if a.Ends != nil {
			says += " (" + why(a.Ends, at) + ")"
		}
		program := a.program()
		switch {
		case since != "":
			says, since = bracketed(says)+", since "+since, ""
		case a.Otherwise && !a.Fed && len(parts) > 0 && !(acts[i-1].Otherwise && acts[i-1].Echoes): // which never fails
			says = otherwise + says
		case a.Conditional && !a.Else && !a.Fed && len(parts) > 0 && searched(parts[len(parts)-1]):
			says, program = "if any do, "+says, program+" if any do"
		}
		if says == "prints it as it is" && len(parts) > 0 {
			continue
		}
		if last := len(parts) - 1; a.Fed && last >= 0 && a.Ends == nil && a.Host == "" && !a.Background && !strings.Contains(parts[last], "; ") {
			if more := narrowing(says); more != "" {
				parts[last] += ofAnswer(parts[last], more)
				between[last] = between[last] && !strings.Contains(more, " counts ") // which is what is seen in the end
				continue
			}
			if one := printedAs(parts[last], says); one != "" {
				parts[last] = one
				continue
			}
		}
		feeds := i+1 < len(acts) && acts[i+1].Fed
		if i := len(parts) - 1; i >= 0 && !feeds && !a.Fed && len(made) > 0 && onlyCreates(says) {
			made = append(made, strings.TrimPrefix(says, "creates "))
			parts[i] = "creates " + series(slices.Clone(made))
			continue
		}
		made = nil
		if onlyCreates(says) {
			made = []string{strings.TrimPrefix(says, "creates ")}
		}
		again := len(parts) > 0 && parts[len(parts)-1] == says
		if !again && (feeds || a.Fed || !slices.Contains(parts, says)) {
			parts, names, between = append(parts, says), append(names, program), append(between, a.Fed && a.Narrows)
		}
	}
	if len(parts) > 0 && !slices.ContainsFunc(parts, func(part string) bool { return !strings.HasPrefix(part, "fails at ") }) { // which is told better alone
		return ""
	}
	parts, names = fitting(parts, names, between)
	for n := len(parts); n > 0; n-- {
		text := upper(inOrder(slices.Clone(parts[:n])))
		if n < len(parts) {
			if !short {
				break
			}
			text += ", then runs " + series(slices.Compact(slices.Clone(names[n:])))
		}
		if len([]rune(text)) <= maxJoined {
			return text
		}
	}
	return ""
}

// onlyCreates reports whether a part says that one file is created and nothing else.
func onlyCreates(part string) bool {
	name, ok := strings.CutPrefix(part, "creates ")
	return ok && name != "" && !strings.Contains(name, " ")
}

// echoFor is the program that only prints words for an act to work on, which are then not
// shown; "" if none does.
func echoFor(acts []Act, i int) string {
	for i > 0 && acts[i].Parent == i-1 && acts[i-1].Passes {
		i--
	}
	if i == 0 || !acts[i].Fed {
		return ""
	}
	echo := &acts[i-1]
	if alone := i == 1 || !acts[i-2].Piped || acts[i-2].Parent != echo.Parent; alone && echo.Echoes && echo.Piped && !echo.Fed && echo.Ends == nil && echo.Host == "" {
		return echo.program()
	}
	return ""
}

// inQuotes quotes a text that is not.
func inQuotes(text string) string {
	if strings.Contains(text, "“") || text == "an empty line" {
		return text
	}
	return "“" + text + "”"
}

// printedAs tells what is printed and what of it another prints as one: "prints line 3 of
// a.json as indented JSON"; "" where they are two.
func printedAs(first, then string) string {
	what, ok := strings.CutPrefix(first, "prints ")
	if !ok || strings.ContainsAny(what, ",“") || strings.HasPrefix(what, "line") || strings.Contains(what, " with ") {
		return ""
	}
	if as, ok := strings.CutPrefix(then, "prints it as "); ok {
		return "prints " + what + " as " + as
	}
	if part, ok := strings.CutSuffix(then, " of it"); ok && strings.HasPrefix(part, "prints line") {
		return part + " of " + what
	}
	return ""
}

// narrowing is how what an act does to the output of another is told as a part of that:
// "lists processes, keeping the lines that match x, and counts them"; "" where it is more.
func narrowing(says string) string {
	for _, form := range [][2]string{
		{"prints the lines of it that match ", ", keeping the lines that match "},
		{"finds no lines of it that match ", ", none of which match "},
		{"shows the lines of it that do not match ", ", leaving out the lines that match "},
		{"shows the lines of it that match ", ", keeping the lines that match "},
		{"counts the lines of it that match ", ", and counts the lines that match "},
		{"prints it without the lines that match ", ", leaving out the lines that match "},
		{"prints it without ", ", without "},
	} {
		if rest, ok := strings.CutPrefix(says, form[0]); ok {
			return form[1] + rest
		}
	}
	switch {
	case says == "counts the lines of it":
		return ", and counts the lines"
	case strings.HasPrefix(says, "sorts the lines of it"):
		return ", sorted" + strings.TrimPrefix(says, "sorts the lines of it")
	case says == "shows the first line of it", says == "shows the last line of it", says == "prints the last line of it":
		return ", only the " + strings.TrimSuffix(says[strings.Index(says, " the ")+len(" the "):], " of it")
	case (strings.HasPrefix(says, "shows the first ") || strings.HasPrefix(says, "shows the last ")) && strings.HasSuffix(says, " lines of it"):
		return ", only" + strings.TrimSuffix(strings.TrimPrefix(says, "shows"), " of it")
	}
	return ""
}

// ofAnswer is how what a part is narrowed by is told behind one that sends something, or
// asks: it is the answer that is narrowed.
func ofAnswer(part, more string) string {
	first, _, _ := strings.Cut(part, " ")
	if !slices.Contains([]string{"sends", "uploads", "asks", "posts", "tells", "runs", "builds", "compiles", "starts"}, first) {
		return more
	}
	for _, form := range [][2]string{{", only ", ", showing only "}, {", keeping ", ", showing only "}, {", leaving out ", ", showing it without "}} {
		if rest, ok := strings.CutPrefix(more, form[0]); ok {
			return form[1] + rest
		}
	}
	return more
}

// searched reports whether what is told last is a search, which fails where nothing matches.
func searched(says string) bool {
	return strings.Contains(says, ", keeping the lines that match ") || strings.HasPrefix(says, "shows the lines of ") && strings.Contains(says, " that match ")
}

// fitting leaves out, the last first, what only narrows what others print, until the rest
// has room.
func fitting(parts, names []string, between []bool) (told, by []string) {
	told, by = slices.Clone(parts), slices.Clone(names)
	for i := len(parts) - 1; i > 0; i-- {
		if length(inOrder(slices.Clone(told))) <= maxJoined {
			break
		}
		if between[i] {
			told, by = slices.Delete(told, i, i+1), slices.Delete(by, i, i+1)
		}
	}
	return told, by
}

// turnsFrom is how many acts from the first on are one program that the same act starts again
// and again, on other words each time, and that does what it says each time; else 1.
func turnsFrom(acts []Act, first int) int {
	a, n := &acts[first], 1
	if a.Parent < 0 || a.Says == "" || a.Ends != nil {
		return 1
	}
	for n+first < len(acts) {
		b := &acts[first+n]
		if b.Parent != a.Parent || b.Span != a.Span || b.program() != a.program() || len(b.Argv) != len(a.Argv) || b.Says == "" || b.Ends != nil || b.Unreached != nil || slices.Equal(a.Argv, b.Argv) {
			break
		}
		n++
	}
	if slices.ContainsFunc(acts[first:], func(x Act) bool { return x.Parent >= first && x.Parent < first+n }) {
		return 1
	}
	return n
}

// insertBefore puts more before the first separator of a clause, or at its end.
func insertBefore(says, separator, more string) string {
	main, rest, ok := strings.Cut(says, separator)
	if !ok {
		return says + more
	}
	return main + more + separator + rest
}

// textsOf tells what a command prints all in all, where the text is known and there is
// nothing else to tell of.
func textsOf(acts []Act) string {
	var b strings.Builder
	some := false
	for i := range acts {
		switch a := &acts[i]; {
		case a.Captured, a.Astray, a.through():
		case a.Ends != nil, a.Unreached != nil, a.Conditional, a.Host != "", a.Background, a.Unseen:
			return ""
		case a.Prints != nil:
			b.WriteString(*a.Prints)
			some = true
		case !a.Piped || len(a.Does) > 0 || i+1 == len(acts) || !acts[i+1].Fed:
			return ""
		}
	}
	if !some {
		return ""
	}
	return printsText(b.String())
}

// coverComputed covers acts whose output is the input of one that is known to print a text.
func coverComputed(acts []Act, covered []bool) {
	for i := range acts {
		if acts[i].Prints == nil {
			continue
		}
		for j := i; j > 0 && acts[j].Fed && acts[j-1].Piped && acts[j-1].Parent == acts[i].Parent && len(acts[j-1].Does) == 0; j-- {
			covered[j-1] = true
		}
	}
}

// printsText tells of a text that is printed, with its first line; all of a few short ones.
func printsText(text string) string {
	var told []string // of the lines that are not empty
	size, n := 0, 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line != "" {
			told = append(told, "“"+Cut(Visible(line), maxText)+"”")
			size += len(line)
		}
	}
	switch {
	case text == "":
		return "Prints nothing"
	case len(told) == 0:
		return "Prints an empty line"
	case len(told) == 1, len(told) <= 3 && size <= maxText:
		return "Prints " + series(told)
	}
	return "Prints " + told[0] + " and " + number(n-1) + map[bool]string{true: " more line", false: " more lines"}[n == 2]
}

// failed tells of an act that fails, and covers those that work on what it prints. Where
// another is done instead, since is why, and that one says it.
func failed(acts []Act, i int, covered []bool, at place) (part, since string) {
	a := &acts[i]
	covered[i] = true
	next := i + 1
	for ; next < len(acts) && (acts[next].Fed || acts[next].Parent != a.Parent || acts[next].Unreached == a.Ends); next++ {
		covered[next] = true
	}
	if next < len(acts) && acts[next].Otherwise && (acts[next].Ends == nil || stops(acts[next].Ends) != nil && fallsBack(acts[next+1:])) {
		return "", why(a.Ends, at)
	}
	return "fails at " + a.short() + ": " + why(a.Ends, at), ""
}

// fallsBack reports whether one of some acts is what is done where those before it fail.
func fallsBack(acts []Act) bool {
	return slices.ContainsFunc(acts, func(a Act) bool {
		return a.Otherwise && a.Ends == nil && a.Unreached == nil && !a.Inner && !a.Captured && !a.Fed
	})
}

// instead is the act that runs behind one which the line does not come to, -1 for none.
func instead(acts []Act, skipped int) int {
	for i := skipped + 1; i < len(acts); i++ {
		if a := &acts[i]; a.Unreached == nil && !a.Inner && !a.Captured {
			return i
		}
	}
	return -1
}

// inOrder joins what several acts do, one after the other.
func inOrder(parts []string) string {
	for i := range parts {
		if len(parts) > 1 {
			parts[i] = bracketed(parts[i])
		}
	}
	return strings.ReplaceAll(strings.Join(parts, ", then "), ", then "+otherwise, ", "+otherwise)
}

// bracketed puts what stands behind a semicolon into brackets, so that a sentence can go on.
func bracketed(says string) string {
	depth := 0
	for i, r := range says {
		switch {
		case r == '“':
			depth++
		case r == '”':
			depth--
		case r == ';' && depth == 0 && strings.HasPrefix(says[i:], "; "):
			return says[:i] + " (" + says[i+len("; "):] + ")"
		}
	}
	return says
}

// upper makes a clause begin a sentence.
func upper(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}
