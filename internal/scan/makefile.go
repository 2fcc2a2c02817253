package scan

import (
	"path"
	"slices"
	"strings"
)

// Bounds on reading a makefile: past them a reference is not known.
const (
	maxVariable = 64 << 10 // bytes that a variable is added to
	makeDepth   = 20
	makeWork    = 1 << 20 // bytes written while expanding one file
)

// A makeText is a makefile as far as it is read: all of its assignments, and
// the recipes with the targets that they are for (GNU make 4.4 manual).
type makeText struct {
	found   *Found
	text    string // the file
	vars    map[string]*makeVar
	exports []string
	all     bool // every variable is exported
	recipes []makeRecipe
	prefix  byte // that begins a recipe line
	one     bool // .ONESHELL
	work    int
	env     map[string]string // the environment, once it is known
	// calls are the $(shell …) that assignments hold, and != commands.
	calls []makeCall
}

// A makeVar is the text of a variable. Where branches or targets give it
// several it is not known.
type makeVar struct {
	text    string
	at      int
	unsure  bool
	def     bool   // by define: of several lines
	command string // by !=: what the shell prints
}

type makeRecipe struct {
	target string // as it is written
	needs  string
	lines  []makeLine
}

// A makeLine is one logical line: pieces of the file's lines.
type makeLine struct{ pieces []line }

type makeCall struct {
	name string
	text string
	at   int
}

func (f *Found) makefile(text string) {
	m := &makeText{found: f, text: text, vars: map[string]*makeVar{}, prefix: '\t'}
	m.read(split(strings.TrimPrefix(text, "\ufeff")), len(text)-len(strings.TrimPrefix(text, "\ufeff")))
	for _, c := range m.calls {
		w := &writer{}
		m.expand(w, c.text, c.at, nil, 0)
		f.add(w.command(Command{Shell: m.shell(), Name: c.name, Place: Beside, Env: m.environment()}))
	}
	for i := range m.recipes {
		m.recipe(&m.recipes[i])
	}
}

// read goes through the lines of the file.
func (m *makeText) read(lines []line, shift int) {
	inRule := false
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		l.at += shift
		if inRule && l.text != "" && l.text[0] == m.prefix {
			logical := makeLine{pieces: []line{{l.text[1:], l.at + 1}}}
			for oddBackslash(l.text) && i+1 < len(lines) {
				i++
				l = lines[i]
				l.at += shift
				if l.text != "" && l.text[0] == m.prefix {
					l = line{l.text[1:], l.at + 1}
				}
				logical.pieces = append(logical.pieces, l)
			}
			r := &m.recipes[len(m.recipes)-1]
			r.lines = append(r.lines, logical)
			continue
		}
		joined := l.text
		if oddBackslash(joined) {
			joined, i = join(lines, i)
		}
		stripped := strings.TrimSpace(joined)
		if stripped == "" || stripped[0] == '#' {
			continue
		}
		if name, ok := define(stripped); ok {
			i = m.define(name, lines, i+1, shift)
			inRule = false
			continue
		}
		inRule = m.statement(joined, l.at, inRule)
	}
}

// join makes one line of a line and those that continue it, and returns it with
// the index of the last. Every byte keeps its distance to the first.
func join(lines []line, i int) (string, int) {
	from := lines[i].at
	joined := []byte(lines[i].text)
	for oddBackslash(lines[i].text) && i+1 < len(lines) {
		i++
		joined = joined[:len(joined)-1]
		for len(joined) < lines[i].at-from {
			joined = append(joined, ' ')
		}
		joined = append(joined, lines[i].text...)
	}
	return string(joined), i
}

