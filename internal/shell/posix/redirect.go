package posix

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// redirect applies a statement's redirections to io, in order.
func (e *evaluator) redirect(st *shell.State, redirs []*syntax.Redirect, io *ioctx, s *syntax.Stmt) {
	if len(redirs) == 0 {
		return
	}
	now := e.m.Mark()
	io.opening = &now
	io.fds = e.openNow(io)
	io.pending = slices.Clip(io.pending) // copies of io share what is below
	fed := false
	var earlier []value.Value // inputs that are read before the last (zshmisc(1), MULTIOS)
	for _, r := range redirs {
		if e.spent() {
			break
		}
		r = e.numbered(st, io, r)
		if fed && st.Shell == "zsh" && readsInput(r) {
			earlier = append(earlier, io.in)
		}
		fed = fed || readsInput(r)
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			e.hereDoc(st, r, io)
		case syntax.WordHdoc:
			e.input(io, fdOf(r, "0"), target{in: value.Concat(e.join(st, r.Word), value.Lit("\n")), hasIn: true})
		case syntax.RdrIn:
			e.readFrom(st, r, io)
		case syntax.RdrInOut:
			e.readWrite(st, r, io)
		case syntax.DplIn, syntax.DplOut:
			e.duplicate(st, r, io)
		default:
			e.writeTo(st, r, io)
		}
	}
	for _, in := range slices.Backward(earlier) {
		io.in = value.Concat(in, io.in)
	}
}

// openNow are the descriptors that are open for a command: those of the commands
// around it, and what exec opened in them.
func (e *evaluator) openNow(io *ioctx) map[string]*target {
	switch {
	case io.fds == nil:
		return e.fds
	case e.fds == nil:
		return io.fds
	}
	fds := maps.Clone(e.fds)
	maps.Copy(fds, io.fds)
	return fds
}

func readsInput(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return fdOf(r, "0") == "0"
	}
	return false
}

// numbered gives {name}>file the number of a descriptor that is free, and puts
// it into the variable (bash(1), "REDIRECTION"); {name}>&- closes that one.
func (e *evaluator) numbered(st *shell.State, io *ioctx, r *syntax.Redirect) *syntax.Redirect {
	if r.N == nil || !strings.HasPrefix(r.N.Value, "{") {
		return r
	}
	name := strings.Trim(r.N.Value, "{}")
	number := strconv.Itoa(firstFree + len(io.fds))
	p, named := e.place(st, value.Lit(name), e.span(r))
	if old := st.Vars.Get(name); old != nil && (r.Op == syntax.DplIn || r.Op == syntax.DplOut) && r.Word.Lit() == "-" {
		number, _ = old.Value.Known()
	} else if named {
		e.put(st, p, value.Lit(number), e.span(r))
	}
	again, lit := *r, *r.N
	lit.Value = number
	again.N = &lit
	return &again
}

// firstFree is the first descriptor that the shell itself hands out.
const firstFree = 10

func fdOf(r *syntax.Redirect, otherwise string) string {
	if r.N != nil {
		return strings.Trim(r.N.Value, "{}")
	}
	return otherwise
}

func (e *evaluator) hereDoc(st *shell.State, r *syntax.Redirect, io *ioctx) {
	v := value.Value{}
	switch {
	case r.Hdoc == nil:
	case hasQuotes(r.Word):
		v = e.verbatimDocument(st, r)
	default:
		v = e.document(st, r.Hdoc, r.Op == syntax.DashHdoc)
	}
	e.input(io, fdOf(r, "0"), target{in: v, hasIn: true})
}

// input makes fd read from t.
func (e *evaluator) input(io *ioctx, fd string, t target) {
	t.pos = e.opened()
	if fd == "0" {
		io.in, io.hasIn, io.inNet, io.pos, io.starved = t.in, t.hasIn, t.net, t.pos, nil
		return
	}
	e.setFD(io, fd, t)
}

func (e *evaluator) setFD(io *ioctx, fd string, t target) {
	fds := map[string]*target{}
	for k, v := range io.fds {
		fds[k] = v
	}
	fds[fd] = &t
	io.fds = fds
}

// netAddress recognises the shell's own network paths: /dev/tcp/HOST/PORT.
func netAddress(path value.Value) (value.Value, bool) {
	for _, p := range []string{"/dev/tcp/", "/dev/udp/"} {
		if strings.HasPrefix(path.Prefix(), p) {
			return path.Cut(len(p)), true
		}
	}
	return value.Value{}, false
}

