package eval

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// rubyHarmless are methods, classes and libraries that only compute (Ruby
// core and standard library documentation).
const rubyHarmless = `Math JSON Time Date DateTime Random Comparable Enumerable Integer Float String Array Hash Set Struct Range Regexp Rational Complex Symbol
Base64 Digest Digest.MD5 Digest.SHA1 Digest.SHA256 SecureRandom BigDecimal Benchmark RbConfig RUBY_VERSION Process.clock_gettime GC ObjectSpace CSV YAML_ ERB Shellwords StringIO Time Gem.Version Gem Prime Matrix Zlib URI Etc Kernel.format Proc Method Thread Mutex Queue Fiber Exception StandardError RuntimeError ArgumentError
rand srand sleep raise loop exit exit! at_exit abort format_ sprintf_ catch throw attr_accessor attr_reader attr_writer include extend private public protected module_function binding_ block_given? caller lambda proc freeze require_relative_ gem_ define_method alias_method private_constant fail warn_ trap srand Integer Float String Array Hash Rational Complex __method__ nil self then
json set date time base64 digest digest/sha2 digest/md5 securerandom bigdecimal benchmark csv yaml erb shellwords stringio prime matrix zlib uri etc pp ostruct optparse forwardable singleton timeout tempfile fileutils open3 socket net/http open-uri openssl pathname find English logger english delegate observer tsort abbrev io/console io/wait rbconfig psych strscan tmpdir monitor thread weakref ripper objspace coverage net/https open4 pty rexml/document bundler rubygems unicode_normalize cgi sqlite3 pg mysql2`

const rubyPure = `times upto downto step each_with_index each_slice each_cons each_char each_line each_byte each_key each_value each_pair each_with_object inject reduce map collect select reject detect find_all
find_index group_by partition zip product combination permutation flatten compact uniq tally min max minmax sum size length count first last take drop take_while drop_while cycle chunk slice
include? empty? nil? any? all? none? one? is_a? respond_to? key? has_key? start_with? end_with? match? zero? even? odd? positive? negative? between? equal? eql? frozen? instance_of?
to_s to_i to_f to_a to_h to_sym to_r to_c to_json to_proc inspect chars bytes lines upcase downcase capitalize swapcase strip lstrip rstrip chomp chop chop! chomp! squeeze
ljust rjust center succ next pred ord chr hex oct gsub sub gsub! sub! tr tr_s delete_ scan match =~ split partition rpartition insert prepend replace index rindex
unpack unpack1 pack encode force_encoding valid_encoding? encoding bytesize getbyte hash object_id class superclass ancestors instance_methods methods
abs ceil floor round truncate_ divmod modulo fdiv gcd lcm digits bit_length pow sqrt strftime year month day hour min sec usec wday yday iso8601 parse now today
push pop shift unshift concat dig fetch values_at sort sort_by sort! sort_by! max_by min_by sum each_entry lazy force with_index with_object rotate sample shuffle transpose assoc merge merge! update store keys values invert
tap then itself dup clone freeze yield_self puts_ new generate pretty_generate hexdigest base64digest encode64 strict_encode64 join values keys filter_map flat_map none? sum zip to_set add fill bsearch slice_when chunk_while step ceil hexdigest uuid hex random_number alphanumeric compare_by_identity default default= name arity parameters source_location call_ wday join alive? value lock synchronize sync sync= count length filter delete_if keep_if`

