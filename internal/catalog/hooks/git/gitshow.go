package git

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

func (g *gitCall) reads(v value.Value, shown, recursive bool) {
	g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Shown: shown, Recursive: recursive})
}

// stored reads what the repository has of a file, and not the one in the work tree.
func (g *gitCall) stored(v value.Value) {
	g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Shown: true, Stored: true})
}

// whole reads a file, or all in a directory, that git need not know: what is in one of
// two directories alone is shown (git-diff(1), --no-index).
func (g *gitCall) whole(v value.Value, shown bool) {
	g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Shown: shown, Arg: "member"})
}

// show is git log, show and the diff family: contents reach the output where
// paths are given and a patch is asked for, or an object is named by its path.
func (g *gitCall) show() {
	defer g.listChanged()
	before, after, dashes := g.split()
	patch := !g.m.Has("brief") && !g.m.Has("names") && !g.m.Has("count")
	switch asked := g.m.Has("patch") && !g.m.Has("names"); g.sub {
	case "log", "whatchanged", "diff-tree", "diff-index", "diff-files":
		patch = asked
	default:
		patch = patch || asked
	}
	staged := g.sub != "diff" || len(before) > 0 || g.m.Given("--cached") || g.m.Given("--staged")
	g.r.ShowsAdded = patch && len(after) == 0 && !g.m.Has("no-index")
	g.r.ShowsStaged = staged && g.r.ShowsAdded
	for _, v := range before {
		switch file, ok := gitObjectPath(v); {
		case ok && g.sub != "log":
			g.stored(file)
		case g.m.Has("no-index"):
			g.whole(v, patch)
		case !dashes && g.sub != "show" && g.isPath(v):
			g.compares(v, patch, len(before) == 1)
		}
	}
	for _, v := range after {
		if g.m.Has("no-index") {
			g.whole(v, patch)
			continue
		}
		g.compares(v, patch, len(before) == 0)
	}
	for _, v := range g.m.Values("range") { // -L FROM,TO:FILE and -L :FUNCTION:FILE
		if i := strings.LastIndexByte(v.Prefix(), ':'); i >= 0 && g.sub != "grep" {
			g.reads(v.Cut(i+1), true, false)
		}
	}
	if g.m.Has("names") && g.sub != "log" && g.sub != "show" {
		g.r.Prints = catalog.PrintsPaths
	}
	if g.m.Has("count") {
		g.r.Prints = catalog.PrintsNumber
	}
	if tool, ok := g.m.Value("extcmd"); ok {
		g.appended(tool, 2)
	}
}

// showsStaged says which other commands print what is staged, or what was committed or put
// aside of it, where no path says of what: git-status(1) and git-commit(1), -v;
// git-grep(1); git-stash(1), show; those that write commits and objects as a stream.
func (g *gitCall) showsStaged() {
	verbose := g.m.Given("-v") || g.m.Given("--verbose")
	operands := g.m.Operands()
	first := gitFirst(operands).Prefix()
	switch g.sub {
	case "status":
		g.r.ShowsStaged = verbose
	case "commit":
		told := slices.ContainsFunc([]string{"-m", "--message", "-F", "--file", "-C", "--reuse-message", "--no-edit"}, g.m.Given)
		g.r.ShowsStaged = verbose && (!told || g.m.Has("dry"))
	case "grep":
		before, after, _ := g.split()
		g.r.ShowsStaged = !g.m.Has("brief") && len(after) == 0
		if g.m.Given("--untracked") || g.m.Given("--no-index") {
			g.everyLine(before, after)
		}
	case "stash":
		g.r.ShowsStaged = gitFirst(g.rest).Prefix() == "show"
	case "fast-export":
		g.r.ShowsStaged = true
	case "format-patch":
		g.r.ShowsStaged = g.m.Given("--stdout")
	case "archive":
		g.r.ShowsStaged = !g.m.Given("-o") && !g.m.Given("--output")
	case "cat-file":
		g.r.ShowsStaged = (g.m.Given("-p") || first == "blob" || g.m.Given("--batch") || g.m.Given("--batch-command")) && !strings.Contains(gitFirst(operands).String(), ":")
	}
}

