package recipe

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// Bounds on reading makefiles: what is larger counts as not inspected.
const (
	makefileLimit  = 256 << 10
	makeLines      = 6000
	makeIncludes   = 3
	makeRecipes    = 200
	makeExports    = 40
	makeSteps      = 20000
	makeBytes      = 1 << 20
	makeDepth      = 20
	makeTargetDeep = 40
)

// A makefile is a makefile read as data (GNU make 4.4 manual, chapters 3 to 7).
type makefile struct {
	site     *catalog.Site
	dir      string
	vars     map[string]*makeVar
	rules    map[string]*makeRule
	patterns []*makeRule
	first    string // the default goal
	exports  []string
	oneShell bool
	loud     bool        // recipes are printed, however they are written
	given    value.Value // the shell of the command line, where it is none that heed reads
	// partial is set when something was met that is not understood, so that
	// more may happen than is seen.
	partial bool
	// again is set when there are lines that run whatever make is asked for.
	again bool
	// shells are the texts of $(shell …) calls that were met.
	shells []value.Value
	// files are the effects of $(file …) calls.
	files []catalog.Effect

	lines, steps, bytes int
}

// A makeVar is a variable: recursive text, or a value that is fixed.
type makeVar struct {
	text  string
	fixed *value.Value
	// either holds the values that branches of unknown conditionals give it.
	either []value.Value
	name   string
	strong bool // set on the command line
}

// A makeRule is a target with what it needs and what makes it.
type makeRule struct {
	target string
	needs  []string
	order  []string // needed, but no part of $^
	recipe []string
	vars   map[string]*makeVar
	maybe  bool
}

func newMakefile(s *catalog.Site, dir string) *makefile {
	return &makefile{site: s, dir: dir, vars: map[string]*makeVar{}, rules: map[string]*makeRule{}}
}

// load reads one file. It reports false if it cannot be read.
func (mk *makefile) load(name string, depth int) bool {
	if mk.site.World == nil || mk.site.World.FS == nil {
		return false
	}
	if !path.IsAbs(name) {
		name = path.Join(mk.dir, name)
	}
	if !path.IsAbs(name) {
		return false
	}
	data, err := mk.site.World.FS.ReadFile(path.Clean(name), makefileLimit)
	if err != nil {
		return false
	}
	mk.parse(string(data), depth)
	return true
}

// missing reports whether a file is surely not there.
func (mk *makefile) missing(name string) bool {
	if !path.IsAbs(name) {
		name = path.Join(mk.dir, name)
	}
	if mk.site.World == nil || !path.IsAbs(name) {
		return false
	}
	info, err := world.Stat(mk.site.World.FS, path.Clean(name))
	return err == nil && info.Kind == world.Missing
}

// makeParser is the state of reading one file.
type makeParser struct {
	*makefile
	depth  int
	rules  []*makeRule // that recipe lines belong to
	conds  []makeCond
	define string // the variable that a define directive is filling
	body   []string
}

// A makeCond is an open conditional directive.
type makeCond struct{ on, unknown, done bool }

// parse reads the text of a makefile.
func (mk *makefile) parse(text string, depth int) {
	p := &makeParser{makefile: mk, depth: depth}
	mk.again = mk.again || runsAlways(text)
	for text != "" {
		if mk.lines++; mk.lines > makeLines {
			mk.partial = true
			return
		}
		var line string
		line, text, _ = strings.Cut(text, "\n")
		line = strings.TrimSuffix(line, "\r")
		recipe := strings.HasPrefix(line, "\t") && p.define == "" && p.rules != nil
		if text != "" && oddBackslash(line) {
			line, text = mk.continued(line, text, recipe)
		}
		switch {
		case p.define != "":
			p.defining(line)
		case recipe:
			if p.active() {
				p.addRecipe(line[1:])
			}
		default:
			p.line(line)
		}
	}
}

// continued joins a line that ends in a backslash with those after it: in a
// recipe the shell gets to see the backslash, elsewhere it becomes a space.
func (mk *makefile) continued(line, text string, recipe bool) (joined, rest string) {
	var b strings.Builder
	for text != "" && oddBackslash(line) {
		if mk.lines++; mk.lines > makeLines {
			mk.partial = true
			break
		}
		var next string
		next, text, _ = strings.Cut(text, "\n")
		next = strings.TrimSuffix(next, "\r")
		if recipe {
			b.WriteString(line + "\n")
			line = strings.TrimPrefix(next, "\t")
		} else {
			b.WriteString(strings.TrimRight(line[:len(line)-1], " \t") + " ")
			line = strings.TrimLeft(next, " \t")
		}
	}
	b.WriteString(line)
	return b.String(), text
}

