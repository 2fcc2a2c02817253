package scan

import (
	"encoding/json"
	"maps"
	"strings"
)

// A justText is a justfile as far as it is read (just manual, just.systems).
type justText struct {
	found   *Found
	vars    map[string]string // known values
	env     map[string]string // exported ones
	shell   []string
	script  []string // set script-interpreter
	dir     string
	scripts []string // the words of [script(…)] for the next recipe
	isBlock bool     // [script]
}

func (f *Found) justfile(text string) {
	j := &justText{found: f, vars: map[string]string{}, env: map[string]string{}, shell: []string{"sh", "-cu"}, script: []string{"sh", "-eu"}}
	lines := split(text)
	for _, settings := range []bool{true, false} { // settings hold for the whole file
		for i := 0; i < len(lines); i++ {
			i = j.item(lines, i, settings)
		}
	}
}

// item reads what begins at a line and returns the last line of it.
func (j *justText) item(lines []line, i int, settings bool) int {
	l := lines[i]
	s := strings.TrimSpace(l.text)
	first, rest, _ := strings.Cut(s, " ")
	switch {
	case s == "" || s[0] == '#' || l.text[0] == ' ' || l.text[0] == '\t':
	case s[0] == '[' && strings.HasSuffix(s, "]"):
		if !settings {
			j.attributes(s)
		}
	case first == "set" || first == "alias" || first == "import" || first == "import?" || first == "mod" || first == "mod?":
		for first == "set" && strings.Count(s, "[") > strings.Count(s, "]") && i+1 < len(lines) && len(s) < maxExpression {
			i++
			s += " " + strings.TrimSpace(lines[i].text)
		}
		if first == "set" && settings {
			j.setting(strings.TrimSpace(strings.TrimPrefix(s, "set")))
		}
	case justAssignment(s):
		if settings {
			j.assign(s, first == "export", strings.TrimPrefix(rest, " "))
		} else {
			j.backticks(l)
		}
	case strings.Contains(s, ":"):
		end := i
		for k := i + 1; k < len(lines); k++ {
			if t := lines[k].text; strings.TrimSpace(t) != "" {
				if t[0] != ' ' && t[0] != '\t' {
					break
				}
				end = k
			}
		}
		if !settings {
			j.recipe(s, lines[i+1:end+1])
		}
		return end
	default:
		if !settings {
			j.found.problem(l.at, "", "a line of it is no recipe, assignment or setting")
		}
	}
	return i
}

func justAssignment(s string) bool {
	s = strings.TrimPrefix(s, "export ")
	name, _, ok := strings.Cut(s, ":=")
	return ok && isJustName(strings.TrimSpace(name))
}

func isJustName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && c != '-' && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func (j *justText) attributes(s string) {
	if i := strings.Index(s, "script"); i >= 0 {
		j.isBlock = true
		rest := s[i+len("script"):]
		if strings.HasPrefix(rest, "(") {
			if end := strings.IndexByte(rest, ')'); end > 0 {
				j.scripts = justWords(rest[1:end])
			}
		}
	}
}

// justWords reads a list of literals: "a", 'b'.
func justWords(s string) []string {
	var words []string
	for _, piece := range strings.Split(s, ",") {
		if text, ok := justLiteral(strings.TrimSpace(piece)); ok {
			words = append(words, text)
		}
	}
	return words
}

// justLiteral reads one string of the language.
func justLiteral(s string) (string, bool) {
	if len(s) < 2 || s[0] != s[len(s)-1] {
		return "", false
	}
	inner := s[1 : len(s)-1]
	switch s[0] {
	case '\'':
		return inner, !strings.Contains(inner, "'")
	case '"':
		var text string
		if json.Unmarshal([]byte(s), &text) != nil {
			return "", false
		}
		return text, true
	}
	return "", false
}

func (j *justText) setting(s string) {
	name, value, _ := strings.Cut(s, ":=")
	value = strings.TrimSpace(value)
	words := justWords(strings.TrimSuffix(strings.TrimPrefix(value, "["), "]"))
	switch strings.TrimSpace(name) {
	case "shell":
		if len(words) > 0 {
			j.shell = words
		}
	case "script-interpreter":
		if len(words) > 0 {
			j.script = words
		}
	case "working-directory":
		if text, ok := justLiteral(value); ok {
			j.dir = text
		}
	}
}

// assign reads NAME := EXPRESSION.
func (j *justText) assign(s string, exported bool, rest string) {
	if exported {
		s = rest
	}
	name, value, _ := strings.Cut(s, ":=")
	name = strings.TrimSpace(name)
	if text, ok := j.value(strings.TrimSpace(value), 0); ok {
		j.vars[name] = text
		if exported {
			j.env[name] = text
		}
	} else {
		delete(j.vars, name)
	}
}

// maxExpression is how long an expression may be that is evaluated.
const maxExpression = 4 << 10

// value evaluates an expression of literals and known variables, and of
// defaults that the file gives.
func (j *justText) value(s string, depth int) (string, bool) {
	s = strings.TrimSpace(s)
	if depth > 8 || len(s) > maxExpression {
		return "", false
	}
	if text, ok := justLiteral(s); ok {
		return text, true
	}
	if isJustName(s) {
		text, ok := j.vars[s]
		return text, ok
	}
	for _, f := range []string{"env_var_or_default(", "env("} {
		if inner, ok := strings.CutPrefix(s, f); ok && strings.HasSuffix(inner, ")") {
			if i := topLevel(inner, ','); i >= 0 {
				return j.value(strings.TrimSuffix(inner[i+1:], ")"), depth+1)
			}
		}
	}
	for i := range len(s) {
		if s[i] != '+' && s[i] != '/' || quotedAt(s, i) {
			continue
		}
		a, ok := j.value(s[:i], depth+1)
		b, ok2 := j.value(s[i+1:], depth+1)
		if !ok || !ok2 || len(a)+len(b) > 1<<16 {
			return "", false
		}
		if s[i] == '/' {
			return a + "/" + b, true
		}
		return a + b, true
	}
	return "", false
}

