package text

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// one acts on one command whose words are p.text[from:to].
func (x *exScript) one(name string, bang bool, lines string, p site.Program, from, to int) {
	for from < to && strings.IndexByte(" \t", p.Text[from]) >= 0 {
		from++
	}
	for to > from && strings.IndexByte(" \t\r", p.Text[to-1]) >= 0 {
		to--
	}
	body := p.Text[from:to]
	word := p.Slice(from, to)
	switch {
	case name == "" && bang, name == "!":
		x.shell(word)
	case name == "" || name == "@" || name == "&" || name == "=" || name == "#" || name == "<" || name == ">" || name == "~":
		if name == "@" {
			x.code(word)
		}
	case x.ed:
		x.edCommand(name, bang, lines, word)
	case exIs(name, "f:ile"):
		x.renamed(word)
	case exIs(name, "sh:ell"):
		x.interactive()
	case exIs(name, "ter:minal") || name == "Terminal":
		x.terminal(word)
	case exIs(name, "w:rite up:date sav:eas wq x:it exi:t wa:ll wqa:ll xa:ll wn:ext"):
		x.quits = x.quits || exIs(name, "wq x:it exi:t wqa:ll xa:ll")
		if bang && strings.HasPrefix(body, "!") || !strings.HasPrefix(body, "++") {
			x.write(word, lines)
		}
	case exIs(name, "q:uit qa:ll quita:ll cq:uit"):
		x.quits = true
	case exIs(name, "r:ead"):
		x.readFile(word, bang)
	case exIs(name, "e:dit vi:sual tabe:dit tabnew sp:lit vs:plit new vne:w vie:w sv:iew n:ext bad:d arga:dd ped:it fin:d dr:op diffs:plit lv:imgrep vim:grep"):
		x.opens(word)
	default:
		x.scripting(name, bang, body, p, from, to)
	}
}

// terminal reads `:terminal [++options] [command]`.
func (x *exScript) terminal(word value.Value) {
	for strings.HasPrefix(word.Prefix(), "++") {
		text := word.Prefix()
		n := strings.IndexAny(text, " \t")
		if n < 0 {
			break
		}
		word = word.Cut(len(text) - len(strings.TrimLeft(text[n:], " \t")))
	}
	if word.Empty() || strings.HasPrefix(word.Prefix(), "++") {
		x.interactive()
		return
	}
	x.shell(word)
}

func (x *exScript) readFile(word value.Value, bang bool) {
	switch {
	case bang:
		x.shell(word)
	case strings.HasPrefix(word.Prefix(), "!"):
		x.shell(word.Cut(1))
	default:
		x.opens(word)
	}
}

// opens records a file whose contents come into the editor.
func (x *exScript) opens(word value.Value) {
	text := word.Prefix()
	if strings.Contains(text, "`") { // names that a command or an expression gives (":help backtick-expansion")
		x.code(word)
		return
	}
	if word.Empty() || strings.HasPrefix(text, "+") || strings.HasPrefix(text, "#") || strings.HasPrefix(text, "%") {
		if strings.HasPrefix(text, "+") { // :e +command file
			x.command(word.Cut(1))
		}
		return
	}
	x.r.Effects = append(x.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: word, Shown: true})
}

// exLanguages are the interpreters that Vim embeds (":help if_pyth" and the like).
func exLanguage(name string) (lang string, file bool) {
	switch {
	case exIs(name, "py:thon py3 python3 pyx pythonx pydo py3do pyxdo"):
		return "python", false
	case exIs(name, "pyf:ile py3f:ile pyxf:ile"):
		return "python", true
	case name == "lua" || name == "luado":
		return "lua", false
	case exIs(name, "luaf:ile"):
		return "lua", true
	case exIs(name, "rub:y rubyd:o"):
		return "ruby", false
	case exIs(name, "rubyf:ile"):
		return "ruby", true
	case exIs(name, "pe:rl perld:o"):
		return "perl", false
	case exIs(name, "tc:l tcld:o"):
		return "tcl", false
	case exIs(name, "mz:scheme"):
		return "scheme", false
	}
	return "", false
}

