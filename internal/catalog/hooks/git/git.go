package git

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// maxAliases bounds how many aliases one command line goes through; git itself
// refuses loops (git-config(1), "alias.*").
const maxAliases = 10

// gitCall is one invocation of git, taken apart.
type gitCall struct {
	m    *catalog.Match
	s    *catalog.Site
	r    *catalog.Result
	repo world.Repo // nil where it is not known
	// unread says that there may be a repository which could not be looked at.
	unread bool
	dir    string // absolute directory in which git works; "" where it is not known
	at     int    // index of the subcommand in s.Args; len(s.Args) if there is none
	sub    string // the subcommand as it was written
	rest   []value.Value
	set    []string // the keys of the repository's configuration, if read
	read   bool
}

// git says what a git command does beyond its grammar: configuration that
// names programs, aliases, hooks, and operands that are refs or paths.
func git(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	gitRun(m, s, r, maxAliases)
}

func gitRun(m *catalog.Match, s *catalog.Site, r *catalog.Result, aliases int) {
	g := &gitCall{m: m, s: s, r: r}
	g.at = gitSubcommand(s.Args)
	if g.at < len(s.Args) {
		g.sub, _ = s.Args[g.at].Known()
		g.rest = s.Args[g.at+1:]
	}
	g.find()
	if m.Help || m.Has("help") {
		g.manual()
		g.given()
		return
	}
	if described := r.Effects; !own(g.sub) && g.alias(aliases) {
		if m.Missing.Empty() { // whether git-NAME is installed is not known: both count
			g.r.Effects = append(g.r.Effects, described...)
		}
		return
	}
	g.dropNegations()
	g.settings()
	if f := gitCommand(g.sub); f != nil && len(m.Chain) > 1 {
		f(g)
	}
	if g.unread {
		g.effect(risk.ExecUnknown, value.Lit("settings and hooks of a repository that cannot be read"), risk.KindConfiguration)
	}
	g.runsHere()
	g.brings()
	g.sinks()
	g.lists()
	g.echoes()
	g.showsStaged()
	g.place()
}

// gitSubcommand finds the first word that is no global option (git(1)).
func gitSubcommand(args []value.Value) int {
	for i := 0; i < len(args); i++ {
		text := args[i].Prefix()
		if !strings.HasPrefix(text, "-") {
			return i
		}
		switch text {
		case "-C", "-c", "--config-env", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--attr-source":
			i++
		}
	}
	return len(args)
}

// gitCommand returns what a subcommand does beyond its grammar, or nil.
func gitCommand(name string) func(*gitCall) {
	switch name {
	case "log", "show", "diff", "whatchanged", "diff-tree", "diff-index", "diff-files", "difftool":
		return (*gitCall).show
	case "checkout":
		return (*gitCall).checkout
	case "switch":
		return (*gitCall).switchTo
	case "restore":
		return (*gitCall).restore
	case "reset":
		return (*gitCall).reset
	case "clean":
		return (*gitCall).clean
	case "rm":
		return (*gitCall).remove
	case "stash":
		return (*gitCall).stash
	case "worktree":
		return (*gitCall).worktree
	case "submodule":
		return (*gitCall).submodule
	case "apply":
		return (*gitCall).apply
	case "cherry-pick", "revert":
		return (*gitCall).pick
	case "branch":
		return (*gitCall).branch
	case "tag":
		return (*gitCall).tag
	case "config":
		return (*gitCall).config
	}
	return gitRareCommand(name)
}

func gitRareCommand(name string) func(*gitCall) {
	switch name {
	case "push", "send-pack":
		return (*gitCall).push
	case "fetch", "pull":
		return (*gitCall).fetch
	case "clone":
		return (*gitCall).clone
	case "init", "init-db":
		return (*gitCall).init
	case "ls-remote", "fetch-pack":
		return (*gitCall).lsRemote
	case "remote":
		return (*gitCall).remote
	case "archive":
		return (*gitCall).archive
	case "remote-ext":
		return (*gitCall).remoteExt
	case "send-email":
		return (*gitCall).sendEmail
	case "for-each-repo":
		return (*gitCall).forEachRepo
	case "update-ref":
		return (*gitCall).updateRef
	case "symbolic-ref":
		return (*gitCall).symbolicRef
	case "gc":
		return (*gitCall).gc
	case "rev-parse":
		return (*gitCall).revParse
	case "blame", "annotate":
		return (*gitCall).blame
	case "grep":
		return (*gitCall).grep
	case "cat-file":
		return (*gitCall).catFile
	case "format-patch", "fast-export", "range-diff":
		return (*gitCall).limited
	case "ls-files":
		return (*gitCall).listFiles
	case "status":
		return (*gitCall).listStatus
	}
	return nil
}

// find works out which repository the command is about: -C, --git-dir and
// GIT_DIR move it (git(1)).
func (g *gitCall) find() {
	dir := g.s.Dir
	for _, v := range g.m.Values("chdir") {
		d, known := v.Known()
		switch {
		case !known || dir == "" && !path.IsAbs(d):
			dir = ""
		case path.IsAbs(d):
			dir = path.Clean(d)
		default:
			dir = path.Join(dir, d)
		}
	}
	g.dir = dir
	if g.s.World == nil || g.s.World.Git == nil || dir == "" {
		return
	}
	where := dir
	if v, ok := g.m.Value("git-dir"); ok {
		where = g.join(v)
	} else if g.s.Env != nil {
		if v, set, _ := g.s.Env("GIT_DIR"); set && !v.Empty() {
			where = g.join(v)
		}
	}
	if where == "" {
		return
	}
	repo, err := g.s.World.Git.Find(where)
	if g.unread = err != nil; err == nil && repo != nil {
		g.repo = repo
	}
}

