package recipe

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// maxShadows is how many entries of a directory are looked at.
const maxShadows = 1000

// shadowed adds the project's code that runs in the place of the standard
// library's: -m and -c look for modules in the current directory first (Python
// 3.13, "Command line and environment"), and most modules load others. names
// are modules that are loaded besides. It reports whether there is any.
func shadowed(s *catalog.Site, r *catalog.Result, names ...string) bool {
	if s.World == nil || s.World.FS == nil || s.Dir == "" {
		return false
	}
	entries, err := s.World.FS.ReadDir(s.Dir, maxShadows)
	if err != nil {
		return false
	}
	for _, e := range entries {
		name, _, _ := strings.Cut(e.Name, ".")
		mine := false
		for _, n := range names {
			n, _, _ = strings.Cut(n, ".")
			mine = mine || n == name
		}
		if !mine && !strings.Contains(standardModules, " "+name+" ") || !loadable(s, e) {
			continue
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: value.Lit("./" + e.Name), Kind: risk.KindModule})
		return true
	}
	return false
}

// loadable reports whether Python takes an entry of a directory for a module: a
// directory only if it says that it is a package, since another one yields to a
// module of that name elsewhere (PEP 420, "Specification").
func loadable(s *catalog.Site, e world.Entry) bool {
	if e.Kind == world.Dir {
		info, err := world.Stat(s.World.FS, path.Join(s.Dir, e.Name, "__init__.py"))
		return err != nil || info.Kind != world.Missing
	}
	for _, extension := range []string{".py", ".pyc", ".so"} {
		if strings.HasSuffix(e.Name, extension) {
			return true
		}
	}
	return false
}

// standardModules are those of the standard library that are not in memory
// before any code runs (sys.stdlib_module_names of Python 3.11).
const standardModules = "" +
	" aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect bz2 cProfile calendar cgi cgitb chunk cmath cmd code " +
	" codeop collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm " +
	" decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools " +
	" genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect ipaddress json keyword " +
	" linecache locale logging lzma mailbox mailcap math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path " +
	" numbers opcode operator optparse ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posixpath pprint profile pstats pty " +
	" pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors " +
	" shelve shlex shutil signal smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl statistics string stringprep " +
	" struct subprocess sunau symtable sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading timeit tkinter token tokenize tomllib " +
	" trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref " +
	" xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo "
