package text

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Commands and functions of Vim that stay within the editor, by list: whatever is
// in none of these is code that is not understood (Vim 9.1, index.txt, "EX
// commands"; builtin.txt).
const (
	exMoves    = "k ma:rk m:ove co:py t d:elete y:ank j:oin u:ndo red:o > < = noh:lsearch filet:ype norm:al st:artinsert stopi:nsert mat:ch so:rt uniq ret:ab ce:nter le:ft ri:ght changes ju:mps marks reg:isters di:splay files ls buffers as:cii ve:rsion h:elp exi:t qa:ll undoj:oin undol:ist b:uffer bn:ext bp:revious bf:irst bl:ast on:ly clo:se winc:md sl:eep redr:aw redraws:tatus dig:raphs hi:ghlight end:if el:se endfo:r endw:hile endt:ry"
	exSaves    = "mk:exrc mks:ession mkv:imrc mkvie:w mksp:ell wv:iminfo wsh:ada wu:ndo ha:rdcopy"
	exComputes = "ec:ho echom:sg echoe:rr echon let cons:t if elsei:f wh:ile for cal:l ev:al pu:t retu:rn unl:et"
	exSettings = "se:t setl:ocal setg:lobal"
)

// exFunctions only compute, or change the text that is edited.
const exFunctions = " abs append bufname bufnr byte2line char2nr col count cursor empty exists float2nr floor fnamemodify get getcurpos getcwd getline getpos getreg has has_key index insert invert isdirectory items join keys len line line2byte localtime match matchend matchlist matchstr max min nr2char pow prevnonblank nextnonblank printf range remove repeat reverse round search searchpos setline setpos setreg sort split sqrt str2float str2nr strchars strftime string stridx strlen strpart strridx strwidth synID synIDattr tolower toupper tr trim trunc type uniq values virtcol visualmode winnr wordcount "

// exOptions are options that say how text looks and moves (Vim 9.1, options.txt).
const exOptions = " ai autoindent backspace bs cc cindent colorcolumn columns cul cursorline et expandtab fdm fen ff fileformat foldenable foldmethod ft filetype gd gdefault hls hlsearch ic ignorecase incsearch is laststatus lazyredraw lbr linebreak lines list magic mouse nocp nocompatible number nu paste relativenumber rnu ruler scrolloff scs shiftwidth showcmd showmatch showmode smartcase smartindent smarttab so sts softtabstop sw syn syntax t_Co tabstop textwidth ts tw wrap wrapscan ws wm wrapmargin binary bin eol fixeol fixendofline readonly ro modifiable ma fenc fileencoding encoding enc noswapfile swf swapfile nobackup nowritebackup nomore more "

// plain is a command that is none of those that reach outside by their names.
func (x *exScript) plain(name, body string, word value.Value) {
	switch {
	case exIs(name, "s:ubstitute sm:agic sno:magic"):
		if strings.Contains(body, `\=`) || !word.IsKnown() { // the replacement is an expression
			x.code(word)
		}
	case exIs(name, exSaves):
		x.saves(name, word)
	case exIs(name, exSettings):
		for setting := range strings.FieldsSeq(body) {
			option, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(setting, "no"), "inv"), "=")
			if !strings.Contains(exOptions, " "+strings.TrimRight(option, "!?&+-^")+" ") && !strings.Contains(exOptions, " "+strings.TrimRight(setting, "!?&")+" ") {
				x.code(value.Concat(value.Lit(name+" "), word))
				return
			}
		}
	case exIs(name, "sy:ntax"): // include reads a file of commands
		kind, _, _ := strings.Cut(body, " ")
		if !strings.Contains(" on off enable clear reset sync list match region keyword cluster case spell conceal iskeyword manual  ", " "+kind+" ") {
			x.code(value.Concat(value.Lit(name+" "), word))
		}
	case exIs(name, "let") && strings.HasPrefix(body, "$"), exIs(name, "let") && strings.HasPrefix(body, "&"):
		option, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(body[1:], "l:"), "g:"), "=")
		if body[0] == '$' || !strings.Contains(exOptions, " "+strings.TrimRight(option, " +-.*/%")+" ") {
			x.code(value.Concat(value.Lit(name+" "), word))
			return
		}
		x.expression(name, body, word)
	case exIs(name, "exe:cute"), exIs(name, exComputes):
		x.expression(name, body, word)
	case exIs(name, exMoves), name == "a", name == "i", name == "c", exIs(name, "a:ppend i:nsert c:hange"):
	default:
		x.code(value.Concat(value.Lit(name+" "), word))
	}
}

