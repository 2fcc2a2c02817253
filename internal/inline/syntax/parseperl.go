package syntax

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
func (p *parser) perlCall(t Token) *Node {
	t.Text = strings.ReplaceAll(t.Text, "::", ".")
	name := &Node{Op: OpName, Text: t.Text}
	n := p.peek()
	switch {
	case n.Kind == TokOp && n.Text == "=>":
		return &Node{Op: OpStr, Kids: []*Node{{Op: OpLit, Text: t.Text}}}
	case n.Kind == TokOp && (n.Text == "->" || n.Text == "::"):
		return name
	case t.Text == "my" || t.Text == "our" || t.Text == "local" || t.Text == "state":
		return p.unary()
	case t.Text == "sub":
		f := &Node{Op: OpFunc}
		if p.is("(") {
			p.skipGroup()
		}
		f.Body = p.braceBlock()
		return f
	case perlNullary(t.Text):
		if p.is("(") {
			return &Node{Op: OpCall, Kids: append([]*Node{name}, p.arguments()...)}
		}
		if t.Text == "fork" || t.Text == "time" || t.Text == "wait" {
			return &Node{Op: OpCall, Kids: []*Node{name}}
		}
		return name
	case (t.Text == "do" || t.Text == "eval" || t.Text == "map" || t.Text == "grep" || t.Text == "sort" || t.Text == "first" || t.Text == "any" || t.Text == "all") && p.is("{"):
		return p.perlBlockCall(name)
	case t.Text == "print" || t.Text == "printf" || t.Text == "say":
		return p.perlPrint(name)
	case n.Kind == TokOp && n.Text == "(":
		return p.perlParens(name)
	case t.Text == "return" || t.Text == "die" || t.Text == "warn":
	case perlUnary(t.Text):
		call := &Node{Op: OpCall, Kids: []*Node{name}}
		if p.startsArgument() && !p.is("?") || p.is("<") {
			call.Kids = append(call.Kids, p.expr(precShift))
		}
		return call
	}
	if (t.Text == "exec" || t.Text == "system") && p.is("{") { // the program apart from its argv[0]
		p.next()
		program := p.expr(precAssign)
		p.accept("}")
		call := p.command(name)
		call.Kids[1] = program
		return call
	}
	if p.startsArgument() && !isFileHandle(t.Text) {
		if n.Kind == TokIdent && p.ahead(1).Kind != TokOp && !lowerCase(t.Text) {
			return name
		}
		if n.Kind == TokIdent && t.Text == "new" { // new X(…)
			p.next()
			call := &Node{Op: OpCall, Kids: []*Node{{Op: OpAttr, Text: "new", Kids: []*Node{{Op: OpName, Text: n.Text}}}}}
			if p.is("(") {
				call.Kids = append(call.Kids, p.arguments()...)
			}
			return call
		}
		return p.command(name)
	}
	if lowerCase(t.Text) {
		return &Node{Op: OpCall, Kids: []*Node{name}}
	}
	return name
}

func (p *parser) perlParens(name *Node) *Node {
	if name.Text == "qw" {
		return name
	}
	return &Node{Op: OpCall, Kids: append([]*Node{name}, p.perlArguments()...)}
}

// perlArguments parses ( … ), in which the first may be a handle.
func (p *parser) perlArguments() []*Node { return p.arguments() }

func isFileHandle(s string) bool { return strings.ToUpper(s) == s && strings.ToLower(s) != s }

func lowerCase(s string) bool { return strings.ToLower(s) == s }

// perlBlockCall parses do { … }, eval { … }, map { … } list.
func (p *parser) perlBlockCall(name *Node) *Node {
	f := &Node{Op: OpFunc, Text: "{", Body: p.braceBlock()}
	call := &Node{Op: OpCall, Kids: []*Node{name, f}}
	if name.Text == "do" || name.Text == "eval" {
		return call
	}
	p.accept(",")
	if p.startsArgument() || p.is("<", "keys") {
		rest := p.command(name)
		call.Kids = append(call.Kids, rest.Kids[1:]...)
	}
	return call
}

// perlPrint parses print with an optional handle: print STDERR "x", print
// {$fh} "x", print $fh "x" (perlfunc print).
func (p *parser) perlPrint(name *Node) *Node {
	call := &Node{Op: OpCall, Kids: []*Node{name}}
	parens := p.is("(")
	if parens {
		p.next()
	}
	if h := p.handle(); h != nil {
		call.Kids = append(call.Kids, &Node{Op: OpKw, Text: "handle", Kids: []*Node{h}})
	}
	if parens {
		list := p.list("(arguments", ")")
		call.Kids = append(call.Kids, list.Kids...)
		return call
	}
	if p.startsArgument() || p.is("<", "map", "join") {
		rest := p.command(name)
		call.Kids = append(call.Kids, rest.Kids[1:]...)
	}
	return call
}

// handle parses the file handle that print writes to, if there is one.
func (p *parser) handle() *Node {
	t, n := p.peek(), p.ahead(1)
	switch {
	case t.Kind == TokOp && t.Text == "{" && t.Match > 0:
		p.next()
		h := p.expr(precAssign)
		p.accept("}")
		return h
	case t.Kind == TokIdent && isFileHandle(t.Text) && !(n.Kind == TokOp && (n.Text == "(" || n.Text == "," || n.Text == "." || n.Text == "->" || n.Text == "=>")):
		p.next()
		return &Node{Op: OpName, Text: t.Text}
	case t.Kind == TokVar && strings.HasPrefix(t.Text, "$") && n.sp && (n.Kind == TokStr && n.Text == "" || n.Kind == TokVar || n.Kind == TokNum || n.Kind == TokIdent && p.ahead(2).Text != "=>" && len(n.Text) > 2 && !isWord("and", "for", "foreach", "unless", "if", "cmp", "xor", "while", "until")(n)):
		p.next()
		return &Node{Op: OpName, Text: t.Text}
	}
	return nil
}