func oddBackslash(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// active reports whether the lines here count, and unsure whether they may not.
func (p *makeParser) active() bool {
	for _, c := range p.conds {
		if !c.on {
			return false
		}
	}
	return true
}

func (p *makeParser) unsure() bool {
	for _, c := range p.conds {
		if c.unknown {
			return true
		}
	}
	return false
}

func (p *makeParser) addRecipe(line string) {
	for _, r := range p.rules {
		if len(r.recipe) > makeRecipes {
			p.partial = true
			return
		}
		r.recipe = append(r.recipe, line)
	}
}

func (p *makeParser) defining(line string) {
	if strings.HasPrefix(strings.TrimSpace(line), "endef") {
		if p.active() {
			p.vars[p.define] = &makeVar{text: strings.Join(p.body, "\n")}
		}
		p.define, p.body = "", nil
		return
	}
	p.body = append(p.body, line)
}

// line reads a line that is no recipe.
func (p *makeParser) line(line string) {
	line = strings.TrimSpace(uncommented(line))
	if line == "" {
		return
	}
	word, rest, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	rest = strings.TrimSpace(rest)
	if p.conditional(word, rest) || !p.active() {
		return
	}
	if op, at := assignment(line); at < 0 || strings.TrimSpace(line[:at-len(op)+1]) != word {
		switch word {
		case "include", "-include", "sinclude":
			p.include(rest, word == "include")
			return
		case "define":
			p.define = strings.TrimSpace(strings.TrimRight(rest, "=:?+ "))
			if p.define == "" {
				p.define = "?"
			}
			return
		case "undefine":
			delete(p.vars, rest)
			return
		case "vpath":
			return
		case "load", "-load":
			p.partial = true
			return
		case "override", "private":
			p.line(rest)
			return
		case "export", "unexport":
			p.export(word, rest)
			return
		}
	}
	p.statement(line)
}

func (p *makeParser) export(word, rest string) {
	name := rest
	if op, at := assignment(rest); at >= 0 {
		name = strings.TrimSpace(rest[:at-len(op)+1])
		p.statement(rest)
	}
	if word == "export" {
		if p.exports = append(p.exports, strings.Fields(name)...); len(p.exports) > makeExports {
			p.exports, p.partial = p.exports[:makeExports], true
		}
	}
}

// statement reads an assignment, a rule, or a reference on its own.
func (p *makeParser) statement(line string) {
	op, at := assignment(line)
	colon := ruleColon(line)
	switch {
	case at >= 0 && (colon < 0 || at-len(op)+1 <= colon):
		p.rules = nil
		name, _ := p.expand(line[:at-len(op)+1], nil, 0).Known()
		p.assign(p.vars, strings.TrimSpace(name), op, strings.TrimSpace(line[at+1:]))
	case colon >= 0:
		p.rule(line, colon)
	default:
		p.rules = nil
		if strings.Contains(line, "(eval") || strings.Contains(line, "(call") || strings.Contains(line, "(foreach") || strings.Contains(line, "{eval") {
			p.partial = true
		}
		p.expand(line, nil, 0)
	}
}

// assign sets a variable in a scope.
func (p *makeParser) assign(scope map[string]*makeVar, name, op, text string) {
	old := scope[name]
	if name == "" || old != nil && old.strong {
		return
	}
	v := &makeVar{text: text}
	switch op {
	case ":=", "::=", ":::=":
		x := p.expand(text, nil, 0)
		v = &makeVar{fixed: &x}
	case "!=":
		command := p.expand(text, nil, 0)
		x := p.shell(command)
		v = &makeVar{fixed: &x}
	case "?=":
		if _, set := p.environment(name); set || old != nil {
			return
		}
	case "+=":
		v = p.appended(old, text)
	}
	if name == ".DEFAULT_GOAL" {
		p.first, _ = p.expand(text, nil, 0).Known()
	}
	if p.unsure() {
		v = p.joined(name, old, v)
	}
	scope[name] = v
}

func (p *makeParser) appended(old *makeVar, text string) *makeVar {
	switch {
	case old == nil:
		return &makeVar{text: text}
	case old.fixed == nil && len(old.either) == 0:
		if len(old.text)+len(text) > makefileLimit {
			p.partial = true
			return old
		}
		return &makeVar{text: old.text + " " + text}
	}
	x := value.Concat(p.valueOf(old, nil, 0), value.Lit(" "), p.expand(text, nil, 0))
	return &makeVar{fixed: &x}
}

// joined is a variable that a branch gives a value which may not be taken.
func (p *makeParser) joined(name string, old, v *makeVar) *makeVar {
	j := &makeVar{name: name}
	if old != nil {
		j.either = append(j.either, old.either...)
		if len(old.either) == 0 {
			j.either = append(j.either, p.valueOf(old, nil, 0))
		}
	}
	if len(j.either) > 8 {
		return old
	}
	j.either = append(j.either, p.valueOf(v, nil, 0))
	return j
}

// include reads other makefiles in place.
func (p *makeParser) include(names string, must bool) {
	p.rules = nil
	text, known := p.expand(names, nil, 0).Known()
	if !known || p.depth >= makeIncludes {
		p.partial = true
		return
	}
	for name := range strings.FieldsSeq(text) {
		if !p.load(name, p.depth+1) && (must || strings.Contains(name, "*") || !p.missing(name)) {
			p.partial = true
		}
	}
}

// conditional reads ifeq, ifdef, else, endif; it reports false for other words.
func (p *makeParser) conditional(word, rest string) bool {
	switch word {
	case "ifeq", "ifneq", "ifdef", "ifndef":
		p.conds = append(p.conds, p.condition(word, rest))
	case "else":
		if len(p.conds) == 0 {
			return true
		}
		c := &p.conds[len(p.conds)-1]
		was := *c
		c.on = !was.done || was.unknown
		if word, rest, _ := strings.Cut(rest, " "); strings.HasPrefix(word, "if") && c.on {
			*c = p.condition(word, strings.TrimSpace(rest))
			c.done = c.done || was.done && !was.unknown
			c.unknown = c.unknown || was.unknown
		} else {
			c.done = true
		}
	case "endif":
		if len(p.conds) > 0 {
			p.conds = p.conds[:len(p.conds)-1]
		}
	default:
		return false
	}
	if len(p.conds) > makeTargetDeep {
		p.partial = true
		p.conds = p.conds[:makeTargetDeep]
	}
	return true
}

func (p *makeParser) condition(word, rest string) makeCond {
	unknown := makeCond{on: true, unknown: true, done: true}
	if !p.active() {
		return makeCond{on: false, done: true}
	}
	var holds bool
	if strings.HasSuffix(word, "def") {
		name, known := p.expand(rest, nil, 0).Known()
		if !known {
			return unknown
		}
		v := p.vars[name]
		env, set := p.environment(name)
		if v != nil && len(v.either) > 0 {
			return unknown
		}
		holds = v != nil && (v.fixed != nil && !v.fixed.Empty() || v.fixed == nil && v.text != "") || v == nil && set && !env.Empty()
	} else {
		a, b, ok := conditionWords(rest)
		x, known := p.expand(a, nil, 0).Known()
		y, known2 := p.expand(b, nil, 0).Known()
		if !ok || !known || !known2 {
			return unknown
		}
		holds = strings.TrimSpace(x) == strings.TrimSpace(y)
	}
	if strings.HasPrefix(word, "ifn") {
		holds = !holds
	}
	return makeCond{on: holds, done: holds}
}

// conditionWords reads `(a,b)` or `"a" "b"`.
func conditionWords(text string) (a, b string, ok bool) {
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		parts := topLevel(text[1:len(text)-1], ',', 2)
		if len(parts) == 2 {
			return parts[0], strings.TrimSpace(parts[1]), true
		}
		return "", "", false
	}
	if text == "" {
		return "", "", false
	}
	quote := text[:1]
	if a, rest, ok := strings.Cut(text[1:], quote); ok && (quote == `"` || quote == "'") {
		rest = strings.TrimSpace(rest)
		if len(rest) >= 2 && rest[0] == rest[len(rest)-1] {
			return a, rest[1 : len(rest)-1], true
		}
	}
	return "", "", false
}