func oddBackslash(s string) bool { return (len(s)-len(strings.TrimRight(s, `\`)))%2 == 1 }

// define recognises a define directive and returns its variable.
func define(s string) (name string, ok bool) {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "override "), "export ")
	rest, ok := strings.CutPrefix(s, "define")
	if !ok || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return "", false
	}
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(rest), "=:?+ ")), true
}

func (m *makeText) define(name string, lines []line, from, shift int) int {
	i, depth := from, 1
	for ; i < len(lines); i++ {
		s := strings.TrimSpace(lines[i].text)
		if _, nested := define(s); nested {
			depth++
		}
		if s == "endef" || strings.HasPrefix(s, "endef ") {
			if depth--; depth == 0 {
				break
			}
		}
	}
	var b strings.Builder
	for j := from; j < i; j++ {
		if j > from {
			b.WriteByte('\n')
		}
		b.WriteString(lines[j].text)
	}
	at := shift
	if from < len(lines) {
		at += lines[from].at
	}
	m.set(name, &makeVar{text: b.String(), at: at, def: true})
	return i
}

// statement reads a line that is no recipe and reports whether recipe lines
// can follow.
func (m *makeText) statement(s string, at int, inRule bool) bool {
	lead := len(s) - len(strings.TrimLeft(s, " \t"))
	s, at = s[lead:], at+lead
	word, rest, _ := strings.Cut(strings.ReplaceAll(s, "\t", " "), " ")
	switch word {
	case "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif":
		return inRule // what is in either branch counts
	case "include", "-include", "sinclude", "vpath", "undefine", "load", "-load", "unexport":
		if !isAssignment(rest) {
			return false
		}
	case "export", "override", "private":
		if word == "export" && strings.TrimSpace(rest) == "" {
			m.all = true
			return false
		}
		if isAssignment(rest) {
			skip := len(word) + 1
			if word == "export" {
				name, _, _, _ := assignment(rest)
				m.exports = append(m.exports, name)
			}
			return m.statement(s[skip:], at+skip, false)
		}
		if word == "export" {
			m.exports = append(m.exports, strings.Fields(rest)...)
			return false
		}
	}
	if name, op, value, ok := assignment(s); ok {
		m.assign(name, op, s[value:], at+value)
		return false
	}
	return m.rule(s, at)
}

func isAssignment(s string) bool {
	_, _, _, ok := assignment(strings.TrimLeft(s, " \t"))
	return ok
}

// assignment splits NAME OP VALUE; value is where the value begins.
func assignment(s string) (name, op string, value int, ok bool) {
	depth := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth--
		case depth > 0:
		case c == '#' || c == ';':
			return "", "", 0, false
		case c == ':' && !strings.HasPrefix(strings.TrimLeft(s[i:], ":"), "="):
			return "", "", 0, false
		case c == '=':
			start := i
			for start > 0 && strings.IndexByte(":?+!", s[start-1]) >= 0 {
				start--
			}
			value = i + 1
			for value < len(s) && (s[value] == ' ' || s[value] == '\t') {
				value++
			}
			name = strings.TrimSpace(s[:start])
			return name, s[start : i+1], value, name != ""
		}
	}
	return "", "", 0, false
}

func (m *makeText) assign(name, op, text string, at int) {
	text = uncommented(text)
	v := &makeVar{text: text, at: at}
	old := m.vars[name]
	switch op {
	case "+=":
		switch {
		case old != nil && len(old.text) > maxVariable:
			old.unsure = true
			return
		case old != nil && !old.def:
			v = &makeVar{text: old.text + " " + text, at: old.at, unsure: old.unsure}
			delete(m.vars, name)
		}
	case "?=":
		if old != nil {
			return
		}
	case "!=":
		v.command = text
		m.calls = append(m.calls, makeCall{name, text, at})
	}
	m.shellCalls(name, text, at)
	if name == ".RECIPEPREFIX" && text != "" {
		m.prefix = text[0]
	}
	m.set(name, v)
}

// set gives a variable its text. A second text, or one of a branch, leaves it
// open which holds.
func (m *makeText) set(name string, v *makeVar) {
	if old := m.vars[name]; old != nil && old.text != v.text {
		v.unsure = true
	}
	m.vars[name] = v
}

// shellCalls notes the commands that an assignment runs while it is read.
func (m *makeText) shellCalls(name, text string, at int) {
	for from := 0; ; {
		i := strings.Index(text[from:], "$(shell ")
		if i < 0 || len(m.calls) > maxCommands {
			return
		}
		i += from
		end := closing(text[i+1:])
		if end < 0 {
			return
		}
		start := i + len("$(shell ")
		m.calls = append(m.calls, makeCall{name, text[start : i+1+end], at + start})
		from = i + 1 + end
	}
}

// uncommented cuts a comment off.
func uncommented(s string) string {
	for i := range len(s) {
		if s[i] == '#' && (i == 0 || s[i-1] != '\\') {
			return strings.TrimRight(s[:i], " \t")
		}
	}
	return strings.TrimRight(s, " \t")
}

// rule reads `targets: needs ; recipe`.
func (m *makeText) rule(s string, at int) bool {
	colon := topLevel(s, ':')
	if colon < 0 {
		m.shellCalls("", s, at)
		return false
	}
	targets := strings.TrimSpace(strings.TrimSuffix(s[:colon], "&"))
	rest := strings.TrimLeft(s[colon+1:], ":")
	restAt := len(s) - len(rest)
	recipeAt := topLevel(rest, ';')
	needs := rest
	if recipeAt >= 0 {
		needs = rest[:recipeAt]
	}
	if name, _, value, ok := assignment(needs); ok { // of this target only
		m.set(strings.TrimPrefix(strings.TrimPrefix(name, "export "), "private "), &makeVar{text: needs[value:], at: at + restAt + value, unsure: true})
		return false
	}
	if slices.Contains(strings.Fields(targets), ".ONESHELL") {
		m.one = true
	}
	if i := topLevel(needs, ':'); i >= 0 { // a static pattern
		needs = needs[i+1:]
	}
	m.recipes = append(m.recipes, makeRecipe{target: targets, needs: strings.TrimSpace(uncommented(needs))})
	if recipeAt >= 0 {
		r := &m.recipes[len(m.recipes)-1]
		start := recipeAt + 1
		start += len(rest[start:]) - len(strings.TrimLeft(rest[start:], " \t"))
		r.lines = append(r.lines, makeLine{[]line{{rest[start:], at + restAt + start}}})
	}
	return true
}

// topLevel finds a byte outside of brackets; -1 if there is none.
func topLevel(s string, sep byte) int {
	depth := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth--
		case c == '#' && depth <= 0:
			return -1
		case c == sep && depth <= 0:
			return i
		}
	}
	return -1
}

// recipe turns the lines of a recipe into commands: one a line, or all of them
// as one script.
func (m *makeText) recipe(r *makeRecipe) {
	local := m.automatic(r)
	name := r.target
	if m.one {
		w := &writer{}
		for i, l := range r.lines {
			if i == 0 {
				l = withoutPrefix(l)
			}
			m.logical(w, l, local)
			w.put("\n", l.pieces[0].at)
		}
		m.found.add(w.command(Command{Shell: m.shell(), Name: name, Steps: true, Place: Beside, Env: m.environment()}))
		return
	}
	for _, l := range r.lines {
		l = withoutPrefix(l)
		if strings.HasPrefix(l.pieces[0].text, "#") {
			continue
		}
		w := &writer{}
		m.logical(w, l, local)
		m.found.add(w.command(Command{Shell: m.shell(), Name: name, Place: Beside, Env: m.environment()}))
	}
}

// withoutPrefix takes @, - and + off the beginning of a recipe line.
func withoutPrefix(l makeLine) makeLine {
	first := l.pieces[0]
	n := len(first.text) - len(strings.TrimLeft(first.text, "@-+ \t"))
	pieces := slices.Clone(l.pieces)
	pieces[0] = line{first.text[n:], first.at + n}
	return makeLine{pieces}
}

// logical writes one line of a recipe: a backslash and newline stay, as make
// hands them to the shell.
func (m *makeText) logical(w *writer, l makeLine, local map[string]string) {
	// References do not go on from line to line in any makefile that people
	// write, except inside of $(…): those are joined first.
	for i := 0; i < len(l.pieces); i++ {
		p := l.pieces[i]
		text := p.text
		for n := 0; n < maxJoined && open(text) && i+1 < len(l.pieces); n++ {
			i++
			text = strings.TrimSuffix(text, `\`) + " " + strings.TrimLeft(l.pieces[i].text, " \t")
		}
		m.expand(w, text, p.at, local, 0)
		if i+1 < len(l.pieces) {
			w.put("\n", p.at+len(p.text))
		}
	}
}

// maxJoined is how many lines one reference can go over.
const maxJoined = 100

// open reports whether a reference is not closed in a line.
func open(text string) bool {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '$' {
			continue
		}
		switch text[i+1] {
		case '$':
			i++
		case '(', '{':
			end := closing(text[i+1:])
			if end < 0 {
				return true
			}
			i += end
		}
	}
	return false
}

// shell is the dialect of the recipes.
func (m *makeText) shell() string {
	v := m.vars["SHELL"]
	if v == nil || v.unsure {
		return "sh"
	}
	fields := strings.Fields(v.text)
	if len(fields) == 0 {
		return "sh"
	}
	if path.Base(fields[0]) == "env" && len(fields) > 1 {
		fields = fields[1:]
	}
	if strings.Contains(fields[0], "$") {
		return "bash" // found by a command, as bash is
	}
	return dialectOf(fields[0])
}

// environment are the exported variables whose value is known. It is asked for
// when the whole file was read.
func (m *makeText) environment() map[string]string {
	if m.env != nil {
		return m.env
	}
	env := map[string]string{}
	m.env = env
	names := slices.Clone(m.exports)
	if m.all {
		for name := range m.vars {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if v := m.vars[name]; v != nil && !v.unsure && !strings.Contains(v.text, "$") && v.command == "" {
			env[name] = v.text
		}
	}
	return env
}