func (e *evaluator) readFrom(st *shell.State, r *syntax.Redirect, io *ioctx) {
	path := e.inputPath(st, r)
	if addr, ok := netAddress(path); ok {
		e.input(io, fdOf(r, "0"), target{in: e.m.Connect(st, e.span(r), addr), hasIn: true, net: true})
		return
	}
	if path.Taint().Has(secret) && !path.IsKnown() { // an error names what is not there
		e.m.Show(st, e.span(r), path)
	}
	if name, ok := e.absent(st, path); ok {
		io.stuck = unopened(name)
	} else if e.m.Denied(st, path, world.Reading) {
		io.stuck = refused("read", path)
	}
	e.input(io, fdOf(r, "0"), target{in: e.m.Load(st, e.span(r), path), hasIn: true})
}

// inputPath is the file that an input comes from. zsh expands patterns there, and reads all
// that one finds, one after the other (zshmisc(1), MULTIOS): what that brings is not followed.
func (e *evaluator) inputPath(st *shell.State, r *syntax.Redirect) value.Value {
	if st.Shell != "zsh" {
		return e.join(st, r.Word)
	}
	switch words := e.fields(st, []*syntax.Word{r.Word}); {
	case len(words) == 0:
		return value.Value{}
	case len(words) > 1 || words[0].Many:
		e.unmodelled(st, e.span(r), "all that a pattern finds, as one input")
		fallthrough
	default:
		return words[0].Value
	}
}

func (e *evaluator) readWrite(st *shell.State, r *syntax.Redirect, io *ioctx) {
	path := e.join(st, r.Word)
	if addr, ok := netAddress(path); ok {
		in := e.m.Connect(st, e.span(r), addr)
		fd := fdOf(r, "0")
		t := target{in: in, hasIn: true, net: true, sink: &shell.Sink{Net: true, Path: &path}}
		if e.input(io, fd, t); fd == "1" {
			io.out = t.sink
		}
		e.pend(io, t.sink)
		return
	}
	fd := fdOf(r, "0")
	if fd == "0" { // the others make it when they are written, or are not
		e.m.Make(st, e.span(r), path)
	}
	in := e.m.Load(st, e.span(r), path)
	if fd == "0" {
		e.input(io, fd, target{in: in, hasIn: true})
		return
	}
	// Writes go over what is there, from its beginning.
	sink := &shell.Sink{Path: &path, Span: e.span(r), Keep: true, Old: in}
	if !e.there(st, path) {
		sink.Old = value.Lit("")
	}
	switch e.pend(io, sink); fd {
	case "1":
		io.out = sink
	case "2":
		io.errOut = sink
	default:
		e.setFD(io, fd, target{in: in, hasIn: true, pos: e.opened(), sink: sink})
	}
}

// duplicate handles >&WORD and <&WORD.
func (e *evaluator) duplicate(st *shell.State, r *syntax.Redirect, io *ioctx) {
	to := e.join(st, r.Word)
	word, known := to.Known()
	if holes := to.Holes(); !known && len(holes) == 1 && holes[0].Cause == risk.CauseUnset && goesAway(to) { // nothing is no descriptor
		io.stuck = &risk.Ending{How: risk.EndFails, Because: "$" + holes[0].Name + " is not set", ByShell: true}
	}
	from := fdOf(r, "1")
	if r.Op == syntax.DplIn {
		from = fdOf(r, "0")
	}
	closes := word == "-"
	word = strings.TrimSuffix(word, "-")
	if known && word != "" && !isFD(word) && r.Op == syntax.DplOut && r.N == nil {
		e.writeTo(st, r, io) // bash: >&file is &>file
		return
	}
	if known && !closes && e.unopenedFD(st, io, word) {
		io.stuck = &risk.Ending{How: risk.EndFails, Because: "descriptor " + word + " is not open here"}
	}
	src := e.fd(io, word)
	switch from {
	case "0":
		io.starved = nil
		switch {
		case src.hasIn:
			io.in, io.hasIn, io.inNet, io.pos = src.in, true, src.net, src.pos
		case src.net, src.sink != nil && src.sink.Net:
			io.in, io.hasIn, io.inNet = value.Unknown(risk.CauseInput, "network").With(value.Network), true, true
		case !closes && src.sink == nil && !standard(word): // what the session was started with, if anything
			io.in, io.hasIn, io.inNet, io.pos = value.Unknown(risk.CauseInput, "descriptor "+word).With(value.Input), true, false, e.opened()
		}
	case "1":
		io.out = src.sink
	case "2":
		io.errOut = src.sink
	default:
		e.setFD(io, from, src)
	}
}

