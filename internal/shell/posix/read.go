package posix

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A position is how far commands of the shell have read what a descriptor
// leads to: all who inherit the descriptor read on from there.
type position struct {
	at    int // bytes that are gone
	turns int // loops that were being evaluated in one go when it was opened
}

// opened is a stream that nobody has read from.
func (e *evaluator) opened() *position { return &position{turns: e.turns} }

// rest is what is left to read of a stream.
func (p *position) rest(in value.Value) value.Value {
	if p == nil || p.at == 0 {
		return in
	}
	return in.Cut(min(p.at, len(in.Prefix())))
}

// stdinOf is the standard input of a command.
func (e *evaluator) stdinOf(st *shell.State, io *ioctx) target {
	switch {
	case io.hasIn:
		return target{in: io.in, hasIn: true, net: io.inNet, pos: io.pos}
	case st.StdinSet:
		if e.stdin == nil {
			e.stdin = e.opened()
		}
		return target{in: st.Stdin, hasIn: true, net: st.StdinNet, pos: e.stdin}
	}
	return target{}
}

// reading are the words of a call of read, as dash(1), bash(1), mksh(1) and
// zshbuiltins(1) have them.
type reading struct {
	names      []string
	places     []place // that the names are
	at         risk.Span
	array, raw bool
	echoes     bool // what it reads is printed, too
	delimiter  byte
	limit      int // characters, if not 0
	from       value.Value
	fd         bool // from a descriptor
}

// readWords reads the arguments of read.
func readWords(st *shell.State, words []shell.Word) reading {
	r := reading{delimiter: '\n'}
	for i := 0; i < len(words); i++ {
		s, known := words[i].Value.Known()
		if !known {
			continue
		}
		if len(s) < 2 || s[0] != '-' || len(r.names) > 0 {
			name, _, _ := strings.Cut(s, "?")
			if _, err := strconv.Atoi(name); err != nil || r.limit >= 0 { // -k 3
				r.names = append(r.names, name)
			}
			continue
		}
		if s == "--" {
			continue
		}
		for j := 1; j < len(s); j++ {
			if !r.option(st.Shell, s[j]) {
				continue
			}
			arg := words[i].Value.Cut(j + 1)
			attached := s[j] == 'u' && st.Shell == "mksh" // as mksh alone has it
			if arg.Empty() && i+1 < len(words) && !attached {
				i++
				arg = words[i].Value
			}
			r.argument(s[j], arg)
			break
		}
	}
	if len(r.names) == 0 {
		r.names = []string{"REPLY"}
	}
	return r
}

// option notes an option of read and reports whether it takes an argument.
func (r *reading) option(dialect string, c byte) bool {
	switch {
	case c == 'r':
		r.raw = true
	case c == 'A', c == 'a' && dialect != "zsh":
		r.array = true
	case c == 'p' && (dialect == "mksh" || dialect == "zsh"): // from the coprocess
		r.from, r.fd = value.Lit("p"), true
	case (c == 'e' || c == 'E') && dialect == "zsh": // zshbuiltins(1), read: printed
		r.echoes = true
	case c == 'k' && dialect == "zsh": // characters, from the terminal
		r.limit = -1
	default:
		return strings.IndexByte("diknNptu", c) >= 0
	}
	return false
}

func (r *reading) argument(c byte, arg value.Value) {
	text, known := arg.Known()
	switch c {
	case 'd':
		r.delimiter = 0
		if text != "" {
			r.delimiter = text[0]
		}
	case 'n', 'N', 'k':
		n, err := strconv.Atoi(text)
		if !known || err != nil {
			n = -1
		}
		r.limit = n
	case 'u':
		r.from, r.fd = arg, true
	}
}