// quotedAt reports whether a byte is inside of a literal.
func quotedAt(s string, at int) bool {
	quote := byte(0)
	for i := 0; i < at; i++ {
		switch c := s[i]; {
		case quote == 0 && (c == '"' || c == '\'' || c == '`'):
			quote = c
		case c == quote:
			quote = 0
		case c == '\\' && quote == '"':
			i++
		}
	}
	return quote != 0
}

// backticks are the commands that an assignment runs when it is evaluated.
func (j *justText) backticks(l line) {
	name, _, _ := strings.Cut(strings.TrimPrefix(l.text, "export "), ":=")
	for i := strings.Index(l.text, ":="); i < len(l.text); {
		from := strings.IndexByte(l.text[i:], '`')
		if from < 0 {
			return
		}
		from += i + 1
		n := strings.IndexByte(l.text[from:], '`')
		if n < 0 {
			return
		}
		if n > 0 {
			w := &writer{}
			j.expand(w, line{l.text[from : from+n], l.at + from})
			j.add(w, strings.TrimSpace(name))
		}
		i = from + n + 1
	}
}

// recipe reads the body of a recipe: a command a line, or one script.
func (j *justText) recipe(header string, body []line) {
	name := strings.TrimPrefix(header, "@")
	name = name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"))]
	words, block := j.scripts, j.isBlock
	j.scripts, j.isBlock = nil, false
	outer := j.vars
	j.vars = maps.Clone(outer)
	for _, p := range justParameters(header) { // a parameter hides a variable
		delete(j.vars, p)
	}
	defer func() { j.vars = outer }()
	body = unindented(body)
	start := 0
	for start < len(body) && strings.TrimSpace(body[start].text) == "" {
		start++
	}
	if start < len(body) && (block || strings.HasPrefix(body[start].text, "#!")) {
		j.block(name, body[start:], words)
		return
	}
	for i := start; i < len(body); i++ {
		l := body[i]
		n := len(l.text) - len(strings.TrimLeft(l.text, "@- \t"))
		l = line{l.text[n:], l.at + n}
		if l.text == "" || l.text[0] == '#' {
			continue
		}
		w := &writer{}
		j.expand(w, l)
		for oddBackslash(l.text) && i+1 < len(body) {
			i++
			w.put("\n", l.at+len(l.text))
			l = body[i]
			j.expand(w, l)
		}
		j.add(w, name)
	}
}

// justParameters are the names of a recipe's parameters.
func justParameters(header string) []string {
	before, _, _ := strings.Cut(header, ":")
	var names []string
	for i, w := range strings.Fields(before) {
		w, _, _ = strings.Cut(strings.TrimLeft(w, "+*$"), "=")
		if i > 0 && isJustName(w) {
			names = append(names, w)
		}
	}
	return names
}

// unindented takes the indentation of the first line off all lines.
func unindented(body []line) []line {
	indent := ""
	for _, l := range body {
		if t := strings.TrimLeft(l.text, " \t"); t != "" {
			indent = l.text[:len(l.text)-len(t)]
			break
		}
	}
	out := make([]line, len(body))
	for i, l := range body {
		t, ok := strings.CutPrefix(l.text, indent)
		if !ok {
			t = strings.TrimLeft(l.text, " \t")
		}
		out[i] = line{t, l.at + len(l.text) - len(t)}
	}
	return out
}

// block is a recipe that is one script, by its first line or by [script].
func (j *justText) block(name string, body []line, words []string) {
	program := interpreter(body[0].text)
	if program == "" {
		if len(words) == 0 {
			words = j.script
		}
		program = words[0]
	}
	w := &writer{}
	c := Command{Name: name, Place: Beside, Dir: j.dir, Env: j.env, Shell: dialectOf(program)}
	if runner, ok := language(dialectOf(program)); ok {
		var b strings.Builder
		for _, l := range body {
			b.WriteString(l.text + "\n")
		}
		w.put(foreign(runner, b.String()), body[0].at)
		c.Shell = "sh"
	} else {
		c.Steps = true
		for _, l := range body {
			j.expand(w, l)
			w.put("\n", l.at+len(l.text))
		}
	}
	j.found.add(w.command(c))
}

// expand writes a line with its {{expressions}} replaced.
func (j *justText) expand(w *writer, l line) {
	s, at := l.text, l.at
	for {
		i := strings.Index(s, "{{")
		if i < 0 {
			w.copy(s, at)
			return
		}
		w.copy(s[:i], at)
		s, at = s[i:], at+i
		if strings.HasPrefix(s, "{{{{") {
			w.put("{{", at)
			s, at = s[4:], at+4
			continue
		}
		end := strings.Index(s, "}}")
		if end < 0 {
			w.copy(s, at)
			return
		}
		inner := strings.TrimSpace(s[2:end])
		if text, ok := j.value(inner, 0); ok {
			w.put(text, at)
		} else {
			name := inner
			if !isJustName(inner) {
				name = "just_" + inner
			}
			w.unknown("${"+variable(name)+"}", s[:end+2], at)
		}
		s, at = s[end+2:], at+end+2
	}
}

// add takes a command that the recipes' shell runs.
func (j *justText) add(w *writer, name string) {
	j.found.add(w.command(Command{Shell: dialectOf(j.shell[0]), Name: name, Place: Beside, Dir: j.dir, Env: j.env}))
}
