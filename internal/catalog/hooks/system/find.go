package system

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// maxStarts bounds how many start paths of a search are told apart.
const maxStarts = 64

// maxFindTerms bounds how many words of an expression are evaluated for each of
// the start paths.
const maxFindTerms = 4096

// nameTests are the tests whose value is a name to look for (find(1)).
var nameTests = []string{"-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"}

// findArity is how many words follow a primary of the grammar.
func (f *findRun) findArity(name string) (n int, ok bool) {
	o := f.m.Node().Option(name)
	switch {
	case o == nil || slices.Contains(o.Sets, "start"):
		return 0, false
	case name == "-fprintf": // a file and a format
		return 2, true
	case o.Value != nil:
		return 1, true
	}
	return 0, true
}

// findRun is one reading of find's words.
type findRun struct {
	m      *catalog.Match
	r      *catalog.Result
	args   []value.Value
	starts []value.Value
	deletes,
	printsPaths, printsText, formats, acts bool
	format   value.Value // of -printf
	zero     bool        // -print0: names end in NUL
	negated  bool        // the next test is behind ! or -not
	name     string      // what -name asks for, "" for several
	several  bool        // -name asks for several
	deeper   bool        // -mindepth leaves the start paths themselves out
	follow   bool        // -L
	unsure   bool        // some of the words are not known
	asked    bool        // a test asks for files of some name
	prints   []int       // the numbers of -print and -print0 among the terms
	removes  []int       // those of -delete
	numbered int         // how many terms have a number
	terms    []findTerm
	commands []findCommand
	site     *catalog.Site
}

// A findCommand is what -exec and its kin run for what is found.
type findCommand struct {
	words  []value.Value
	inDir  bool // -execdir, -okdir: run where the file is
	many   bool // + ends it: run for many files at once
	number int  // of its term
}

// find reads the whole expression: what is deleted, written and run for every
// file that is found below the start paths.
func find(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	r.Unknowns = nil // what is no option where it stands is found here
	f := &findRun{m: m, r: r, args: s.Args, site: s}
	if f.help() {
		r.Prints = catalog.PrintsText
		return
	}
	f.readStarts()
	if tests := findTests(f.args); tests != "" {
		f.m.Bind("tests", value.Lit(tests))
	}
	for len(f.args) > 0 {
		f.primary()
	}
	if len(f.starts) == 0 {
		f.starts = []value.Value{value.Lit(".")}
	}
	if those, that, ok := f.picked(); ok {
		where, deep := f.levels()
		that = strings.TrimSpace(deep + that)
		f.m.Bind("those", value.Lit(those+where))
		if that != "" {
			f.m.Bind("that", value.Lit(that))
		}
	}
	f.record()
}

// findTests is an expression as it stands in a line, without what is done at last for all
// that it picks: that is told of by itself. A word that is not known is left open.
func findTests(words []value.Value) string {
	var tests []string
	for len(words) > 0 {
		n, act := findAction(words)
		if act == "" || n < len(words) && findOperator(words[n].Prefix()) || len(tests) > 0 && ofLastTerm(tests) {
			word, known := words[0].Known()
			if act != "" {
				word = act
			} else if !known {
				word = "…"
			}
			tests = append(tests, word)
		}
		words = words[n:]
	}
	text := strings.Join(tests, " ")
	if runes := []rune(text); len(runes) > maxFindTests {
		text = strings.TrimSpace(string(runes[:maxFindTests])) + "…"
	}
	return text
}

// maxFindTests is how much of an expression is told, in characters.
const maxFindTests = 60

// findAction is what stands first where that is an action, without what it is given, and
// how many words it has; "" and 1 for a test.
func findAction(words []value.Value) (n int, act string) {
	word, _ := words[0].Known()
	switch word {
	case "-exec", "-execdir", "-ok", "-okdir":
		for n = 1; n < len(words); n++ {
			if site.IsLiteral(words[n], ";") || site.IsLiteral(words[n], "+") && site.IsLiteral(words[n-1], "{}") {
				return n + 1, word + " …"
			}
		}
		return n, word + " …"
	case "-fprintf":
		return min(3, len(words)), word + " …"
	case "-printf", "-fprint", "-fprint0", "-fls":
		return min(2, len(words)), word + " …"
	case "-print", "-print0", "-ls", "-delete", "-quit":
		return 1, word
	}
	return 1, ""
}

// ofLastTerm reports whether an action behind some words is for a part of what they pick.
func ofLastTerm(words []string) bool {
	last := words[len(words)-1]
	return findOperator(last) || last != ")" && (slices.Contains(words, "-o") || slices.Contains(words, "-or"))
}