// exKeys reports whether keys that are typed in Normal mode only move about and edit: text
// behind a command that inserts, or those of the keys that do (Vim 9.1, index.txt, "Normal
// mode"). Others leave and write, open files, run programs and what registers hold.
func exKeys(keys string) bool {
	if strings.ContainsFunc(keys, func(c rune) bool { return c < ' ' || c == 0x7f }) { // ^R, ^O and Escape
		return false
	}
	keys = strings.TrimLeft(keys, "123456789")
	if keys != "" && strings.IndexByte("aAiIoORsSC", keys[0]) >= 0 {
		return true
	}
	for i := 0; i < len(keys); i++ {
		switch c := keys[i]; {
		case c == 'g':
			if i++; i == len(keys) || strings.IndexByte("gJuU~_eEvipPjk0mM$^", keys[i]) < 0 {
				return false
			}
		case strings.IndexByte("0123456789hjklwbeWBEGJxXdcypPYDCSsiaoOAIrRfFtT;,.u~%nN{}()$^_|<>vVm'`#*-+ ", c) < 0:
			return false
		}
	}
	return true
}

// saves records the file that a command writes which keeps settings, marks or
// changes.
func (x *exScript) saves(name string, word value.Value) {
	if strings.HasPrefix(word.Prefix(), ">") { // :hardcopy > FILE
		word = word.Cut(len(word.Prefix()) - len(strings.TrimLeft(word.Prefix(), "> \t")))
	}
	switch {
	case !word.Empty():
	case exIs(name, "mk:exrc"):
		word = value.Lit(".exrc")
	case exIs(name, "mkv:imrc"):
		word = value.Lit(".vimrc")
	case exIs(name, "mks:ession"):
		word = value.Lit("Session.vim")
	default:
		word = value.Lit("~/.viminfo")
	}
	x.r.Effects = append(x.r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: word})
}

// expression is one that a command evaluates: a call of system with one constant
// string is read further, and of other functions only those are known that
// compute.
func (x *exScript) expression(name, body string, word value.Value) {
	if text, ok := exString(body); ok {
		if exIs(name, "exe:cute") {
			x.command(value.Lit(text))
		}
		return
	}
	if strings.HasPrefix(body, "!") {
		x.shell(word.Cut(1))
		return
	}
	if strings.Contains(body, "$") {
		site.ShowsVariables(x.r, body)
	}
	for rest := body; ; {
		i := strings.IndexByte(rest, '(')
		if i < 0 {
			break
		}
		from := i
		for from > 0 && (site.WordByte(rest[from-1]) || rest[from-1] == ':' || rest[from-1] == '.' || rest[from-1] == '#') {
			from--
		}
		function, inner := rest[from:i], rest[i+1:]
		if end := strings.LastIndexByte(inner, ')'); end >= 0 && (function == "system" || function == "systemlist") {
			if text, ok := exString(inner[:end]); ok {
				x.shell(value.Lit(text))
				return
			}
		}
		// Some take a function, or the text of one, behind what they work on.
		hands := strings.Contains(" sort uniq search searchpos reverse ", " "+function+" ") && strings.Contains(inner, ",")
		if function != "" && !strings.Contains(exFunctions, " "+function+" ") || hands {
			x.code(word)
			return
		}
		rest = inner
	}
	if exIs(name, "exe:cute") || !word.IsKnown() {
		x.code(word)
	}
}
