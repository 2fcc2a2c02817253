package posix

import (
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// fields expands words as the shell does for a command's arguments: braces,
// tildes, parameters, substitutions, field splitting, pathname expansion and
// quote removal.
func (e *evaluator) fields(st *shell.State, words []*syntax.Word) []shell.Word {
	out := make([]shell.Word, 0, len(words))
	var one [1]*syntax.Word
	for _, w := range words {
		alone := one[:]
		if one[0] = w; hasBrace(w) {
			alone = e.braces(st, w)
		}
		for _, w := range alone {
			f := splitter{e: e, st: st}
			f.word(w)
			out = append(out, f.finish()...)
			if len(out) > maxFanOut {
				e.m.Unknown(st, e.span(w), risk.RoleBudget, "a word becomes too many words")
				return out[:maxFanOut]
			}
		}
	}
	return out
}

// join evaluates a word as one string: no splitting, no globbing. Braces are
// not expanded, as in assignments, case subjects and redirections.
func (e *evaluator) join(st *shell.State, w *syntax.Word) value.Value {
	if w == nil {
		return value.Value{}
	}
	f := splitter{e: e, st: st, one: true}
	f.word(w)
	return f.whole()
}

// expandAssign evaluates the right side of an assignment.
func (e *evaluator) expandAssign(st *shell.State, w *syntax.Word) value.Value {
	f := splitter{e: e, st: st, one: true, assign: true}
	f.word(w)
	return f.whole()
}

// splitter builds the fields of one word.
type splitter struct {
	e      *evaluator
	st     *shell.State
	one    bool // no splitting, no globbing
	assign bool // tildes after = and : are expanded

	cur     value.Builder
	pattern strings.Builder // what cur is as a glob pattern; holes are *
	glob    bool            // pattern has an unquoted metacharacter
	hole    bool            // cur has a hole
	started bool            // cur is a field even if it is empty
	many    bool
	from    string // the glob that the single part came from
	parts   int
	done    []shell.Word
	// spaced is set when white space ended the last field: a delimiter of
	// another kind behind it is the same delimiter (POSIX.1-2024 Shell 2.6.5).
	spaced bool
}

func (f *splitter) word(w *syntax.Word) {
	if w == nil {
		return
	}
	for i, p := range modified(f.st, w.Parts) {
		if l, ok := p.(*syntax.Lit); ok && i == 0 {
			if v, rest, ok := f.tilde(l.Value); ok {
				f.add(v, true)
				f.literal(rest)
				continue
			}
			if name, rest, ok := f.assignment(l.Value); ok {
				f.literal(name)
				f.assign = f.st.Shell == "bash" // after colons, too
				if v, behind, ok := f.tilde(rest); ok {
					f.add(v, true)
					rest = behind
				}
				f.literal(rest)
				f.assign = false
				continue
			}
		}
		f.part(p, false)
	}
}

// assignment recognises an argument that looks like an assignment: bash and
// mksh expand a tilde in it as they do in one (bash(1), "Tilde Expansion"), and
// dash does for the words of export and its like.
func (f *splitter) assignment(text string) (name, rest string, ok bool) {
	if f.one || f.st.Shell != "bash" && f.st.Shell != "mksh" && !f.e.declaring || !strings.Contains(text, "~") {
		return "", "", false
	}
	name, rest, ok = strings.Cut(text, "=")
	ok = ok && (isName(name) || f.st.Shell == "mksh" && !strings.Contains(name, `\`))
	return name + "=", rest, ok
}

// tilde expands a leading ~, ~user, ~+ or ~-.
func (f *splitter) tilde(text string) (v value.Value, rest string, ok bool) {
	if !strings.HasPrefix(text, "~") {
		return v, "", false
	}
	stop := "/"
	if f.assign {
		stop = "/:"
	}
	name := text[1:]
	if i := strings.IndexAny(name, stop); i >= 0 {
		name, rest = name[:i], name[i:]
	}
	switch name {
	case "":
		return f.e.home(f.st), rest, true
	case "+":
		return f.st.Dir, rest, true
	case "-":
		if old := f.st.Vars.Get("OLDPWD"); old != nil {
			return old.Value, rest, true
		}
		return v, "", false
	case "root":
		return value.Lit("/root"), rest, true
	}
	if v := f.st.Vars.Get(dirTable); v != nil {
		if d, ok := v.Map[name]; ok {
			return d, rest, true
		}
	}
	if v := f.st.Vars.Get(name); f.st.Shell == "zsh" && isName(name) && v != nil && strings.HasPrefix(v.Value.Prefix(), "/") {
		return v.Value, rest, true // a static named directory (zshexpn(1))
	}
	user := f.st.World.User
	if user.Name == name {
		return value.Lit(user.Home), rest, true
	}
	if h, ok := user.Homes[name]; ok {
		return value.Lit(h), rest, true
	}
	return v, "", false
}

func (e *evaluator) home(st *shell.State) value.Value {
	if h := st.Vars.Get("HOME"); h != nil {
		return h.Value
	}
	return value.Lit(st.World.User.Home)
}

func (f *splitter) part(p syntax.WordPart, quoted bool) {
	e := f.e
	if e.spent() {
		return
	}
	switch p := p.(type) {
	case *syntax.Lit:
		if quoted {
			f.add(value.Lit(unescape(p.Value, "$`\"\\\n")), true)
			return
		}
		f.literal(p.Value)
	case *syntax.SglQuoted:
		text := value.Lit(e.verbatim(p))
		if p.Dollar {
			text = spelledByNumber(text.Prefix())
		}
		text = e.spliced(f.st, text)
		f.add(text, true)
	case *syntax.DblQuoted:
		f.started = f.started || !onlyList(p)
		if p.Dollar && f.st.Shell == "bash" && translated(f.st) {
			e.unmodelled(f.st, e.span(p), "a translation of the text")
		}
		for _, q := range modified(f.st, p.Parts) {
			f.part(q, true)
		}
	case *syntax.ParamExp:
		f.param(p, quoted)
	case *syntax.CmdSubst:
		f.expansion(e.substitute(f.st, p), quoted, true)
	case *syntax.ArithmExp:
		f.expansion(e.arith(f.st, p.X), quoted, false)
	case *syntax.ProcSubst:
		f.add(e.process(f.st, p), true)
	case *syntax.ExtGlob:
		// Expansions in it are text in the tree.
		inner := e.again(f.st, value.Lit(p.Pattern.Value), e.span(p))
		f.add(value.Concat(value.Lit(p.Op.String()), inner, value.Lit(")")), false)
	case *syntax.BraceExp:
		f.add(value.Lit(braceText(p)), true)
	}
}

