package eval

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// onFiles makes an action with an effect on each argument that names a file.
func onFiles(e catalog.Effect, most int) action {
	return func(s *scan, c *call) val {
		args := c.args
		if len(args) == 0 && len(c.kw) > 0 {
			args = c.all()[:len(c.kw)]
		}
		if len(args) == 0 && c.recv.k == vObj {
			args = []val{c.recv}
		}
		if len(args) == 0 {
			args = []val{unknown()}
		}
		for i, a := range flat(args) {
			if most > 0 && i >= most {
				break
			}
			if a.k == vDict || a.k == vFunc || a.k == vNone || a.k == vNum && i > 0 {
				continue
			}
			x := e
			x.Target = a.value()
			x.Many = x.Many || x.Target.Pattern() != ""
			s.effect(x)
		}
		return dull()
	}
}

func del(most int) action { return onFiles(catalog.Effect{Verb: risk.FSDelete}, most) }

func rmtree(most int) action {
	return onFiles(catalog.Effect{Verb: risk.FSDelete, Recursive: true}, most)
}

func mkdir() action { return onFiles(catalog.Effect{Verb: risk.FSCreate, Kind: risk.KindDirectory}, 1) }

func touch() action { return onFiles(catalog.Effect{Verb: risk.FSCreate}, 1) }

// onSelf makes an action with an effect on the object that is called.
func onSelf(e catalog.Effect) action {
	return func(s *scan, c *call) val {
		e := e
		e.Target = c.recv.value()
		s.effect(e)
		return dull()
	}
}

// reading makes an action that reads argument i and returns its contents.
func reading(i int) action {
	return func(s *scan, c *call) val { return s.read(c.arg(i)) }
}

// read reads a file.
func (s *scan) read(path val) val {
	v := path.value()
	if t := v.Prefix(); strings.HasPrefix(t, "http://") || strings.HasPrefix(t, "https://") || strings.HasPrefix(t, "ftp://") {
		return s.fetch(path)
	}
	if t := v.Prefix(); strings.HasPrefix(t, "php://stdin") || t == "/dev/stdin" {
		s.res.ReadsStdin = true
		return hole(risk.CauseInput, "standard input")
	}
	s.needs(inline.Stop{File: s.place(v)})
	s.effect(catalog.Effect{Verb: risk.FSRead, Target: v, Arg: "content"})
	out := hole(risk.CauseFile, v.String())
	out.src = []catalog.Source{{Path: s.place(v)}}
	return out
}

// write makes an action that writes data, argument j, to file i.
func write(i, j int, detail risk.Kind) action {
	return func(s *scan, c *call) val {
		s.writeFile(c.arg(i), c.arg(j), detail)
		return dull()
	}
}

func (s *scan) writeFile(path, data val, detail risk.Kind) {
	if detail == risk.NoKind && data.k == vStr && data.s.Empty() {
		detail = risk.KindTruncate
	}
	s.reveal(data, false)
	s.effect(catalog.Effect{Verb: risk.FSWrite, Target: path.value(), Kind: detail, Carries: data.src})
}

// open opens a file in a mode as C's fopen has it.
func (s *scan) open(path val, mode string) val {
	if path.k == vNum {
		return object("file", value.Value{})
	}
	f := object("file", path.value())
	if strings.ContainsAny(mode, "wax>") {
		s.needs(inline.Stop{File: s.place(path.value()), Made: true})
		e := catalog.Effect{Verb: risk.FSWrite, Target: path.value(), Arg: "opened"}
		if strings.Contains(mode, "a") || strings.Contains(mode, ">>") {
			e.Kind = risk.KindAppend
		}
		f.eff = s.effect(e) + 1
		return f
	}
	if strings.Contains(mode, "r+") || strings.Contains(mode, "+<") {
		s.needs(inline.Stop{File: s.place(path.value())})
		f.eff = s.effect(catalog.Effect{Verb: risk.FSWrite, Target: path.value()}) + 1
	}
	r := s.read(path)
	f.src = r.src
	if r.s.Taint() != 0 {
		f.s = f.s.With(r.s.Taint())
	}
	return f
}

// fileWrite is a write to an open file.
func fileWrite(s *scan, c *call) val {
	if c.recv.name == "socket" {
		return send(s, c)
	}
	s.writeTo(c.recv, c.args)
	return dull()
}

