package workspace

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// statusBudget is how many directory entries a question about a whole work
// tree may visit.
const statusBudget = 200000

// commitLimit is how many commits are counted.
const commitLimit = 10000

// Work is a repository as a command meets it: in a directory, through a file
// system that the command may have changed.
type Work struct {
	Repo world.Repo
	Dir  string // absolute
	// Rev is what is pushed, "" where that is not known. Stale says that it may be
	// another by then: what was done before in the command changed the repository.
	Rev   string
	Stale bool
	// Place finds where a path as the command writes it leads.
	Place func(written string) Place
}

// Asks reports whether what a repository says can change an effect.
func Asks(v risk.Verb) bool {
	switch v {
	case risk.VCSDiscard, risk.VCSRewrite, risk.VCSForce, risk.VCSPush:
		return true
	}
	return false
}

// LookUp fills in what the repository says about a version-control effect: how
// much would be lost, and whether it would be.
func (w *Work) LookUp(e *risk.Effect) {
	repo := w.Repo
	switch e.Verb {
	case risk.VCSDiscard:
		w.discard(e)
	case risk.VCSRewrite:
		rewrite(e, repo)
	case risk.VCSForce:
		w.force(e)
		e.Where = remoteURL(repo, e.Target)
	case risk.VCSPush:
		w.push(e)
		e.Where = remoteURL(repo, e.Target)
	}
}

// remoteURL is the URL of the remote that a target like origin/main begins
// with, without a password.
func remoteURL(repo world.Repo, target string) string {
	name, _, _ := strings.Cut(target, "/")
	for _, key := range []string{"pushurl", "url"} {
		urls := repo.Config("remote." + name + "." + key)
		if len(urls) == 0 {
			continue
		}
		text := urls[len(urls)-1]
		scheme, rest, ok := strings.Cut(text, "://")
		if !ok {
			return text
		}
		host, path, _ := strings.Cut(rest, "/")
		if at := strings.LastIndexByte(host, '@'); at >= 0 && strings.Contains(host[:at], ":") || strings.HasPrefix(scheme, "http") {
			host = host[at+1:]
		}
		return scheme + "://" + host + "/" + path
	}
	return ""
}

// discard counts the work that was not committed.
func (w *Work) discard(e *risk.Effect) {
	repo, top := w.Repo, w.Repo.Root()
	switch e.Kind {
	case risk.KindStash:
		n := repo.Stashes()
		e.Counts, e.Reversible = &risk.Counts{Commits: n}, lostIf(n != 0)
		return
	case risk.KindWorktree:
		s := repo.Part(top, statusBudget, world.WantModified)
		e.Counts = &risk.Counts{Modified: max(s.Modified, s.Staged), AtLeast: !s.Complete}
		if s.Staged == 0 {
			e.Counts.Name(top, s.SomeModified)
		}
		e.Scope = risk.InWorkspace
		e.Reversible = lostIf(s.Modified+s.Staged > 0 || !s.Complete)
	case risk.KindUntracked, risk.KindIgnored, risk.KindUntrackedAndIgnored:
		at := w.Dir
		if e.Target != "" {
			at = w.Place(pathspec(e.Target, top)).Path
		}
		var want world.Want
		if e.Kind != risk.KindIgnored {
			want |= world.WantUntracked
		}
		if e.Kind != risk.KindUntracked {
			want |= world.WantIgnored
		}
		s := repo.Part(at, statusBudget, want)
		n := 0
		if e.Kind != risk.KindIgnored {
			n += s.Untracked
		}
		if e.Kind != risk.KindUntracked {
			n += s.Ignored
		}
		e.Counts = &risk.Counts{Untracked: n, AtLeast: !s.Complete}
		if n == s.Untracked {
			e.Counts.Name(top, s.SomeUntracked)
		}
		e.Reversible = lostIf(n > 0 || !s.Complete)
	case risk.KindPath:
		w.discardPath(e)
	case risk.KindSubmodule:
		e.Reversible = lostIf(len(repo.Links(1)) > 0)
	default:
		e.Reversible = risk.Lost
	}
}