func (x *exScript) scripting(name string, bang bool, body string, p site.Program, from, to int) {
	word := p.Slice(from, to)
	if lang, file := exLanguage(name); lang != "" {
		kind := catalog.RunCode
		if file {
			kind = catalog.RunScript
		}
		x.r.Runs = append(x.r.Runs, catalog.Run{Kind: kind, Lang: lang, Text: word})
		return
	}
	switch {
	case exIs(name, "so:urce ru:ntime"):
		if body != "%" && body != "" {
			x.r.Runs = append(x.r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "vim", Text: word})
		}
	case exIs(name, "sil:ent verb:ose uns:ilent noa:utocmd keepa:lt keepj:umps keepp:atterns lockm:arks conf:irm tab vert:ical abo:veleft bel:owright to:pleft bo:tright bro:wse hid:e san:dbox argdo bufdo windo tabdo cdo ldo cfdo lfdo"):
		x.command(word)
	case exIs(name, "g:lobal v:global"):
		x.global(body, p, from, to)
	case exIs(name, "norm:al"):
		if typed, ok := strings.CutPrefix(body, ":"); ok && word.IsKnown() { // a command line that is typed
			line, _, _ := strings.Cut(typed, "\r")
			x.command(value.Lit(line))
			return
		}
		if !word.IsKnown() || !exKeys(body) {
			x.code(word)
		}
	case exIs(name, "mak:e lmak:e"):
		x.r.Effects = append(x.r.Effects, catalog.Effect{Verb: risk.ExecProject, Kind: risk.KindMake})
	case exIs(name, "gr:ep lgr:ep grepa:dd"):
		x.shell(value.Concat(value.Lit("grep "), word))
	case exIs(name, "cs:cope") || name[0] >= 'A' && name[0] <= 'Z':
		x.plugin(name, word)
	case exIs(name, "au:tocmd com:mand fu:nction"), exIs(name, "map nm:ap vm:ap im:ap no:remap nn:oremap") && strings.Contains(body, "!"):
		x.code(value.Concat(value.Lit(name+" "), word))
	case exIs(name, "p:rint P:rint nu:mber l:ist z"):
		x.prints = true
	case exIs(name, "del:command cl:ist"):
	case exIs(name, "redi:r"):
		x.redirected(body, word)
	default:
		x.plain(name, body, word)
	}
}

// redirected is :redir > FILE and :redir >> FILE: what commands show from here
// on goes into the file (Vim 9.1, various.txt).
func (x *exScript) redirected(body string, word value.Value) {
	if !strings.HasPrefix(body, ">") {
		return
	}
	e := catalog.Effect{Verb: risk.FSWrite, Target: word.Cut(len(body) - len(strings.TrimLeft(body, "> \t")))}
	if strings.HasPrefix(body, ">>") {
		e.Kind = risk.KindAppend
	}
	x.r.Effects = append(x.r.Effects, e)
}

// plugin records a command that only a plugin can define.
func (x *exScript) plugin(name string, word value.Value) {
	for _, manager := range []string{"Plug", "Packer", "Lazy", "Mason", "TSInstall", "TSUpdate", "CocInstall", "CocUpdate", "Bundle", "Plugin", "Dein"} {
		if strings.HasPrefix(name, manager) {
			x.r.Effects = append(x.r.Effects, catalog.Effect{Verb: risk.PkgInstall, Kind: risk.KindEditorPlugins})
			return
		}
	}
	switch name {
	case "TOhtml", "Man", "Ex", "Explore", "Sex", "Vex", "X", "Next", "N", "DiffOrig":
		return
	}
	x.code(value.Concat(value.Lit(name+" "), word))
}

// global reads /pattern/command.
func (x *exScript) global(body string, p site.Program, from, to int) {
	if body == "" {
		return
	}
	for i := 1; i < len(body); i++ {
		if body[i] == '\\' {
			i++
			continue
		}
		if body[i] == body[0] {
			x.command(p.Slice(from+i+1, to))
			return
		}
	}
}

// exString returns the text of s if s is one constant string.
func exString(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != '"' && s[0] != '\'' || s[len(s)-1] != s[0] || strings.IndexByte(s, site.HoleByte) >= 0 {
		return "", false
	}
	inner := s[1 : len(s)-1]
	if s[0] == '"' {
		return exUnescape(inner)
	}
	return inner, !strings.Contains(inner, "'")
}

// exUnescape decodes what stands between double quotes (Vim 9.1, eval.txt,
// "string"): special keys but Enter and Escape are left out of account.
func exUnescape(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return "", false
		case s[i] != '\\' || i+1 == len(s):
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case '\\', '"':
			b.WriteByte(c)
		case 'n', 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case '<':
			key, _, ok := strings.Cut(s[i+1:], ">")
			if !ok || !strings.EqualFold(key, "cr") && !strings.EqualFold(key, "enter") && !strings.EqualFold(key, "esc") {
				return "", false
			}
			i += len(key) + 1
			b.WriteByte('\r')
		default:
			return "", false
		}
	}
	return b.String(), true
}
