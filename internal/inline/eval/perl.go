package eval

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// perlHidden are marks of what no statement of a program shows: code in patterns
// (perlre(1), "(?{ code })") and the variable that turns writing in place on
// (perlvar(1), $INPLACE_EDIT).
var perlHidden = []string{"(?{", "(??{", "(?p{", "(*{", "(**{", "$^I", "INPLACE_EDIT"}

// hidesCode reports whether one of the marks stands in a program, outside its comments.
func hidesCode(text string) bool {
	marked := func(text string) bool {
		return slices.ContainsFunc(perlHidden, func(mark string) bool { return strings.Contains(text, mark) })
	}
	return marked(text) && marked(syntax.PerlCode(text))
}

// perlNumeric are the operators that take numbers, and quote what is none where warnings
// are on (perldiag(1), "Argument \"%s\" isn't numeric").
const perlNumeric = "+ - * / % ** < > <= >= == != <=>"

// perlHarmless are functions and modules that only compute (perlfunc; the
// modules of the standard distribution).
const perlHarmless = `length defined ref scalar lc_ uc_ lcfirst ucfirst index rindex substr_ sprintf_ abs int sqrt sin cos atan2 exp log hex oct rand srand time localtime gmtime
push pop shift unshift splice reverse_ sort map grep keys values each exists delete wantarray die warn return exit next last redo split_ chomp chop chr_ ord lc uc
pos quotemeta study undef local bless sleep select binmode close eof fileno seek tell stat lstat umask getppid getpwuid getpwnam caller sum max min first any all uniq shuffle sum0 product
strict warnings utf8 feature vars constant lib_ POSIX.floor POSIX.ceil POSIX.strftime POSIX.fmod POSIX._exit POSIX.setsid POSIX.isatty POSIX.uname POSIX.close List.Util List.MoreUtils Scalar.Util Data.Dumper Time.HiRes Time.Local Time.Piece Getopt.Long Getopt.Std Text.Wrap Text.ParseWords Text.Abbrev
JSON.PP JSON JSON.XS MIME.Base64 Digest.MD5 Digest.SHA Encode Storable_ Carp Cwd File.Basename File.Spec File.Spec.Functions Math.BigInt Math.BigFloat Math.Trig Math.Complex bigint bignum bigrat integer Config Benchmark English Symbol Tie.File_ Term.ANSIColor Unicode.Normalize charnames open re sigtrap autodie mro parent base overload version diagnostics locale sort less fields
basename dirname fileparse Dumper cwd getcwd looks_like_number blessed md5_hex sha1_hex sha256_hex encode_json to_json encode_utf8 croak confess carp floor ceil strftime usleep v5 main exec_ not vec waitpid wait alarm setsid wait times continue printf_ GetOptions`

// perlModules may be loaded; what is not listed of them is not known.
const perlModules = `File.Copy File.Path File.Find File.Temp IO.Socket IO.Socket.INET IO.Socket.SSL IO.File IO.Handle Socket LWP.Simple LWP.UserAgent HTTP.Tiny HTTP.Request DBI IPC.Open3 IPC.Open2 IO.Select
Errno Fcntl Hash.Util Memoize POSIX IO IO.Pipe Sys.Hostname LWP`

