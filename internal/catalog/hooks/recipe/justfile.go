package recipe

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// A justfile is what `just` runs recipes of (The Just Programmer's Manual).
type justfile struct {
	site     *catalog.Site
	dir      string // where recipes run
	home     string // where the file is
	recipes  map[string]*justRecipe
	first    string // the recipe that runs if none is named
	aliases  map[string]string
	exprs    map[string]string      // variables, as they are written
	values   map[string]value.Value // variables that were evaluated, and overrides
	exported []string
	shell    []string
	script   []string
	exports  bool // set export: every variable
	args     bool // set positional-arguments
	partial  bool // more of it is in other files
	runs     []catalog.Run
	done     map[string]bool // recipes that ran, with their arguments
	calls    int
}

type justRecipe struct {
	name       string
	params     []justParam
	deps       []justCall
	after      []justCall // behind &&
	body       []string
	script     bool // [script]
	elsewhere  bool // [no-cd]
	unreadable bool
}

type justParam struct {
	name, otherwise string
	has             bool // a default
	variadic        bool
	exported        bool
}

// A justCall is a dependency: a recipe with expressions for its parameters.
type justCall struct {
	name string
	args []string
}

// just reads the justfile and adds what its recipes run. What is not
// understood leaves "runs code of this project, not inspected" standing.
func just(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") || m.Has("list") || m.Has("init") || len(m.Values("command")) > 0 {
		return
	}
	var words []value.Value
	words = append(words, m.Values("recipe")...)
	words = append(words, m.Values("args")...)
	e := catalog.Effect{Verb: risk.ExecProject, Target: value.Lit("the justfile")}
	f := readJustfile(m, s)
	if f != nil {
		if name, ok := site.KnownValue(m, "set"); ok && len(words) > 0 { // --set NAME VALUE
			f.values[name] = words[0]
			words = words[1:]
		}
		words = f.overrides(words)
	}
	if len(words) > 0 {
		e.Target = words[0]
	}
	if f != nil && !m.Has("choose") && !m.Has("edit") && f.goals(words) {
		e.Kind = risk.KindInspectedScript
	}
	r.Effects = append(r.Effects, e)
	if f != nil {
		r.Runs = append(r.Runs, f.runs...)
	}
}

func newJustfile(s *catalog.Site) *justfile {
	return &justfile{
		site: s, recipes: map[string]*justRecipe{}, aliases: map[string]string{}, exprs: map[string]string{}, values: map[string]value.Value{},
		shell: []string{"sh", "-cu"}, script: []string{"sh", "-eu"}, done: map[string]bool{},
	}
}

// readJustfile finds the justfile as just does: here, or in the next directory
// above that has one.
func readJustfile(m *catalog.Match, s *catalog.Site) *justfile {
	dir := s.Dir
	f := newJustfile(s)
	if given, ok := site.KnownValue(m, "justfile"); ok {
		text, ok := site.SiteFile(s, value.Lit(given))
		if !path.IsAbs(given) {
			given = path.Join(dir, given)
		}
		f.home = path.Dir(given)
		if !ok {
			return nil
		}
		f.read(text)
	} else if !f.find(dir) {
		return nil
	}
	if f.dir == "" {
		f.dir = f.home
	}
	if given, ok := site.KnownValue(m, "dir"); ok {
		f.dir = given
		if !path.IsAbs(given) {
			f.dir = path.Join(dir, given)
		}
	}
	return f
}

func (f *justfile) find(dir string) bool {
	if f.site.World == nil || f.site.World.FS == nil || !path.IsAbs(dir) {
		return false
	}
	for range manifestClimb {
		for _, name := range []string{"justfile", ".justfile", "Justfile"} {
			if info, err := f.site.World.FS.Lstat(path.Join(dir, name)); err != nil || info.Kind == world.Missing {
				continue
			}
			text, ok := site.SiteFile(f.site, value.Lit(path.Join(dir, name)))
			f.home = dir
			if ok {
				f.read(text)
			}
			return ok
		}
		if dir == "/" {
			return false
		}
		dir = path.Dir(dir)
	}
	return false
}

