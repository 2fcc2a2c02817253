package prompt

import (
	"slices"
	"strings"
)

// plain writes a line of fish or nushell as one of bash, where it is made of nothing but
// what both read alike: words, quotes, variables, pipes, redirections and lists. ok is
// false for every other line: heed does not guess at a language that it does not read.
// own are the names that the shell's own functions, commands and aliases have.
// Sources: fish 3.6, "The fish language"; Nushell 0.98, "Quick tour".
func plain(shell, text string, own []string) (bash string, ok bool) {
	p := plainLine{text: text, nu: shell == "nu", own: own, start: true}
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
	own   []string
	out   strings.Builder
	start bool // the next word is a command
	// options are those that the command may have, with the blank that is between them;
	// nil for all.
	options []string
}

// keyword reports whether a word of fish changes how what follows is read, or is one of
// its builtins that bash has under another meaning, or not at all.
func keyword(word string) bool {
	switch word {
	case "if", "else", "for", "while", "switch", "case", "begin", "end", "function", "and", "or", "not", "set", "time", "builtin", "exec", "source", ".", "eval", "return", "break", "continue", "alias", "abbr", "string", "math", "read", "bind", "trap", "emit", "complete", "argparse", "status", "block", "count", "contains", "!":
		return true
	}
	return false
}

// nuOwn are nushell's own commands of one word: `help commands` of 0.108.0, those of type
// built-in and keyword. All other words are programs, or names that a person has given.
const nuOwn = " alias all ansi any append ast attr bits break bytes cal cd char chunk-by chunks clear collect columns commandline compact complete config const continue cp date debug decode def default describe detect do drop du each echo encode enumerate error every exec exit explain explore export export-env extern fill filter find first flatten for format from generate get glob grid group-by hash headers help hide hide-env histogram history http if ignore input insert inspect interleave into is-admin is-empty is-not-empty is-terminal items job join keybindings kill last length let let-env lines load-env loop ls match math merge metadata mkdir mktemp module move mut mv nu-check nu-highlight open overlay panic par-each parse path plugin port prepend print ps query random reduce register reject rename return reverse rm roll rotate run-external save schema scope select seq shuffle skip sleep slice sort sort-by source source-env split start stor str sys table take tee term timeit to touch transpose try tutor ulimit uname uniq uniq-by update upsert url use values version view watch where which while whoami window with-env wrap zip "

// nuAlike are those of them that do what the programs of their names do, with the options
// of which that is true. rm's -t and -p, say, are other things to nushell.
func nuAlike(word string) (options []string, ok bool) {
	switch word {
	case "cd", "echo", "whoami":
		return []string{}, true
	case "ls":
		return []string{"-a", "-l", "-la", "-al", "--all"}, true
	case "mkdir":
		return []string{"-v", "--verbose"}, true
	case "rm":
		return []string{"-r", "-f", "-v", "-rf", "-fr", "-rv", "-rfv", "--recursive", "--force", "--verbose"}, true
	case "mv":
		return []string{"-f", "-v", "-n", "--force", "--verbose", "--no-clobber"}, true
	case "cp":
		return []string{"-r", "-f", "-v", "-n", "-rf", "-rv", "--recursive", "--force", "--verbose", "--no-clobber"}, true
	case "touch":
		return []string{"-c", "--no-create"}, true
	}
	return nil, false
}

// command reports whether what a first word does, and what may follow it, is alike.
func (p *plainLine) command(word string) bool {
	p.options = nil
	switch {
	case slices.Contains(p.own, word):
		return false
	case !p.nu && word == "history": // fish's own, whose words clear, merge and delete
		rest := strings.TrimLeft(p.text[p.at:], " \t")
		return rest == "" || strings.ContainsRune("\n;|&", rune(rest[0]))
	case !p.nu:
		return !keyword(word)
	case strings.Contains(nuOwn, " "+word+" "):
		var ok bool
		p.options, ok = nuAlike(word)
		return ok
	}
	return true
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
	external := false
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case strings.ContainsRune(" \t\n;|&", rune(c)):
			return p.end(raw.String(), external)
		case c == '>' || c == '<':
			// A number before it names a stream; what else ends here is read differently.
			return raw.String() == "2" && !p.nu && p.end(raw.String(), false) && p.redirect()
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
		case c == '^' && p.nu && p.start && raw.Len() == 0 && !external:
			p.at++ // the program, whatever else has its name
			external = true
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
	return p.end(raw.String(), external)
}

// end writes a word that is whole; external says that it names a program and nothing else.
func (p *plainLine) end(word string, external bool) bool {
	if p.start {
		if name := variable(word); name != "" && strings.HasPrefix(word[len(name):], "=") && !p.nu {
			p.out.WriteString(word) // for the command that follows, in fish and bash
			return true
		}
		if word == "" || strings.ContainsAny(word, "=*$'\"\\") {
			return false
		}
		if external {
			p.options = nil
		} else if !p.command(word) {
			return false
		}
	} else if p.options != nil && strings.HasPrefix(strings.Trim(word, `'"`), "-") && !slices.Contains(p.options, word) {
		return false
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