// findOperator reports whether a word joins or groups the terms of an expression.
func findOperator(word string) bool {
	switch word {
	case "-o", "-or", "-a", "-and", "!", "-not", ",", "(":
		return true
	}
	return false
}

func (f *findRun) help() bool {
	if len(f.args) == 0 {
		return false
	}
	text, _ := f.args[0].Known()
	switch text {
	case "-help", "--help", "-version", "--version":
		return true
	}
	return false
}

func (f *findRun) pop() value.Value {
	if len(f.args) == 0 {
		return value.Value{}
	}
	w := f.args[0]
	f.args = f.args[1:]
	return w
}

// readStarts takes the options that come first and the start paths.
func (f *findRun) readStarts() {
	for len(f.args) > 0 {
		text, known := f.args[0].Known()
		switch {
		case known && text == "-D", known && text == "-f": // -D debugopts; BSD -f path
			f.pop()
			if w := f.pop(); text == "-f" {
				f.starts = append(f.starts, w)
			}
		case known && (strings.HasPrefix(text, "-O") || text == "--" || findSwitches(text)):
			f.follow = (f.follow || strings.Contains(text, "L")) && !strings.HasPrefix(text, "-O") && !strings.Contains(text, "P")
			f.pop()
		default:
			f.startPaths()
			return
		}
	}
}

// findSwitches reports whether text is a cluster of options that stand before
// the start paths: -H -L -P, and -E -X -s -x -d of the BSDs.
func findSwitches(text string) bool {
	return len(text) > 1 && text[0] == '-' && strings.Trim(text[1:], "HLPEXsxd") == ""
}

func (f *findRun) startPaths() {
	if len(f.args) == 1 || len(f.args) > 1 && beginsExpression(f.args[1]) {
		if text, known := f.args[0].Known(); known && text == "" {
			f.r.Lacks = "“” names no file"
		}
	}
	for len(f.args) > 0 && !beginsExpression(f.args[0]) {
		w := f.pop()
		if len(f.starts) < maxStarts {
			f.starts = append(f.starts, w)
		} else {
			f.starts[maxStarts-1] = value.Unknown(risk.CauseOther, "find")
		}
	}
}

func beginsExpression(w value.Value) bool {
	text, known := w.Known()
	if known && (text == "(" || text == ")" || text == "!" || text == ",") {
		return true
	}
	p := w.Prefix()
	return len(p) > 1 && p[0] == '-'
}

// primary reads one test, action or operator.
func (f *findRun) primary() {
	w := f.pop()
	name, known := w.Known()
	if !known {
		f.r.Unknowns = append(f.r.Unknowns, risk.Unknown{What: w.String(), Role: risk.RoleOption})
		f.unsure = true
		return
	}
	negated := f.negated
	f.negated = name == "!" || name == "-not"
	term := findTerm{name: name}
	defer func() { f.term(&term) }()
	switch name {
	case "(", ")", "!", ",":
		return
	case "-exec", "-execdir", "-ok", "-okdir":
		f.acts = true
		f.numbered++
		term.runs = f.numbered
		f.command(name)
		return
	case "-print", "-print0", "-printf":
		f.numbered++
		term.runs = f.numbered
		f.prints = append(f.prints, term.runs)
	case "-delete":
		f.numbered++
		term.runs = f.numbered
		f.removes = append(f.removes, term.runs)
	}
	if name == "" || name[0] != '-' { // "paths must precede expression": find does nothing
		f.r.Fails = true
		if name != "" {
			f.r.Lacks = name + " stands behind its tests, where find takes no path"
		}
		return
	}
	n, ok := f.findArity(name)
	if !ok {
		f.r.Unknowns = append(f.r.Unknowns, risk.Unknown{What: name, Role: risk.RoleOption})
		f.unsure = true
		return
	}
	f.act(name)
	if name == "-depth" && len(f.args) > 0 { // BSD: -depth n
		if text, _ := f.args[0].Known(); text != "" && strings.Trim(text, "+-0123456789") == "" {
			f.pop()
		}
	}
	for i := range n {
		if v := f.pop(); i == 0 {
			term.arg = v
			if name == "-printf" {
				f.format = v
			}
			f.file(name, v)
			if text, ok := v.Known(); ok && slices.Contains(nameTests, name) {
				f.r.Sought = append(f.r.Sought, text)
				f.asked = f.asked || !negated && strings.Trim(path.Base(text), "*.") != ""
			}
			if text, ok := v.Known(); ok && !negated && (name == "-name" || name == "-iname") {
				if f.name, f.several = text, f.several || f.name != ""; f.several {
					f.name = "" // one of several
				}
			}
			if text, _ := v.Known(); name == "-mindepth" && strings.Trim(text, "0") != "" {
				f.deeper = true
			}
		}
	}
}

