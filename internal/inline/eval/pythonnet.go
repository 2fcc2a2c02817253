package eval

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/inline/syntax"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

func pythonNetwork(t *table) {
	t.call(fetching(0), `urllib.request.urlopen urllib.urlopen urllib2.urlopen requests.get requests.head requests.options httpx.get httpx.stream aiohttp.request urllib.request.Request_`)
	t.call(func(s *scan, c *call) val {
		s.writeFile(c.arg(1), s.fetch(c.arg(0)), risk.NoKind)
		return dull()
	}, "urllib.request.urlretrieve urllib.urlretrieve wget.download")
	t.call(func(_ *scan, c *call) val {
		v := c.arg(0, "url")
		if d := c.arg(1, "data"); d.k != vNone {
			return v.with(d)
		}
		return v
	}, "urllib.request.Request urllib2.Request")
	t.call(sending(0), "requests.post requests.put requests.patch httpx.post httpx.put httpx.patch")
	t.call(deleting(0), "requests.delete httpx.delete")
	t.call(byMethod(0, 1), "requests.request httpx.request")
	t.call(func(s *scan, _ *call) val { s.impure(); return object("session", value.Value{}) }, "requests.Session requests.session httpx.Client httpx.AsyncClient aiohttp.ClientSession urllib3.PoolManager")
	t.method("session", fetching(0), "get head options stream")
	t.method("session", sending(0), "post put patch")
	t.method("session", deleting(0), "delete")
	t.method("session", byMethod(0, 1), "request")
	t.method("session", quiet, "close mount")
	t.call(func(s *scan, c *call) val { s.impure(); return object("httpconnection", c.arg(0).value()) }, "http.client.HTTPConnection http.client.HTTPSConnection httplib.HTTPConnection httplib.HTTPSConnection")
	t.method("httpconnection", func(s *scan, c *call) val {
		m, _ := c.arg(0).known()
		host := text(value.Concat(c.recv.value(), c.arg(1).value()))
		return s.http(m, host, c.arg(2, "body"))
	}, "request")
	t.method("httpconnection", func(s *scan, c *call) val { return response(c.recv.value()) }, "getresponse")
	t.method("response", func(_ *scan, c *call) val {
		v := hole(risk.CauseOutput, "a response")
		v.s = v.s.With(value.Network)
		return v
	}, "read text json readlines readline decode body iter_content blob arrayBuffer getBody content string buffer")
	t.names["response#text"] = func(_ *scan, c *call) val {
		v := hole(risk.CauseOutput, "a response")
		v.s = v.s.With(value.Network)
		return v
	}
	t.names["response#content"] = t.names["response#text"]
	pythonSockets(t)
	pythonDatabases(t)
	t.call(plain(risk.NetSend, risk.NoKind, 0), "telnetlib.Telnet webbrowser.open")
	t.call(func(s *scan, c *call) val { // a server that files or letters are handed to
		host := c.arg(0, "host")
		s.effect(catalog.Effect{Verb: risk.NetSend, Target: host.value()})
		return object("courier", host.value())
	}, "ftplib.FTP ftplib.FTP_TLS smtplib.SMTP smtplib.SMTP_SSL")
	t.method("courier", func(s *scan, c *call) val { return s.sendTo(text(c.recv.s), derived(c.args...)) }, "storbinary storlines sendmail send_message")
	t.call(plain(risk.NetListen, risk.NoKind, -1), "socketserver.TCPServer http.server.HTTPServer http.server.test SimpleHTTPServer.test BaseHTTPServer.HTTPServer SocketServer.TCPServer http.server.ThreadingHTTPServer wsgiref.simple_server.make_server socketserver.ThreadingTCPServer asyncio.start_server")
	t.call(func(s *scan, c *call) val { return ref(c.name) }, "http.server.SimpleHTTPRequestHandler http.server.BaseHTTPRequestHandler")
}