// read takes a line of input into variables.
func (e *evaluator) read(st *shell.State, inv *shell.Invocation, io ioctx) {
	r := readWords(st, inv.Argv[1:])
	if st.Shell == "zsh" { // the time of -t is an expression
		e.namesIn(st, inv)
	}
	for _, n := range r.names {
		p, ok := e.place(st, value.Lit(n), inv.Span)
		if !ok {
			st.Status = shell.Perhaps
			return
		}
		r.places = append(r.places, p)
	}
	r.at = inv.Span
	if r.fd {
		e.fromDescriptor(r.from, &io)
	}
	in := e.stdinOf(st, &io)
	if !in.hasIn {
		in.in = value.Unknown(risk.CauseInput, r.names[0]).With(value.Input)
	}
	left := in.pos.rest(in.in)
	if r.echoes {
		e.m.Show(st, inv.Span, left)
	}
	text, known := left.Known()
	if !known || !in.hasIn || r.limit < 0 || r.fd && !r.from.IsKnown() {
		e.readUnknown(st, &r, left)
		return
	}
	if in.pos != nil && in.pos.turns < e.turns { // one of its lines, and it is not known which
		e.readSome(st, &r, text, left.Taint())
		return
	}
	line, gone, ended := r.line(text)
	if in.pos != nil {
		in.pos.at += gone
	}
	st.Status = shell.Failed
	if ended {
		st.Status = shell.OK
	}
	e.readInto(st, &r, line, left.Taint())
}

// line takes one line off a text: its characters, how many bytes it was, and
// whether it had an end.
func (r *reading) line(text string) (line []char, gone int, ended bool) {
	for gone < len(text) {
		if r.limit > 0 && len(line) == r.limit {
			return line, gone, true
		}
		c := text[gone]
		_, n := utf8.DecodeRuneInString(text[gone:])
		switch {
		case c == r.delimiter:
			return line, gone + 1, true
		case c == '\\' && !r.raw && gone+1 < len(text):
			gone++
			_, n = utf8.DecodeRuneInString(text[gone:])
			if text[gone] != '\n' {
				line = append(line, char{text[gone : gone+n], true})
			}
		case c == '\\' && !r.raw:
		default:
			line = append(line, char{text[gone : gone+n], false})
		}
		gone += n
	}
	return line, gone, r.limit > 0 && len(line) == r.limit
}

// A char is one character of a line, and whether a backslash was before it.
type char struct {
	text   string
	quoted bool
}

func joined(line []char) string {
	var b strings.Builder
	for _, c := range line {
		b.WriteString(c.text)
	}
	return b.String()
}

// readInto splits a line into the variables of a call of read.
func (e *evaluator) readInto(st *shell.State, r *reading, line []char, taint value.Taint) {
	if r.names[0] == "REPLY" && len(r.names) == 1 && st.Shell == "bash" {
		e.put(st, place{name: "REPLY"}, value.Lit(joined(line)).With(taint), r.at)
		return
	}
	f := fieldsOf{line: line, ifs: e.ifs(st), zsh: st.Shell == "zsh"}
	if r.array {
		v := shell.Var{Array: true, Changed: true}
		for !f.end() && len(v.List) < maxFanOut {
			v.List = append(v.List, value.Lit(f.next()).With(taint))
		}
		e.putList(st, r.names[0], v, r.at)
		return
	}
	for i := range r.names {
		text := ""
		if i == len(r.names)-1 {
			text = f.rest()
		} else {
			text = f.next()
		}
		e.put(st, r.places[i], value.Lit(text).With(taint), r.at)
	}
}

// fieldsOf splits a line as read does (POSIX.1-2024 XCU read).
type fieldsOf struct {
	line []char
	ifs  string
	zsh  bool
}

func (f *fieldsOf) space(i int) bool {
	return i < len(f.line) && !f.line[i].quoted && strings.Contains(" \t\n", f.line[i].text) && strings.Contains(f.ifs, f.line[i].text)
}

func (f *fieldsOf) delimiter(i int) bool {
	return i < len(f.line) && !f.line[i].quoted && strings.Contains(f.ifs, f.line[i].text)
}

