package vouch

import (
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/inline/syntax"
)

// maxStable bounds how many names are followed to a constant.
const maxStable = 24

// stable reports whether the value of an expression is put together from
// constants by names that are bound once, so that no order of events gives it
// another value than the evaluator sees.
func (v *voucher) stable(n *syntax.Node, depth int) bool {
	if n == nil || depth > maxStable {
		return false
	}
	depth++
	switch n.Op {
	case syntax.OpNum:
		return true
	case syntax.OpLit: // but for escapes that are decoded otherwise here, and other users' homes
		return !strings.ContainsAny(n.Text, "\x1b") && !strings.Contains(n.Text, `\N`) && utf8.ValidString(n.Text) && (len(n.Text) < 2 || n.Text[0] != '~' || n.Text[1] == '/')
	case syntax.OpStr, syntax.OpList, syntax.OpCond:
		if n.Op == syntax.OpCond {
			return v.stable(n.Kids[1], depth) && v.stable(n.Kids[2], depth)
		}
		return v.allStable(n.Kids, depth)
	case syntax.OpUnary:
		return (n.Text == "with" || n.Text == "await") && v.allStable(n.Kids, depth)
	case syntax.OpBin:
		return (n.Text == "+" || n.Text == "/" && v.isPath(n, depth)) && v.allStable(n.Kids, depth)
	case syntax.OpName:
		return v.stableName(n.Text, depth)
	case syntax.OpCall:
		return v.stableCall(n, depth)
	}
	return false
}

func (v *voucher) allStable(nodes []*syntax.Node, depth int) bool {
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
		return !v.loose[b.fn.Text] && !v.inClass[b.fn]
	case len(b.values) == 1:
		return v.stable(b.values[0], depth)
	}
	return false
}

// source reports whether what a loop runs over is known: constants, or the
// files that a pattern or a directory has.
func (v *voucher) source(n *syntax.Node, depth int) bool {
	if depth > maxStable {
		return false
	}
	switch n.Op {
	case syntax.OpList:
		return v.allStable(n.Kids, depth)
	case syntax.OpSlice:
		return v.source(n.Kids[0], depth+1)
	case syntax.OpComp:
		return picks(n) && v.source(n.Kids[2], depth+1)
	case syntax.OpName:
		b := v.names[n.Text]
		return b != nil && b.n == 1 && len(b.values) == 1 && b.values[0] != nil && v.source(b.values[0], depth+1) ||
			b != nil && b.n == 1 && len(b.each) == 1 && v.moduleCall(b.each[0]) == "os.walk" && v.source(b.each[0], depth+1)
	case syntax.OpCall:
		return v.listing(n, depth)
	}
	return false
}

// listing recognises calls that give files, sorted or not.
func (v *voucher) listing(n *syntax.Node, depth int) bool {
	callee, args := n.Kids[0], n.Kids[1:]
	if callee.Op == syntax.OpName && v.names[callee.Text] == nil {
		switch callee.Text {
		case "sorted", "list", "set", "reversed", "tuple":
			return len(args) > 0 && v.source(args[0], depth+1)
		}
	}
	switch v.moduleCall(n) {
	case "glob.glob", "glob.iglob", "os.listdir", "os.walk":
		for _, a := range args {
			if a.Op != syntax.OpKw && !v.stable(a, depth) || a.Op == syntax.OpKw && a.Text != "recursive" && a.Text != "topdown" {
				return false
			}
		}
		return true
	}
	if callee.Op == syntax.OpAttr && v.isPath(callee.Kids[0], depth) {
		switch callee.Text {
		case "glob", "rglob", "iterdir":
			return v.stable(callee.Kids[0], depth) && v.allStable(args, depth)
		}
	}
	return false
}

// moduleCall is the full name of the module's function that n calls.
func (v *voucher) moduleCall(n *syntax.Node) string {
	if n == nil || n.Op != syntax.OpCall {
		return ""
	}
	p, _ := v.path(n.Kids[0])
	return p
}

