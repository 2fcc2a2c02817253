package git

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

func (g *gitCall) reads(v value.Value, shown, recursive bool) {
	g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Shown: shown, Recursive: recursive})
}

// show is git log, show and the diff family: contents reach the output where
// paths are given and a patch is asked for, or an object is named by its path.
func (g *gitCall) show() {
	before, after, dashes := g.split()
	patch := !g.m.Has("brief") && !g.m.Has("names") && !g.m.Has("count")
	switch g.sub {
	case "log", "whatchanged", "diff-tree", "diff-index", "diff-files":
		patch = patch && g.m.Has("patch")
	}
	for _, v := range before {
		switch file, ok := gitObjectPath(v); {
		case ok && g.sub != "log":
			g.reads(file, true, false)
		case g.m.Has("no-index") || !dashes && g.sub != "show" && g.isPath(v):
			g.reads(v, patch, false)
		}
	}
	for _, v := range after {
		g.reads(v, patch, false)
	}
	if g.m.Has("names") && g.sub != "log" && g.sub != "show" {
		g.r.Prints = catalog.PrintsPaths
	}
	if g.m.Has("count") {
		g.r.Prints = catalog.PrintsNumber
	}
}

// gitObjectPath takes the path out of REV:path and :path (gitrevisions(7)).
func gitObjectPath(v value.Value) (value.Value, bool) {
	rev, file, ok := gitCut(v, ":")
	if !ok || file.Empty() || strings.Contains(rev.String(), "{") || strings.HasPrefix(file.Prefix(), "/") || strings.HasPrefix(file.Prefix(), "!") {
		return value.Value{}, false
	}
	if rev.Empty() && len(file.Prefix()) > 2 && file.Prefix()[1] == ':' {
		file = file.Cut(2) // :0:path
	}
	return file, true
}

// isPath reports whether an operand is a path and no revision.
func (g *gitCall) isPath(v value.Value) bool {
	if g.isRev(v) {
		return false
	}
	if gitPathLike(v) {
		return true
	}
	full := g.join(v)
	if full == "" || g.s.World == nil || g.s.World.FS == nil {
		return false
	}
	info, err := g.s.World.FS.Lstat(full)
	return err == nil && info.Kind != world.Missing
}

// blame shows the file that is its last operand, or the one after "--".
func (g *gitCall) blame() {
	before, after, _ := g.split()
	if len(after) == 0 && len(before) > 0 {
		after = before[len(before)-1:]
	}
	for _, v := range after {
		g.reads(v, true, false)
	}
}

// grep searches below the paths it is given.
func (g *gitCall) grep() {
	before, after, dashes := g.split()
	if !g.m.Has("pattern") {
		before = before[min(1, len(before)):]
	}
	for _, v := range before {
		if !dashes && g.isPath(v) {
			after = append(after, v)
		}
	}
	for _, v := range after {
		g.reads(v, !g.m.Has("brief"), true)
	}
}

// catFile shows REV:path.
func (g *gitCall) catFile() {
	for _, v := range g.m.Operands() {
		if file, ok := gitObjectPath(v); ok {
			g.reads(file, true, false)
		}
	}
}

// prints says what goes to standard output, where heed can tell.
func (g *gitCall) prints(text string) {
	if text != "" {
		v := value.Lit(text + "\n")
		g.r.Stdout = &v
	}
}

func (g *gitCall) printsBranch() {
	g.r.Prints = catalog.PrintsText // a branch may hold a slash
	if g.repo != nil && g.sub == "branch" {
		branch, _ := g.repo.Head()
		g.prints(branch)
	}
}

func (g *gitCall) printsURL(name value.Value) {
	if text, known := name.Known(); known && g.repo != nil {
		if urls := g.repo.Config("remote." + text + ".url"); len(urls) == 1 && len(g.repo.ConfigKeys("url.", 1)) == 0 {
			g.prints(urls[0])
		}
	}
}

func (g *gitCall) printsConfig(words []value.Value, action string) {
	if len(words) != 1 || g.repo == nil || len(g.settingsGiven()) > 0 || action == "list" || g.m.Has("file") || g.m.Has("blob") || g.m.Has("global") || g.m.Has("system") || g.m.Has("local") {
		return
	}
	if key, known := words[0].Known(); known && len(g.rest) <= 2 {
		if vs := g.repo.Config(key); len(vs) == 1 {
			g.prints(vs[0])
		}
	}
}

// revParse prints what it resolves; only the forms that scripts use for
// directories and branches are computed.
func (g *gitCall) revParse() {
	if first := gitFirst(g.rest).Prefix(); len(g.rest) == 1 && !strings.HasPrefix(first, "-") || first == "--short" || first == "--verify" {
		g.r.Prints = catalog.PrintsWord
	}
	if g.repo == nil {
		return
	}
	branch, commit := g.repo.Head()
	var words []string
	for _, w := range g.rest {
		text, known := w.Known()
		if !known {
			return
		}
		words = append(words, text)
	}
	switch strings.Join(words, " ") {
	case "--show-toplevel":
		g.prints(g.repo.Root())
	case "HEAD", "--verify HEAD":
		g.prints(commit)
	case "--abbrev-ref HEAD":
		g.prints(branch)
	case "--absolute-git-dir":
		g.prints(g.repo.GitDir())
	}
}