// makeRuby lists what Ruby's methods do (Ruby core documentation).
func makeRuby() *table {
	t := newTable(rubyHarmless, rubyPure)
	t.call(words(0), `system exec spawn Kernel.system Kernel.exec Kernel.spawn Process.spawn Process.exec Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen3 Open3.popen2 Open3.popen2e PTY.spawn Open4.popen4 Kernel.`+"`")
	t.call(func(s *scan, c *call) val {
		shell(0)(s, &call{args: c.args[:min(1, len(c.args))], recv: none()})
		for _, a := range c.args {
			if a.k == vFunc {
				c.used = true
				return s.invoke(a.fn, []val{object("process", value.Value{})})
			}
		}
		return object("process", value.Value{})
	}, "IO.popen")
	t.method("process", quiet, "read puts write gets close readlines each_line close_write pid")
	t.method("*", evaluate(0), "instance_eval class_eval module_eval")
	t.call(fork, "fork Process.fork Kernel.fork")
	t.call(plain(risk.ProcSignal, risk.NoKind, 1), "Process.kill")
	t.call(plain(risk.PrivGain, risk.NoKind, -1), "Process.Sys.setuid Process.UID.change_privilege Process.uid= Process.euid= Process::Sys.setuid")
	t.call(quiet, "Process.wait Process.pid Process.daemon Process.detach Process.waitpid Process.clock_gettime Process.uid Process.euid Process.ppid")
	rubyFiles(t)
	rubyNetwork(t)
	t.call(printed, "puts print p pp printf putc warn display $stdout.puts $stdout.print STDOUT.puts STDOUT.print STDERR.puts Kernel.puts Kernel.print STDOUT.write abort")
	t.call(quiet, "$stdout.sync= STDOUT.sync= STDOUT.flush $stdout.flush")
	t.call(input, "STDIN.read STDIN.gets STDIN.each_line STDIN.readlines STDIN.each $stdin.read")
	t.call(argumentFiles, "gets readline readlines ARGF.read ARGF.gets ARGF.each_line ARGF.readlines ARGF.each")
	t.call(evaluate(0), "eval instance_eval Kernel.eval binding.eval class_eval module_eval TOPLEVEL_BINDING.eval Object.class_eval")
	t.call(blind, "Marshal.load YAML.load YAML.unsafe_load Fiddle.* DL.* load_ autoload binding ObjectSpace.each_object set_trace_func const_get method_missing syscall")
	t.call(same, "YAML.safe_load JSON.parse Array String proc lambda Integer Float StringIO.new")
	t.call(rubyRequire, "require require_relative load Kernel.require gem")
	t.call(rubySend, "send public_send __send__ Kernel.send Kernel.public_send Object.send Kernel.__send__")
	rubyValues(t)
	return t
}

// rubyValues lists the environment and well-known names of Ruby.
func rubyValues(t *table) {
	t.call(func(_ *scan, c *call) val {
		n, _ := c.arg(0).known()
		return ref(n)
	}, "method Kernel.method Kernel.const_get Object.const_get Module.const_get")
	t.call(decode("base64"), "Base64.decode64 Base64.strict_decode64 Base64.urlsafe_decode64")
	t.call(decode("url"), "URI.decode_www_form_component CGI.unescape")
	t.call(func(_ *scan, c *call) val {
		if f, ok := c.arg(0).known(); ok && len(c.args) > 0 {
			return fill(f, c.args[1:])
		}
		return derived(c.args...)
	}, "format sprintf Kernel.format")
	t.method("*", rubySend, "send public_send __send__")
	t.call(func(s *scan, c *call) val {
		n, ok := c.arg(0).known()
		if !ok {
			n = ""
		}
		return s.environment(n)
	}, "ENV.fetch ENV.[] ENV.dig")
	t.call(func(s *scan, _ *call) val { return s.environment("") }, "ENV.to_h ENV.each ENV.to_a ENV.inspect ENV.map ENV.sort ENV.select ENV.each_pair ENV.values")
	t.call(quiet, "ENV.key? ENV.keys ENV.delete ENV.[]= ENV.include?")
	t.names["ENV"] = func(s *scan, _ *call) val { v := ref("ENV"); v.env = true; return v }
	t.value(func() val { return hole(risk.CauseArg, "ARGV") }, "ARGV $*")
	t.value(func() val { return hole(risk.CauseInput, "line") }, "$_")
	t.names["__dir__"] = programDir
	t.value(dull, "RUBY_VERSION RUBY_PLATFORM RUBY_ENGINE RUBY_PATCHLEVEL $0 $PROGRAM_NAME __FILE__ __LINE__ __method__ $$ $! $? $, $; $/ $. $F $~ $1 $2 true false RUBY_COPYRIGHT RUBY_DESCRIPTION it _1")
	t.value(none, "nil")
	t.value(func() val { return ref("main") }, "self")
	t.value(func() val { return ref("STDIN") }, "$stdin STDIN")
	t.value(func() val { return ref("ARGF") }, "ARGF $<")
	t.value(func() val { return ref("STDOUT") }, "$stdout STDOUT $stderr STDERR $>")
}

