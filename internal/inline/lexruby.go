package inline

import "strings"

// ruby reads Ruby (doc/syntax/literals.rdoc).
func (l *lexer) ruby() {
	bol := true
	for l.i < len(l.s) {
		c := l.s[l.i]
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
			l.i += 2
		case c == '#':
			l.skipLine()
		case c == '\'':
			l.i++
			l.add(token{k: tStr, parts: l.quoted(0, "'", escSingle, 0)})
		case c == '"':
			l.i++
			l.add(token{k: tStr, parts: l.quoted(0, `"`, escFull, '#')})
		case c == '`' && l.last().s != "def" && l.last().s != ".":
			l.i++
			l.add(token{k: tCmd, parts: l.quoted(0, "`", escFull, '#')})
		case c == '%' && l.rubyPercent():
		case c == '?' && l.operandNext() && isIdent(l.at(1)) && !isIdent(l.at(2)):
			l.add(token{k: tStr, parts: []part{{lit: l.s[l.i+1 : l.i+2]}}})
			l.i += 2
		case c == ':' && l.rubySymbol():
		case isIdentStart(c):
			l.rubyName()
		case (c == '@' || c == '$') && (isIdentStart(l.at(1)) || l.at(1) == '@'):
			n := 1
			if l.at(1) == '@' {
				n = 2
			}
			n += identLen(l.s[min(l.i+n, len(l.s)):])
			l.add(token{k: tVar, s: l.s[l.i : l.i+n]})
			l.i += n
		case c == '$' && l.i+1 < len(l.s):
			l.add(token{k: tVar, s: l.s[l.i : l.i+2]})
			l.i += 2
		case isDigit(c):
			l.number()
		case l.has("<<") && (l.operandNext() || l.sp && l.last().k == tIdent && l.at(2) != ' ') && l.hereTag():
		case c == '/' && l.regexNext():
			l.i++
			l.quoted(0, "/", escRaw, 0)
			l.flags()
			l.add(token{k: tRegex})
		default:
			l.operator()
		}
	}
}

// regexNext reports whether a slash begins a regular expression: `puts /x/`
// is a call with one, `a / b` a division.
func (l *lexer) regexNext() bool {
	return l.operandNext() || l.sp && l.last().k == tIdent && l.at(1) != ' ' && l.at(1) != '='
}

// rubyName reads a name; ? and ! may end it, and a colon makes it a key.
func (l *lexer) rubyName() {
	n := identLen(l.rest())
	if c := l.at(n); (c == '?' || c == '!') && l.at(n+1) != '=' && !(c == '?' && l.at(n+1) == ' ' && l.last().s == "?") {
		n++
	}
	name := l.s[l.i : l.i+n]
	l.add(token{k: tIdent, s: name})
	l.i += n
}

// rubySymbol reads :name and :"name", which serve as strings here.
func (l *lexer) rubySymbol() bool {
	if l.at(1) == ':' || l.last().s == "?" {
		return false
	}
	if l.at(1) == '"' && (l.operandNext() || l.sp) {
		l.i += 2
		l.add(token{k: tStr, parts: l.quoted(0, `"`, escFull, '#')})
		return true
	}
	n := identLen(l.s[l.i+1:])
	if n == 0 || !l.operandNext() && !l.sp {
		return false
	}
	if c := l.at(n + 1); c == '?' || c == '!' {
		n++
	}
	l.add(token{k: tStr, s: "sym", parts: []part{{lit: l.s[l.i+1 : l.i+1+n]}}})
	l.i += n + 1
	return true
}

// rubyPercent reads %q(), %Q(), %w(), %i(), %x(), %r() and %().
func (l *lexer) rubyPercent() bool {
	kind, n := l.at(1), 2
	if strings.IndexByte("qQwWiIxrs", kind) < 0 || isIdent(l.at(2)) || l.at(2) == ' ' {
		kind, n = 'Q', 1
		if !l.operandNext() || strings.IndexByte("([{<|!/", l.at(1)) < 0 {
			return false
		}
	} else if !l.operandNext() && !(l.sp && l.last().k == tIdent) {
		return false
	}
	l.i += n
	if l.i >= len(l.s) {
		l.bad = true
		return true
	}
	delim := l.s[l.i]
	end, nests := closer(delim)
	open := byte(0)
	if nests {
		open = delim
	}
	term := string([]byte{end})
	l.i++
	switch kind {
	case 'q', 's':
		l.add(token{k: tStr, parts: l.quoted(open, term, escSingle, 0)})
	case 'w', 'i', 'W', 'I':
		var b strings.Builder
		for _, p := range l.quoted(open, term, escSingle, 0) {
			b.WriteString(p.lit)
		}
		l.add(token{k: tWords, s: b.String()})
	case 'x':
		l.add(token{k: tCmd, parts: l.quoted(open, term, escFull, '#')})
	case 'r':
		l.quoted(open, term, escRaw, 0)
		l.flags()
		l.add(token{k: tRegex})
	default:
		l.add(token{k: tStr, parts: l.quoted(open, term, escFull, '#')})
	}
	return true
}