// translated reports whether the session says which translations of $"…" are taken: they are
// expanded like the text (bash(1), "QUOTING"; TEXTDOMAIN).
func translated(st *shell.State) bool {
	for _, name := range []string{"TEXTDOMAIN", "TEXTDOMAINDIR"} {
		if v := st.Vars.Get(name); v != nil && v.Changed {
			return true
		}
	}
	return false
}

// onlyList reports whether "…" holds just "$@": then no field may come of it.
func onlyList(q *syntax.DblQuoted) bool {
	if len(q.Parts) != 1 {
		return false
	}
	p, ok := q.Parts[0].(*syntax.ParamExp)
	return ok && isAt(p)
}

func isAt(p *syntax.ParamExp) bool {
	if p.Param != nil && p.Param.Value == "@" && p.Index == nil {
		return true
	}
	w, ok := p.Index.(*syntax.Word)
	return ok && w.Lit() == "@"
}

// literal adds unquoted source text: a backslash quotes the next character. The
// parser leaves the quotes in that stand in zsh's qualifiers.
func (f *splitter) literal(text string) {
	if f.assign {
		text = f.assignTildes(text)
	}
	for text != "" {
		i := strings.IndexAny(text, `\'"`)
		if i < 0 {
			f.add(value.Lit(text), false)
			return
		}
		if i > 0 {
			f.add(value.Lit(text[:i]), false)
		}
		if text[i] != '\\' {
			inner, rest, closed := quotedText(text[i:])
			if !closed { // the parser ended the word too early
				f.e.m.Unknown(f.st, f.st.Statement, risk.RoleParse, "a word with qualifiers")
			}
			f.add(value.Lit(inner), true)
			text = rest
			continue
		}
		if i+1 == len(text) {
			f.add(value.Lit("\\"), true)
			return
		}
		if text[i+1] != '\n' {
			n := 1
			for n < 4 && i+1+n < len(text) && text[i+1+n]&0xc0 == 0x80 {
				n++ // the rest of a UTF-8 sequence
			}
			f.add(value.Lit(text[i+1:i+1+n]), true)
			text = text[i+1+n:]
			continue
		}
		text = text[i+2:]
	}
}

// quotedText cuts a quoted text off the front of s, and takes its quotes off.
func quotedText(s string) (text, rest string, closed bool) {
	if s[0] == '\'' {
		return strings.Cut(s[1:], "'")
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return unescape(s[1:i], "$`\"\\\n"), s[i+1:], true
		}
	}
	return s[1:], "", false
}

// assignTildes expands ~ after a colon in an assignment, as in PATH=a:~/b.
func (f *splitter) assignTildes(text string) string {
	if !strings.Contains(text, ":~") {
		return text
	}
	home, known := f.e.home(f.st).Known()
	if !known {
		return text
	}
	text = strings.ReplaceAll(text, ":~/", ":"+home+"/")
	if strings.HasSuffix(text, ":~") {
		text = text[:len(text)-1] + home
	}
	return text
}

