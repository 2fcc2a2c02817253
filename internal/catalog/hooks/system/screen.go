package system

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// screen runs a command in a new window, or sends a command to a session that
// runs already (screen(1) 4.9).
func screen(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	switch {
	case m.Has("done"):
	case m.Has("send"):
		screenCommand(r, words, 0)
	case len(words) > 0 && m.Has("attach"):
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, Lang: "session"})
	case len(words) > 0:
		r.Runs = append(r.Runs, catalog.Run{Argv: words})
	case m.Has("detached") && !m.Has("attach"):
	default:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, Lang: "session"})
	}
}

// screenCommand reads a command of screen's own language.
func screenCommand(r *catalog.Result, words []value.Value, depth int) {
	if len(words) == 0 || depth > maxTmuxDepth {
		return
	}
	name, args := words[0].Prefix(), words[1:]
	switch name {
	case "stuff", "paste", "register":
		if len(args) > 0 {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: screenKeys(args[len(args)-1])})
		}
	case "exec", "screen", "backtick":
		rest := site.OperandsAfter(args, "-t -h -T")
		for len(rest) > 0 && strings.Trim(rest[0].Prefix(), ".!|:0123456789") == "" && rest[0].IsKnown() {
			rest = rest[1:]
		}
		if len(rest) > 0 {
			r.Runs = append(r.Runs, catalog.Run{Argv: rest})
		}
	case "eval", "at":
		for _, a := range args {
			if text, known := a.Known(); known {
				var inner []value.Value
				for _, w := range site.QuotedWords(text) {
					inner = append(inner, value.Lit(w))
				}
				screenCommand(r, inner, depth+1)
			}
		}
	case "source":
		for _, a := range args {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "screen", Text: a})
		}
	case "quit", "kill":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ProcSignal, Kind: risk.KindSession})
	case "hardcopy", "writebuf", "savebuf", "logfile", "dumptermcap":
		files := site.OperandsAfter(args, "")
		for _, f := range files {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f})
		}
		if len(files) == 0 { // one that settings of the session name
			site.NotUnderstood(r, words[0])
		}
	case "readbuf", "readreg":
		for _, f := range site.OperandsAfter(args, "") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f})
		}
	case "multiuser", "acladd", "addacl", "aclchg", "chacl":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PrivGain, Kind: risk.KindSharesTheSession})
	default:
		if !strings.Contains(screenLooks, " "+name+" ") || !words[0].IsKnown() {
			site.NotUnderstood(r, site.JoinedWords(words))
		}
	}
}

// screenLooks are the commands that show something, or draw and arrange windows (screen(1)
// 4.9, "Customization").
const screenLooks = " aka altscreen autodetach autonuke bce bell_msg caption charset clear copy crlf defautonuke defbce defcharset defflow defgr defhstatus defscrollback " +
	"defutf8 defwrap detach dinfo displays echo encoding fit flow focus focusminsize fullscreen gr group hardstatus help hstatus info infos kanji lastmsg layout license markkeys maptimeout " +
	"maxwin monitor msgminwait msgwait next nonblock number obuflimit only other partial pow_detach_msg prev redisplay remove rendition reset resize scrollback select sessionname " +
	"silence silencewait slowpaste sorendition split startup_message suspend time title truecolor utf8 vbell vbell_msg vbellwait verbose version wall width height windowlist windows wrap xoff xon "

// screenKeys makes newlines of the ways in which `stuff` spells Return.
func screenKeys(v value.Value) value.Value {
	text, known := v.Known()
	if !known {
		return v
	}
	text = strings.NewReplacer("^M", "\n", `\n`, "\n", `\r`, "\n", `\015`, "\n", `\012`, "\n", "\r", "\n").Replace(text)
	return value.Lit(strings.TrimRight(text, "\n")).With(v.Taint())
}