// makePerl lists what Perl's functions do (perlfunc).
func makePerl() *table {
	t := newTable(perlHarmless, "new pretty encode autoflush hexdigest add digest epoch ymd strftime bstr canonical utf8 content is_success status_line catfile tmpdir")
	t.modules = inline.Words(perlModules)
	t.call(words(0), "system exec IPC.System.Simple.system")
	t.call(func(s *scan, c *call) val { s.handOver(c); return words(3)(s, c) }, "open3 IPC.Open3.open3")
	t.call(func(s *scan, c *call) val { s.handOver(c); return words(2)(s, c) }, "open2 IPC.Open2.open2")
	t.call(shell(0), "qx readpipe")
	t.call(fork, "fork")
	t.call(plain(risk.ProcSignal, risk.NoKind, 1), "kill")
	t.call(plain(risk.PrivGain, risk.NoKind, -1), "POSIX.setuid POSIX.setgid setuid setgid")
	t.call(perlUnlink, "unlink")
	t.call(perlUnlink, "rmdir")
	t.call(rmtree(0), "rmtree remove_tree File.Path.rmtree File.Path.remove_tree")
	t.call(perlMkdir, "mkdir mkpath make_path File.Path.make_path File.Path.mkpath")
	t.call(renameFile(0, 1), "rename")
	t.call(moveFile(0, 1), "move mv File.Copy.move")
	t.call(copyFile(0, 1, false), "copy cp File.Copy.copy")
	t.call(linkFile(0, 1), "symlink link")
	t.call(perlModes, "chmod chown utime")
	t.call(onFiles(catalog.Effect{Verb: risk.FSWrite, Kind: risk.KindTruncate}, 1), "truncate")
	t.call(pattern, "glob")
	t.call(func(s *scan, c *call) val {
		names := listing(s, &call{args: c.args[min(1, len(c.args)):]})
		if _, more := s.vars[perlOpened]; more {
			names = dull()
		}
		s.vars[perlOpened] = names
		return dull()
	}, "opendir")
	t.call(func(s *scan, _ *call) val {
		if names, opened := s.vars[perlOpened]; opened {
			return names
		}
		return dull()
	}, "readdir")
	t.call(quiet, "closedir readlink -X flock")
	t.call(func(s *scan, c *call) val { return perlFind(s, c) }, "find finddepth File.Find.find")
	t.call(chdir(0), "chdir")
	t.call(handing, "POSIX.dup2 dup2")
	t.call(blind, "chroot syscall dump tie tied untie lib local_ ioctl fcntl retrieve thaw Storable.thaw Storable.retrieve")
	t.call(printed, "print printf say syswrite")
	t.call(func(s *scan, c *call) val {
		f := c.arg(0)
		if f.k == vObj {
			return fileRead(s, &call{recv: f})
		}
		return input(s, c)
	}, "readline getc read sysread")
	perlCode(t)
	return t
}

// perlCode lists how Perl runs code and what its variables hold.
func perlCode(t *table) {
	t.call(evaluate(0), "eval")
	t.call(func(s *scan, c *call) val {
		if f := c.arg(0); f.k == vFunc {
			c.used = true
			return s.invoke(f.fn, nil)
		}
		s.run(catalog.Run{Kind: catalog.RunScript, Text: c.arg(0).value(), Lang: "perl"})
		s.seen = false
		return dull()
	}, "do")
	t.call(func(s *scan, c *call) val {
		if v := c.arg(0); v.k == vRef {
			s.perlUse(v.name)
			return dull()
		} else if v.k == vNum {
			return dull()
		}
		s.notSeen()
		return dull()
	}, "require")
	perlOpenAndText(t)
	perlNetwork(t)
	t.names["%ENV"] = func(s *scan, _ *call) val { return s.environment("") }
	t.value(func() val { return hole(risk.CauseArg, "ARGV") }, "@ARGV $ARGV")
	t.value(func() val { return hole(risk.CauseInput, "line") }, "$_ $1 $2 $3 $4 $&")
	t.value(dull, "$0 $! $$ $@ $^ $, $/ $\\ $; $. $| @INC %INC $a $b __FILE__ __LINE__ __PACKAGE__ $? @F $\" @_")
	t.value(func() val { return object("stdin", value.Value{}) }, "STDIN")
}

