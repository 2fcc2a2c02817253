package syntax

import (
	"slices"
	"strings"
)

// perl reads Perl (perlop, "Quote and Quote-like Operators"; perldata).
func (l *Lexer) perl() {
	bol := true
	for l.At < len(l.Text) {
		c := l.Text[l.At]
		if bol && c == '=' && IsIdentStart(l.at(1)) { // perlpod
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
			start := l.At
			l.skipLine()
			l.notes = append(l.notes, [2]int{start, l.At})
		case c == '\'' || c == '"' || c == '`':
			l.quotedToken(c)
		case c == '$' || c == '@' || c == '%' && l.hashNext() || c == '&' && l.operandNext() && IsIdentStart(l.at(1)):
			l.perlVariable()
		case IsIdentStart(c):
			if l.perlWord() {
				return
			}
		case IsDigit(c) || c == '.' && IsDigit(l.at(1)):
			l.number()
		case c == '/' && l.operandNext():
			body, delim := l.delimited()
			l.flags()
			l.add(Token{Kind: tRegex, Parts: l.patternCode(body, delim)})
		case c == '<' && (l.operandNext() || l.last().Kind == TokIdent) && l.perlAngle():
		case c == '-' && l.operandNext() && IsIdentStart(l.at(1)) && !IsIdent(l.at(2)) && l.fileTest():
		default:
			l.operator()
		}
	}
}

// PerlCode is a Perl program without its comments. Where a slash or a << may divide, shift or
// begin a text, nothing is sure to be a comment, and all of it is returned.
func PerlCode(text string) string {
	l := &Lexer{Lang: "perl", Text: text, indent: []int{0}}
	l.perl()
	unsure := func(t Token) bool {
		return t.Kind == TokOp && (strings.HasPrefix(t.Text, "/") || strings.HasPrefix(t.Text, "<<") || t.Text == "?")
	}
	if l.bad || slices.ContainsFunc(l.toks, unsure) {
		return text
	}
	var code strings.Builder
	at := 0
	for _, n := range l.notes {
		code.WriteString(text[at:n[0]])
		at = n[1]
	}
	code.WriteString(text[at:])
	return code.String()
}

// hashNext reports whether a percent sign begins a variable.
func (l *Lexer) hashNext() bool {
	return l.operandNext() || l.last().Kind == TokIdent && (IsIdentStart(l.at(1)) || l.at(1) == '$' || l.at(1) == '{')
}

// pod skips documentation.
func (l *Lexer) pod(end string) {
	if n := strings.Index(l.rest(), "\n"+end); n >= 0 {
		l.At += n + 1
		l.skipLine()
		return
	}
	l.At = len(l.Text)
}

func (l *Lexer) flags() string {
	start := l.At
	for l.At < len(l.Text) && IsIdent(l.Text[l.At]) {
		l.At++
	}
	return l.Text[start:l.At]
}

// fileTest reads -e, -f and their like (perlfunc -X).
func (l *Lexer) fileTest() bool {
	if strings.IndexByte("rwxoRWXOezsfdlpSbctugkTBMAC", l.at(1)) < 0 || strings.HasPrefix(l.Text[l.At+2:], " =>") || strings.HasPrefix(l.Text[l.At+2:], "=>") {
		return false
	}
	l.add(Token{Kind: TokOp, Text: "-X"})
	l.At += 2
	return true
}

// perlVariable reads a variable; a sigil before a brace or another sigil is
// an operator that dereferences.
func (l *Lexer) perlVariable() {
	c := l.Text[l.At]
	rest := l.Text[l.At+1:]
	switch {
	case c == '$' && strings.HasPrefix(rest, "#"):
		l.op("$#")
		l.toks[len(l.toks)-1].Text = "$"
	case IsIdentStart(FirstByte(rest)):
		n := qualified(rest)
		l.add(Token{Kind: TokVar, Text: l.Text[l.At : l.At+1+n]})
		l.At += 1 + n
	case c == '&':
		l.operator()
	case strings.HasPrefix(rest, "{^"), c == '$' && strings.HasPrefix(rest, "^") && len(rest) > 1:
		n := 2
		if rest[0] == '{' {
			n = strings.IndexByte(rest, '}') + 1
		}
		l.add(Token{Kind: TokVar, Text: "$^"})
		l.At += 1 + max(n, 1)
	case FirstByte(rest) == '{' || FirstByte(rest) == '$':
		if FirstByte(rest) == '$' && len(rest) > 1 && !IsIdentStart(rest[1]) && rest[1] != '{' && rest[1] != '$' {
			l.add(Token{Kind: TokVar, Text: "$$"})
			l.At += 2
			return
		}
		l.op(string(c))
	case c == '$' && IsDigit(FirstByte(rest)):
		n := 1
		for n < len(rest) && IsDigit(rest[n]) {
			n++
		}
		l.add(Token{Kind: TokVar, Text: l.Text[l.At : l.At+1+n]})
		l.At += 1 + n
	case (c == '$' || c == '@') && rest != "" && strings.IndexByte("&`'+!@/\\,;.-_0<>()[]|?\"~=%:^", rest[0]) >= 0:
		l.add(Token{Kind: TokVar, Text: l.Text[l.At : l.At+2]})
		l.At += 2
	default:
		l.op(string(c))
	}
}

