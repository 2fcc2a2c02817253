package system

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/hooks/tree"
	"github.com/heedsh/heed/internal/pure"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/gitstate"
)

// Bounds of looking into files for a pattern, for one command; a file that is not
// looked into may have it.
const (
	maxSearched    = 1000
	maxSearchBytes = 4 << 20
)

// A searchRead is one call of a program that names the files with lines that match.
type searchRead struct {
	s       *catalog.Site
	program string
	given   map[string]string
	starts  []string // none: the current directory
	has     func(data []byte) (match, known bool)
	without bool // names those that have none
	word    bool // what it looks for is a word
	named   bool // somebody wrote the names that are searched
	end     string
	files   int // looked into
	bytes   int
}

// grepOptions are the options of GNU grep whose part in which files it names is
// understood. Those that choose the language of the pattern go on to whoever looks
// for it.
var grepOptions = []string{
	"-l", "--files-with-matches", "-L", "--files-without-match", "-r", "--recursive", "-R", "--dereference-recursive", "-s", "--no-messages", "-Z", "--null",
	"-E", "--extended-regexp", "-F", "--fixed-strings", "-G", "--basic-regexp", "-P", "--perl-regexp", "-i", "--ignore-case", "-y", "--no-ignore-case", "-w", "--word-regexp", "-x", "--line-regexp", "-v", "--invert-match",
	"-n", "--line-number", "-H", "--with-filename", "-h", "--no-filename", "-a", "--text", "-I", "-o", "--only-matching", "-c", "--count",
	"-m=", "--max-count=", "-d=", "--directories=", "-D=", "--devices=", "-e=", "--regexp=", "-f=", "--file=", "--exclude-from=", "--color=never", "--color=auto", "--binary-files=",
}

// grepSeveral are the options of grep that can be given more than once, each counting.
var grepSeveral = []string{"--include", "--exclude", "--exclude-dir"}

// grepNames tells which files grep -l and -L name: those that it looks into and that
// have, or may have, what it looks for.
func grepNames(s *catalog.Site, r *catalog.Result) bool {
	if s.World == nil || s.World.FS == nil || s.Dir == "" {
		return false
	}
	globs, args := takeValues(s.Args, grepSeveral)
	given, words, ok := site.Words(args, grepOptions...)
	is := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { _, is := given[n]; return is })
	}
	with, without := is("-l", "--files-with-matches"), is("-L", "--files-without-match")
	if !ok || with == without { // of both the last counts
		return false
	}
	f := &searchRead{s: s, program: "grep", given: given, without: without, end: "\n"}
	if is("-Z", "--null") {
		f.end = "\x00"
	}
	if !is("-e", "--regexp", "-f", "--file") {
		if len(words) == 0 {
			return false
		}
		words = words[1:]
	}
	if !f.reads(words) {
		return false
	}
	deep := is("-r", "--recursive", "-R", "--dereference-recursive") || strings.HasPrefix(given["-d"]+given["--directories"], "rec")
	if len(f.starts) == 0 && !deep {
		return false
	}
	f.has = f.grepFinds(globs)
	w := tree.Walk{FS: s.World.FS, Spend: s.Walk, Hidden: true, Follow: is("-R", "--dereference-recursive")}
	return f.tell(r, &w, deep, func(e *tree.Entry) bool { return grepTakes(globs, e) })
}

// takeValues takes options out that can be given more than once, with their values.
func takeValues(args []value.Value, names []string) (values map[string][]string, rest []value.Value) {
	values = map[string][]string{}
	for i := 0; i < len(args); i++ {
		text, _ := args[i].Known()
		name, val, attached := strings.Cut(text, "=")
		switch {
		case !slices.Contains(names, name):
			rest = append(rest, args[i])
		case attached:
			values[name] = append(values[name], val)
		case i+1 < len(args):
			i++
			val, _ := args[i].Known()
			values[name] = append(values[name], val)
		}
	}
	return values, rest
}

// grepTakes reports whether grep may look into a file, or go into a directory, below
// what it was given (grep(1), "--include").
func grepTakes(globs map[string][]string, e *tree.Entry) bool {
	matches := func(patterns []string) (may, must bool) {
		for _, p := range patterns {
			t := fileMatches(strings.TrimSuffix(p, "/"), path.Base(e.Path), false)
			may, must = may || t.yes, must || !t.no
		}
		return may, must
	}
	if e.Kind == world.Dir {
		_, out := matches(globs["--exclude-dir"])
		return !out
	}
	_, out := matches(globs["--exclude"])
	in, _ := matches(globs["--include"])
	if len(globs["--include"]) == 0 {
		return !out
	}
	return in // of both, that which comes last decides: it may be
}