// unopenedFD reports whether a descriptor is surely not open: this is the shell that the
// command is typed into, and nothing of it, nor of its session, has opened any.
func (e *evaluator) unopenedFD(st *shell.State, io *ioctx, n string) bool {
	const longest = 4 // that the shells read as a number
	return st.Depth == 0 && len(st.Context.Via) == 0 && st.Here() && e.sourced == 0 && !e.lost && len(io.fds)+len(e.fds)+len(st.Open) == 0 &&
		n != "p" && n != "" && len(n) <= longest && !standard(strings.TrimLeft(n[:len(n)-1], "0")+n[len(n)-1:])
}

// standard reports whether a descriptor is one that every process is started with.
func standard(n string) bool { return n == "0" || n == "1" || n == "2" }

// over is what a file holds when content was written over the beginning of
// what it held.
func over(old, content value.Value) value.Value {
	was, known := old.Known()
	is, known2 := content.Known()
	if !known || !known2 {
		return value.Unknown(risk.CauseFile, "").With(old.Taint() | content.Taint())
	}
	if len(is) < len(was) {
		is += was[len(is):]
	}
	return value.Lit(is).With(old.Taint() | content.Taint())
}

func isFD(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return s == "p"
		}
	}
	return true
}

func (e *evaluator) fd(io *ioctx, n string) target {
	if t := io.fds[n]; t != nil {
		return *t
	}
	switch n {
	case "0":
		return target{in: io.in, hasIn: io.hasIn, net: io.inNet, pos: io.pos, sink: netSink(io.inNet)}
	case "1":
		return target{sink: io.out, net: io.out != nil && io.out.Net}
	case "2":
		return target{sink: io.errOut, net: io.errOut != nil && io.errOut.Net}
	}
	return target{}
}

// netSink is a place to write for a descriptor that is a connection.
func netSink(net bool) *shell.Sink {
	if net {
		return &shell.Sink{Net: true}
	}
	return nil
}

// writeTo handles every redirection that opens a path for writing.
func (e *evaluator) writeTo(st *shell.State, r *syntax.Redirect, io *ioctx) {
	add := r.Op == syntax.AppOut || r.Op == syntax.AppClob || r.Op == syntax.AppAll || r.Op == syntax.AppAllClob
	both := r.Op == syntax.RdrAll || r.Op == syntax.RdrAllClob || r.Op == syntax.AppAll || r.Op == syntax.AppAllClob || r.Op == syntax.DplOut
	fd := fdOf(r, "1")
	words := e.fields(st, []*syntax.Word{r.Word})
	path := value.Value{}
	if len(words) > 0 {
		path = words[0].Value
	}
	sink := &shell.Sink{Path: &path}
	text, known := path.Known()
	if st.Shell == "zsh" && strings.HasPrefix(path.Pattern(), "(") { // >>(COMMAND) is > >(COMMAND)
		e.unmodelled(st, e.span(r), text)
	}
	switch {
	case known && (text == "/dev/null" || text == ""):
		sink.Path, sink.Null = nil, true
	case known && (text == "/dev/stdout" || text == "/dev/fd/1" || text == "/proc/self/fd/1"):
		return
	case known && (text == "/dev/stderr" || text == "/dev/tty" || text == "/dev/fd/2" || text == "/proc/self/fd/2"):
		sink = nil
	default:
		addr, net := netAddress(path)
		_, sub := e.outputs[text]
		switch {
		case net:
			e.m.Connect(st, e.span(r), addr)
			sink.Net = true
		case !sub:
			sink.Add, sink.Opened = add, cmp.Or(io.began, io.opening)
			sink.Out = both || fd == "1"
			if len(path.Parts()) > 1 { // an error names it
				e.m.Show(st, e.span(r), path)
			}
		}
		sink.Span = e.span(r)
		if dir, gone := e.nowhere(st, path); gone && !net {
			io.stuck = unopened(dir)
		} else if !net && !sub && e.m.Denied(st, path, world.Writing) {
			io.stuck = refused("write", path)
		}
		sink.Refused = r.Op == syntax.RdrOut && optionsOf(st).noClobber && e.there(st, path)
	}
	if sink != nil && fd == "1" && st.Shell == "zsh" && slices.Contains(io.pending, io.out) {
		sink.Also = io.out // to each of them (zshmisc(1), MULTIOS)
	}
	if sink != nil {
		e.pend(io, sink)
	}
	switch {
	case both:
		io.out, io.errOut = sink, sink
	case fd == "1":
		io.out = sink
	case fd == "2":
		if sink != nil && sink.Path != nil { // what goes wrong cannot be told
			sink.Write(value.Unknown(risk.CauseOutput, "error messages"))
		}
		io.errOut = sink
	default:
		e.setFD(io, fd, target{sink: sink, net: sink != nil && sink.Net})
	}
}