// FirstByte returns the first byte of a text, 0 of none.
func FirstByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

// qualified returns the length of a name with its packages.
func qualified(s string) int {
	n := IdentLen(s)
	for n > 0 && strings.HasPrefix(s[n:], "::") && IdentLen(s[n+2:]) > 0 {
		n += 2 + IdentLen(s[n+2:])
	}
	return n
}

// perlWord reads a name or a quote-like operator; it reports whether the
// program ends here.
func (l *Lexer) perlWord() bool {
	n := qualified(l.rest())
	name := l.Text[l.At : l.At+n]
	switch name {
	case "__END__", "__DATA__":
		l.At = len(l.Text)
		return true
	case "q", "qq", "qw", "qx", "qr", "m", "s", "y", "tr":
		if l.last().Text != "->" && l.quoteFollows(l.At+n) {
			l.quoteLike(name)
			return false
		}
	}
	l.add(Token{Kind: TokIdent, Text: name})
	l.At += n
	return false
}

// quoteFollows reports whether a delimiter comes after q, qq, m …
func (l *Lexer) quoteFollows(i int) bool {
	spaced := false
	for i < len(l.Text) && (l.Text[i] == ' ' || l.Text[i] == '\t' || l.Text[i] == '\n') {
		i++
		spaced = true
	}
	if i >= len(l.Text) {
		return false
	}
	c := l.Text[i]
	switch {
	case c == ',' || c == ';' || c == ')' || c == '=' && (spaced || i+1 < len(l.Text) && l.Text[i+1] == '>'):
		return false
	case c == '}' && l.last().Text == "{":
		return false
	case IsIdent(c):
		return false
	}
	return !spaced || c != '#'
}

// quoteLike reads q(), qq(), qw(), qx(), m(), s()() and tr()().
func (l *Lexer) quoteLike(name string) {
	l.At += len(name)
	l.skipBlank()
	start := l.At
	body, delim := l.delimited()
	switch name {
	case "q":
		end, _ := Closer(delim)
		sub := &Lexer{Lang: l.Lang, Text: l.Text[start+1 : l.At]}
		open := byte(0)
		if end != delim {
			open = delim
		}
		l.add(Token{Kind: TokStr, Parts: sub.Quoted(open, string(rune(end)), escSingle, 0)})
	case "qq":
		l.add(Token{Kind: TokStr, Parts: l.interpolate(body)})
	case "qw":
		l.add(Token{Kind: tWords, Text: body})
	case "qx":
		parts := []Part{{Lit: body}}
		if delim != '\'' {
			parts = l.interpolate(body)
		}
		l.add(Token{Kind: tCmd, Parts: parts})
	case "m", "qr":
		l.flags()
		l.add(Token{Kind: tRegex, Parts: l.patternCode(body, delim)})
	default:
		if _, nests := Closer(delim); nests {
			l.skipBlank()
		} else {
			l.At--
		}
		replacement, _ := l.delimited()
		t := Token{Kind: tRegex, Text: name}
		flags := l.flags()
		if name != "s" { // tr and y, whose parts are no texts
			l.add(t)
			return
		}
		if strings.Contains(flags, "e") {
			for range strings.Count(flags, "e") - 1 { // what it makes is code in its turn (perlop, "s///")
				replacement = "eval(" + replacement + ")"
			}
			t.Parts = []Part{{Lit: replacement, Code: true}}
		} else {
			t.Parts = l.interpolate(replacement)
		}
		t.Parts = append(t.Parts, l.patternCode(body, delim)...)
		l.add(t)
	}
}