// read takes in the items of a justfile.
func (f *justfile) read(text string) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	attributes := ""
	for i := 0; i < len(lines); i++ {
		s := strings.TrimSpace(lines[i])
		for _, quotes := range []string{"'''", `"""`, "```"} { // a text of several lines
			for strings.Count(s, quotes)%2 == 1 && i+1 < len(lines) {
				i++
				s += "\n" + lines[i]
			}
		}
		first, rest, _ := strings.Cut(s, " ")
		switch {
		case s == "" || s[0] == '#':
		case s[0] == '[':
			attributes += s
			continue
		case first == "set":
			for strings.Count(s, "[") > strings.Count(s, "]") && i+1 < len(lines) {
				i++
				s += " " + strings.TrimSpace(lines[i])
			}
			f.setting(strings.TrimSpace(strings.TrimPrefix(s, "set")))
		case first == "alias":
			if name, of, ok := strings.Cut(rest, ":="); ok {
				f.aliases[strings.TrimSpace(name)] = strings.TrimSpace(of)
			}
		case first == "import" || first == "import?" || first == "mod" || first == "mod?":
			f.partial = true
		case first == "unexport":
		case f.assignment(s):
		default:
			i = f.recipe(lines, i, attributes)
		}
		attributes = ""
	}
}

func (f *justfile) setting(s string) {
	name, text, given := strings.Cut(s, ":=")
	on := !given || strings.TrimSpace(text) == "true"
	switch strings.TrimSpace(name) {
	case "shell":
		f.shell = f.words(text, f.shell)
	case "script-interpreter":
		f.script = f.words(text, f.script)
	case "export":
		f.exports = on
	case "positional-arguments":
		f.args = on
	case "working-directory":
		if dir, ok := f.eval(text, nil, 0).Known(); ok {
			f.dir = path.Join(f.home, dir)
			if path.IsAbs(dir) {
				f.dir = dir
			}
		}
	}
}

// words reads a list of texts: ["bash", "-c"].
func (f *justfile) words(list string, otherwise []string) []string {
	list = strings.TrimSpace(list)
	if len(list) < 2 || list[0] != '[' || list[len(list)-1] != ']' {
		return otherwise
	}
	var out []string
	for _, s := range splitTop(list[1:len(list)-1], ',') {
		text, ok := f.eval(s, nil, 0).Known()
		if !ok {
			return []string{"?"}
		}
		out = append(out, text)
	}
	if len(out) == 0 {
		return otherwise
	}
	return out
}

// assignment takes in NAME := EXPRESSION.
func (f *justfile) assignment(s string) bool {
	rest, exported := strings.CutPrefix(s, "export ")
	name, expr, ok := strings.Cut(rest, ":=")
	name = strings.TrimSpace(name)
	if !ok || identEnd(name) != len(name) || name == "" {
		return false
	}
	f.exprs[name] = strings.TrimSpace(expr)
	if exported {
		f.exported = append(f.exported, name)
	}
	return true
}

// identEnd returns how long the name is that s begins with.
func identEnd(s string) int {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return i
		}
	}
	return len(s)
}

// recipe takes in the recipe that begins at a line, and returns its last line.
func (f *justfile) recipe(lines []string, i int, attributes string) int {
	head := lines[i]
	end := i
	var body []string
	for k := i + 1; k < len(lines); k++ {
		l := lines[k]
		if strings.TrimSpace(l) == "" {
			body = append(body, "")
			continue
		}
		if l[0] != ' ' && l[0] != '\t' {
			break
		}
		body = append(body, l)
		end = k
	}
	head = strings.TrimPrefix(strings.TrimSpace(head), "@")
	at := topIndex(head, ':')
	if at < 0 {
		f.partial = true
		return end
	}
	fields := splitTop(head[:at], ' ')
	if len(fields) == 0 {
		return end
	}
	r := &justRecipe{
		name: fields[0], body: body[:end-i], script: strings.Contains(attributes, "script"), elsewhere: strings.Contains(attributes, "no-cd"),
		unreadable: strings.Contains(attributes, "working-directory") || strings.Contains(attributes, "extension"),
	}
	for _, p := range fields[1:] {
		r.params = append(r.params, justParameter(p))
	}
	r.dependencies(head[at+1:])
	if _, twice := f.recipes[r.name]; !twice && f.first == "" {
		f.first = r.name
	}
	f.recipes[r.name] = r
	return end
}

