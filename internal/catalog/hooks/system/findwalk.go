package system

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/pure"
	"github.com/heedsh/heed/internal/world"
)

// A findWalk walks the tree below a start path as find does, and collects for
// each action of the expression what it is reached with. What a test comes out
// as that cannot be told, may be: the lists hold all that can be meant, and
// nothing else.
type findWalk struct {
	fs    world.FS
	dir   string // that relative paths are counted from
	terms []findTerm
	tests []findTest // by term
	spend func(entries int) bool

	follow   bool // -L, -follow
	children bool // -depth, -delete: what is below comes first, so that -prune prunes nothing
	device   bool // -xdev
	min, max int

	regextype string // of the tests that follow

	found map[int][]string // by the number of the action; 0 is the expression as a whole
	seen  map[[2]uint64]bool
	work  int // tests that were made
	quit  bool
	over  bool // not all could be looked at
}

// maxTests bounds how many tests one search makes.
const maxTests = 2000000

// maxFound bounds how many paths one action is told to be reached with, in all.
const maxFound = 50000

// A findEntry is a file that the walk has come to.
type findEntry struct {
	w     *findWalk
	path  string // as find prints it
	full  string // absolute
	depth int
	kind  world.Kind
	info  *world.Info
}

// stat returns what is known of the file: of a link itself, or of what it leads
// to where links are followed.
func (e *findEntry) stat() (world.Info, bool) {
	if e.info == nil {
		i, err := e.w.fs.Lstat(e.full)
		if err == nil && i.Kind == world.Symlink && e.w.follow {
			if to, err := world.Stat(e.w.fs, e.full); err == nil && to.Kind != world.Missing {
				i = to
			}
		}
		if err != nil || i.Kind == world.Missing {
			return i, false
		}
		e.info = &i
	}
	return *e.info, true
}

// A findTest is what a primary comes out as for a file.
type findTest func(e *findEntry) truth

// search walks the tree below a start path; ok is false where not all of it could
// be looked at.
func (f *findRun) search(start string) (found map[int][]string, ok bool) {
	if f.site.World == nil || f.site.World.FS == nil || f.site.Dir == "" && !path.IsAbs(start) || f.unsure {
		return nil, false
	}
	w := &findWalk{
		fs: f.site.World.FS, dir: f.site.Dir, terms: f.terms, spend: f.site.Walk, max: -1,
		follow: f.follow, found: map[int][]string{}, seen: map[[2]uint64]bool{},
	}
	for i := range w.terms {
		t := &w.terms[i]
		t.at = i
		w.tests = append(w.tests, w.test(t))
	}
	if w.over {
		return nil, false
	}
	w.start(start)
	return w.found, !w.over
}

// start visits a start path.
func (w *findWalk) start(name string) {
	e := &findEntry{w: w, path: name, full: name}
	if !path.IsAbs(name) {
		e.full = path.Join(w.dir, name)
	}
	if strings.HasSuffix(name, "/") { // a link with a slash behind it is what it leads to
		if to, ok := world.Resolve(w.fs, path.Clean(e.full), true); ok {
			e.full = to
		}
	}
	i, err := w.fs.Lstat(path.Clean(e.full))
	switch {
	case err != nil:
		w.over = true
		return
	case i.Kind == world.Missing:
		return
	}
	e.full, e.kind = path.Clean(e.full), i.Kind
	w.visit(e)
}

// visit tests a file, and what is below it.
func (w *findWalk) visit(e *findEntry) {
	if w.over || w.quit {
		return
	}
	if e.kind == world.Symlink && w.follow {
		i, ok := e.stat()
		if !ok {
			w.over = true
			return
		}
		if e.kind = i.Kind; e.kind == world.Dir {
			to, ok := world.Resolve(w.fs, e.full, true)
			if !ok {
				w.over = true
				return
			}
			e.full = to
		}
	}
	enter := e.kind == world.Dir && (w.max < 0 || e.depth < w.max)
	if w.children && enter {
		w.below(e)
	}
	if e.depth >= w.min {
		if pruned := w.apply(e); pruned && !w.children {
			enter = false
		}
	}
	if !w.children && enter {
		w.below(e)
	}
}

