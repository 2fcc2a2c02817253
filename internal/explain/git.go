package explain

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// versions says an effect on a repository, here or at a remote.
func versions(e *risk.Effect, at place) string {
	switch e.Verb {
	case risk.VCSDiscard:
		return discards(e, e.Counts, at)
	case risk.VCSRewrite:
		return rewrites(e, at)
	case risk.VCSPush:
		if remote, tag, ok := strings.Cut(e.Target, "/"); ok && e.Kind == risk.KindTag {
			return "Pushes the tag " + quote(tag) + " to " + quote(remote) + whereabouts(e)
		}
		return pushes(e, orElse(acted(e, at), "the remote")+whereabouts(e))
	case risk.VCSForce:
		return forces(e, at)
	}
	return "Changes local git state (" + orElse(e.Kind.String(), "local") + ")"
}

// pushes says which commits a remote is given, where that is known.
func pushes(e *risk.Effect, to string) string {
	c := e.Counts
	switch {
	case c == nil || c.AtLeast:
		return "Pushes commits to " + to
	case c.Commits == 0:
		return "Pushes nothing new to " + to + tail + ", as far as is known here"
	}
	return "Pushes " + count(c.Commits, "commit", "commits") + " to " + to
}

func rewrites(e *risk.Effect, at place) string {
	name := quote(e.Kind.String())
	if e.Target != "" {
		name = at.subject(e)
	}
	if c := e.Counts; c != nil && c.Commits > 0 {
		if e.Kind == risk.KindReset {
			return "Moves the branch to " + name + " and makes " + count(c.Commits, "commit", "commits") + " unreachable"
		}
		return "Makes " + count(c.Commits, "commit", "commits") + " unreachable (" + name + ")"
	}
	if e.Reversible == risk.Restorable {
		if e.Kind == risk.KindUncommit {
			return "Moves the branch to " + name + "; the contents stay in the work tree"
		}
		if e.Kind == risk.KindReset {
			return "Moves the branch to " + name + tail + "; every commit stays reachable"
		}
		if e.Kind == risk.KindReflog {
			return "Forgets where branches were" + tail + "; every commit stays reachable"
		}
		if e.Kind == risk.KindGc {
			return "Deletes objects that nothing names" + tail + "; there are none now"
		}
		return "Moves or removes " + orElse(acted(e, at), "a ref") + tail + "; every commit stays reachable"
	}
	switch e.Kind {
	case risk.KindGc:
		return "Deletes for good the commits that nothing names"
	case risk.KindReflog:
		return "Forgets where branches were" + tail + ": commits that only the reflog names cannot be found again"
	case risk.KindHistory:
		return "Rewrites the history of this repository"
	case risk.KindBranch:
		return "Deletes or moves branches (" + name + ")" + tail + ": commits that only they name become unreachable"
	}
	return "Rewrites local history (" + name + ")"
}

// whereabouts says in brackets what a remote target belongs to.
func whereabouts(e *risk.Effect) string {
	if e.Where == "" {
		return ""
	}
	return " (" + Cut(Visible(e.Where), maxWhere) + ")"
}

// maxWhere is how long a name of a place may be in a sentence.
const maxWhere = 60

func forces(e *risk.Effect, at place) string {
	if e.Kind == risk.KindDelete {
		s := "Deletes " + orElse(acted(e, at), "branches") + " on the remote" + whereabouts(e)
		if c := e.Counts; c != nil && c.IsZero() {
			s += tail + ", if it is there: none of that name is known here"
		}
		return s
	}
	if e.Kind == risk.KindPrune {
		return "Deletes branches of " + orElse(acted(e, at), "the remote") + whereabouts(e) + " that have no local branch of that name"
	}
	s := "Force-pushes to " + orElse(acted(e, at), "the remote") + whereabouts(e)
	switch {
	case e.Kind == risk.KindLease && e.Reversible == risk.Lost:
		return s + tail + ": commits of others there that were never checked out here become unreachable"
	case e.Kind == risk.KindLease:
		s += " if nobody else has pushed"
	}
	return s + replaced(e)
}

// replaced says what a remote no longer has after a forced push.
func replaced(e *risk.Effect) string {
	c := e.Counts
	switch {
	case c != nil && c.Commits == 0 && !c.AtLeast:
		return tail + ": as far as is known here, no commit there would be lost"
	case c != nil && c.Commits > 0:
		return tail + ": " + count(c.Commits, "commit", "commits") + " there would no longer be reachable"
	}
	return " and replaces its history"
}

// discards says what work goes that no commit has.
func discards(e *risk.Effect, c *risk.Counts, at place) string {
	untracked := e.Kind == risk.KindUntracked || e.Kind == risk.KindIgnored || e.Kind == risk.KindUntrackedAndIgnored
	switch {
	case e.Kind == risk.KindStash:
		if c != nil && c.Commits > 0 {
			return "Throws stashed work away (" + count(c.Commits, "entry", "entries") + " in the stash)"
		}
		return "Throws stashed work away"
	case e.Reversible == risk.Restorable && untracked:
		return "Would delete what git does not have" + tail + ": there is nothing now"
	case e.Reversible == risk.Restorable:
		return "Resets files that have no changes" + tail + ": nothing is lost"
	case c != nil && c.Untracked > 0 && len(c.Names) > 0:
		return "Deletes " + series(at.paths(c.Names)) + tail + ", which git does not have"
	case c != nil && c.Untracked > 0:
		more := ""
		if c.AtLeast {
			more = "more than "
		}
		return "Deletes " + more + count(c.Untracked, "file", "files") + map[bool]string{true: " that git ignores", false: " that git does not have"}[e.Kind == risk.KindIgnored]
	case c != nil && c.Modified > 0 && e.Kind == risk.KindPath:
		if len(c.Names) > 0 {
			return "Throws away the uncommitted changes in " + series(at.paths(c.Names)) + tail + "; git has no copy"
		}
		s := "Throws away the changes in " + at.path(e.Target)
		if c.Modified > 1 {
			s += " (" + number(c.Modified) + " files)"
		}
		return s
	case c != nil && c.Modified > 0 && len(c.Names) > 0:
		return "Throws away the uncommitted changes in " + series(at.paths(c.Names)) + tail + "; git has no copy"
	case c != nil && c.Modified > 0:
		least := ""
		if c.AtLeast {
			least = "at least "
		}
		return "Throws away uncommitted changes in " + least + count(c.Modified, "file", "files")
	}
	return "Throws away work that is not committed"
}
