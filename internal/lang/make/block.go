package makefile

import "strings"

// conditional reads ifeq, ifneq, ifdef, ifndef, else or endif.
func (p *parser) conditional(l *line, word string, from, rest, to int) {
	switch {
	case word == "endif" && p.deeper > 0:
		p.deeper--
	case word == "endif" && len(p.open) > 0:
		p.end()
	case word == "endif" || word == "else" && (p.deeper > 0 || len(p.open) == 0):
	case word == "else":
		n := p.open[len(p.open)-1]
		b := Branch{At: l.pos(from)}
		next, tail, _ := strings.Cut(l.text[rest:to], " ")
		if strings.HasPrefix(next, "if") {
			start, _ := l.trim(to-len(tail), to)
			b = l.condition(next, from, start, to)
		}
		n.Branches = append(n.Branches, b)
	case len(p.open) >= maxConditionals:
		p.deeper++
		p.file.Deep = true
	default:
		b := l.condition(word, from, rest, to)
		p.open = append(p.open, &If{At: b.At, Branches: []Branch{b}})
	}
}

// condition reads what a branch depends on: (A,B), "A" "B" or 'A' 'B', and a
// name behind ifdef.
func (l *line) condition(word string, at, from, to int) Branch {
	b := Branch{At: l.pos(at), Word: word}
	switch word {
	case "ifdef", "ifndef":
		b.A = l.texts(from, to, 0)
		b.Bad = from == to
		return b
	case "ifeq", "ifneq":
	default:
		b.Bad = true
		return b
	}
	if from < to && l.text[from] == '(' {
		end := l.closing(from)
		comma := to
		if end > 0 && end < to {
			comma = l.find(from+1, end, ",")
		}
		if b.Bad = comma >= end; b.Bad {
			return b
		}
		first := from + 1
		for comma > first && isBlank(l.text[comma-1]) {
			comma--
		}
		b.A = l.texts(first, comma, 0)
		second, _ := l.trim(l.find(comma, end, ",")+1, end)
		b.B = l.texts(second, end, 0)
		return b
	}
	a, next, ok := l.quoted(from, to)
	start, _ := l.trim(next, to)
	c, _, ok2 := l.quoted(start, to)
	b.A, b.B, b.Bad = a, c, !ok || !ok2
	return b
}

// quoted reads a text in quotes; next is behind it.
func (l *line) quoted(from, to int) (t Text, next int, ok bool) {
	if from >= to || l.text[from] != '"' && l.text[from] != '\'' {
		return Text{}, to, false
	}
	n := strings.IndexByte(l.text[from+1:to], l.text[from])
	if n < 0 {
		return Text{}, to, false
	}
	end := from + 1 + n
	return l.texts(from+1, end, 0), end + 1, true
}

// define reads a variable of several lines, up to its endef. A define in it
// has an endef of its own.
func (p *parser) define(l *line, from, to int, set *Assign) *Assign {
	set.At, set.Define, set.Op = l.pos(from), true, "="
	name := l.text[from:to]
	if strings.HasSuffix(name, "=") {
		bare := strings.TrimRight(strings.TrimSuffix(name, "="), ":?+!")
		set.Op = name[len(bare):]
		_, to = l.trim(from, from+len(bare))
	}
	set.Name = l.texts(from, to, 0)
	body := &line{recipe: true}
	var b strings.Builder
	depth, goesOn := 1, false
	for p.more() {
		newline := p.next - 1
		text, at := p.physical()
		if word := firstWord(text); !goesOn && text[:min(1, len(text))] != string(p.prefix) {
			switch word {
			case "define":
				depth++
			case "endef":
				depth--
			}
		}
		if depth == 0 {
			break
		}
		goesOn = oddBackslash(text)
		if len(body.segs) > 0 {
			body.stands(b.Len(), newline)
			b.WriteByte('\n')
		}
		body.stands(b.Len(), at)
		b.WriteString(text)
		body.end = at + len(text)
	}
	if len(body.segs) == 0 {
		return set
	}
	body.text = b.String()
	set.Raw, set.Value = body.text, body.texts(0, len(body.text), 0)
	return set
}

// firstWord returns what stands before the first blank of a line.
func firstWord(text string) string {
	text = strings.TrimLeft(text, " \t")
	if i := strings.IndexAny(text, " \t#"); i >= 0 {
		return text[:i]
	}
	return text
}
