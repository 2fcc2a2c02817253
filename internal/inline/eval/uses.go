package eval

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"
)

// onlyPrints names the modules that a Python program imports, where by its syntax it does
// nothing else than to call what it imported and to print; nil where it may do more. What
// the modules do is not known.
func onlyPrints(lang string, body []*syntax.Node) []string {
	u := uses{ok: lang == "python"}
	u.all(body, 0)
	if !u.ok || !u.prints {
		return nil
	}
	return u.modules
}

type uses struct {
	modules    []string
	ok, prints bool
	nodes      int
}

func (u *uses) all(list []*syntax.Node, depth int) {
	for _, n := range list {
		u.node(n, depth)
	}
}

func (u *uses) node(n *syntax.Node, depth int) {
	if n == nil || !u.ok {
		return
	}
	if u.nodes++; u.nodes > 2000 || depth > syntax.MaxDepth {
		u.ok = false
		return
	}
	switch n.Op {
	case syntax.OpImport:
		u.imports(n)
	case syntax.OpCall:
		u.call(n)
	case syntax.OpAssign:
		u.ok = u.ok && (n.Kids[0].Op == syntax.OpName || n.Kids[0].Op == syntax.OpList)
	case syntax.OpName:
		u.ok = u.ok && !strings.HasPrefix(n.Text, "__")
	case syntax.OpAttr:
		u.ok = u.ok && (!strings.HasPrefix(n.Text, "_") || n.Text == "__version__" || n.Text == "__name__" || n.Text == "__file__")
	case syntax.OpStr, syntax.OpLit, syntax.OpNum, syntax.OpIndex, syntax.OpSlice, syntax.OpList, syntax.OpDict, syntax.OpKw, syntax.OpBin,
		syntax.OpUnary, syntax.OpCond, syntax.OpBlock, syntax.OpIf, syntax.OpFor, syntax.OpComp, syntax.OpJump:
	default:
		u.ok = false
	}
	u.all(n.Kids, depth+1)
	u.all(n.Body, depth+1)
}

// imports notes the modules of an import. One of the language's own that acts on files,
// processes or the network is not only used to print.
func (u *uses) imports(n *syntax.Node) {
	names := []string{n.Text}
	if n.Text == "" {
		names = nil
		for i := 0; i < len(n.Params); i += 2 {
			names = append(names, n.Params[i])
		}
	}
	for _, name := range names {
		name, _, _ = strings.Cut(name, ".")
		switch name {
		case "", "os", "subprocess", "shutil", "pathlib", "socket", "urllib", "requests", "http", "httpx", "ctypes", "importlib", "builtins", "runpy", "code", "pickle",
			"shelve", "sqlite3", "tempfile", "multiprocessing", "threading", "asyncio", "signal", "webbrowser", "ftplib", "smtplib", "paramiko", "pty", "io", "glob":
			u.ok = false
		}
		if !slices.Contains(u.modules, name) {
			u.modules = append(u.modules, name)
		}
	}
}

// call allows calls of what only computes, and of what modules and objects have, unless
// its name says that it acts.
func (u *uses) call(n *syntax.Node) {
	switch f := n.Kids[0]; f.Op {
	case syntax.OpName:
		switch f.Text {
		case "print":
			u.prints = true
		case "open", "exec", "eval", "compile", "input", "getattr", "setattr", "delattr", "globals", "locals", "vars", "breakpoint", "exit", "quit":
			u.ok = false
		}
		u.ok = u.ok && !acts(f.Text)
	case syntax.OpAttr:
		u.ok = u.ok && !acts(f.Text)
	default:
		u.ok = false
	}
}

// acts reports whether a function by its name does more than to compute or to look.
func acts(name string) bool {
	if name = strings.ToLower(name); name == "startswith" {
		return false
	}
	return slices.ContainsFunc([]string{
		"write", "save", "dump", "to_", "delete", "remove", "post", "put", "patch", "send", "upload", "download", "run", "exec", "system", "load", "fetch",
		"call", "create", "set", "update", "insert", "drop", "commit", "push", "install", "train", "start", "stop", "kill", "open", "connect", "move", "copy", "mkdir", "export",
	}, func(w string) bool { return strings.Contains(name, w) })
}
