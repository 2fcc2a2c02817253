package eval

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// nodeHarmless are globals and modules that only compute (ECMAScript; Node.js
// API documentation).
const nodeHarmless = `Math JSON Date Number String Boolean Symbol BigInt Object Array Map Set WeakMap WeakSet Promise RegExp Error TypeError RangeError Intl Buffer Uint8Array Int32Array Float64Array ArrayBuffer DataView
parseInt parseFloat isNaN isFinite encodeURIComponent encodeURI escape URL URLSearchParams TextEncoder TextDecoder structuredClone setImmediate clearTimeout clearInterval queueMicrotask performance AbortController crypto Iterator
path util assert querystring url os string_decoder punycode perf_hooks timers timers/promises events stream buffer zlib readline tty async_hooks
process.exit process.uptime process.hrtime process.memoryUsage process.cwd process.nextTick process.on process.emitWarning process.cpuUsage process.exitCode process.title performance.now Reflect_ Object.prototype Array.prototype String.prototype module.exports exports console.time console.timeEnd console.assert console.count
global globalThis.console`

const nodePure = `then catch finally on once emit addListener removeListener pipe_ setEncoding resolve reject charCodeAt codePointAt charAt at toLowerCase toUpperCase toLocaleString toISOString getTime getFullYear getMonth getDate getHours getDay
localeCompare normalize every some findIndex findLast flat flatMap fill splice shift unshift pop reduceRight has set clear lastIndexOf startsWith endsWith trimStart trimEnd matchAll valueOf hasOwnProperty update digest toPrecision substring substr slice
forEach json text arrayBuffer sort keys values next return toSorted toReversed isArray from of fromEntries assign freeze setTime close_ end_ unref ref blob getUTCFullYear toJSON toUTCString toLocaleDateString toLocaleTimeString toLocaleUpperCase`

// makeNode lists what Node's functions do (Node.js API documentation).
func makeNode() *table {
	t := newTable(nodeHarmless, nodePure)
	nodeProcesses(t)
	nodeFiles(t)
	nodeNetwork(t)
	t.call(printed, "console.log console.error console.info console.warn console.debug console.table console.dir process.stdout.write process.stderr.write console.trace console.group")
	t.call(evaluate(0), "eval vm.runInThisContext vm.runInNewContext vm.runInContext")
	t.call(func(s *scan, c *call) val {
		v := dull()
		if len(c.args) > 0 {
			v = c.args[len(c.args)-1]
		}
		return val{k: vObj, name: "compiled", s: v.value()}
	}, "Function vm.Script vm.compileFunction")
	t.method("compiled", func(s *scan, c *call) val { return s.evalText(text(c.recv.s), "node") }, "call apply runInThisContext runInNewContext runInContext")
	t.call(func(s *scan, c *call) val {
		if c.arg(0).k == vStr {
			return s.evalText(c.arg(0), "node")
		}
		return dull()
	}, "setTimeout setInterval")
	t.call(nodeRequire, "require module.require import createRequire_ process.mainModule.require process.getBuiltinModule module.constructor._load process.binding globalThis.require global.require")
	t.call(blind, "Reflect.* Proxy WebAssembly.* process.dlopen import.meta module.* Object.defineProperty")
	t.call(nodeBuffer, "Buffer.from Buffer Buffer.alloc_")
	t.call(decode("base64"), "atob")
	t.call(decode("url"), "decodeURIComponent decodeURI unescape")
	t.call(func(_ *scan, c *call) val { return characters(c.args) }, "String.fromCharCode String.fromCodePoint")
	t.call(same, "String JSON.stringify JSON.parse Object.assign Array.from Promise.resolve Promise.all util.inspect Object.values Object.entries util.format Object.keys url.pathToFileURL URL util.promisify")
	t.call(func(_ *scan, c *call) val {
		var vs []value.Value
		for _, a := range c.args {
			vs = append(vs, a.value())
		}
		return text(pathJoin(vs...))
	}, "path.join path.resolve")
	t.call(func(_ *scan, c *call) val {
		return text(value.Of(value.Hole{Cause: risk.CauseUnknown, Name: "HOME", Shape: value.AnyPath}))
	}, "os.homedir")
	t.call(func(_ *scan, c *call) val { return val{k: vList, list: c.args} }, "Array Array.of")
	t.names["process.env"] = func(s *scan, _ *call) val { v := ref("process.env"); v.env = true; return v }
	t.value(func() val { return hole(risk.CauseArg, "argv") }, "process.argv")
	t.value(dull, "process.version process.versions process.platform process.arch process.pid process.execPath __filename NaN Infinity process.title Math.PI os.EOL true false this process.release process.config process.memoryUsage process.argv0 process.exitCode path.sep process.execArgv Number.MAX_SAFE_INTEGER")
	t.names["__dirname"] = programDir
	t.value(none, "undefined null")
	t.value(func() val { return object("stdin", value.Value{}) }, "process.stdin")
	t.method("stdin", func(s *scan, c *call) val { s.res.ReadsStdin = true; return c.recv }, "on read setEncoding pipe resume once")
	t.value(func() val { return ref("require") }, "globalThis.require global.require")
	return t
}

