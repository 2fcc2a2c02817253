package syntax

import "strings"

// ruby reads Ruby (doc/syntax/literals.rdoc).
func (l *Lexer) ruby() {
	bol := true
	for l.At < len(l.Text) {
		c := l.Text[l.At]
		if bol && l.has("=begin") {
			l.pod("=end")
			continue
		}
		if bol && l.has("__END__") {
			return
		}
		bol = c == '\n'
		switch {
		case c == '\n' && len(l.here) > 0:
			l.space()
			l.hereBodies()
		case l.space():
		case c == '\\' && l.at(1) == '\n':
			l.At += 2
		case c == '#':
			l.skipLine()
		case c == '\'':
			l.At++
			l.add(Token{Kind: TokStr, Parts: l.Quoted(0, "'", escSingle, 0)})
		case c == '"':
			l.At++
			l.add(Token{Kind: TokStr, Parts: l.Quoted(0, `"`, EscFull, '#')})
		case c == '`' && l.last().Text != "def" && l.last().Text != ".":
			l.At++
			l.add(Token{Kind: tCmd, Parts: l.Quoted(0, "`", EscFull, '#')})
		case c == '%' && l.rubyPercent():
		case c == '?' && l.operandNext() && IsIdent(l.at(1)) && !IsIdent(l.at(2)):
			l.add(Token{Kind: TokStr, Parts: []Part{{Lit: l.Text[l.At+1 : l.At+2]}}})
			l.At += 2
		case c == ':' && l.rubySymbol():
		case IsIdentStart(c):
			l.rubyName()
		case (c == '@' || c == '$') && (IsIdentStart(l.at(1)) || l.at(1) == '@'):
			n := 1
			if l.at(1) == '@' {
				n = 2
			}
			n += IdentLen(l.Text[min(l.At+n, len(l.Text)):])
			l.add(Token{Kind: TokVar, Text: l.Text[l.At : l.At+n]})
			l.At += n
		case c == '$' && l.At+1 < len(l.Text):
			l.add(Token{Kind: TokVar, Text: l.Text[l.At : l.At+2]})
			l.At += 2
		case IsDigit(c):
			l.number()
		case l.has("<<") && (l.operandNext() || l.sp && l.last().Kind == TokIdent && l.at(2) != ' ') && l.hereTag():
		case c == '/' && l.regexNext():
			l.At++
			parts := l.Quoted(0, "/", escRaw, '#')
			l.flags()
			l.add(Token{Kind: tRegex, Parts: parts})
		default:
			l.operator()
		}
	}
}

// regexNext reports whether a slash begins a regular expression: `puts /x/`
// is a call with one, `a / b` a division.
func (l *Lexer) regexNext() bool {
	return l.operandNext() || l.sp && l.last().Kind == TokIdent && l.at(1) != ' ' && l.at(1) != '='
}

// rubyName reads a name; ? and ! may end it, and a colon makes it a key.
func (l *Lexer) rubyName() {
	n := IdentLen(l.rest())
	if c := l.at(n); (c == '?' || c == '!') && l.at(n+1) != '=' && !(c == '?' && l.at(n+1) == ' ' && l.last().Text == "?") {
		n++
	}
	name := l.Text[l.At : l.At+n]
	l.add(Token{Kind: TokIdent, Text: name})
	l.At += n
}

// rubySymbol reads :name and :"name", which serve as strings here.
func (l *Lexer) rubySymbol() bool {
	if l.at(1) == ':' || l.last().Text == "?" {
		return false
	}
	if l.at(1) == '"' && (l.operandNext() || l.sp) {
		l.At += 2
		l.add(Token{Kind: TokStr, Parts: l.Quoted(0, `"`, EscFull, '#')})
		return true
	}
	n := IdentLen(l.Text[l.At+1:])
	if n == 0 || !l.operandNext() && !l.sp {
		return false
	}
	if c := l.at(n + 1); c == '?' || c == '!' {
		n++
	}
	l.add(Token{Kind: TokStr, Text: "sym", Parts: []Part{{Lit: l.Text[l.At+1 : l.At+1+n]}}})
	l.At += n + 1
	return true
}

// rubyPercent reads %q(), %Q(), %w(), %i(), %x(), %r() and %().
func (l *Lexer) rubyPercent() bool {
	kind, n := l.at(1), 2
	if strings.IndexByte("qQwWiIxrs", kind) < 0 || IsIdent(l.at(2)) || l.at(2) == ' ' {
		kind, n = 'Q', 1
		if !l.operandNext() || strings.IndexByte("([{<|!/", l.at(1)) < 0 {
			return false
		}
	} else if !l.operandNext() && !(l.sp && l.last().Kind == TokIdent) {
		return false
	}
	l.At += n
	if l.At >= len(l.Text) {
		l.bad = true
		return true
	}
	delim := l.Text[l.At]
	end, nests := Closer(delim)
	open := byte(0)
	if nests {
		open = delim
	}
	term := string([]byte{end})
	l.At++
	switch kind {
	case 'q', 's':
		l.add(Token{Kind: TokStr, Parts: l.Quoted(open, term, escSingle, 0)})
	case 'w', 'i', 'W', 'I':
		var b strings.Builder
		from := l.At
		words := l.Quoted(open, term, escSingle, 0)
		if (kind == 'W' || kind == 'I') && strings.Contains(l.Text[from:l.At], "#{") { // code among the words
			l.bad = true
		}
		for _, p := range words {
			b.WriteString(p.Lit)
		}
		l.add(Token{Kind: tWords, Text: b.String()})
	case 'x':
		l.add(Token{Kind: tCmd, Parts: l.Quoted(open, term, EscFull, '#')})
	case 'r':
		parts := l.Quoted(open, term, escRaw, '#')
		l.flags()
		l.add(Token{Kind: tRegex, Parts: parts})
	default:
		l.add(Token{Kind: TokStr, Parts: l.Quoted(open, term, EscFull, '#')})
	}
	return true
}