func (w *Work) discardPath(e *risk.Effect) {
	repo := w.Repo
	p := w.Place(pathspec(e.Target, repo.Root()))
	e.Target, e.Scope = p.Path, p.Scope
	if p.Unread {
		e.Reversible = risk.Lost
		return
	}
	if p.Info.Kind == world.Dir {
		s := repo.Part(p.Path, statusBudget, world.WantModified)
		e.Counts = &risk.Counts{Modified: s.Modified, AtLeast: !s.Complete}
		e.Counts.Name(repo.Root(), s.SomeModified)
		e.Reversible = lostIf(s.Modified > 0 || !s.Complete)
		return
	}
	state := repo.State(p.Path)
	if e.Forced && (state == world.Ignored || state == world.Untracked) {
		e.Reversible, e.Counts = risk.Lost, &risk.Counts{Files: 1, Untracked: 1}
		return
	}
	e.Reversible = lostIf(state == world.MaybeModified || state == world.NotInRepo)
	if state == world.MaybeModified {
		e.Counts = &risk.Counts{Files: 1, Modified: 1}
	}
}

// pathspec returns the path that a pathspec of git names, or the directory that
// all it matches lie in (gitglossary(7), "pathspec").
func pathspec(text, top string) string {
	magic, rest, long := "", text, strings.HasPrefix(text, ":(")
	switch {
	case long:
		magic, rest, _ = strings.Cut(text[2:], ")")
	case strings.HasPrefix(text, ":"):
		n := 1
		for n < len(text) && strings.IndexByte("/!^", text[n]) >= 0 {
			magic += map[byte]string{'/': "top,", '!': "exclude,", '^': "exclude,"}[text[n]]
			n++
		}
		rest = strings.TrimPrefix(text[n:], ":")
	}
	words := strings.Split(magic, ",")
	if slices.Contains(words, "exclude") { // everything else, below where it is said
		rest = ""
	}
	if i := strings.IndexAny(rest, "*?["); i >= 0 && !slices.Contains(words, "literal") {
		rest = rest[:strings.LastIndexByte(rest[:i], '/')+1]
	}
	switch {
	case slices.Contains(words, "top") && top != "":
		return path.Join(top, rest)
	case rest == "":
		return "."
	}
	return rest
}

func lostIf(lost bool) risk.Reversible {
	if lost {
		return risk.Lost
	}
	return risk.Restorable
}

// rewrite counts the commits that would be reachable from nothing.
func rewrite(e *risk.Effect, repo world.Repo) {
	_, head := repo.Head()
	var lost []string
	except := ""
	branch, _ := repo.Head()
	switch e.Kind {
	case risk.KindUncommit:
		e.Reversible = risk.Restorable
	case risk.KindTag:
		tip := repo.Ref("refs/tags/" + e.Target)
		if tip == "" {
			e.Reversible = risk.Restorable
			return
		}
		missing(e, repo, []string{tip}, "refs/tags/"+e.Target, "")
	case risk.KindReset:
		target := repo.Ref(e.Target)
		if target == "" {
			e.Reversible = risk.Lost
			return
		}
		lost, except = []string{head}, "refs/heads/"+branch
		missing(e, repo, lost, except, target)
	case risk.KindBranch:
		name := "refs/heads/" + e.Target
		switch { // git update-ref takes full names, and HEAD for what it points at
		case e.Target == "HEAD":
			name = "refs/heads/" + branch
		case strings.HasPrefix(e.Target, "refs/"):
			name = e.Target
		}
		tip := repo.Ref(name)
		if e.Target == "HEAD" && branch == "" { // detached: it goes with its log, and what only that keeps
			e.Reversible = risk.Lost
			return
		}
		if tip == "" { // no such branch: git says so and does nothing
			e.Reversible = risk.Restorable
			return
		}
		missing(e, repo, []string{tip}, name, "")
	case risk.KindReflog:
		forgotten(e, repo)
	case risk.KindGc:
		n, complete := repo.Unkept(commitLimit)
		e.Reversible = lostIf(n > 0 || !complete)
	default:
		e.Reversible = risk.Lost
	}
}

// forgotten counts what only logs of refs keep.
func forgotten(e *risk.Effect, repo world.Repo) {
	logged, complete := repo.Logged(commitLimit)
	if !complete {
		e.Reversible = risk.Lost
		return
	}
	_, head := repo.Head()
	missing(e, repo, logged, "", head)
}