func pythonSockets(t *table) {
	t.call(newSocket, "socket.socket socket.SocketType")
	t.call(connect(0, 1), "socket.create_connection asyncio.open_connection")
	t.call(func(s *scan, c *call) val { return c.arg(0) }, "ssl.wrap_socket")
	t.call(quiet, "socket.gethostname socket.getfqdn socket.inet_aton socket.inet_ntoa socket.setdefaulttimeout socket.htons select.select")
	t.call(plain(risk.NetConnect, risk.NoKind, 0), "socket.gethostbyname socket.getaddrinfo")
	t.call(listen(0), "socket.create_server")
	t.method("socket", func(s *scan, c *call) val { return connect(0, 1)(s, c) }, "connect connect_ex")
	t.method("socket", listen(0), "bind")
	t.method("socket", quiet, "listen settimeout setsockopt close shutdown setblocking flush getsockname getpeername")
	t.method("socket", func(s *scan, c *call) val {
		v := object("socket", value.Value{})
		v.sock = true
		return val{k: vList, list: []val{v, dull()}}
	}, "accept")
	t.method("socket", func(s *scan, c *call) val { v := c.recv; v.sock = true; return v }, "makefile dup")
	t.method("socket", func(s *scan, c *call) val { v := dull(); v.sock = true; return v }, "fileno")
	t.method("socket", send, "send sendall sendto write puts print printf sendfile")
	t.method("socket", receive, "recv recvfrom recv_into read readline readlines gets")
}

func pythonBuiltins(t *table) {
	t.call(printed, "print sys.stdout.write sys.stderr.write sys.stdout.buffer.write pprint.pprint sys.stdout.writelines logging.info logging.debug logging.warning logging.error")
	t.call(func(s *scan, c *call) val { printed(s, &call{args: c.args}); return dull() }, "exit quit sys.exit")
	t.call(input, "input raw_input sys.stdin.read sys.stdin.readline sys.stdin.readlines getpass.getpass sys.stdin.buffer.read json.load_")
	t.call(evaluate(0), "exec eval execfile_ builtins.exec builtins.eval __builtins__.exec __builtins__.eval")
	t.call(func(s *scan, c *call) val { v := c.arg(0, "source"); return v }, "compile")
	t.call(func(s *scan, c *call) val { return s.evalText(s.read(c.arg(0)), "python") }, "execfile runpy.run_path")
	t.call(evaluate(0), "timeit.timeit timeit.repeat cProfile.run")
	t.call(pythonModule, "__import__ importlib.import_module importlib.__import__ runpy.run_module")
	t.call(pythonGetattr, "getattr")
	t.call(blind, "setattr delattr globals __builtins__ pickle.loads pickle.load marshal.loads marshal.load ctypes.* yaml.load sys.settrace sys.meta_path.append cffi.* dill.loads shelve.open")
	t.call(decode("base64"), "base64.b64decode base64.urlsafe_b64decode base64.standard_b64decode base64.decodestring base64.decodebytes binascii.a2b_base64")
	t.call(decode("base32"), "base64.b32decode")
	t.call(decode("hex"), "bytes.fromhex bytearray.fromhex binascii.unhexlify binascii.a2b_hex base64.b16decode")
	t.call(decode("url"), "urllib.parse.unquote urllib.unquote urllib.parse.unquote_plus")
	t.call(func(_ *scan, c *call) val {
		how, _ := c.arg(1).known()
		if k := codec(how); k != "" {
			return decoded(k, c.arg(0))
		}
		return c.arg(0)
	}, "codecs.decode codecs.encode")
	t.call(func(_ *scan, c *call) val { return characters(c.args) }, "chr unichr")
	t.call(func(_ *scan, c *call) val {
		if v := c.arg(0); v.k == vList {
			return characters(v.list)
		}
		return c.arg(0)
	}, "bytes bytearray")
	t.call(same, "str repr list tuple sorted iter reversed_ unicode io.StringIO io.BytesIO ast.literal_eval textwrap.dedent shlex.quote os.fspath copy.deepcopy")
	t.call(func(_ *scan, c *call) val {
		v := c.arg(0)
		if t, ok := v.known(); ok && v.k == vStr {
			return str(reversed(t))
		}
		if v.k == vList {
			out := val{k: vList}
			for i := len(v.list) - 1; i >= 0; i-- {
				out.list = append(out.list, v.list[i])
			}
			return out
		}
		return v
	}, "reversed")
	t.call(func(_ *scan, c *call) val {
		if x, ok := c.arg(0).known(); ok {
			out := val{k: vList}
			for w := range syntax.FieldsQuoted(x) {
				out.list = append(out.list, str(w))
			}
			return out
		}
		return derived(c.args...)
	}, "shlex.split")
	pythonNames(t)
}

