package explain

import "github.com/heedsh/heed/risk"

// versions says an effect on a repository, here or at a remote.
func versions(e *risk.Effect, at place) string {
	switch e.Verb {
	case risk.VCSDiscard:
		return discards(e, e.Counts, at)
	case risk.VCSRewrite:
		return rewrites(e)
	case risk.VCSPush:
		return "Pushes commits to " + named(orElse(e.Target, "the remote")) + whereabouts(e)
	case risk.VCSForce:
		return forces(e)
	}
	return local(e)
}

func rewrites(e *risk.Effect) string {
	name := quote(orElse(e.Target, e.Detail))
	if c := e.Counts; c != nil && c.Commits > 0 {
		if e.Detail == "reset" {
			return "Moves the branch to " + name + " and makes " + count(c.Commits, "commit", "commits") + " unreachable"
		}
		return "Makes " + count(c.Commits, "commit", "commits") + " unreachable (" + name + ")"
	}
	if e.Reversible == risk.Restorable {
		if e.Detail == "uncommit" {
			return "Moves the branch to " + name + "; the contents stay in the work tree"
		}
		if e.Detail == "reset" {
			return "Moves the branch to " + name + tail + "; every commit stays reachable"
		}
		return "Moves or removes " + named(orElse(e.Target, "a ref")) + tail + "; every commit stays reachable"
	}
	switch e.Detail {
	case "gc":
		return "Deletes for good the commits that nothing names"
	case "reflog":
		return "Forgets where branches were" + tail + ": commits that only the reflog names cannot be found again"
	case "history":
		return "Rewrites the history of this repository"
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

func forces(e *risk.Effect) string {
	if e.Detail == "delete" {
		return "Deletes " + named(orElse(e.Target, "branches")) + " on the remote" + whereabouts(e)
	}
	s := "Force-pushes to " + named(orElse(e.Target, "the remote")) + whereabouts(e)
	if e.Detail == "lease" {
		s += " if nobody else has pushed"
	}
	if c := e.Counts; c != nil && c.Commits > 0 {
		return s + tail + ": " + count(c.Commits, "commit", "commits") + " there would no longer be reachable"
	}
	return s + " and replaces its history"
}

// localPhrases say what a recoverable change in a repository is, by its
// detail; %s is the ref it is about.
var localPhrases = map[string]struct{ bare, named string }{
	"issues":          {"Changes the issues of this project", ""},
	"commit":          {"Commits to the current branch", ""},
	"amend":           {"Replaces the last commit by a new one", ""},
	"add":             {"Stages files for the next commit", ""},
	"rm":              {"Takes files out of the index", ""},
	"unstage":         {"Takes files out of the next commit", ""},
	"switch":          {"Switches to another branch", "Switches to "},
	"checkout":        {"Switches to another branch or commit", "Switches to "},
	"branch":          {"Changes branches", "Changes the branch "},
	"branch delete":   {"Deletes a branch if it is merged", "Deletes a branch if it is merged: "},
	"tag":             {"Changes tags", "Sets the tag "},
	"tag delete":      {"Deletes a tag", "Deletes the tag "},
	"abort":           {"Gives up what was begun, with the work on its conflicts", ""},
	"merge":           {"Merges into the current branch", ""},
	"rebase":          {"Replays commits on another base", ""},
	"pull":            {"Fetches and merges into the current branch", ""},
	"fetch":           {"Fetches what the remote has", ""},
	"clone":           {"Clones a repository", ""},
	"config":          {"Changes git's settings", ""},
	"restore":         {"Takes files out of the next commit", ""},
	"reset":           {"Takes files out of the next commit", ""},
	"submodule":       {"Fetches and checks out submodules", ""},
	"submodule setup": {"Changes the setup of submodules", ""},
	"remote":          {"Changes which remotes are known", ""},
	"remote address":  {"Changes where a remote is: later pushes go there", ""},
	"mv":              {"Renames files in the index", ""},
	"notes":           {"Changes notes", ""},
	"worktree add":    {"Adds a work tree", ""},
	"stash apply":     {"Brings stashed changes back", ""},
	"stash pop":       {"Brings stashed changes back", ""},
	"cherry-pick":     {"Copies commits to the current branch", ""},
	"revert":          {"Commits the reverse of other commits", ""},
	"global config":   {"Changes git's settings for every repository", ""},
	"init":            {"Makes a repository", ""},
	"stash":           {"Changes the stash", ""},
	"stash push":      {"Puts changes aside in the stash", ""},
}

// local says a change that git itself can take back.
func local(e *risk.Effect) string {
	p, ok := localPhrases[e.Detail]
	switch {
	case !ok:
		return "Changes local git state (" + orElse(e.Detail, "local") + ")"
	case e.Target != "" && p.named != "":
		return p.named + quote(e.Target)
	}
	return p.bare
}

// discards says what work goes that no commit has.
func discards(e *risk.Effect, c *risk.Counts, at place) string {
	untracked := e.Detail == "untracked" || e.Detail == "untracked and ignored"
	switch {
	case e.Detail == "stash":
		if c != nil && c.Commits > 0 {
			return "Throws stashed work away (" + count(c.Commits, "entry", "entries") + " in the stash)"
		}
		return "Throws stashed work away"
	case e.Reversible == risk.Restorable && untracked:
		return "Would delete what git does not have" + tail + ": there is nothing now"
	case e.Reversible == risk.Restorable:
		return "Resets files that have no changes" + tail + ": nothing is lost"
	case c != nil && c.Untracked > 0:
		more := ""
		if c.AtLeast {
			more = "more than "
		}
		return "Deletes " + more + count(c.Untracked, "file", "files") + " that git does not have"
	case c != nil && c.Modified > 0 && e.Detail == "path":
		s := "Throws away the changes in " + at.path(e.Target)
		if c.Modified > 1 {
			s += " (" + number(c.Modified) + " files)"
		}
		return s
	case c != nil && c.Modified > 0:
		least := ""
		if c.AtLeast {
			least = "at least "
		}
		return "Throws away uncommitted changes in " + least + count(c.Modified, "file", "files")
	}
	return "Throws away work that is not committed"
}
