package explain

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// maxCommand is how much of a command is shown whose output stands for a word.
const maxCommand = 36

// Rest is how the words are written that a program adds to a command after those that
// it was given (xargs(1)).
const Rest = "<more arguments>"

// Gap names a word of which nothing is known but where it comes from, as a person would:
// hole is how the evaluation writes it (<docker ps -q>). It is "" where that says nothing.
func Gap(hole string, from risk.Cause, dir, home string) string {
	name, opens := strings.CutPrefix(hole, "<")
	name, closes := strings.CutSuffix(name, ">")
	if !opens || !closes || name == "" || strings.ContainsAny(name, "<>\n") {
		return ""
	}
	switch from {
	case risk.CauseOutput:
		switch {
		case strings.HasPrefix(name, "a "): // what a hook calls it
			return Visible(name)
		case strings.HasSuffix(name, " code"):
			return "what " + Visible(name) + " prints"
		case variable(name): // a program, or what read put there of it
			return ""
		}
		return "what `" + strings.ReplaceAll(Cut(Visible(name), maxCommand), "`", "'") + "` prints"
	case risk.CauseFile:
		if strings.HasPrefix(name, "/") {
			return "what " + place{dir, home}.path(name) + " holds"
		}
	case risk.CauseInput:
		switch {
		case name == "stdin", handed(hole):
			return "what its input names"
		case strings.HasPrefix(name, "a "):
			return Visible(name)
		case variable(name): // that read or a loop has filled
			return "$" + name
		}
	}
	return ""
}

// handed reports whether a hole stands for the words that a program reads from its input
// and hands to another (xargs(1), parallel(1)).
func handed(hole string) bool { return hole == Rest || hole == "<xargs>" || hole == "<parallel>" }

// inputNames names the files of which only that is known that the input names them.
func (p place) inputNames(e *risk.Effect) string {
	switch {
	case e.Verb == risk.FSDelete && e.Target != p.dir && !strings.HasPrefix(base(e.Target), "."):
		return "files in " + p.path(e.Target) + " named after its input"
	case !e.Root || e.Target != p.dir:
		return "files in " + p.path(path.Dir(e.Target)) + " named after its input"
	case e.Kind == risk.KindDirectory:
		return "the directories that its input names"
	}
	return "the files that its input names"
}

// Found names the files that a search finds below a directory, by the name or pattern
// that they have.
func Found(base, name, dir, home string) string {
	at := place{dir, home}
	if name != "" && name != "*" {
		return foundNamed + quote(name) + " below " + at.path(base)
	}
	return foundBelow + at.path(base)
}

const (
	foundNamed = "the files named "
	foundBelow = "the files below "
)

// IsFound reports whether a text is what [Found] has for some files.
func IsFound(text string) bool {
	return strings.HasPrefix(text, foundNamed) || strings.HasPrefix(text, foundBelow)
}

// variable reports whether a word is the name of one (POSIX, 3.216 Name).
func variable(name string) bool {
	return name != "network" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// smooth makes a sentence of a phrase whose noun is followed by a gap: "Stops container
// what … prints".
func smooth(text string) string {
	before, after, ok := strings.Cut(text, " what ")
	if !ok || after == "" || !strings.Contains("`./~", after[:1]) && !strings.HasPrefix(after, "its input names") {
		return text
	}
	after = strings.TrimPrefix(after, "its input names what ") // several words of it
	i := strings.LastIndexByte(before, ' ')
	noun := before[i+1:]
	switch {
	case slices.Contains([]string{"containers", "images", "pods", "volumes", "networks", "services", "instances", "buckets", "branches", "stacks"}, noun):
		return before + " that " + after
	case i < 0 || noun == "" || strings.ContainsAny(noun[len(noun)-1:], ",;:)") || slices.Contains([]string{"to", "in", "on", "from", "of", "with", "at", "for", "by", "into", "and", "then", "or", "as", "match", "named", "through"}, noun):
		return text
	case strings.HasSuffix(noun, "s"):
		if !strings.HasSuffix(before[:i], " the") {
			return text
		}
		return before + " that " + after
	}
	return strings.TrimSuffix(before[:i], " the") + " each " + noun + " that " + after
}

// subject is what an effect is on, as [place.named] shows it, and where that is not
// known where it comes from.
func (p place) subject(e *risk.Effect) string {
	from := e.Cause
	switch {
	case e.Unresolved == "" && strings.HasPrefix(e.Target, "</"):
		from = risk.CauseFile
	case e.Target == Rest:
		from = risk.CauseInput
	case e.Unresolved == "" && strings.Contains(e.Target, " "):
		if kind, ok := strings.CutSuffix(e.Target, " "+Rest); ok && !strings.Contains(kind, " ") {
			return "each " + p.named(kind) + " that its input names"
		}
		from = risk.CauseOutput
	case e.Target != e.Unresolved:
		return p.named(e.Target)
	}
	return orElse(Gap(e.Target, from, p.dir, p.home), p.named(e.Target))
}
