package gitstate

import (
	"path"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

const (
	// maxIncludeDepth is MAX_INCLUDE_DEPTH of git's config.c.
	maxIncludeDepth = 10
	// maxConfigFiles bounds a tree of includes that fans out.
	maxConfigFiles = 64
)

// A dep is a file that an answer was made from (or its absence).
type dep struct {
	path  string
	stamp stamp
}

// A configLoader reads one repository's configuration files in git's order,
// includes expanded in place.
type configLoader struct {
	g      *Git
	r      *repo
	out    []configEntry
	deps   []dep
	files  int
	branch *string  // the current branch, once a condition asked
	urls   []string // remote URLs, once a condition asked
	inURLs bool     // the pass that collects urls
	own    bool     // the files that are read now are the repository's
}

// all reads system, global, local, worktree and environment, in this order of
// increasing precedence (git-config(1), "SCOPES").
func (l *configLoader) all() {
	for _, f := range l.g.outerConfig() {
		l.file(f, 0)
	}
	l.own = true
	l.file(join(l.r.commonDir, "config"), 0)
	if l.r.worktreeConfig {
		l.file(join(l.r.gitDir, "config.worktree"), 0)
	}
	l.own = false
	for _, e := range l.g.envConfig() {
		l.entry(e, "", 0)
	}
}

// outerConfig lists the files that are no repository's (git-config(1), "FILES").
func (g *Git) outerConfig() []string {
	var out []string
	env := g.opt.Env
	if no, ok := configBool(env["GIT_CONFIG_NOSYSTEM"]); !no && ok {
		if f, set := env["GIT_CONFIG_SYSTEM"]; set {
			out = append(out, f)
		} else {
			out = append(out, g.opt.SystemConfig)
		}
	}
	if f, set := env["GIT_CONFIG_GLOBAL"]; set {
		out = append(out, f)
	} else {
		if dir := g.xdgConfig(); dir != "" {
			out = append(out, path.Join(dir, "config"))
		}
		if g.opt.Home != "" {
			out = append(out, path.Join(g.opt.Home, ".gitconfig"))
		}
	}
	return out
}

// xdgConfig is git's directory below $XDG_CONFIG_HOME.
func (g *Git) xdgConfig() string {
	if dir := g.opt.Env["XDG_CONFIG_HOME"]; path.IsAbs(dir) {
		return path.Join(dir, "git")
	}
	if g.opt.Home != "" {
		return path.Join(g.opt.Home, ".config/git")
	}
	return ""
}

// lookHome looks at the directories of the person's own files from the top, down to one
// that is not there. A file system that remembers what a directory lacks then knows of
// the files without asking for each.
func (g *Git) lookHome() {
	dir := g.opt.Home
	rest, ok := strings.CutPrefix(g.xdgConfig(), dir+"/")
	for ok {
		info, err := g.lstat(dir)
		if ok = err == nil && info.Kind == world.Dir && rest != ""; ok {
			var name string
			name, rest, _ = strings.Cut(rest, "/")
			dir = join(dir, name)
		}
	}
}

func (l *configLoader) file(name string, depth int) {
	if !path.IsAbs(name) || depth > maxIncludeDepth || l.files >= maxConfigFiles {
		return
	}
	l.files++
	name = path.Clean(name)
	entries, info, _ := load(l.g, kindConfigFile, name, maxConfigFile, parseConfig)
	l.deps = append(l.deps, dep{name, stampOf(info)})
	for _, e := range entries {
		l.entry(e, path.Dir(name), depth)
	}
}

// entry adds an assignment, and what it includes after it. dir is the including
// file's directory, empty if it was no file.
func (l *configLoader) entry(e configEntry, dir string, depth int) {
	if len(l.out) >= maxConfigEntries {
		return
	}
	e.own = l.own
	l.out = append(l.out, e)
	if !strings.HasPrefix(e.key, "include") || e.bare || e.value == "" {
		return
	}
	if e.key != "include.path" {
		cond, ok := strings.CutPrefix(e.key, "includeif.")
		cond, isPath := strings.CutSuffix(cond, ".path")
		if !ok || !isPath || !l.holds(cond, dir) {
			return
		}
	}
	target := l.g.expandHome(e.value)
	if !path.IsAbs(target) {
		if dir == "" {
			return
		}
		target = path.Join(dir, target)
	}
	l.file(target, depth+1)
}

// expandHome resolves a leading ~/. Other users' homes are not looked up.
func (g *Git) expandHome(p string) string {
	if p == "~" {
		return g.opt.Home
	}
	if rest, ok := strings.CutPrefix(p, "~/"); ok && g.opt.Home != "" {
		return path.Join(g.opt.Home, rest) + dirSlash(rest)
	}
	return p
}

// dirSlash keeps the trailing slash that path.Join drops.
func dirSlash(p string) string {
	if strings.HasSuffix(p, "/") {
		return "/"
	}
	return ""
}

// holds decides an includeIf condition (git-config(1), "Conditional includes").
func (l *configLoader) holds(cond, dir string) bool {
	kind, pattern, ok := strings.Cut(cond, ":")
	switch {
	case !ok || len(pattern) > maxPath:
		return false
	case kind == "gitdir":
		return l.gitDirIs(pattern, dir, false)
	case kind == "gitdir/i":
		return l.gitDirIs(pattern, dir, true)
	case kind == "onbranch":
		if l.branch == nil {
			b := l.r.currentBranch()
			l.branch = &b
		}
		return *l.branch != "" && compileGlob(anyBelow(pattern), false).match(*l.branch)
	case kind == "hasconfig" && !l.inURLs:
		pattern, ok = strings.CutPrefix(pattern, "remote.*.url:")
		return ok && l.hasURL(pattern)
	}
	return false
}

func anyBelow(pattern string) string {
	if strings.HasSuffix(pattern, "/") {
		return pattern + "**"
	}
	return pattern
}

func (l *configLoader) gitDirIs(pattern, dir string, fold bool) bool {
	pattern = l.g.expandHome(pattern)
	prefix := ""
	switch rest, ok := strings.CutPrefix(pattern, "./"); {
	case ok && dir == "":
		return false
	case ok:
		real, err := l.g.realpath(dir)
		if err != nil {
			return false
		}
		prefix, pattern = strings.TrimSuffix(real, "/")+"/", rest
	case !path.IsAbs(pattern):
		pattern = "**/" + pattern
	}
	glob := compileGlob(anyBelow(pattern), fold)
	for _, real := range []bool{true, false} {
		text := l.r.gitDir
		if real {
			var err error
			if text, err = l.g.realpath(text); err != nil {
				continue
			}
		}
		if len(text) < len(prefix) {
			continue
		}
		head, rest := text[:len(prefix)], text[len(prefix):]
		if fold {
			head, prefix = asciiLower(head), asciiLower(prefix)
		}
		if head == prefix && glob.match(rest) {
			return true
		}
	}
	return false
}

// hasURL reports whether any remote URL, set anywhere, matches.
func (l *configLoader) hasURL(pattern string) bool {
	if l.urls == nil {
		sub := &configLoader{g: l.g, r: l.r, inURLs: true}
		sub.all()
		l.urls = []string{}
		for _, e := range sub.out {
			if strings.HasPrefix(e.key, "remote.") && strings.HasSuffix(e.key, ".url") {
				l.urls = append(l.urls, e.value)
			}
		}
	}
	glob := compileGlob(pattern, false)
	for _, u := range l.urls {
		if len(u) <= maxPath && glob.match(u) {
			return true
		}
	}
	return false
}

// envConfig reads GIT_CONFIG_COUNT and GIT_CONFIG_PARAMETERS (git(1), git-config(1)
// "ENVIRONMENT"); what is malformed is dropped, git would refuse to start.
func (g *Git) envConfig() []configEntry {
	var out []configEntry
	env := g.opt.Env
	if n, err := strconv.Atoi(env["GIT_CONFIG_COUNT"]); err == nil {
		for i := range min(n, 1000) {
			k, v := env["GIT_CONFIG_KEY_"+strconv.Itoa(i)], env["GIT_CONFIG_VALUE_"+strconv.Itoa(i)]
			if strings.Contains(k, ".") {
				out = append(out, configEntry{key: normalKey(k), value: v})
			}
		}
	}
	return append(out, parseParameters(env["GIT_CONFIG_PARAMETERS"])...)
}

// parseParameters reads 'key'='value' and the older 'key=value', separated by
// blanks, quoted as sq_quote does.
func parseParameters(s string) []configEntry {
	var out []configEntry
	for len(out) < 1000 {
		s = strings.TrimLeft(s, " \t\n")
		first, rest, ok := unquoteSingle(s)
		if !ok {
			return out
		}
		e := configEntry{key: first, bare: true}
		if after, ok := strings.CutPrefix(rest, "="); ok {
			e.bare, rest = false, after
			if strings.HasPrefix(rest, "'") {
				if e.value, rest, ok = unquoteSingle(rest); !ok {
					return out
				}
			}
		} else if k, v, ok := strings.Cut(first, "="); ok {
			e = configEntry{key: k, value: v}
		}
		if s = rest; strings.Contains(e.key, ".") {
			e.key = normalKey(e.key)
			out = append(out, e)
		}
	}
	return out
}

// unquoteSingle reads one '...' word in which ' is written '\” and ! as '\!'.
func unquoteSingle(s string) (word, rest string, ok bool) {
	var b strings.Builder
	for {
		if s, ok = strings.CutPrefix(s, "'"); !ok {
			return "", "", false
		}
		text, after, found := strings.Cut(s, "'")
		if !found {
			return "", "", false
		}
		b.WriteString(text)
		if len(after) < 3 || after[0] != '\\' || after[2] != '\'' {
			return b.String(), after, true
		}
		b.WriteByte(after[1])
		s = after[2:]
	}
}

// fresh reports whether every file an answer was made from is as it was.
func (g *Git) fresh(deps []dep) bool {
	for _, d := range deps {
		info, err := g.stat(d.path)
		if err != nil {
			info = world.Info{}
		}
		if stampOf(info) != d.stamp {
			return false
		}
	}
	return true
}