func nodeProcesses(t *table) {
	t.call(shell(0), "child_process.exec child_process.execSync shelljs.exec")
	t.call(func(s *scan, c *call) val {
		s.handOver(c)
		if o := c.arg(len(c.args) - 1); o.k == vDict && len(c.args) > 1 {
			if _, ok := o.item("shell"); ok {
				if l := c.arg(1); l.k == vList && len(l.list) > 0 {
					return s.shellText(concat(c.arg(0), str(" "), joinTexts(str(" "), l)))
				}
				return s.shellText(c.arg(0))
			}
		}
		program(0, true)(s, c)
		return object("process", value.Value{})
	}, "child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync cross-spawn execa")
	t.call(func(s *scan, c *call) val {
		s.run(catalog.Run{Kind: catalog.RunScript, Text: c.arg(0).value(), Lang: "node"})
		s.seen = false
		return dull()
	}, "child_process.fork cluster.fork worker_threads.Worker")
	t.call(plain(risk.ProcSignal, risk.NoKind, 0), "process.kill")
	t.call(plain(risk.PrivGain, risk.NoKind, -1), "process.setuid process.setgid process.seteuid process.setegid")
	t.call(chdir(0), "process.chdir")
	t.call(blind, "process.chroot")
	t.call(quiet, "process.exit process.cwd process.getuid process.geteuid process.hrtime process.abort process.umask os.hostname os.userInfo")
	t.method("process", quiet, "on kill toString once unref ref")
	piped := func(s *scan, c *call) val {
		if a := c.arg(0); a.k == vObj && a.name == "socket" {
			s.handed = true
		}
		return dull()
	}
	t.method("stream", piped, "pipe")
	t.method("stream", quiet, "on write end setEncoding")
	t.names["process#stdout"] = func(*scan, *call) val { return object("stream", value.Value{}) }
	t.names["process#stderr"] = t.names["process#stdout"]
	t.names["process#stdin"] = t.names["process#stdout"]
}