func perlOpenAndText(t *table) {
	t.call(perlOpen, "open sysopen_ IO.File.new")
	t.call(func(s *scan, c *call) val {
		s.bindFile(c, s.open(c.arg(1), "w"))
		return dull()
	}, "sysopen")
	t.call(decode("base64"), "decode_base64 MIME.Base64.decode_base64 MIME.Base64.decode")
	t.call(func(_ *scan, c *call) val { return packed(c.arg(0), c.args[min(1, len(c.args)):]) }, "pack")
	t.call(func(_ *scan, c *call) val {
		f, _ := c.arg(0).known()
		if f == "u" || f == "m" {
			return derivedDecoded(nil, c)
		}
		return derived(c.args...)
	}, "unpack")
	t.call(func(_ *scan, c *call) val { return characters(c.args[:min(1, len(c.args))]) }, "chr")
	t.call(func(_ *scan, c *call) val {
		if len(c.args) == 0 {
			return dull()
		}
		return joinTexts(c.args[0], val{k: vList, list: flat(c.args[1:])})
	}, "join")
	t.call(func(_ *scan, c *call) val {
		args := flat(c.args)
		if len(args) == 1 {
			if x, ok := args[0].known(); ok {
				return str(reversed(x))
			}
		}
		out := val{k: vList}
		for i := len(args) - 1; i >= 0; i-- {
			out.list = append(out.list, args[i])
		}
		return out
	}, "reverse")
	perlText(t)
}

// perlText lists the functions of Perl for lists and open files.
func perlText(t *table) {
	t.call(func(_ *scan, c *call) val {
		if f, ok := c.arg(0).known(); ok && len(c.args) > 0 {
			return fill(f, c.args[1:])
		}
		return derived(c.args...)
	}, "sprintf")
	t.call(func(s *scan, c *call) val { return derived(c.args...) }, "split substr decode_json from_json")
	t.call(func(_ *scan, c *call) val {
		var vs []value.Value
		for _, a := range c.args {
			vs = append(vs, a.value())
		}
		return text(pathJoin(vs...))
	}, "catfile catdir")
	for _, name := range []string{"lc", "uc"} {
		to := map[string]string{"lc": "lower", "uc": "upper"}[name]
		t.calls[name] = func(s *scan, c *call) val {
			if v, ok := s.fold(to, &call{name: to, recv: c.arg(0)}); ok {
				return v
			}
			return derived(c.args...)
		}
	}
	t.call(func(s *scan, c *call) val {
		if len(c.args) < 2 {
			return derived(c.args...)
		}
		v, _ := s.mapped(val{k: vList, list: flat(c.args[1:])}, &call{args: c.args[:1]})
		return v
	}, "map_")
	t.call(perlMap, "map grep sort first any all")
	t.method("file", printed, "print_")
	t.method("file", fileWrite, "print printf say write syswrite")
	t.method("file", fileRead, "getline getlines read")
	t.method("file", quiet, "close autoflush binmode")
}

// perlMap runs a block for each element, which is in $_.
func perlMap(s *scan, c *call) val {
	if len(c.args) == 0 {
		return dull()
	}
	c.used = true
	f, list := c.args[0], flat(c.args[1:])
	out := val{k: vList}
	old := s.vars["$_"]
	for _, x := range list[:min(len(list), 1024)] {
		s.vars["$_"] = x
		if x.k == vUnknown {
			s.vars["$_"] = element(x)
		}
		v := f
		if f.k == vFunc {
			v = s.invoke(f.fn, []val{x})
		}
		if c.name != "map" {
			v = x
		}
		out.list = append(out.list, v)
	}
	s.vars["$_"] = old
	if len(list) == 0 && f.k == vFunc {
		s.invoke(f.fn, nil)
	}
	return out
}

// perlUnlink deletes its arguments, or $_.
func perlUnlink(s *scan, c *call) val {
	if len(c.args) == 0 {
		c.args = []val{s.plainName("$_")}
	}
	return del(0)(s, c)
}

func perlMkdir(s *scan, c *call) val {
	for i, a := range flat(c.args) {
		if a.k == vNum && i > 0 || a.k == vDict {
			continue
		}
		s.effect(catalog.Effect{Verb: risk.FSCreate, Target: a.value(), Kind: risk.KindDirectory})
	}
	return dull()
}

