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
	t.call(moveFile(0, 1), "os.rename")
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
	t.call(same, "tostring ipairs pairs table.unpack unpack assert")
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

// makeR lists what R's functions do (R reference manual, base and utils).
func makeR() *table {
	t := newTable(`c paste_ length sum mean median sd var min max range seq seq_len seq_along rep rev sort order unique table factor levels list vector numeric character logical matrix array data.frame nrow ncol dim names colnames rownames
head tail subset apply lapply sapply vapply mapply tapply Map Filter Reduce do.call which which.max which.min any all is.na is.null nchar substr strsplit sub gsub grepl regmatches toupper tolower sprintf format round floor ceiling abs sqrt exp log sin cos tan
as.numeric as.integer as.character as.logical as.Date Sys.time Sys.Date date set.seed rnorm runif sample lm glm summary aggregate merge cbind rbind t solve det diag invisible stop warning tryCatch try function_ return identity nlevels cumsum cumprod diff quantile cor scale stopifnot
R.version.string R.version sessionInfo Sys.info packageVersion file.exists dir.exists basename dirname getwd normalizePath nargs missing Recall is.function ifelse switch suppressWarnings suppressMessages require_ q quit Negate outer crossprod rowSums colSums rowMeans colMeans trunc str_ object.size proc.time system.time Sys.sleep exists get_ commandArgs interactive stats utils utils.head base mtcars iris options library_ attach_ with within transform nchar prod intersect union setdiff rapply vapply bitwAnd strtoi chartr rawToChar_ charToRaw utf8ToInt`, "")
	t.call(shell(0, "command"), "system shell")
	t.call(func(s *scan, c *call) val {
		args := append([]val{c.arg(0, "command")}, flat([]val{c.arg(1, "args")})...)
		if args[len(args)-1].k == vNone {
			args = args[:len(args)-1]
		}
		return s.argv(args)
	}, "system2 processx.run")
	t.call(shell(0), "pipe")
	t.call(func(s *scan, c *call) val {
		if r := c.arg(1, "recursive"); r.k == vRef && (r.name == "TRUE" || r.name == "T") {
			return rmtree(1)(s, c)
		}
		return del(1)(s, c)
	}, "unlink")
	t.call(del(0), "file.remove")
	t.call(moveFile(0, 1), "file.rename")
	t.call(copyFile(0, 1, false), "file.copy")
	t.call(touch(), "file.create")
	t.call(mkdir(), "dir.create")
	t.call(linkFile(0, 1), "file.symlink file.link")
	t.call(modeAction(0, 1), "Sys.chmod")
	t.call(func(s *scan, c *call) val {
		if f := c.arg(1, "con", "file"); f.k == vStr {
			s.writeFile(f, c.arg(0), risk.NoKind)
		} else {
			s.reveal(c.arg(0), true)
		}
		return dull()
	}, "writeLines write write.csv write.table saveRDS dput sink_ write.csv2")
	t.call(func(s *scan, c *call) val {
		if f := c.arg(-1, "file"); f.k == vStr {
			s.writeFile(f, joined(c.args), risk.NoKind)
			return dull()
		}
		return printed(s, c)
	}, "cat")
	rText(t)
	return t
}

// rText lists the functions of R for text, code and the network.
func rText(t *table) {
	t.call(reading(0), "readLines read.csv read.table readRDS scan readline read.delim readChar load jsonlite.fromJSON")
	t.call(printed, "print message show str")
	t.call(listing, "list.files dir list.dirs")
	t.call(pattern, "Sys.glob")
	t.call(func(s *scan, c *call) val { s.writeFile(c.arg(1), s.fetch(c.arg(0)), risk.NoKind); return dull() }, "download.file")
	t.call(func(s *scan, c *call) val { return s.fetch(c.arg(0)) }, "url httr.GET")
	t.call(sending(0), "httr.POST httr.PUT")
	t.call(connect(0, 1), "socketConnection")
	t.call(func(s *scan, c *call) val { n, _ := c.arg(0).known(); return s.environment(n) }, "Sys.getenv")
	t.call(func(_ *scan, c *call) val { return object("code", c.arg(-1, "text").value()) }, "parse str2lang str2expression")
	t.call(func(s *scan, c *call) val { return s.evalText(text(c.arg(0).value()), "r") }, "eval")
	t.call(func(s *scan, c *call) val {
		s.run(runScript(c.arg(0).value(), "r"))
		s.seen = false
		return dull()
	}, "source")
	t.call(chdir(0), "setwd")
	t.call(blind, "dyn.load .Call .C install.packages library require Sys.setenv assign get attach unserialize")
	t.call(plain(risk.PkgInstall, risk.NoKind, 0), "install.packages remotes.install_github devtools.install_github")
	t.call(func(_ *scan, c *call) val {
		sep := str(" ")
		if c.name == "paste0" {
			sep = str("")
		}
		if v, ok := c.kw["sep"]; ok {
			sep = v
		}
		return joinTexts(sep, val{k: vList, list: flat(c.args)})
	}, "paste paste0 file.path_")
	t.call(func(_ *scan, c *call) val { return joinTexts(str("/"), val{k: vList, list: c.args}) }, "file.path")
	t.call(func(_ *scan, c *call) val { return val{k: vList, list: flat(c.args)} }, "c list")
	t.call(func(s *scan, c *call) val {
		c.used = true
		return s.callValue(c.arg(0), &call{args: flat(c.args[min(1, len(c.args)):]), kw: map[string]val{}})
	}, "do.call")
	t.value(none, "NULL NA")
	t.value(dull, "pi T F letters LETTERS R.version.string R.version mtcars iris Inf NaN")
	t.value(func() val { return ref("TRUE") }, "TRUE")
}