// there reports whether a path surely is a regular file now.
func (e *evaluator) there(st *shell.State, p value.Value) bool {
	name, known := p.Known()
	dir, ok := st.Dir.Known()
	if !known || !ok {
		return true
	}
	if !path.IsAbs(name) {
		name = strings.TrimSuffix(dir, "/") + "/" + name
	}
	info, err := world.Stat(st.FS, name)
	return err == nil && info.Kind == world.Regular
}

// nowhere reports whether the directory that a file is to be written in surely is not
// there now, and which.
func (e *evaluator) nowhere(st *shell.State, p value.Value) (dir string, is bool) {
	name, known := p.Known()
	if strings.HasPrefix(name, "/proc/") { // nobody can make files there
		return e.absent(st, p)
	}
	if cut := strings.LastIndexByte(strings.TrimSuffix(name, "/"), '/'); known && cut > 0 {
		return e.absent(st, value.Lit(name[:cut]))
	}
	return "", false
}

// absent reports whether a path to read from surely is not there now, and which.
func (e *evaluator) absent(st *shell.State, p value.Value) (name string, is bool) {
	name, known := p.Known()
	dir, ok := st.Dir.Known()
	if !known || !ok || name == "" || !st.Here() {
		return "", false
	}
	if !path.IsAbs(name) {
		name = strings.TrimSuffix(dir, "/") + "/" + name
	}
	return path.Clean(name), !strings.HasPrefix(name+"/", shell.SubstPath) && world.Absent(st.FS, name) && !e.m.Unsure(path.Clean(name))
}

// unopened is how a redirection fails for want of a file.
func unopened(name string) *risk.Ending {
	return &risk.Ending{How: risk.EndFails, Missing: []string{name}, ByShell: true}
}

// refused is how a redirection fails of which the user may not open the file.
func refused(verb string, file value.Value) *risk.Ending {
	return &risk.Ending{How: risk.EndFails, Because: "you may not " + verb + " " + file.String(), ByShell: true}
}

func (e *evaluator) pend(io *ioctx, s *shell.Sink) {
	io.pending = append(io.pending, s)
}

// flush stores what a statement wrote to the places its redirections opened.
func (e *evaluator) flush(st *shell.State, s *syntax.Stmt, io *ioctx) {
	if io.stuck != nil && st.Unreached == nil && e.m.Settled() { // nothing of the statement is done
		if st.Unreached = st.Doomed; st.Doomed == nil {
			st.Unreached = io.stuck
		}
		defer func() { st.Doomed, st.Unreached = st.Unreached, nil }()
	}
	for _, sink := range io.pending {
		if sink.Path == nil {
			continue
		}
		content := sink.Value()
		if out, ok := e.outputs[sink.Path.String()]; ok {
			e.intoProcess(st, out, content, e.span(s))
			continue
		}
		at := sink.Span
		if at == (risk.Span{}) {
			at = e.span(s)
		}
		if sink.Net {
			addr, _ := netAddress(*sink.Path)
			e.m.Send(st, at, addr, content)
			continue
		}
		if sink.Keep && content.Empty() && content.Taint() == 0 {
			e.m.Make(st, at, *sink.Path)
			continue
		}
		if sink.Keep {
			content = over(sink.Old, content)
		}
		if sink.Refused {
			content = value.Unknown(risk.CauseFile, "").With(content.Taint())
		}
		e.m.Store(st, at, *sink.Path, content, shell.Writing{Add: sink.Add, Output: sink.Out, Opened: sink.Opened})
		sink.Add = true // what is written to it later comes behind
	}
	io.pending = nil
	e.flushOpen(st, s)
}
