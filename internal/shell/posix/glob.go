package posix

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"
)

// Limits of pathname expansion.
const (
	maxMatches = 1000
	maxEntries = 20000
	maxPattern = 4096 // bytes of one element; names are shorter (PATH_MAX of Linux)
)

// quoteGlob escapes what would be special in a pattern.
func quoteGlob(s string) string {
	if !strings.ContainsAny(s, `*?[]\()|!+@<>^#~`) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(`*?[]\()|!+@<>^#~`, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// unquoteGlob removes the escapes of a pattern without metacharacters.
func unquoteGlob(p string) string {
	if !strings.Contains(p, `\`) {
		return p
	}
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		if p[i] == '\\' && i+1 < len(p) {
			i++
		}
		b.WriteByte(p[i])
	}
	return b.String()
}

// hasMeta reports whether a pattern has a metacharacter that is not escaped.
func hasMeta(p string) bool {
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '*', '?', '[':
			return true
		case '(':
			if i > 0 && strings.IndexByte("?*+@!", p[i-1]) >= 0 {
				return true
			}
		}
	}
	return false
}

// matcher compiles a pattern to a predicate on whole strings.
func matcher(p string) (func(string) bool, bool) { return compiled(p, false) }

// compiled does the same, for any case of letters if fold is set.
func compiled(p string, fold bool) (func(string) bool, bool) {
	if !hasMeta(p) {
		want := unquoteGlob(p)
		if fold {
			return func(s string) bool { return strings.EqualFold(s, want) }, true
		}
		return func(s string) bool { return s == want }, true
	}
	if p == "*" {
		return func(string) bool { return true }, true
	}
	mode := pattern.EntireString | pattern.ExtendedOperators
	if fold {
		mode |= pattern.NoGlobCase
	}
	src, err := pattern.Regexp(p, mode)
	var negated *pattern.NegExtGlobError
	switch {
	case errors.As(err, &negated) && len(negated.Groups) == 1:
		return without(p, negated.Groups[0], fold)
	case errors.As(err, &negated):
		return nil, false
	case err != nil: // no pattern: it stands for itself
		want := unquoteGlob(p)
		return func(s string) bool { return s == want }, true
	}
	re, err := regexp.Compile(src)
	if err != nil {
		return nil, false
	}
	return re.MatchString, true
}

// without compiles a pattern with one !(…), between literal text: all but what
// the list in it matches (bash(1), extglob).
func without(p string, group pattern.NegExtGlobGroup, fold bool) (func(string) bool, bool) {
	before, behind := p[:group.Start], p[group.End:]
	if fold || hasMeta(before) || hasMeta(behind) {
		return nil, false
	}
	listed, ok := compiled("@"+p[group.Start+1:group.End], false)
	if !ok {
		return nil, false
	}
	before, behind = unquoteGlob(before), unquoteGlob(behind)
	return func(s string) bool {
		inner, ok := strings.CutPrefix(s, before)
		if !ok {
			return false
		}
		inner, ok = strings.CutSuffix(inner, behind)
		return ok && !listed(inner)
	}, true
}

// patternOf evaluates a word as a pattern: what was quoted matches itself.
// known is false where the pattern has a hole.
func (e *evaluator) patternOf(st *shell.State, w *syntax.Word) patternText {
	f := splitter{e: e, st: st}
	old := st.Vars.Get("IFS")
	st.Vars.Set("IFS", shell.Var{}) // patterns are not split
	f.word(w)
	if old != nil {
		st.Vars.Set("IFS", *old)
	} else {
		st.Vars.Unset("IFS")
	}
	return patternText{text: f.pattern.String(), known: !f.hole}
}

type patternText struct {
	text  string
	known bool
}

// matchValue matches a value against a pattern.
func matchValue(p patternText, v value.Value, st *shell.State) shell.Status {
	if !p.known {
		return shell.Perhaps
	}
	if p.text == "*" {
		return shell.OK
	}
	match, ok := compiled(p.text, optionsOf(st).noCaseMatch)
	all, closed := v.Candidates(64)
	if !ok || !closed {
		return shell.Perhaps
	}
	if v.Taint().Has(value.Absent) {
		all = append(all, "")
	}
	yes := 0
	for _, s := range all {
		if match(s) {
			yes++
		}
	}
	switch yes {
	case 0:
		return shell.Failed
	case len(all):
		return shell.OK
	}
	return shell.Perhaps
}

// glob performs pathname expansion of a field. A pattern without a match stays
// as it is written, marked as a pattern; so does one that cannot be looked up.
func (e *evaluator) glob(st *shell.State, v value.Value, pat string) []shell.Word {
	text := v.String()
	literal := []shell.Word{{Value: v.FromPattern(text)}}
	only := qualified{}
	if st.Shell == "zsh" {
		pat, only = zshPattern(st, pat)
	}
	base := "/"
	if !strings.HasPrefix(pat, "/") {
		dir, known := st.Dir.Known()
		if !known {
			return literal
		}
		base = dir
	}
	g := globber{e: e, st: st, only: only, over: only.unknown && len(only.code) == 0}
	root := globRoot(base, pat, st.Shell == "zsh" && only.unknown)
	if b := st.Context.Bound(root); b != nil && strings.HasPrefix(pat, b.Target) { // of a container
		g.walk(st.Context.Real(b.Target), b.Target, false, strings.Split(strings.TrimLeft(pat[len(b.Target):], "/"), "/"))
	} else {
		g.walk(st.Context.Real(base), "", strings.HasPrefix(pat, "/"), strings.Split(strings.TrimLeft(pat, "/"), "/"))
	}
	if len(only.code) > 0 || len(only.orders) > 0 {
		e.qualifierCode(st, &only, root, g.found, g.over)
		g.over = g.over || only.unknown
	}
	switch {
	case g.over:
		if real, ok := world.Resolve(st.FS, root, true); ok {
			root = real
		}
		hole := value.Hole{Cause: risk.CauseMatch, Name: text, Shape: value.Below, Base: root}
		if only.unknown && len(only.code) == 0 && !only.dots && !g.dots() && plain(pat) {
			hole.Lists = value.Listing{Of: value.OfPlainFiles}
		}
		return e.qualifiedWords(st, &only, []shell.Word{{Value: value.Of(hole).FromPattern(text).With(v.Taint()), Many: true}})
	case len(g.found) == 0 && (optionsOf(st).nullGlob || only.null):
		return nil
	case len(g.found) == 0:
		return literal
	}
	g.ignore()
	out := make([]shell.Word, len(g.found))
	for i, name := range g.found {
		out[i] = shell.Word{Value: value.Lit(name).FromPattern(text).With(v.Taint() & secret)}
	}
	return e.qualifiedWords(st, &only, out)
}

// unlisted reports whether the shell cannot list a directory either, and finds
// no names in it: it may not, or there is none.
func (g *globber) unlisted(dir string, err error) bool {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return true
	}
	if errors.Is(err, world.ErrNotRead) && (strings.HasPrefix(dir+"/", "/proc/") || strings.HasPrefix(dir+"/", "/sys/")) {
		return true // of the kernel's own trees nothing is listed, and nothing in them is lost
	}
	i, err := g.st.FS.Lstat(dir)
	return err == nil && i.Kind != world.Dir
}

// globRoot is the directory below which all matches of a pattern are. In an
// extended one more characters than others are special.
func globRoot(base, pat string, extended bool) string {
	for _, element := range strings.Split(pat, "/") {
		if hasMeta(element) || extended && hasSpecial(element, "^#~<(|") {
			break
		}
		base = path.Join(base, unquoteGlob(element))
	}
	return base
}

type globber struct {
	e     *evaluator
	st    *shell.State
	found []string
	seen  int
	over  bool
	only  qualified
	// inside is set below the directory that ** began in.
	inside bool
}

// walk matches the remaining elements of a pattern below dir; written is the
// path so far as the shell would write it.
func (g *globber) walk(dir, written string, rooted bool, elements []string) {
	if g.over || len(elements) == 0 {
		return
	}
	element, rest := elements[0], elements[1:]
	join := func(name string) string {
		switch {
		case written == "" && rooted:
			return "/" + name
		case written == "":
			return name
		}
		return written + "/" + name
	}
	if element == "" && len(rest) > 0 {
		g.walk(dir, written, rooted, rest)
		return
	}
	if element == "" { // a trailing slash: only directories
		if written == "" && !rooted { // **/ finds no name for the directory that it begins in
			return
		}
		if i, err := world.Stat(g.st.FS, dir); err == nil && i.Kind == world.Dir {
			g.add(written + "/")
		}
		return
	}
	if !hasMeta(element) {
		name := unquoteGlob(element)
		next := path.Join(dir, name)
		if name == ".." { // of what the directory leads to
			if real, ok := world.Resolve(g.st.FS, dir, true); ok {
				next = path.Dir(real)
			}
		}
		if len(rest) > 0 {
			g.walk(next, join(name), rooted, rest)
		} else if i, err := g.st.FS.Lstat(next); err == nil && i.Kind != world.Missing {
			g.add(join(name))
		}
		return
	}
	deep := element == "**" && (optionsOf(g.st).globStar || g.st.Shell == "zsh" && len(rest) > 0)
	if len(element) > maxPattern {
		g.over = true
		return
	}
	match, ok := compiled(element, optionsOf(g.st).noCaseGlob)
	if !ok { // what it matches is not known
		g.over = true
		return
	}
	if !g.e.m.Spend(1) {
		return
	}
	resolved, ok := world.Resolve(g.st.FS, dir, true)
	if !ok {
		return
	}
	entries, err := g.st.FS.ReadDir(resolved, maxEntries)
	if !g.e.m.Spend(len(entries)/100) || err != nil {
		g.over = g.over || len(entries) > 0 || err != nil && !g.unlisted(resolved, err)
		return
	}
	if g.seen += len(entries); g.seen > maxEntries {
		g.over = true
		return
	}
	if deep && len(rest) > 0 {
		g.walk(dir, written, rooted, rest)
	}
	if deep && len(rest) == 0 && written != "" && !strings.HasSuffix(written, "/") && !g.inside {
		g.add(written + "/") // the directory itself (bash(1), globstar)
	}
	if deep {
		g.inside = true
	}
	if g.st.Shell == "sh" && strings.HasPrefix(element, ".") { // dash finds them, too
		for _, name := range []string{".", ".."} {
			if match(name) && len(rest) == 0 {
				g.add(join(name))
			}
		}
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name, ".") && !dotted(element) && !g.dots() && !g.only.dots {
			continue
		}
		if !match(entry.Name) {
			continue
		}
		next := path.Join(dir, entry.Name)
		if len(rest) == 0 && g.only.takes(entry.Kind) {
			g.add(join(entry.Name))
		}
		switch {
		case deep && entry.Kind == world.Dir:
			g.walk(next, join(entry.Name), rooted, elements)
		case len(rest) == 0:
		case !deep && (entry.Kind == world.Dir || entry.Kind == world.Symlink):
			g.walk(next, join(entry.Name), rooted, rest)
		}
	}
}

// dotted reports whether a pattern can match a dot in front: it begins with one, or with a
// list, which may hold one or match nothing before it (bash(1), "Pattern Matching").
func dotted(element string) bool {
	list := len(element) > 2 && element[1] == '(' && strings.IndexByte("?*+@", element[0]) >= 0
	return strings.HasPrefix(element, ".") || list && strings.Contains(element, ".")
}

// dots reports whether patterns match names with a dot in front: where bash is
// told which names to leave out, it finds those (bash(1), GLOBIGNORE).
func (g *globber) dots() bool {
	v := g.st.Vars.Get("GLOBIGNORE")
	return optionsOf(g.st).dotGlob || g.st.Shell == "bash" && v != nil && !v.Value.Empty()
}

// ignore leaves out the names that GLOBIGNORE has patterns for.
func (g *globber) ignore() {
	v := g.st.Vars.Get("GLOBIGNORE")
	if v == nil || g.st.Shell != "bash" {
		return
	}
	text, known := v.Value.Known()
	if !known || len(text) > maxPattern {
		return
	}
	for _, p := range strings.SplitN(text, ":", maxPathDirs) {
		if match, ok := matcher(p); ok && p != "" && g.e.m.Spend(1) {
			g.found = slices.DeleteFunc(g.found, match)
		}
	}
}

func (g *globber) add(name string) {
	if len(g.found) >= maxMatches {
		g.over = true
		return
	}
	g.found = append(g.found, name)
}
