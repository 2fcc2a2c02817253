package system

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/hooks/tree"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/gitstate"
	"github.com/heedsh/heed/risk"
)

// fdOptions are those options of fd(1) whose part in what it finds is understood, or
// that can only make it find less.
var fdOptions = []string{
	"-H", "--hidden", "--no-hidden", "-I", "--no-ignore", "--no-ignore-vcs", "--no-ignore-parent", "--no-global-ignore-file", "-u", "--unrestricted",
	"-s", "--case-sensitive", "-i", "--ignore-case", "-g", "--glob", "--regex", "-F", "--fixed-strings", "-a", "--absolute-path", "-L", "--follow",
	"-p", "--full-path", "-0", "--print0", "--prune", "-1", "--show-errors", "--strip-cwd-prefix", "--one-file-system", "--no-require-git",
	"-d=", "--max-depth=", "--min-depth=", "--exact-depth=", "-E=", "--exclude=", "-t=", "--type=", "-e=", "--extension=", "-S=", "--size=",
	"--changed-within=", "--changed-before=", "--newer=", "--older=", "-o=", "--owner=", "-j=", "--threads=", "--max-results=", "--color=never", "--color=auto",
	"--ignore-file=", "--search-path=", "--batch-size=",
}

// fdSeveral are the options of fd that can be given more than once, each counting.
var fdSeveral = [][2]string{{"-t", "--type"}, {"-e", "--extension"}, {"-E", "--exclude"}}

// A fdRead is one call of fd.
type fdRead struct {
	s      *catalog.Site
	given  map[string]string
	starts []string // none: the current directory
	match  func(name string) bool
	asked  bool // for some names
	types  []string
	exts   []string
	rules  []*gitstate.Rules
	exec   bool // a command gets the names
}

// fdReads reads the words of fd before those of a command; nil where not all of them
// are understood.
func fdReads(s *catalog.Site, exec bool) *fdRead {
	if s.World == nil || s.World.FS == nil || s.Dir == "" {
		return nil
	}
	args, more := fdCut(s.Args)
	f := &fdRead{s: s, exec: exec}
	several, args := fdTake(args)
	given, words, ok := site.Words(args, fdOptions...)
	if !ok {
		return nil
	}
	f.given = given
	words = append(words, more...)
	pattern := ""
	if len(words) > 0 {
		if pattern, ok = words[0].Known(); !ok {
			pattern = "" // any name may match
		}
		words = words[1:]
	}
	for _, w := range words {
		text, known := w.Known()
		if !known {
			return nil
		}
		f.starts = append(f.starts, text)
	}
	if dir, is := given["--search-path"]; is {
		f.starts = append(f.starts, dir)
	}
	if len(f.starts) > maxStarts {
		return nil
	}
	f.types, f.exts = several[0], several[1]
	f.match, f.asked = f.matcher(pattern), strings.Trim(pattern, "*.^$") != "" || len(f.exts) > 0
	if len(f.starts) <= 1 {
		for _, e := range several[2] {
			if r, ok := gitstate.ParseRules([]byte(e)); ok {
				f.rules = append(f.rules, r)
			}
		}
	}
	return f
}

// fdCut cuts the words of a command off, and returns those behind its semicolon too.
func fdCut(args []value.Value) (before, after []value.Value) {
	for i, a := range args {
		if text, _ := a.Known(); !slices.Contains([]string{"-x", "--exec", "-X", "--exec-batch"}, text) {
			continue
		}
		for j := i + 1; j < len(args); j++ {
			if site.IsLiteral(args[j], ";") {
				return args[:i], args[j+1:]
			}
		}
		return args[:i], nil
	}
	return args, nil
}

// fdTake takes the options out that can be given more than once, with their values.
func fdTake(args []value.Value) (values [3][]string, rest []value.Value) {
	for i := 0; i < len(args); i++ {
		text, _ := args[i].Known()
		taken := false
		for n, names := range fdSeveral {
			switch long := names[1] + "="; {
			case (text == names[0] || text == names[1]) && i+1 < len(args):
				v, _ := args[i+1].Known()
				values[n], taken = append(values[n], v), true
				i++
			case strings.HasPrefix(text, long):
				values[n], taken = append(values[n], text[len(long):]), true
			case strings.HasPrefix(text, names[0]) && !strings.HasPrefix(text, "--") && len(text) > 2:
				values[n], taken = append(values[n], strings.TrimPrefix(text[2:], "=")), true
			}
			if taken {
				break
			}
		}
		if !taken {
			rest = append(rest, args[i])
		}
	}
	return values, rest
}

func (f *fdRead) has(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { _, is := f.given[n]; return is })
}

// number is the value of one of some options; 0 where none is given, or several, of
// which the last counts.
func (f *fdRead) number(names ...string) (n int) {
	for _, name := range names {
		v, is := f.given[name]
		if is && n > 0 {
			return 0
		}
		if is {
			n, _ = strconv.Atoi(v)
		}
	}
	return n
}

