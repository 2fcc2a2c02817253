package posix

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// zshFlags applies the flags of ${(flags)name} (zshexpn(1), Parameter
// Expansion Flags). Of one that is not followed nothing is known afterwards.
func (e *evaluator) zshFlags(st *shell.State, flags string, x expanded) expanded {
	list := e.flagsIn(st, flags)
	slices.SortStableFunc(list, func(a, b zshFlag) int { return a.turn() - b.turn() })
	byIndex := slices.ContainsFunc(list, func(f zshFlag) bool { return f.letter == 'a' })
	for _, f := range list {
		if byIndex && (f.letter == 'o' || f.letter == 'O') {
			if x.list = slices.Clone(x.list); f.letter == 'O' {
				slices.Reverse(x.list)
			}
			continue
		}
		x = e.zshFlag(st, f.letter, f.arg, x)
	}
	return x
}

// A zshFlag is one of them, with the text that it is given.
type zshFlag struct {
	letter byte
	arg    string
}

// turn is when a flag is applied, wherever it stands (zshexpn(1), Rules): names first,
// then what joins, what splits, letters, quotes, prompts, words, order, what is
// evaluated again, and widths.
func (f zshFlag) turn() int {
	switch f.letter {
	case 'k', 'v', '@', 'M', 'a', 'i', 'n', 'p', '-':
		return 0
	case 'P':
		return 1
	case 'j', 'F':
		return 2
	case 's', 'f', '0':
		return 3
	case 'U', 'L', 'C':
		return 4
	case '%':
		return 6
	case 'z', 'Z':
		return 7
	case 'o', 'O':
		return 8
	case 'e':
		return 9
	case 'l', 'r':
		return 10
	}
	return 5
}

// flagsIn reads flags with their arguments.
func (e *evaluator) flagsIn(st *shell.State, flags string) (list []zshFlag) {
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		arg := ""
		if strings.IndexByte("sjglrIZ_", f) >= 0 {
			n := 0
			arg, n = flagArgument(flags[i+1:])
			i += n
			if f == 'l' || f == 'r' { // a width is an expression
				e.arithText(st, value.Lit(arg))
			}
		}
		list = append(list, zshFlag{letter: f, arg: arg})
	}
	return list
}

// flagArgument reads the argument of a flag between delimiters, and how long it
// is with them.
func flagArgument(s string) (arg string, n int) {
	if s == "" {
		return "", 0
	}
	end := s[:1]
	if i := strings.IndexByte("([{<", s[0]); i >= 0 {
		end = ")]}>"[i : i+1]
	}
	arg, _, found := strings.Cut(s[1:], end)
	if !found {
		return arg, len(s)
	}
	return arg, len(arg) + 2
}

func (e *evaluator) zshFlag(st *shell.State, flag byte, arg string, x expanded) expanded {
	each := func(g func(string) string) expanded {
		return x.each(func(v value.Value) value.Value { return v.Map(g, value.AnyText) })
	}
	switch flag {
	case '%':
		if optionsOf(st).promptSubst {
			x = x.each(func(v value.Value) value.Value { return e.prompt(st, v, &syntax.Lit{}) })
		}
		return x.each(func(v value.Value) value.Value { return value.Unknown(risk.CauseOther, x.name).With(v.Taint()) })
	case 'e': // expansions inside the value are performed
		return x.each(func(v value.Value) value.Value { return e.prompt(st, v, &syntax.Lit{}) })
	case 'P': // indirection
		if name, known := x.value().Known(); known {
			x = e.lookup(st, name, nil)
			x.name = name
		}
		return x
	case 'U':
		return each(strings.ToUpper)
	case 'L':
		return each(strings.ToLower)
	case 'C':
		return each(capitals)
	case 'q':
		return each(backslashes)
	case 'f', 'z', '0':
		return splitList(x, map[byte]string{'f': "\n", 'z': " ", '0': "\x00"}[flag])
	case 's':
		return splitList(x, arg)
	case 'j':
		return expanded{list: []value.Value{x.joined(arg)}, name: x.name, unset: x.unset}
	case 'F':
		return expanded{list: []value.Value{x.joined("\n")}, name: x.name, unset: x.unset}
	case 'o', 'O':
		return sorted(x, flag == 'O')
	case '@':
		x.isList, x.star = true, false
		return x
	case 'M':
		x.matching = true
		return x
	case 'k', 'v':
		return e.keys(st, x, flag)
	case 'i', 'n', 'a', 'p', '-': // how others sort, or read their arguments
		return x
	}
	return x.each(func(v value.Value) value.Value { return value.Unknown(risk.CauseOther, x.name).With(v.Taint()) })
}