// term keeps a term of the expression, up to the bound.
func (f *findRun) term(t *findTerm) {
	if len(f.terms) < maxFindTerms || t.runs > 0 {
		f.terms = append(f.terms, *t)
	}
}

func (f *findRun) act(name string) {
	switch name {
	case "-print", "-print0":
		f.zero = f.zero || name == "-print0"
		f.acts, f.printsPaths = true, true
	case "-printf":
		f.acts, f.formats = true, true
	case "-ls":
		f.acts, f.printsText = true, true
	case "-fprint", "-fprint0", "-fls", "-fprintf", "-quit":
		f.acts = true
	case "-delete":
		f.acts, f.deletes = true, true
	}
}

// file records the primaries that open a file of their own.
func (f *findRun) file(name string, v value.Value) {
	switch name {
	case "-fprint", "-fprint0", "-fls", "-fprintf":
		if site.IsScreen(v) {
			f.printsText = true
			return
		}
		f.r.Effects = append(f.r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: v, Kind: risk.KindListOfFiles})
	case "-files0-from":
		if site.IsLiteral(v, "-") {
			f.r.ReadsStdin, f.r.ShowsStdin = true, true // what is no name comes out in errors
			f.starts = append(f.starts, value.Unknown(risk.CauseInput, "stdin"))
			return
		}
		f.r.Effects = append(f.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Shown: true})
		f.starts = append(f.starts, value.Unknown(risk.CauseFile, v.String()))
	}
}

// ended looks whether ; or + ends the words of -exec and its kin, which find fails
// without: one that the shell takes for its own never reaches it.
func (f *findRun) ended(name string, words []value.Value, many bool) {
	all := f.site.Args
	unknown := slices.ContainsFunc(words, func(v value.Value) bool { return !v.IsKnown() })
	if !many && len(f.args) == 0 && !unknown && len(all) > 0 && !site.IsLiteral(all[len(all)-1], ";") {
		f.r.Lacks = name + " is not ended by ; or {} +"
	}
}

// command takes the words of -exec up to ";", or to "+" after "{}".
func (f *findRun) command(name string) {
	inDir := strings.HasSuffix(name, "dir")
	var words []value.Value
	many := false
	for len(f.args) > 0 {
		w := f.pop()
		if many = site.IsLiteral(w, "+") && len(words) > 0 && site.IsLiteral(words[len(words)-1], "{}"); many || site.IsLiteral(w, ";") {
			break
		}
		words = append(words, w)
	}
	f.ended(name, words, many)
	if len(words) > 0 {
		f.commands = append(f.commands, findCommand{words: words, inDir: inDir, many: many, number: f.numbered})
	}
}

// record turns what was read into effects.
func (f *findRun) record() {
	var out value.Builder
	if len(f.terms) >= maxFindTerms { // without its tests, an expression holds for the start paths too
		f.terms = slices.DeleteFunc(f.terms, func(t findTerm) bool { return t.runs == 0 })
		f.unsure = true
	}
	before := len(f.r.Effects) + len(f.r.Runs) + len(f.starts)
	for _, start := range f.starts {
		f.m.Bind("path", start)
		f.r.Effects = append(f.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: start, Arg: "path"})
		var found map[int][]string
		name, listed := start.Known()
		listed = listed && (f.deletes || len(f.commands) > 0 || !f.site.Unread)
		if listed {
			found, listed = f.search(name)
		}
		if listed {
			f.listed(start, found, &out)
		} else {
			f.below(start, &out)
		}
	}
	f.nothing(before)
	paths := out.Value()
	if paths.Empty() && len(f.starts) > 0 {
		paths = value.Concat(f.none(f.starts[0]), value.Lit(f.end()))
	}
	f.r.Prints = catalog.PrintsText
	switch {
	case f.formats:
		f.formatted(paths)
	case f.printsText:
		text := value.Unknown(risk.CauseOutput, "find")
		f.r.Stdout = &text
	case f.printsPaths || !f.acts:
		f.r.Prints = catalog.PrintsPaths
		f.r.Stdout = &paths
	}
}

// end is what stands behind each name that is printed.
func (f *findRun) end() string {
	if f.zero {
		return "\x00"
	}
	return "\n"
}

