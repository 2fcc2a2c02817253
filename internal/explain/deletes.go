package explain

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// tail marks where a phrase's main clause ends: "if …" and "as another user"
// stand there, before what is lost. Visible never lets this byte through from
// foreign text, and finish takes it out.
const tail = "\x00"

// insert puts s at the end of the main clause.
func insert(text, s string) string {
	if i := strings.Index(text, tail); i >= 0 {
		return text[:i] + s + text[i:]
	}
	return text + s
}

// deletes says what a deletion takes away.
func deletes(e *risk.Effect, at place) string {
	if e.Unresolved != "" && (e.Root || strings.HasSuffix(e.Target, "/")) {
		return deletesUnknown(e, at)
	}
	what, c := target(e, at), e.Counts
	whole := e.Recursive || e.Many
	switch {
	case e.Kind == risk.KindOntoOneAnother:
		return "Moves files of " + what + " onto one name: each replaces the one before" + among(e)
	case e.Pattern == "" && !e.Many && e.Reversible == risk.Restorable && e.Remedy != risk.RemedyGit:
		return deletesLittle(e, what)
	case e.Recursive && base(e.Target) == ".git":
		return "Deletes " + what + tail + ": the repository's history, branches and stashes"
	case whole && base(e.Pattern) == "*":
		return "Deletes everything in " + what + loss(e)
	case whole && c != nil && c.Files > 0 && e.Reversible == risk.Regenerable:
		return "Deletes " + filesIn(c) + " in " + what + tail + "; " + e.Remedy.String() + " can restore " + itOrThem(c)
	case e.Pattern != "":
		return "Deletes what matches " + quote(e.Pattern) + loss(e)
	case e.Many && !e.Recursive || e.Kind == risk.KindFind:
		named := ""
		if e.Named != "" {
			named = " named " + quote(e.Named)
		}
		return "Deletes files" + named + " found in " + what + among(e)
	case whole:
		return "Deletes " + what + " and all in it" + loss(e)
	}
	return "Deletes " + what + loss(e)
}

// deletesUnknown says a deletion whose target a word that is not known leaves
// open: at its worst it is the directory itself.
func deletesUnknown(e *risk.Effect, at place) string {
	dir := at.path(e.Target)
	if e.Recursive {
		return "Deletes everything in " + dir + " if " + quote(e.Unresolved) + " is empty"
	}
	if e.Many {
		return "Deletes files whose names are not known, in " + dir + " or elsewhere (" + quote(e.Unresolved) + ")"
	}
	return "Deletes a file whose name is not known, in " + dir + " or elsewhere (" + quote(e.Unresolved) + ")"
}

// deletesLittle says a deletion that loses nothing to speak of.
func deletesLittle(e *risk.Effect, what string) string {
	switch e.Remedy {
	case risk.RemedyLink:
		return "Deletes the link " + what + tail + ", not what it points to"
	case risk.RemedyDir: // rmdir, which refuses others
		return "Deletes the directory " + what + " if it is empty"
	case risk.RemedyEmpty:
		if e.Recursive {
			return "Deletes the empty directory " + what
		}
		return "Deletes " + what + tail + ", an empty file"
	case risk.Remedy{}:
		return "Deletes " + what
	case risk.RemedyMade:
		return "Deletes " + what + " (made by this command)"
	}
	return "Deletes " + what + tail + "; " + e.Remedy.String()
}

func filesIn(c *risk.Counts) string {
	s := count(c.Files, "file", "files")
	if c.AtLeast {
		s = "more than " + s
	}
	if c.Bytes > 0 {
		s += " (" + size(c.Bytes) + ")"
	}
	return s
}

// amount tells how much goes: "21 files, 98 MB, 1 not in git".
func amount(c *risk.Counts) string {
	s := count(c.Files, "file", "files")
	if c.AtLeast {
		s = "more than " + s
	}
	if c.Bytes > 0 {
		s += ", " + size(c.Bytes)
	}
	switch missing := c.Untracked + c.Modified; {
	case missing > 0 && missing == c.Files && !c.AtLeast:
		s += ", none in git"
	case missing > 0:
		s += ", " + number(missing) + " not in git"
	}
	return s
}

// among tells from how much a search picks what it deletes.
func among(e *risk.Effect) string {
	if e.Counts == nil || e.Counts.Files == 0 {
		return loss(e)
	}
	s := " (among " + amount(e.Counts) + ")"
	switch {
	case e.Reversible == risk.Restorable && e.Remedy == risk.RemedyGit:
		s += tail + "; git can restore them"
	case e.Reversible == risk.Regenerable:
		s += tail + "; " + e.Remedy.String() + " can restore them"
	case e.Counts.Untracked+e.Counts.Modified == 0:
		s += tail + "; no copy is known"
	}
	return s
}

// loss says how much goes and whether it could come back.
func loss(e *risk.Effect) string {
	c := e.Counts
	much := ""
	if c != nil && c.Files > 1 {
		much = " (" + amount(c) + ")"
	}
	switch e.Reversible {
	case risk.Regenerable:
		return much + tail + "; " + e.Remedy.String() + " can restore " + itOrThem(c)
	case risk.Restorable:
		if e.Remedy == risk.RemedyMade {
			return much + " (made by this command)"
		}
		return much + tail + remedy(e)
	case risk.NothingThere:
		return tail + "; nothing there now"
	case risk.NotLooked:
		return ""
	}
	switch {
	case c != nil && c.Files > 1 && c.Untracked+c.Modified > 0:
		return much // it says how many are not in git
	case c != nil && c.Files > 1:
		return much + tail + "; no copy is known"
	case c != nil && c.Modified > 0:
		return tail + "; its latest changes are not in git"
	case c != nil && c.Untracked > 0:
		return tail + "; it is not in git"
	}
	return tail + "; no copy is known"
}

// remedy says why nothing is lost for good.
func remedy(e *risk.Effect) string {
	many := e.Many || e.Counts != nil && e.Counts.Files > 1
	switch e.Remedy {
	case risk.Remedy{}:
		return ""
	case risk.RemedyGit:
		return "; git can restore " + itOrThem(e.Counts)
	case risk.RemedyEmpty:
		if many {
			return "; there is nothing in them"
		}
		return ", which is empty"
	case risk.RemedyLink:
		if many {
			return "; they are only links"
		}
		return ", which is only a link"
	}
	return "; " + e.Remedy.String()
}

func itOrThem(c *risk.Counts) string {
	if c != nil && c.Files > 1 {
		return "them"
	}
	return "it"
}
