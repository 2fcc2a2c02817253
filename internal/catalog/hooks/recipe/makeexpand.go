package recipe

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// expand replaces the references in text. What cannot be told becomes a hole
// that is named like the reference.
func (mk *makefile) expand(text string, local map[string]value.Value, depth int) value.Value {
	var b value.Builder
	for {
		i := strings.IndexByte(text, '$')
		if i < 0 || i+1 == len(text) {
			b.WriteString(text)
			break
		}
		b.WriteString(text[:i])
		text = text[i+1:]
		mk.steps++
		mk.bytes += i
		if mk.steps > makeSteps || mk.bytes > makeBytes || depth > makeDepth {
			mk.partial = true
			b.Add(value.Unknown(risk.CauseOther, "makefile"))
			break
		}
		switch c := text[0]; c {
		case '$':
			b.WriteString("$")
			text = text[1:]
		case '(', '{':
			end := closing(text)
			if end < 0 {
				mk.partial = true
				b.Add(value.Unknown(risk.CauseUnknown, "makefile"))
				return b.Value()
			}
			v := mk.reference(text[1:end], local, depth+1)
			mk.bytes += v.Len()
			b.Add(v)
			text = text[end+1:]
		default:
			b.Add(mk.variable(text[:1], local, depth+1))
			text = text[1:]
		}
	}
	return b.Value()
}