// grepFinds is the search of grep itself, computed for one file at a time.
func (f *searchRead) grepFinds(globs map[string][]string) func([]byte) (bool, bool) {
	known := func(v value.Value) bool { _, ok := v.Known(); return ok }
	var args []string
	_, plain := takeValues(f.s.Args, grepSeveral)
	for _, a := range plain {
		if !known(a) {
			return nil
		}
		text, _ := a.Known()
		args = append(args, text)
	}
	argv := grepArgv(args, len(f.starts))
	f.word = len(argv) > 0 && isWord(argv[len(argv)-1]) && slices.IndexFunc(argv, func(a string) bool { return a == "-e" }) == len(argv)-2 && !slices.Contains(argv, "-v") && !slices.Contains(argv, "--invert-match")
	if argv == nil || len(globs) > 0 && slices.Contains(argv, "-f") {
		return nil
	}
	if plain := []string{"grep", "-q", "-a", "-e"}; f.word && slices.Equal(argv[:len(argv)-1], plain) {
		word := []byte(argv[len(argv)-1])
		return func(data []byte) (bool, bool) { return bytes.Contains(data, word), true }
	}
	return func(data []byte) (bool, bool) {
		out, ok := pure.Run(pure.Input{Argv: argv, Stdin: data, HasStdin: true, Dir: f.s.Dir})
		return out.Status == 0, ok
	}
}

// grepArgv is a grep -q for the same lines of its input; nil where that is not known.
func grepArgv(args []string, files int) []string {
	given, words, ok := site.Words(literalWords(args), grepOptions...)
	if !ok {
		return nil
	}
	out := []string{"grep", "-q", "-a"}
	for _, name := range []string{"-E", "--extended-regexp", "-F", "--fixed-strings", "-G", "--basic-regexp", "-i", "--ignore-case", "-y", "-w", "--word-regexp", "-x", "--line-regexp", "-v", "--invert-match"} {
		if _, is := given[name]; is {
			out = append(out, name)
		}
	}
	for _, name := range []string{"-P", "--perl-regexp", "-f", "--file", "--no-ignore-case"} {
		if _, is := given[name]; is {
			return nil
		}
	}
	patterns := 0
	for i, a := range args {
		switch {
		case (a == "-e" || a == "--regexp") && i+1 < len(args):
			out, patterns = append(out, "-e", args[i+1]), patterns+1
		case strings.HasPrefix(a, "--regexp="):
			out, patterns = append(out, "-e", a[len("--regexp="):]), patterns+1
		}
	}
	if _, e := given["-e"]; e || given["--regexp"] != "" {
		if patterns == 0 { // in a cluster of letters
			return nil
		}
		return out
	}
	if len(words) <= files {
		return nil
	}
	text, _ := words[0].Known()
	return append(out, "-e", text)
}

func literalWords(args []string) []value.Value {
	out := make([]value.Value, len(args))
	for i, a := range args {
		out[i] = value.Lit(a)
	}
	return out
}

// reads takes the paths that are searched.
func (f *searchRead) reads(words []value.Value) bool {
	for _, w := range words {
		text, known := w.Known()
		if !known || text == "-" || len(f.starts) >= maxWords {
			return false
		}
		f.starts = append(f.starts, text)
		t := w.Taint()
		f.named = !t.Has(value.Found) || t.Has(value.Picked)
	}
	return true
}

// tell walks what is searched and says which names are printed.
func (f *searchRead) tell(r *catalog.Result, w *tree.Walk, deep bool, takes func(*tree.Entry) bool) bool {
	var names []string
	start := ""
	add := func(e *tree.Entry) {
		name := e.Path
		if start != "" {
			name = strings.TrimRight(start, "/") + "/" + e.Path
		}
		if len(names) >= maxFound {
			w.Over = true
		}
		if f.may(e.Full) {
			names = append(names, name)
		}
	}
	w.Visit = func(e *tree.Entry) bool {
		if !takes(e) {
			return false
		}
		if e.Kind == world.Regular {
			add(e)
		}
		return true
	}
	starts := f.starts
	if len(starts) == 0 {
		starts = []string{""}
	}
	for _, start = range starts {
		full := site.Full(f.s, start)
		if start == "" {
			full = f.s.Dir
		}
		i, err := world.Stat(w.FS, full)
		switch {
		case err != nil:
			return false
		case i.Kind == world.Dir && deep:
			w.From(full)
		case i.Kind != world.Dir && i.Kind != world.Missing && f.may(full):
			names = append(names, start)
		}
		if w.Over {
			return false
		}
	}
	from := starts[0]
	if from == "" {
		from = "."
	}
	taint := value.Found
	if f.named && !deep {
		taint |= value.Picked
	}
	if len(names) == 0 {
		none := value.Concat(site.NoneNow(f.program, value.Lit(from), ""), value.Lit(f.end)).With(taint)
		r.Stdout = &none
		return true
	}
	r.Prints, r.Stdout = catalog.PrintsPaths, site.Names(f.program, from, names, f.end, taint)
	return true
}

