package scan

import (
	"maps"
	"path"
	"strconv"
	"strings"
)

// A dockerText is a Dockerfile as far as it is read (Dockerfile reference,
// docs.docker.com/reference/dockerfile).
type dockerText struct {
	found  *Found
	escape byte
	stage  dockerStage
	stages int
}

// A dockerStage is what the instructions of a stage have set so far.
type dockerStage struct {
	name  string
	shell []string // words before the command
	env   map[string]string
	dir   string
	any   bool               // the directory is not known
	entry *dockerInstruction // ENTRYPOINT, and CMD: the last of each counts
	cmd   *dockerInstruction
}

// A dockerInstruction is one instruction: its words, and the here-documents
// behind it.
type dockerInstruction struct {
	word  string
	at    int
	parts []line // of the arguments: one a line of the file
	docs  []dockerDoc
}

type dockerDoc struct {
	marker string // as it is written: <<-"EOF"
	end    string
	lines  []line
	strip  bool // leading tabs go
}

func (f *Found) dockerfile(text string) {
	d := &dockerText{found: f, escape: '\\'}
	d.begin("")
	lines := split(text)
	i := d.directives(lines)
	for i < len(lines) {
		if s := strings.TrimSpace(strings.TrimPrefix(lines[i].text, "\ufeff")); s == "" || s[0] == '#' {
			i++
			continue
		}
		var in dockerInstruction
		in, i = d.instruction(lines, i)
		d.apply(&in, in.word)
	}
	d.command()
}

// begin starts a stage.
func (d *dockerText) begin(name string) {
	d.command()
	if name == "" {
		name = "stage " + strconv.Itoa(d.stages)
	}
	d.stage = dockerStage{name: name, shell: []string{"/bin/sh", "-c"}, env: map[string]string{"HOME": "/root"}, dir: "/"}
}

// directives reads `# escape=` in the first comments.
func (d *dockerText) directives(lines []line) int {
	for i, l := range lines {
		s, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(l.text, "\ufeff")), "#")
		key, value, found := strings.Cut(s, "=")
		if !ok || !found {
			return i
		}
		if strings.EqualFold(strings.TrimSpace(key), "escape") && strings.TrimSpace(value) == "`" {
			d.escape = '`'
		}
	}
	return len(lines)
}

// instruction reads one instruction with the lines that continue it, comments
// and empty lines among them left out, and its here-documents.
func (d *dockerText) instruction(lines []line, i int) (dockerInstruction, int) {
	first := lines[i]
	body := strings.TrimLeft(strings.TrimPrefix(first.text, "\ufeff"), " \t")
	at := first.at + len(first.text) - len(body)
	n := strings.IndexAny(body, " \t")
	if n < 0 {
		n = len(body)
	}
	word := strings.TrimRight(body[:n], string(d.escape))
	rest := strings.TrimLeft(body[n:], " \t")
	in := dockerInstruction{word: strings.ToUpper(word), at: at}
	l := line{rest, at + len(body) - len(rest)}
	if n == len(body) && strings.HasSuffix(body, string(d.escape)) {
		l = line{string(d.escape), at + len(body) - 1}
	}
	for {
		i++
		cut, more := d.continued(l.text)
		in.parts = append(in.parts, line{cut, l.at})
		if !more {
			break
		}
		for i < len(lines) && skipped(lines[i].text) {
			i++
		}
		if i == len(lines) {
			break
		}
		l = lines[i]
	}
	if in.word == "RUN" || in.word == "COPY" || in.word == "ADD" || in.word == "ONBUILD" {
		in.docs = hereDocs(in.text())
		for j := range in.docs {
			i = in.docs[j].read(lines, i)
		}
	}
	return in, i
}

func skipped(s string) bool {
	s = strings.TrimSpace(s)
	return s == "" || s[0] == '#'
}

// continued reports whether a line goes on with the next, and cuts off what
// says so.
func (d *dockerText) continued(s string) (string, bool) {
	t := strings.TrimRight(s, " \t")
	if t == "" || t[len(t)-1] != d.escape {
		return s, false
	}
	return t[:len(t)-1], true
}

// text is all of the arguments.
func (in *dockerInstruction) text() string {
	parts := make([]string, len(in.parts))
	for i, p := range in.parts {
		parts[i] = p.text
	}
	return strings.Join(parts, " ")
}

// hereDocs finds the here-documents that a command line asks for.
func hereDocs(s string) []dockerDoc {
	var docs []dockerDoc
	var q quotes
	for i := 0; i < len(s); i++ {
		if q.mode() == plain && strings.HasPrefix(s[i:], "<<") && !strings.HasPrefix(s[i:], "<<<") {
			if doc, n := hereDoc(s[i:]); n > 0 {
				docs = append(docs, doc)
				i += n - 1
				continue
			}
		}
		q.next(s[i])
		if q.reading { // a << that was no here-document
			q.reading = false
		}
	}
	return docs
}

