package git

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
)

// Lists that are worked out, where git prints nothing but names: what follows
// in the line then has these names, and no others.

// maxNames is how many names one command is told to print.
const maxNames = 256

// only reports whether nothing but these options was given.
func (g *gitCall) only(names ...string) bool {
	return !slices.ContainsFunc(g.m.Options(), func(o *catalog.Option) bool {
		return !slices.ContainsFunc(o.Names, func(n string) bool { return slices.Contains(names, n) })
	})
}

// printsNames says that these names are printed, and nothing else. With -z they
// end in NUL and are printed as they are; without it those with letters beyond
// ASCII, quotes or controls are quoted (core.quotePath in git-config(1)), which
// is not followed.
func (g *gitCall) printsNames(names []string) {
	end := "\n"
	if g.m.Given("-z") {
		end = "\x00"
	} else if slices.ContainsFunc(names, quoted) {
		return
	}
	if len(names) > 0 && len(names) <= maxNames {
		g.r.Stdout = site.Listed(names, end)
	}
}

// quoted reports whether git quotes a path that it prints.
func quoted(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' })
}

// listBranches is git branch without anything to change (git-branch(1)).
func (g *gitCall) listBranches() {
	bare := false
	if v, ok := g.m.Value("format"); ok || g.m.Given("--format") {
		text, _ := v.Known()
		if !ok {
			text = g.optionValue("--format")
		}
		if bare = strings.Trim(text, "'\"") == "%(refname:short)"; !bare {
			return
		}
	}
	if g.repo == nil || g.s.Unread || !g.only("-h", "--format", "--list", "-l", "--no-color", "--no-column", "--merged", "--no-merged", "-r", "--remotes", "-q", "--quiet", "--omit-empty") || len(g.m.Operands()) > 0 {
		return
	}
	branch, head := g.repo.Head()
	if branch == "" || head == "" || g.m.Given("--show-current") {
		return
	}
	prefix, short := "refs/heads/", "refs/heads/"
	if g.m.Given("-r") {
		prefix, short = "refs/remotes/", "refs/remotes/"
	}
	refs, err := g.repo.Refs(prefix, maxNames)
	if err != nil || len(refs) == maxNames || len(g.repo.Worktrees()) > 1 { // a branch that another work tree has is marked
		return
	}
	if len(g.repo.Config("branch.sort")) > 0 {
		return
	}
	for _, key := range []string{"color.branch", "color.ui", "column.branch", "column.ui"} { // more than the names, though no terminal reads them
		if slices.ContainsFunc(g.repo.Config(key), func(v string) bool { return strings.Contains(v, "always") }) {
			return
		}
	}
	against := head
	if v, ok := g.m.Value("list"); ok {
		text, known := v.Known()
		if against = g.repo.Ref(text); !known || against == "" {
			return
		}
	}
	var lines []string
	for _, r := range refs {
		name := strings.TrimPrefix(r.Name, short)
		if g.m.Given("--merged") || g.m.Given("--no-merged") {
			n, complete := g.repo.Missing([]string{r.ID}, []string{against}, 1)
			if n == 0 && !complete {
				return
			}
			if (n == 0) != g.m.Given("--merged") {
				continue
			}
		}
		switch {
		case strings.HasSuffix(name, "/HEAD") && g.m.Given("-r"): // which is printed with what it leads to
			return
		case bare:
		case name == branch && prefix == "refs/heads/":
			name = "* " + name
		default:
			name = "  " + name
		}
		lines = append(lines, name)
	}
	g.printsNames(lines)
}

// optionValue is what stands behind an option whose value the grammar does not
// name, as far as it is known.
func (g *gitCall) optionValue(name string) string {
	for i, w := range g.rest {
		text, _ := w.Known()
		if v, ok := strings.CutPrefix(text, name+"="); ok {
			return v
		}
		if text == name && i+1 < len(g.rest) {
			v, _ := g.rest[i+1].Known()
			return v
		}
	}
	return ""
}

