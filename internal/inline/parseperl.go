package inline

import "strings"

// perlUnary are the named unary operators: they take one argument and bind
// tighter than comparisons (perlop, "Named Unary Operators").
func perlUnary(name string) bool {
	switch name {
	case "defined", "ref", "scalar", "lc", "uc", "lcfirst", "ucfirst", "length", "chr", "ord", "shift", "pop", "chdir", "rmdir", "readlink", "exit",
		"umask", "sleep", "localtime", "gmtime", "quotemeta", "rand", "srand", "caller", "undef", "hex", "oct", "abs", "sqrt", "log", "exp", "sin", "cos", "int",
		"each", "keys", "values", "delete", "exists", "chroot", "close", "eval", "do", "require", "lock", "fc", "stat", "lstat", "fileno", "eof", "chomp", "chop":
		return true
	}
	return false
}

// perlNullary take no argument.
func perlNullary(name string) bool {
	switch name {
	case "time", "wantarray", "fork", "wait", "times", "getppid", "__FILE__", "__LINE__", "__PACKAGE__", "STDIN", "STDOUT", "STDERR", "next", "last", "redo":
		return true
	}
	return false
}

// perlCall parses what a bare name begins in Perl: a string before =>, a class
// before ->, a call with or without parentheses.
func (p *parser) perlCall(t token) *node {
	t.s = strings.ReplaceAll(t.s, "::", ".")
	name := &node{op: nName, s: t.s}
	n := p.peek()
	switch {
	case n.k == tOp && n.s == "=>":
		return &node{op: nStr, kids: []*node{{op: nLit, s: t.s}}}
	case n.k == tOp && (n.s == "->" || n.s == "::"):
		return name
	case t.s == "my" || t.s == "our" || t.s == "local" || t.s == "state":
		return p.unary()
	case t.s == "sub":
		f := &node{op: nFunc}
		if p.is("(") {
			p.skipGroup()
		}
		f.body = p.braceBlock()
		return f
	case perlNullary(t.s):
		if p.is("(") {
			return &node{op: nCall, kids: append([]*node{name}, p.arguments()...)}
		}
		if t.s == "fork" || t.s == "time" || t.s == "wait" {
			return &node{op: nCall, kids: []*node{name}}
		}
		return name
	case (t.s == "do" || t.s == "eval" || t.s == "map" || t.s == "grep" || t.s == "sort" || t.s == "first" || t.s == "any" || t.s == "all") && p.is("{"):
		return p.perlBlockCall(name)
	case t.s == "print" || t.s == "printf" || t.s == "say":
		return p.perlPrint(name)
	case n.k == tOp && n.s == "(":
		return p.perlParens(name)
	case t.s == "return" || t.s == "die" || t.s == "warn":
	case perlUnary(t.s):
		call := &node{op: nCall, kids: []*node{name}}
		if p.startsArgument() && !p.is("?") || p.is("<") {
			call.kids = append(call.kids, p.expr(precShift))
		}
		return call
	}
	if (t.s == "exec" || t.s == "system") && p.is("{") { // the program apart from its argv[0]
		p.next()
		program := p.expr(precAssign)
		p.accept("}")
		call := p.command(name)
		call.kids[1] = program
		return call
	}
	if p.startsArgument() && !isFileHandle(t.s) {
		if n.k == tIdent && p.ahead(1).k != tOp && !lowerCase(t.s) {
			return name
		}
		if n.k == tIdent && t.s == "new" { // new X(…)
			p.next()
			call := &node{op: nCall, kids: []*node{{op: nAttr, s: "new", kids: []*node{{op: nName, s: n.s}}}}}
			if p.is("(") {
				call.kids = append(call.kids, p.arguments()...)
			}
			return call
		}
		return p.command(name)
	}
	if lowerCase(t.s) {
		return &node{op: nCall, kids: []*node{name}}
	}
	return name
}

func (p *parser) perlParens(name *node) *node {
	if name.s == "qw" {
		return name
	}
	return &node{op: nCall, kids: append([]*node{name}, p.perlArguments()...)}
}

// perlArguments parses ( … ), in which the first may be a handle.
func (p *parser) perlArguments() []*node { return p.arguments() }

func isFileHandle(s string) bool { return strings.ToUpper(s) == s && strings.ToLower(s) != s }

func lowerCase(s string) bool { return strings.ToLower(s) == s }

// perlBlockCall parses do { … }, eval { … }, map { … } list.
func (p *parser) perlBlockCall(name *node) *node {
	f := &node{op: nFunc, s: "{", body: p.braceBlock()}
	call := &node{op: nCall, kids: []*node{name, f}}
	if name.s == "do" || name.s == "eval" {
		return call
	}
	p.accept(",")
	if p.startsArgument() || p.is("<", "keys") {
		rest := p.command(name)
		call.kids = append(call.kids, rest.kids[1:]...)
	}
	return call
}

// perlPrint parses print with an optional handle: print STDERR "x", print
// {$fh} "x", print $fh "x" (perlfunc print).
func (p *parser) perlPrint(name *node) *node {
	call := &node{op: nCall, kids: []*node{name}}
	parens := p.is("(")
	if parens {
		p.next()
	}
	if h := p.handle(); h != nil {
		call.kids = append(call.kids, &node{op: nKw, s: "handle", kids: []*node{h}})
	}
	if parens {
		list := p.list("(arguments", ")")
		call.kids = append(call.kids, list.kids...)
		return call
	}
	if p.startsArgument() || p.is("<", "map", "join") {
		rest := p.command(name)
		call.kids = append(call.kids, rest.kids[1:]...)
	}
	return call
}

// handle parses the file handle that print writes to, if there is one.
func (p *parser) handle() *node {
	t, n := p.peek(), p.ahead(1)
	switch {
	case t.k == tOp && t.s == "{" && t.match > 0:
		p.next()
		h := p.expr(precAssign)
		p.accept("}")
		return h
	case t.k == tIdent && isFileHandle(t.s) && !(n.k == tOp && (n.s == "(" || n.s == "," || n.s == "." || n.s == "->" || n.s == "=>")):
		p.next()
		return &node{op: nName, s: t.s}
	case t.k == tVar && strings.HasPrefix(t.s, "$") && n.sp && (n.k == tStr && n.s == "" || n.k == tVar || n.k == tNum || n.k == tIdent && p.ahead(2).s != "=>" && len(n.s) > 2 && !isWord("and", "for", "foreach", "unless", "if", "cmp", "xor", "while", "until")(n)):
		p.next()
		return &node{op: nName, s: t.s}
	}
	return nil
}
