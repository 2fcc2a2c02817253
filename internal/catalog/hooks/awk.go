package hooks

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// awk reads the program for what reaches outside it: system, pipes,
// redirections, getline from files, network files, extensions and ENVIRON.
func awk(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Operands()
	sources := m.Values("source")
	given := len(sources) > 0 || m.Has("executable")
	for _, f := range m.Values("progfile") {
		given = true
		if text, ok := siteFile(s, f); ok {
			sources = append(sources, value.Lit(text))
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "progfile"})
			continue
		}
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "awk", Text: f, Stdin: sameWord(f, "-")})
	}
	if !given {
		if len(words) == 0 {
			return
		}
		sources, words = words[:1], words[1:]
	}
	inplace := false
	for _, lib := range m.Values("include") {
		if sameWord(lib, "inplace") || sameWord(lib, "inplace.awk") {
			inplace = true
			continue
		}
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "awk", Text: lib})
	}
	code := joinPrograms(sources)
	text := newProgram(code)
	p := awkProgram{tokens: lexAwk(text), r: r, vars: awkAssigned(m.Values("assignment"))}
	p.read()
	if text.cut || len(p.tokens) == maxAwkTokens || tooMuch(r) {
		notInspected(r, "awk", code)
	}
	if m.Has("sandbox") && p.acts { // gawk refuses them then
		r.Fails, r.Runs, r.Effects = true, nil, nil
	}
	if len(sources) > 0 && !p.readsInput() {
		return
	}
	awkFiles(r, words, inplace)
}

// awkFiles says what becomes of the operands: NAME=TEXT assigns, others are read.
func awkFiles(r *catalog.Result, words []value.Value, inplace bool) {
	any := false
	for _, f := range words {
		if name, _, ok := strings.Cut(f.Prefix(), "="); ok && awkIsName(name) {
			continue
		}
		any = true
		if inplace {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Arg: "file", Kind: risk.KindInPlace})
			continue
		}
		showFiles(r, []value.Value{f}, true)
	}
	if !any {
		r.ReadsStdin, r.ShowsStdin = true, true
	}
}

