package prompt

import "strings"

// plain writes a line of fish or nushell as one of bash, where it is made of nothing but
// what both read alike: words, quotes, variables, pipes, redirections and lists. ok is
// false for every other line: heed does not guess at a language that it does not read.
// Sources: fish 3.6, "The fish language"; Nushell 0.98, "Quick tour".
func plain(shell, text string) (bash string, ok bool) {
	p := plainLine{text: text, nu: shell == "nu", start: true}
	for p.at < len(p.text) {
		if !p.step() {
			return "", false
		}
	}
	return p.out.String(), true
}

type plainLine struct {
	text  string
	at    int
	nu    bool
	out   strings.Builder
	start bool // the next word is a command
}

// keywords of fish and nushell change how what follows is read.
func keyword(word string) bool {
	switch word {
	case "if", "else", "for", "while", "switch", "case", "begin", "end", "function", "and", "or", "not", "set", "time", "builtin", "exec", "source", ".", "eval", "return", "break", "continue", "alias", "abbr", "string", "math", "read", "bind", "trap", "emit", "complete", "argparse", "status", "block", "count", "contains",
		"let", "mut", "def", "do", "const", "export", "export-env", "use", "overlay", "module", "match", "loop", "try", "each", "where", "open", "save", "ls", "run-external", "load-env", "with-env", "hide", "extern", "plugin", "register", "error", "par-each", "reduce", "!":
		return true
	}
	return false
}

// alike are those of them that both shells and bash read alike, at least as far as heed
// cares.
func (p *plainLine) alike(word string) bool {
	if p.nu {
		return !keyword(word)
	}
	return !keyword(word) || word == "ls" || word == "open"
}

func (p *plainLine) step() bool {
	c := p.text[p.at]
	switch {
	case c == ' ' || c == '\t':
		p.at++
		p.out.WriteByte(c)
		return true
	case c == '\n' || c == ';':
		p.at++
		p.out.WriteByte(c)
		p.start = true
		return true
	case strings.HasPrefix(p.text[p.at:], "&&") || strings.HasPrefix(p.text[p.at:], "||"):
		if p.nu {
			return false
		}
		p.out.WriteString(p.text[p.at : p.at+2])
		p.at += 2
		p.start = true
		return true
	case c == '|':
		p.at++
		p.out.WriteByte(c)
		p.start = true
		return !strings.HasPrefix(p.text[p.at:], "&")
	case c == '>' || c == '<':
		return !p.nu && p.redirect()
	case c == '&':
		p.at++
		p.out.WriteByte(c)
		p.start = true
		return !p.nu && !strings.HasPrefix(p.text[p.at:], ">") && !strings.HasPrefix(p.text[p.at:], "|")
	case c == '#':
		// A comment to the end of the line, in all of them.
		end := strings.IndexByte(p.text[p.at:], '\n')
		if end < 0 {
			end = len(p.text) - p.at
		}
		p.at += end
		return true
	}
	return p.word()
}

// redirect copies > and >> and < with nothing but a word behind.
func (p *plainLine) redirect() bool {
	c := p.text[p.at]
	p.at++
	p.out.WriteByte(c)
	if c == '>' && strings.HasPrefix(p.text[p.at:], ">") {
		p.at++
		p.out.WriteByte('>')
	}
	return p.at < len(p.text) && !strings.ContainsRune("&?|<>", rune(p.text[p.at]))
}

// word copies a word, quoted so that bash reads it as the shell does.
func (p *plainLine) word() bool {
	var raw strings.Builder
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case strings.ContainsRune(" \t\n;|&", rune(c)):
			return p.end(raw.String())
		case c == '>' || c == '<':
			// A number before it names a stream; what else ends here is read differently.
			return raw.String() == "2" && !p.nu && p.end(raw.String()) && p.redirect()
		case c == '\'':
			end := strings.IndexByte(p.text[p.at+1:], '\'')
			if end < 0 {
				return false
			}
			if body := p.text[p.at+1 : p.at+1+end]; strings.Contains(body, `\`) {
				return false // fish has escapes there
			}
			raw.WriteString(p.text[p.at : p.at+end+2])
			p.at += end + 2
		case c == '"':
			end := strings.IndexByte(p.text[p.at+1:], '"')
			if end < 0 {
				return false
			}
			body := p.text[p.at+1 : p.at+1+end]
			if strings.ContainsAny(body, "\\`()[]!") || p.nu && strings.Contains(body, "$") || oddDollar(body) {
				return false
			}
			raw.WriteString(`"` + body + `"`)
			p.at += end + 2
		case c == '$':
			name := variable(p.text[p.at+1:])
			if name == "" || p.nu || strings.HasPrefix(p.text[p.at+1+len(name):], "[") || strings.HasPrefix(p.text[p.at+1+len(name):], "$") {
				return false
			}
			raw.WriteString(`"$` + name + `"`) // fish splits no variable
			p.at += 1 + len(name)
		case c == '\\' && p.at+1 < len(p.text) && strings.IndexByte(" ()[]{}'\"$&;|<>#*?~\\!", p.text[p.at+1]) >= 0 && !p.nu:
			raw.WriteString(p.text[p.at : p.at+2])
			p.at += 2
		case strings.ContainsRune("\\`()[]{}!^?", rune(c)), c < ' ':
			return false
		case c == '*' && (p.nu || strings.HasPrefix(p.text[p.at:], "**")):
			return false
		case c == '%' || c == '~' && raw.Len() == 0 && p.nu:
			return false
		default:
			raw.WriteByte(c)
			p.at++
		}
	}
	return p.end(raw.String())
}

// end writes a word that is whole.
func (p *plainLine) end(word string) bool {
	if p.start {
		if name := variable(word); name != "" && strings.HasPrefix(word[len(name):], "=") && !p.nu {
			p.out.WriteString(word) // for the command that follows, in fish and bash
			return true
		}
		if !p.alike(word) || strings.ContainsAny(word, "=*$'\"\\") {
			return false
		}
	}
	p.start = false
	p.out.WriteString(word)
	return true
}

// variable is the name that a text begins with.
func variable(text string) string {
	n := 0
	for n < len(text) && (text[n] == '_' || text[n] >= 'a' && text[n] <= 'z' || text[n] >= 'A' && text[n] <= 'Z' || n > 0 && text[n] >= '0' && text[n] <= '9') {
		n++
	}
	return text[:n]
}

// oddDollar reports whether a dollar in quotes is no plain variable.
func oddDollar(body string) bool {
	for i := range len(body) {
		if body[i] == '$' && (variable(body[i+1:]) == "" || strings.Contains(body[i:], "$$")) {
			return true
		}
	}
	return false
}