func (f *fieldsOf) skip() {
	for f.space(0) {
		f.line = f.line[1:]
	}
}

func (f *fieldsOf) end() bool {
	f.skip()
	return len(f.line) == 0
}

// next takes one field off the line with the delimiter behind it.
func (f *fieldsOf) next() string {
	f.skip()
	n := 0
	for n < len(f.line) && !f.delimiter(n) {
		n++
	}
	text := joined(f.line[:n])
	f.line = f.line[n:]
	f.skip()
	if f.delimiter(0) {
		f.line = f.line[1:]
		f.skip()
	}
	return text
}

// rest is what the last variable gets: all that is left, without white space
// at its end, and without a delimiter that ends just one field.
func (f *fieldsOf) rest() string {
	f.skip()
	for len(f.line) > 0 && f.space(len(f.line)-1) {
		f.line = f.line[:len(f.line)-1]
	}
	last := len(f.line) - 1
	if last >= 0 && f.delimiter(last) && !f.zsh {
		one := true
		for i := range last {
			one = one && !f.delimiter(i)
		}
		if one {
			f.line = f.line[:last]
		}
	}
	return joined(f.line)
}

// readSome makes the variable of a call of read one of the lines of a text, as
// it is in one or another turn of a loop.
func (e *evaluator) readSome(st *shell.State, r *reading, text string, taint value.Taint) {
	const most = 64
	st.Status = shell.Perhaps
	var all []string
	for text != "" && len(all) <= most && len(r.names) == 1 && !r.array {
		line, gone, _ := r.line(text)
		f := fieldsOf{line: line, ifs: e.ifs(st), zsh: st.Shell == "zsh"}
		all = append(all, f.rest())
		text = text[gone:]
	}
	for i, n := range r.names {
		v := value.Unknown(risk.CauseLoop, n)
		if len(all) > 0 && len(all) <= most {
			v = value.OneOf(risk.CauseLoop, n, all...)
		}
		e.readVar(st, r, i, v.With(taint))
	}
}

func (e *evaluator) readUnknown(st *shell.State, r *reading, in value.Value) {
	st.Status = shell.Perhaps
	for i, n := range r.names {
		h := value.Hole{Cause: risk.CauseInput, Name: n}
		if hs := in.Holes(); len(hs) > 0 {
			h.Shape, h.Base, h.Last, h.Lists, h.Cause = hs[0].Shape, hs[0].Base, hs[0].Last, hs[0].Lists, hs[0].Cause
		}
		if found, ok := foundLines(in); ok && len(r.names) == 1 { // each turn has one of them, or there is none
			h.Among, h.None = found.Among, found.None
		}
		e.readVar(st, r, i, value.Of(h).With(in.Taint()))
	}
}

