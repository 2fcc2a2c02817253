package git

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// maxRefs is how many refs a list is told of.
const maxRefs = 2000

// A branchList is a `git branch` that only lists (git-branch(1)).
type branchList struct {
	g        *gitCall
	given    map[string]string
	patterns []string
	branch   string   // the current one
	others   []string // of other work trees
	bare     bool     // names only
}

// listBranches is git branch without anything to change.
func (g *gitCall) listBranches() {
	given, words, ok := g.exactly("--format=", "--list", "-l", "--no-color", "--color=never", "--no-column", "--column=never", "--merged~", "--no-merged~", "--contains~", "--no-contains~", "-r", "--remotes", "-a", "--all", "-q", "--quiet", "--sort=refname")
	l := branchList{g: g, given: given}
	if !ok || !l.reads(words) || len(g.repo.Config("branch.sort")) > 0 {
		return
	}
	lines, ok := l.lines()
	if ok {
		g.tells(lines, "\n")
	}
}

func (l *branchList) has(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { _, is := l.given[n]; return is })
}

// reads reads patterns and format; it reports false where they ask for more than
// names.
func (l *branchList) reads(words []value.Value) bool {
	if len(words) > 0 && !l.has("--list", "-l") || l.has("-r", "--remotes") && l.has("-a", "--all") {
		return false
	}
	for _, w := range words {
		text, known := w.Known()
		if !known || strings.Contains(text, "[[:") {
			return false
		}
		l.patterns = append(l.patterns, text)
	}
	if format, is := l.given["--format"]; is {
		if l.bare = format == "%(refname:short)"; !l.bare {
			return false
		}
	}
	branch, head := l.g.repo.Head()
	if l.branch = branch; branch == "" || head == "" {
		return false
	}
	for _, dir := range l.g.repo.Worktrees() {
		other, err := l.g.s.World.Git.Find(dir)
		if err != nil || other == nil {
			return false
		}
		if name, _ := other.Head(); other.GitDir() != l.g.repo.GitDir() {
			if name == "" { // in the midst of a rebase, it may hold its branch all the same
				return false
			}
			l.others = append(l.others, name)
		}
	}
	return true
}

// lines are what is printed.
func (l *branchList) lines() (out []string, ok bool) {
	local := !l.has("-r", "--remotes")
	remote := !local || l.has("-a", "--all")
	for _, of := range []struct {
		prefix, shown string
		wanted        bool
	}{{"refs/heads/", "", local}, {"refs/remotes/", "remotes/", remote}} {
		if !of.wanted {
			continue
		}
		refs, err := l.g.repo.Refs(of.prefix, maxRefs)
		if err != nil || len(refs) == maxRefs {
			return nil, false
		}
		shown := of.shown
		if !local {
			shown = ""
		}
		for _, r := range refs {
			name := strings.TrimPrefix(r.Name, of.prefix)
			if len(l.patterns) > 0 && !slices.ContainsFunc(l.patterns, func(p string) bool { return globs(p, name) }) {
				continue
			}
			in, known := l.passes(r.ID)
			if !known {
				return nil, false
			}
			if !in {
				continue
			}
			line, known := l.line(name, shown, of.prefix)
			if !known {
				return nil, false
			}
			out = append(out, line)
		}
	}
	return out, true
}

// line is how one branch is printed.
func (l *branchList) line(name, shown, prefix string) (string, bool) {
	leads, symbolic, known := l.leads(prefix + name)
	switch {
	case !known:
		return "", false
	case l.bare && (symbolic || l.g.repo.Ref("refs/tags/"+name) != "" || l.g.repo.Ref("refs/"+name) != "" || prefix != "refs/heads/" && l.g.repo.Ref("refs/heads/"+name) != ""):
		return "", false // more than the short name tells it from others
	case l.bare:
		return name, true
	case symbolic:
		if prefix != "refs/heads/" {
			leads = strings.TrimPrefix(leads, prefix)
		}
		return "  " + shown + name + " -> " + strings.TrimPrefix(leads, "refs/heads/"), true
	case prefix == "refs/heads/" && name == l.branch:
		return "* " + name, true
	case prefix == "refs/heads/" && slices.Contains(l.others, name):
		return "+ " + name, true
	}
	return "  " + shown + name, true
}

// leads is the ref that a symbolic one leads to.
func (l *branchList) leads(ref string) (to string, symbolic, known bool) {
	data, err := l.g.s.World.FS.ReadFile(path.Join(l.g.repo.CommonDir(), ref), 4096)
	if err != nil { // packed, and those are not symbolic
		return "", false, true
	}
	to, symbolic = strings.CutPrefix(strings.TrimSpace(string(data)), "ref: ")
	return to, symbolic, true
}

// passes reports whether a branch is one that the filters leave.
func (l *branchList) passes(id string) (in, known bool) {
	for _, name := range []string{"--merged", "--no-merged", "--contains", "--no-contains"} {
		rev, is := l.given[name]
		if !is {
			continue
		}
		if rev == "" {
			rev = "HEAD"
		}
		other := l.g.repo.Ref(rev)
		if other == "" {
			return false, false
		}
		from, by := id, other
		if strings.HasSuffix(name, "contains") {
			from, by = other, id
		}
		n, complete := l.g.repo.Missing([]string{from}, []string{by}, 1)
		if n == 0 && !complete {
			return false, false
		}
		if (n == 0) == strings.HasPrefix(name, "--no-") {
			return false, true
		}
	}
	return true, true
}
