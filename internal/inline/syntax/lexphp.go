package syntax

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
func (l *Lexer) php() {
	if head := strings.TrimLeft(l.Text, " \t\r\n"); strings.HasPrefix(head, "<?") || strings.HasPrefix(head, "#!") || strings.HasPrefix(head, "<!") || strings.HasPrefix(head, "<html") {
		l.phpOpen()
	}
	for l.At < len(l.Text) {
		c := l.Text[l.At]
		switch {
		case l.space():
		case l.has("?>"):
			l.At += 2
			l.add(Token{Kind: TokOp, Text: ";"})
			l.phpOpen()
		case l.has("#["):
			l.At = min(Balanced(l.Text, l.At+2, '[', ']')+1, len(l.Text))
		case c == '#' || l.has("//"):
			n := strings.IndexByte(l.rest(), '\n')
			if n < 0 {
				n = len(l.rest())
			}
			if m := strings.Index(l.Text[l.At:l.At+n], "?>"); m >= 0 {
				n = m
			}
			l.At += n
		case l.has("/*"):
			l.At += 2
			l.skipTo("*/")
		case l.has("<<<"):
			l.phpHere()
		case c == '\'' || c == '"' || c == '`':
			l.quotedToken(c)
		case c == '$' && IsIdentStart(l.at(1)):
			n := 1 + IdentLen(l.Text[l.At+1:])
			l.add(Token{Kind: TokVar, Text: l.Text[l.At : l.At+n]})
			l.At += n
		case IsIdentStart(c) || c == '\\' && IsIdentStart(l.at(1)):
			l.phpName()
		case IsDigit(c) || c == '.' && IsDigit(l.at(1)):
			l.number()
		default:
			l.operator()
		}
	}
}

// phpOpen skips text up to the next opening tag.
func (l *Lexer) phpOpen() {
	n := strings.Index(l.rest(), "<?")
	if n < 0 {
		l.At = len(l.Text)
		return
	}
	l.At += n + 2
	switch {
	case strings.HasPrefix(strings.ToLower(l.Text[l.At:min(l.At+3, len(l.Text))]), "php"):
		l.At += 3
	case l.has("="):
		l.At++
		l.add(Token{Kind: TokIdent, Text: "echo"})
	}
}

// phpName reads a name with its name space; only the last piece matters here.
func (l *Lexer) phpName() {
	start := l.At
	for l.At < len(l.Text) && (IsIdent(l.Text[l.At]) || l.Text[l.At] == '\\' && IsIdentStart(l.at(1))) {
		l.At++
	}
	name := l.Text[start:l.At]
	if i := strings.LastIndexByte(name, '\\'); i >= 0 {
		name = name[i+1:]
	}
	l.add(Token{Kind: TokIdent, Text: name})
}

// phpHere reads <<<TAG, <<<"TAG" and <<<'TAG'.
func (l *Lexer) phpHere() {
	l.At += 3
	line := l.rest()
	n := strings.IndexByte(line, '\n')
	if n < 0 {
		l.bad = true
		l.add(Token{Kind: TokStr})
		return
	}
	tag := strings.TrimSpace(line[:n])
	raw := strings.HasPrefix(tag, "'")
	tag = strings.Trim(tag, `'"`)
	l.At += n + 1
	body := l.hereBody(tag, true, true)
	if raw {
		l.add(Token{Kind: TokStr, Parts: []Part{{Lit: body}}})
		return
	}
	l.add(Token{Kind: TokStr, Parts: l.interpolate(body)})
}

// hereBody reads lines up to the tag and leaves the cursor behind the tag.
func (l *Lexer) hereBody(tag string, indent, strip bool) string {
	start := l.At
	for at := l.At; at <= len(l.Text); {
		end := strings.IndexByte(l.Text[at:], '\n')
		if end < 0 {
			end = len(l.Text)
		} else {
			end += at
		}
		line := l.Text[at:end]
		word := line
		if indent {
			word = strings.TrimLeft(line, " \t")
		}
		if tag != "" && strings.HasPrefix(word, tag) && (len(word) == len(tag) || !IsIdent(word[len(tag)])) || tag == "" && word == "" {
			l.At = at + len(line) - len(word) + len(tag)
			body := l.Text[start:at]
			if strip {
				body = unindent(body)
			}
			if l.Lang == "php" {
				body = strings.TrimSuffix(body, "\n")
			}
			return body
		}
		at = end + 1
	}
	l.At, l.bad = len(l.Text), true
	return l.Text[start:]
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
