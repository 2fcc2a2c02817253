package git

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// A push that is forced replaces nothing where the branch there is a part of what is
// pushed. What a repository on another machine has now is not known here; one on this
// machine is looked at.

// adds reports whether a push of the revision rev to a target like origin/main surely
// leaves all the commits that the branch has there: the remote is a repository of this
// machine, its branch was looked at, and what is pushed has it, or there is none yet.
func (g *gitCall) adds(target value.Value, rev string) bool {
	text, known := target.Known()
	if !known || !g.s.AsFound || g.repo == nil || g.s.World == nil || g.s.World.Git == nil || g.m.Has("tags") ||
		len(g.settingsGiven()) > 0 || g.m.Has("git-dir") || g.elsewhereByEnv() {
		return false
	}
	remote, named := g.pushRemote(g.m.Operands())
	name, ok := remote.Known()
	branch, of := strings.CutPrefix(text, name+"/")
	if !named || !ok || !of || branch == "" || strings.ContainsAny(branch, "*?[:") || strings.HasPrefix(branch, "refs/") || g.repo.Ref("refs/tags/"+branch) != "" {
		return false
	}
	there := g.onThisMachine(name)
	if there == nil {
		return false
	}
	refs, err := there.Refs("refs/", maxThere)
	if err != nil || len(refs) == maxThere {
		return false
	}
	theirs := ""
	for _, r := range refs {
		switch r.Name {
		case "refs/tags/" + branch:
			return false
		case "refs/heads/" + branch:
			theirs = r.ID
		}
	}
	if theirs == "" {
		return !slices.ContainsFunc(refs, func(r world.Ref) bool { return strings.HasSuffix(r.Name, "/"+branch) })
	}
	ours := g.commitOf(rev)
	if ours == "" {
		return false
	}
	n, complete := g.repo.Missing([]string{theirs}, []string{ours}, maxLost)
	return n == 0 && complete
}

// maxThere is how many refs of a remote are looked at.
const maxThere = 5000

// commitOf is the commit of a revision that is pushed, "" if it is not known.
func (g *gitCall) commitOf(rev string) string {
	switch rev {
	case "":
		return ""
	case world.HEAD, "@":
		_, head := g.repo.Head()
		return head
	}
	if id := g.repo.Ref("refs/heads/" + rev); id != "" {
		return id
	}
	return g.repo.Ref(rev)
}

// onThisMachine is the repository that pushes to a remote go to, where its one address
// is a path; nil for any other, and where a setting may give the address another
// meaning (git-config(1), "remote.<name>", "url.<base>.insteadOf").
func (g *gitCall) onThisMachine(name string) world.Repo {
	address := name
	if !gitAddress(name) {
		if len(g.repo.Config("remote."+name+".mirror")) > 0 || len(g.repo.Config("remote."+name+".receivepack")) > 0 {
			return nil
		}
		urls := g.repo.Config("remote." + name + ".pushurl")
		if len(urls) == 0 {
			urls = g.repo.Config("remote." + name + ".url")
		}
		if len(urls) != 1 {
			return nil
		}
		address = urls[0]
	}
	if len(g.repo.ConfigKeys("url.", 1)) > 0 || !gitLocal(address) || strings.HasPrefix(address, "~") {
		return nil
	}
	if !path.IsAbs(address) {
		if g.repo.Root() == "" || g.dir != g.repo.Root() { // from where it counts depends on the work tree
			return nil
		}
		address = path.Join(g.dir, address)
	}
	address = path.Clean(address)
	there, err := g.s.World.Git.Find(address)
	if err != nil || there == nil || there.GitDir() != address && there.GitDir() != path.Join(address, ".git") {
		return nil
	}
	return there
}