func (s *scan) writeTo(file val, data []val) {
	s.wroteAny = true
	if file.eff > 0 && file.eff <= len(s.res.Effects) {
		e := &s.res.Effects[file.eff-1]
		for _, d := range data {
			e.Carries = carry(e.Carries, d.with(d).src)
			s.reveal(d, false)
		}
		return
	}
	for _, d := range data {
		s.reveal(d, true)
	}
}

// fileRead is a read from an open file.
func fileRead(s *scan, c *call) val {
	switch c.recv.name {
	case "socket":
		return receive(s, c)
	case "stdin":
		return input(s, c)
	}
	out := derived(c.recv)
	if len(c.recv.src) > 0 {
		out.s = value.Unknown(risk.CauseFile, c.recv.s.String()).With(c.recv.s.Taint())
	}
	out.dull = true
	return out
}

// printed makes values visible.
func printed(s *scan, c *call) val {
	if s.lang == "perl" && len(c.args) == 0 {
		c.args = []val{s.plainName("$_")}
	}
	for _, a := range c.args {
		if a.k == vObj && a.name == "socket" || a.k == vObj && a.eff > 0 {
			s.writeTo(a, c.args)
			return dull()
		}
	}
	for _, k := range c.keywords() {
		if f := c.kw[k]; k == "file" || k == "handle" {
			if f.k == vObj && f.name == "socket" {
				return send(s, &call{recv: f, args: c.args, kw: map[string]val{}})
			}
			s.writeTo(f, c.args)
			return dull()
		}
	}
	for _, a := range c.args {
		s.reveal(a, true)
	}
	if s.lang == "ruby" && len(c.args) == 1 || s.lang == "r" && len(c.args) > 0 {
		return c.args[0]
	}
	return dull()
}

// reveal notes that v is printed, or written or sent to where others see it.
func (s *scan) reveal(v val, screen bool) {
	v = v.with(v)
	if v.env {
		s.res.ShowsEnv = true
		s.pure = false
	}
	if !screen {
		return
	}
	for _, x := range v.src {
		s.shown[x.Path.String()] = true
	}
	if v.k == vUnknown && !v.dull && len(v.src) == 0 {
		s.prints = true
	}
	if v.k == vStr && !v.s.IsKnown() && !v.dull && len(v.src) == 0 {
		s.prints = true
	}
	if v.k == vList || v.k == vDict {
		for _, x := range v.list {
			if x.env || x.k == vUnknown {
				s.reveal(x, true)
			}
		}
	}
}

// modeAction changes the mode of file i to argument j.
func modeAction(i, j int) action {
	return func(s *scan, c *call) val {
		for _, f := range flat([]val{c.arg(i)}) {
			s.effect(catalog.Effect{Verb: risk.FSAttr, Target: f.value(), Kind: modeKind(c.arg(j))})
		}
		return dull()
	}
}

// modeKind says what matters about a mode.
func modeKind(v val) risk.Kind {
	var n uint64
	switch v.k {
	case vNum:
		n = uint64(max(v.n, 0))
	case vStr:
		t, _ := v.known()
		m, err := strconv.ParseUint(t, 8, 32)
		if err != nil {
			return risk.KindMode
		}
		n = m
	default:
		return risk.KindMode
	}
	switch {
	case n&0o6000 != 0:
		return risk.KindSetuid
	case n&0o002 != 0:
		return risk.KindWorldWritable
	case n&0o111 != 0:
		return risk.KindExecutable
	}
	return risk.KindMode
}

// copyFile reads argument i and writes argument j.
func copyFile(i, j int, recursive bool) action {
	return func(s *scan, c *call) val {
		from := c.arg(i).value()
		s.effect(catalog.Effect{Verb: risk.FSRead, Target: from, Recursive: recursive})
		s.effect(catalog.Effect{Verb: risk.FSWrite, Target: c.arg(j).value(), Recursive: recursive, Carries: []catalog.Source{{Path: from}}})
		return dull()
	}
}

// moveFile moves argument i to argument j; i < 0 is the object itself.
func moveFile(i, j int) action {
	return func(s *scan, c *call) val {
		from := c.recv
		if i >= 0 {
			from = c.arg(i)
		}
		s.effect(catalog.Effect{Verb: risk.FSMove, Target: from.value()})
		s.effect(catalog.Effect{Verb: risk.FSWrite, Target: c.arg(j).value(), Kind: risk.KindMove, Carries: []catalog.Source{{Path: from.value()}}})
		return dull()
	}
}