// apply evaluates the expression for a file, and reports whether the walk surely
// stops there.
func (w *findWalk) apply(e *findEntry) (pruned bool) {
	if w.work += len(w.terms); w.work > maxTests {
		w.over = true
		return false
	}
	whole := evaluate(w.terms, func(t *findTerm, at reach) truth {
		switch {
		case t.runs > 0 && at.may:
			w.add(t.runs, e.path)
		case t.name == "-prune" && at.must:
			pruned = true
		case t.name == "-quit" && at.must:
			w.quit = true
		}
		return w.tests[t.at](e)
	})
	if whole.yes {
		w.add(0, e.path)
	}
	return pruned
}

func (w *findWalk) add(action int, name string) {
	if len(w.found[action]) >= maxFound {
		w.over = true
		return
	}
	w.found[action] = append(w.found[action], name)
}

// below visits what is in a directory.
func (w *findWalk) below(e *findEntry) {
	if w.follow || w.device {
		i, ok := e.stat()
		if !ok {
			w.over = true
			return
		}
		id := [2]uint64{i.Dev, i.Ino}
		if w.seen[id] && w.follow { // a loop, or a part of the tree that was walked
			return
		}
		w.seen[id] = true
	}
	if m, err := w.fs.Mount(e.full); err != nil || m.Remote {
		w.over = true
		return
	}
	entries, err := w.fs.ReadDir(e.full, maxEntries)
	if err != nil || w.spend != nil && !w.spend(len(entries)+1) {
		w.over = true
		return
	}
	prefix, full := e.path, e.full
	if !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	if full != "/" {
		full += "/"
	}
	for _, x := range entries {
		next := &findEntry{w: w, path: prefix + x.Name, full: full + x.Name, depth: e.depth + 1, kind: x.Kind}
		if w.device && x.Kind == world.Dir {
			i, ok := next.stat()
			here, ok2 := e.stat()
			if ok && ok2 && i.Dev != here.Dev {
				w.apply(next)
				continue
			}
		}
		if w.visit(next); w.over || w.quit {
			return
		}
	}
}

// maxEntries is how many entries of one directory are read.
const maxEntries = 100000

var (
	always findTest = func(*findEntry) truth { return truth{yes: true} }
	never  findTest = func(*findEntry) truth { return truth{no: true} }
	maybe  findTest = func(*findEntry) truth { return truth{yes: true, no: true} }
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
				entries, err := e.w.fs.ReadDir(e.full, 1)
				return certainlyIf(len(entries) == 0, err == nil || len(entries) > 0)
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

func certainlyIf(b, known bool) truth {
	if !known {
		return truth{yes: true, no: true}
	}
	return certainly(b)
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
		if err != nil || bits > 0o777 { // symbolic, or with the bits above those of the three classes
			return maybe
		}
		test = func(e *findEntry) truth {
			i, ok := e.stat()
			mode := uint64(i.Mode.Perm())
			switch {
			case strings.HasPrefix(arg, "-"):
				return certainlyIf(mode&bits == bits, ok)
			case strings.HasPrefix(arg, "/") || strings.HasPrefix(arg, "+"):
				return certainlyIf(mode&bits != 0 || bits == 0, ok)
			}
			return certainlyIf(mode == bits, ok && mode == uint64(i.Mode))
		}
	default:
		return nil
	}
	return test
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

// deletions are the paths to delete such that everything on a list goes, where
// what is below a directory comes before it: a directory stands for what is in
// it where all of that is on the list, and is left out where something stays in
// it, as it is not empty then.
func deletions(list []string, s *catalog.Site) (all []string, whole map[string]bool) {
	listed := make(map[string]bool, len(list))
	for _, name := range list {
		listed[name] = true
	}
	whole, stay := map[string]bool{}, map[string]bool{}
	for _, name := range list {
		full := path.Clean(name)
		if !path.IsAbs(full) {
			full = path.Join(s.Dir, full)
		}
		if i, err := s.World.FS.Lstat(full); err != nil || i.Kind != world.Dir {
			continue
		}
		entries, err := s.World.FS.ReadDir(full, maxEntries)
		stay[name] = slices.ContainsFunc(entries, func(e world.Entry) bool {
			below := strings.TrimSuffix(name, "/") + "/" + e.Name
			return !listed[below] || e.Kind == world.Dir && !whole[below]
		})
		whole[name] = err == nil && !stay[name]
	}
	for _, name := range list {
		above := name[:max(0, strings.LastIndexByte(name, '/'))]
		if !stay[name] && !whole[above] && !whole[above+"/"] {
			all = append(all, name)
		}
	}
	return all, whole
}
