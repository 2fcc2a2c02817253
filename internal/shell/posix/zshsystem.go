package posix

import (
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// The modules of zsh that act on files without a program (zshmodules(1), zsh/files,
// zsh/system, zsh/mapfile).

// fileBuiltin is the program that a builtin of zsh/files does the work of.
func fileBuiltin(name string) (program string, is bool) {
	program, is = strings.CutPrefix(name, "zf_")
	switch program {
	case "chgrp", "chmod", "chown", "ln", "mkdir", "mv", "rm", "rmdir", "sync":
		return program, is
	}
	return "", false
}

// besideSystem evaluates the builtins of zsh/system that open, read and write.
func (e *evaluator) besideSystem(st *shell.State, name string, inv *shell.Invocation, io ioctx) (done bool) {
	switch name {
	case "sysopen":
		e.sysopen(st, inv, io)
	case "sysread":
		e.sysread(st, inv, io)
	case "syswrite":
		flags, valued, words := systemWords(inv, "co")
		if fd, ok := valued['o']; !strings.Contains(flags, "o") || ok {
			for _, w := range words {
				e.toDescriptor(st, inv.Span, fd, w.Value, &io)
			}
		}
	default:
		return false
	}
	st.Status = shell.Perhaps
	return true
}

// systemWords are the options of a call, the values of those that have one, and
// the words behind.
func systemWords(inv *shell.Invocation, withValue string) (flags string, valued map[byte]value.Value, rest []shell.Word) {
	valued = map[byte]value.Value{}
	words := inv.Argv[1:]
	for i := 0; i < len(words); i++ {
		text := words[i].Value.Prefix()
		if len(text) < 2 || text[0] != '-' || text == "--" {
			return flags, valued, words[i:]
		}
		flags += text[1:]
		for j := 1; j < len(text); j++ {
			if strings.IndexByte(withValue, text[j]) < 0 {
				continue
			}
			arg := words[i].Value.Cut(j + 1)
			if arg.Empty() && i+1 < len(words) {
				i++
				arg = words[i].Value
			}
			valued[text[j]] = arg
			break
		}
	}
	return flags, valued, nil
}

// sysopen opens a file: for reading, or with -w, and with -a behind what it holds.
func (e *evaluator) sysopen(st *shell.State, inv *shell.Invocation, io ioctx) {
	flags, valued, words := systemWords(inv, "mou")
	if len(words) == 0 {
		return
	}
	path := words[len(words)-1].Value
	how, known := valued['o'].Known()
	writes, appends := strings.ContainsAny(flags, "wa"), strings.Contains(flags, "a")
	t := target{in: e.m.Load(st, inv.Span, path), hasIn: true, pos: e.opened()}
	if writes {
		empties := strings.Contains(how, "trunc") || !known
		switch {
		case empties:
			e.m.Store(st, inv.Span, path, value.Lit(""), shell.Writing{})
		case strings.Contains(how, "creat"):
			e.m.Make(st, inv.Span, path)
		}
		t.sink = &shell.Sink{Path: &path, Span: inv.Span, Add: appends || empties, Keep: !appends && !empties, Old: t.in}
		t.hasIn = strings.Contains(flags, "r")
	}
	fd, _ := valued['u'].Known()
	if !isFD(fd) { // a variable that gets the number
		e.putInto(st, valued['u'], value.Lit(sysFD), inv.Span)
		fd = sysFD
	}
	io.fds = e.openNow(&io)
	e.setFD(&io, fd, t)
	e.fds = io.fds
}

// sysFD is the descriptor that sysopen is taken to hand out.
const sysFD = "13"

// sysread reads what there is into a variable, or copies it to a descriptor.
func (e *evaluator) sysread(st *shell.State, inv *shell.Invocation, io ioctx) {
	_, valued, words := systemWords(inv, "ciost")
	if fd, given := valued['i']; given {
		e.fromDescriptor(fd, &io)
	}
	in := e.stdinOf(st, &io)
	content := value.Unknown(risk.CauseInput, "sysread").With(value.Input)
	if in.hasIn {
		content = in.pos.rest(in.in)
	}
	if fd, given := valued['o']; given {
		e.toDescriptor(st, inv.Span, fd, content, &io)
		return
	}
	name := value.Lit("REPLY")
	if len(words) > 0 {
		name = words[0].Value
	}
	e.putInto(st, name, content, inv.Span)
}

// toDescriptor writes to a descriptor, to standard output if it is not said which.
func (e *evaluator) toDescriptor(st *shell.State, at risk.Span, fd, content value.Value, io *ioctx) {
	n, known := fd.Known()
	if known && (n == "" || n == "1") {
		e.emit(st, at, content, *io)
		return
	}
	open := *io
	open.fds = e.openNow(io)
	if t := e.fd(&open, n); known && t.sink != nil {
		t.sink.Write(content)
		return
	}
	e.m.Show(st, at, content)
}

// fileTable is an element of mapfile: what the file of that name holds.
func (e *evaluator) fileTable(st *shell.State, index syntax.ArithmExpr) expanded {
	w, word := index.(*syntax.Word)
	if _, flags := index.(*syntax.FlagsArithm); index == nil || flags || word && (w.Lit() == "@" || w.Lit() == "*") {
		e.subscript(st, index)
		return expanded{open: true, name: "mapfile", list: []value.Value{value.Unknown(risk.CauseUnknown, "mapfile")}}
	}
	path := keyed(e.arithKey(st, index, true))
	return expanded{open: true, name: "mapfile", list: []value.Value{e.m.Load(st, st.Statement, path)}}
}