// keys gives the keys of an associative array, or those and its values where
// both flags are given.
func (e *evaluator) keys(st *shell.State, x expanded, flag byte) expanded {
	v := st.Vars.Get(x.name)
	if v == nil || v.Map == nil {
		return x
	}
	out := expanded{isList: true, name: x.name, keyed: flag == 'k'}
	for _, k := range sortedKeys(v.Map) {
		if flag == 'k' || x.keyed {
			out.list = append(out.list, value.Lit(k))
		}
		if flag == 'v' {
			out.list = append(out.list, v.Map[k])
		}
	}
	return out
}

func capitals(s string) string {
	letter := false
	return strings.Map(func(r rune) rune {
		first := !letter
		letter = unicode.IsLetter(r) || unicode.IsDigit(r)
		if first {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, s)
}

// backslashes quotes what is special to the shell.
func backslashes(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(" \t\n'\"\\$&;()|<>*?[]{}~#!^=`", s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// sorted sorts a list that is known.
func sorted(x expanded, down bool) expanded {
	for _, v := range x.list {
		if !v.IsKnown() {
			return x
		}
	}
	x.list = slices.Clone(x.list)
	slices.SortStableFunc(x.list, func(a, b value.Value) int {
		if down {
			a, b = b, a
		}
		return strings.Compare(a.String(), b.String())
	})
	return x
}

// zshElement evaluates a subscript of zsh: of an array or, by characters, of a
// string; with a comma it is a range (zshparam(1), Array Subscripts).
func (e *evaluator) zshElement(st *shell.State, v *shell.Var, index syntax.ArithmExpr) expanded {
	from, to, ok := int64(0), int64(0), false
	comma, ranged := index.(*syntax.BinaryArithm)
	ranged = ranged && comma.Op == syntax.Comma
	if ranged {
		n, ok1 := e.arithInt(st, comma.X)
		m, ok2 := e.arithInt(st, comma.Y)
		from, to, ok = n, m, ok1 && ok2
	} else if _, flags := index.(*syntax.FlagsArithm); !flags {
		from, ok = e.arithInt(st, index)
		to = from
	} else {
		e.subscript(st, index)
	}
	text, known := v.Value.Known()
	if !ok || !v.Array && !known {
		return scalar(value.Unknown(risk.CauseOther, "element").With(v.Value.Taint()))
	}
	if !v.Array {
		chars := []rune(text)
		i, j := zshRange(len(chars), from, to)
		return scalar(value.Lit(string(chars[i:j])).With(v.Value.Taint()))
	}
	i, j := zshRange(len(v.List), from, to)
	if ranged {
		return expanded{list: v.List[i:j], isList: true, star: true}
	}
	if i == j {
		return beyond(v.List)
	}
	return scalar(v.List[i])
}

// zshRange turns a range that counts from 1, or from the end, into indices.
func zshRange(n int, from, to int64) (i, j int) {
	size := int64(n)
	if from < 0 {
		from += size + 1
	}
	if to < 0 {
		to += size + 1
	}
	if to = min(to, size); from > to || to < 1 {
		return 0, 0
	}
	return int(max(from, 1)) - 1, int(to)
}

// modified returns the parts of a word in which $x:h and its like have become
// ${x:h}: zsh applies modifiers without braces (zshexpn(1), Modifiers).
func modified(st *shell.State, parts []syntax.WordPart) []syntax.WordPart {
	if st.Shell != "zsh" {
		return parts
	}
	out := parts
	for i := range parts[:max(len(parts)-1, 0)] {
		p, ok := parts[i].(*syntax.ParamExp)
		l, behind := parts[i+1].(*syntax.Lit)
		if !ok || !behind || !p.Short || len(l.Value) < 2 || l.Value[0] != ':' {
			continue
		}
		with, rest := *p, *l
		for len(rest.Value) > 1 && rest.Value[0] == ':' && strings.IndexByte("htreluaAcPqQsg&", rest.Value[1]) >= 0 {
			n := 2
			switch rest.Value[1] {
			case 's', 'g', '&': // with text of their own
				n = len(rest.Value)
			}
			with.Modifiers = append(slices.Clip(with.Modifiers), &syntax.Lit{Value: rest.Value[1:n]})
			rest.Value = rest.Value[n:]
		}
		if len(with.Modifiers) == 0 {
			continue
		}
		if &out[0] == &parts[0] {
			out = slices.Clone(parts)
		}
		out[i], out[i+1] = &with, &rest
	}
	return out
}

// foreach is the head of a loop that the parser takes for a command: its body
// comes behind it (zshmisc(1), "Alternate Forms For Complex Commands").
func (e *evaluator) foreach(st *shell.State, inv *shell.Invocation, _ ioctx) {
	st.Status = shell.Perhaps
	if len(inv.Argv) > 1 {
		if name, known := inv.Argv[1].Value.Known(); known {
			st.Vars.Assign(name, value.Unknown(risk.CauseLoop, name))
		}
	}
}

// emulate makes zsh behave as another shell: of what that changes, how words are
// split and arrays count (zshoptions(1)). Options may stand on both sides of the
// mode, and with -c all of that holds for a text only (zshbuiltins(1), emulate).
func (e *evaluator) emulate(st *shell.State, inv *shell.Invocation, io ioctx) {
	st.Status = shell.OK
	before := optionsOf(st)
	var code *value.Value
	mode := false
	words := inv.Argv[1:]
	for i := 0; i < len(words); i++ {
		text, known := words[i].Value.Known()
		switch {
		case !known:
			e.unmodelled(st, inv.Span, "what emulate is told")
		case len(text) > 1 && (text[0] == '-' || text[0] == '+'):
			for _, c := range text[1:] {
				switch {
				case c == 'c' && i+1 < len(words):
					i++
					code = &words[i].Value
				case c == 'o' && i+1 < len(words):
					i++
					name, _ := words[i].Value.Known()
					e.option(st, name, text[0] == '-', inv.Span)
				case !strings.ContainsRune("lLR", c):
					e.letter(st, c, text[0] == '-', inv.Span)
				}
			}
		case !mode:
			mode = true
			e.mode(st, text)
		}
	}
	if code != nil {
		e.nested(st, *code, st.Shell, io, inv.Span)
		setOptions(st, func(o *options) { *o = before })
	}
}

// mode turns on what zsh does as the shell that it is told to be.
func (e *evaluator) mode(st *shell.State, name string) {
	other := name == "sh" || name == "ksh" || name == "bash"
	setOptions(st, func(o *options) { o.wordSplit, o.globSubst, o.kshArrays, o.promptSubst = other, other, other, other })
}

// renames is what zmv does beside what the catalog says of it: its pattern finds
// names, and what it replaces them by is expanded for each, commands in it included,
// when it only says what it would do, too; -p and -P name the program that does it
// (zshcontrib(1), zmv).
func (e *evaluator) renames(st *shell.State, inv *shell.Invocation, io ioctx) {
	var program *shell.Word
	var operands []shell.Word
	words := inv.Argv[1:]
	for i := 0; i < len(words); i++ {
		text := words[i].Value.Prefix()
		if len(operands) > 0 || len(text) < 2 || text[0] != '-' {
			operands = append(operands, words[i])
			continue
		}
		if at := strings.IndexAny(text, "pPo"); at == len(text)-1 && i+1 < len(words) {
			i++
			if text[at] != 'o' {
				program = &words[i]
			}
		} else if at > 0 && text[at] != 'o' {
			program = &shell.Word{Value: words[i].Value.Cut(at + 1)}
		}
	}
	if len(operands) == 0 {
		return
	}
	name := value.Of(value.Hole{Cause: risk.CauseMatch, Name: operands[0].Value.String(), Shape: value.Below, Base: "."})
	sub := e.aside(st, risk.Condition{}, io, func(sub *shell.State) {
		if pattern, known := operands[0].Value.Known(); known && strings.Contains(pattern, "(") {
			e.glob(sub, operands[0].Value, pattern)
		}
		sub.Vars.Set("f", shell.Var{Value: name})
		sub.Params = make([]value.Value, 9)
		for i := range sub.Params {
			sub.Params[i] = value.Of(value.Hole{Cause: risk.CauseMatch, Name: operands[0].Value.String(), Shape: value.Word})
		}
		for _, w := range operands[1:] {
			e.prompt(sub, w.Value, &syntax.Lit{})
		}
		if program != nil && !hasOption(inv, 'n') {
			call := []shell.Word{}
			for _, w := range program.Value.Split(" ") {
				call = append(call, shell.Word{Value: w})
			}
			e.dispatch(sub, &shell.Invocation{Argv: append(call, shell.Word{Value: name}, shell.Word{Value: name}), Span: inv.Span}, io)
		}
	})
	st.FS.Join(sub.FS)
}

// setsTerminal runs what zsh runs before a program that it is told of how to set the
// terminal up for: stty with the text that STTY holds (zshparam(1), STTY).
func (e *evaluator) setsTerminal(st *shell.State, inv *shell.Invocation, io ioctx) {
	for _, a := range inv.Assign {
		if st.Shell == "zsh" && a.Name == "STTY" && !a.Value.Empty() {
			sub := e.aside(st, risk.Condition{}, io, func(sub *shell.State) {
				e.nested(sub, value.Concat(value.Lit("stty "), a.Value), st.Shell, io, inv.Span)
			})
			st.FS.Join(sub.FS)
		}
	}
}

func splitList(x expanded, sep string) expanded {
	out := expanded{isList: true, name: x.name, unset: x.unset}
	for _, v := range x.list {
		for _, piece := range v.Split(sep) {
			if piece.Empty() {
				continue
			}
			if len(out.list) == maxFanOut { // there are more, and none of them is known
				out.list[maxFanOut-1] = value.Unknown(risk.CauseOther, x.name).With(v.Taint())
				return out
			}
			out.list = append(out.list, piece)
		}
	}
	return out
}

// modify applies a history-style modifier: ${x:h}, ${x:t}, ${x:r}, ${x:e}.
func modify(m string, x expanded) expanded {
	if m == "" {
		return x
	}
	g := map[byte]func(string) string{
		'h': path.Dir,
		't': func(s string) string { return strings.TrimSuffix(path.Base(s), "/") },
		'r': func(s string) string { return strings.TrimSuffix(s, path.Ext(s)) },
		'e': func(s string) string { return strings.TrimPrefix(path.Ext(s), ".") },
		'l': strings.ToLower,
		'u': strings.ToUpper,
	}[m[0]]
	if g == nil || len(m) > 1 {
		return x.each(func(v value.Value) value.Value { return value.Unknown(risk.CauseOther, x.name).With(v.Taint()) })
	}
	shape := value.AnyText
	if m[0] == 't' {
		shape = value.Word
	}
	return x.each(func(v value.Value) value.Value { return v.Map(g, shape) })
}

// ztcp opens a connection to HOST [PORT], or with -l listens on PORT, and with
// -a accepts one; the descriptor is in $REPLY (zshmodules(1), zsh/net/tcp).
func (e *evaluator) ztcp(st *shell.State, inv *shell.Invocation, io ioctx) {
	fd, listens, done := "12", false, false
	words := inv.Argv[1:]
	for len(words) > 0 {
		text, known := words[0].Value.Known()
		if !known || len(text) < 2 || text[0] != '-' {
			break
		}
		listens = listens || strings.ContainsAny(text, "la")
		done = done || strings.ContainsAny(text, "cLt")
		if words = words[1:]; strings.HasSuffix(text, "d") && len(words) > 0 {
			fd, _ = words[0].Value.Known()
			words = words[1:]
		}
	}
	st.Status = shell.Perhaps
	if done || len(words) == 0 {
		return
	}
	var in value.Value
	if listens {
		e.m.Effect(st, inv.Span, shell.Effect{Verb: risk.NetListen, Target: words[0].Value})
		in = value.Unknown(risk.CauseInput, "a connection").With(value.Network)
	} else {
		port := value.Lit("23")
		if len(words) > 1 {
			port = words[1].Value
		}
		in = e.m.Connect(st, inv.Span, value.Concat(words[0].Value, value.Lit("/"), port))
	}
	path := value.Concat(value.Lit("/dev/tcp/"), words[0].Value)
	io.fds = e.openNow(&io)
	e.setFD(&io, fd, target{in: in, hasIn: true, net: true, sink: &shell.Sink{Net: true, Path: &path}})
	e.fds = io.fds
	st.Vars.Assign("REPLY", value.Lit(fd))
}