func nodeFiles(t *table) {
	each := func(a action, names string) {
		for n := range strings.FieldsSeq(names) {
			for _, m := range []string{"fs.", "fs.promises.", "fs/promises.", "fs-extra.", "graceful-fs."} {
				t.calls[m+n], t.calls[m+n+"Sync"] = a, a
			}
		}
	}
	each(del(1), "unlink")
	each(func(s *scan, c *call) val { // rmdir, too, took all with it where it is told to (before Node.js 25)
		e := catalog.Effect{Verb: risk.FSDelete, Target: c.arg(0).value(), Many: c.arg(0).value().Pattern() != ""}
		if o := c.arg(1); o.k == vDict {
			if r, ok := o.item("recursive"); ok {
				e.Recursive = !(r.k == vRef && r.name == "false")
			}
			_, e.Forced = o.item("force")
		} else if o.k != vNone && o.k != vFunc {
			e.Recursive = true
		}
		s.effect(e)
		return dull()
	}, "rm rmdir")
	each(rmtree(1), "remove emptyDir")
	t.call(rmtree(1), "rimraf rimraf.sync rimraf.rimraf del del.sync del.deleteSync del.deleteAsync shelljs.rm")
	each(reading(0), "readFile readJson readv")
	each(write(0, 1, risk.NoKind), "writeFile outputFile writeJson")
	each(write(0, 1, risk.KindAppend), "appendFile")
	each(onFiles(catalog.Effect{Verb: risk.FSWrite, Kind: risk.KindTruncate}, 1), "truncate")
	each(copyFile(0, 1, false), "copyFile")
	each(copyFile(0, 1, true), "cp copy")
	each(renameFile(0, 1), "rename")
	each(moveFile(0, 1), "move")
	each(modeAction(0, 1), "chmod lchmod")
	each(onFiles(catalog.Effect{Verb: risk.FSAttr, Kind: risk.KindOwner}, 1), "chown lchown")
	each(onFiles(catalog.Effect{Verb: risk.FSAttr, Kind: risk.KindTimes}, 1), "utimes")
	each(linkFile(0, 1), "symlink link")
	each(mkdir(), "mkdir ensureDir mkdirp mkdtemp")
	each(touch(), "ensureFile")
	each(listing, "readdir opendir")
	each(pattern, "glob")
	each(quiet, "exists stat lstat access close fstat realpath readlink watch watchFile fsync")
	each(func(s *scan, c *call) val {
		mode, _ := c.arg(1).known()
		return s.open(c.arg(0), mode)
	}, "open")
	each(func(s *scan, c *call) val { s.writeTo(c.arg(0), c.args[min(1, len(c.args)):]); return dull() }, "write")
	each(func(s *scan, c *call) val { return s.open(c.arg(0), "r") }, "createReadStream")
	each(func(s *scan, c *call) val {
		mode := "w"
		if o, ok := c.arg(1).item("flags"); ok {
			mode, _ = o.known()
		}
		return s.open(c.arg(0), mode)
	}, "createWriteStream")
	nodeStreams(t)
}

// nodeStreams lists what open files and streams of Node do.
func nodeStreams(t *table) {
	t.call(pattern, "glob.sync glob.globSync glob glob.glob")
	t.method("file", func(s *scan, c *call) val {
		if a := c.arg(0); a.k == vObj && a.eff > 0 {
			s.writeTo(a, []val{c.recv})
		} else if a.k == vObj && a.name == "socket" {
			return send(s, &call{recv: a, args: []val{c.recv}})
		} else {
			s.reveal(c.recv, true)
		}
		return dull()
	}, "pipe")
	t.method("file", fileRead, "on read once")
	t.method("file", fileWrite, "write end appendFile writeFile")
	t.method("file", quiet, "close destroy")
	for _, n := range []string{"fs", "fs.promises", "fs/promises", "child_process", "net", "http", "https", "dgram", "tls", "cluster", "worker_threads", "vm", "glob", "fs-extra"} {
		t.harmless["\x00"+n] = true
	}
}

func nodeNetwork(t *table) {
	t.call(nodeFetch, "fetch axios axios.request got node-fetch request undici.fetch undici.request needle superagent http.request https.request globalThis.fetch")
	t.call(fetching(0), "http.get https.get axios.get got.get axios.head request.get needle.get superagent.get")
	t.call(sending(0), "axios.post axios.put axios.patch got.post got.put request.post superagent.post needle.post navigator.sendBeacon")
	t.call(deleting(0), "axios.delete got.delete request.delete superagent.delete")
	t.call(connect(0, 1), "net.connect net.createConnection tls.connect net.Socket_")
	t.call(newSocket, "net.Socket WebSocket ws dgram.createSocket")
	t.method("reply", quiet, "end write writeHead setHeader send json status statusCode flushHeaders")
	t.call(func(s *scan, c *call) val {
		s.impure()
		for _, a := range c.args {
			if a.k == vFunc {
				c.used = true
				s.invoke(a.fn, []val{receive(s, c), object("reply", value.Value{})})
			}
		}
		return object("server", value.Value{})
	}, "net.createServer http.createServer https.createServer express tls.createServer http.Server http2.createServer")
	t.method("server", listen(0), "listen")
	t.method("server", quiet, "on get use post static close")
	t.call(plain(risk.NetConnect, risk.NoKind, 0), "dns.lookup dns.resolve dns.resolve4 dns.promises.lookup dns.promises.resolve dns.resolveTxt")
	nodePort := func(s *scan, c *call) val {
		v := connect(1, 0)
		if c.arg(0).k == vDict || !c.has(1) || c.arg(1).k == vFunc {
			v = connect(0, 1)
			if c.arg(0).k == vNum {
				return s.connected(str("localhost"), c.arg(0))
			}
		}
		return v(s, c)
	}
	t.call(nodePort, "net.connect net.createConnection tls.connect")
	t.method("socket", nodePort, "connect")
	t.method("socket", send, "write end send")
	t.method("socket", func(s *scan, c *call) val {
		for _, a := range c.args {
			if a.k == vFunc {
				c.used = true
				v := receive(s, c)
				s.invoke(a.fn, []val{v})
			}
		}
		return c.recv
	}, "on once")
	nodeResponses(t)
}

