package hooks

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// print reads a print statement to its redirection, if it has one. A > within
// parentheses compares.
func (p *awkProgram) print(i int) {
	depth := 0
	for j := i + 1; j < len(p.tokens); j++ {
		switch {
		case p.is(j, "(") || p.is(j, "["):
			depth++
		case p.is(j, ")") || p.is(j, "]"):
			depth--
		case p.tokens[j].kind == awkNewline, p.is(j, "}"):
			return
		case depth == 0 && (p.is(j, ">") || p.is(j, ">>")):
			p.redirect(p.constant(j+1, p.statementEnd(j+1)), p.is(j, ">>"))
			return
		case depth == 0 && (p.is(j, "|") || p.is(j, "|&")) && !p.is(j+1, "getline"):
			p.printTo(p.constant(j+1, p.statementEnd(j+1)), p.constant(i+1, j))
			return
		}
	}
}

// statementEnd returns the index of the end of the statement at i.
func (p *awkProgram) statementEnd(i int) int {
	for ; i < len(p.tokens); i++ {
		if p.tokens[i].kind == awkNewline || p.is(i, "}") {
			break
		}
	}
	return i
}

func (p *awkProgram) redirect(f value.Value, appends bool) {
	p.acts = true
	if p.network(f) {
		return
	}
	detail := risk.NoKind
	if appends {
		detail = risk.KindAppend
	}
	writeFile(p.r, f, detail)
}

// network reports whether f is one of gawk's network files:
// /inet/tcp/PORT/HOST/PORT (gawk manual, "Special Network").
func (p *awkProgram) network(f value.Value) bool {
	if !strings.HasPrefix(f.Prefix(), "/inet") {
		return false
	}
	p.acts = true
	verb, host := risk.NetConnect, f
	if parts := f.Split("/"); len(parts) > 4 {
		host = parts[4]
		if host.IsKnown() && sameWord(host, "0") {
			verb = risk.NetListen
		}
	}
	for _, e := range p.r.Effects { // a program names its peer at every use
		if e.Verb == verb && e.Target.String() == host.String() {
			return true
		}
	}
	p.r.Effects = append(p.r.Effects, catalog.Effect{Verb: verb, Target: host})
	if verb == risk.NetConnect {
		p.r.Effects = append(p.r.Effects, catalog.Effect{Verb: risk.NetSend, Target: host, Carries: []catalog.Source{{Stdin: true}}})
	}
	return true
}

// printTo records a command that gets what is printed: a shell runs it.
func (p *awkProgram) printTo(command, text value.Value) {
	if p.network(command) {
		return
	}
	if s, known := command.Known(); known {
		if shellname.Is(strings.TrimSuffix(lastElement(strings.TrimSpace(s)), " -s")) {
			p.acts = true
			runText(p.r, text)
			return
		}
	}
	p.run(command)
}

// pipe reads `command | getline`; print statements read their own pipes.
func (p *awkProgram) pipe(i int) {
	if !p.is(i+1, "getline") {
		return
	}
	command := p.constant(p.operandStart(i), i)
	if !p.network(command) {
		p.run(command)
	}
}

// operandStart returns where the concatenation that ends before token i begins.
func (p *awkProgram) operandStart(i int) int {
	for depth := 0; i > 0; i-- {
		t := &p.tokens[i-1]
		switch {
		case p.is(i-1, ")") || p.is(i-1, "]"):
			depth++
		case p.is(i-1, "(") || p.is(i-1, "["):
			if depth--; depth < 0 {
				return i
			}
		case depth > 0:
		case t.kind == awkNewline, t.kind == awkOp && t.text != "$", t.kind == awkName && awkKeyword(t.text):
			return i
		}
	}
	return i
}

func awkKeyword(s string) bool {
	switch s {
	case "while", "if", "for", "do", "else", "print", "printf", "return", "in", "BEGIN", "END":
		return true
	}
	return false
}

// getline reads `getline [variable] < file`.
func (p *awkProgram) getline(i int) {
	if p.is(i-1, "|") || p.is(i-1, "|&") {
		return
	}
	j := i + 1
	if j < len(p.tokens) && (p.tokens[j].kind == awkName || p.is(j, "$")) {
		j++
		for p.is(j-1, "$") && j < len(p.tokens) {
			j++
		}
		if p.is(j, "[") {
			_, j = p.group(j)
			j++
		}
	}
	if !p.is(j, "<") {
		return
	}
	to := j + 1 // the operand is a primary: a string, a variable, a group
	if p.is(to, "(") {
		_, to = p.group(to)
	}
	to++
	f := p.constant(j+1, min(to, len(p.tokens)))
	if !p.network(f) {
		showFiles(p.r, []value.Value{f}, true)
	}
}

// directive reads @load, @include and indirect calls.
func (p *awkProgram) directive(i int) {
	if i+2 >= len(p.tokens) {
		return
	}
	switch name, arg := p.tokens[i+1].text, p.tokens[i+2]; {
	case name == "load":
		p.acts = true
		p.r.Runs = append(p.r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: arg.val})
	case name == "include":
		p.r.Runs = append(p.r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "awk", Text: arg.val})
	case p.is(i+2, "("): // @f(...) calls the function that f names: it may be system
		from, to := p.group(i + 2)
		p.run(p.constant(from, to))
	}
}

// readsInput reports whether the program reads its input: a program of only
// BEGIN rules and functions does not.
func (p *awkProgram) readsInput() bool {
	begin := false
	for i := 0; i < len(p.tokens); i++ {
		switch {
		case p.tokens[i].kind == awkNewline:
		case p.is(i, "BEGIN"):
			begin = true
		case p.is(i, "function") || p.is(i, "func"):
			for i < len(p.tokens) && !p.is(i, "{") {
				i++
			}
			begin = true
			i--
		case p.is(i, "@"):
			i += 2
		case p.is(i, "{") && begin:
			_, i = p.group(i)
			begin = false
		default:
			return true
		}
	}
	return false
}