// join makes a known path absolute; "" if that cannot be done.
func (g *gitCall) join(v value.Value) string {
	p, known := v.Known()
	switch {
	case !known:
		return ""
	case path.IsAbs(p):
		return path.Clean(p)
	case g.dir == "":
		return ""
	}
	return path.Join(g.dir, p)
}

// alias expands an alias in place of an unknown subcommand.
func (g *gitCall) alias(left int) bool {
	text, ok := g.aliasText()
	if !ok || left == 0 || g.at >= len(g.s.Args) {
		return false
	}
	if shell, ok := strings.CutPrefix(text, "!"); ok {
		*g.r = catalog.Result{Match: g.m, Summary: "Runs a git alias"}
		g.settings()
		run := catalog.Run{Kind: catalog.RunShell, Text: value.Lit(shell), Args: g.rest}
		if len(g.rest) > 0 {
			run.Text = value.Lit(shell + ` "$@"`) // as git does (run-command.c, prepare_shell_cmd)
		}
		g.r.Runs = append(g.r.Runs, run)
		g.place()
		return true
	}
	args := append([]value.Value{}, g.s.Args[:g.at]...)
	for _, w := range gitWords(text) {
		args = append(args, value.Lit(w))
	}
	site := *g.s
	site.Args = append(args, g.rest...)
	m := g.m.Program.Match(site.Args)
	r := m.Apply()
	if !m.Help {
		gitRun(m, &site, r, left-1)
	}
	*g.r = *r
	return true
}

func (g *gitCall) aliasText() (string, bool) {
	for _, c := range g.settingsGiven() {
		if section, name, variable := gitKey(c.key); section == "alias" && name == "" && strings.EqualFold(variable, g.sub) {
			return c.value.Known()
		}
	}
	if g.repo == nil || g.sub == "" {
		return "", false
	}
	if vs := g.repo.Config("alias." + g.sub); len(vs) > 0 {
		return vs[len(vs)-1], true
	}
	return "", false
}

// gitWords splits an alias as git does: white space, both quotes, backslash
// (alias.c, split_cmdline).
func gitWords(text string) []string {
	var out []string
	var b strings.Builder
	quote, open := byte(0), false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if open {
				out = append(out, b.String())
				b.Reset()
			}
			open = false
			continue
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
		open = true
	}
	if open {
		out = append(out, b.String())
	}
	return out
}

// dropNegations forgets unlisted options that only take something back: git's
// option parser accepts --no-x for every --x (gitcli(7)).
func (g *gitCall) dropNegations() {
	kept := g.r.Unknowns[:0]
	for _, u := range g.r.Unknowns {
		if !strings.HasPrefix(u.What, "--no-") {
			kept = append(kept, u)
		}
	}
	g.r.Unknowns = kept
}

// effect adds an effect without the conventional flags.
func (g *gitCall) effect(verb risk.Verb, target value.Value, detail risk.Kind) {
	g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: verb, Target: target, Kind: detail})
}

// split returns the operands before "--" and those after it.
func (g *gitCall) split() (before, after []value.Value, dashes bool) {
	words := g.m.Operands()
	for i, w := range g.rest {
		if text, known := w.Known(); known && text == "--" {
			n := max(0, len(words)-(len(g.rest)-i-1))
			return words[:n], words[n:], true
		}
	}
	return words, nil, false
}

// place moves paths into the directory that -C names.
func (g *gitCall) place() {
	dirs := g.m.Values("chdir")
	if len(dirs) == 0 {
		return
	}
	base := dirs[0]
	for _, d := range dirs[1:] {
		base = gitUnder(base, d)
	}
	for i := range g.r.Effects {
		e := &g.r.Effects[i]
		isPath := strings.HasPrefix(string(e.Verb), "fs.") || e.Kind == risk.KindPath || e.Kind == risk.KindUntracked || e.Kind == risk.KindIgnored || e.Kind == risk.KindUntrackedAndIgnored
		switch {
		case isPath && g.dir != "" && strings.HasPrefix(string(e.Verb), "vcs.") && e.Repo == "": // counted from there
		case isPath:
			e.Target = gitUnder(base, e.Target)
			for j := range e.Carries {
				e.Carries[j].Path = gitUnder(base, e.Carries[j].Path)
			}
		case e.Verb == risk.VCSDiscard && e.Kind == risk.KindWorktree && e.Target.Empty():
			e.Target = base
		}
		if strings.HasPrefix(string(e.Verb), "vcs.") && e.Repo == "" {
			e.Repo = g.dir
		}
	}
	for i := range g.r.Runs {
		if run := &g.r.Runs[i]; run.Dir == nil {
			run.Dir = &base
		}
	}
}

// gitUnder returns the path of v seen from where dir is.
func gitUnder(dir, v value.Value) value.Value {
	if p := v.Prefix(); strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") {
		return v
	}
	if text, known := v.Known(); known && (text == "." || text == "") {
		return dir
	}
	if strings.HasSuffix(dir.Suffix(), "/") {
		return value.Concat(dir, v)
	}
	return value.Concat(dir, value.Lit("/"), v)
}