// stableCall: calls that put paths together.
func (v *voucher) stableCall(n *syntax.Node, depth int) bool {
	callee, args := n.Kids[0], n.Kids[1:]
	switch v.moduleCall(n) {
	case "pathlib.Path", "os.path.join", "os.path.expanduser", "os.path.abspath", "os.path.normpath", "os.fspath":
		return v.allStable(args, depth) && !strings.Contains(flatText(args), "$")
	case "glob.glob", "os.listdir":
		return v.listing(n, depth)
	}
	if callee.Op == syntax.OpName && callee.Text == "str" && v.names["str"] == nil {
		return len(args) == 1 && v.isPath(args[0], depth) && v.stable(args[0], depth)
	}
	if callee.Op == syntax.OpAttr && v.isPath(callee.Kids[0], depth) {
		switch callee.Text {
		case "resolve", "absolute", "expanduser", "joinpath", "as_posix":
			return v.stable(callee.Kids[0], depth) && v.allStable(args, depth)
		}
	}
	return false
}

// isPath reports whether a value is a path of pathlib.
func (v *voucher) isPath(n *syntax.Node, depth int) bool {
	if n == nil || depth > maxStable {
		return false
	}
	depth++
	switch n.Op {
	case syntax.OpBin:
		return n.Text == "/" && v.isPath(n.Kids[0], depth)
	case syntax.OpName:
		b := v.names[n.Text]
		if b == nil || b.n != 1 {
			return false
		}
		if len(b.each) == 1 {
			return v.yieldsPaths(b.each[0], depth)
		}
		return len(b.values) == 1 && v.isPath(b.values[0], depth)
	case syntax.OpCall:
		if v.moduleCall(n) == "pathlib.Path" {
			return true
		}
		callee := n.Kids[0]
		if callee.Op != syntax.OpAttr || !v.isPath(callee.Kids[0], depth) {
			return false
		}
		switch callee.Text {
		case "resolve", "absolute", "expanduser", "joinpath":
			return true
		}
	}
	return false
}

// picks reports whether a comprehension has what its one loop runs over, or some of
// that, as it is: [x for x in y if z].
func picks(n *syntax.Node) bool {
	return n.Op == syntax.OpComp && len(n.Kids) == 3 && n.Kids[0].Op == syntax.OpName && n.Kids[1].Op == syntax.OpName && n.Kids[0].Text == n.Kids[1].Text
}

// yieldsPaths reports whether a loop over n has paths of pathlib.
func (v *voucher) yieldsPaths(n *syntax.Node, depth int) bool {
	switch {
	case depth > maxStable:
		return false
	case n.Op == syntax.OpSlice:
		return v.yieldsPaths(n.Kids[0], depth+1)
	case picks(n):
		return v.yieldsPaths(n.Kids[2], depth+1)
	case n.Op == syntax.OpName:
		b := v.names[n.Text]
		return b != nil && b.n == 1 && len(b.values) == 1 && b.values[0] != nil && v.yieldsPaths(b.values[0], depth+1)
	}
	if n.Op != syntax.OpCall || depth > maxStable {
		return n.Op == syntax.OpList && len(n.Kids) > 0 && allPaths(v, n.Kids, depth)
	}
	callee := n.Kids[0]
	if callee.Op == syntax.OpName && v.names[callee.Text] == nil && (callee.Text == "sorted" || callee.Text == "list") && len(n.Kids) > 1 {
		return v.yieldsPaths(n.Kids[1], depth+1)
	}
	return callee.Op == syntax.OpAttr && v.isPath(callee.Kids[0], depth) && (callee.Text == "glob" || callee.Text == "rglob" || callee.Text == "iterdir")
}

func allPaths(v *voucher, nodes []*syntax.Node, depth int) bool {
	for _, n := range nodes {
		if !v.isPath(n, depth+1) {
			return false
		}
	}
	return true
}

// literal is the text of a string that stands there.
func literal(n *syntax.Node) (string, bool) {
	if n == nil || n.Op != syntax.OpStr {
		return "", false
	}
	text := ""
	for _, k := range n.Kids {
		if k.Op != syntax.OpLit {
			return "", false
		}
		text += k.Text
	}
	return text, true
}

// flatText is all literal text in nodes.
func flatText(nodes []*syntax.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		t, _ := literal(n)
		b.WriteString(t)
	}
	return b.String()
}

func pickNode(nodes []*syntax.Node, i int) *syntax.Node {
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
