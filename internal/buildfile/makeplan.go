package buildfile

import (
	"slices"
	"strings"

	makefile "github.com/heedsh/heed/internal/lang/make"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// A plan walks from goals to what they need.
type plan struct {
	*Make
	seen     map[string]bool
	commands []Command
	scope    []map[string]*variable
}

// Plan returns the commands of the goals and of all that they need, in order.
// understood is false if not all of what would run is known.
func (m *Make) Plan() (commands []Command, understood bool) {
	m.whole = true
	goals := m.goals
	if len(goals) == 0 {
		goals = []string{m.first}
	}
	p := &plan{Make: m, seen: map[string]bool{}}
	for _, name := range m.missing { // make makes them first ("How Makefiles Are Remade")
		p.visit(name, 0)
	}
	found := true
	for _, g := range goals {
		found = p.visit(g, 0) && found
	}
	return p.commands, found && !m.partial
}

// Ruleless returns the first goal if surely nothing makes it: there is no rule for it, no file of
// its name, and none that a built-in rule would make it of ("Catalogue of Built-In Rules").
func (m *Make) Ruleless() (goal string, is bool) {
	p := &plan{Make: m, seen: map[string]bool{}}
	if m.partial || m.rules[".DEFAULT"] != nil {
		return "", false
	}
	for _, g := range m.goals[:min(1, len(m.goals))] { // those before another one are made first
		if strings.ContainsAny(g, "./%(") || m.rules[g] != nil {
			continue
		}
		if x, _ := p.find(g); x != nil || m.partial {
			continue
		}
		if !slices.ContainsFunc(builtInSources, func(end string) bool { return !m.Absent(g + end) }) {
			return g, true
		}
	}
	return "", false
}

// UpToDate returns the goals if surely nothing is made: each names a file that is there, and
// its rule needs nothing ("Rules without Recipes or Prerequisites", "Phony Targets", "Double-
// Colon Rules"). Whoever asks says whether an option has all made all the same.
func (m *Make) UpToDate() (goals []string, is bool) {
	goals = m.goals
	if len(goals) == 0 {
		goals = []string{m.first}
	}
	if m.partial || len(m.missing) > 0 || slices.ContainsFunc([]string{"MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS", "MAKEFILES"}, m.sets) {
		return nil, false
	}
	for _, g := range goals {
		x := m.rules[g]
		if x == nil || !x.makes() || len(x.needs)+len(x.order) > 0 || m.phony(g) ||
			slices.ContainsFunc(x.bodies, func(b *body) bool { return b.always || b.dead }) {
			return nil, false
		}
		if kind, known := m.kindOf(g); !known || kind == world.Missing {
			return nil, false
		}
	}
	return goals, true
}

// sets reports whether the makefile or the environment sets a variable.
func (m *Make) sets(name string) bool {
	if m.vars[name] != nil || m.site.Env == nil {
		return m.vars[name] != nil
	}
	_, set := m.site.Env(name)
	return set
}

// phony reports whether a target may be one that stands for no file.
func (m *Make) phony(target string) bool {
	x := m.rules[".PHONY"]
	return x != nil && slices.ContainsFunc(x.needs, func(v value.Value) bool {
		name, known := v.Known()
		return !known || name == target
	})
}

// builtInSources are the endings of files that built-in rules make a program of the same
// name of, and "" for the file itself.
var builtInSources = []string{
	"", ".o", ".c", ".cc", ".C", ".cpp", ".p", ".f", ".F", ".m", ".r", ".y", ".l", ".ym", ".yl", ".s", ".S", ".mod", ".sym", ".def", ".h", ".info",
	".dvi", ".tex", ".texinfo", ".texi", ".txinfo", ".w", ".ch", ".web", ".sh", ".elc", ".el", ",v",
}

// visit adds what makes a target; it reports false if no rule does.
func (p *plan) visit(target string, depth int) bool {
	x, stem := p.find(target)
	if x == nil {
		return false
	}
	if p.seen[target] {
		return true
	}
	p.seen[target] = true
	if depth > maxNeeds || len(p.seen) > maxGoals || p.spent(1+len(x.needs), 0) {
		p.partial = true
		return true
	}
	if x.vars != nil {
		p.scope = append(p.scope, x.vars)
		defer func() { p.scope = p.scope[:len(p.scope)-1] }()
	}
	needs := x.needs
	if stem != "" {
		needs = stemmed(needs, stem)
	}
	for _, list := range [][]value.Value{needs, x.order} {
		for _, n := range list {
			if name, known := n.Known(); known {
				p.visit(name, depth+1)
			}
		}
	}
	sc := &scope{local: automatic(value.Lit(target), value.Lit(stem), needs, x.order), vars: slices.Clone(p.scope)}
	for _, b := range x.bodies {
		for _, c := range p.recipe(b, sc) {
			if len(p.commands) == maxCommands {
				p.partial = true
				return true
			}
			p.commands = append(p.commands, c)
		}
	}
	return true
}

// find returns the rule for a target, and the stem if it is a pattern rule.
func (p *plan) find(target string) (*rule, string) {
	x := p.rules[target]
	if x != nil && x.makes() {
		return x, ""
	}
	if p.spent(len(p.patterns), 0) {
		p.partial = true
		return x, ""
	}
	for _, q := range p.patterns {
		if stem, ok := stemOf(q.target, target); ok && q.makes() {
			if x == nil {
				return q, stem
			}
			both := *q
			both.vars = x.vars
			both.needs = append(slices.Clone(q.needs), x.needs...)
			return &both, stem
		}
	}
	return x, ""
}

// makes reports whether a rule has a recipe.
func (x *rule) makes() bool {
	return slices.ContainsFunc(x.bodies, func(b *body) bool { return len(b.lines) > 0 })
}

// automatic are the automatic variables of a recipe ("Automatic Variables").
func automatic(target, stem value.Value, needs, order []value.Value) map[string]value.Value {
	once := make([]value.Value, 0, len(needs))
	seen := map[string]bool{}
	for _, n := range needs {
		if key := n.String(); !seen[key] {
			seen[key] = true
			once = append(once, n)
		}
	}
	all := join(once)
	return map[string]value.Value{
		"@": target, "*": stem, "^": all, "?": all, "+": join(needs), "|": join(order), "<": join(needs[:min(1, len(needs))]), "%": {},
	}
}

// recipe expands the lines of a recipe: one command each, or all of them one.
func (m *Make) recipe(b *body, sc *scope) []Command {
	var out []Command
	whole := Command{}
	for _, l := range b.lines {
		for _, c := range lines(m.pieces(l.Text, b.src, sc)) {
			signs := l.Prefix + c.trim("@-+ \t")
			if len(c.Pieces) == 0 {
				continue
			}
			c.Always = strings.Contains(signs, "+") || callsMake(l.Text)
			m.prints(c.Value(), strings.Contains(signs, "@"))
			switch {
			case m.oneShell:
				last := c.Pieces[len(c.Pieces)-1]
				whole.Always = whole.Always || c.Always
				whole.Pieces = append(append(whole.Pieces, c.Pieces...), Piece{Value: value.Lit("\n"), At: last.At})
			case !c.idle():
				out = append(out, c)
			}
		}
	}
	if m.oneShell && !whole.idle() {
		out = append(out, whole)
	}
	return out
}

// callsMake reports whether a text holds $(MAKE), also inside of a function.
func callsMake(t makefile.Text) bool {
	for _, p := range t.Parts {
		switch p := p.(type) {
		case *makefile.Variable:
			if len(p.Name.Parts) == 1 {
				if l, ok := p.Name.Parts[0].(*makefile.Literal); ok && l.Text == "MAKE" {
					return true
				}
			}
		case *makefile.Call:
			if slices.ContainsFunc(p.Args, callsMake) {
				return true
			}
		}
	}
	return false
}

// prints notes that make itself prints a text.
func (m *Make) prints(text value.Value, quiet bool) {
	if !text.IsKnown() && text.Taint() != 0 && len(m.shown) < maxCommands {
		m.shown = append(m.shown, shownText{text, quiet})
	}
}

// Shown are the names of what is not known of the texts that make itself
// prints, and of which one of these things is known; all counts also the lines
// that are not printed when they are run.
func (m *Make) Shown(all bool, of value.Taint) []string {
	var out []string
	for _, s := range m.shown {
		if s.quiet && !all || !s.text.Taint().Has(of) {
			continue
		}
		for _, h := range s.text.Holes() {
			if !slices.Contains(out, h.Name) {
				out = append(out, h.Name)
			}
		}
	}
	return out
}

// A Recipe is a recipe as it stands in the file.
type Recipe struct {
	Name     string // its targets, as they are written
	Commands []Command
	Script   bool // the one command is a script of several lines
}

// Recipes returns the recipes of the main text, each as if its own target was
// the goal, with what the targets that need it may set.
func (m *Make) Recipes() []Recipe {
	m.inherit()
	m.whole = true
	var out []Recipe
	for _, b := range m.all {
		if b.src.file || len(b.lines) == 0 {
			continue
		}
		m.anew()
		sc := &scope{local: b.automatic()}
		if b.rule != nil {
			if b.rule.vars != nil {
				sc.vars = append(sc.vars, b.rule.vars)
			}
			sc.more = m.fromOthers(b.rule)
		}
		out = append(out, Recipe{Name: b.name, Commands: m.recipe(b, sc), Script: m.oneShell})
		if b.src.main {
			for _, l := range b.lines {
				shellCalls(l.Text, func(t makefile.Text) { m.calls = append(m.calls, call{t, b.src, b.name, sc}) })
			}
		}
	}
	return out
}

// automatic are the automatic variables as far as the text of the rule tells.
func (b *body) automatic() map[string]value.Value {
	needs, order := b.needs, b.order
	if b.rule != nil {
		needs, order = b.rule.needs, b.rule.order
	}
	target, stem := value.Value{}, value.Value{}
	var names []string
	for _, t := range b.targets {
		name, known := t.Known()
		if !known {
			names = nil
			break
		}
		names = append(names, name)
	}
	switch {
	case len(names) == 1 || len(names) > 1 && len(names) <= maxChoices:
		target = value.OneOf(risk.CauseUnknown, "@", names...)
	case len(b.targets) > 0 && len(names) == 0:
		target = b.targets[0]
	default:
		target = value.Unknown(risk.CauseGiven, "@")
	}
	// In a pattern rule % stands for whatever it matches.
	any := value.Of(value.Hole{Cause: risk.CauseUnknown, Name: "%", Written: "%", Shape: value.AnyPath})
	if text, known := target.Known(); known && strings.Contains(text, "%") {
		before, after, _ := strings.Cut(text, "%")
		stem = any
		target = value.Concat(value.Lit(before), any, value.Lit(after))
		needs = slices.Clone(needs)
		for i, n := range needs {
			if text, known := n.Known(); known && strings.Contains(text, "%") {
				before, after, _ := strings.Cut(text, "%")
				needs[i] = value.Concat(value.Lit(before), any, value.Lit(after))
			}
		}
	} else if b.static != "" {
		stem = value.Unknown(risk.CauseUnknown, "*")
		if len(names) == 1 {
			s, _ := stemOf(b.static, names[0])
			stem = value.Lit(s)
		} else {
			needs = b.needs
		}
	}
	return automatic(target, stem, needs, order)
}

// inherit notes for every rule which variables of targets reach it.
func (m *Make) inherit() {
	for _, name := range sortedKeys(m.rules) {
		x := m.rules[name]
		if x.vars == nil {
			continue
		}
		seen := map[*rule]bool{x: true}
		for todo := []*rule{x}; len(todo) > 0 && !m.spent(1, 0); {
			at := todo[0]
			todo = todo[1:]
			for _, list := range [][]value.Value{at.needs, at.order} {
				for _, n := range list {
					text, _ := n.Known()
					if y := m.rules[text]; y != nil && !seen[y] {
						seen[y] = true
						y.from = append(y.from, x.vars)
						todo = append(todo, y)
					}
				}
			}
		}
	}
}

// fromOthers are the values that targets which need a rule give variables that
// it does not set itself.
func (m *Make) fromOthers(x *rule) map[string][]value.Value {
	var out map[string][]value.Value
	for _, vars := range x.from {
		for _, name := range sortedKeys(vars) {
			if x.vars[name] == nil && len(out[name]) < maxEither {
				if out == nil {
					out = map[string][]value.Value{}
				}
				out[name] = append(out[name], m.valueOf(vars[name], nil, 0))
			}
		}
	}
	return out
}

// Calls returns the commands that the main text runs for what they print, where
// they stand. What recipes run so is among them once Recipes was called.
func (m *Make) Calls() []Printer {
	out := make([]Printer, 0, len(m.calls))
	for _, c := range m.calls {
		p := Printer{Command: Command{Pieces: m.pieces(c.text, c.src, c.sc)}, Name: c.name}
		if p.trim(" \t"); !p.idle() {
			out = append(out, p)
		}
	}
	return out
}
