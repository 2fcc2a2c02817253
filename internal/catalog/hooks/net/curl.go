package net

import (
	neturl "net/url"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/sqleffect"
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// curlHook says what curl requests of which URL, what it sends along and where
// the answers go. Transfers that --next separates are read one by one.
func curlHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	shown, ran := false, false
	parts := curlParts(curlConfigured(m, s, r))
	for _, part := range parts {
		c := curlTransfer{m: m, r: r}
		if len(part) != len(s.Args) {
			c.m = m.Program.Match(part)
		}
		c.read()
		c.run()
		if len(parts) == 1 {
			c.asked(s)
		}
		shown, ran = shown || c.shown, ran || len(c.urls) > 0
	}
	if !shown && ran || !ran {
		r.Prints = catalog.PrintsText
	}
	if format, ok := m.Value("format"); ok && !shown {
		switch text, _ := format.Known(); strings.TrimSuffix(text, `\n`) {
		case "%{http_code}", "%{response_code}":
			r.Prints = catalog.PrintsNumber
		}
	}
}

// curlParts cuts the words at --next, as curl(1) does with its options.
func curlParts(args []value.Value) [][]value.Value {
	var parts [][]value.Value
	start := 0
	for i, a := range args {
		if site.NetIs(a, "--next") || site.NetIs(a, "-:") {
			parts = append(parts, args[start:i])
			start = i + 1
		}
	}
	return append(parts, args[start:])
}

// A curlTransfer is one set of URLs with the options that apply to them.
type curlTransfer struct {
	m       *catalog.Match
	r       *catalog.Result
	urls    []value.Value
	outputs []value.Value
	bodies  []value.Value // texts given as words
	sources []catalog.Source
	shown   bool // an answer reaches standard output
}

// read collects what the options say.
func (c *curlTransfer) read() {
	c.urls = append(c.m.Values("url"), c.m.Values("address")...)
	c.outputs = c.m.Values("output")
	for _, v := range c.m.Values("data") {
		if strings.HasPrefix(v.Prefix(), "@") {
			c.upload(v.Cut(1))
		} else {
			c.bodies = append(c.bodies, v)
		}
	}
	c.bodies = append(c.bodies, c.m.Values("raw")...)
	for _, v := range c.m.Values("urlencode") {
		if i := strings.IndexByte(v.Prefix(), '@'); i >= 0 && !strings.Contains(v.Prefix()[:i], "=") {
			c.upload(v.Cut(i + 1))
		} else {
			c.bodies = append(c.bodies, v)
		}
	}
	for _, v := range c.m.Values("form") {
		c.form(v)
	}
	for _, v := range c.m.Values("upload") {
		if v.Empty() {
			continue
		}
		c.upload(v)
	}
	for i := range c.r.Effects { // without what -d names, curl sends nothing for it (curl(1))
		e := &c.r.Effects[i]
		e.Needed = e.Needed || e.Arg == "upload" && !c.ofData(e.Target)
	}
	for _, v := range c.m.Values("variable") {
		if i := strings.IndexByte(v.Prefix(), '@'); i >= 0 && !strings.Contains(v.Prefix()[:i], "=") {
			c.upload(v.Cut(i + 1))
		}
	}
	for _, v := range c.m.Values("header") {
		if strings.HasPrefix(v.Prefix(), "@") {
			c.upload(v.Cut(1))
		}
	}
	for _, v := range c.m.Values("cookie") {
		if !strings.Contains(v.Prefix(), "=") && v.IsKnown() {
			c.r.Effects = append(c.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Arg: "cookie"})
		}
	}
	for _, v := range c.m.Values("format") {
		c.format(v)
	}
}

// ofData reports whether a file is one that -d names.
func (c *curlTransfer) ofData(file value.Value) bool {
	return slices.ContainsFunc(slices.Concat(c.m.Values("data"), c.m.Values("urlencode")), func(v value.Value) bool {
		return strings.HasSuffix(v.String(), "@"+file.String())
	})
}

// upload records a file whose contents are sent.
func (c *curlTransfer) upload(v value.Value) {
	name, known := v.Known()
	switch {
	case known && (name == "-" || name == "."):
		c.sources = append(c.sources, catalog.Source{Stdin: true})
		c.r.ReadsStdin = true
	case known && name == "":
	default:
		c.sources = append(c.sources, catalog.Source{Path: v})
		c.r.Effects = append(c.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Arg: "upload"})
	}
}