func rubyFiles(t *table) {
	t.call(del(0), "File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink FileUtils.rm FileUtils.rm_f FileUtils.remove FileUtils.rmdir FileUtils.remove_file FileUtils.safe_unlink")
	t.call(rmtree(0), "FileUtils.rm_r FileUtils.rm_rf FileUtils.rmtree FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure FileUtils.remove_entry_secure")
	t.call(rubyRead, "File.read IO.read File.binread IO.binread File.readlines IO.readlines File.foreach IO.foreach CSV.read CSV.foreach YAML.load_file JSON.load_file YAML.safe_load_file CSV.table")
	t.call(func(s *scan, c *call) val {
		detail := risk.NoKind
		if m, ok := c.arg(-1, "mode").known(); ok && len(m) > 0 && m[0] == 'a' {
			detail = risk.KindAppend
		}
		s.writeFile(c.arg(0), c.arg(1), detail)
		return dull()
	}, "File.write IO.write File.binwrite IO.binwrite")
	t.call(rubyOpen, "File.open File.new IO.open open Kernel.open URI.open CSV.open Zlib.GzipWriter.open Zlib.GzipReader.open")
	t.call(copyFile(0, 1, false), "FileUtils.cp FileUtils.copy FileUtils.install FileUtils.copy_file IO.copy_stream")
	t.call(copyFile(0, 1, true), "FileUtils.cp_r FileUtils.copy_entry")
	t.call(renameFile(0, 1), "File.rename")
	t.call(moveFile(0, 1), "FileUtils.mv FileUtils.move")
	t.call(modeAction(1, 0), "File.chmod FileUtils.chmod File.lchmod")
	t.call(func(s *scan, c *call) val {
		s.effect(catalog.Effect{Verb: risk.FSAttr, Target: c.arg(1).value(), Kind: modeKind(c.arg(0)), Recursive: true})
		return dull()
	}, "FileUtils.chmod_R")
	t.call(func(s *scan, c *call) val {
		for _, f := range flat(c.args[min(2, len(c.args)):]) {
			s.effect(catalog.Effect{Verb: risk.FSAttr, Target: f.value(), Kind: risk.KindOwner, Recursive: c.name == "chown_R"})
		}
		return dull()
	}, "File.chown FileUtils.chown FileUtils.chown_R")
	t.call(onFiles(catalog.Effect{Verb: risk.FSAttr, Kind: risk.KindTimes}, 0), "File.utime")
	t.call(linkFile(0, 1), "File.symlink File.link FileUtils.ln FileUtils.ln_s FileUtils.ln_sf FileUtils.symlink")
	t.call(onFiles(catalog.Effect{Verb: risk.FSCreate, Kind: risk.KindDirectory}, 0), "Dir.mkdir FileUtils.mkdir FileUtils.mkdir_p FileUtils.makedirs FileUtils.mkpath")
	t.call(onFiles(catalog.Effect{Verb: risk.FSCreate}, 0), "FileUtils.touch")
	rubyPaths(t)
}

