package system

import (
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/pure"
	"github.com/heedsh/heed/internal/world"
)

// test makes a test of a primary (find(1), TESTS, ACTIONS, OPTIONS).
func (w *findWalk) test(t *findTerm) findTest {
	arg, known := t.arg.Known()
	switch t.name {
	case "-regextype":
		if w.regextype = arg; !known {
			w.regextype = "not known"
		}
		return always
	case "-print", "-print0", "-printf", "-ls", "-fprint", "-fprint0", "-fprintf", "-fls", "-prune", "-true", "-daystart",
		"-noleaf", "-warn", "-nowarn", "-quit", "-ignore_readdir_race", "-noignore_readdir_race":
		return always
	case "-delete", "-depth", "-d":
		w.children = true
		return always
	case "-follow":
		w.follow = true
		return always
	case "-xdev", "-mount", "-x":
		w.device = true
		return always
	case "-false":
		return never
	case "-maxdepth", "-mindepth":
		n, err := strconv.Atoi(arg)
		switch {
		case err != nil || n < 0:
			w.over = true
		case t.name == "-maxdepth":
			w.max = n
		default:
			w.min = n
		}
		return always
	}
	if !known {
		return maybe
	}
	for _, test := range []findTest{w.nameTest(t.name, arg), kindTest(t.name, arg), w.infoTest(t.name, arg)} {
		if test != nil {
			return test
		}
	}
	return maybe
}

// nameTest is a test of the name alone.
func (w *findWalk) nameTest(name, arg string) findTest {
	var test findTest
	switch name {
	case "-name", "-iname":
		match := fileMatcher(arg, name == "-iname")
		test = func(e *findEntry) truth { return match(lastName(e.path)) }
	case "-path", "-ipath", "-wholename", "-iwholename":
		match := fileMatcher(arg, name[1] == 'i')
		test = func(e *findEntry) truth { return match(e.path) }
	case "-regex", "-iregex":
		return w.regexTest(arg, name == "-iregex")
	default:
		return nil
	}
	return test
}

// regexTest is a test of the whole path against a regular expression, of the dialect
// that -regextype chose before it (find(1)): of those that are read here all that
// POSIX has are alike, and Emacs', the default, in what is left out.
func (w *findWalk) regexTest(pattern string, fold bool) findTest {
	dialect := ""
	switch w.regextype {
	case "posix-extended", "egrep", "posix-egrep", "gnu-awk", "awk", "posix-awk":
		dialect = "-E"
	case "posix-basic", "sed", "grep", "ed", "":
		dialect = "-G"
		if w.regextype == "" { // what Emacs writes in another way
			if strings.ContainsAny(pattern, "+?{}") || strings.Contains(pattern, "[[:") {
				return maybe
			}
		}
	default:
		return maybe
	}
	argv := []string{"grep", "-q", "-x", dialect, "-e", pattern}
	if fold {
		argv = append(argv, "-i")
	}
	if strings.Contains(pattern, "\n") {
		return maybe
	}
	return func(e *findEntry) truth {
		out, ok := pure.Run(pure.Input{Argv: argv, Stdin: []byte(e.path), HasStdin: true, Dir: "/"})
		return certainlyIf(out.Status == 0, ok && !strings.Contains(e.path, "\n"))
	}
}

// kindTest is a test of what a file is.
func kindTest(name, arg string) findTest {
	var test findTest
	switch name {
	case "-type", "-xtype":
		test = func(e *findEntry) truth {
			kind := e.kind
			if name == "-xtype" && kind == world.Symlink {
				to, err := world.Stat(e.w.fs, e.full)
				if err != nil {
					return truth{yes: true, no: true}
				}
				if kind = to.Kind; kind == world.Missing { // a link that leads nowhere is one
					kind = world.Symlink
				}
			}
			letter := map[world.Kind]string{world.Regular: "f", world.Dir: "d", world.Symlink: "l"}[kind]
			if letter == "" { // a device, a pipe, a socket
				return truth{yes: strings.ContainsAny(arg, "bcps"), no: true}
			}
			return certainly(strings.Contains(arg, letter))
		}
	case "-empty":
		test = func(e *findEntry) truth {
			switch e.kind {
			case world.Dir:
				return e.w.empty(e.full)
			case world.Regular:
				i, ok := e.stat()
				return certainlyIf(i.Size == 0, ok)
			}
			return truth{no: true}
		}
	case "-lname", "-ilname":
		match := fileMatcher(arg, name == "-ilname")
		test = func(e *findEntry) truth {
			if e.kind != world.Symlink {
				return truth{no: true}
			}
			to, err := e.w.fs.Readlink(e.full)
			if err != nil {
				return truth{yes: true, no: true}
			}
			return match(to)
		}
	default:
		return nil
	}
	return test
}

