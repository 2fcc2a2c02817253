package git

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// transport says what connecting to an address does (git-clone(1) "GIT URLS",
// gitremote-helpers(7)).
func (g *gitCall) transport(address value.Value) {
	text := address.Prefix()
	scheme, _, helper := strings.Cut(text, "::")
	switch {
	case helper && gitScheme(scheme):
		g.helperTransport(scheme, address.Cut(len(scheme)+2))
	case strings.HasPrefix(text, "file://"):
		g.effect(risk.FSRead, address.Cut(len("file://")), risk.NoKind)
	case gitLocal(text):
		g.effect(risk.FSRead, address, risk.NoKind)
	default:
		g.effect(risk.NetFetch, address, risk.NoKind)
	}
}

// helperTransport runs git-remote-SCHEME; ext runs the address itself, and fd
// uses open descriptors (git-remote-ext(1), git-remote-fd(1)).
func (g *gitCall) helperTransport(scheme string, rest value.Value) {
	switch scheme {
	case "ext":
		g.r.Runs = append(g.r.Runs, catalog.Run{Argv: extWords(rest)})
	case "fd":
		g.effect(risk.NetConnect, value.Lit("fd::"), risk.NoKind)
	case "http", "https", "ftp", "ftps":
		g.effect(risk.NetFetch, rest, risk.NoKind)
	default:
		g.r.Runs = append(g.r.Runs, catalog.Run{Kind: catalog.RunExec, Text: value.Lit("git-remote-" + scheme)})
	}
}

// laterTransport is for addresses that are stored and used later: those that
// are commands are as good as run.
func (g *gitCall) laterTransport(address value.Value) {
	if scheme, _, ok := strings.Cut(address.Prefix(), "::"); ok && gitScheme(scheme) {
		g.transport(address)
	}
}

// extWords splits the command of an ext:: address at spaces; "% " is a space
// and "%%" a percent sign (git-remote-ext(1)).
func extWords(v value.Value) []value.Value {
	const space = "\x00"
	var b value.Builder
	for _, p := range v.Parts() {
		if p.Hole != nil {
			b.Add(value.Of(*p.Hole))
			continue
		}
		b.WriteString(strings.NewReplacer("%%", "%", "% ", space).Replace(p.Lit))
	}
	var out []value.Value
	for _, w := range b.Value().Split(" ") {
		if w.Empty() {
			continue
		}
		var word value.Builder
		for _, p := range w.Parts() {
			if p.Hole != nil {
				word.Add(value.Of(*p.Hole))
			} else {
				word.WriteString(strings.ReplaceAll(p.Lit, space, " "))
			}
		}
		out = append(out, word.Value())
	}
	return out
}

func gitScheme(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '+') {
			return false
		}
	}
	return s != ""
}

// gitLocal reports whether an address is a path: a slash before any colon, or a
// leading dot or tilde (connect.c, url_is_local_not_ssh).
func gitLocal(text string) bool {
	if strings.Contains(text, "://") || text == "" {
		return false
	}
	colon, slash := strings.IndexByte(text, ':'), strings.IndexByte(text, '/')
	return strings.HasPrefix(text, ".") || strings.HasPrefix(text, "~") || slash >= 0 && (colon < 0 || slash < colon)
}

// gitAddress reports whether an operand is an address and not a remote's name.
func gitAddress(text string) bool { return strings.ContainsAny(text, "/:") || text == "." }

// remoteURL returns the address that a remote's name stands for, if known.
func (g *gitCall) remoteURL(remote value.Value) (value.Value, bool) {
	name, known := remote.Known()
	if gitAddress(remote.Prefix()) {
		return remote, true
	}
	if !known || g.repo == nil {
		return remote, false
	}
	if urls := g.repo.Config("remote." + name + ".url"); len(urls) > 0 {
		return value.Lit(urls[0]), true
	}
	return remote, false
}

// connect fetches from a remote: given by address, by name, or the default.
func (g *gitCall) connect(words []value.Value) {
	remote := value.Lit("origin")
	if len(words) > 0 {
		remote = words[0]
	} else if r := g.defaultRemote(); r != "" {
		remote = value.Lit(r)
	}
	address, resolved := g.remoteURL(remote)
	switch {
	case !resolved:
		g.effect(risk.NetFetch, remote, risk.NoKind)
	case gitAddress(remote.Prefix()):
		g.transport(address)
	default:
		g.configured(address)
	}
}

