package vouch

import (
	"strings"

	"github.com/heedsh/heed/internal/inline"

	"github.com/heedsh/heed/internal/once"
)

// Words that a voucher knows, all from the Python library reference.

const builtinNames = `abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod
enumerate eval exec execfile file filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len
list locals map max memoryview min next object oct open ord pow print property range raw_input reduce reload repr reversed round set setattr slice sorted
staticmethod str sum super tuple type unichr unicode vars xrange zip exit quit __import__`

// vouchedBuiltinNames only compute, whatever they are given: what they call is
// vouched for on its own.
const vouchedBuiltinNames = `abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict dir divmod
enumerate filter float format frozenset hash hex int issubclass iter
list map max min next object oct ord pow property range reversed round set slice sorted
staticmethod str sum super tuple unichr unicode xrange zip exit quit input raw_input reduce
Exception BaseException KeyboardInterrupt StopIteration StopAsyncIteration SystemExit GeneratorExit ExceptionGroup
ValueError TypeError RuntimeError KeyError IndexError AttributeError NotImplementedError OSError IOError AssertionError FileNotFoundError
ImportError ZeroDivisionError LookupError ArithmeticError OverflowError TimeoutError PermissionError NameError ConnectionError`

// builtinValueNames may be handed around.
const builtinValueNames = `True False None NotImplemented Ellipsis ... __name__ __file__ __doc__ __debug__
print len repr id type isinstance hasattr memoryview EnvironmentError UnicodeDecodeError ModuleNotFoundError`

const plainDunderNames = `__name__ __doc__ __version__ __file__ __class__ __qualname__ __module__`

// innardNames lead from a running function to everything that is loaded.
const innardNames = `gi_frame cr_frame ag_frame tb_frame tb_next f_back f_globals f_locals f_builtins f_code gi_code cr_code ag_code func_globals
func_code im_func im_class im_self gi_yieldfrom cr_await`

// hazardNames are methods of paths that do something, or read.
const hazardNames = `unlink rmdir mkdir touch write_text write_bytes read_text read_bytes open rename replace chmod lchmod symlink_to hardlink_to
link_to glob rglob iterdir walk owner group_ rmtree`

// frameWriterNames write a file, their first argument.
const frameWriterNames = `to_csv to_excel to_json to_parquet to_pickle to_html savefig save saveas tofile`

// vouchedMethodNames are known on what a vouched program can have: files,
// archives that are read, processes, responses, parsers of arguments.
const vouchedMethodNames = `read readline readlines read1 write writelines truncate json text close namelist infolist getinfo getmembers getnames
extractfile communicate wait poll add_subparsers add_parser parse_known_args print_help add_mutually_exclusive_group set_defaults error
cursor fetchall fetchone fetchmany commit rollback session verify_connectivity debug warning critical setLevel isascii group seek
exists is_file is_dir is_symlink is_absolute stat samefile relative_to match with_suffix with_name with_stem resolve absolute expanduser joinpath as_posix as_uri`

// dottedModuleNames are modules in modules.
const dottedModuleNames = `os.path urllib.parse html.parser collections.abc xml.dom xml.dom.minidom xml.etree xml.etree.ElementTree importlib.metadata
email.message packaging.version numpy.random numpy.linalg concurrent.futures`

// lowerClassNames are classes that are written like modules.
const lowerClassNames = `datetime.datetime datetime.date datetime.time datetime.timedelta datetime.timezone itertools.chain array.array collections.deque
collections.defaultdict functools.partial`

// vouchedNeverNames are in modules that only compute, and do more: they make
// functions of names, evaluate text, load code, read files by name.
const vouchedNeverNames = `operator.methodcaller operator.attrgetter typing.get_type_hints types.FunctionType types.LambdaType types.CodeType types.MethodType
contextlib.chdir locals argparse.FileType importlib.util.find_spec pkgutil.find_loader linecache mimetypes imghdr filecmp cgi tokenize.open platform.popen
xml.dom.minidom.parse xml.etree.ElementTree.parse xml.etree.ElementTree.ElementTree gettext traceback.walk_stack traceback.walk_tb sys.exc_info
inspect.getmembers inspect.signature functools.singledispatch functools.singledispatchmethod asyncio.get_event_loop resource`

const vouchedValueNames = `sys.argv sys.flags sys.builtin_module_names sys.stdlib_module_names sys.stdin sys.stdout sys.stderr sys.version sys.version_info sys.platform sys.executable sys.maxsize sys.byteorder sys.prefix
sys.stdin.buffer sys.stdout.buffer sys.float_info sys.hexversion sys.implementation os.name os.sep os.linesep os.curdir os.pardir os.pathsep os.devnull os.PathLike os.path.sep os.extsep
subprocess.PIPE subprocess.DEVNULL subprocess.STDOUT subprocess.SubprocessError subprocess.TimeoutExpired pathlib.Path shutil.Error
zipfile.BadZipFile sqlite3.Row urllib.error requests.exceptions socket.timeout numpy.nan numpy.inf numpy.ndarray numpy.float64 numpy.int64 numpy.int32 numpy.float32 numpy.uint8 numpy.bool_ pandas.DataFrame pandas.Series`

