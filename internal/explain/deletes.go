package explain

import (
	"path"
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
	c := e.Counts
	if (e.Recursive || e.Many && (e.Pattern != "" || e.Unresolved != "")) && !e.OfAll() && c != nil && c.Files > 0 && e.Reversible == risk.Regenerable {
		where := target(e, at)
		if e.Pattern != "" && !e.Recursive { // the target is the first that matches
			where = at.path(path.Dir(e.Target))
		}
		return "Deletes " + filesIn(c) + " in " + where + tail + "; " + e.Remedy.String() + " can restore " + itOrThem(c)
	}
	if e.Reversible == risk.NothingThere && e.Kind == risk.NoKind {
		return deletesNothing(e, at)
	}
	return "Deletes " + doomed(e, at) + gone(e, at)
}

// deletesNothing says of a deletion that meets nothing what is not there.
func deletesNothing(e *risk.Effect, at place) string {
	what := target(e, at)
	switch {
	case e.OfAll():
		return "Deletes nothing now" + tail + ": " + what + " has nothing in it"
	case e.Pattern != "":
		return "Deletes nothing now" + tail + ": nothing matches " + quote(e.Pattern)
	case picks(e) && e.Named != "":
		return "Deletes nothing now" + tail + ": no file named " + quote(e.Named) + " is found in " + what
	case picks(e), e.Many:
		return "Deletes nothing now" + tail + ": nothing is found in " + what
	}
	return "Deletes nothing now" + tail + ": " + what + " is not there"
}

// deletesSpecial says a deletion that is a case of its own whatever makes it:
// of what is not known, of next to nothing, of a whole history. For others it
// returns "".
func deletesSpecial(e *risk.Effect, at place) string {
	switch {
	case handed(e.Unresolved):
		return "Deletes " + at.inputNames(e) + map[bool]string{true: " and all below"}[e.Recursive]
	case e.Unresolved != "" && (e.Root || strings.HasSuffix(e.Target, "/") || oneIn(e)):
		return deletesUnknown(e, at)
	case e.Remedy == risk.RemedyDir && e.Kind.Says(e.Verb) != "":
		return ""
	case e.Pattern == "" && !e.Many && e.Reversible == risk.Restorable && e.Remedy != risk.RemedyGit:
		return deletesLittle(e, target(e, at))
	case e.Recursive && base(e.Target) == ".git" && e.Reversible != risk.NothingThere:
		return "Deletes " + target(e, at) + tail + ": the repository's history, branches and stashes"
	}
	return ""
}

// ofAll reports whether all that stands at the root goes, and all below: `rm -rf /*`. What
// was counted of it says nothing of how much that is.
func ofAll(e *risk.Effect) bool {
	return e.Verb == risk.FSDelete && e.Recursive && (e.Pattern == "/*" || e.Pattern == "/**" || e.Target == "/" && e.Pattern == "" && e.Unresolved == "" && !picks(e))
}

// oneIn reports whether one file of a directory goes, whose name is not known: what is
// counted is the directory's.
func oneIn(e *risk.Effect) bool {
	return !e.Recursive && !e.Many && e.Kind == risk.NoKind && e.Pattern == "" && e.Counts != nil && e.Counts.Files > 1
}

// doomed names what a deletion takes.
func doomed(e *risk.Effect, at place) string {
	what := target(e, at)
	whole := e.Recursive || e.Many && (e.Unresolved != "" || e.Pattern != "")
	switch {
	case ofAll(e) && (e.Pattern != "" || what == "/"):
		return "everything on this machine"
	case whole && e.OfAll() && !e.Recursive && e.Unresolved == "" && e.By.FilesOnly:
		return "all files in " + what
	case whole && e.OfAll():
		return "everything in " + what
	case e.Pattern != "":
		return "what matches " + quote(e.Pattern)
	case picks(e) && e.Named != "":
		return "files named " + quote(e.Named) + " found in " + what
	case picks(e):
		return "files found in " + what
	case e.Many && e.Unresolved != "" && (e.Cause == risk.CauseMatch || e.Cause == risk.CauseWord) && e.Reversible == risk.NothingThere:
		return "what is found in " + what
	case e.Recursive && what == "." && base(e.Program) == "rm": // which leaves the directory itself (POSIX.1-2024 rm)
		return "everything in " + what
	case whole:
		return what + " and all in it"
	}
	return what
}

// picks reports whether a search picks what is deleted.
func picks(e *risk.Effect) bool {
	return e.Pattern == "" && (e.Many && !e.Recursive && (e.Unresolved != "" || e.Named != "") || e.Kind == risk.KindFind)
}

// gone says how much goes, of how much, and whether it could come back.
func gone(e *risk.Effect, at place) string {
	switch {
	case ofAll(e):
		return tail + "; no copy is known"
	case picks(e):
		return among(e, at)
	}
	return loss(e, at)
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
	if c.Bytes >= worthTelling {
		s += " (" + size(c.Bytes) + ")"
	}
	return s
}

// worthTelling is from which size on files that can be made again are told with it.
const worthTelling = 1000

// amount tells how much goes: "21 files, 98 MB, 1 not in git".
func amount(c *risk.Counts) string {
	s := count(c.Files, "file", "files")
	if c.AtLeast {
		s = "more than " + s
	}
	if c.Bytes > 0 {
		s += ", " + size(c.Bytes)
	}
	switch missing := notInGit(c); {
	case named(c):
	case missing > 0 && missing == c.Files && !c.AtLeast:
		s += ", none in git"
	case missing > 0:
		s += ", " + number(missing) + " not in git"
	}
	return s
}

// notInGit counts the files that git does not have as they are. What git ignores as a whole
// is told by what else is known of it.
func notInGit(c *risk.Counts) int {
	if c.Ignored == c.Files {
		return 0
	}
	return c.Untracked + c.Modified + c.Ignored
}

// named reports whether those that git does not have as they are can be told by their names.
func named(c *risk.Counts) bool {
	return len(c.Names) > 0 && len(c.Names) < c.Files && c.Ignored == 0 && len(strings.Join(c.Names, "")) <= 150
}

// lacks names the files that git does not have as they are.
func lacks(c *risk.Counts, at place) string {
	names := series(at.paths(c.Names))
	switch {
	case c.Untracked == 0:
		return "the latest changes in " + names + " are not in git"
	case len(c.Names) == 1:
		return names + " is not in git"
	case c.Modified == 0:
		return names + " are not in git"
	}
	return names + " are not in git as they are"
}

// among tells from how much a search picks what it deletes.
func among(e *risk.Effect, at place) string {
	if e.Counts == nil || e.Counts.Files == 0 {
		return loss(e, at)
	}
	s := " (among " + amount(e.Counts) + ")"
	switch {
	case e.Reversible == risk.Restorable && e.Remedy == risk.RemedyGit:
		s += tail + "; git can restore them"
	case e.Reversible == risk.Regenerable:
		s += tail + "; " + e.Remedy.String() + " can restore them"
	case named(e.Counts):
		s += tail + "; " + lacks(e.Counts, at)
	case notInGit(e.Counts) == 0:
		s += tail + "; no copy is known"
	}
	return s
}

// loss says how much goes and whether it could come back.
func loss(e *risk.Effect, at place) string {
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
		if e.Kind == risk.KindSameContent {
			return tail + "; changes nothing now"
		}
		return ""
	}
	switch {
	case c != nil && named(c):
		return much + tail + "; " + lacks(c, at)
	case c != nil && c.Files > 1 && notInGit(c) > 0:
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
