package inline

import "strings"

// A hereDoc is a here-document whose body begins on the next line.
type hereDoc struct {
	tok    int // the token that it is the value of
	tag    string
	indent bool // the terminator may be indented
	strip  bool // the body's indentation is taken off
	raw    bool // nothing is interpolated
	shell  bool
}

// php reads PHP: text outside of tags is printed (PHP manual, "PHP tags").
func (l *lexer) php() {
	if head := strings.TrimLeft(l.s, " \t\r\n"); strings.HasPrefix(head, "<?") || strings.HasPrefix(head, "#!") || strings.HasPrefix(head, "<!") || strings.HasPrefix(head, "<html") {
		l.phpOpen()
	}
	for l.i < len(l.s) {
		c := l.s[l.i]
		switch {
		case l.space():
		case l.has("?>"):
			l.i += 2
			l.add(token{k: tOp, s: ";"})
			l.phpOpen()
		case l.has("#["):
			l.i = min(balanced(l.s, l.i+2, '[', ']')+1, len(l.s))
		case c == '#' || l.has("//"):
			n := strings.IndexByte(l.rest(), '\n')
			if n < 0 {
				n = len(l.rest())
			}
			if m := strings.Index(l.s[l.i:l.i+n], "?>"); m >= 0 {
				n = m
			}
			l.i += n
		case l.has("/*"):
			l.i += 2
			l.skipTo("*/")
		case l.has("<<<"):
			l.phpHere()
		case c == '\'' || c == '"' || c == '`':
			l.quotedToken(c)
		case c == '$' && isIdentStart(l.at(1)):
			n := 1 + identLen(l.s[l.i+1:])
			l.add(token{k: tVar, s: l.s[l.i : l.i+n]})
			l.i += n
		case isIdentStart(c) || c == '\\' && isIdentStart(l.at(1)):
			l.phpName()
		case isDigit(c) || c == '.' && isDigit(l.at(1)):
			l.number()
		default:
			l.operator()
		}
	}
}

// phpOpen skips text up to the next opening tag.
func (l *lexer) phpOpen() {
	n := strings.Index(l.rest(), "<?")
	if n < 0 {
		l.i = len(l.s)
		return
	}
	l.i += n + 2
	switch {
	case strings.HasPrefix(strings.ToLower(l.s[l.i:min(l.i+3, len(l.s))]), "php"):
		l.i += 3
	case l.has("="):
		l.i++
		l.add(token{k: tIdent, s: "echo"})
	}
}

// phpName reads a name with its name space; only the last piece matters here.
func (l *lexer) phpName() {
	start := l.i
	for l.i < len(l.s) && (isIdent(l.s[l.i]) || l.s[l.i] == '\\' && isIdentStart(l.at(1))) {
		l.i++
	}
	name := l.s[start:l.i]
	if i := strings.LastIndexByte(name, '\\'); i >= 0 {
		name = name[i+1:]
	}
	l.add(token{k: tIdent, s: name})
}

// phpHere reads <<<TAG, <<<"TAG" and <<<'TAG'.
func (l *lexer) phpHere() {
	l.i += 3
	line := l.rest()
	n := strings.IndexByte(line, '\n')
	if n < 0 {
		l.bad = true
		l.add(token{k: tStr})
		return
	}
	tag := strings.TrimSpace(line[:n])
	raw := strings.HasPrefix(tag, "'")
	tag = strings.Trim(tag, `'"`)
	l.i += n + 1
	body := l.hereBody(tag, true, true)
	if raw {
		l.add(token{k: tStr, parts: []part{{lit: body}}})
		return
	}
	l.add(token{k: tStr, parts: l.interpolate(body)})
}

// hereBody reads lines up to the tag and leaves the cursor behind the tag.
func (l *lexer) hereBody(tag string, indent, strip bool) string {
	start := l.i
	for at := l.i; at <= len(l.s); {
		end := strings.IndexByte(l.s[at:], '\n')
		if end < 0 {
			end = len(l.s)
		} else {
			end += at
		}
		line := l.s[at:end]
		word := line
		if indent {
			word = strings.TrimLeft(line, " \t")
		}
		if tag != "" && strings.HasPrefix(word, tag) && (len(word) == len(tag) || !isIdent(word[len(tag)])) || tag == "" && word == "" {
			l.i = at + len(line) - len(word) + len(tag)
			body := l.s[start:at]
			if strip {
				body = unindent(body)
			}
			if l.lang == "php" {
				body = strings.TrimSuffix(body, "\n")
			}
			return body
		}
		at = end + 1
	}
	l.i, l.bad = len(l.s), true
	return l.s[start:]
}

// unindent takes the smallest common indentation off all lines.
func unindent(s string) string {
	lines := strings.Split(s, "\n")
	least := -1
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if n := len(line) - len(strings.TrimLeft(line, " \t")); least < 0 || n < least {
			least = n
		}
	}
	for i := range lines {
		lines[i] = lines[i][min(max(least, 0), len(lines[i])):]
	}
	return strings.Join(lines, "\n")
}
