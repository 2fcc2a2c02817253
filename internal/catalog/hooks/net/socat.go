package net

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A socatEnd is one address of socat: a keyword, its parameter and options
// (socat(1), ADDRESS TYPES).
type socatEnd struct {
	kind  string // stdio, file, run, net, listen, socket, other
	word  string // the keyword in upper case
	param value.Value
	opts  string
}

// socatAddress reads TYPE:param[:param][,option…]; a word with a slash and no
// type is a file, a number is a descriptor.
func socatAddress(v value.Value) socatEnd {
	text := v.Prefix()
	i := strings.IndexAny(text, ":,")
	word, end := text, socatEnd{}
	if i >= 0 {
		word = text[:i]
	}
	end.word = strings.ToUpper(word)
	if i >= 0 && text[i] == ':' {
		end.param = v.Cut(i + 1)
	}
	switch {
	case end.word == "EXEC" || end.word == "SYSTEM" || end.word == "SHELL":
		end.kind = "run"
		if pieces := socatPieces(end.param); len(pieces) > 1 {
			end.param = pieces[0]
		}
		return end
	case strings.Contains(word, "/"):
		end.kind, end.param = "file", v
	case end.word == "-" || strings.HasPrefix(end.word, "STD") || end.word == "READLINE" || end.word == "FD" || end.word == "PTY" || strings.Trim(end.word, "0123456789") == "":
		end.kind = "stdio"
	case end.word == "OPEN" || end.word == "FILE" || end.word == "GOPEN" || end.word == "CREATE" || end.word == "CREAT":
		end.kind = "file"
	case strings.HasPrefix(end.word, "UNIX") || strings.HasPrefix(end.word, "LOCAL") || strings.HasPrefix(end.word, "ABSTRACT") || end.word == "PIPE" || end.word == "FIFO":
		end.kind = "socket"
	case strings.Contains(end.word, "LISTEN") || strings.Contains(end.word, "RECV") || strings.HasSuffix(end.word, "-L"):
		end.kind = "listen"
	case end.word == "TUN" || end.word == "INTERFACE":
		end.kind = "tun"
	default:
		end.kind = "net"
	}
	if pieces := end.param.Split(","); len(pieces) > 1 {
		end.param = pieces[0]
	}
	if _, opts, ok := strings.Cut(text, ","); ok {
		end.opts = strings.ToLower(opts)
	}
	return end
}

// socatPieces cuts the options off a command: a comma that no quote, paren or
// backslash protects.
func socatPieces(v value.Value) []value.Value {
	text, known := v.Known()
	if !known {
		return []value.Value{v}
	}
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && c == ',':
			return []value.Value{value.Lit(strings.ReplaceAll(text[:i], `\`, "")), value.Lit(text[i+1:])}
		}
	}
	return []value.Value{v}
}

// socatHook says what flows between the two addresses.
func socatHook(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	words := m.Values("address")
	if len(words) < 2 {
		return
	}
	left, right := socatAddress(words[0]), socatAddress(words[1])
	if m.Has("reverse") {
		left, right = right, left
	}
	oneWay := m.Has("forward") || m.Has("reverse")
	socatFlow(left, right, r)
	if !oneWay {
		socatFlow(right, left, r)
	}
	for _, pair := range [][2]socatEnd{{left, right}, {right, left}} {
		socatPlace(pair[0], pair[1], r)
	}
}

// socatPlace says what an address is by itself.
func socatPlace(end, other socatEnd, r *catalog.Result) {
	remote := other.kind == "net" || other.kind == "listen"
	switch end.kind {
	case "run":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: end.param})
		if remote {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecShell, Target: end.param, Kind: risk.KindProgramOnANetworkConnection})
		}
	case "net":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: end.param})
	case "listen":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetListen, Target: end.param})
		r.Prints = catalog.PrintsNetwork
	case "socket":
		e := catalog.Effect{Verb: risk.NetConnect, Target: end.param, Kind: risk.KindUnixSocket}
		if engineSocket(end.param) {
			e.Verb, e.Kind = risk.PrivGain, risk.KindContainerEngineSocket
		}
		r.Effects = append(r.Effects, e)
	case "tun":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SysConfig, Target: end.param, Kind: risk.KindNetworkInterface})
	}
	if other.kind == "stdio" && end.kind == "net" {
		r.Prints = catalog.PrintsNetwork
	}
}

// socatFlow says what reaches to from from.
func socatFlow(from, to socatEnd, r *catalog.Result) {
	if from.kind == "file" && from.word != "CREATE" && from.word != "CREAT" && !strings.Contains(from.opts, "wronly") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: from.param, Shown: to.kind == "stdio"})
	}
	var carried []catalog.Source
	switch from.kind {
	case "file":
		carried = []catalog.Source{{Path: from.param}}
	case "stdio":
		carried = []catalog.Source{{Stdin: true}}
		r.ReadsStdin = true
	}
	switch to.kind {
	case "file":
		if strings.Contains(to.opts, "rdonly") || from.kind == "stdio" && to.word == "" {
			return
		}
		e := catalog.Effect{Verb: risk.FSWrite, Target: to.param, Carries: carried}
		if from.kind == "net" || from.kind == "listen" {
			e.Kind = risk.KindDownload
		}
		if strings.Contains(to.opts, "append") {
			e.Kind = risk.KindAppend
		}
		r.Effects = append(r.Effects, e)
	case "net", "listen":
		if carried != nil && (from.kind == "file" || to.kind == "net") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetSend, Target: to.param, Carries: carried})
		}
	case "stdio":
		r.ShowsStdin = r.ShowsStdin || from.kind == "stdio"
	}
}

// ncHook says what netcat does with the connection that it makes.
func ncHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	host, ok := m.Value("host")
	port, _ := m.Value("port")
	at := host
	if ok && !port.Empty() {
		at = value.Concat(host, value.Lit(":"), port)
	}
	switch {
	case m.Has("listen"):
		if p, given := m.Value("local-port"); given {
			at = p
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetListen, Target: at})
	case m.Has("unix"):
		e := catalog.Effect{Verb: risk.NetConnect, Target: host, Kind: risk.KindUnixSocket}
		if engineSocket(host) {
			e.Verb, e.Kind = risk.PrivGain, risk.KindContainerEngineSocket
		}
		r.Effects = append(r.Effects, e)
	case ok:
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: at, Arg: "host"})
	default:
		return
	}
	for _, name := range []string{"program", "command", "lua"} {
		if v, given := m.Value(name); given {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecShell, Target: v, Kind: risk.KindProgramOnANetworkConnection})
		}
	}
	if m.Has("scan") {
		r.Prints = catalog.PrintsText
		return
	}
	if s.HasStdin && !site.NetBlank(s.Stdin) && !m.Has("no-stdin") {
		r.ReadsStdin = true
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetSend, Target: at, Arg: "host", Carries: []catalog.Source{{Stdin: true}}})
	}
}