// form reads a multipart field: name=text, name=@file[,file][;type=…] or
// name=<file (curl(1), --form).
func (c *curlTransfer) form(v value.Value) {
	text := v.Prefix()
	i := strings.IndexByte(text, '=')
	if i < 0 || i+1 >= len(text) || text[i+1] != '@' && text[i+1] != '<' {
		c.bodies = append(c.bodies, v)
		return
	}
	v = v.Cut(i + 2)
	if whole := v.Split(";"); len(whole) > 1 {
		v = whole[0]
	}
	for _, file := range v.Split(",") {
		if name, known := file.Known(); known {
			file = value.Lit(strings.Trim(name, `"`))
		}
		c.upload(file)
	}
}

// format finds what --write-out reads and writes (curl(1): @file, %output{file}).
func (c *curlTransfer) format(v value.Value) {
	if strings.HasPrefix(v.Prefix(), "@") && len(v.Prefix()) > 1 {
		c.r.Effects = append(c.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v.Cut(1), Arg: "format"})
		return
	}
	pieces := v.Split("%output{")
	for _, p := range pieces[1:] {
		file := p.Split("}")[0]
		c.r.Effects = append(c.r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: file, Arg: "format", Kind: risk.KindDownload})
	}
}

// run emits the effects of every URL.
func (c *curlTransfer) run() {
	for i, url := range c.urls {
		if path, ok := site.NetFile(url); ok {
			c.local(i, path)
			continue
		}
		c.request(url)
		c.save(i, url, catalog.Source{}, risk.KindDownload)
	}
	for _, v := range c.m.Values("quote") {
		c.quote(v)
	}
}

// local handles a file: URL, which reads or, with -T, writes this machine.
func (c *curlTransfer) local(i int, path value.Value) {
	if c.m.Has("upload") {
		c.r.Effects = append(c.r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: path, Arg: "url", Carries: c.sources})
		return
	}
	before := c.shown
	c.shown = false
	saved := c.save(i, path, catalog.Source{Path: path}, risk.NoKind)
	c.r.Effects = append(c.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: path, Arg: "url", Shown: !saved})
	c.shown = before
}

// save says where the answer to the i-th URL goes.
func (c *curlTransfer) save(i int, url value.Value, from catalog.Source, detail risk.Kind) bool {
	file := value.Lit("-")
	switch {
	case i < len(c.outputs):
		file = c.outputs[i]
	case c.m.Has("remote-name"):
		file = site.NetBase(url)
	}
	if site.NetIs(file, "-") || file.Empty() {
		c.shown = true
		return false
	}
	dir, given := c.m.Value("directory")
	e := catalog.Effect{Verb: risk.FSWrite, Target: site.NetJoin(dir, given, file), Arg: "output", Kind: detail}
	if !from.Path.Empty() {
		e.Carries = []catalog.Source{from}
	}
	c.r.Effects = append(c.r.Effects, e)
	return true
}

// request says what is asked of a server.
func (c *curlTransfer) request(url value.Value) {
	e := catalog.Effect{Verb: risk.NetFetch, Target: url, Arg: "url", Carries: c.sources}
	e.Many = strings.ContainsAny(url.Prefix(), "{[") && !c.m.Has("globoff") && !strings.Contains(url.Prefix(), "://[")
	method, certain := c.method()
	switch {
	case method == "DELETE" || method == "PURGE" || c.destroys(url):
		e.Verb = risk.RemoteDestroy
		e.Kind = risk.KindDeleteRequest
		if method == "PURGE" {
			e.Kind = risk.KindPurgeRequest
		}
	case !certain || method != "GET" && method != "HEAD" && method != "OPTIONS" || len(c.sources) > 0 || c.sendsBody():
		e.Verb = risk.NetSend
	}
	switch site.NetScheme(url) {
	case "smtp", "smtps", "mqtt", "telnet", "gopher", "gophers", "dict":
		e.Verb = risk.NetSend
		if rawDestroys(url) {
			e.Verb = risk.DBDestroy
			c.r.Effects = append(c.r.Effects, e)
			return
		}
	}
	if e.Verb == risk.RemoteDestroy && site.NetLoopback(site.NetHost(url)) && !c.engine() && !site.IsDataStore(url) {
		e.Verb = risk.NetSend
	}
	c.r.Effects = append(c.r.Effects, e)
	if sock, ok := c.m.Value("socket"); ok {
		se := catalog.Effect{Verb: risk.NetConnect, Target: sock, Arg: "socket", Kind: risk.KindUnixSocket}
		if e.Verb != risk.NetFetch && engineSocket(sock) {
			se.Verb, se.Kind = risk.PrivGain, risk.KindContainerEngineSocket
		}
		c.r.Effects = append(c.r.Effects, se)
	}
	c.statements(url)
}

