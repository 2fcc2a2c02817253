package inline

import (
	"strings"
	"unicode/utf8"
)

// maxStable bounds how many names are followed to a constant.
const maxStable = 24

// stable reports whether the value of an expression is put together from
// constants by names that are bound once, so that no order of events gives it
// another value than the evaluator sees.
func (v *voucher) stable(n *node, depth int) bool {
	if n == nil || depth > maxStable {
		return false
	}
	depth++
	switch n.op {
	case nNum:
		return true
	case nLit: // but for escapes that are decoded otherwise here, and other users' homes
		return !strings.ContainsAny(n.s, "\x1b") && !strings.Contains(n.s, `\N`) && utf8.ValidString(n.s) && (len(n.s) < 2 || n.s[0] != '~' || n.s[1] == '/')
	case nStr, nList, nCond:
		if n.op == nCond {
			return v.stable(n.kids[1], depth) && v.stable(n.kids[2], depth)
		}
		return v.allStable(n.kids, depth)
	case nUnary:
		return (n.s == "with" || n.s == "await") && v.allStable(n.kids, depth)
	case nBin:
		return (n.s == "+" || n.s == "/" && v.isPath(n, depth)) && v.allStable(n.kids, depth)
	case nName:
		return v.stableName(n.s, depth)
	case nCall:
		return v.stableCall(n, depth)
	}
	return false
}

func (v *voucher) allStable(nodes []*node, depth int) bool {
	for _, n := range nodes {
		if !v.stable(n, depth) {
			return false
		}
	}
	return true
}

func (v *voucher) stableName(name string, depth int) bool {
	b := v.names[name]
	switch {
	case b == nil || b.n != 1 || b.path != "":
		return false
	case len(b.each) == 1:
		return v.source(b.each[0], depth)
	case b.fn != nil: // the evaluator sees every call, if they are all written out
		return !v.loose[b.fn.s] && !v.inClass[b.fn]
	case len(b.values) == 1:
		return v.stable(b.values[0], depth)
	}
	return false
}

// source reports whether what a loop runs over is known: constants, or the
// files that a pattern or a directory has.
func (v *voucher) source(n *node, depth int) bool {
	if depth > maxStable {
		return false
	}
	switch n.op {
	case nList:
		return v.allStable(n.kids, depth)
	case nSlice:
		return v.source(n.kids[0], depth+1)
	case nName:
		b := v.names[n.s]
		return b != nil && b.n == 1 && len(b.values) == 1 && b.values[0] != nil && v.source(b.values[0], depth+1) ||
			b != nil && b.n == 1 && len(b.each) == 1 && v.moduleCall(b.each[0]) == "os.walk" && v.source(b.each[0], depth+1)
	case nCall:
		return v.listing(n, depth)
	}
	return false
}

// listing recognises calls that give files, sorted or not.
func (v *voucher) listing(n *node, depth int) bool {
	callee, args := n.kids[0], n.kids[1:]
	if callee.op == nName && v.names[callee.s] == nil {
		switch callee.s {
		case "sorted", "list", "set", "reversed", "tuple":
			return len(args) > 0 && v.source(args[0], depth+1)
		}
	}
	switch v.moduleCall(n) {
	case "glob.glob", "glob.iglob", "os.listdir", "os.walk":
		for _, a := range args {
			if a.op != nKw && !v.stable(a, depth) || a.op == nKw && a.s != "recursive" && a.s != "topdown" {
				return false
			}
		}
		return true
	}
	if callee.op == nAttr && v.isPath(callee.kids[0], depth) {
		switch callee.s {
		case "glob", "rglob", "iterdir":
			return v.stable(callee.kids[0], depth) && v.allStable(args, depth)
		}
	}
	return false
}

// moduleCall is the full name of the module's function that n calls.
func (v *voucher) moduleCall(n *node) string {
	if n == nil || n.op != nCall {
		return ""
	}
	p, _ := v.path(n.kids[0])
	return p
}

// stableCall: calls that put paths together.
func (v *voucher) stableCall(n *node, depth int) bool {
	callee, args := n.kids[0], n.kids[1:]
	switch v.moduleCall(n) {
	case "pathlib.Path", "os.path.join", "os.path.expanduser", "os.path.abspath", "os.path.normpath", "os.fspath":
		return v.allStable(args, depth) && !strings.Contains(flatText(args), "$")
	case "glob.glob", "os.listdir":
		return v.listing(n, depth)
	}
	if callee.op == nName && callee.s == "str" && v.names["str"] == nil {
		return len(args) == 1 && v.isPath(args[0], depth) && v.stable(args[0], depth)
	}
	if callee.op == nAttr && v.isPath(callee.kids[0], depth) {
		switch callee.s {
		case "resolve", "absolute", "expanduser", "joinpath", "as_posix":
			return v.stable(callee.kids[0], depth) && v.allStable(args, depth)
		}
	}
	return false
}

// isPath reports whether a value is a path of pathlib.
func (v *voucher) isPath(n *node, depth int) bool {
	if n == nil || depth > maxStable {
		return false
	}
	depth++
	switch n.op {
	case nBin:
		return n.s == "/" && v.isPath(n.kids[0], depth)
	case nName:
		b := v.names[n.s]
		if b == nil || b.n != 1 {
			return false
		}
		if len(b.each) == 1 {
			return v.yieldsPaths(b.each[0], depth)
		}
		return len(b.values) == 1 && v.isPath(b.values[0], depth)
	case nCall:
		if v.moduleCall(n) == "pathlib.Path" {
			return true
		}
		callee := n.kids[0]
		if callee.op != nAttr || !v.isPath(callee.kids[0], depth) {
			return false
		}
		switch callee.s {
		case "resolve", "absolute", "expanduser", "joinpath":
			return true
		}
	}
	return false
}

// yieldsPaths reports whether a loop over n has paths of pathlib.
func (v *voucher) yieldsPaths(n *node, depth int) bool {
	if n.op == nSlice && depth <= maxStable {
		return v.yieldsPaths(n.kids[0], depth+1)
	}
	if n.op != nCall || depth > maxStable {
		return n.op == nList && len(n.kids) > 0 && allPaths(v, n.kids, depth)
	}
	callee := n.kids[0]
	if callee.op == nName && v.names[callee.s] == nil && (callee.s == "sorted" || callee.s == "list") && len(n.kids) > 1 {
		return v.yieldsPaths(n.kids[1], depth+1)
	}
	return callee.op == nAttr && v.isPath(callee.kids[0], depth) && (callee.s == "glob" || callee.s == "rglob" || callee.s == "iterdir")
}

func allPaths(v *voucher, nodes []*node, depth int) bool {
	for _, n := range nodes {
		if !v.isPath(n, depth+1) {
			return false
		}
	}
	return true
}

// literal is the text of a string that stands there.
func literal(n *node) (string, bool) {
	if n == nil || n.op != nStr {
		return "", false
	}
	text := ""
	for _, k := range n.kids {
		if k.op != nLit {
			return "", false
		}
		text += k.s
	}
	return text, true
}

// flatText is all literal text in nodes.
func flatText(nodes []*node) string {
	var b strings.Builder
	for _, n := range nodes {
		t, _ := literal(n)
		b.WriteString(t)
	}
	return b.String()
}

func pickNode(nodes []*node, i int) *node {
	if i < len(nodes) {
		return nodes[i]
	}
	return nil
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