// rubyPaths lists the paths and open files of Ruby.
func rubyPaths(t *table) {
	t.call(onFiles(catalog.Effect{Verb: risk.FSWrite, Kind: risk.KindTruncate}, 1), "File.truncate")
	t.call(pattern, "Dir.glob Dir.[] Pathname.glob")
	t.call(listing, "Dir.entries Dir.children Dir.each_child Dir.foreach Find.find Dir.open Dir.new Dir.each")
	t.call(quiet, "Dir.pwd Dir.home Dir.exist? File.exist? File.file? File.directory? File.size File.mtime File.stat File.zero? File.readable? File.executable? File.symlink? File.exists? Dir.tmpdir FileUtils.pwd File.writable? File.readlink File.extname Dir.empty? Dir.mktmpdir File.atime File.ctime")
	t.call(func(_ *scan, c *call) val {
		var vs []value.Value
		for _, a := range flat(c.args) {
			vs = append(vs, a.value())
		}
		return text(pathJoin(vs...))
	}, "File.join")
	t.call(expandUser, "File.expand_path")
	t.call(same, "File.absolute_path File.realpath")
	t.call(nothing, "File.basename File.dirname")
	t.call(chdir(0), "Dir.chdir FileUtils.cd FileUtils.chdir")
	t.call(blind, "Dir.chroot")
	t.call(func(_ *scan, c *call) val { return object("path", c.arg(0).value()) }, "Pathname.new Pathname")
	t.method("path", onSelf(catalog.Effect{Verb: risk.FSDelete}), "delete unlink rmdir")
	t.method("path", onSelf(catalog.Effect{Verb: risk.FSDelete, Recursive: true}), "rmtree")
	t.method("path", func(s *scan, c *call) val { return s.read(c.recv) }, "read readlines binread each_line")
	t.method("path", func(s *scan, c *call) val { s.writeFile(c.recv, c.arg(0), risk.NoKind); return dull() }, "write binwrite")
	t.method("path", quiet, "exist? file? directory? basename dirname")
	t.method("path", listing, "children entries each_child")
	t.method("path", pattern, "glob")
	t.method("file", fileRead, "read readlines each_line gets readline each each_char each_byte readchar")
	t.method("file", fileWrite, "write puts print << printf syswrite")
	t.method("file", quiet, "close flush rewind seek sync= flock")
	t.method("file", func(s *scan, c *call) val {
		s.effect(catalog.Effect{Verb: risk.FSWrite, Target: c.recv.value(), Kind: risk.KindTruncate})
		return dull()
	}, "truncate")
}

// rubyRead: IO.read("|cmd") ran a command (before Ruby 4.0).
func rubyRead(s *scan, c *call) val {
	if v := c.arg(0).value(); len(v.Prefix()) > 0 && v.Prefix()[0] == '|' && c.recv.name == "IO" {
		return s.shellText(text(v.Cut(1)))
	}
	v := s.read(c.arg(0))
	return v
}

// rubyOpen is open and File.open; Kernel#open runs "|cmd", and open-uri makes
// it fetch addresses.
func rubyOpen(s *scan, c *call) val {
	v := c.arg(0).value()
	if p := v.Prefix(); p != "" && p[0] == '|' && c.recv.name != "File" {
		return s.shellText(text(v.Cut(1)))
	}
	mode := "r"
	if m := c.arg(1, "mode"); m.k == vStr {
		mode, _ = m.known()
	}
	f := s.open(c.arg(0), mode)
	if v := v.Prefix(); len(v) > 4 && v[:4] == "http" {
		f = response(c.arg(0).value())
	}
	for _, a := range c.args {
		if a.k == vFunc {
			c.used = true
			return s.invoke(a.fn, []val{f})
		}
	}
	return f
}

// rubyRequire loads a library, or runs a file.
func rubyRequire(s *scan, c *call) val {
	name, ok := c.arg(0).known()
	if ok && s.t.harmless[name] && c.name != "require_relative" && c.name != "load" {
		return dull()
	}
	s.notSeen()
	return dull()
}