// hereDoc reads <<[-]WORD and returns its length, or 0.
func hereDoc(s string) (dockerDoc, int) {
	i := len("<<")
	strip := strings.HasPrefix(s[i:], "-")
	if strip {
		i++
	}
	quote := byte(0)
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		quote = s[i]
		i++
	}
	from := i
	for i < len(s) && (s[i] == '_' || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || s[i] >= '0' && s[i] <= '9') {
		i++
	}
	if i == from {
		return dockerDoc{}, 0
	}
	end := s[from:i]
	if quote != 0 {
		if i == len(s) || s[i] != quote {
			return dockerDoc{}, 0
		}
		i++
	}
	return dockerDoc{marker: s[:i], end: end, strip: strip}, i
}

// read takes the lines of a here-document, and returns the line behind it.
func (doc *dockerDoc) read(lines []line, i int) int {
	for ; i < len(lines); i++ {
		s := lines[i].text
		if doc.strip {
			s = strings.TrimLeft(s, "\t")
		}
		if s == doc.end {
			return i + 1
		}
		doc.lines = append(doc.lines, line{s, lines[i].at + len(lines[i].text) - len(s)})
	}
	return i
}

// apply takes an instruction into account.
func (d *dockerText) apply(in *dockerInstruction, name string) {
	switch in.word {
	case "FROM":
		words := strings.Fields(in.text())
		stage := ""
		for i, w := range words {
			if strings.EqualFold(w, "AS") && i+1 < len(words) {
				stage = words[i+1]
			}
		}
		d.begin(stage)
		d.stages++
	case "SHELL":
		if words, ok := exec(in.text()); ok && len(words) > 0 {
			d.stage.shell = words
		} else {
			d.found.problem(in.at, d.stage.name, "the SHELL is no list of words")
		}
	case "ENV", "ARG":
		d.variables(in)
	case "WORKDIR":
		d.workdir(strings.TrimSpace(in.text()))
	case "RUN":
		d.run(in, name)
	case "HEALTHCHECK":
		d.healthcheck(in)
	case "CMD", "ENTRYPOINT":
		d.start(in)
	case "ONBUILD":
		d.trigger(in)
	}
}

// trigger reads the instruction behind ONBUILD, which runs in another build.
func (d *dockerText) trigger(in *dockerInstruction) {
	if len(in.parts) == 0 {
		return
	}
	first := in.parts[0]
	word, rest, _ := strings.Cut(first.text, " ")
	rest = strings.TrimLeft(rest, " \t")
	inner := dockerInstruction{word: strings.ToUpper(word), at: first.at, docs: in.docs}
	inner.parts = append([]line{{rest, first.at + len(first.text) - len(rest)}}, in.parts[1:]...)
	if inner.word == "RUN" {
		d.run(&inner, "ONBUILD RUN")
	}
}

// variables reads ENV and ARG. A value that is not known is left out.
func (d *dockerText) variables(in *dockerInstruction) {
	text := strings.TrimSpace(in.text())
	words := dockerWords(text)
	if len(words) == 0 {
		return
	}
	if in.word == "ENV" && !strings.Contains(words[0], "=") { // ENV NAME the rest
		name, value, _ := strings.Cut(text, " ")
		words = []string{name + "=" + strings.TrimSpace(value)}
	}
	env := maps.Clone(d.stage.env)
	for _, w := range words {
		name, value, set := strings.Cut(w, "=")
		if name == "" || strings.ContainsAny(name, "$\"'") {
			continue
		}
		if known, ok := d.filledIn(value); ok && set {
			env[name] = known
		} else {
			delete(env, name)
		}
	}
	d.stage.env = env
}

// dockerWords splits at blanks that are not quoted, and takes quotes off.
func dockerWords(s string) []string {
	var words []string
	var b strings.Builder
	quote, inWord := byte(0), false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
			inWord = true
		case quote == 0 && (c == '"' || c == '\''):
			quote, inWord = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			if inWord {
				words = append(words, b.String())
			}
			b.Reset()
			inWord = false
		default:
			b.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, b.String())
	}
	return words
}

// filledIn replaces $NAME and ${NAME} by what is known of them.
func (d *dockerText) filledIn(s string) (string, bool) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "$")
		b.WriteString(before)
		if !found {
			return b.String(), b.Len() < 1<<16
		}
		var name string
		if strings.HasPrefix(rest, "{") {
			end := strings.IndexByte(rest, '}')
			if end < 0 {
				return "", false
			}
			name, s = rest[1:end], rest[end+1:]
		} else {
			n := 0
			for n < len(rest) && (rest[n] == '_' || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z' || rest[n] >= '0' && rest[n] <= '9') {
				n++
			}
			name, s = rest[:n], rest[n:]
		}
		value, ok := d.stage.env[name]
		if !ok || b.Len()+len(value) > 1<<16 {
			return "", false
		}
		b.WriteString(value)
	}
}

func (d *dockerText) workdir(text string) {
	words := dockerWords(text)
	dir, ok := d.filledIn(strings.Join(words, " "))
	switch {
	case !ok:
		d.stage.any = true
	case path.IsAbs(dir):
		d.stage.dir, d.stage.any = path.Clean(dir), false
	default:
		d.stage.dir = path.Join(d.stage.dir, dir)
	}
}