// below records what is done for what may be found below a start path, where
// that is not known.
func (f *findRun) below(start value.Value, out *value.Builder) {
	if f.deletes {
		f.r.Effects = append(f.r.Effects, catalog.Effect{
			Verb: risk.FSDelete, Target: start, Arg: "path", Recursive: true, Many: true, Kind: risk.KindFind,
		})
	}
	found := site.MatchedBelow("find", start, f.name)
	self := found
	var reached map[int]bool
	if !f.deeper {
		reached = startReaches(f.terms, start)
		self = site.OrItself(found)
	}
	for _, c := range f.commands {
		what := found
		if reached[c.number] {
			what = self
		}
		f.r.Runs = append(f.r.Runs, f.run(&c, start, what))
		if c.inDir && reached[c.number] && site.IsDirectory(f.site, start) {
			f.above(&c, start)
		}
	}
	if reached[0] && !f.acts || slices.ContainsFunc(f.prints, func(n int) bool { return reached[n] }) {
		out.Add(self)
	} else {
		out.Add(found)
	}
	out.WriteString(f.end())
}

// run is a command for what is found below start. That of -execdir runs in the
// directory that holds the file (find(1)): in start, for what lies in it.
func (f *findRun) run(c *findCommand, start, found value.Value) catalog.Run {
	dir, known := start.Known()
	if !c.inDir || !known || f.site.Dir == "" || path.Clean(dir) == "." {
		return forEach(c.words, "{}", found)
	}
	if !path.IsAbs(dir) {
		dir = path.Join(f.site.Dir, dir)
	}
	h := *found.Holes()[0]
	h.Base = dir
	if !site.IsDirectory(f.site, start) {
		dir = path.Dir(dir)
	}
	where := value.Lit(dir)
	run := forEach(c.words, "{}", value.Of(h).With(found.Taint()))
	run.Dir = &where
	return run
}

// above runs the command of -execdir for a start path itself: beside it.
func (f *findRun) above(c *findCommand, start value.Value) {
	name, known := start.Known()
	if !known || f.site.Dir == "" || path.Clean(name) == "." {
		return
	}
	if !path.IsAbs(name) {
		name = path.Join(f.site.Dir, name)
	}
	where := value.Lit(path.Dir(name))
	run := forEach(c.words, "{}", value.Lit("./"+path.Base(name)))
	run.Dir = &where
	f.r.Runs = append(f.r.Runs, run)
}

// forEach is a command that runs for each of many names, with the name in
// place of every mark.
func forEach(words []value.Value, mark string, name value.Value) catalog.Run {
	run := catalog.Run{Kind: catalog.RunArgv, Many: true}
	for _, w := range words {
		w, _ = site.ReplaceWord(w, mark, name)
		run.Argv = append(run.Argv, w)
	}
	return run
}

// fd searches below the paths given and runs its command for every hit; a
// command without a placeholder gets the path as its last word (fd(1)).
func fd(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	command := m.Values("command")
	starts := append(m.Values("path"), m.Values("search")...)
	for i, w := range command {
		if site.IsLiteral(w, ";") {
			starts = append(starts, command[i+1:]...)
			command = command[:i]
			break
		}
	}
	r.Runs = nil
	if fdFound(m, s, r, command) {
		return
	}
	if base, ok := m.Value("base"); ok && len(starts) == 0 {
		starts = append(starts, base)
	}
	if len(starts) == 0 {
		starts = append(starts, value.Lit("."))
	}
	starts = starts[:min(len(starts), maxStarts)]
	var out value.Builder
	for _, start := range starts {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: start, Arg: "path"})
		found := site.MatchedBelow("fd", start, "")
		if !m.Has("hidden") && found.Holes()[0].Shape == value.Below {
			h := *found.Holes()[0]
			h.Lists = value.Listing{Of: value.OfPlainFiles}
			found = value.Of(h).With(found.Taint())
		}
		if len(command) > 0 {
			r.Runs = append(r.Runs, fdRun(command, found))
		}
		out.Add(found)
		out.WriteString("\n")
	}
	if len(command) == 0 && !m.Has("text") {
		paths := out.Value()
		r.Prints, r.Stdout = catalog.PrintsPaths, &paths
	}
}

func fdRun(command []value.Value, found value.Value) catalog.Run {
	run := catalog.Run{Kind: catalog.RunArgv, Many: true}
	used := false
	for _, w := range command {
		w, did := fdWord(w, found)
		used = used || did
		run.Argv = append(run.Argv, w)
	}
	if !used {
		run.Argv = append(run.Argv, found)
	}
	return run
}