// pythonNames lists the environment and well-known names of Python.
func pythonNames(t *table) {
	t.call(func(s *scan, c *call) val {
		if l := c.arg(1); l.k == vList {
			v, _ := s.mapped(l, &call{args: c.args[:1]})
			c.used = true
			return v
		}
		if c.has(1) {
			return c.arg(1)
		}
		return dull()
	}, "map")
	t.call(func(s *scan, c *call) val {
		s.reveal(c.arg(0), true) // KeyError
		return s.variable(c.arg(0))
	}, "os.environ.pop os.environ.__getitem__")
	t.call(func(s *scan, c *call) val {
		return s.variable(c.arg(0)).with(c.args...)
	}, "os.getenv os.getenvb os.environ.get os.environb.get os.environ.setdefault")
	t.call(quiet, "len float bool isinstance hasattr id hash range random.randint random.random round abs type callable issubclass")
	t.call(func(s *scan, c *call) val { return s.environment("") }, "os.environ.copy os.environ.items os.environ.values os.environ.popitem")
	t.call(quiet, "os.environ.keys os.environ.update os.putenv os.unsetenv")
	t.names["os.environ"] = func(s *scan, _ *call) val { v := ref("os.environ"); v.env = true; return v }
	t.names["__builtins__"] = func(*scan, *call) val { return ref("builtins") }
	t.value(func() val { return hole(risk.CauseArg, "argv") }, "sys.argv")
	t.value(func() val { return object("stdin", value.Value{}) }, "sys.stdin sys.stdin.buffer")
	t.method("stdin", input, "read readline readlines __iter__ close")
	t.names["stdin#buffer"] = func(*scan, *call) val { return object("stdin", value.Value{}) }
	t.value(dull, "sys.version sys.path sys.platform sys.executable sys.version_info sys.maxsize sys.modules_ os.name os.linesep __file__ __name__ __doc__ sys.prefix string.ascii_letters string.digits math.pi math.e sys.byteorder os.devnull")
	t.value(func() val { return str("/") }, "os.sep os.path.sep")
	t.call(func(s *scan, c *call) val {
		if len(c.args) == 1 {
			return c.args[0]
		}
		return s.unknownNames()
	}, "vars")
	t.names["sys.modules"] = func(*scan, *call) val { return ref("builtins.modules") }
	t.value(none, "None Ellipsis NotImplemented")
}

// unknownNames is a name space that nothing is known about.
func (s *scan) unknownNames() val {
	s.notSeen()
	return unknown()
}

// pythonModule is __import__("os").
func pythonModule(s *scan, c *call) val {
	if name, ok := c.arg(0).known(); ok {
		s.knownModule(name)
		return ref(name)
	}
	s.notSeen()
	return unknown()
}

// pythonGetattr is getattr(module, "name").
func pythonGetattr(s *scan, c *call) val {
	if name, ok := c.arg(1).known(); ok {
		return s.attr(c.arg(0), name)
	}
	s.notSeen()
	return unknown()
}