func justParameter(s string) justParam {
	p := justParam{}
	for s != "" && strings.IndexByte("+*$", s[0]) >= 0 {
		p.variadic = p.variadic || s[0] != '$'
		p.has = p.has || s[0] == '*'
		p.exported = p.exported || s[0] == '$'
		s = s[1:]
	}
	name, expr, given := strings.Cut(s, "=")
	p.name = name
	if given {
		p.otherwise, p.has = expr, true
	}
	return p
}

func (r *justRecipe) dependencies(s string) {
	after := false
	for _, word := range splitTop(s, ' ') {
		switch {
		case word == "&&":
			after = true
			continue
		case word[0] == '#':
			return
		}
		call := justCall{name: word}
		if inner, ok := strings.CutPrefix(word, "("); ok {
			parts := splitTop(strings.TrimSuffix(inner, ")"), ' ')
			if len(parts) == 0 {
				continue
			}
			call = justCall{parts[0], parts[1:]}
		}
		if after {
			r.after = append(r.after, call)
		} else {
			r.deps = append(r.deps, call)
		}
	}
}

// topIndex returns where a byte stands outside of quotes and brackets, or -1.
func topIndex(s string, c byte) int {
	quote, depth := byte(0), 0
	for i := range len(s) {
		switch b := s[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == c && depth == 0:
			return i
		case b == '\'' || b == '"' || b == '`':
			quote = b
		case b == '(' || b == '[' || b == '{':
			depth++
		case b == ')' || b == ']' || b == '}':
			depth--
		}
	}
	return -1
}

// splitTop splits at a byte outside of quotes and brackets, without the pieces
// that are empty.
func splitTop(s string, c byte) []string {
	var out []string
	for s != "" {
		i := topIndex(s, c)
		piece := s
		if i >= 0 {
			piece, s = s[:i], s[i+1:]
		} else {
			s = ""
		}
		if piece = strings.TrimSpace(piece); piece != "" {
			out = append(out, piece)
		}
	}
	return out
}

// overrides takes the variables out of the words of a command line.
func (f *justfile) overrides(words []value.Value) []value.Value {
	for len(words) > 0 {
		name, _, ok := strings.Cut(words[0].Prefix(), "=")
		if !ok || identEnd(name) != len(name) {
			break
		}
		f.values[name] = words[0].Cut(len(name) + 1)
		words = words[1:]
	}
	return words
}

// goals runs the recipes that words name, each with as many arguments as it
// takes. It reports whether all of it was understood.
func (f *justfile) goals(words []value.Value) bool {
	if len(words) == 0 {
		return f.first != "" && f.run(f.first, nil, 0)
	}
	ok := true
	for len(words) > 0 {
		name, known := words[0].Known()
		r := f.lookup(name)
		if !known || r == nil {
			return false
		}
		n := min(len(words)-1, len(r.params))
		if len(r.params) > 0 && r.params[len(r.params)-1].variadic {
			n = len(words) - 1
		}
		ok = f.run(name, words[1:1+n], 0) && ok
		words = words[1+n:]
	}
	return ok
}

func (f *justfile) lookup(name string) *justRecipe {
	if of, ok := f.aliases[name]; ok {
		name = of
	}
	return f.recipes[name]
}

// run adds what a recipe does, its dependencies first.
func (f *justfile) run(name string, args []value.Value, depth int) bool {
	r := f.lookup(name)
	if f.calls++; r == nil || r.unreadable || depth > maxRecipeDepth || f.calls > maxRecipes || len(f.runs) > maxRecipes {
		return false
	}
	key := name
	for _, a := range args {
		key += "\x00" + a.String()
	}
	if f.done[key] {
		return true
	}
	f.done[key] = true
	local, ok := f.bind(r, args)
	call := func(c justCall) {
		given := make([]value.Value, len(c.args))
		for i, expr := range c.args {
			given[i] = f.eval(expr, local, 0)
		}
		ok = f.run(c.name, given, depth+1) && ok
	}
	for _, d := range r.deps {
		call(d)
	}
	ok = f.body(r, local, args) && ok
	for _, d := range r.after {
		call(d)
	}
	return ok
}