// renameFile is moveFile of a call that never moves into a directory: what it does to
// each of many files in turn replaces the one before, where the new name is one.
func renameFile(i, j int) action {
	move := moveFile(i, j)
	return func(s *scan, c *call) val {
		from := c.recv
		if i >= 0 {
			from = c.arg(i)
		}
		if v := from.value(); c.arg(j).value().IsKnown() && (v.Pattern() != "" || v.HasCause(risk.CauseLoop, risk.CauseMatch)) {
			s.effect(catalog.Effect{Verb: risk.FSDelete, Target: v, Kind: risk.KindOntoOneAnother, Many: true})
		}
		return move(s, c)
	}
}

// linkFile makes argument j a link to argument i.
func linkFile(i, j int) action {
	return func(s *scan, c *call) val {
		s.effect(catalog.Effect{Verb: risk.FSCreate, Target: c.arg(j).value(), Link: c.arg(i).value(), HasLink: true})
		return dull()
	}
}

// plain makes an action that has one effect without a target.
func plain(v risk.Verb, detail risk.Kind, i int) action {
	return func(s *scan, c *call) val {
		e := catalog.Effect{Verb: v, Kind: detail}
		if i >= 0 && c.has(i) {
			e.Target = c.arg(i).value()
		}
		s.effect(e)
		return dull()
	}
}

// chdir makes an action that moves to the directory of argument i.
func chdir(i int) action {
	return func(s *scan, c *call) val {
		s.impure()
		to := s.place(c.arg(i).value())
		if s.cond > 0 {
			old := value.Lit(".")
			if s.dir != nil {
				old = *s.dir
			}
			to = value.Join(old, to, 8)
		}
		s.dir = &to
		return dull()
	}
}

// place is a path, seen from where the program was started.
func (s *scan) place(path value.Value) value.Value {
	if s.dir == nil || strings.HasPrefix(path.Prefix(), "/") {
		return path
	}
	return pathJoin(*s.dir, path)
}

// fork counts forks in loops.
func fork(s *scan, _ *call) val {
	s.impure()
	if s.endless > 0 {
		s.forks++
	}
	return dull()
}

// blind is a function that nothing can be said about.
func blind(s *scan, c *call) val {
	s.notSeen()
	return derived(c.all()...)
}

// nothing is a function that only computes.
func nothing(_ *scan, c *call) val { return derived(c.all()...) }

// quiet is a function whose result holds no contents.
func quiet(*scan, *call) val { return dull() }

// same returns its argument.
func same(_ *scan, c *call) val {
	if len(c.args) == 0 {
		return c.recv
	}
	return c.args[0]
}

// input reads standard input.
func input(s *scan, c *call) val {
	s.res.ReadsStdin = true
	v := hole(risk.CauseInput, "standard input")
	v.src = []catalog.Source{{Stdin: true}}
	return v
}

// argumentFiles is what perl's <> and ruby's ARGF and gets read: the files that
// the arguments name, and without any, standard input. perl opens them as open
// with two arguments does, which may run a command (perlop, "I/O Operators";
// Ruby documentation "ARGF").
func argumentFiles(s *scan, c *call) val {
	name := "ARGV"
	if s.lang == "perl" {
		name = "@ARGV"
	}
	words := s.host.Args
	switch v, set := s.vars[name]; {
	case set && v.k == vList:
		words = nil
		for _, w := range v.list {
			words = append(words, w.value())
		}
	case set, !s.keepsArguments():
		s.notSeen()
		return unknown()
	}
	if len(words) == 0 {
		return input(s, c)
	}
	var files []val
	for _, w := range words {
		if s.lang == "perl" && (!w.IsKnown() || strings.ContainsAny(w.Prefix(), "|<>&")) {
			files = append(files, perlOpen(s, &call{name: "open", args: []val{none(), text(w)}}))
			continue
		}
		pure, before := s.pure, len(s.res.Effects)
		files = append(files, s.open(text(w), "r"))
		s.pure, s.given = pure, s.given+len(s.res.Effects)-before
	}
	return derived(files...)
}

