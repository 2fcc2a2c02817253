package net

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// A socatEnd is one address of socat: a keyword, its parameter and options
// (socat(1), ADDRESS TYPES).
type socatEnd struct {
	kind string // stdio, file, run, net, listen, socket, other
	word string // the keyword in upper case
	// control is set for a file that is a socket by which a service takes commands.
	control bool
	param   value.Value
	opts    []socatOption
	dual    bool // one of two in one word
}

// A socatOption is one option of an address: its name in lower case, and its value.
type socatOption struct {
	name  string
	value value.Value
}

// socatHarmless are the options of addresses by which nothing more is read, written,
// run or let in than the address says (socat(1), ADDRESS OPTIONS), with their usual
// short forms.
const socatHarmless = ` rdonly wronly rdwr o-rdonly o-wronly o-rdwr append o-append excl o-excl nofollow noctty o-noctty sync o-sync dsync rsync nonblock o-nonblock ndelay cloexec largefile noatime binary text
 seek seek-set seek-cur seek-end lseek lock setlk setlk-rd setlk-wr setlkw setlkw-rd setlkw-wr flock flock-sh flock-ex flock-nb flock-sh-nb flock-ex-nb async umask
 fork nofork pty stderr ctty setsid setpgid login dash fdin fdout sigint sighup sigquit pipes socketpair openpty ptmx pty-interval pty-wait-slave sitout-eio
 raw rawer cfmakeraw echo icanon isig sane opost onlcr ispeed ospeed b9600 b19200 b38400 b57600 b115200 cs8 crtscts clocal hupcl min vmin time vtime brkint
 reuseaddr so-reuseaddr reuseport so-reuseport bind pf protocol-family keepalive so-keepalive keepidle keepintvl keepcnt nodelay tcp-nodelay tcp-cork maxseg tcp-maxseg defer-accept linger so-linger broadcast so-broadcast sndbuf so-sndbuf rcvbuf so-rcvbuf
 priority tos ttl ip-ttl mtu mtudiscover ipv6only ipv6-v6only ip-add-membership type protocol so-type so-protocol dontroute oobinline sndtimeo rcvtimeo sndlowat rcvlowat user-timeout interface so-bindtodevice if
 connect-timeout retry interval intervall forever backlog max-children children-shutup accept-timeout listen-timeout range sourceport sp lowport tcpwrap tcpwrappers allow-table deny-table resolve socksport socksuser proxyport resolv ai-addrconfig
 crnl crlf cr ignoreeof end-close null-eof shut-none shut-down shut-close shut-null escape readbytes noecho noprompt prompt
 cert certificate key cafile capath verify cn commonname sni snihost no-sni nosni method cipher ciphers min-proto-version max-proto-version openssl-min-proto-version openssl-max-proto-version compress openssl-compress fips dhparam dhparams dh pseudo egd
 unix-tightsocklen tightsocklen abstract unlink-close `

// unquoted is a text without the marks by which socat protects characters.
func (end *socatEnd) unquoted() {
	if text, known := end.param.Known(); known && strings.ContainsAny(text, "\\\"'") {
		end.param = value.Lit(strings.NewReplacer(`\\`, `\`, `\`, "", `"`, "", "'", "").Replace(text)).With(end.param.Taint())
	}
}

// options reads what stands behind the commas of an address.
func (end *socatEnd) options(pieces []value.Value) {
	for _, p := range pieces {
		name, _, set := strings.Cut(p.Prefix(), "=")
		o := socatOption{name: strings.ToLower(strings.TrimSpace(name))}
		if set {
			o.value = p.Cut(len(name) + 1)
		}
		end.opts = append(end.opts, o)
	}
}

// has reports whether an address has one of some options.
func (end *socatEnd) has(names ...string) bool {
	return slices.ContainsFunc(end.opts, func(o socatOption) bool { return slices.Contains(names, o.name) })
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
			end.options(pieces[1].Split(","))
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
	if end.param.Empty() {
		end.options(v.Split(",")[1:])
	} else if pieces := end.param.Split(","); len(pieces) > 1 {
		end.param = pieces[0]
		end.options(pieces[1:])
	}
	end.unquoted()
	return end
}

// opened tells apart what is opened generically: a socket is connected to (socat(1), "GOPEN").
// One that is not there is a socket where it is called like one.
func (end *socatEnd) opened(s *catalog.Site) {
	name, known := end.param.Known()
	if end.kind != "file" || !known || end.word != "GOPEN" && !strings.Contains(end.word, "/") {
		return
	}
	kind, _ := site.KindAt(s, name)
	if kind == world.Other || kind == world.Missing && (strings.HasSuffix(name, ".sock") || strings.HasSuffix(name, ".socket")) {
		end.control = true
	}
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
func socatHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("address")
	if len(words) < 2 {
		return
	}
	left, right := socatDual(words[0]), socatDual(words[1])
	for i := range left {
		left[i].opened(s)
		right[i].opened(s)
	}
	if m.Has("reverse") {
		left, right = right, left
	}
	oneWay := m.Has("forward") || m.Has("reverse")
	socatFlow(left[0], right[1], r)
	if !oneWay {
		socatFlow(right[0], left[1], r)
	}
	for _, pair := range [][2][2]socatEnd{{left, right}, {right, left}} {
		for i, end := range pair[0] {
			if i > 0 && !end.dual {
				continue
			}
			socatPlace(end, pair[1][0], r)
			socatOptions(end, r)
		}
	}
}

// socatDual reads an address that may be two, the one to read from and the one to
// write to (socat(1), "dual address").
func socatDual(v value.Value) [2]socatEnd {
	text := v.Prefix()
	if i := strings.Index(text, "!!"); i >= 0 {
		read, write := socatAddress(value.Lit(text[:i]).With(v.Taint())), socatAddress(v.Cut(i+2))
		read.dual, write.dual = true, true
		return [2]socatEnd{read, write}
	}
	end := socatAddress(v)
	return [2]socatEnd{end, end}
}

// socatOptions says what the options of an address do to files, and names those that
// are not known to do nothing.
func socatOptions(end socatEnd, r *catalog.Result) {
	for _, o := range end.opts {
		named := !end.param.Empty() && (end.kind == "file" || end.kind == "socket")
		e := catalog.Effect{Target: end.param}
		switch {
		case slices.Contains(strings.Fields(socatHarmless), o.name):
			continue
		case o.name == "history" || o.name == "history-file":
			e.Verb, e.Kind, e.Target = risk.FSWrite, risk.KindAppend, o.value
		case slices.Contains([]string{"creat", "create", "o-creat"}, o.name):
			written := func(w catalog.Effect) bool { return w.Verb == risk.FSWrite && w.Target.String() == end.param.String() }
			if e.Verb = risk.FSCreate; end.kind != "file" || slices.ContainsFunc(r.Effects, written) {
				continue
			}
		case o.name == "link" || o.name == "symbolic-link":
			e.Verb, e.Kind, e.Target = risk.FSCreate, risk.KindLink, o.value
		case named && strings.HasPrefix(o.name, "unlink"):
			e.Verb = risk.FSDelete
		case end.kind == "file" && (strings.HasSuffix(o.name, "trunc") || strings.HasPrefix(o.name, "ftruncate") || strings.HasPrefix(o.name, "truncate")):
			e.Verb = risk.FSWrite
		case slices.Contains([]string{"mode", "perm", "perm-early", "perm-late", "user", "user-early", "user-late", "uid", "group", "group-early", "group-late", "gid"}, o.name):
			if end.kind != "file" { // of what it makes itself
				continue
			}
			e.Verb = risk.FSAttr
		default:
			e.Verb, e.Kind, e.Target = risk.ExecKnown, risk.KindNotUnderstood, value.Lit(o.name)
		}
		r.Effects = append(r.Effects, e)
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
		if text, known := end.param.Known(); known && (strings.HasPrefix(end.word, "TCP") || strings.HasPrefix(end.word, "UDP")) {
			if host, port, ok := strings.Cut(text, ":"); ok && host != "" && noPort(port) {
				r.Lacks = port + " is no port"
			}
		}
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
	if from.kind == "file" && !from.control && from.word != "CREATE" && from.word != "CREAT" && !from.has("wronly", "o-wronly") {
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
		if to.has("rdonly", "o-rdonly") || from.kind == "stdio" && to.word == "" {
			return
		}
		e := catalog.Effect{Verb: risk.FSWrite, Target: to.param, Carries: carried}
		if to.control {
			e.Kind = risk.KindUnixSocket
		}
		if from.kind == "net" || from.kind == "listen" {
			e.Kind = risk.KindDownload
		}
		if to.has("append", "o-append") {
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

// noPort reports whether a word surely is neither the number of a port nor the name of a
// service: these have no capitals where people know them (services(5)).
func noPort(text string) bool {
	return text != "" && len(text) <= maxPort && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_<>") == ""
}

// maxPort is how long a word may be that is told as no port.
const maxPort = 30

// ncHook says what netcat does with the connection that it makes.
func ncHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	host, ok := m.Value("host")
	port, _ := m.Value("port")
	at := host
	if text, known := port.Known(); known && noPort(text) && !m.Has("unix") {
		r.Lacks = text + " is no port"
	}
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
