package eval

import (
	"cmp"
	"strings"

	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/inline/syntax"
	"github.com/heedsh/heed/internal/inline/vouch"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// pythonHarmless are modules of the standard library, and built-in functions,
// that only compute (Python library reference).
const pythonHarmless = `math json re datetime time calendar itertools collections textwrap base64 hashlib hmac string random secrets statistics
platform decimal fractions functools operator cmath numbers typing types enum dataclasses copy pprint bisect heapq array struct binascii
unicodedata locale gettext difflib html html.parser urllib.parse zlib gzip.decompress gzip.compress bz2.decompress lzma.decompress csv configparser tomllib uuid ipaddress colorsys keyword token tokenize
ast dis traceback warnings contextlib abc errno stat argparse optparse platform
__future__ os.path string.Template collections.abc typing_extensions xml.dom xml.dom.minidom xml.etree xml.etree.ElementTree fnmatch sysconfig
zoneinfo graphlib queue weakref quopri email email.message packaging packaging.version importlib.metadata shlex linecache string mimetypes filecmp pwd grp cgi crypt imghdr getpass
numpy.array numpy.zeros numpy.ones numpy.arange numpy.linspace numpy.mean numpy.sum numpy.std numpy.median numpy.max numpy.min numpy.dot numpy.eye numpy.sqrt numpy.exp numpy.log numpy.concatenate numpy.where numpy.random.* numpy.linalg.* numpy.pi
numpy.argmax numpy.argmin numpy.argsort numpy.hstack numpy.vstack numpy.stack numpy.column_stack numpy.percentile numpy.quantile numpy.unique numpy.sort numpy.abs numpy.round
numpy.floor numpy.ceil numpy.sin numpy.cos numpy.tan numpy.cumsum numpy.cumprod numpy.prod numpy.diff numpy.clip numpy.isnan numpy.isinf numpy.isfinite numpy.allclose numpy.isclose
numpy.array_equal numpy.any numpy.all numpy.full numpy.empty numpy.zeros_like numpy.ones_like numpy.full_like numpy.empty_like numpy.identity numpy.diag numpy.outer numpy.inner numpy.matmul numpy.cross
numpy.transpose numpy.reshape numpy.ravel numpy.squeeze numpy.expand_dims numpy.tile numpy.repeat numpy.split numpy.array_split numpy.meshgrid numpy.log2 numpy.log10 numpy.log1p numpy.power
numpy.minimum numpy.maximum numpy.var numpy.corrcoef numpy.cov numpy.histogram numpy.bincount numpy.searchsorted numpy.nonzero numpy.count_nonzero numpy.asarray numpy.frombuffer numpy.float32 numpy.float64
numpy.int32 numpy.int64 numpy.uint8 numpy.dtype numpy.roll numpy.flip numpy.polyfit numpy.polyval numpy.interp numpy.convolve numpy.nanmean numpy.nansum numpy.nanmax numpy.nanmin numpy.trapz numpy.atleast_1d
numpy.atleast_2d numpy.vectorize numpy.set_printoptions numpy.seterr numpy.logical_and numpy.logical_or numpy.logical_not numpy.mod numpy.sign numpy.geomspace numpy.logspace numpy.deg2rad numpy.rad2deg
pandas.DataFrame pandas.Series pandas.concat pandas.to_datetime
sys.getsizeof sys.getrecursionlimit sys.setrecursionlimit sys.getdefaultencoding sys.getfilesystemencoding sys.stdout.flush sys.stderr.flush sys.exc_info sys.getrefcount sys.intern sys.stdout.isatty sys.stdin.isatty
threading.Thread threading.Lock threading.Event threading.current_thread concurrent.futures.ThreadPoolExecutor asyncio.run asyncio.sleep asyncio.gather asyncio.get_event_loop multiprocessing.cpu_count multiprocessing.Process multiprocessing.Pool io.TextIOWrapper
importlib.util.find_spec pkgutil.iter_modules sys._is_gil_enabled pkgutil.find_loader logging.basicConfig logging.getLogger inspect.getsource inspect.signature inspect.getmembers inspect.getfile gc.collect resource.getrusage resource.getrlimit sysconfig.get_path sysconfig.get_paths sysconfig.get_config_var site.getsitepackages site.getusersitepackages pkg_resources.get_distribution
len str int float bool complex bytes bytearray list dict tuple set frozenset range sorted reversed enumerate zip map filter sum min max abs round
pow divmod ord chr hex oct bin repr ascii format isinstance issubclass type id hash callable iter next all any slice object super hasattr dir vars
property staticmethod classmethod exit quit sys.exit Exception ValueError KeyError TypeError RuntimeError SystemExit OSError IOError IndexError StopIteration AssertionError ImportError KeyboardInterrupt
NotImplementedError FileNotFoundError AttributeError ZeroDivisionError NameError memoryview unicode long xrange unichr help breakpoint_ locals os.fspath os.fsencode os.fsdecode subprocess.list2cmdline`

const pythonPureMethods = `rstrip lstrip popleft appendleft extendleft rotate isdecimal isidentifier isprintable isupper islower isspace isalnum isnumeric istitle capitalize title swapcase center ljust rjust zfill partition rpartition rfind find rindex
rsplit splitlines encode decode hex digest hexdigest update copy setdefault pop popitem clear insert extend sort most_common total_seconds
strftime isoformat weekday group groups groupdict span start end fullmatch findall finditer sub subn as_integer_ratio bit_length conjugate
removeprefix removesuffix translate maketrans casefold expandtabs startswith endswith issubset union intersection difference discard
elements subtract timestamp date time timetuple astimezone fromisoformat now today utcnow year month day flush isatty fileno close readable writable tolist mean head tail describe shape dot reshape
isascii contains value_counts groupby agg aggregate apply applymap idxmax idxmin sort_values sort_index iterrows itertuples to_dict to_list to_string
to_numpy astype drop dropna fillna reset_index set_index nunique unique isnull isna notna notnull cumsum cumprod rolling ewm shift diff melt pivot pivot_table
corr cov quantile sample nlargest nsmallest isin between flatten ravel squeeze argmax argmin argsort clip transpose any all median var mode cumcount size ngroups
tail duplicated drop_duplicates explode rank select_dtypes memory_usage to_timestamp isocalendar union1d mro
single data getvalue seek tell parse_args add_argument __next__ __len__ __class__ getroot findtext iter json iter_lines raise_for_status info getheader getcode headers set start join wait is_alive put get done result`

// pythonModules may be imported; what is not listed of them is not known.
const pythonModules = `os subprocess shutil tempfile socket select ssl urllib urllib.error urllib.request http http.client http.server asyncio importlib importlib.util multiprocessing pathlib glob signal
threading concurrent concurrent.futures site gc inspect sys io pkgutil pkg_resources distutils setuptools logging unittest doctest timeit cProfile gzip lzma bz2 resource curses readline tty termios
pty requests httpx aiohttp urllib2 urllib3 socketserver SocketServer BaseHTTPServer SimpleHTTPServer xmlrpc ftplib smtplib telnetlib paramiko sqlite3 psycopg2 psycopg pymysql MySQLdb mysql.connector commands posix
tarfile zipfile pickle marshal builtins fcntl boto3 wsgiref wsgiref.simple_server fileinput webbrowser pexpect runpy sysconfig plistlib os.path yaml numpy pandas codecs six neo4j`

// makePython lists what Python's functions do (Python library reference).
func makePython() *table {
	t := newTable(pythonHarmless+" "+pythonLibraryHarmless, pythonPureMethods+" "+pythonLibraryMethods)
	t.modules = inline.Words(pythonModules + " " + pythonLibraries + " " + vouch.PythonLibraryModules)
	pythonProcesses(t)
	pythonFiles(t)
	pythonLibraryFiles(t)
	pythonNetwork(t)
	pythonGraphs(t)
	pythonBuiltins(t)
	return t
}

func pythonProcesses(t *table) {
	t.call(shell(0, "command", "cmd"), `os.system os.popen os.popen2 os.popen3 os.popen4 commands.getoutput commands.getstatusoutput
subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell popen2.popen2 popen2.popen3 posix.system nt.system platform.popen pexpect.run pexpect.spawn`)
	t.call(pythonSubprocess, `subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen`)
	t.call(program(0, false), `asyncio.create_subprocess_exec`)
	t.call(pythonExec(0, false), `os.execl os.execle os.execlp os.execlpe`)
	t.call(pythonExec(0, true), `os.execv os.execve os.execvp os.execvpe os.posix_spawn os.posix_spawnp posix.execv`)
	t.call(pythonExec(1, false), `os.spawnl os.spawnle os.spawnlp os.spawnlpe`)
	t.call(pythonExec(1, true), `os.spawnv os.spawnve os.spawnvp os.spawnvpe`)
	t.call(func(s *scan, c *call) val {
		s.handed = true
		if c.arg(0).k == vList {
			return s.argv(c.arg(0).list)
		}
		return s.argv(c.args[:min(1, len(c.args))])
	}, "pty.spawn")
	t.call(handing, "os.dup2")
	t.call(fork, "os.fork os.forkpty pty.fork")
	t.call(func(_ *scan, c *call) val { c.used = true; return dull() }, "inspect.signature inspect.getdoc inspect.isfunction inspect.isclass inspect.ismodule") // not called
	pythonListings(t)
	t.call(plain(risk.PrivGain, risk.NoKind, -1), "os.setuid os.setgid os.setreuid os.setresuid os.seteuid os.setegid os.setgroups os.setregid os.setresgid")
	t.call(func(s *scan, c *call) val { s.writeTo(c.arg(0), c.args[min(1, len(c.args)):]); return dull() }, "os.write")
	t.call(quiet, `os.getpid os.getppid os.getuid os.geteuid os.getgid os.getlogin os.uname os.cpu_count os.getloadavg os.isatty os.nice os.umask os.wait os.waitpid os.urandom os._exit os.close
os.get_terminal_size shutil.get_terminal_size shutil.which shutil.disk_usage os.strerror os.sched_getaffinity os.sysconf os.pipe os.getgroups os.getegid os.access os.setsid os.get_exec_path signal.signal signal.alarm time.sleep`)
	t.method("process", func(_ *scan, c *call) val { v := dull(); v.listed = c.recv.listed; return v }, "communicate wait poll read readlines readline terminate kill close")
	t.names["process#stdout"] = func(_ *scan, c *call) val { v := dull(); v.listed = c.recv.listed; return v }
	t.value(func() val { return dull() }, "process#stderr process#stdin process#returncode process#pid subprocess.PIPE subprocess.DEVNULL subprocess.STDOUT")
}

// pythonExec is exec and spawn: the first word after the path is argv[0].
func pythonExec(i int, list bool) action {
	return func(s *scan, c *call) val {
		s.handOver(c)
		args := c.args[min(i, len(c.args)):]
		if len(args) == 0 {
			return s.argv([]val{unknown()})
		}
		rest := args[1:]
		if list && len(rest) > 0 {
			if rest[0].k != vList {
				return s.argv([]val{args[0], rest[0]})
			}
			rest = rest[0].list
		}
		words := []val{args[0]}
		if len(rest) > 1 {
			words = append(words, rest[1:]...)
		}
		return s.argv(words)
	}
}

// pythonSubprocess is subprocess.run and its kin.
func pythonSubprocess(s *scan, c *call) val {
	s.handOver(c)
	if d, ok := c.kw["cwd"]; ok && d.k != vNone {
		saved := s.dir
		dir := s.place(d.value())
		s.dir = &dir
		defer func() { s.dir = saved }()
	}
	if c.bare { // IndexError
		s.needs(inline.Stop{Because: "the list of the program to run is empty"})
		return dull()
	}
	v := c.arg(0, "args")
	sh := c.arg(-1, "shell")
	isShell := sh.k == vRef && sh.name == "True" || sh.k == vNum && sh.n != 0
	switch {
	case v.k == vList && isShell && len(v.list) > 0:
		s.shellText(v.list[0])
	case v.k == vList:
		s.argv(v.list)
	case isShell || sh.k == vUnknown && v.k != vUnknown:
		s.shellText(v)
	case v.k == vUnknown:
		s.shellText(v)
	default:
		s.argv([]val{v})
	}
	out := object("process", value.Value{})
	out.dull = true
	out.s = s.output(v).s
	out.listed = s.lists(v)
	return out
}

func pythonFiles(t *table) {
	t.call(del(1), "os.remove os.unlink os.rmdir os.removedirs posix.unlink posix.remove Path.unlink")
	t.call(rmtree(1), "shutil.rmtree distutils.dir_util.remove_tree")
	t.call(pythonOpen, "open io.open codecs.open file gzip.open bz2.open lzma.open builtins.open tarfile.open zipfile.ZipFile")
	t.call(pythonDescriptor, "os.fdopen")
	t.call(func(s *scan, c *call) val {
		mode := "r"
		if flags := c.arg(1); flags.k != vNum {
			mode = "w"
		}
		return s.open(c.arg(0), mode)
	}, "os.open")
	t.call(copyFile(0, 1, false), "shutil.copy shutil.copy2 shutil.copyfile")
	t.call(copyFile(0, 1, true), "shutil.copytree")
	t.call(renameFile(0, 1), "os.rename os.replace os.renames")
	t.call(moveFile(0, 1), "shutil.move")
	t.call(modeAction(0, 1), "os.chmod os.lchmod")
	t.call(onFiles(catalog.Effect{Verb: risk.FSAttr, Kind: risk.KindOwner}, 1), "os.chown os.lchown shutil.chown")
	t.call(onFiles(catalog.Effect{Verb: risk.FSAttr, Kind: risk.KindTimes}, 1), "os.utime")
	t.call(linkFile(0, 1), "os.symlink os.link")
	t.call(mkdir(), "os.mkdir os.makedirs")
	t.call(onFiles(catalog.Effect{Verb: risk.FSWrite, Kind: risk.KindTruncate}, 1), "os.truncate")
	t.call(touch(), "os.mkfifo os.mknod")
	t.call(pattern, "glob.glob glob.iglob")
	t.call(listing, "os.listdir os.scandir")
	t.call(walking, "os.walk")
	t.call(quiet, "os.getcwd os.path.exists os.path.isfile os.path.isdir os.path.getsize os.path.getmtime os.stat os.lstat os.readlink os.path.islink os.path.samefile tempfile.gettempdir pathlib.Path.cwd pathlib.Path.home tempfile.mkdtemp os.path.ismount os.statvfs")
	t.call(func(s *scan, c *call) val { s.impure(); return object("file", value.Lit("/tmp")) }, "tempfile.NamedTemporaryFile tempfile.TemporaryFile tempfile.TemporaryDirectory tempfile.mkstemp")
	t.call(pythonPath, "pathlib.Path pathlib.PosixPath pathlib.PurePath")
	t.call(func(_ *scan, c *call) val {
		vs := make([]value.Value, len(c.args))
		for i, a := range c.args {
			vs[i] = a.value()
		}
		return text(pathJoin(vs...))
	}, "os.path.join")
	t.call(expandUser, "os.path.expanduser")
	t.call(expandVariables, "os.path.expandvars")
	t.call(same, "os.path.abspath os.path.realpath os.path.normpath")
	t.call(chdir(0), "os.chdir")
	t.call(blind, "os.chroot os.fchdir shutil.make_archive shutil.unpack_archive")
	t.call(reading(0), "linecache.getlines linecache.getline pandas.read_csv numpy.loadtxt runpy_ np.load")
	t.call(func(s *scan, c *call) val { s.writeTo(c.arg(1), c.args[:min(1, len(c.args))]); return dull() }, "json.dump pickle.dump plistlib.dump marshal.dump")
	t.call(func(s *scan, c *call) val {
		if c.has(1) {
			s.writeTo(c.arg(1), c.args[:1])
		}
		return derived(c.args...)
	}, "yaml.dump yaml.safe_dump")
	t.method("*", write(0, -1, risk.NoKind), "to_csv to_excel to_json to_parquet to_pickle to_html savefig save saveas tofile")
	t.method("*", blind, "extractall extract write")
	t.call(func(s *scan, c *call) val { return fileRead(s, &call{recv: c.arg(0)}) }, "json.load csv.reader csv.DictReader configparser.read yaml.safe_load codecs.getreader tomllib.load plistlib.load json.loads")
	t.method("file", fileRead, "read readline readlines __iter__ read1 extractfile")
	t.method("file", fileWrite, "write writelines truncate")
	t.method("file", func(_ *scan, c *call) val { return c.recv }, "__enter__ detach")
	t.method("file", quiet, "close flush seek tell fileno namelist getnames getinfo infolist getmember getmembers testzip printdir")
	t.value(func() val { return dull() }, "file#name file#closed")
	pythonPathMethods(t)
}

func pythonPathMethods(t *table) {
	const p = "pathlib.Path"
	t.method(p, onSelf(catalog.Effect{Verb: risk.FSDelete}), "unlink rmdir")
	t.method(p, func(s *scan, c *call) val { return s.read(c.recv) }, "read_text read_bytes")
	t.method(p, func(s *scan, c *call) val { s.writeFile(c.recv, c.arg(0, "data"), risk.NoKind); return dull() }, "write_text write_bytes")
	t.method(p, func(s *scan, c *call) val {
		mode, _ := c.arg(0, "mode").known()
		return s.open(c.recv, mode)
	}, "open")
	t.method(p, onSelf(catalog.Effect{Verb: risk.FSCreate, Kind: risk.KindDirectory}), "mkdir")
	t.method(p, onSelf(catalog.Effect{Verb: risk.FSCreate}), "touch")
	t.method(p, renameFile(-1, 0), "rename replace")
	t.method(p, func(s *scan, c *call) val {
		s.effect(catalog.Effect{Verb: risk.FSAttr, Target: c.recv.value(), Kind: modeKind(c.arg(0))})
		return dull()
	}, "chmod")
	t.method(p, func(s *scan, c *call) val {
		s.effect(catalog.Effect{Verb: risk.FSCreate, Target: c.recv.value(), Link: c.arg(0).value(), HasLink: true})
		return dull()
	}, "symlink_to hardlink_to link_to")
	found := func(list action) action {
		return func(s *scan, c *call) val { v := list(s, c); v.k = vObj; v.name = p; return v }
	}
	t.method(p, found(pattern), "glob rglob")
	t.method(p, func(s *scan, c *call) val {
		listing(s, c)
		v := object(p, value.Unknown(risk.CauseMatch, "a path"))
		if dir, ok := c.recv.value().Known(); ok {
			v.s = below(dir)
		}
		return v
	}, "iterdir")
	t.method(p, func(_ *scan, c *call) val { return c.recv }, "resolve absolute as_posix with_suffix_ __str__")
	t.method(p, func(s *scan, c *call) val { return expandUserValue(c.recv, s.host) }, "expanduser")
	t.method(p, func(_ *scan, c *call) val {
		v := c.recv.value()
		for _, a := range c.args {
			v = pathJoin(v, a.value())
		}
		return object(p, v)
	}, "joinpath")
	t.method(p, quiet, "exists is_file is_dir stat is_symlink samefile relative_to match")
	t.value(func() val { return dull() }, "pathlib.Path#name pathlib.Path#suffix pathlib.Path#stem pathlib.Path#parts")
}

// pythonPath is Path(a, b, …).
func pythonPath(_ *scan, c *call) val {
	var vs []value.Value
	for _, a := range c.args {
		vs = append(vs, a.value())
	}
	if len(vs) == 0 {
		vs = []value.Value{value.Lit(".")}
	}
	return object("pathlib.Path", pathJoin(vs...))
}

// expandUser replaces ~ by the home directory.
func expandUser(s *scan, c *call) val { return expandUserValue(c.arg(0), s.host) }

// expandVariables puts the variables that a text names in their places.
func expandVariables(s *scan, c *call) val {
	out := expandUserValue(c.arg(0), s.host).with(c.arg(0))
	for part := range strings.SplitSeq(c.arg(0).value().String(), "$") {
		name := strings.TrimPrefix(part, "{")
		end := 0
		for end < len(name) && syntax.IsIdent(name[end]) {
			end++
		}
		out.env = out.env || secretName(name[:end])
	}
	return out
}

func expandUserValue(v val, host inline.Host) val {
	x := host.ExpandUser(v.value())
	if v.k == vObj {
		return object(v.name, x)
	}
	return text(x)
}

func pythonOpen(s *scan, c *call) val {
	mode := "r"
	if m := c.arg(1, "mode"); m.k == vStr {
		var ok bool
		if mode, ok = m.known(); !ok {
			mode = "w"
		}
	} else if m.k == vUnknown && c.has(1, "mode") {
		mode = "w"
	}
	return s.open(c.arg(0, "file"), mode)
}

// pythonDescriptor is a file on what was opened before, which says what is done with it.
func pythonDescriptor(s *scan, c *call) val {
	switch fd := c.arg(0, "fd"); fd.k {
	case vStr:
		return pythonOpen(s, c)
	case vUnknown, vNum:
		return object("file", value.Value{})
	default:
		return fd
	}
}

// pythonImports binds the names that an import defines.
func (s *scan) pythonImports(n *syntax.Node) {
	for i := 0; i+1 < len(n.Params); i += 2 {
		name, alias := n.Params[i], n.Params[i+1]
		if module := cmp.Or(n.Text, name); !strings.HasPrefix(module, ".") {
			s.needs(inline.Stop{Module: module})
		}
		if n.Text != "" { // from n.s import name as alias
			if name == "*" {
				s.starImport(n.Text)
				continue
			}
			s.knownModule(n.Text)
			if alias == "" {
				alias = name
			}
			s.set(alias, s.attr(ref(n.Text), name))
			continue
		}
		s.knownModule(name)
		if alias == "" {
			alias, _, _ = strings.Cut(name, ".")
			name = alias
		}
		s.set(alias, ref(name))
	}
}

// starImport binds all names of a module that mean something here.
func (s *scan) starImport(module string) {
	s.knownModule(module)
	for name := range s.t.calls {
		if rest, ok := strings.CutPrefix(name, module+"."); ok && !strings.Contains(rest, ".") {
			s.vars[rest] = ref(name)
		}
	}
	for name := range s.t.names {
		if rest, ok := strings.CutPrefix(name, module+"."); ok {
			s.vars[rest] = s.plainName(name)
		}
	}
}

// knownModule notes an import of a module that nothing is known about: to
// import is to run it.
func (s *scan) knownModule(name string) {
	if s.t.harmless[name] || s.t.modules[name] {
		return
	}
	s.notSeen()
}