// foundLines is what a search found, where a text is nothing but that, a line each, which
// whoever reads lines gets as they are.
func foundLines(text value.Value) (found *value.Hole, ok bool) {
	for _, p := range text.Parts() {
		switch {
		case p.Hole != nil && found == nil:
			found = p.Hole
		case p.Hole != nil || strings.Trim(p.Lit, "\n") != "":
			return nil, false
		}
	}
	if found == nil || found.Shape != value.Below || found.Cause != risk.CauseMatch {
		return nil, false
	}
	odd := func(name string) bool { return strings.Contains(name, `\`) || strings.TrimSpace(name) != name }
	return found, !slices.ContainsFunc(found.Among, odd)
}

func (e *evaluator) readVar(st *shell.State, r *reading, i int, v value.Value) {
	name := r.names[i]
	if r.array {
		st.Vars.Set(name, shell.Var{Array: true, List: []value.Value{v}, Value: v, Changed: true})
		return
	}
	e.put(st, r.places[i], v, r.at)
}

// fromDescriptor makes a builtin read from a descriptor, as -u asks for.
func (e *evaluator) fromDescriptor(fd value.Value, io *ioctx) {
	if n, ok := fd.Known(); ok {
		fds := ioctx{in: io.in, hasIn: io.hasIn, pos: io.pos, fds: e.openNow(io)}
		if t := e.fd(&fds, n); t.hasIn {
			io.in, io.hasIn, io.pos = t.in, true, t.pos
		}
	}
}

// mapping are the words of a call of mapfile (bash(1)).
type mapping struct {
	name       string
	callback   value.Value
	delimiter  string
	trim       bool
	most, skip int
	from       *value.Value
}

func mapWords(words []shell.Word) mapping {
	m := mapping{name: "MAPFILE", delimiter: "\n", most: maxFanOut}
	for i := 0; i < len(words); i++ {
		s := words[i].Value.Prefix()
		if len(s) < 2 || s[0] != '-' {
			if text, known := words[i].Value.Known(); known && isName(text) {
				m.name = text
			}
			continue
		}
		option := 1
		if s[1] == 't' { // -t, -td ''
			m.trim = true
			if option++; len(s) == 2 {
				continue
			}
		}
		arg := words[i].Value.Cut(option + 1)
		if arg.Empty() && i+1 < len(words) {
			i++
			arg = words[i].Value
		}
		m.option(s[option], arg)
	}
	return m
}

func (m *mapping) option(c byte, arg value.Value) {
	text, _ := arg.Known()
	n, err := strconv.Atoi(text)
	switch {
	case c == 'C':
		m.callback = arg
	case c == 'u':
		m.from = &arg
	case c == 'd':
		m.delimiter = "\x00"
		if text != "" {
			m.delimiter = text[:1]
		}
	case c == 'n' && err == nil && n > 0:
		m.most = min(n, maxFanOut)
	case c == 's' && err == nil && n > 0:
		m.skip = n
	}
}

func (e *evaluator) mapfile(st *shell.State, inv *shell.Invocation, io ioctx) {
	m := mapWords(inv.Argv[1:])
	if m.from != nil {
		e.fromDescriptor(*m.from, &io)
	}
	from := e.stdinOf(st, &io)
	in := e.held(st, inv.Span, from.pos.rest(from.in))
	v := shell.Var{Array: true, Changed: true}
	if s, known := in.Known(); known && from.hasIn {
		for line := range strings.SplitAfterSeq(s, m.delimiter) {
			if m.skip--; m.skip >= 0 || line == "" || len(v.List) >= m.most {
				continue
			}
			if m.trim {
				line = strings.TrimSuffix(line, m.delimiter)
			}
			v.List = append(v.List, value.Lit(line).With(in.Taint()))
		}
	} else {
		h := value.Hole{Cause: risk.CauseInput, Name: m.name}
		if hs := in.Holes(); len(hs) > 0 {
			h.Shape, h.Base, h.Last, h.Lists, h.Cause = hs[0].Shape, hs[0].Base, hs[0].Last, hs[0].Lists, hs[0].Cause
		}
		v.List = []value.Value{value.Of(h).With(in.Taint())}
	}
	e.putList(st, m.name, v, inv.Span)
	if !m.callback.Empty() && len(v.List) > 0 {
		e.callback(st, inv, io, m.callback, v.List[0])
	}
	st.Status = shell.OK
}

// callback evaluates what `mapfile -C` runs: with the index of a line and the
// line itself behind it (bash(1), mapfile).
func (e *evaluator) callback(st *shell.State, inv *shell.Invocation, io ioctx, text, line value.Value) {
	sub := st.Clone()
	sub.Alts = nil
	sub.Vars.Set(mapped, shell.Var{Value: line})
	e.nested(sub, value.Concat(text, value.Lit(` 0 "${`+mapped+`}"`)), st.Shell, io, inv.Span)
	st.FS.Join(sub.FS)
}

// mapped is the variable that holds a line for a callback of mapfile.
const mapped = "heed_mapfile_line"
