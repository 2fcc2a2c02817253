package syntax

import (
	"strings"
	"testing"
)

// languages are those that have a tokenizer.
func languages() []string { return []string{"python", "perl", "ruby", "php", "node", "lua", "r"} }

// shape writes a tree without what it names.
func shape(n *Node) string {
	if n == nil {
		return "-"
	}
	var kids []string
	for _, k := range append(n.Kids[:len(n.Kids):len(n.Kids)], n.Body...) {
		kids = append(kids, shape(k))
	}
	name := map[op]string{OpCall: "call", OpName: "name", OpAttr: "attr", OpStr: "str", OpLit: "lit", OpNum: "num", OpBin: "bin", OpAssign: "assign", OpIf: "if", OpLoop: "loop"}[n.Op]
	if len(kids) == 0 {
		return name
	}
	return name + "(" + strings.Join(kids, " ") + ")"
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, text, want string }{
		{"python", "f(1, 'x')", "call(name num str(lit))"},
		{"python", "a.b('x')", "call(attr(name) str(lit))"},
		{"python", "x = 1 + y", "assign(name bin(num name))"},
		{"perl", "unlink 'x'", "call(name str(lit))"},
		{"ruby", "File.delete 'x'", "call(attr(name) str(lit))"},
		{"node", "fs.rm('x')", "call(attr(name) str(lit))"},
		{"php", "unlink('x');", "call(name str(lit))"},
		{"lua", "os.remove('x')", "call(attr(name) str(lit))"},
	} {
		body, ok := Parse(c.lang, c.text, 0)
		var got []string
		for _, n := range body {
			got = append(got, shape(n))
		}
		if !ok || strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %s: got %q (%t), want %q", c.lang, c.text, got, ok, c.want)
		}
	}
	for _, text := range []string{"f(", "'x", "x = = 1)"} {
		if _, ok := Parse("python", text, 0); ok {
			t.Errorf("%q is understood", text)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"f(1)", "if x:\n  y", "%w(a b)", "<<A\nb\nA", "`ls`", "/x/.test(y)"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		for _, lang := range languages() {
			Parse(lang, text, 0)
		}
	})
}