// may reports whether a file may be one that is named.
func (f *searchRead) may(full string) bool {
	if f.has == nil || f.s.Read == nil || f.files >= maxSearched || f.bytes >= maxSearchBytes {
		return true
	}
	if f.word && packed(full) { // compressed: no word is in there
		return f.without
	}
	f.files++
	data, err := f.s.Read(full)
	if err != nil {
		return true
	}
	f.bytes += len(data)
	match, known := f.has(data)
	return !known || match != f.without
}

// isWord reports whether a pattern is letters that stand for themselves, and not only
// one or two of them.
func isWord(pattern string) bool {
	return len(pattern) > 2 && !strings.ContainsFunc(pattern, func(r rune) bool {
		return !strings.ContainsRune("_- /:=", r) && (r < '0' || r > 'z' || r > '9' && r < 'A' || r > 'Z' && r < 'a')
	})
}

// packed reports whether a file is an object of a repository.
func packed(full string) bool { return strings.Contains(full, "/.git/objects/") }

// rgOptions are the options of ripgrep whose part in which files it names is
// understood, or that can only make it name fewer.
var rgOptions = []string{
	"-l", "--files-with-matches", "--files-without-match", "--files", "-0", "--null", "-n", "--line-number", "-N", "--no-line-number", "-H", "--with-filename", "-I", "--no-filename",
	"-.", "--hidden", "--no-hidden", "--no-ignore", "--no-ignore-vcs", "--no-ignore-dot", "--no-ignore-parent", "--no-ignore-exclude", "--no-ignore-global", "--no-ignore-files", "--no-ignore-messages", "--no-messages",
	"-u", "--unrestricted", "-L", "--follow", "-i", "--ignore-case", "-s", "--case-sensitive", "-S", "--smart-case", "-F", "--fixed-strings", "-w", "--word-regexp", "-x", "--line-regexp", "-v", "--invert-match",
	"-U", "--multiline", "-P", "--pcre2", "-a", "--text", "--binary", "--no-heading", "--heading", "--no-config", "--one-file-system", "--sort-files", "--no-require-git", "-c", "--count", "-o", "--only-matching",
	"-e=", "--regexp=", "-f=", "--file=", "-t=", "--type=", "-T=", "--type-not=", "-m=", "--max-count=", "-d=", "--max-depth=", "--maxdepth=", "--max-filesize=", "-j=", "--threads=", "--sort=", "--sortr=", "--color=never", "--color=auto", "--ignore-file=", "-E=", "--encoding=", "--iglob=",
}

// RipgrepNames tells which files rg -l and --files name.
func RipgrepNames(s *catalog.Site, r *catalog.Result) bool {
	if s.World == nil || s.World.FS == nil || s.Dir == "" || s.Unread {
		return false
	}
	if s.Env != nil {
		if v, set, _ := s.Env("RIPGREP_CONFIG_PATH"); set && !v.Empty() {
			return false
		}
	}
	globs, args := takeGlobs(s.Args)
	given, words, ok := site.Words(args, rgOptions...)
	is := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { _, is := given[n]; return is })
	}
	f := &searchRead{s: s, program: "rg", given: given, end: "\n"}
	with, without := is("-l", "--files-with-matches"), is("--files-without-match")
	if !ok || !with && !without && !is("--files") || with && without { // of both the last counts
		return false
	}
	f.without = without && !is("--files")
	if is("-0", "--null") {
		f.end = "\x00"
	}
	var pattern value.Value
	known := false
	switch {
	case is("--files"):
	case is("-e", "--regexp", "-f", "--file"): // there may be several
	case len(words) == 0:
		return false
	default:
		pattern, words, known = words[0], words[1:], true
	}
	if !f.reads(words) || len(f.starts) == 0 && s.HasStdin && !is("--files") {
		return false
	}
	if text, plain := pattern.Known(); known && plain {
		f.has = rgFinds(text, is)
	}
	w := rgWalk(s, given, is)
	rgOverride(w, globs, len(f.starts) > 0)
	return f.tell(r, w, true, func(*tree.Entry) bool { return true })
}