// patternCode are the expressions in a pattern, which is a text with variables unless
// apostrophes stand around it (perlop(1), "Regexp Quote-Like Operators"). Most that looks like
// an element of an array there is a class of characters, and has none.
func (l *Lexer) patternCode(body string, delim byte) []Part {
	if delim == '\'' || !strings.Contains(body, "@{") && !strings.Contains(body, "${") && !indexed(body) {
		return nil
	}
	return l.interpolate(body)
}

// indexed reports whether a variable in a text has an index that is an expression.
func indexed(body string) bool {
	for i := range len(body) {
		if body[i] != '$' && body[i] != '@' {
			continue
		}
		rest := body[i+1:]
		n := IdentLen(rest)
		if n == 0 || n >= len(rest) || rest[n] != '[' && rest[n] != '{' {
			continue
		}
		end, _ := Closer(rest[n])
		if inner, _, ok := strings.Cut(rest[n+1:], string(rune(end))); ok && strings.ContainsAny(inner, "(\"' ") {
			return true
		}
	}
	return false
}

func (l *Lexer) skipBlank() {
	for l.At < len(l.Text) && (l.Text[l.At] == ' ' || l.Text[l.At] == '\t' || l.Text[l.At] == '\n') {
		l.At++
	}
}

// perlAngle reads <FH>, <$fh>, <> and <*.c>, and here-document tags.
func (l *Lexer) perlAngle() bool {
	if l.has("<<") && l.hereTag() {
		return true
	}
	line := l.Text[l.At:min(l.At+200, len(l.Text))]
	n := strings.IndexByte(line, '>')
	if n < 0 || strings.ContainsAny(line[:n], "\n;=") || !l.operandNext() && strings.ContainsAny(line[:n], " ,()") {
		return false
	}
	if n == 1 && strings.HasPrefix(line, "<>>") {
		n++
	}
	l.add(Token{Kind: TokStr, Text: "<>", Parts: []Part{{Lit: strings.Trim(line[1:n], "<>")}}})
	l.At += n + 1
	return true
}

// hereTag reads <<TAG, <<"TAG", <<'TAG', <<~TAG (and <<-TAG in Ruby).
func (l *Lexer) hereTag() bool {
	i := l.At + 2
	h := hereDoc{}
	if i < len(l.Text) && (l.Text[i] == '~' || l.Text[i] == '-') {
		h.strip, h.indent = l.Text[i] == '~', true
		i++
	}
	if i >= len(l.Text) {
		return false
	}
	if q := l.Text[i]; q == '"' || q == '\'' || q == '`' {
		n := strings.IndexByte(l.Text[i+1:], q)
		if n < 0 || strings.Contains(l.Text[i+1:i+1+n], "\n") {
			return false
		}
		h.tag, h.raw, h.shell = l.Text[i+1:i+1+n], q == '\'', q == '`'
		i += n + 2
	} else {
		n := IdentLen(l.Text[i:])
		if n == 0 || l.Lang == "ruby" && !h.indent && (l.Text[i] < 'A' || l.Text[i] > 'Z') {
			return false
		}
		h.tag = l.Text[i : i+n]
		i += n
	}
	h.tok = len(l.toks)
	k := TokStr
	if h.shell {
		k = tCmd
	}
	l.add(Token{Kind: k})
	l.here = append(l.here, h)
	l.At = i
	return true
}

// hereBodies reads the bodies of the here-documents of the line that ended.
func (l *Lexer) hereBodies() {
	for _, h := range l.here {
		body := l.hereBody(h.tag, h.indent, h.strip)
		switch {
		case h.tok >= len(l.toks): // too many tokens
		case h.raw:
			l.toks[h.tok].Parts = []Part{{Lit: body}}
		case l.Lang == "ruby":
			sub := &Lexer{Lang: l.Lang, Text: body + "\x00"}
			l.toks[h.tok].Parts = sub.Quoted(0, "\x00", EscFull, '#')
		default:
			l.toks[h.tok].Parts = l.interpolate(body)
		}
		if l.At < len(l.Text) && l.Text[l.At] == '\n' {
			l.At++
		}
	}
	l.here = nil
}