// bind gives a recipe's parameters their values.
func (f *justfile) bind(r *justRecipe, args []value.Value) (map[string]value.Value, bool) {
	local := make(map[string]value.Value, len(r.params))
	for i, p := range r.params {
		switch {
		case p.variadic && i < len(args):
			local[p.name] = site.JoinedWords(args[i:])
			args = args[:i]
		case i < len(args):
			local[p.name] = args[i]
		case p.otherwise != "":
			local[p.name] = f.eval(p.otherwise, local, 0)
		case p.has:
			local[p.name] = value.Value{}
		default: // just refuses
			return local, false
		}
	}
	return local, len(args) <= len(r.params)
}

// body adds the lines of a recipe.
func (f *justfile) body(r *justRecipe, local map[string]value.Value, args []value.Value) bool {
	indent := ""
	for _, l := range r.body {
		if t := strings.TrimLeft(l, " \t"); t != "" {
			indent = l[:len(l)-len(t)]
			break
		}
	}
	var lines []string
	for _, l := range r.body {
		lines = append(lines, strings.TrimPrefix(l, indent))
	}
	if r.script || len(lines) > 0 && strings.HasPrefix(lines[0], "#!") {
		return f.scripted(r, lines, local, args)
	}
	ok := true
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		for strings.HasSuffix(line, "\\") && i+1 < len(lines) {
			i++
			line = strings.TrimSuffix(line, "\\") + strings.TrimLeft(lines[i], " \t")
		}
		line = strings.TrimLeft(line, "@-")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		ok = f.add(r, f.interpolate(line, local), f.shell, local, args) && ok
	}
	return ok
}

// scripted adds a recipe that is one script.
func (f *justfile) scripted(r *justRecipe, lines []string, local map[string]value.Value, args []value.Value) bool {
	words := f.script
	if strings.HasPrefix(lines[0], "#!") {
		words = strings.Fields(strings.TrimPrefix(lines[0], "#!"))
		if len(words) > 1 && path.Base(words[0]) == "env" {
			words = words[1:]
			for len(words) > 1 && words[0] == "-S" {
				words = words[1:]
			}
		}
	}
	return len(words) > 0 && f.add(r, f.interpolate(strings.Join(lines, "\n"), local), words, local, args)
}

// add notes a text that a shell, or another interpreter, runs.
func (f *justfile) add(r *justRecipe, text value.Value, words []string, local map[string]value.Value, args []value.Value) bool {
	if len(f.runs) > maxRecipes {
		return false
	}
	dir := f.dir
	if r.elsewhere {
		dir = f.site.Dir
	}
	name := path.Base(words[0])
	run := catalog.Run{Kind: catalog.RunCode, Lang: strings.TrimRight(name, "0123456789."), Text: text}
	if shellname.Is(name) {
		run = recipeRun(text, name, dir)
	} else if dir != "" {
		at := value.Lit(dir)
		run.Dir = &at
	}
	for _, v := range f.exported {
		run.Setup = append(run.Setup, catalog.Assignment{Name: v, Value: f.variable(v, 0)})
	}
	for _, p := range r.params {
		if p.exported || f.exports {
			run.Setup = append(run.Setup, catalog.Assignment{Name: p.name, Value: local[p.name]})
		}
	}
	if f.args {
		run.Args = append([]value.Value{value.Lit(r.name)}, args...)
	}
	f.runs = append(f.runs, run)
	return true
}

// interpolate replaces {{ EXPRESSION }} in a line.
func (f *justfile) interpolate(line string, local map[string]value.Value) value.Value {
	var b value.Builder
	for line != "" {
		i := strings.Index(line, "{{")
		if i < 0 {
			break
		}
		b.WriteString(line[:i])
		line = line[i+2:]
		if strings.HasPrefix(line, "{{") { // {{{{ stands for {{
			b.WriteString("{{")
			line = line[2:]
			continue
		}
		end := strings.Index(line, "}}")
		if end < 0 {
			break
		}
		b.Add(f.eval(line[:end], local, 0))
		line = line[end+2:]
	}
	b.WriteString(line)
	return b.Value()
}
