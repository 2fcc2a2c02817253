package hooks

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// sed reads the script for the commands that do more than print: e, r, R, w,
// W and the flags e and w of s (GNU sed 4.9 manual, chapter 3).
func sed(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	scripts, files := m.Values("script"), m.Operands()
	inplace := m.Has("inplace")
	suffix, _ := m.Value("suffix")
	if inplace && suffix.Empty() && len(files) > 0 && bsdSuffix(files, len(scripts) > 0) {
		suffix, files = files[0], files[1:]
	}
	given := len(scripts) > 0
	for _, f := range m.Values("scriptfile") {
		given = true
		if text, ok := siteFile(s, f); ok {
			scripts = append(scripts, value.Lit(text))
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "scriptfile"})
			continue
		}
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "sed", Text: f, Stdin: sameWord(f, "-")})
	}
	if !given {
		if len(files) == 0 {
			return
		}
		scripts, files = files[:1], files[1:]
	}
	readSed(joinPrograms(scripts), m, r)
	switch {
	case inplace:
		sedInPlace(r, files, suffix)
	case len(files) == 0:
		r.ReadsStdin, r.ShowsStdin = true, true
	default:
		showFiles(r, files, true)
	}
}

// bsdSuffix reports whether the first operand after -i is the suffix that BSD
// sed takes as a word of its own.
func bsdSuffix(operands []value.Value, scripted bool) bool {
	first, known := operands[0].Known()
	if !known || len(operands) < 2 {
		return false
	}
	if first == "" {
		return true
	}
	return !scripted && len(operands) > 2 && first[0] == '.' && len(first) < 8 && !strings.ContainsAny(first, "/ ;")
}

func sedInPlace(r *catalog.Result, files []value.Value, suffix value.Value) {
	for _, f := range files {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Arg: "file", Kind: risk.KindInPlace})
		if !suffix.Empty() && !strings.ContainsAny(suffix.Prefix(), "*/") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: value.Concat(f, suffix), Kind: risk.KindBackup, Carries: []catalog.Source{{Path: f}}})
		}
	}
}

func readSed(script value.Value, m *catalog.Match, r *catalog.Result) {
	p := sedScript{program: newProgram(script), r: r}
	p.run()
	if p.cut || p.at < len(p.text) && tooMuch(r) {
		notInspected(r, "sed", script)
	}
	if m.Has("sandbox") && p.acts { // GNU sed refuses e, r and w then
		r.Fails, r.Runs, r.Effects = true, nil, nil
	}
}

// A sedScript is a reader over a script. It stops at what is no sed.
type sedScript struct {
	program
	at   int
	r    *catalog.Result
	acts bool // has a command that --sandbox refuses
}

func (p *sedScript) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0xff
}

func (p *sedScript) skip(set string) {
	for p.at < len(p.text) && strings.IndexByte(set, p.text[p.at]) >= 0 {
		p.at++
	}
}

// line returns the rest of the line, where file names and commands extend to.
func (p *sedScript) line() value.Value {
	p.skip(" \t")
	from := p.at
	if i := strings.IndexByte(p.text[from:], '\n'); i >= 0 {
		p.at = from + i
	} else {
		p.at = len(p.text)
	}
	return p.slice(from, p.at)
}

func (p *sedScript) run() {
	for p.at < len(p.text) && !tooMuch(p.r) {
		p.skip(" \t\n;}")
		if p.at >= len(p.text) {
			return
		}
		if !p.address() || !p.command() {
			return
		}
	}
}

// address passes over the addresses before a command. A hole there is taken
// for a line number or a part of a pattern, unless nothing known follows it.
func (p *sedScript) address() bool {
	for p.at < len(p.text) {
		switch c := p.peek(); {
		case c >= '0' && c <= '9', strings.IndexByte("$,~+! \tIM", c) >= 0:
			p.at++
		case c == '/':
			p.at++
			p.delimited('/', true)
		case c == '\\' && p.at+1 < len(p.text):
			p.at += 2
			p.delimited(p.text[p.at-1], true)
		case c == holeByte:
			if strings.Trim(p.text[p.at:], string(rune(holeByte))+" \t\n;") == "" {
				p.unknown()
				return false
			}
			p.at++
		default:
			return true
		}
	}
	return true
}

// unknown records a command that is not known.
func (p *sedScript) unknown() {
	p.r.Runs = append(p.r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "sed", Text: p.slice(p.at, len(p.text))})
	p.at = len(p.text)
}

// delimited passes over text up to an unescaped delimiter, and the delimiter.
// In a regular expression one within brackets does not count (GNU sed 4.9;
// older ones then refuse the script).
func (p *sedScript) delimited(d byte, regex bool) (from, to int) {
	from = p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == d:
			return from, p.at - 1
		case c == '\\':
			p.at++
		case c == '[' && regex:
			p.bracket(d)
		}
	}
	p.at = min(p.at, len(p.text))
	return from, p.at
}

// bracket passes over a bracket expression whose [ was read, if it is closed
// on this line.
func (p *sedScript) bracket(d byte) {
	if d == '[' || d == ']' {
		return
	}
	i := p.at
	if i < len(p.text) && p.text[i] == '^' {
		i++
	}
	i++ // a ] that comes first is a member
	for ; i < len(p.text) && p.text[i] != '\n'; i++ {
		if p.text[i] == ']' {
			p.at = i + 1
			return
		}
		if p.text[i] == '[' && i+1 < len(p.text) && strings.IndexByte(":.=", p.text[i+1]) >= 0 {
			if end := strings.Index(p.text[i+2:], p.text[i+1:i+2]+"]"); end >= 0 {
				i += 2 + end + 1
			}
		}
	}
}

// command reads one command and reports whether reading can go on.
func (p *sedScript) command() bool {
	c := p.peek()
	p.at++
	switch c {
	case '{', '}', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F', ';', '\n':
	case '#':
		p.line()
	case 'a', 'i', 'c':
		p.insertion()
	case ':', 'b', 't', 'T', 'v':
		p.label()
	case 'q', 'Q', 'l', 'L':
		p.skip(" \t0123456789" + string(rune(holeByte)))
	case 's':
		p.substitute()
	case 'y':
		d := p.peek()
		p.at++
		p.delimited(d, false)
		p.delimited(d, false)
	case 'e', 'r', 'R', 'w', 'W':
		p.act(c)
	default:
		return false // sed would refuse the script here
	}
	return true
}

// insertion passes over the text of a, i and c: to the end of the line, and
// further lines after a backslash.
func (p *sedScript) insertion() {
	for p.at < len(p.text) && p.text[p.at] != '\n' {
		if p.text[p.at] == '\\' {
			p.at++
		}
		p.at++
	}
	p.at = min(p.at, len(p.text))
}

func (p *sedScript) label() {
	for p.at < len(p.text) && p.text[p.at] != '\n' && p.text[p.at] != ';' && p.text[p.at] != '}' {
		p.at++
	}
}

// act reads e, r, R, w and W.
func (p *sedScript) act(c byte) {
	p.acts = true
	word := p.line()
	switch c {
	case 'e':
		if word.Empty() { // runs what is in the pattern space
			word = value.Unknown(risk.CauseInput, "a line of the input")
		}
		runText(p.r, word)
	case 'r', 'R':
		showFiles(p.r, []value.Value{word}, true)
	default:
		writeFile(p.r, word, risk.NoKind)
	}
}

// substitute reads s/regex/replacement/flags.
func (p *sedScript) substitute() {
	d := p.peek()
	if d == 0xff {
		return
	}
	p.at++
	if d == holeByte { // the delimiter itself is not known
		p.at--
		p.unknown()
		return
	}
	p.delimited(d, true)
	from, to := p.delimited(d, false)
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case c >= '0' && c <= '9', strings.IndexByte("gpiImM", c) >= 0:
			p.at++
		case c == 'e':
			p.at++
			p.acts = true
			whole := value.Unknown(risk.CauseInput, "a line of the input")
			runText(p.r, value.Concat(whole, p.slice(from, to)))
		case c == 'w':
			p.at++
			p.acts = true
			writeFile(p.r, p.line(), risk.NoKind)
			return
		case c == holeByte:
			p.unknown()
			return
		default:
			return
		}
	}
}