// everyLine shows the files that git does not know too, where a search of them has a
// pattern that holds for any line; another only passes over them.
func (g *gitCall) everyLine(words, paths []value.Value) {
	patterns := g.m.Values("pattern")
	if len(patterns) == 0 && len(words) > 0 {
		patterns, words = words[:1], words[1:]
	}
	if g.m.Has("brief") || !g.m.Given("-v") && !g.m.Given("--invert-match") && !slices.ContainsFunc(patterns, site.AnyLine) {
		return
	}
	if paths = append(slices.Clone(words), paths...); len(paths) == 0 {
		paths = []value.Value{value.Lit(".")}
	}
	for _, v := range paths {
		g.whole(v, true)
	}
}

// compares reads a path whose history or changes are told. What git does not have in
// its index is not in the difference of that and the work tree, which plain says that
// it is (git-diff(1), "git diff [<options>] [--] [<path>...]").
func (g *gitCall) compares(v value.Value, patch, plain bool) {
	if plain && g.sub == "diff" && g.notTracked(v) {
		return
	}
	g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Shown: patch, Arg: "object"})
}

// notTracked reports whether a word surely names one file of the work tree that git
// does not have, looked at here.
func (g *gitCall) notTracked(v value.Value) bool {
	full := g.join(v)
	if full == "" || strings.ContainsAny(v.Prefix(), `*?[\:`) || !g.s.AsFound || g.repo == nil || g.repo.Root() == "" || len(g.settingsGiven()) > 0 ||
		g.m.Has("git-dir") || g.m.Has("work-tree") || g.elsewhereByEnv() {
		return false
	}
	if _, _, ok := site.Words(g.rest, "-p", "-u", "--patch", "-w", "-b", "--stat", "--no-color", "--color?", "--word-diff?", "--exit-code"); !ok {
		return false
	}
	if info, err := g.s.World.FS.Lstat(full); err != nil || info.Kind != world.Regular {
		return false
	}
	state := g.repo.State(full)
	return state == world.Untracked || state == world.Ignored
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
	if pager, ok := g.m.Value("open-files-in-pager"); ok && !pager.Empty() {
		g.appended(pager, 1)
	}
}

// appended gives the program that an option names the files that git appends to
// it: some of the project, which of them is not known.
func (g *gitCall) appended(command value.Value, n int) {
	for i := range g.r.Runs {
		run := &g.r.Runs[i]
		if run.Kind != catalog.RunShell || run.Text.String() != command.String() || len(run.Args) > 0 {
			continue
		}
		run.Text = value.Concat(run.Text, value.Lit(` "$@"`))
		for range n {
			run.Args = append(run.Args, value.Of(value.Hole{Cause: risk.CauseMatch, Name: "git " + g.sub, Shape: value.Below, Base: "."}))
		}
	}
}

// echoes says what is printed of the words and of standard input: formats, what
// is resolved or quoted, and what an error says is none (the pages of each).
func (g *gitCall) echoes() {
	switch g.sub {
	case "for-each-ref", "log", "show", "whatchanged", "rev-list", "shortlog", "reflog", "rev-parse", "check-ref-format", "check-ignore", "check-attr",
		"check-mailmap", "show-ref", "branch", "tag", "describe", "name-rev", "merge-base", "cat-file", "ls-files", "ls-tree", "diff", "diff-tree", "diff-index",
		"diff-files", "blame", "annotate", "grep", "commit", "column", "fmt-merge-msg", "interpret-trailers", "var", "notes", "switch", "checkout", "help",
		"request-pull", "range-diff", "format-patch", "stash", "worktree", "status":
		g.r.Traits |= catalog.Repeats
	}
	if g.sub == "status" && g.m.Has("hidden") { // secrets are among what is ignored
		g.r.Prints = catalog.PrintsPaths
	}
	if g.sub == "var" {
		g.identity()
	}
	input := g.m.Has("stdin")
	for _, v := range g.rest {
		text := v.Prefix()
		input = input || strings.HasPrefix(text, "--stdin") || strings.HasPrefix(text, "--batch") || text == "--annotate-stdin" || text == "--parseopt" || strings.HasSuffix(text, "-from-file=-")
	}
	switch g.sub {
	case "column", "stripspace", "fmt-merge-msg", "mailinfo", "mktag", "mktree", "commit-tree", "fast-import":
		input = true
	case "shortlog", "am", "apply", "interpret-trailers":
		input = input || len(g.m.Operands()) == 0
	case "hash-object", "patch-id", "get-tar-commit-id":
		input = false
	}
	if input && g.s.HasStdin {
		g.r.ShowsStdin, g.r.ReadsStdin = true, true
	}
}

