package prompt

import "strings"

// literalComments takes the meaning away from what heed would read as the begin of a
// comment, for a shell that reads none: there the rest of the line is run. In double
// quotes nothing changes.
func literalComments(text string) string {
	var b strings.Builder
	quote := byte(0)
	word := false // the character before belongs to a word
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == '\'':
			if c == '\'' {
				quote = 0
			}
		case c == '\\' && i+1 < len(text):
			b.WriteByte(c)
			i++
			c = text[i]
			word = true
		case quote == '"':
			if c == '"' {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote, word = c, true
		case c == '#' && !word:
			b.WriteByte('\\')
			word = true
		default:
			word = !strings.ContainsRune(" \t\n;|&()<>", rune(c))
		}
		b.WriteByte(c)
	}
	return b.String()
}

// replaced puts the texts of aliases in the place of the words that they stand for,
// wherever these stand: heed then sees what such an alias can make of the line.
func replaced(text string, aliases map[string]string) string {
	if len(aliases) == 0 {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		n := strings.IndexAny(text, " \t\n;|&()<>")
		if n < 0 {
			n = len(text)
		}
		word := text[:n]
		if is, ok := aliases[word]; ok {
			word = is
		}
		b.WriteString(word)
		text = text[n:]
		if len(text) > 0 {
			b.WriteByte(text[0])
			text = text[1:]
		}
	}
	return b.String()
}

// functionName reports whether an alias can be a function of its name.
func functionName(name string) bool {
	return name != "" && !strings.ContainsAny(name, " \t\n;|&()<>'\"\\$`{}=#!*?[]~")
}

// unfolded is the text of an alias, with its first word unfolded in turn. A word that is
// being unfolded already means the program (POSIX.1-2024 Shell, 2.3.1).
func unfolded(name string, aliases map[string]string) string {
	text, seen := aliases[name], map[string]bool{name: true}
	for range len(aliases) + 1 {
		first, rest, _ := strings.Cut(strings.TrimLeft(text, " \t"), " ")
		switch is, ok := aliases[first]; {
		case seen[first]:
			return "command " + first + " " + rest
		case !ok:
			return text
		default:
			seen[first] = true
			text = is + " " + rest
		}
	}
	return text
}