// listFiles is git ls-files: what is in the index, which is what HEAD has where
// nothing is staged (git-ls-files(1)).
func (g *gitCall) listFiles() {
	if g.repo == nil || g.s.Unread || g.repo.Root() == "" || g.dir == "" || !g.only("-z", "-c", "--cached", "--full-name", "--exclude-standard", "--error-unmatch", "-m", "--modified", "-o", "--others") {
		return
	}
	root := g.repo.Root()
	var names []string
	switch changed, others := g.m.Given("-m"), g.m.Given("-o"); {
	case changed && others:
		return
	case changed || others:
		s := g.repo.Status(root, statusBudget)
		names = s.SomeModified
		n := s.Modified
		if others {
			if names, n = s.SomeUntracked, s.Untracked; !g.m.Given("--exclude-standard") {
				return
			}
		}
		if !s.Complete || len(names) != n {
			return
		}
	default:
		s := g.repo.Status(root, statusBudget)
		all, complete := g.repo.Changes("", "HEAD", maxTracked)
		if !complete || !s.Complete || s.Staged > 0 {
			return
		}
		names = all
	}
	g.printsNames(g.named(root, names, g.m.Given("--full-name"), g.m.Operands()))
}

// The bounds of lists of files.
const (
	statusBudget = 20000
	maxTracked   = 20000
)

// named are the names as they are printed: of those below the current directory,
// counted from there, which one of some paths picks.
func (g *gitCall) named(root string, names []string, whole bool, paths []value.Value) []string {
	var out []string
	for _, n := range names {
		full := path.Join(root, n)
		below, ok := strings.CutPrefix(full, strings.TrimSuffix(g.dir, "/")+"/")
		if !ok || !g.picked(full, below, paths) {
			continue
		}
		if whole {
			below = n
		}
		out = append(out, below)
	}
	return out
}

// picked reports whether one of some pathspecs surely or possibly picks a file.
func (g *gitCall) picked(full, below string, paths []value.Value) bool {
	if len(paths) == 0 {
		return true
	}
	return slices.ContainsFunc(paths, func(p value.Value) bool {
		text, known := p.Known()
		if known && strings.ContainsAny(text, "*?[") && !strings.HasPrefix(text, ":") {
			ok, err := path.Match(strings.ReplaceAll(text, "/", "\x01"), strings.ReplaceAll(below, "/", "\x01"))
			return ok || err != nil
		}
		return g.among(full, []value.Value{p})
	})
}

// listChanged is `git diff --name-only`: the files that are not as they were
// committed, or that two revisions differ in.
func (g *gitCall) listChanged() {
	if g.repo == nil || g.s.Unread || g.repo.Root() == "" || g.dir == "" || !g.m.Given("--name-only") || !g.only("-z", "--name-only", "--no-color", "--no-ext-diff", "--no-renames") {
		return
	}
	before, after, dashes := g.split()
	if !dashes && slices.ContainsFunc(before, func(v value.Value) bool { return !g.isRev(v) && !strings.Contains(v.Prefix(), "..") }) {
		return
	}
	root := g.repo.Root()
	var names []string
	switch s := g.repo.Status(root, statusBudget); {
	case len(before) == 0, len(before) == 1 && g.isHead(before[0]) && s.Staged == 0:
		if !s.Complete || len(s.SomeModified) != s.Modified {
			return
		}
		names = s.SomeModified
	default:
		text, known := before[0].Known()
		from, to, two := strings.Cut(text, "..")
		switch {
		case !known || strings.HasPrefix(to, "."):
			return
		case len(before) == 2:
			from = text
			to, known = before[1].Known()
		case !two, from == "", to == "": // an end that is left out is HEAD
			return
		}
		all, complete := g.repo.Changes(from, to, maxTracked)
		if !known || !complete {
			return
		}
		names = all
	}
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !g.among(path.Join(root, n), after) })
	g.printsNames(names)
}