// rgWalk is how ripgrep walks, as far as its options say (rg(1), "--unrestricted").
func rgWalk(s *catalog.Site, given map[string]string, is func(...string) bool) *tree.Walk {
	w := &tree.Walk{FS: s.World.FS, Spend: s.Walk, Above: !is("--no-ignore-parent"), Follow: is("-L", "--follow"), Hidden: is("-.", "--hidden")}
	loose := 0
	for _, a := range s.Args {
		if text := a.Prefix(); text == "--unrestricted" {
			loose++
		} else if strings.HasPrefix(text, "-u") {
			loose += strings.Count(text, "u")
		}
	}
	w.Hidden = w.Hidden || loose > 1 || is("-u", "--unrestricted") && loose == 0
	if !is("--no-ignore", "-u", "--unrestricted") {
		w.Ignore = []string{".rgignore", ".ignore", ".gitignore"}
		if is("--no-ignore-vcs", "--no-ignore-exclude", "--no-require-git") {
			w.Ignore = w.Ignore[:2]
		}
		if is("--no-ignore-dot") {
			w.Ignore = w.Ignore[2:]
		}
	}
	for _, name := range []string{"-d", "--max-depth", "--maxdepth"} {
		if v, is := given[name]; is {
			w.Max, _ = strconv.Atoi(v)
		}
	}
	return w
}

// takeGlobs takes the globs of ripgrep out.
func takeGlobs(args []value.Value) (globs []string, rest []value.Value) {
	for i := 0; i < len(args); i++ {
		text, _ := args[i].Known()
		switch {
		case (text == "-g" || text == "--glob") && i+1 < len(args):
			i++
			v, known := args[i].Known()
			if !known {
				v = "*"
			}
			globs = append(globs, v)
		case strings.HasPrefix(text, "--glob="):
			globs = append(globs, text[len("--glob="):])
		case strings.HasPrefix(text, "-g"):
			globs = append(globs, strings.TrimPrefix(text[2:], "="))
		default:
			rest = append(rest, args[i])
		}
	}
	return globs, rest
}

// rgOverride is what globs say of an entry: the last that matches decides, and where
// one asks for names, files that none does are left out (rg(1), "--glob"). They are
// counted from the current directory.
func rgOverride(w *tree.Walk, globs []string, below bool) {
	wanted := slices.ContainsFunc(globs, func(g string) bool { return !strings.HasPrefix(g, "!") })
	odd := slices.ContainsFunc(globs, func(g string) bool {
		return strings.ContainsAny(g, "{}") || below && strings.Contains(strings.TrimSuffix(g, "/"), "/")
	})
	turned := make([]string, len(globs))
	for i, g := range globs {
		if rest, not := strings.CutPrefix(g, "!"); not {
			turned[i] = rest
		} else {
			turned[i] = "!" + g
		}
	}
	rules, ok := gitstate.ParseRules([]byte(strings.Join(turned, "\n")))
	switch {
	case len(globs) == 0:
	case odd || !ok:
		if wanted { // what is asked for is found wherever it hides
			w.Hidden, w.Ignore = true, nil
		}
	default:
		w.Override = func(e *tree.Entry) (decided, keep bool) {
			if decided, keep = rules.Decide(e.Path, e.Kind == world.Dir); decided {
				return decided, keep
			}
			return wanted && e.Kind != world.Dir, false
		}
	}
}

// rgFinds is the search of ripgrep in one file; nil where that is not known.
func rgFinds(pattern string, is func(...string) bool) func([]byte) (bool, bool) {
	if is("-v", "--invert-match", "-U", "--multiline", "-P", "--pcre2") {
		return nil
	}
	fold := is("-i", "--ignore-case") || is("-S", "--smart-case") && !hasUpper(pattern)
	if is("-F", "--fixed-strings") {
		pattern = regexp.QuoteMeta(pattern)
	}
	switch {
	case strings.Contains(pattern, "\n"), strings.Contains(pattern, `\A`), strings.Contains(pattern, `\z`):
		return nil
	case is("-x", "--line-regexp"):
		pattern = "^(" + pattern + ")$"
	case is("-w", "--word-regexp"):
		pattern = `(^|[^0-9A-Za-z_])(` + pattern + `)([^0-9A-Za-z_]|$)`
	}
	re := looseRegexp(pattern, fold)
	if re == nil {
		return nil
	}
	lines, err := regexp.Compile("(?m" + strings.TrimPrefix(re.String(), "(?s"))
	if err != nil {
		return nil
	}
	return func(data []byte) (bool, bool) {
		odd := len(data) > 1 && (data[0] == 0xff && data[1] == 0xfe || data[0] == 0xfe && data[1] == 0xff) // UTF-16
		return lines.Match(data), !odd
	}
}
