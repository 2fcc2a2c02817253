package inline

import "strings"

// perl reads Perl (perlop, "Quote and Quote-like Operators"; perldata).
func (l *lexer) perl() {
	bol := true
	for l.i < len(l.s) {
		c := l.s[l.i]
		if bol && c == '=' && isIdentStart(l.at(1)) { // perlpod
			l.pod("=cut")
			continue
		}
		bol = c == '\n'
		switch {
		case c == '\n' && len(l.here) > 0:
			l.space()
			l.hereBodies()
		case l.space():
		case c == '#':
			l.skipLine()
		case c == '\'' || c == '"' || c == '`':
			l.quotedToken(c)
		case c == '$' || c == '@' || c == '%' && l.hashNext() || c == '&' && l.operandNext() && isIdentStart(l.at(1)):
			l.perlVariable()
		case isIdentStart(c):
			if l.perlWord() {
				return
			}
		case isDigit(c) || c == '.' && isDigit(l.at(1)):
			l.number()
		case c == '/' && l.operandNext():
			l.delimited()
			l.flags()
			l.add(token{k: tRegex})
		case c == '<' && (l.operandNext() || l.last().k == tIdent) && l.perlAngle():
		case c == '-' && l.operandNext() && isIdentStart(l.at(1)) && !isIdent(l.at(2)) && l.fileTest():
		default:
			l.operator()
		}
	}
}

// hashNext reports whether a percent sign begins a variable.
func (l *lexer) hashNext() bool {
	return l.operandNext() || l.last().k == tIdent && (isIdentStart(l.at(1)) || l.at(1) == '$' || l.at(1) == '{')
}

// pod skips documentation.
func (l *lexer) pod(end string) {
	if n := strings.Index(l.rest(), "\n"+end); n >= 0 {
		l.i += n + 1
		l.skipLine()
		return
	}
	l.i = len(l.s)
}

func (l *lexer) flags() string {
	start := l.i
	for l.i < len(l.s) && isIdent(l.s[l.i]) {
		l.i++
	}
	return l.s[start:l.i]
}

// fileTest reads -e, -f and their like (perlfunc -X).
func (l *lexer) fileTest() bool {
	if strings.IndexByte("rwxoRWXOezsfdlpSbctugkTBMAC", l.at(1)) < 0 || strings.HasPrefix(l.s[l.i+2:], " =>") || strings.HasPrefix(l.s[l.i+2:], "=>") {
		return false
	}
	l.add(token{k: tOp, s: "-X"})
	l.i += 2
	return true
}

// perlVariable reads a variable; a sigil before a brace or another sigil is
// an operator that dereferences.
func (l *lexer) perlVariable() {
	c := l.s[l.i]
	rest := l.s[l.i+1:]
	switch {
	case c == '$' && strings.HasPrefix(rest, "#"):
		l.op("$#")
		l.toks[len(l.toks)-1].s = "$"
	case isIdentStart(at0(rest)):
		n := qualified(rest)
		l.add(token{k: tVar, s: l.s[l.i : l.i+1+n]})
		l.i += 1 + n
	case c == '&':
		l.operator()
	case strings.HasPrefix(rest, "{^"), c == '$' && strings.HasPrefix(rest, "^") && len(rest) > 1:
		n := 2
		if rest[0] == '{' {
			n = strings.IndexByte(rest, '}') + 1
		}
		l.add(token{k: tVar, s: "$^"})
		l.i += 1 + max(n, 1)
	case at0(rest) == '{' || at0(rest) == '$':
		if at0(rest) == '$' && len(rest) > 1 && !isIdentStart(rest[1]) && rest[1] != '{' && rest[1] != '$' {
			l.add(token{k: tVar, s: "$$"})
			l.i += 2
			return
		}
		l.op(string(c))
	case c == '$' && isDigit(at0(rest)):
		n := 1
		for n < len(rest) && isDigit(rest[n]) {
			n++
		}
		l.add(token{k: tVar, s: l.s[l.i : l.i+1+n]})
		l.i += 1 + n
	case (c == '$' || c == '@') && rest != "" && strings.IndexByte("&`'+!@/\\,;.-_0<>()[]|?\"~=%:^", rest[0]) >= 0:
		l.add(token{k: tVar, s: l.s[l.i : l.i+2]})
		l.i += 2
	default:
		l.op(string(c))
	}
}

