package git

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// Lists that are worked out, where git prints nothing but names: what follows
// in the line then has these names, and no others.

// The bounds of lists of files.
const (
	statusBudget = 20000
	maxTracked   = 20000
)

// exactly splits the words of a subcommand whose output is worked out, by the exact
// list of options that are understood. It reports false where anything else in
// reach may change what is printed: an option, a setting of this call, colours or
// columns though no terminal reads them.
func (g *gitCall) exactly(options ...string) (given map[string]string, operands []value.Value, ok bool) {
	if g.s.Unread || len(g.settingsGiven()) > 0 || g.m.Has("git-dir") || g.m.Has("work-tree") || g.elsewhereByEnv() {
		return nil, nil, false
	}
	if g.repo == nil {
		if g.sub != "branch" && !g.unread && g.s.World != nil && g.s.World.Git != nil && g.dir != "" { // it fails
			g.tells(nil, "\n")
		}
		return nil, nil, false
	}
	for _, key := range []string{"color.ui", "color." + g.sub, "column.ui", "column." + g.sub} {
		if slices.ContainsFunc(g.repo.Config(key), func(v string) bool { return strings.Contains(v, "always") }) {
			return nil, nil, false
		}
	}
	return site.Words(g.rest, options...)
}

// elsewhereByEnv reports whether the environment says where the repository or its
// parts are (git(1), "The Git Repository").
func (g *gitCall) elsewhereByEnv() bool {
	return slices.ContainsFunc([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"}, func(name string) bool {
		if g.s.Env == nil {
			return false
		}
		_, set, _ := g.s.Env(name)
		return set
	})
}

// tells says that these lines are printed, and nothing else.
func (g *gitCall) tells(lines []string, end string) {
	switch {
	case len(lines) > 0:
		g.r.Stdout = site.Names("git "+g.sub, ".", lines, end, 0)
	case g.sub != "branch": // there may be some by then
		none := value.Concat(site.NoneNow("git "+g.sub, value.Lit("."), ""), value.Lit(end)).With(value.Found)
		g.r.Stdout = &none
	}
}

// printsNames says that these paths are printed, and nothing else: with NUL they end
// in NUL and are printed as they are, else those with quotes, controls and, unless
// told otherwise, letters beyond ASCII are quoted (core.quotePath in git-config(1)).
func (g *gitCall) printsNames(names []string, nul bool) {
	if nul {
		g.tells(names, "\x00")
		return
	}
	lines := make([]string, len(names))
	for i, n := range names {
		lines[i] = g.quoted(n, false)
	}
	g.tells(lines, "\n")
}

// quoted is a path as git prints it; with spaces, one that has such is quoted too.
func (g *gitCall) quoted(name string, spaces bool) string {
	letters := falsy(g.lastConfig("core.quotePath"))
	var b strings.Builder
	odd := spaces && strings.Contains(name, " ")
	for i := range len(name) {
		c := name[i]
		switch at := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c); {
		case at >= 0:
			odd = true
			b.WriteByte('\\')
			b.WriteByte("abtnvfr\"\\"[at])
		case c < ' ' || c == 0x7f || c >= 0x80 && !letters:
			odd = true
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	if !odd {
		return name
	}
	return `"` + b.String() + `"`
}

// falsy reports whether a setting is a no (git-config(1), "boolean").
func falsy(v string) bool {
	return slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(v))
}

// between reports whether the work tree is in the middle of something that leaves
// paths unmerged, of which lists have more than one line.
func (g *gitCall) between() bool {
	for _, name := range []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "AUTO_MERGE", "rebase-merge", "rebase-apply"} {
		if i, err := g.s.World.FS.Lstat(path.Join(g.repo.GitDir(), name)); err != nil || i.Kind != world.Missing {
			return true
		}
	}
	return false
}

// tree is the state of the whole work tree, if that can be told with the names of all
// that is not as it was committed.
func (g *gitCall) tree() (s world.Status, ok bool) {
	if g.repo.Root() == "" || g.dir == "" || g.between() {
		return s, false
	}
	s = g.repo.Status(g.repo.Root(), statusBudget)
	return s, s.Complete && len(s.SomeModified) == s.Modified && len(s.SomeUntracked) == s.Untracked
}