const vouchedFunctionNames = `os.getcwd os.getpid os.getppid os.getuid os.geteuid os.getgid os.getlogin os.uname os.cpu_count os.getloadavg os.stat os.lstat
os.urandom os.get_terminal_size os.strerror os.access os.fspath os.getenv os.environ.get os.environ.keys os.environ.items os.environ.copy os.readlink
os.path.expanduser os.path.expandvars os.sched_getaffinity
shutil.which shutil.disk_usage shutil.get_terminal_size tempfile.gettempdir subprocess.list2cmdline signal.signal pathlib.Path pathlib.PurePath pathlib.Path.cwd pathlib.Path.home
sys.exit sys.stdout.write sys.stderr.write sys.stdout.flush sys.stderr.flush sys.stdin.read sys.stdin.readline sys.stdin.readlines
sys.stdout.buffer.write sys.stdin.buffer.read sys.stdout.writelines sys.getsizeof sys.setrecursionlimit sys.getrecursionlimit
io.StringIO io.BytesIO pickle.dump pickle.dumps logging.info logging.debug logging.warning logging.error logging.basicConfig logging.getLogger
yaml.safe_load yaml.safe_dump yaml.dump inspect.getsource inspect.getfile urllib.request.Request socket.gethostname`

const vouchedKeywordNames = `exist_ok mode ignore_errors dirs_exist_ok recursive topdown timeout headers params json data verify auth parents missing_ok
sep delimiter header names nrows index_col usecols dtype encoding skiprows comment on_bad_lines parse_dates`

// actNames are functions that do something, with which of their arguments say
// what to, in the order of the argument's places; or with what is asked of
// them in [voucher.act].
const actNames = `0 sqlite3.connect os.remove os.unlink os.rmdir os.removedirs shutil.rmtree os.mkdir os.makedirs os.listdir os.scandir os.walk glob.glob glob.iglob
os.truncate os.utime os.chmod os.system os.popen subprocess.getoutput subprocess.getstatusoutput pandas.read_csv numpy.loadtxt
urllib.request.urlopen requests.get requests.head requests.options requests.post requests.put requests.patch requests.delete
xml.etree.ElementTree.parse xml.dom.minidom.parse neo4j.GraphDatabase.driver
01 shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.move os.rename os.replace os.renames os.symlink os.link
open io.open codecs.open gzip.open bz2.open lzma.open tarfile.open zipfile.ZipFile
any psycopg2.connect psycopg.connect pymysql.connect MySQLdb.connect mysql.connector.connect sqlalchemy.create_engine
process subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen`

// A vouchWords is all of these, for looking up.
type vouchWords struct {
	builtins, vouched, values, dunders, innards, hazards, frames, methods, dotted, lower, never, constants, functions, keywords map[string]bool
	acts                                                                                                                        map[string]string
}

var vouchTable = once.Value[*vouchWords]{Make: func() *vouchWords {
	w := &vouchWords{
		builtins: inline.Words(builtinNames), vouched: inline.Words(vouchedBuiltinNames), values: inline.Words(builtinValueNames + " " + vouchedBuiltinNames),
		dunders: inline.Words(plainDunderNames), innards: inline.Words(innardNames), hazards: inline.Words(hazardNames), frames: inline.Words(frameWriterNames),
		methods: inline.Words(vouchedMethodNames), dotted: inline.Words(dottedModuleNames + " " + PythonLibraryModules), lower: inline.Words(lowerClassNames), never: inline.Words(vouchedNeverNames),
		constants: inline.Words(vouchedValueNames), functions: inline.Words(vouchedFunctionNames), keywords: inline.Words(vouchedKeywordNames + " " + libraryKeywordNames), acts: map[string]string{},
	}
	places := ""
	for f := range strings.FieldsSeq("0 " + libraryActNames + "\n" + actNames) {
		if strings.Contains(f, ".") {
			w.acts[f] = places
		} else {
			places = f
		}
	}
	return w
}}

func isBuiltin(name string) bool        { return vouchTable.Get().builtins[name] }
func vouchedBuiltins(name string) bool  { return vouchTable.Get().vouched[name] }
func builtinValues(name string) bool    { return vouchTable.Get().values[name] }
func plainDunders(name string) bool     { return vouchTable.Get().dunders[name] }
func innards(name string) bool          { return vouchTable.Get().innards[name] }
func hazards(name string) bool          { return vouchTable.Get().hazards[name] }
func frameWriters(name string) bool     { return vouchTable.Get().frames[name] }
func vouchedMethods(name string) bool   { return vouchTable.Get().methods[name] }
func dottedModules(name string) bool    { return vouchTable.Get().dotted[name] }
func lowerClasses(name string) bool     { return vouchTable.Get().lower[name] }
func vouchedNever(name string) bool     { return vouchTable.Get().never[name] }
func vouchedValues(name string) bool    { return vouchTable.Get().constants[name] }
func vouchedFunctions(name string) bool { return vouchTable.Get().functions[name] }
func vouchedKeywords(name string) bool  { return vouchTable.Get().keywords[name] }

func builtinTypes(name string) bool {
	switch name {
	case "str", "bytes", "bytearray", "dict", "int", "float", "list", "set", "frozenset", "tuple":
		return true
	}
	return false
}

// acts returns which arguments of a function say what it does something to.
func acts(name string) (places string, ok bool) {
	places, ok = vouchTable.Get().acts[name]
	return places, ok
}