// nodeResponses lists what responses and databases of Node do.
func nodeResponses(t *table) {
	t.method("socket", func(s *scan, c *call) val { s.handed = true; return c.arg(0) }, "pipe")
	t.method("socket", quiet, "close destroy setEncoding setTimeout unref pause resume setKeepAlive setNoDelay")
	t.method("response", func(s *scan, c *call) val {
		for _, a := range c.args {
			if a.k == vFunc {
				c.used = true
				v := hole(risk.CauseOutput, "a response")
				v.s = v.s.With(value.Network)
				if c.name == "on" {
					return s.invoke(a.fn, []val{v})
				}
				if c.name == "then" {
					return s.invoke(a.fn, []val{c.recv})
				}
				s.invoke(a.fn, []val{v})
			}
		}
		if c.name == "pipe" {
			if f := c.arg(0); f.k == vObj && f.eff > 0 {
				s.writeTo(f, []val{c.recv})
			}
		}
		return c.recv
	}, "then on pipe catch finally end write once setEncoding")
	t.names["response#data"] = func(_ *scan, c *call) val {
		v := hole(risk.CauseOutput, "a response")
		v.s = v.s.With(value.Network)
		return v
	}
	t.names["response#body"] = t.names["response#data"]
	t.method("response", func(_ *scan, c *call) val { v := hole(risk.CauseOutput, "a response"); v.s = c.recv.s; return v }, "text json arrayBuffer blob body read")
	nodeDatabases(t)
}

// nodeFetch is fetch(url, {method, body}).
func nodeFetch(s *scan, c *call) val {
	v := c.arg(0)
	if v.k == vDict {
		return s.request(v, c)
	}
	if o := c.arg(1); o.k == vDict {
		return s.withOptions(v, o)
	}
	if strings.HasSuffix(c.name, "request") && c.has(1) && c.arg(1).k != vFunc {
		return s.sendTo(v, c.arg(1))
	}
	return s.fetch(v)
}

// nodeBuffer is Buffer.from(text, encoding).
func nodeBuffer(_ *scan, c *call) val {
	v := c.arg(0)
	if v.k == vList {
		return characters(v.list)
	}
	how, _ := c.arg(1).known()
	if k := codec(how); k != "" {
		return decoded(k, v)
	}
	return v
}

// nodeRequire is require("module").
func nodeRequire(s *scan, c *call) val {
	name, ok := c.arg(0).known()
	if !ok {
		s.notSeen()
		return unknown()
	}
	if s.lang == "node" {
		if v, isData := s.requireData(name); isData {
			s.notSeen() // unless the voucher knows the rest
			return v
		}
	}
	return s.module(name)
}

// module is what require or import of a name gives.
func (s *scan) module(name string) val {
	name = strings.TrimPrefix(name, "node:")
	if s.lang != "node" {
		return ref(name)
	}
	if s.t.harmless[name] || s.t.harmless["\x00"+name] || s.t.calls[name] != nil {
		return ref(name)
	}
	for k := range s.t.calls {
		if strings.HasPrefix(k, name+".") {
			return ref(name)
		}
	}
	s.notSeen()
	return ref(name)
}