// identity says that git var prints what the environment says of authors and
// programs, if that is a secret (git-var(1), "VARIABLES").
func (g *gitCall) identity() {
	if g.s.Env == nil {
		return
	}
	for _, name := range []string{
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE", "EMAIL",
		"GIT_EDITOR", "VISUAL", "EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "PAGER",
	} {
		if v, set, _ := g.s.Env(name); set && v.Taint().Has(value.Secret|value.Credential) {
			g.r.Prints = catalog.PrintsSecret
		}
	}
}

// limited is a command that prints commits, of which "--" leaves those that
// touch some paths, with what they hold of these and no other.
func (g *gitCall) limited() {
	if g.sub == "format-patch" && !g.m.Has("stdout") {
		return
	}
	_, after, _ := g.split()
	for _, v := range after {
		g.reads(v, true, false)
	}
}

// catFile shows REV:path, with --batch those that standard input names.
func (g *gitCall) catFile() {
	if text, ok := g.s.Stdin.Known(); ok && (g.m.Given("--batch") || g.m.Given("--batch-command")) {
		for line := range strings.Lines(text) {
			if file, ok := gitObjectPath(value.Lit(strings.TrimPrefix(strings.TrimSpace(line), "contents "))); ok {
				g.stored(file)
			}
		}
	}
	for _, v := range g.m.Operands() {
		if file, ok := gitObjectPath(v); ok {
			g.stored(file)
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
	if len(words) == 0 || g.m.Given("--get-regexp") || g.m.Given("--get-urlmatch") || g.m.Given("--regexp") {
		g.listsCredentials()
	}
	if g.keepsSecret(words, action) {
		g.r.Prints = catalog.PrintsSecret
		g.effect(risk.SecretRead, gitFirst(words), risk.NoKind)
		return
	}
	if len(words) != 1 || g.repo == nil || len(g.settingsGiven()) > 0 || action == "list" || g.m.Has("file") || g.m.Has("blob") || g.m.Has("global") || g.m.Has("system") || g.m.Has("local") {
		return
	}
	if key, known := words[0].Known(); known && len(g.rest) <= 2 {
		if vs := g.repo.Config(key); len(vs) == 1 {
			g.prints(vs[0])
		}
	}
}

// listsCredentials says that a credential is printed where the repository's
// settings hold one: in the address of a remote or a header (gitcredentials(7);
// git-config(1), "http.extraHeader").
func (g *gitCall) listsCredentials() {
	if g.repo == nil {
		return
	}
	text, _ := site.SiteFile(g.s, value.Lit(g.repo.CommonDir()+"/config"))
	for line := range strings.Lines(text) {
		if address, header := value.GitCredential(line); address || header && g.sub == "config" {
			g.r.Prints = catalog.PrintsSecret
			g.effect(risk.SecretRead, value.Lit(g.repo.CommonDir()+"/config"), risk.NoKind)
			return
		}
	}
}

// keepsSecret reports whether a setting that is asked for by name holds a
// credential, and the repository or its user has it (git-config(1),
// "http.extraHeader", "sendemail.smtpPass", "imap.pass").
func (g *gitCall) keepsSecret(words []value.Value, action string) bool {
	if action == "list" || len(words) == 0 || g.repo == nil {
		return false
	}
	key, known := words[0].Known()
	_, _, variable := gitKey(key)
	switch variable {
	case "extraheader", "smtppass", "pass", "token", "oauthtoken", "password", "apikey", "secret":
		return known && len(g.repo.Config(key)) > 0
	}
	return known && slices.ContainsFunc(g.repo.Config(key), value.HoldsPassword)
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