// perlModes is chmod MODE, LIST and its like.
func perlModes(s *scan, c *call) val {
	skip, detail := 1, modeKind(octal(c.arg(0)))
	switch c.name {
	case "chown":
		skip, detail = 2, risk.KindOwner
	case "utime":
		skip, detail = 2, risk.KindTimes
	}
	args := flat(c.args)
	for _, f := range args[min(skip, len(args)):] {
		s.effect(catalog.Effect{Verb: risk.FSAttr, Target: f.value(), Kind: detail})
	}
	return dull()
}

// perlOpened is where the names in the one directory are kept that the program has opened;
// no variable is called so.
const perlOpened = "opendir "

// octal reads numbers as they are written in octal.
func octal(v val) val { return v }

// perlFind runs a function below directories.
func perlFind(s *scan, c *call) val {
	for _, d := range c.args[min(1, len(c.args)):] {
		listing(s, &call{args: []val{d}})
	}
	old := s.vars["$_"]
	base, _ := c.arg(1).known()
	found := val{dull: true, s: value.Of(value.Hole{Cause: risk.CauseMatch, Name: "find", Shape: value.Below, Base: base})}
	s.vars["$_"], s.vars["$File::Find::name"] = found, found
	f := c.arg(0)
	if f.k == vDict {
		f, _ = f.item("wanted")
	}
	if f.k == vFunc {
		c.used = true
		s.cond++
		s.invoke(f.fn, nil)
		s.cond--
	} else {
		s.notSeen()
	}
	s.vars["$_"] = old
	return dull()
}

// perlOpen is open with two arguments, where the mode is in the text, and
// with more (perlfunc open).
func perlOpen(s *scan, c *call) val {
	mode, ok := c.arg(1).known()
	if c.name == "new" {
		c.args = append([]val{none()}, c.args...)
		mode, ok = c.arg(2).known()
		if len(c.args) > 2 && ok {
			return s.open(c.arg(1), mode)
		}
		mode, ok = c.arg(1).known()
	}
	if len(c.args) >= 3 && ok {
		mode = strings.TrimSpace(mode)
		switch {
		case strings.HasPrefix(mode, "|-"), strings.HasPrefix(mode, "-|"):
			s.handOver(c)
			return words(2)(s, c)
		case strings.HasSuffix(mode, "&"), strings.HasSuffix(mode, "&="), strings.HasPrefix(mode, ">&"), strings.HasPrefix(mode, "<&"):
			return s.dup()
		}
		return s.bindFile(c, s.open(c.arg(2), strings.SplitN(mode, ":", 2)[0]))
	}
	v := c.arg(1).value()
	p := strings.TrimLeft(v.Prefix(), " \t")
	tail := strings.TrimSpace(v.Suffix())
	cut := len(v.Prefix()) - len(p)
	switch {
	case strings.HasPrefix(p, "|"):
		return s.shellText(text(v.Cut(cut + 1)))
	case strings.HasSuffix(tail, "|") && len(tail) > 0:
		t, known := v.Known()
		if !known {
			return s.shellText(text(v))
		}
		return s.shellText(str(strings.TrimSuffix(strings.TrimSpace(t), "|")))
	case strings.HasPrefix(p, ">&"), strings.HasPrefix(p, "<&"):
		return s.dup()
	}
	n := 0
	for n < len(p) && strings.IndexByte("<>+ \t", p[n]) >= 0 {
		n++
	}
	return s.bindFile(c, s.open(text(v.Cut(cut+n)), p[:n]+"<"[:1-min(n, 1)]))
}

// dup: standard descriptors become copies of another handle, which is how a
// shell is put on a socket.
func (s *scan) dup() val {
	s.impure()
	if len(s.sockets) > 0 {
		s.handed = true
	}
	return dull()
}

// bindFile gives the handle that open names its file.
func (s *scan) bindFile(c *call, f val) val {
	if h := c.arg(0); h.k == vRef {
		s.vars[h.name] = f
	}
	return f
}