// configured fetches from an address that the repository's configuration
// holds; one that is a command is code of this repository.
func (g *gitCall) configured(address value.Value) {
	if scheme, _, ok := strings.Cut(address.Prefix(), "::"); ok && gitScheme(scheme) {
		g.effect(risk.ExecProject, address, risk.KindRemoteHelper)
		return
	}
	g.transport(address)
}

// defaultRemote is the one that the current branch follows (git-fetch(1)).
func (g *gitCall) defaultRemote() string {
	if g.repo == nil {
		return ""
	}
	branch, _ := g.repo.Head()
	return g.lastConfig("branch." + branch + ".remote")
}

func (g *gitCall) lastConfig(key string) string {
	if g.repo == nil || !g.mayBeSet(key) {
		return ""
	}
	if vs := g.repo.Config(key); len(vs) > 0 {
		return vs[len(vs)-1]
	}
	return ""
}

// clone fetches and makes a directory (git-clone(1)).
func (g *gitCall) clone() {
	url, ok := g.m.Value("repository")
	if !ok {
		return
	}
	g.transport(url)
	dir, named := g.m.Value("directory")
	if !named {
		dir = cloneDir(url, g.m.Has("bare"))
	}
	g.effect(risk.FSCreate, dir, risk.NoKind)
	g.template()
}

// init takes hooks from a template directory (git-init(1)).
func (g *gitCall) init() { g.template() }

func (g *gitCall) template() {
	if v, ok := g.m.Value("template"); ok && !v.Empty() {
		g.effect(risk.ExecUnknown, v, risk.KindTemplateHooks)
	}
}

// fetch is git fetch and git pull.
func (g *gitCall) fetch() {
	words := g.m.Operands()
	if g.m.Has("dry") {
		g.connect(words)
		return
	}
	g.fetched(g.remoteOf(words), words[min(1, len(words)):], g.m.Given("--prune") || g.m.Given("-p"))
	g.connect(words)
}

func (g *gitCall) lsRemote() { g.connect(g.m.Operands()[:min(1, len(g.m.Operands()))]) }

// remote is git remote: some of its subcommands connect.
func (g *gitCall) remote() {
	switch g.second() {
	case "add", "set-url":
		if url, ok := g.m.Value("url"); ok {
			g.laterTransport(url)
			if g.m.Has("fetch") {
				g.transport(url)
			}
		}
	case "":
		if g.m.Has("verbose") {
			g.listsCredentials()
		}
	case "update":
		g.remoteRefs()
	case "show", "prune":
		if g.second() == "prune" && !g.m.Has("dry") {
			g.remoteRefs()
		}
		if words := g.m.Operands(); len(words) > 0 {
			g.connect(words)
		}
	case "get-url":
		if name, ok := g.m.Value("name"); ok {
			g.printsURL(name)
		}
	}
}

// archive --remote asks another repository. The paths behind the tree go into the
// archive, which is printed unless a file is named (git-archive(1)).
func (g *gitCall) archive() {
	if v, ok := g.m.Value("repository"); ok {
		g.connect([]value.Value{v})
	} else if words := g.m.Operands(); len(words) > 1 {
		for _, v := range words[1:] {
			g.reads(v, !g.m.Has("output"), true)
			for i := range g.r.Effects {
				if e := &g.r.Effects[i]; e.Verb == risk.FSWrite {
					e.Carries = append(e.Carries, catalog.Source{Path: v})
				}
			}
		}
	}
	if !g.m.Has("output") {
		g.r.Prints = catalog.PrintsText
	}
}

// remoteExt runs its second operand as the ext transport does.
func (g *gitCall) remoteExt() {
	if words := g.m.Operands(); len(words) > 1 {
		g.r.Runs = append(g.r.Runs, catalog.Run{Argv: extWords(words[1])})
	}
}

// forEachRepo runs git with these words in every repository of a list.
func (g *gitCall) forEachRepo() {
	if words := g.m.Operands(); len(words) > 0 {
		g.r.Runs = append(g.r.Runs, catalog.Run{Argv: append([]value.Value{value.Lit("git")}, words...), Many: true})
	}
}

// sendEmail sends the files it is given, and runs an absolute --smtp-server
// (git-send-email(1)).
func (g *gitCall) sendEmail() {
	if v, ok := g.m.Value("server"); ok && strings.HasPrefix(v.Prefix(), "/") {
		g.r.Runs = append(g.r.Runs, catalog.Run{Kind: catalog.RunExec, Text: v})
	}
	for _, w := range g.m.Operands() {
		if gitPathLike(w) || strings.HasSuffix(w.Suffix(), ".patch") {
			g.effect(risk.FSRead, w, risk.NoKind)
		}
	}
}