func awkIsName(s string) bool {
	for i := range len(s) {
		if !awkWordByte(s[i]) {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}

// awkAssigned reads the values of -v.
func awkAssigned(assignments []value.Value) map[string]value.Value {
	vars := map[string]value.Value{}
	for _, a := range assignments {
		if name, _, ok := strings.Cut(a.Prefix(), "="); ok {
			vars[name] = a.Cut(len(name) + 1)
		}
	}
	return vars
}

// An awkProgram is a reader over the tokens of a program.
type awkProgram struct {
	tokens []awkToken
	r      *catalog.Result
	vars   map[string]value.Value // variables with one known value
	closes []int                  // for an opening bracket, the index of its closing one
	acts   bool                   // does what --sandbox refuses
}

func (p *awkProgram) is(i int, text string) bool {
	return i >= 0 && i < len(p.tokens) && p.tokens[i].text == text && (p.tokens[i].kind == awkOp || p.tokens[i].kind == awkName || p.tokens[i].kind == awkNewline)
}

func (p *awkProgram) read() {
	p.brackets()
	p.constants()
	for i := range p.tokens {
		if tooMuch(p.r) {
			return
		}
		t := &p.tokens[i]
		switch {
		case t.kind == awkHole && p.alone(i):
			p.r.Runs = append(p.r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "awk", Text: t.val})
		case t.kind == awkName:
			p.name(i, t.text)
		case t.kind == awkOp && (t.text == "|" || t.text == "|&"):
			p.pipe(i)
		case t.kind == awkOp && t.text == "@":
			p.directive(i)
		}
	}
}

// alone reports whether a hole stands where a statement or a whole program
// would: `awk "$program"`. Elsewhere it is an operand.
func (p *awkProgram) alone(i int) bool {
	before := i == 0 || p.tokens[i-1].kind == awkNewline || p.is(i-1, "{") || p.is(i-1, "}")
	after := i+1 == len(p.tokens) || p.tokens[i+1].kind == awkNewline || p.is(i+1, "}")
	return before && after
}

func (p *awkProgram) name(i int, name string) {
	switch name {
	case "system":
		if p.is(i+1, "(") {
			from, to := p.group(i + 1)
			p.run(p.constant(from, to))
		}
	case "print", "printf":
		p.print(i)
	case "getline":
		p.getline(i)
	case "ENVIRON":
		p.r.Prints = catalog.PrintsPrivate
	}
}

// run records a command that the program runs by the shell.
func (p *awkProgram) run(command value.Value) {
	p.acts = true
	runText(p.r, command)
}

// brackets finds the partner of every bracket, once.
func (p *awkProgram) brackets() {
	p.closes = make([]int, len(p.tokens))
	var open []int
	for i := range p.tokens {
		p.closes[i] = len(p.tokens)
		switch {
		case p.is(i, "(") || p.is(i, "[") || p.is(i, "{"):
			open = append(open, i)
		case len(open) > 0 && (p.is(i, ")") || p.is(i, "]") || p.is(i, "}")):
			p.closes[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
}

// group returns the range of tokens between the bracket at i and the one that
// closes it. What is no bracket has an empty group.
func (p *awkProgram) group(i int) (from, to int) {
	if i >= len(p.tokens) || !p.is(i, "(") && !p.is(i, "[") && !p.is(i, "{") {
		return i, i
	}
	return i + 1, p.closes[i]
}

// constant returns the value of a concatenation of strings and variables; what
// is neither becomes a hole.
func (p *awkProgram) constant(from, to int) value.Value {
	for to-from >= 2 && p.is(from, "(") {
		if _, end := p.group(from); end != to-1 {
			break
		}
		from, to = from+1, to-1
	}
	var b value.Builder
	for i := from; i < to; i++ {
		t := &p.tokens[i]
		v, known := p.vars[t.text]
		switch {
		case t.kind == awkString || t.kind == awkNumber || t.kind == awkHole:
			b.Add(t.val)
		case t.kind == awkName && known && !p.is(i+1, "[") && !p.is(i+1, "("):
			b.Add(v)
		case p.is(i, ","): // the output field separator
			b.WriteString(" ")
		case t.kind == awkName || p.is(i, "$") || p.is(i, "("):
			b.Add(awkUnknown())
			i = p.operand(i)
		default: // an operator: the result is not a concatenation
			return awkUnknown()
		}
	}
	return b.Value()
}

func awkUnknown() value.Value { return value.Unknown(risk.CauseInput, "a value in awk") }

// operand returns the index of the last token of the operand at i: a name
// with its arguments or subscript, a group, or a field.
func (p *awkProgram) operand(i int) int {
	for p.is(i, "$") && i+1 < len(p.tokens) {
		i++
	}
	if i < len(p.tokens) && p.tokens[i].kind == awkName && (p.is(i+1, "(") || p.is(i+1, "[")) {
		i++
	}
	if p.is(i, "(") || p.is(i, "[") {
		_, i = p.group(i)
	}
	return i
}

// constants finds the variables that are assigned once, and a constant.
func (p *awkProgram) constants() {
	count := map[string]int{}
	seen := 0 // tokens before it were counted as arguments
	for name := range p.vars {
		count[name]++
	}
	for i := range p.tokens {
		if p.tokens[i].kind != awkName {
			continue
		}
		name := p.tokens[i].text
		switch {
		case p.is(i+1, "="):
			to := p.end(i + 2)
			if count[name]++; count[name] == 1 {
				if v := p.constant(i+2, to); v.IsKnown() && !v.Empty() {
					p.vars[name] = v
				}
			}
		case p.is(i+1, "+=") || p.is(i+1, "++") || p.is(i-1, "++") || p.is(i-1, "getline"), p.is(i-1, "(") && p.is(i+1, "in"):
			count[name] += 2
		case (name == "sub" || name == "gsub" || name == "function" || name == "func" || name == "split") && i+1 < len(p.tokens):
			open := i + 1
			if p.is(open+1, "(") { // function NAME(
				open++
			}
			from, to := p.group(open)
			for j := max(from, seen); j < min(to, len(p.tokens)); j++ { // arguments may be changed, parameters hide globals
				count[p.tokens[j].text] += 2
			}
			seen = max(seen, to)
		}
	}
	for name, n := range count {
		if n > 1 {
			delete(p.vars, name)
		}
	}
}

// end returns the index behind the expression that begins at i: the end of
// the statement, or a bracket or comma that closes it.
func (p *awkProgram) end(i int) int {
	depth := 0
	for ; i < len(p.tokens); i++ {
		switch {
		case p.is(i, "(") || p.is(i, "["):
			depth++
		case p.is(i, ")") || p.is(i, "]"):
			if depth--; depth < 0 {
				return i
			}
		case p.tokens[i].kind == awkNewline, p.is(i, "}"), p.is(i, "{"), depth == 0 && p.is(i, ","):
			return i
		}
	}
	return i
}