// perlUses and rubyUses are what a program does with the list of its arguments
// without making others of them: it takes some off, or asks.
var (
	perlUses = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:shift|pop|scalar|if|unless|while|foreach|for|print|join\s*\(?[^@]*,)\s*\(?\s*@ARGV\b|\$#\{?ARGV\b|\$ARGV\[[^]]*\](?:\s*[^\s=]|\s*==|\s*=~|\s*$)|<ARGV>|\$ARGV\b(?:[^\[\s]|$)`)
	}}
	rubyUses = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
		return regexp.MustCompile(`\bARGV(?:\.(?:shift|pop|size|length|count|empty\?|any\?|first|last|each|join|include\?|dup)\b|\[[^]]*\](?:\s*[^\s=]|\s*==|\s*=~|\s*$))`)
	}}
)

// keepsArguments reports whether all that the program does with the list of
// its arguments is known to leave no other words in it.
func (s *scan) keepsArguments() bool {
	uses := &rubyUses
	if s.lang == "perl" {
		uses = &perlUses
	} else if strings.Contains(s.source, "$*") { // another name of ARGV
		return false
	}
	return !strings.Contains(s.source, "ARGV") || !strings.Contains(uses.Get().ReplaceAllString(s.source, ""), "ARGV")
}

// pattern is what a glob pattern finds.
func pattern(s *scan, c *call) val {
	p := c.arg(0)
	if c.recv.k == vObj {
		p = text(pathJoin(c.recv.value(), p.value()))
	}
	v := dull()
	if t, ok := p.known(); ok {
		if c.name == "rglob" { // at any depth (pathlib)
			i := strings.LastIndexByte(t, '/') + 1
			t = t[:i] + "**/" + t[i:]
		}
		v.s = globbed(t, c.recv.k == vObj)
	}
	s.effect(catalog.Effect{Verb: risk.FSRead, Target: value.Lit(globBase(p.value().Prefix()))})
	return v
}

// globBase is the directory of a pattern before its first wildcard.
func globBase(p string) string {
	if i := strings.IndexAny(p, "*?[{"); i >= 0 {
		p = p[:i]
	}
	i := strings.LastIndexByte(p, '/')
	switch {
	case i < 0:
		return "."
	case i == 0:
		return "/"
	}
	return p[:i]
}

// globbed is a name that a pattern finds. Except for pathlib's own (dots), a
// wildcard does not match a dot in front.
func globbed(p string, dots bool) value.Value {
	last := p[strings.LastIndexByte(p, '/')+1:]
	if strings.HasPrefix(last, "*") && !dots {
		last = "[^.]" + last
	}
	return value.Of(value.Hole{Cause: risk.CauseMatch, Name: p, Shape: value.Below, Base: globBase(p), Last: last}).FromPattern(p)
}

// listing is the names in a directory.
func listing(s *scan, c *call) val {
	dir := c.arg(0)
	if c.recv.k == vObj {
		dir = c.recv
	}
	if dir.k == vNone || dir.k == vRef {
		dir = str(".")
	}
	s.effect(catalog.Effect{Verb: risk.FSRead, Target: dir.value()})
	v := dull()
	in, _ := dir.known()
	v.s = value.Of(value.Hole{Cause: risk.CauseMatch, Name: "a name in " + dir.value().String(), Shape: value.Word, Base: in})
	return v
}

// below is something in a directory, with its path.
func below(dir string) value.Value {
	pattern := strings.TrimSuffix(dir, "/") + "/*"
	return value.Of(value.Hole{Cause: risk.CauseMatch, Name: pattern, Shape: value.Below, Base: dir}).FromPattern(pattern)
}

// named is what is found, where its name matches a pattern.
func named(found value.Value, pattern string) value.Value {
	h := *found.Holes()[0]
	h.Last = pattern
	return value.Of(h).With(found.Taint()).FromPattern(found.Pattern())
}

// walking is what os.walk yields: a directory, directories and names in it.
func walking(s *scan, c *call) val {
	names := listing(s, c)
	root := dull()
	if dir, ok := c.arg(0).known(); ok {
		root.s = below(dir)
	}
	tuple := val{k: vList, list: []val{root, {k: vList, list: []val{names}}, {k: vList, list: []val{names}}}}
	return val{k: vList, list: []val{tuple}}
}
