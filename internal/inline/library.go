package inline

import (
	"path"
	"strings"
)

// Modular is the language whose interpreter looks for modules by their names.
const Modular = "python"

// A Library says where an interpreter looks for modules.
type Library struct {
	Dirs []string
	// Inside are modules that are part of the interpreter.
	Inside string
}

// LibraryOf is the library of an interpreter of a language, by the path that it is called
// by, the one that this leads to, the home directory, and the settings of the environment
// that it lies in ("" for none); ok is false where that is not known (Python, site).
func LibraryOf(lang, called, file, home, settings string) (lib Library, ok bool) {
	version, ok := strings.CutPrefix(path.Base(file), lang)
	if lang != Modular || !ok || !strings.HasPrefix(version, "3.") || strings.Trim(version, "0123456789.") != "" || home == "" {
		return Library{}, false
	}
	prefix, name := path.Dir(path.Dir(file)), "python"+version
	lib.Inside = pythonInside
	lib.Dirs = []string{path.Join(prefix, "lib", name), path.Join(prefix, "lib", name, "lib-dynload")}
	if settings != "" {
		if strings.Contains(settings, "include-system-site-packages = true") {
			return Library{}, false
		}
		lib.Dirs = append(lib.Dirs, path.Join(path.Dir(path.Dir(called)), "lib", name, "site-packages"))
		return lib, true
	}
	lib.Dirs = append(lib.Dirs, path.Join(home, ".local/lib", name, "site-packages"))
	for _, at := range []string{prefix, "/usr/local"} {
		lib.Dirs = append(lib.Dirs, path.Join(at, "lib", name, "site-packages"), path.Join(at, "lib", name, "dist-packages"), path.Join(at, "lib/python3/dist-packages"))
	}
	return lib, true
}

// pythonInside are modules of Python's own that a build may have in the program itself.
const pythonInside = ` _ast _bisect _blake2 _codecs _collections _csv _datetime _elementtree _functools _heapq _imp _io _json _locale _md5 _operator _pickle _posixsubprocess
 _random _sha1 _sha2 _sha256 _sha3 _sha512 _signal _socket _sre _stat _statistics _string _struct _symtable _thread _tokenize _tracemalloc _typing _warnings _weakref
 _zoneinfo array atexit binascii builtins cmath errno faulthandler fcntl gc grp itertools marshal math posix pwd pyexpat resource select spwd sys syslog termios time
 unicodedata xxsubtype zlib __future__ __main__ `