// rawDestroys reports whether the path of a URL whose scheme sends it as it stands
// is a command that deletes, to whatever listens there: dict://localhost:6379/flushall.
func rawDestroys(url value.Value) bool {
	text := url.Fill(func(*value.Hole) string { return "x" })
	_, rest, _ := strings.Cut(text, "://")
	_, command, _ := strings.Cut(rest, "/")
	if plain, err := neturl.PathUnescape(command); err == nil {
		command = plain
	}
	words := strings.FieldsFunc(command, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
	return slices.ContainsFunc(words, func(w string) bool {
		return catalog.Destructive(w) || strings.HasPrefix(strings.ToLower(w), "flush")
	})
}

// engine reports whether the request goes to a container engine's socket.
func (c *curlTransfer) engine() bool {
	sock, ok := c.m.Value("socket")
	return ok && engineSocket(sock)
}

// engineSocket reports whether a path is the control socket of a container
// engine, whose API starts privileged containers (Docker Engine API).
func engineSocket(v value.Value) bool {
	for _, name := range []string{"docker.sock", "podman.sock", "containerd.sock", "crio.sock"} {
		if strings.HasSuffix(v.Suffix(), name) {
			return true
		}
	}
	return false
}

// sendsBody reports whether data goes into a body and not, with -G, into the URL.
func (c *curlTransfer) sendsBody() bool { return len(c.bodies) > 0 && !c.m.Has("get") }

// method returns the request method, and whether it is known.
func (c *curlTransfer) method() (string, bool) {
	for _, h := range c.m.Values("header") {
		name, rest, ok := strings.Cut(h.Prefix(), ":")
		switch strings.ToLower(name) {
		case "x-http-method-override", "x-http-method", "x-method-override":
			if ok {
				return strings.ToUpper(strings.TrimSpace(rest)), true
			}
		}
	}
	if v, ok := c.m.Value("method"); ok {
		text, known := v.Known()
		return strings.ToUpper(text), known
	}
	switch {
	case c.m.Has("upload"):
		return "PUT", true
	case c.m.Has("head"):
		return "HEAD", true
	case !c.m.Has("get") && (len(c.bodies) > 0 || len(c.sources) > 0):
		return "POST", true
	}
	return "GET", true
}

// destroys reports whether the body or the path of a request says that it
// deletes: a GraphQL mutation, or the last word of an RPC style path.
func (c *curlTransfer) destroys(url value.Value) bool {
	if c.m.Has("get") {
		return false
	}
	for _, b := range c.bodies {
		if GraphqlDestroys(bodyQuery(b.Fill(func(*value.Hole) string { return "x" }))) {
			return true
		}
	}
	method, _ := c.method()
	if method != "POST" && method != "PUT" || site.NetScheme(url) == "file" {
		return false
	}
	last := site.NetBaseName(url.Fill(func(*value.Hole) string { return "x" }))
	return last != "" && last != site.NetHost(url) && catalog.Destructive(last)
}

// statements finds SQL in a body: ClickHouse, rqlite, Supabase and others take
// statements over HTTP. Only what destroys is said; the rest is a request.
func (c *curlTransfer) statements(url value.Value) {
	for _, b := range c.bodies {
		text := bodyQuery(b.Fill(func(*value.Hole) string { return "x" }))
		q := sqleffect.Read(value.Lit(text), sql.Any)
		for _, e := range q.On(sqleffect.Database{Name: url}).Effects {
			if e.Verb == risk.DBDestroy {
				c.r.Effects = append(c.r.Effects, catalog.Effect{Verb: risk.DBDestroy, Target: url, Arg: "url", Kind: e.Kind})
			}
		}
	}
}

// quote says what an FTP or SFTP command does at the server (curl(1), --quote).
func (c *curlTransfer) quote(v value.Value) {
	word, _, _ := strings.Cut(strings.TrimLeft(v.Prefix(), "-+*"), " ")
	e := catalog.Effect{Verb: risk.RemoteChange, Arg: "url", Kind: risk.KindCommandToTheServer}
	if len(c.urls) > 0 {
		e.Target = c.urls[0]
	}
	switch strings.ToUpper(word) {
	case "DELE", "RMD", "RM", "RMDIR", "XRMD":
		e.Verb = risk.RemoteDestroy
	case "PWD", "CWD", "NOOP", "TYPE", "STAT", "SIZE", "MDTM", "FEAT", "SYST", "HELP":
		return
	}
	c.r.Effects = append(c.r.Effects, e)
}