func at0(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

// qualified returns the length of a name with its packages.
func qualified(s string) int {
	n := identLen(s)
	for n > 0 && strings.HasPrefix(s[n:], "::") && identLen(s[n+2:]) > 0 {
		n += 2 + identLen(s[n+2:])
	}
	return n
}

// perlWord reads a name or a quote-like operator; it reports whether the
// program ends here.
func (l *lexer) perlWord() bool {
	n := qualified(l.rest())
	name := l.s[l.i : l.i+n]
	switch name {
	case "__END__", "__DATA__":
		l.i = len(l.s)
		return true
	case "q", "qq", "qw", "qx", "qr", "m", "s", "y", "tr":
		if l.last().s != "->" && l.quoteFollows(l.i+n) {
			l.quoteLike(name)
			return false
		}
	}
	l.add(token{k: tIdent, s: name})
	l.i += n
	return false
}

// quoteFollows reports whether a delimiter comes after q, qq, m …
func (l *lexer) quoteFollows(i int) bool {
	spaced := false
	for i < len(l.s) && (l.s[i] == ' ' || l.s[i] == '\t' || l.s[i] == '\n') {
		i++
		spaced = true
	}
	if i >= len(l.s) {
		return false
	}
	c := l.s[i]
	switch {
	case c == ',' || c == ';' || c == ')' || c == '=' && (spaced || i+1 < len(l.s) && l.s[i+1] == '>'):
		return false
	case c == '}' && l.last().s == "{":
		return false
	case isIdent(c):
		return false
	}
	return !spaced || c != '#'
}

// quoteLike reads q(), qq(), qw(), qx(), m(), s()() and tr()().
func (l *lexer) quoteLike(name string) {
	l.i += len(name)
	l.skipBlank()
	start := l.i
	body, delim := l.delimited()
	switch name {
	case "q":
		end, _ := closer(delim)
		sub := &lexer{lang: l.lang, s: l.s[start+1 : l.i]}
		open := byte(0)
		if end != delim {
			open = delim
		}
		l.add(token{k: tStr, parts: sub.quoted(open, string(rune(end)), escSingle, 0)})
	case "qq":
		l.add(token{k: tStr, parts: l.interpolate(body)})
	case "qw":
		l.add(token{k: tWords, s: body})
	case "qx":
		parts := []part{{lit: body}}
		if delim != '\'' {
			parts = l.interpolate(body)
		}
		l.add(token{k: tCmd, parts: parts})
	case "m", "qr":
		l.flags()
		l.add(token{k: tRegex})
	default:
		if _, nests := closer(delim); nests {
			l.skipBlank()
		} else {
			l.i--
		}
		replacement, _ := l.delimited()
		t := token{k: tRegex, s: name}
		if flags := l.flags(); name == "s" && strings.Contains(flags, "e") {
			t.parts = []part{{lit: replacement, code: true}}
		} else if name == "s" {
			t.parts = l.interpolate(replacement)
		}
		l.add(t)
	}
}

func (l *lexer) skipBlank() {
	for l.i < len(l.s) && (l.s[l.i] == ' ' || l.s[l.i] == '\t' || l.s[l.i] == '\n') {
		l.i++
	}
}

// perlAngle reads <FH>, <$fh>, <> and <*.c>, and here-document tags.
func (l *lexer) perlAngle() bool {
	if l.has("<<") && l.hereTag() {
		return true
	}
	line := l.s[l.i:min(l.i+200, len(l.s))]
	n := strings.IndexByte(line, '>')
	if n < 0 || strings.ContainsAny(line[:n], "\n;=") || !l.operandNext() && strings.ContainsAny(line[:n], " ,()") {
		return false
	}
	if n == 1 && strings.HasPrefix(line, "<>>") {
		n++
	}
	l.add(token{k: tStr, s: "<>", parts: []part{{lit: strings.Trim(line[1:n], "<>")}}})
	l.i += n + 1
	return true
}

// hereTag reads <<TAG, <<"TAG", <<'TAG', <<~TAG (and <<-TAG in Ruby).
func (l *lexer) hereTag() bool {
	i := l.i + 2
	h := hereDoc{}
	if i < len(l.s) && (l.s[i] == '~' || l.s[i] == '-') {
		h.strip, h.indent = l.s[i] == '~', true
		i++
	}
	if i >= len(l.s) {
		return false
	}
	if q := l.s[i]; q == '"' || q == '\'' || q == '`' {
		n := strings.IndexByte(l.s[i+1:], q)
		if n < 0 || strings.Contains(l.s[i+1:i+1+n], "\n") {
			return false
		}
		h.tag, h.raw, h.shell = l.s[i+1:i+1+n], q == '\'', q == '`'
		i += n + 2
	} else {
		n := identLen(l.s[i:])
		if n == 0 || l.lang == "ruby" && !h.indent && (l.s[i] < 'A' || l.s[i] > 'Z') {
			return false
		}
		h.tag = l.s[i : i+n]
		i += n
	}
	h.tok = len(l.toks)
	k := tStr
	if h.shell {
		k = tCmd
	}
	l.add(token{k: k})
	l.here = append(l.here, h)
	l.i = i
	return true
}

// hereBodies reads the bodies of the here-documents of the line that ended.
func (l *lexer) hereBodies() {
	for _, h := range l.here {
		body := l.hereBody(h.tag, h.indent, h.strip)
		switch {
		case h.tok >= len(l.toks): // too many tokens
		case h.raw:
			l.toks[h.tok].parts = []part{{lit: body}}
		case l.lang == "ruby":
			sub := &lexer{lang: l.lang, s: body + "\x00"}
			l.toks[h.tok].parts = sub.quoted(0, "\x00", escFull, '#')
		default:
			l.toks[h.tok].parts = l.interpolate(body)
		}
		if l.i < len(l.s) && l.s[l.i] == '\n' {
			l.i++
		}
	}
	l.here = nil
}
