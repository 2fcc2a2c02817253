package text

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// An exScript is a reader over editor commands: those of vi and Vim, which
// begin with a colon at the keyboard, and those of ed, from which they come.
type exScript struct {
	r      *catalog.Result
	files  []value.Value // what is edited, for a plain :w
	held   []value.Value // whose text is edited under another name
	ed     bool          // the commands are ed's: | does not separate
	quits  bool          // a command ends the editor
	writes bool          // a command writes the edited files
	prints bool          // a command prints lines
	depth  int
	full   bool // there was too much to read
	count  int  // commands so far
}

// Bounds on the work for one script.
const (
	maxExDepth    = 8
	maxExCommands = 2000
)

// lines reads a script of one command a line; text between a, i or c and a
// line with a single dot is inserted text.
func (x *exScript) lines(v value.Value) {
	inserting := false
	for _, line := range v.Split("\n") {
		text, known := line.Known()
		if inserting {
			inserting = !known || strings.TrimRight(text, "\r") != "."
			continue
		}
		x.command(line)
		inserting = known && exInserts(text, x.ed)
	}
}

// exInserts reports whether a line begins an insertion.
func exInserts(line string, ed bool) bool {
	_, rest := exRange(strings.TrimLeft(line, " \t:"))
	if ed {
		return rest == "a" || rest == "i" || rest == "c"
	}
	switch strings.TrimRight(rest, "!") {
	case "a", "i", "c", "append", "insert", "change", "ap", "app", "in", "ins", "ch", "cha":
		return true
	}
	return false
}

// exRange cuts the line range from a command: numbers, marks, patterns.
func exRange(s string) (lines, rest string) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case strings.IndexByte("%.$,;+- \t0123456789*", c) >= 0, c == site.HoleByte && i+1 < len(s):
			i++
		case c == '\'' && i+1 < len(s):
			i += 2
		case c == '/' || c == '?':
			i++
			for i < len(s) && s[i] != c {
				if s[i] == '\\' {
					i++
				}
				i++
			}
			i = min(i+1, len(s))
		default:
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// command reads a command, or several separated by bars.
func (x *exScript) command(v value.Value) {
	if x.depth++; x.depth > maxExDepth {
		x.code(v)
		x.depth--
		return
	}
	defer func() { x.depth-- }()
	p := site.NewProgram(v)
	if p.Cut || site.TooMuch(x.r) || x.count > maxExCommands {
		if !x.full {
			x.full = true
			x.code(v)
		}
		return
	}
	for at := 0; at < len(p.Text); x.count++ {
		if x.count > maxExCommands || site.TooMuch(x.r) {
			x.code(p.Slice(at, len(p.Text)))
			return
		}
		at += len(p.Text[at:]) - len(strings.TrimLeft(p.Text[at:], " \t:|"))
		lines, rest := exRange(p.Text[at:])
		at += len(lines)
		name, bang, body := exName(rest)
		at += len(rest) - len(body)
		end := len(p.Text)
		if n := exBar(body, name, x.ed); n >= 0 {
			end = at + n
		}
		if name == "" && rest != "" && rest[0] == site.HoleByte {
			x.code(p.Slice(at, end))
			return
		}
		x.one(name, bang, lines, p, at, end)
		at = end + 1
	}
}

// exName cuts the name of a command, and the bang behind it.
func exName(s string) (name string, bang bool, rest string) {
	n := 0
	for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z') {
		n++
	}
	if n > 0 && (s[:n] == "py" || s[:n] == "python") && n < len(s) && (s[n] == '3' || s[n] == 'x') {
		n++
	}
	if n == 0 && s != "" && strings.IndexByte("!&<>=#@~", s[0]) >= 0 {
		return s[:1], false, s[1:]
	}
	name, rest = s[:n], s[n:]
	if strings.HasPrefix(rest, "!") {
		return name, true, rest[1:]
	}
	return name, false, rest
}

// exBar returns where a bar ends the command, or -1. Commands that take
// commands or shell text take bars too (Vim, ":help :bar").
func exBar(body, name string, ed bool) int {
	trimmed := strings.TrimLeft(body, " \t")
	switch {
	case ed, name == "!", strings.HasPrefix(trimmed, "!") && exIs(name, "r:ead w:rite"):
		return -1
	case exIs(name, exTakesBar):
		return -1
	}
	var quote byte
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '\\' || c == 0x16:
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && exIs(name, exExpression):
			quote = c
		case c == '|' || c == '\n':
			return i
		}
	}
	return -1
}

// Families of commands, written as shortest:rest.
const (
	exTakesBar   = "g:lobal v:global norm:al au:tocmd argdo bufdo windo tabdo cdo ldo cfdo lfdo com:mand lua luado py:thon py3 python3 pyx pythonx pydo rub:y pe:rl perldo tc:l mz:scheme ter:minal map nm:ap vm:ap im:ap no:remap nn:oremap sil:ent verb:ose"
	exExpression = "cal:l let ec:ho echom:sg echoe:rr echon exe:cute if elsei:f wh:ile for retu:rn ev:al cons:t unl:et pu:t thr:ow"
)

// exIs reports whether name is one of a family of commands.
func exIs(name, family string) bool {
	if name == "" {
		return false
	}
	for f := range strings.FieldsSeq(family) {
		short, rest, _ := strings.Cut(f, ":")
		if strings.HasPrefix(name, short) && strings.HasPrefix(short+rest, name) {
			return true
		}
	}
	return false
}

// code records editor code that is not understood further.
func (x *exScript) code(v value.Value) {
	lang := "vim"
	if x.ed {
		lang = "ed"
	}
	x.r.Runs = append(x.r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: lang, Text: v})
}

func (x *exScript) shell(v value.Value) { site.RunText(x.r, v) }

func (x *exScript) interactive() {
	x.r.Runs = append(x.r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, As: risk.KindEditor})
}

// write records what :w and its kin do with the words behind them.
func (x *exScript) write(word value.Value, lines string) {
	text := word.Prefix()
	switch {
	case word.Empty():
		x.writes = true
	case strings.HasPrefix(text, "!"):
		x.shell(word.Cut(1))
	case strings.HasPrefix(text, ">>"):
		site.WriteFile(x.r, word.Cut(len(text)-len(strings.TrimLeft(text, "> \t"))), risk.KindAppend)
	default:
		e := catalog.Effect{Verb: risk.FSWrite, Target: word}
		for _, f := range slices.Concat(x.held, x.files) {
			e.Carries = append(e.Carries, catalog.Source{Path: f})
		}
		x.r.Effects = append(x.r.Effects, e)
	}
}
