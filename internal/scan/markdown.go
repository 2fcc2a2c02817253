package scan

import (
	"strings"

	"github.com/heedsh/heed/internal/shell/fronts"
)

// markdown takes the fenced code blocks whose language is a shell (CommonMark
// 0.31, "Fenced code blocks").
func (f *Found) markdown(text string) {
	lines := split(text)
	heading := ""
	for i := 0; i < len(lines); i++ {
		fence, ok := fenceOf(lines[i].text)
		if !ok {
			if title, found := headingOf(lines[i].text); found {
				heading = title
			}
			continue
		}
		end := i + 1
		for end < len(lines) && !fence.closes(lines[end].text) {
			end++
		}
		if b, ok := blockOf(fence, lines[i+1:min(end, len(lines))]); ok {
			b.name = heading
			f.block(b)
		}
		i = end
	}
}

// A fence opens a code block.
type fence struct {
	mark   byte
	length int
	indent int // columns that its lines are indented by
	quote  int // depth of the block quote it stands in
	info   string
}

func fenceOf(s string) (fence, bool) {
	s, quote := unquote(s, 100)
	t := strings.TrimLeft(s, " \t")
	f := fence{quote: quote, indent: len(s) - len(t)}
	for _, marker := range []string{"- ", "* ", "+ "} { // a block can begin on the line of a list item
		if u, ok := strings.CutPrefix(t, marker); ok {
			u = strings.TrimLeft(u, " ")
			f.indent += len(t) - len(u)
			t = u
		}
	}
	if t == "" || t[0] != '`' && t[0] != '~' {
		return f, false
	}
	f.mark = t[0]
	f.length = len(t) - len(strings.TrimLeft(t, t[:1]))
	f.info = strings.TrimSpace(t[f.length:])
	return f, f.length >= 3 && !(f.mark == '`' && strings.Contains(f.info, "`"))
}

func (f fence) closes(s string) bool {
	s, quote := unquote(s, f.quote)
	if quote < f.quote { // the block quote ends, and the block with it
		return true
	}
	t := strings.TrimSpace(s)
	return len(t) >= f.length && strings.Trim(t, string(f.mark)) == ""
}

// unquote takes off at most so many markers of a block quote.
func unquote(s string, most int) (string, int) {
	n := 0
	for n < most {
		t := strings.TrimLeft(s, " ")
		if len(s)-len(t) > 3 || !strings.HasPrefix(t, ">") {
			break
		}
		s = strings.TrimPrefix(t[1:], " ")
		n++
	}
	return s, n
}

func headingOf(s string) (string, bool) {
	t := strings.TrimLeft(s, "#")
	n := len(s) - len(t)
	if n < 1 || n > 6 || !strings.HasPrefix(t, " ") {
		return "", false
	}
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(t), "#")), true
}

// A codeBlock is a block in a shell language.
type codeBlock struct {
	name, shell string
	console     bool // a session, with prompts and output
	lines       []line
}

// blockOf reports whether a block is in a shell language, and reads its lines.
func blockOf(f fence, lines []line) (codeBlock, bool) {
	word, _, _ := strings.Cut(strings.TrimLeft(f.info, "{. "), " ")
	word = strings.ToLower(strings.Trim(word, "{}.,"))
	if i := strings.IndexAny(word, ",:{"); i > 0 {
		word = word[:i]
	}
	shells := fronts.All()
	b := codeBlock{shell: shells.Default()}
	dialect, named := shells.Dialect(word)
	switch word {
	case "shell", "shellscript", "shell-script":
	case "console", "shell-session", "shellsession", "sh-session", "bash-session", "terminal", "session":
		b.console = true
	default:
		if b.shell = dialect; !named || word == "" {
			return b, false
		}
	}
	for _, l := range lines {
		s, _ := unquote(l.text, f.quote)
		n := 0
		for n < f.indent && n < len(s) && (s[n] == ' ' || s[n] == '\t') {
			n++
		}
		s = s[n:]
		b.lines = append(b.lines, line{s, l.at + len(l.text) - len(s)})
	}
	return b, true
}

// block takes a code block: all of it, or what stands behind prompts.
func (f *Found) block(b codeBlock) {
	prompts := 0
	for _, l := range b.lines {
		if prompt(l.text) > 0 {
			prompts++
		}
	}
	w := &writer{}
	if prompts == 0 {
		for _, l := range b.lines {
			w.copy(l.text, l.at)
			w.put("\n", l.at+len(l.text))
		}
	} else {
		typed(w, b.lines)
	}
	f.add(w.command(Command{Shell: b.shell, Name: b.name, Steps: true, Place: Project}))
}

// typed writes what a person types in a session: what follows a prompt, and
// the lines that continue it.
func typed(w *writer, lines []line) {
	more := false
	for _, l := range lines {
		n := prompt(l.text)
		switch {
		case n > 0:
		case more:
			if strings.HasPrefix(l.text, "> ") {
				n = 2
			}
		case w.quotes.waits() && strings.HasPrefix(l.text, "> "):
			n = 2
		default:
			continue
		}
		w.copy(l.text[n:], l.at+n)
		w.put("\n", l.at+len(l.text))
		more = oddBackslash(l.text)
	}
}

// prompt returns the length of the prompt that a line of a session begins
// with: `$ `, `% `, or one that names a user or directory before it, in which
// `# ` is a prompt too.
func prompt(s string) int {
	lead := len(s) - len(strings.TrimLeft(s, " \t"))
	t := s[lead:]
	if strings.HasPrefix(t, "$ ") || strings.HasPrefix(t, "% ") {
		return lead + 2
	}
	if t == "" || t[0] == '$' || t[0] == '#' {
		return 0
	}
	for i := 0; i+1 < len(t) && i < 80; i++ {
		switch c := t[i]; {
		case (c == '$' || c == '#' || c == '%') && t[i+1] == ' ':
			head := t[:i]
			named := strings.Contains(head, "@") || strings.HasPrefix(head, "(") && strings.HasSuffix(strings.TrimRight(head, " "), ")")
			if named && !strings.ContainsAny(head, "\"'`;|&<>=") {
				return lead + i + 2
			}
			return 0
		case c == ' ' && t[0] != '[' && t[0] != '(':
			return 0
		}
	}
	return 0
}
