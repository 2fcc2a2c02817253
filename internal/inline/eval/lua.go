package eval

import (
	"github.com/heedsh/heed/risk"
)

// makeLua lists what Lua's functions do (Lua 5.4 reference manual, 6).
func makeLua() *table {
	t := newTable(`math table string utf8 coroutine tostring tonumber type pairs ipairs next select error assert pcall xpcall setmetatable getmetatable rawget rawset rawequal rawlen unpack collectgarbage
os.time os.date os.clock os.difftime os.exit os.getenv_ os.tmpname_ bit32 bit cjson lpeg inspect io.close io.type os.setlocale debug.traceback`,
		"gsub gmatch byte char len rep sub reverse upper lower find match format concat insert remove unpack seek close flush lines setvbuf")
	t.call(shell(0), "os.execute io.popen")
	t.call(del(1), "os.remove lfs.rmdir")
	t.call(renameFile(0, 1), "os.rename")
	t.call(mkdir(), "lfs.mkdir")
	t.call(listing, "lfs.dir")
	t.call(func(s *scan, c *call) val {
		mode := "r"
		if m, ok := c.arg(1).known(); ok && c.has(1) {
			mode = m
		} else if c.has(1) {
			mode = "w"
		}
		return s.open(c.arg(0), mode)
	}, "io.open")
	t.call(func(s *scan, c *call) val { f := s.open(c.arg(0), "w"); s.vars["\x00out"] = f; return f }, "io.output")
	t.call(func(s *scan, c *call) val { return s.open(c.arg(0), "r") }, "io.input")
	t.call(func(s *scan, c *call) val {
		if len(c.args) == 0 {
			return input(s, c)
		}
		return fileRead(s, &call{recv: s.open(c.arg(0), "r")})
	}, "io.lines")
	t.call(func(s *scan, c *call) val {
		if f, ok := s.vars["\x00out"]; ok {
			s.writeTo(f, c.args)
			return dull()
		}
		return printed(s, c)
	}, "io.write")
	t.call(printed, "print io.stdout.write io.stderr.write")
	t.call(input, "io.read io.stdin.read")
	t.call(func(_ *scan, c *call) val { return object("chunk", c.arg(0).value()) }, "load loadstring")
	t.method("chunk", func(s *scan, c *call) val { return s.evalText(text(c.recv.s), "lua") }, "call")
	t.call(func(s *scan, c *call) val { s.notSeen(); s.read(c.arg(0)); return dull() }, "dofile loadfile")
	t.call(blind, "debug.* package.* ffi.* setfenv getfenv os.tmpname")
	t.call(func(s *scan, c *call) val {
		n, ok := c.arg(0).known()
		if !ok || n != "socket" && n != "socket.http" && n != "lfs" && n != "os" && n != "io" && n != "string" && n != "table" && n != "math" && n != "cjson" && n != "ssl.https" {
			s.notSeen()
		}
		return ref(n)
	}, "require")
	luaText(t)
	return t
}

// luaText lists the functions of Lua for text, the environment and the network.
func luaText(t *table) {
	t.call(func(_ *scan, c *call) val { return characters(c.args) }, "string.char utf8.char")
	for _, n := range []string{"reverse", "upper", "lower", "rep", "gsub"} {
		t.calls["string."+n] = func(s *scan, c *call) val {
			if len(c.args) > 0 {
				if v, ok := s.fold(n, &call{name: n, recv: c.args[0], args: c.args[1:]}); ok {
					return v
				}
			}
			return derived(c.args...)
		}
	}
	t.call(func(_ *scan, c *call) val {
		if f, ok := c.arg(0).known(); ok && len(c.args) > 0 {
			return fill(f, c.args[1:])
		}
		return derived(c.args...)
	}, "string.format")
	t.call(func(_ *scan, c *call) val {
		sep := c.arg(1)
		if sep.k == vNone {
			sep = str("")
		}
		return joinTexts(sep, c.arg(0))
	}, "table.concat")
	t.call(same, "tostring ipairs pairs table.unpack unpack")
	t.call(func(s *scan, c *call) val {
		for _, a := range c.args[min(1, len(c.args)):] {
			s.reveal(a, true)
		}
		return c.arg(0)
	}, "assert")
	t.call(func(s *scan, c *call) val { // its functions are called by operators
		if meta := c.arg(1); meta.k == vDict {
			for _, f := range meta.list {
				if f.k == vRef && s.t.calls[f.name] != nil {
					s.notSeen()
				}
			}
		}
		return c.arg(0)
	}, "setmetatable")
	t.call(func(s *scan, c *call) val { n, _ := c.arg(0).known(); return s.environment(n) }, "os.getenv")
	t.call(newSocket, "socket.tcp socket.udp")
	t.call(connect(0, 1), "socket.connect")
	t.call(listen(1), "socket.bind")
	t.call(func(s *scan, c *call) val { r := s.fetch(c.arg(0)); r.k = vUnknown; return r }, "socket.http.request ssl.https.request")
	t.method("socket", connect(0, 1), "connect")
	t.method("socket", send, "send")
	t.method("socket", receive, "receive")
	t.method("socket", quiet, "close settimeout")
	t.method("file", fileRead, "read lines")
	t.method("file", fileWrite, "write")
	t.method("file", quiet, "close seek flush")
	t.value(none, "nil")
	t.value(dull, "true false _VERSION math.pi ...")
	t.value(func() val { return hole(risk.CauseArg, "arg") }, "arg")
	t.value(func() val { return ref("io.stdout") }, "io.stdout io.stderr")
	t.call(plain(risk.ProcSignal, risk.NoKind, 0), "posix.kill")
}
