package eval

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/inline"
)

// complains reports whether a function that only computes quotes what it is given
// where it fails, or ends the program with it: an error message shows it.
func complains(lang, name string) bool {
	switch lang {
	case "python": // built-in exceptions of the library reference, and what their texts hold
		switch name {
		case "int", "float", "complex", "compile", "ast.parse", "ast.literal_eval", "decimal.Decimal", "fractions.Fraction", "warnings.warn":
			return true
		}
	case "node": // V8's messages; assert.AssertionError
		switch name {
		case "JSON.parse", "BigInt", "URL", "Symbol", "console.assert", "assert", "assert.equal", "assert.strictEqual", "assert.deepEqual", "assert.deepStrictEqual", "assert.ok", "assert.match", "assert.fail":
			return true
		}
	case "ruby": // Kernel
		switch name {
		case "raise", "fail", "exit", "Integer", "Float", "Rational", "Complex", "Kernel.raise", "Kernel.Integer", "Kernel.Float", "JSON.parse":
			return true
		}
	case "perl": // perlfunc(1), Carp(3perl)
		switch name {
		case "die", "warn", "croak", "confess", "carp", "cluck", "Carp::croak", "Carp::confess":
			return true
		}
	case "php":
		return name == "trigger_error"
	case "lua": // manual, 6.1
		return name == "error" // assert shows only its second argument
	case "r":
		return name == "stop" || name == "warning"
	}
	return false
}

// pythonSilent are functions and modules that quote nothing of a text that they are
// given, also where they fail (Python library reference; json and re name positions).
const pythonSilent = `len str bool bytes bytearray list dict tuple set frozenset sorted reversed enumerate zip map filter sum min max
repr ascii isinstance issubclass type id hash iter next all any ord chr bin hex oct format object super hasattr callable slice range abs property
staticmethod classmethod Exception ValueError KeyError TypeError RuntimeError SystemExit OSError IOError IndexError StopIteration AssertionError
ImportError KeyboardInterrupt NotImplementedError FileNotFoundError AttributeError ZeroDivisionError NameError memoryview unicode dir vars locals help
json re base64 binascii hashlib hmac string secrets textwrap pprint urllib.parse html zlib copy functools itertools collections shlex difflib
os.path fnmatch mimetypes random threading queue os.fspath os.fsencode os.fsdecode subprocess.list2cmdline`

// pythonSilentMethods are the methods that do so.
const pythonSilentMethods = `append appendleft add extend insert update get setdefault join split rsplit partition rpartition strip lstrip rstrip
replace startswith endswith find rfind count format match search fullmatch findall finditer sub subn translate ljust rjust center zfill
removeprefix removesuffix issubset union intersection difference discard contains put start __contains__ __eq__`

// quotes notes that a function, or a method, that only computes is given a secret variable and
// may say it where it fails.
func (s *scan) quotes(name string, method bool, c *call) {
	if s.lang != "python" || !slices.ContainsFunc(c.args, func(v val) bool { return v.with(v).env }) {
		return
	}
	silent := pythonSilent
	if method {
		silent = pythonSilentMethods
	}
	words := inline.Words(silent)
	for base := name; !words[base]; {
		i := strings.LastIndexByte(base, '.')
		if i < 0 {
			s.reveal(val{k: vList, list: c.args}, true)
			return
		}
		base = base[:i]
	}
}

// wellFormed reports whether a value is what files hold whose names say that they are in
// the language that they are read as: nothing is wrong with them.
func wellFormed(v val) bool {
	return len(v.src) > 0 && !v.env && !slices.ContainsFunc(v.src, func(s catalog.Source) bool {
		name, known := s.Path.Known()
		ext := path.Ext(name)
		return !known || ext != ".json" && ext != ".py"
	})
}