// listFiles is git ls-files: what is in the index, which is what HEAD has where
// nothing is staged (git-ls-files(1)).
func (g *gitCall) listFiles() {
	given, paths, ok := g.exactly("-z", "-c", "--cached", "--full-name", "--exclude-standard", "--error-unmatch", "-m", "--modified", "-o", "--others", "-d", "--deleted", "--deduplicate")
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { _, is := given[n]; return is })
	}
	if !ok || has("-o", "--others") && !has("--exclude-standard") {
		return
	}
	s, complete := g.tree()
	if !complete || s.Staged > 0 {
		return
	}
	root := g.repo.Root()
	if g.dir != root && slices.ContainsFunc(paths, func(p value.Value) bool {
		return strings.HasPrefix(p.Prefix(), "..") || strings.HasPrefix(p.Prefix(), "/") || strings.HasPrefix(p.Prefix(), ":")
	}) {
		return
	}
	var names []string
	if has("-o", "--others") {
		names = append(names, s.SomeUntracked...)
	}
	deleted, modified := has("-d", "--deleted"), has("-m", "--modified")
	if has("-c", "--cached") || !has("-o", "--others") && !deleted && !modified {
		all, complete := g.repo.Changes("", "HEAD", maxTracked)
		if !complete {
			return
		}
		names = append(names, all...)
	}
	for _, n := range s.SomeModified {
		if deleted && g.gone(path.Join(root, n)) {
			names = append(names, n)
		}
		if modified {
			names = append(names, n)
		}
	}
	g.printsNames(g.named(root, names, has("--full-name"), paths), has("-z"))
}

// gone reports whether a tracked file is surely not there.
func (g *gitCall) gone(full string) bool {
	i, err := g.s.World.FS.Lstat(full)
	return err == nil && i.Kind == world.Missing
}

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
		if strings.HasSuffix(n, "/") { // another repository
			below += "/"
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
			return globs(path.Clean(text), below)
		}
		return g.among(full, []value.Value{p})
	})
}

// globs reports whether a pattern of git may match a name, in which a slash is a
// letter like others (wildmatch without WM_PATHNAME).
func globs(pattern, name string) bool {
	plain := strings.NewReplacer("/", "\x01", "[!", "[^").Replace(pattern)
	ok, err := path.Match(plain, strings.ReplaceAll(name, "/", "\x01"))
	return ok || err != nil || strings.Contains(pattern, "[[:")
}

// listChanged is `git diff --name-only`: the files that are not as they were
// committed, or that two revisions differ in. Which of them a filter leaves out, and
// which is the old name of another, is not followed.
func (g *gitCall) listChanged() {
	given, _, ok := g.exactly("-z", "--name-only", "--no-color", "--color=never", "--no-ext-diff", "--no-renames", "-M", "--find-renames", "--diff-filter=", "--no-relative")
	if _, names := given["--name-only"]; !ok || !names || g.repo.Root() == "" || g.dir == "" || g.lastConfig("diff.relative") != "" {
		return
	}
	before, after, dashes := g.split()
	if !dashes && slices.ContainsFunc(before, func(v value.Value) bool { return !g.isRev(v) && !strings.Contains(v.Prefix(), "..") }) {
		return
	}
	names, ok := g.changed(before)
	if !ok {
		return
	}
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !g.picked(path.Join(g.repo.Root(), n), g.below(n), after) })
	_, nul := given["-z"]
	g.printsNames(names, nul)
}

// below is a path from the root as it is written in the current directory, if it lies
// below that.
func (g *gitCall) below(n string) string {
	full := path.Join(g.repo.Root(), n)
	return strings.TrimPrefix(full, strings.TrimSuffix(g.dir, "/")+"/")
}

// changed are the files that revisions differ in; without any, and with HEAD, those
// of the work tree that are not as they were committed.
func (g *gitCall) changed(revs []value.Value) ([]string, bool) {
	if len(revs) == 0 || len(revs) == 1 && g.isHead(revs[0]) {
		s, complete := g.tree()
		return s.SomeModified, complete && (len(revs) == 0 || s.Staged == 0)
	}
	text, known := revs[0].Known()
	from, to, two := strings.Cut(text, "..")
	switch {
	case !known || len(revs) > 2:
		return nil, false
	case len(revs) == 2 && !two:
		if to, known = revs[1].Known(); !known || strings.Contains(to, "..") {
			return nil, false
		}
	case len(revs) == 2 || !two:
		return nil, false
	case strings.HasPrefix(to, "."): // from where both were one
		if to = to[1:]; to == "" {
			to = "HEAD"
		}
		if from == "" {
			from = "HEAD"
		}
		from = from + "..." + to
	}
	if from == "" { // an end that is left out is HEAD
		from = "HEAD"
	}
	if to == "" {
		to = "HEAD"
	}
	names, complete := g.repo.Changes(from, to, maxTracked)
	return names, complete
}
