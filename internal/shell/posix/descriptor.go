package posix

import (
	"maps"
	"slices"
	"strconv"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// Descriptors that outlive a statement: those that `exec` opened, those of a
// coprocess, and connections that a shell was started with.

// turned is a standard output that `exec` turned elsewhere: for the rest of the
// shell, what leads to from leads to to.
type turned struct{ from, to *shell.Sink }

// turnsOutput reports whether a redirection is one of standard output.
func turnsOutput(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return fdOf(r, "0") == "1"
	case syntax.RdrAll, syntax.RdrAllClob, syntax.AppAll, syntax.AppAllClob:
		return true
	}
	return fdOf(r, "1") == "1"
}

// turn makes all that leads to an output lead elsewhere from here on.
func (e *evaluator) turn(by turned) {
	list := []turned{by}
	for _, t := range e.turned {
		if t.to == by.from {
			t.to = by.to
		}
		if t.from != by.from && len(list) < maxTurned {
			list = append(list, t)
		}
	}
	e.turned = list
}

// maxTurned is how many outputs of the commands around are told apart.
const maxTurned = 16

// output is where what is written to a standard output goes.
func (e *evaluator) output(out *shell.Sink) *shell.Sink {
	for _, t := range e.turned {
		if t.from == out {
			return t.to
		}
	}
	return out
}

// inherit takes over what the session has open, whose standard output is out
// now, and opens the connections that the shell was started with.
func (e *evaluator) inherit(st *shell.State, out *shell.Sink) {
	if e.streams = sessionOf(st).streams; e.lost {
		st.Miss()
	}
	e.outputs = maps.Clone(e.outputs)
	e.turned = leading(e.turned, nil, out)
	if len(st.Open) > 0 {
		e.fds = maps.Clone(e.fds)
	}
	for fd, c := range st.Open {
		if e.fds == nil {
			e.fds = map[string]*target{}
		}
		path := c.Path
		if _, net := netAddress(path); !net {
			e.fds[fd] = &target{in: c.In, hasIn: true, pos: e.opened()}
			continue
		}
		e.fds[fd] = &target{in: c.In, hasIn: true, net: true, pos: e.opened(), sink: &shell.Sink{Net: true, Path: &path}}
	}
}

// leading are the turned outputs of a shell whose standard output is from, as
// they are where it is to. Outputs of the commands around do not outlive them.
func leading(list []turned, from, to *shell.Sink) []turned {
	for _, t := range list {
		if t.from == from {
			return []turned{{from: to, to: t.to}}
		}
	}
	return nil
}

// keep leaves in the session, whose standard output is out, what it has open now.
func (e *evaluator) keep(st *shell.State, out *shell.Sink) {
	s := sessionOf(st)
	now := e.streams
	now.turned = leading(now.turned, out, nil)
	if s.empty() && now.empty() {
		return
	}
	if s.streams = now; now.fds == nil && now.turned == nil {
		s.outputs = nil // nothing leads there any more
	}
	st.Own = &s
}

func (s *streams) empty() bool { return s.fds == nil && s.turned == nil && s.outputs == nil }

// connections are the open descriptors that a program inherits and that lead
// to the network.
func (e *evaluator) connections(io *ioctx) map[string]shell.Connection {
	fds := e.openNow(io)
	var open map[string]shell.Connection
	for fd, t := range fds {
		if t.sink == nil || !t.sink.Net || t.sink.Path == nil {
			continue
		}
		if open == nil {
			open = map[string]shell.Connection{}
		}
		in := t.in
		if !t.hasIn {
			in = value.Unknown(risk.CauseInput, "network").With(value.Network)
		}
		open[fd] = shell.Connection{Path: *t.sink.Path, In: in}
	}
	return open
}

// flushOpen stores or sends what a statement wrote to descriptors that stay
// open behind it.
func (e *evaluator) flushOpen(st *shell.State, s *syntax.Stmt) {
	for _, t := range e.turned {
		if t.to != nil && t.to.Path != nil {
			e.flushSink(st, s, t.to)
		}
	}
	if len(e.fds) == 0 {
		return
	}
	for _, fd := range slices.Sorted(maps.Keys(e.fds)) {
		if sink := e.fds[fd].sink; sink != nil && sink.Path != nil {
			e.flushSink(st, s, sink)
		}
	}
}

func (e *evaluator) flushSink(st *shell.State, s *syntax.Stmt, sink *shell.Sink) {
	content := sink.Value()
	if content.Empty() && content.Taint() == 0 {
		return
	}
	if out, ok := e.outputs[sink.Path.String()]; ok {
		e.intoProcess(st, out, content, e.span(s))
		return
	}
	if sink.Net {
		addr, _ := netAddress(*sink.Path)
		e.m.Send(st, e.span(s), addr, content)
		return
	}
	if sink.Keep {
		sink.Put = value.Concat(sink.Put, content)
		e.m.Store(st, e.span(s), *sink.Path, over(sink.Old, sink.Put), shell.Writing{})
		return
	}
	e.m.Store(st, e.span(s), *sink.Path, content, shell.Writing{Add: true})
}

// The descriptors of a coprocess: what bash puts into COPROC[0] and COPROC[1]
// is not known before, and no command can rely on it. zsh and mksh call them p.
const (
	coprocOut = 63
	coprocIn  = 60
)

// coproc runs a command with both its streams at the hands of the shell: what
// it prints can be read, and what is written is its input (bash(1),
// "Coprocesses").
func (e *evaluator) coproc(st *shell.State, c *syntax.CoprocClause) {
	sub := st.Clone()
	out := &shell.Sink{}
	e.pipeDepth++
	e.subshell(sub, func() { e.stmt(sub, c.Stmt, ioctx{out: out}) }, ioctx{out: out})
	e.pipeDepth--
	st.FS.Join(sub.FS)
	st.Status = shell.OK
	name := "COPROC"
	if c.Name != nil && c.Name.Lit() != "" {
		name = c.Name.Lit()
	}
	st.Vars.Set(name, shell.Var{
		Array: true, Changed: true, Value: value.Lit(strconv.Itoa(coprocOut)),
		List: []value.Value{value.Lit(strconv.Itoa(coprocOut)), value.Lit(strconv.Itoa(coprocIn))},
	})
	e.speak(c.Stmt, out.Value())
}

// speak opens the descriptors of a coprocess that prints content.
func (e *evaluator) speak(s *syntax.Stmt, content value.Value) {
	path := value.Lit(shell.SubstPath + "coproc")
	if e.outputs == nil {
		e.outputs = map[string]*code{}
	}
	again := *s
	again.Coprocess, again.Background, again.Semicolon = false, false, syntax.Pos{}
	e.outputs[path.String()] = e.kept(&again, &again)
	fds := maps.Clone(e.fds)
	if fds == nil {
		fds = map[string]*target{}
	}
	in := &target{sink: &shell.Sink{Path: &path}}
	from := &target{in: content, hasIn: true, pos: e.opened()}
	fds[strconv.Itoa(coprocOut)], fds[strconv.Itoa(coprocIn)] = from, in
	fds["p"] = &target{in: content, hasIn: true, pos: from.pos, sink: in.sink}
	e.fds = fds
}