// matcher is the test of a name, or of a whole path.
func (f *fdRead) matcher(pattern string) func(string) bool {
	anything := func(string) bool { return true }
	fold := f.has("-i", "--ignore-case") || !f.has("-s", "--case-sensitive") && !hasUpper(pattern)
	switch {
	case pattern == "":
		return anything
	case f.has("-F", "--fixed-strings"):
		pattern = regexp.QuoteMeta(pattern)
	case f.has("-g", "--glob"):
		if strings.ContainsAny(pattern, "{}") || f.has("-p", "--full-path") {
			return anything
		}
		match := fileMatcher(pattern, fold)
		return func(name string) bool { return match(name).yes }
	}
	re := looseRegexp(pattern, fold)
	if re == nil {
		return anything
	}
	return re.MatchString
}

// hasUpper reports whether a regular expression asks for a capital letter.
func hasUpper(pattern string) bool {
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '\\' {
			i++
			continue
		}
		if pattern[i] >= 'A' && pattern[i] <= 'Z' || pattern[i] >= 0x80 {
			return true
		}
	}
	return false
}

// looseRegexp is a regular expression of Rust's, which are nearly those of Go; nil
// where they may differ.
func looseRegexp(pattern string, fold bool) *regexp.Regexp {
	for _, odd := range []string{"&&", "--", "~~", "[[", "(?", `\W`, `\D`, `\S`, `\B`, `\p`, `\P`, `\u`, `\U`, `\<`, `\>`, `\h`, `\R`} {
		if strings.Contains(pattern, odd) {
			return nil
		}
	}
	if slices.ContainsFunc([]byte(pattern), func(c byte) bool { return c >= 0x80 }) {
		return nil
	}
	// Rust's classes have letters of all scripts: each byte beyond ASCII may be one.
	wide := strings.NewReplacer(`\\`, `\\`, `\w`, `[\w\x{80}-\x{10FFFF}]`, `\d`, `[\d\x{80}-\x{10FFFF}]`, `\s`, `[\s\x{80}-\x{10FFFF}]`, `\b`, `(?:\b|)`).Replace(pattern)
	if strings.Contains(pattern, "[") && wide != pattern { // a class within a class
		return nil
	}
	flags := "(?s"
	if fold {
		flags += "i"
	}
	re, err := regexp.Compile(flags + ")" + wide)
	if err != nil {
		return nil
	}
	return re
}

// walk returns what may be found below a start; ok is false where not all could be
// looked at.
func (f *fdRead) walk(start string) (names []string, ok bool) {
	w := tree.Walk{FS: f.s.World.FS, Spend: f.s.Walk, Above: !f.has("--no-ignore-parent"), Follow: f.has("-L", "--follow")}
	all := f.has("-u", "--unrestricted")
	w.Hidden = all || f.has("-H", "--hidden")
	if !all && !f.has("-I", "--no-ignore") {
		w.Ignore = []string{".fdignore", ".ignore", ".gitignore"}
		if f.has("--no-ignore-vcs", "--no-require-git") {
			w.Ignore = w.Ignore[:2]
		}
	}
	w.Max = f.number("-d", "--max-depth", "--exact-depth")
	least := f.number("--min-depth", "--exact-depth")
	full := site.Full(f.s, start)
	if i, err := world.Stat(w.FS, full); err != nil || i.Kind != world.Dir {
		return nil, err == nil
	}
	w.Visit = func(e *tree.Entry) bool {
		for _, r := range f.rules {
			if decided, keep := r.Decide(e.Path, e.Kind == world.Dir); decided && !keep {
				return false
			}
		}
		if e.Depth >= least && f.wants(e, &w) {
			if len(names) >= maxFound {
				w.Over = true
			}
			names = append(names, f.shown(start, e))
		}
		return true
	}
	w.From(full)
	return names, !w.Over
}

// wants reports whether an entry may be one that is asked for.
func (f *fdRead) wants(e *tree.Entry, w *tree.Walk) bool {
	name := path.Base(e.Path)
	if len(f.exts) > 0 && !slices.ContainsFunc(f.exts, func(ext string) bool {
		ext = "." + strings.TrimLeft(ext, ".")
		return len(name) > len(ext) && strings.EqualFold(name[len(name)-len(ext):], ext)
	}) {
		return false
	}
	if len(f.types) > 0 && !f.isType(e, w) {
		return false
	}
	if f.has("-p", "--full-path") {
		name = e.Full
	}
	return f.match(name)
}

// isType reports whether an entry may be of one of the types that are asked for
// (fd(1), "--type").
func (f *fdRead) isType(e *tree.Entry, w *tree.Walk) bool {
	is := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(f.types, n) })
	}
	files, dirs := is("f", "file"), is("d", "directory", "dir")
	empty, runs := is("e", "empty"), is("x", "executable")
	files = files || runs
	if empty && !files && !dirs {
		files, dirs = true, true
	}
	switch e.Kind {
	case world.Regular:
		i, err := world.Stat(w.FS, e.Full)
		return files && (err != nil || (!empty || i.Size == 0) && (!runs || i.Mode&0o111 != 0))
	case world.Dir:
		entries, err := w.FS.ReadDir(e.Full, 1)
		return dirs && (!empty || err == nil && len(entries) == 0)
	case world.Symlink:
		return is("l", "symlink")
	}
	return is("s", "socket", "p", "pipe", "b", "block-device", "c", "char-device")
}

// shown is a name as it is printed, or handed to a command.
func (f *fdRead) shown(start string, e *tree.Entry) string {
	name := e.Path
	switch {
	case f.has("-a", "--absolute-path"):
		name = e.Full
	case len(f.starts) > 0:
		name = strings.TrimRight(start, "/") + "/" + e.Path
	case (f.exec || f.has("-0", "--print0")) && !f.has("--strip-cwd-prefix"):
		name = "./" + e.Path
	}
	if e.Kind == world.Dir && !f.exec {
		name += "/"
	}
	return name
}

// fdFound tells what fd finds, file by file; it reports false where that is not known.
func fdFound(m *catalog.Match, s *catalog.Site, r *catalog.Result, command []value.Value) bool {
	if m.Help || s.Unread && len(command) == 0 || m.Has("text") && len(command) == 0 {
		return false
	}
	f := fdReads(s, len(command) > 0)
	if f == nil {
		return false
	}
	starts := f.starts
	if len(starts) == 0 {
		starts = []string{"."}
	}
	var names []string
	for _, start := range starts {
		more, ok := f.walk(start)
		if !ok {
			return false
		}
		names = append(names, more...)
	}
	for _, start := range starts {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: value.Lit(start), Arg: "path"})
	}
	taint := value.Found
	if f.asked {
		taint |= value.Picked
	}
	if len(command) > 0 {
		f.runs(r, command, starts[0], names, taint)
		return true
	}
	end := "\n"
	if f.has("-0", "--print0") {
		end = "\x00"
	}
	r.Prints = catalog.PrintsPaths
	if len(names) == 0 {
		none := value.Concat(site.NoneNow("fd", value.Lit(starts[0]), ""), value.Lit(end)).With(taint)
		r.Stdout = &none
		return true
	}
	r.Stdout = site.Names("fd", starts[0], names, end, taint)
	return true
}

// runs records the command of -x, which runs for each name, or of -X, which runs for
// many at once.
func (f *fdRead) runs(r *catalog.Result, command []value.Value, start string, names []string, taint value.Taint) {
	batch := slices.ContainsFunc(f.s.Args, func(v value.Value) bool {
		text, _ := v.Known()
		return text == "-X" || text == "--exec-batch"
	})
	most := maxEach
	if batch {
		most = site.MaxLines
	}
	var found []value.Value
	switch {
	case len(names) == 0:
		found = []value.Value{site.NoneNow("fd", value.Lit(start), "").With(taint)}
	case len(names) > most:
		found = []value.Value{site.Among("fd", value.Lit(start), "", names).With(taint)}
	default:
		for _, n := range names {
			found = append(found, value.Lit(n).With(taint))
		}
	}
	single := len(found) > 1 || found[0].IsKnown()
	if !batch {
		for _, v := range found {
			run := fdRun(command, v)
			run.Many = !single
			r.Runs = append(r.Runs, run)
		}
		return
	}
	run := catalog.Run{Kind: catalog.RunArgv, Many: !single}
	used := false
	for _, w := range command {
		for i, v := range found {
			one, did := fdWord(w, v)
			if !did && i > 0 {
				break
			}
			used = used || did
			run.Argv = append(run.Argv, one)
		}
	}
	if !used {
		run.Argv = append(run.Argv, found...)
	}
	r.Runs = append(r.Runs, run)
}

// fdWord puts a name in the place of the marks of a word: the name, its last element,
// its directory, and the first two without an extension (fd(1), "--exec").
func fdWord(w, name value.Value) (value.Value, bool) {
	word, above, plain := value.Of(value.Hole{Cause: risk.CauseMatch, Name: "fd", Shape: value.Word}), name, name
	short := word
	if text, known := name.Known(); known {
		base := path.Base(text)
		ext := path.Ext(base)
		if ext == base {
			ext = ""
		}
		word, above = value.Lit(base).With(name.Taint()), value.Lit(path.Dir(text)).With(name.Taint())
		plain, short = value.Lit(strings.TrimSuffix(text, ext)).With(name.Taint()), value.Lit(strings.TrimSuffix(base, ext)).With(name.Taint())
	}
	used := false
	for _, p := range []struct {
		mark string
		by   value.Value
	}{{"{}", name}, {"{.}", plain}, {"{//}", above}, {"{/}", word}, {"{/.}", short}} {
		var did bool
		w, did = site.ReplaceWord(w, p.mark, p.by)
		used = used || did
	}
	return w, used
}