// add appends text that is not subject to field splitting.
func (f *splitter) add(v value.Value, quoted bool) {
	f.parts++
	f.started, f.spaced = true, false
	f.from = v.Pattern()
	f.cur.Add(v)
	if f.one {
		return
	}
	for _, p := range v.Parts() {
		switch {
		case p.Hole != nil:
			f.hole = true
			f.pattern.WriteByte('*')
		case quoted:
			f.pattern.WriteString(quoteGlob(p.Lit))
		default:
			f.pattern.WriteString(p.Lit)
			f.glob = f.glob || strings.ContainsAny(p.Lit, "*?[") || isExtGlob(p.Lit) || f.st.Shell == "zsh" && strings.ContainsAny(p.Lit, "(<^#")
		}
	}
}

func isExtGlob(s string) bool {
	return len(s) > 2 && s[1] == '(' && strings.IndexByte("?*+@!", s[0]) >= 0
}

// expansion adds the result of an expansion: split into fields if it is not
// quoted.
func (f *splitter) expansion(v value.Value, quoted, command bool) {
	if n := v.Len(); n > maxText || len(v.Parts()) > maxParts || n >= stepBytes && !f.e.m.Spend(n/stepBytes) {
		v = value.Unknown(risk.CauseOther, "").With(v.Taint())
	}
	zsh := f.st.Shell == "zsh"
	if quoted || f.one || zsh && !command && !optionsOf(f.st).wordSplit {
		if v.Empty() && !quoted && !f.one {
			f.parts++
			return
		}
		f.add(v, quoted || !zsh || !optionsOf(f.st).globSubst)
		return
	}
	f.parts++
	f.cur.Taint(v.Taint())
	ifs := f.e.ifs(f.st)
	if s, known := v.Known(); known {
		f.splitKnown(s, ifs, v.Taint())
		return
	}
	for _, p := range v.Parts() {
		if p.Hole == nil {
			f.splitKnown(p.Lit, ifs, v.Taint())
			continue
		}
		f.addHole(p.Hole, ifs)
		f.cur.Taint(v.Taint())
		f.from = v.Pattern()
	}
}

func (f *splitter) addHole(h *value.Hole, ifs string) {
	f.started, f.hole, f.spaced = true, true, false
	open := h.Shape == value.AnyText && len(h.OneOf) == 0
	for _, o := range h.OneOf {
		open = open || strings.ContainsAny(o, ifs) || o == ""
	}
	f.many = f.many || open
	f.cur.Add(value.Of(*h))
	f.pattern.WriteByte('*')
}

// splitKnown splits known text at IFS characters.
func (f *splitter) splitKnown(s, ifs string, t value.Taint) {
	plain := f.st.Shell == "zsh" && !optionsOf(f.st).globSubst // names in it are not looked for
	if ifs == "" {
		f.add(value.Lit(s).With(t), plain)
		return
	}
	for s != "" {
		i := strings.IndexAny(s, ifs)
		if i < 0 {
			f.add(value.Lit(s).With(t), plain)
			return
		}
		if i > 0 {
			f.add(value.Lit(s[:i]).With(t), plain)
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		switch space := strings.IndexByte(" \t\n", s[i]) >= 0; {
		case space:
			f.spaced = f.spaced || f.started
		case f.spaced && !f.started:
			f.spaced = false
		default:
			f.started, f.spaced = true, false // it ends even an empty field
		}
		f.end()
		s = s[i+n:]
	}
}

func (e *evaluator) ifs(st *shell.State) string {
	v := st.Vars.Get("IFS")
	if v == nil {
		return " \t\n"
	}
	if s, known := v.Value.Known(); known {
		return distinct(s)
	}
	return " \t\n"
}

// distinct drops repeated characters, so that looking for one of them costs no
// more for a longer list.
func distinct(s string) string {
	if len(s) < 16 {
		return s
	}
	var b strings.Builder
	seen := map[rune]bool{}
	for _, r := range s {
		if !seen[r] && len(seen) < 256 {
			seen[r] = true
			b.WriteRune(r)
		}
	}
	return b.String()
}

// end closes the current field.
func (f *splitter) end() {
	if !f.started {
		return
	}
	pattern, glob := f.pattern.String(), f.glob
	v := f.cur.Value()
	if f.parts == 1 && f.from != "" {
		v = v.FromPattern(f.from)
	}
	many := f.many
	hole := f.hole
	f.pattern.Reset()
	f.glob, f.hole, f.started, f.many, f.from, f.parts = false, false, false, false, "", 0
	if len(f.done) > maxFanOut {
		return
	}
	if !glob || optionsOf(f.st).noGlob {
		f.done = append(f.done, shell.Word{Value: v, Many: many})
		return
	}
	if hole {
		f.done = append(f.done, shell.Word{Value: v.FromPattern(v.String()), Many: many})
		return
	}
	f.done = append(f.done, f.e.glob(f.st, v, pattern)...)
}

func (f *splitter) finish() []shell.Word {
	f.end()
	return f.done
}

func (f *splitter) whole() value.Value {
	from := f.from
	v := f.cur.Value()
	if f.parts == 1 && from != "" {
		v = v.FromPattern(from)
	}
	return v
}