func perlNetwork(t *table) {
	t.call(func(s *scan, c *call) val {
		options := map[string]val{}
		for i := 0; i+1 < len(c.args); i += 2 {
			if k, ok := c.args[i].known(); ok {
				options[k] = c.args[i+1]
			}
		}
		if _, ok := options["Listen"]; ok {
			p := options["LocalPort"]
			return listen(0)(s, &call{args: []val{p}})
		}
		host, ok := options["PeerAddr"]
		if !ok {
			host, ok = options["PeerHost"]
		}
		if !ok {
			host = c.arg(0)
		}
		return s.connected(host, options["PeerPort"])
	}, "IO.Socket.INET.new IO.Socket.new IO.Socket.SSL.new IO.Socket.IP.new")
	t.call(func(s *scan, c *call) val {
		s.vars["\x00socket"] = c.arg(0)
		s.bindFile(c, object("socket", value.Value{}))
		s.impure()
		return dull()
	}, "socket")
	t.call(func(s *scan, c *call) val {
		return s.connected(c.arg(1), none())
	}, "connect")
	t.call(func(_ *scan, c *call) val { return concat(c.arg(1), str(":"), c.arg(0)) }, "sockaddr_in pack_sockaddr_in")
	t.call(same, "inet_aton gethostbyname")
	t.call(quiet, "getprotobyname INADDR_ANY setsockopt shutdown")
	t.call(listen(1), "bind")
	t.call(quiet, "listen accept")
	t.call(send, "send")
	t.call(receive, "recv")
	t.call(func(s *scan, c *call) val { r := s.fetch(c.arg(0)); r.k = vUnknown; r.dull = true; return r }, "get LWP.Simple.get")
	t.call(func(s *scan, c *call) val { s.writeFile(c.arg(1), s.fetch(c.arg(0)), risk.NoKind); return dull() }, "getstore mirror LWP.Simple.getstore")
	t.call(func(s *scan, c *call) val { s.fetch(c.arg(0)); return dull() }, "getprint")
	t.call(func(s *scan, _ *call) val { s.impure(); return object("session", value.Value{}) }, "LWP.UserAgent.new HTTP.Tiny.new WWW.Mechanize.new")
	t.method("session", fetching(0), "get head mirror")
	t.method("session", sending(0), "post put post_form")
	t.method("session", deleting(0), "delete")
	t.method("session", byMethod(0, 1), "request")
	t.method("response", func(_ *scan, c *call) val { v := hole(risk.CauseOutput, "a response"); v.s = c.recv.s; return v }, "content decoded_content")
	t.method("socket", send, "print send printf say write syswrite")
	t.method("socket", receive, "getline getlines recv read")
	t.method("socket", quiet, "autoflush close fileno opened connected shutdown")
	t.method("socket", func(s *scan, c *call) val { v := c.recv; v.sock = true; return v }, "accept")
	t.method("*", func(s *scan, c *call) val {
		if s.dup(); len(s.sockets) > 0 {
			s.handed = true
		}
		return dull()
	}, "fdopen")
	perlDatabases(t)
}

// perlUse notes what a module brings.
func (s *scan) perlUse(name string) {
	module := strings.ReplaceAll(name, "::", ".")
	if module == "" || module[0] == 'v' && len(module) > 1 && syntax.IsDigit(module[1]) || s.t.harmless[module] || s.t.modules[module] {
		return
	}
	s.notSeen() // so too what follows lib, which says where modules are, and if, which loads one
}

// angle is <FH>, <STDIN>, <> and <*.c> (perlop, "I/O Operators").
func (s *scan) angle(name string) val {
	switch {
	case name == "STDIN":
		return input(s, &call{})
	case name == "" || name == "ARGV" || name == "<>":
		return argumentFiles(s, &call{})
	case strings.HasPrefix(name, "$") && syntax.IdentLen(name[1:]) == len(name)-1:
		v := s.plainName(name)
		return fileRead(s, &call{recv: v})
	case syntax.IdentLen(name) == len(name):
		return fileRead(s, &call{recv: s.plainName(name)})
	}
	return pattern(s, &call{args: []val{str(name)}})
}
