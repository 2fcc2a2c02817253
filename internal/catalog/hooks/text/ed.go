package text

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// edCommand acts on a command of ed (POSIX.1-2024 ed, "Commands in ed").
func (x *exScript) edCommand(name string, bang bool, lines string, word value.Value) {
	text := word.Prefix()
	switch name[0] {
	case 'r', 'e', 'E':
		if bang {
			x.shell(word)
			return
		}
		x.readFile(word, false)
	case 'w', 'W':
		x.quits = x.quits || strings.HasPrefix(name, "wq")
		if bang {
			x.shell(word)
			return
		}
		if name == "W" && !word.Empty() {
			site.WriteFile(x.r, word, risk.KindAppend)
			return
		}
		x.write(word, lines)
	case 'g', 'v', 'G', 'V':
		if len(text) > 1 && len(name) == 1 {
			p := site.NewProgram(word)
			x.global(p.Text, p, 0, len(p.Text))
		}
	case 'q', 'Q':
		x.quits = true
	case 'p', 'n', 'l', 'z':
		x.prints = true
	case 'f':
		x.renamed(word)
	case 'a', 'c', 'd', 'h', 'H', 'i', 'j', 'k', 'm', 'P', 's', 't', 'u', 'x', 'y': // within the text
	default:
		x.code(value.Concat(value.Lit(name+" "), word))
	}
}

// renamed gives what is edited another name, to be written to. Its text stays.
func (x *exScript) renamed(word value.Value) {
	if !word.Empty() {
		x.held = append(x.held, x.files...)
		x.files = []value.Value{word}
	}
}

// ed reads the script on standard input. Without one it is an editor that
// waits for a person.
func ed(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	x := &exScript{r: r, ed: true}
	for _, f := range m.Operands() {
		if strings.HasPrefix(f.Prefix(), "!") {
			x.shell(f.Cut(1))
			continue
		}
		x.files = append(x.files, f)
	}
	editScripts(x, s)
	x.edited(risk.KindEditor)
}

// editScripts reads editor commands from standard input.
func editScripts(x *exScript, s *catalog.Site) {
	if !s.HasStdin {
		return
	}
	x.r.ReadsStdin, x.quits = true, true
	if !s.Stdin.IsKnown() && strings.Trim(site.NewProgram(s.Stdin).Text, string(rune(site.HoleByte))+"\n") == "" {
		x.r.Runs = append(x.r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "ed", Stdin: true, Text: s.Stdin})
		return
	}
	x.lines(s.Stdin)
}

// edited records what becomes of the files that are edited: an editor that is
// not told to leave waits for a person, who will write them.
func (x *exScript) edited(detail risk.Kind) {
	var carries []catalog.Source
	for _, f := range x.held {
		carries = append(carries, catalog.Source{Path: f})
		x.r.Effects = append(x.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "file", Shown: true})
	}
	for _, f := range x.files {
		switch {
		case x.writes && len(carries) > 0:
			x.r.Effects = append(x.r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Carries: carries})
		case x.writes:
			x.r.Effects = append(x.r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Arg: "file", Kind: risk.KindInPlace})
		case x.quits:
			x.r.Effects = append(x.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "file", Shown: true})
		default:
			x.r.Effects = append(x.r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Arg: "file", Kind: detail})
		}
	}
}

// vim reads the commands of -c, --cmd and +, in that order of meaning, and
// scripts on standard input in Ex mode (vim(1); ":help starting").
func vim(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	x := &exScript{r: r}
	var commands []value.Value
	commands = append(commands, m.Values("before")...)
	words := m.Operands()
	script := m.Has("scriptin") && !m.Has("ex") && s.Name != "ex"
	for _, f := range words {
		text := f.Prefix()
		switch {
		case strings.HasPrefix(text, "+"):
			commands = append(commands, f.Cut(1))
		case site.SameWord(f, "-"):
			r.ReadsStdin = true
		case script:
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "vim", Text: f})
			script = false
		default:
			x.files = append(x.files, f)
		}
	}
	for _, v := range m.Values("verbose") { // a level, and a file for the messages
		if name := strings.TrimLeft(v.Prefix(), "0123456789"); name != "" || !v.IsKnown() {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: v.Cut(len(v.Prefix()) - len(name)), Kind: risk.KindAppend})
		}
	}
	for _, c := range append(commands, m.Values("command")...) {
		x.command(c)
	}
	if m.Has("ex") || s.Name == "ex" {
		editScripts(x, s)
		x.quits = x.quits || m.Has("scriptin") || m.Has("batch")
	}
	readonly := m.Has("readonly") || s.Name == "view" || s.Name == "rview" || s.Name == "vimpager"
	x.quits = x.quits || readonly || m.Has("batch")
	if m.Has("tag") || m.Has("errors") { // files that the command does not name
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, As: risk.KindEditor})
	}
	x.edited(risk.KindEditor)
}