// rubySend calls the method that its first argument names.
func rubySend(s *scan, c *call) val {
	name, ok := c.arg(0).known()
	if !ok {
		s.notSeen()
		return unknown()
	}
	sub := &call{name: name, recv: c.recv, args: c.args[1:], kw: c.kw}
	if c.recv.k == vRef && c.recv.name != "Kernel" && c.recv.name != "main" && c.recv.name != "Object" {
		return s.method(sub)
	}
	if c.recv.k == vRef || c.recv.k == vUnknown && s.t.calls[name] != nil {
		return s.callRef(name, sub)
	}
	return s.method(sub)
}

func rubyNetwork(t *table) {
	t.call(connect(0, 1), "TCPSocket.new TCPSocket.open Socket.tcp")
	t.call(newSocket, "Socket.new UDPSocket.new")
	t.call(func(s *scan, c *call) val {
		port := c.args
		if len(port) > 1 {
			port = port[1:]
		}
		return listen(0)(s, &call{args: port})
	}, "TCPServer.new TCPServer.open Socket.tcp_server_loop WEBrick.HTTPServer.new")
	t.call(func(s *scan, c *call) val {
		v := s.fetch(c.arg(0))
		out := hole(risk.CauseOutput, "a response")
		out.s = v.s
		return out
	}, "Net.HTTP.get Net.HTTP.get_response URI.open_ HTTParty.get RestClient.get Faraday.get Net.HTTP.get_print OpenURI.open_uri")
	t.call(sending(0), "Net.HTTP.post Net.HTTP.post_form HTTParty.post RestClient.post Faraday.post RestClient.put HTTParty.put")
	t.call(deleting(0), "RestClient.delete HTTParty.delete Faraday.delete")
	t.call(func(_ *scan, c *call) val { return object("uri", c.arg(0).value()) }, "URI URI.parse URI.join")
	t.call(same, "URI.encode_www_form")
	t.method("uri", func(s *scan, c *call) val { return s.fetch(c.recv) }, "open")
	t.method("uri", func(s *scan, c *call) val {
		v := hole(risk.CauseOutput, "a response")
		v.s = s.fetch(c.recv).s
		return v
	}, "read")
	t.method("uri", func(_ *scan, c *call) val { return text(c.recv.s) }, "to_s host hostname request_uri path port scheme query")
	t.method("*", blind, "result")
	t.call(func(s *scan, c *call) val { s.impure(); return object("http", c.arg(0).value()) }, "Net.HTTP.new Net.HTTP.start")
	t.method("http", func(s *scan, c *call) val { return s.fetch(c.recv) }, "get head request_get request")
	t.method("http", func(s *scan, c *call) val { return s.sendTo(c.recv, c.arg(1)) }, "post put patch")
	t.method("http", func(s *scan, c *call) val { return s.http("DELETE", c.recv, none()) }, "delete")
	t.method("http", quiet, "use_ssl= start finish")
	t.method("response", func(_ *scan, c *call) val { v := hole(risk.CauseOutput, "a response"); v.s = c.recv.s; return v }, "body read string")
	t.method("socket", send, "puts write print << send syswrite printf")
	t.method("socket", receive, "gets read recv readline sysread readpartial each_line")
	t.method("socket", quiet, "close flush sync= setsockopt closed? close_write")
	t.method("socket", func(_ *scan, c *call) val { v := c.recv; v.sock = true; return v }, "accept fileno to_i dup")
	t.call(rubyReopen, "$stdin.reopen STDIN.reopen $stdout.reopen STDOUT.reopen STDERR.reopen")
	rubyDatabases(t)
}

// rubyReopen: a standard stream becomes a socket or a file.
func rubyReopen(s *scan, c *call) val {
	s.impure()
	v := c.arg(0)
	if v.sock || v.name == "socket" {
		s.handed = true
	} else if v.k == vStr {
		mode, _ := c.arg(1).known()
		s.open(v, mode)
	}
	return dull()
}