// closing returns where the bracket that text begins with is closed, or -1.
func closing(text string) int {
	open, shut := text[0], byte(')')
	if open == '{' {
		shut = '}'
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// reference evaluates what stands between the brackets of a reference.
func (mk *makefile) reference(text string, local map[string]value.Value, depth int) value.Value {
	if name, rest, ok := strings.Cut(strings.ReplaceAll(text, "\t", " "), " "); ok && makeFunction(name) {
		return mk.call(name, strings.TrimLeft(rest, " "), local, depth)
	}
	if name, change, ok := cutTop(text, ':'); ok {
		if from, to, ok := strings.Cut(change, "="); ok && !strings.Contains(change, "$") {
			return substituted(mk.variable(name, local, depth), from, to)
		}
	}
	if strings.Contains(text, "$") {
		name, known := mk.expand(text, local, depth).Known()
		if !known {
			return value.Unknown(risk.CauseUnknown, "make variable")
		}
		text = name
	}
	return mk.variable(text, local, depth)
}

func substituted(v value.Value, from, to string) value.Value {
	if !strings.Contains(from, "%") {
		from, to = "%"+from, "%"+to
	}
	return v.Map(func(s string) string { return patsubst(s, from, to) }, value.AnyText)
}

func patsubst(s, from, to string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if stem, ok := stemOf(from, w); ok {
			words[i] = strings.Replace(to, "%", stem, 1)
		} else if from == w {
			words[i] = to
		}
	}
	return strings.Join(words, " ")
}

// variable returns the value of a variable: make imports the environment, and
// what is set nowhere is empty.
func (mk *makefile) variable(name string, local map[string]value.Value, depth int) value.Value {
	if v, ok := local[name]; ok {
		return v
	}
	if v := mk.vars[name]; v != nil {
		return mk.valueOf(v, local, depth)
	}
	if fixed, ok := builtinMakeVar(name); ok {
		return value.Lit(fixed)
	}
	if name == "CURDIR" {
		if mk.dir == "" {
			return value.Unknown(risk.CauseUnknown, name)
		}
		return value.Lit(mk.dir)
	}
	if v, set := mk.environment(name); set {
		return v
	}
	if mk.partial || mk.site.Env == nil {
		return value.Unknown(risk.CauseUnknown, name)
	}
	return value.Value{}
}

func (mk *makefile) environment(name string) (value.Value, bool) {
	if mk.site.Env == nil {
		return value.Value{}, false
	}
	v, set, _ := mk.site.Env(name)
	return v, set
}

func (mk *makefile) valueOf(v *makeVar, local map[string]value.Value, depth int) value.Value {
	switch {
	case v.fixed != nil:
		return *v.fixed
	case len(v.either) > 0:
		out := v.either[0]
		for _, x := range v.either[1:] {
			out = value.Join(out, x, 16)
		}
		if all, ok := out.Candidates(16); ok && len(all) > 1 {
			return value.OneOf(risk.CauseUnknown, v.name, all...).With(out.Taint())
		}
		return out
	}
	return mk.expand(v.text, local, depth+1)
}

// builtinMakeVar are variables that make itself defines (GNU make 4.4 manual,
// "Implicit Variables" and "Other Special Variables").
func builtinMakeVar(name string) (string, bool) {
	switch name {
	case "CC":
		return "cc", true
	case "CXX":
		return "g++", true
	case "CPP":
		return "cc -E", true
	case "AR":
		return "ar", true
	case "AS":
		return "as", true
	case "LD":
		return "ld", true
	case "RM":
		return "rm -f", true
	case "MAKE":
		return "make", true
	case "SHELL":
		return "/bin/sh", true
	case "ARFLAGS":
		return "rv", true
	case "MAKEFLAGS", "MFLAGS":
		return "", true
	}
	return "", false
}

func makeFunction(name string) bool {
	switch name {
	case "subst", "patsubst", "strip", "findstring", "filter", "filter-out", "sort", "word", "words", "wordlist", "firstword", "lastword",
		"dir", "notdir", "suffix", "basename", "addsuffix", "addprefix", "join", "wildcard", "realpath", "abspath", "error", "warning",
		"info", "shell", "origin", "flavor", "foreach", "if", "or", "and", "call", "eval", "file", "value", "guile", "let", "intcmp":
		return true
	}
	return false
}

// call evaluates a function where that is simple; the rest are holes.
func (mk *makefile) call(name, text string, local map[string]value.Value, depth int) value.Value {
	unknown := value.Unknown(risk.CauseUnknown, "("+name+" …)")
	switch name {
	case "shell":
		return mk.shell(mk.expand(text, local, depth))
	case "file":
		mk.file(mk.expand(text, local, depth))
		return value.Value{}
	case "eval", "guile":
		mk.partial = true
		return value.Value{}
	case "call", "foreach", "value", "let":
		return mk.callUser(name, text, local, depth)
	case "if", "or", "and":
		return mk.logic(name, topLevel(text, ',', 3), local, depth)
	case "info", "warning", "error":
		mk.prints(mk.expand(text, local, depth))
		return value.Value{}
	}
	parts := topLevel(text, ',', 3)
	args := make([]string, len(parts))
	for i, part := range parts {
		v := mk.expand(part, local, depth)
		word, known := v.Known()
		if !known && i == len(parts)-1 {
			return v.Map(func(s string) string { return makeWords(name, append(args[:i:i], s)) }, value.AnyText)
		}
		if !known {
			return unknown
		}
		args[i] = word
	}
	if !pureMakeFunction(name, len(args)) {
		return unknown
	}
	return value.Lit(makeWords(name, args))
}

// prints notes that make itself prints a text: of the secrets that it expands,
// each is shown.
func (mk *makefile) prints(text value.Value) {
	if !text.Taint().Has(value.Secret | value.Credential) {
		return
	}
	for _, h := range text.Holes() {
		if value.CredentialName(h.Name) && len(mk.files) < 64 {
			mk.files = append(mk.files, catalog.Effect{Verb: risk.SecretRead, Target: value.Lit("$" + h.Name), Kind: risk.KindShown})
		}
	}
}

// file notes what $(file OP NAME,TEXT) does: > overwrites, >> appends, < reads
// (manual, "The file Function").
func (mk *makefile) file(text value.Value) {
	op := text.Prefix()
	cut := len(op) - len(strings.TrimLeft(op, " \t"))
	e := catalog.Effect{Verb: risk.FSWrite}
	switch op = op[cut:]; {
	case strings.HasPrefix(op, ">>"):
		e.Kind = risk.KindAppend
		cut += 2
	case strings.HasPrefix(op, ">"):
		cut++
	case strings.HasPrefix(op, "<"):
		e.Verb, e.Shown = risk.FSRead, true
		cut++
	default:
		mk.partial = true
		return
	}
	rest := text.Cut(cut)
	for strings.HasPrefix(rest.Prefix(), " ") {
		rest = rest.Cut(1)
	}
	e.Target = rest.Split(",")[0]
	if name, known := e.Target.Known(); known {
		e.Target = value.Lit(strings.TrimSpace(name))
	}
	if len(mk.files) < 64 {
		mk.files = append(mk.files, e)
	}
}

func pureMakeFunction(name string, args int) bool {
	switch name {
	case "strip", "dir", "notdir", "firstword", "lastword", "sort":
		return args == 1
	case "addprefix", "addsuffix", "filter", "filter-out", "findstring":
		return args == 2
	case "subst", "patsubst":
		return args == 3
	}
	return false
}

// makeWords evaluates a function over known words.
func makeWords(name string, args []string) string {
	if !pureMakeFunction(name, len(args)) {
		return ""
	}
	last := args[len(args)-1]
	words := strings.Fields(last)
	var out []string
	switch name {
	case "subst":
		return strings.ReplaceAll(last, args[0], args[1])
	case "patsubst":
		return patsubst(last, args[0], args[1])
	case "findstring":
		if strings.Contains(last, args[0]) {
			return args[0]
		}
		return ""
	case "firstword":
		words = words[:min(1, len(words))]
	case "lastword":
		words = words[max(0, len(words)-1):]
	}
	for _, w := range words {
		switch name {
		case "dir":
			w = path.Dir(w) + "/"
		case "notdir":
			w = path.Base(w)
		case "addprefix":
			w = args[0] + w
		case "addsuffix":
			w += args[0]
		case "filter", "filter-out":
			if matchesAny(args[0], w) != (name == "filter") {
				continue
			}
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

func matchesAny(patterns, word string) bool {
	for p := range strings.FieldsSeq(patterns) {
		if _, ok := stemOf(p, word); ok || p == word {
			return true
		}
	}
	return false
}

// callUser evaluates $(call name,…): a variable with parameters.
func (mk *makefile) callUser(name, text string, local map[string]value.Value, depth int) value.Value {
	unknown := value.Unknown(risk.CauseUnknown, "("+name+" …)")
	if name != "call" {
		mk.partial = mk.partial || strings.Contains(text, "eval")
		return unknown
	}
	parts := topLevel(text, ',', 10)
	function, known := mk.expand(strings.TrimSpace(parts[0]), local, depth).Known()
	v := mk.vars[function]
	if !known || v == nil {
		return unknown
	}
	scope := map[string]value.Value{"0": value.Lit(function)}
	for n, x := range local {
		scope[n] = x
	}
	for i := 1; i < 10; i++ {
		scope[string(rune('0'+i))] = value.Value{}
		if i < len(parts) {
			scope[string(rune('0'+i))] = mk.expand(parts[i], local, depth)
		}
	}
	return mk.valueOf(v, scope, depth)
}

func (mk *makefile) logic(name string, parts []string, local map[string]value.Value, depth int) value.Value {
	unknown := value.Unknown(risk.CauseUnknown, "("+name+" …)")
	var last value.Value
	for i, part := range parts {
		if name == "if" && i > 0 {
			break
		}
		last = mk.expand(strings.TrimSpace(part), local, depth)
		if !last.IsKnown() && last.Worst() == "" {
			return unknown
		}
		if empty := last.Empty(); name == "or" && !empty || name == "and" && empty {
			return last
		}
	}
	if name != "if" {
		return last
	}
	branch := 1
	if last.Empty() {
		branch = 2
	}
	if branch >= len(parts) {
		return value.Value{}
	}
	return mk.expand(parts[branch], local, depth)
}

// shell notes a command that make runs while it reads, and returns what it
// prints as far as that is plain.
func (mk *makefile) shell(command value.Value) value.Value {
	text, known := command.Known()
	text = strings.TrimSpace(text)
	if known && mk.site.World != nil {
		system := map[string]string{"linux": "Linux", "darwin": "Darwin"}[mk.site.World.OS]
		switch {
		case (text == "uname" || text == "uname -s" || strings.HasPrefix(text, "uname -s 2>") || strings.HasPrefix(text, "uname 2>")) && system != "":
			return value.Lit(system)
		case text == "pwd" && mk.dir != "":
			return value.Lit(mk.dir)
		}
	}
	seen := func(v value.Value) bool { return v.String() == command.String() }
	switch {
	case slices.ContainsFunc(mk.shells, seen):
	case len(mk.shells) < makeRecipes:
		mk.shells = append(mk.shells, command)
	default:
		mk.partial = true
	}
	return value.Of(value.Hole{Cause: risk.CauseOutput, Name: "$(shell " + clipped(command.String()) + ")"})
}

func clipped(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}

// topLevel splits text at sep outside brackets into at most n pieces.
func topLevel(text string, sep byte, n int) []string {
	var out []string
	for len(out) < n-1 {
		before, after, ok := cutTop(text, sep)
		if !ok {
			break
		}
		out = append(out, before)
		text = after
	}
	return append(out, text)
}

// cutTop cuts text at the first sep that stands outside brackets.
func cutTop(text string, sep byte) (before, after string, found bool) {
	depth := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth--
		case c == sep && depth <= 0:
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

// assignment finds the assignment operator of a line: the operator, and where
// its last byte is; -1 if there is none.
func assignment(line string) (op string, at int) {
	depth := 0
	for i := range len(line) {
		switch c := line[i]; {
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth--
		case depth > 0:
		case c == ';':
			return "", -1
		case c == '=':
			start := i
			for start > 0 && strings.IndexByte(":?+!", line[start-1]) >= 0 && i-start < 3 {
				start--
			}
			return line[start : i+1], i
		}
	}
	return "", -1
}

// ruleColon finds the colon of a rule; -1 if there is none.
func ruleColon(line string) int {
	before, after, ok := cutTop(line, ':')
	if !ok || strings.HasPrefix(strings.TrimLeft(after, ":"), "=") {
		return -1
	}
	return len(before)
}

// uncommented cuts a comment off a line.
func uncommented(line string) string {
	from := 0
	for {
		i := strings.IndexByte(line[from:], '#')
		if i < 0 {
			return line
		}
		i += from
		if i == 0 || line[i-1] != '\\' {
			return line[:i]
		}
		from = i + 1
	}
}