// missing counts what only the given commits keep, once the ref except is
// gone or points at target.
func missing(e *risk.Effect, repo world.Repo, from []string, except, target string) {
	refs, err := repo.Refs("refs/", 5000)
	if err != nil {
		e.Reversible = risk.Lost
		return
	}
	var by []string
	for _, r := range refs {
		if r.Name != except {
			by = append(by, r.ID)
		}
	}
	if target != "" {
		by = append(by, target)
	}
	if _, head := repo.Head(); target == "" && except != "" {
		if b, _ := repo.Head(); "refs/heads/"+b != except && head != "" {
			by = append(by, head)
		}
	}
	n, complete := repo.Missing(from, by, commitLimit)
	e.Counts = &risk.Counts{Commits: n, AtLeast: !complete}
	e.Reversible = lostIf(n > 0 || !complete)
}

// force counts the commits that a remote branch has, as far as this repository
// knows, and the one that is pushed lacks.
func (w *Work) force(e *risk.Effect) {
	e.Scope = risk.IsRemote
	name, branch, ok := strings.Cut(e.Target, "/")
	if e.Kind == risk.KindDelete {
		w.unknownThere(e, name, branch)
		return
	}
	if strings.Contains(e.Target, "*") || ok && w.Repo.Ref("refs/tags/"+branch) != "" {
		return
	}
	repo, theirs := w.Repo, w.Repo.Ref("refs/remotes/"+e.Target)
	if theirs == "" {
		if others, err := repo.Refs("refs/remotes/"+name+"/", 1); ok && branch != "" && err == nil && len(others) > 0 {
			e.Counts = &risk.Counts{} // a branch that the remote did not have when it was last asked
		}
		return
	}
	ours := w.pushed()
	if ours == "" || w.Stale && e.Kind != risk.KindLease {
		return
	}
	n, complete := repo.Missing([]string{theirs}, []string{ours}, commitLimit)
	e.Counts = &risk.Counts{Commits: n, AtLeast: !complete}
	if e.Kind == risk.KindLease && (n > 0 || !complete) {
		_, head := repo.Head()
		e.Reversible = lostIf(!wereHere(repo, theirs, head))
	}
}

// unknownThere says of a branch or tag that a remote is to delete that none of its name is
// known here, where branches of that remote are.
func (w *Work) unknownThere(e *risk.Effect, name, branch string) {
	if branch == "" || w.Stale || strings.ContainsAny(branch, "*:") || w.Repo.Ref("refs/tags/"+branch) != "" || w.Repo.Ref("refs/remotes/"+e.Target) != "" {
		return
	}
	if others, err := w.Repo.Refs("refs/remotes/"+name+"/", 1); err == nil && len(others) > 0 {
		e.Counts = &risk.Counts{}
	}
}

// push counts the commits that a remote branch lacks, as far as this repository knows, of
// what is pushed.
func (w *Work) push(e *risk.Effect) {
	_, branch, ok := strings.Cut(e.Target, "/")
	if e.Kind != risk.NoKind || !ok || w.Stale || strings.Contains(e.Target, "*") {
		return
	}
	theirs, ours := w.Repo.Ref("refs/remotes/"+e.Target), w.pushed()
	if theirs == "" || ours == "" || w.Repo.Ref("refs/heads/"+w.Rev) == "" && w.Repo.Ref("refs/tags/"+branch) != "" {
		return
	}
	n, complete := w.Repo.Missing([]string{ours}, []string{theirs}, commitLimit)
	e.Counts = &risk.Counts{Commits: n, AtLeast: !complete}
}

// pushed is the commit that is pushed; "" if it is not known.
func (w *Work) pushed() string {
	switch w.Rev {
	case "":
		return ""
	case world.HEAD, "@":
		_, head := w.Repo.Head()
		return head
	}
	if id := w.Repo.Ref("refs/heads/" + w.Rev); id != "" {
		return id
	}
	return w.Repo.Ref(w.Rev)
}

// wereHere reports whether all commits of a branch elsewhere were once checked
// out here, so that the log of HEAD has them. Others are somebody else's: a
// lease that was fetched meanwhile does not keep them.
func wereHere(repo world.Repo, theirs, head string) bool {
	had := []string{head}
	for i := 1; i <= maxLogged; i++ {
		id := repo.Ref("HEAD@{" + strconv.Itoa(i) + "}")
		if id == "" {
			break
		}
		if !slices.Contains(had, id) {
			had = append(had, id)
		}
	}
	n, complete := repo.Missing([]string{theirs}, had, 1)
	return n == 0 && complete
}

// maxLogged is how many steps back the log of HEAD is asked.
const maxLogged = 100