// infoTest is a test of what the file system says about a file.
func (w *findWalk) infoTest(name, arg string) findTest {
	var test findTest
	switch name {
	case "-size":
		unit, number := int64(512), arg
		if i := strings.IndexAny(arg, "bcwkMG"); i == len(arg)-1 && i > 0 {
			unit, number = map[byte]int64{'b': 512, 'c': 1, 'w': 2, 'k': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}[arg[i]], arg[:i]
		}
		test = counted(number, func(i world.Info) int64 { return (i.Size + unit - 1) / unit })
	case "-links":
		test = counted(arg, func(i world.Info) int64 { return int64(i.Links) })
	case "-inum":
		test = counted(arg, func(i world.Info) int64 { return int64(i.Ino) })
	case "-newer", "-newermm", "-samefile":
		at := arg
		if !path.IsAbs(at) {
			at = path.Join(w.dir, at)
		}
		of, err := world.Stat(w.fs, path.Clean(at))
		if err != nil {
			return maybe
		}
		test = func(e *findEntry) truth {
			i, ok := e.stat()
			if name == "-samefile" {
				return certainlyIf(i.Dev == of.Dev && i.Ino == of.Ino, ok)
			}
			return certainlyIf(i.MTime > of.MTime, ok)
		}
	case "-perm":
		bits, err := strconv.ParseUint(strings.TrimLeft(arg, "-/+"), 8, 12)
		if err != nil { // symbolic
			return maybe
		}
		test = func(e *findEntry) truth {
			i, ok := e.stat()
			mode := modeBits(i.Mode)
			switch {
			case strings.HasPrefix(arg, "-"):
				return certainlyIf(mode&bits == bits, ok)
			case strings.HasPrefix(arg, "/") || strings.HasPrefix(arg, "+"):
				return certainlyIf(mode&bits != 0 || bits == 0, ok)
			}
			return certainlyIf(mode == bits, ok)
		}
	default:
		return nil
	}
	return test
}

// modeBits are the bits of a mode as chmod has them.
func modeBits(mode fs.FileMode) uint64 {
	bits := uint64(mode.Perm())
	for i, special := range []fs.FileMode{fs.ModeSticky, fs.ModeSetgid, fs.ModeSetuid} {
		if mode&special != 0 {
			bits |= 0o1000 << i
		}
	}
	return bits
}

// counted compares a number with N, +N or -N.
func counted(arg string, of func(world.Info) int64) findTest {
	n, err := strconv.ParseInt(strings.TrimLeft(arg, "+-"), 10, 64)
	if err != nil {
		return maybe
	}
	return func(e *findEntry) truth {
		i, ok := e.stat()
		switch x := of(i); arg[0] {
		case '+':
			return certainlyIf(x > n, ok)
		case '-':
			return certainlyIf(x < n, ok)
		default:
			return certainlyIf(x == n, ok)
		}
	}
}

// fileMatcher is fileMatches with the pattern read once.
func fileMatcher(pattern string, fold bool) func(name string) truth {
	if fold {
		pattern = strings.ToLower(pattern)
	}
	plain := strings.NewReplacer("/", "\x01", "[!", "[^").Replace(pattern)
	return func(name string) truth {
		if fold {
			name = strings.ToLower(name)
		}
		ok, err := path.Match(plain, strings.ReplaceAll(name, "/", "\x01"))
		return certainlyIf(ok, err == nil)
	}
}
